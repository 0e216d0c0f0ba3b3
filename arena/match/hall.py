"""Where watched games go on: one event loop in a thread, its players and tables.

A thread of its own, because clocks and pings have to be served whatever the caller does
between two results.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import Counter, deque
from collections.abc import Coroutine, Iterator, Sequence
from queue import SimpleQueue
from time import monotonic_ns
from typing import Any

from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.match.request import GameRequest, NotPlayed
from arena.players.base import Player
from arena.players.build import player_for
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.spec import EngineSpec

Played = GameResult | NotPlayed

_log = logging.getLogger(__name__)
# Silent seats are looked for this often. A late answer is judged by its own time anyway.
_SWEEP_S = 0.05
# How far the dispatcher looks past games whose engines are busy.
_LOOK_AHEAD = 512
_CLOSE_S = 10.0


class Hall:
    """Plays games through the referee. Engines stay up between calls of `play`."""

    def __init__(self, policy: MatchPolicy, parallel: int, worker: str) -> None:
        """Starts the loop; nothing is connected before a game needs it."""
        self.policy = policy
        self.parallel = parallel
        self.worker = worker
        self.tables: set[Table] = set()
        self._players: dict[EngineSpec, Player] = {}
        self._runs: set[_Run] = set()
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._broken)
        self._thread = threading.Thread(target=self._serve, name="arena referee", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._sweep)
        self._loop.run_forever()

    def _sweep(self) -> None:
        now = monotonic_ns()
        for table in list(self.tables):
            table.due(now)
        for player in self._players.values():
            player.tick(now)
        self._loop.call_later(_SWEEP_S, self._sweep)

    def _broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A mistake of ours in a callback: the caller hears of it instead of waiting for ever."""
        error = context.get("exception")
        _log.error("referee: %s", context.get("message"), exc_info=error)
        if isinstance(error, Exception):
            for run in self._runs:
                run.results.put(error)

    def player(self, spec: EngineSpec) -> Player:
        """The one player of an engine. In the loop only."""
        found = self._players.get(spec)
        if found is None:
            found = self._players[spec] = player_for(spec, self.policy.limits())
        return found

    def play(self, requests: Sequence[GameRequest]) -> Iterator[Played]:
        """One result for each request, as they end."""
        run = _Run(self, requests)
        self._runs.add(run)
        asyncio.run_coroutine_threadsafe(run.work(), self._loop)
        try:
            for _ in requests:
                result = run.results.get()
                if isinstance(result, Exception):
                    raise result
                yield result
        finally:
            # A caller that stops listening stops the games, too.
            self._runs.discard(run)
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(run.stop)

    def close(self) -> None:
        """Closes every player, then the loop."""
        done = asyncio.run_coroutine_threadsafe(self._close_players(), self._loop)
        try:
            done.result(_CLOSE_S)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_CLOSE_S)
            if not self._thread.is_alive():
                self._loop.close()

    async def _close_players(self) -> None:
        for run in list(self._runs):
            run.stop()
        players = list(self._players.values())
        self._players.clear()
        for result in await asyncio.gather(
            *(player.close() for player in players), return_exceptions=True
        ):
            if isinstance(result, BaseException):
                _log.warning("closing an engine: %r", result)
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._loop.shutdown_default_executor()


class _Run:
    """The games of one call of `Hall.play`."""

    def __init__(self, hall: Hall, requests: Sequence[GameRequest]) -> None:
        self.results: SimpleQueue[Played | Exception] = SimpleQueue()
        self._hall = hall
        self._waiting = deque(requests)
        self._going: dict[Table | GameRequest, GameRequest] = {}
        self._busy: Counter[EngineSpec] = Counter()
        self._room: dict[EngineSpec, int | None] = {}
        self._unavailable: dict[EngineSpec, EngineUnavailable] = {}
        self._unfit: dict[tuple[EngineSpec, str], str | None] = {}
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def work(self) -> None:
        """Starts games as places become free, until all have ended."""
        specs = dict.fromkeys(spec for request in self._waiting for spec in request.engines)
        for spec in specs:
            self._spawn(self._open(spec))
        try:
            while self._waiting or self._going:
                self._dispatch()
                self._changed.clear()
                if self._waiting or self._going:
                    await self._changed.wait()
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.results.put(error)

    def stop(self) -> None:
        """Gives up whatever has not ended."""
        self._waiting.clear()
        for task in self._tasks:
            task.cancel()
        reason = EngineUnavailable("", Unavailable.UNREACHABLE, "the run was stopped")
        for table in list(self._going):
            if isinstance(table, Table):
                table.abort(reason)
        self._going.clear()
        self._changed.set()

    def _dispatch(self) -> None:
        passed: list[GameRequest] = []
        while self._waiting and len(self._going) < self._hall.parallel:
            if len(passed) >= _LOOK_AHEAD:
                break
            request = self._waiting.popleft()
            known = next((s for s in request.engines if s in self._unavailable), None)
            if known is not None:
                self._not_played(request, self._unavailable[known])
            elif self._has_room(request):
                self._busy.update(set(request.engines))
                self._going[request] = request
                self._spawn(self._begin(request))
            else:
                passed.append(request)
        self._waiting.extendleft(reversed(passed))

    def _has_room(self, request: GameRequest) -> bool:
        """Whether every engine is open and may have one game more."""
        for spec in set(request.engines):
            if spec not in self._room:
                return False
            room = self._room[spec]
            if room is not None and self._busy[spec] >= room:
                return False
        return True

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _open(self, spec: EngineSpec) -> None:
        """Opens an engine; its games begin when it is there, or are not played."""
        try:
            player = self._hall.player(spec)
            await player.open()
            self._room[spec] = player.capacity(self._hall.policy.clock.kind != "none")
        except EngineUnavailable as error:
            self._unavailable[spec] = error
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.results.put(error)
        self._changed.set()

    async def _begin(self, request: GameRequest) -> None:
        """Seats the engines of a game, once more found or brought back to life."""
        players = [self._hall.player(spec) for spec in request.engines]
        try:
            for player in players:
                try:
                    await player.open()
                except EngineUnavailable as error:
                    self._unavailable[player.spec] = error
                    raise
                self._require_fit(player, request)
            table = Table(request, self._hall.policy, players, self._ended, self._hall.worker)
        except EngineUnavailable as error:
            self._release(request)
            self._not_played(request, error)
            return
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.results.put(error)
            return
        del self._going[request]
        self._going[table] = request
        self._hall.tables.add(table)
        table.start()

    def _require_fit(self, player: Player, request: GameRequest) -> None:
        key = (player.spec, request.game.label)
        if key not in self._unfit:
            self._unfit[key] = player.unfit(request.game)
        reason = self._unfit[key]
        if reason is not None:
            raise EngineUnavailable(player.spec.id, Unavailable.UNFIT, reason)

    def _ended(self, table: Table, result: Played) -> None:
        self._hall.tables.discard(table)
        request = self._going.pop(table, None)
        if request is not None:
            self._busy.subtract(set(request.engines))
            self.results.put(result)
            self._changed.set()

    def _release(self, request: GameRequest) -> None:
        if self._going.pop(request, None) is not None:
            self._busy.subtract(set(request.engines))
        self._changed.set()

    def _not_played(self, request: GameRequest, error: EngineUnavailable) -> None:
        self.results.put(NotPlayed(request, error.engine, error.cause, error.message))
        self._changed.set()
