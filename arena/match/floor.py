"""Games that go on in one event loop: players, tables, and who sits down next."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.match.request import GameRequest, NotPlayed
from arena.players.awake import awake_ns, begin_to_beat, stop_beating
from arena.players.base import Limits, Player
from arena.players.build import player_for
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.spec import EngineKind, EngineSpec

Played = GameResult | NotPlayed
Deliver = Callable[[Played | Exception], None]
MakePlayer = Callable[[EngineSpec, Limits], Player]

_log = logging.getLogger(__name__)
# Silent seats are looked for this often. A late answer is judged by its own time anyway.
_SWEEP_S = 0.05
# How far the dispatcher looks past games whose engines are busy.
_LOOK_AHEAD = 512


class Floor:
    """Plays games through the referee, in the loop that calls it. Engines stay up in between."""

    def __init__(
        self,
        policy: MatchPolicy,
        parallel: int,
        worker: str,
        make_player: MakePlayer = player_for,
    ) -> None:
        """Nothing is connected before a game needs it. `parallel` bounds the games of one run."""
        self.policy = policy
        self.parallel = parallel
        self.worker = worker
        self.tables: set[Table] = set()
        self.runs: set[Run] = set()
        self.unlimited: set[str] = set()
        """Ids of engines at an address that have been found to take any number of games."""

        self._make_player = make_player
        self._players: dict[EngineSpec, Player] = {}
        self._sweeping: asyncio.TimerHandle | None = None

    def open(self) -> None:
        """Starts to watch the clocks."""
        if self._sweeping is None:
            begin_to_beat()
            self._sweep()

    def _sweep(self) -> None:
        now = awake_ns()
        for table in list(self.tables):
            table.due(now)
        for player in self._players.values():
            player.tick(now)
        self._sweeping = asyncio.get_running_loop().call_later(_SWEEP_S, self._sweep)

    def player(self, spec: EngineSpec) -> Player:
        """The one player of an engine."""
        found = self._players.get(spec)
        if found is None:
            found = self._players[spec] = self._make_player(spec, self.policy.limits())
        return found

    def failed(self, error: Exception) -> None:
        """Has every caller hear of a mistake of ours instead of waiting for ever."""
        for run in list(self.runs):  # other threads add to them
            run.deliver(error)

    async def forget(self, spec: EngineSpec) -> None:
        """Closes an engine; a later game makes a new player of it."""
        player = self._players.pop(spec, None)
        if player is not None:
            await player.close()

    async def close(self) -> None:
        """Ends all games and closes every player."""
        for run in list(self.runs):
            run.stop()
        if self._sweeping is not None:
            self._sweeping.cancel()
            self._sweeping = None
            stop_beating()
        players = list(self._players.values())
        self._players.clear()
        for result in await asyncio.gather(
            *(player.close() for player in players), return_exceptions=True
        ):
            if isinstance(result, BaseException):
                _log.warning("closing an engine: %r", result)


class Run:
    """Some games, each of which is delivered as it ends."""

    def __init__(self, floor: Floor, requests: Sequence[GameRequest], deliver: Deliver) -> None:
        """`deliver` gets one result for each request, or a mistake of ours; call `work`."""
        self.deliver = deliver
        self._floor = floor
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
            self.deliver(error)

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
        while self._waiting and len(self._going) < self._floor.parallel:
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
            player = self._floor.player(spec)
            await player.open()
            room = player.capacity(self._floor.policy.clock.kind != "none")
            self._room[spec] = room
            if spec.kind is EngineKind.GRPC and room is None:
                self._floor.unlimited.add(spec.id)
        except EngineUnavailable as error:
            self._unavailable[spec] = error
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.deliver(error)
        self._changed.set()

    async def _begin(self, request: GameRequest) -> None:
        """Seats the engines of a game, once more found or brought back to life."""
        players = [self._floor.player(spec) for spec in request.engines]
        try:
            for player in players:
                try:
                    await player.open()
                except EngineUnavailable as error:
                    self._unavailable[player.spec] = error
                    raise
                self._require_fit(player, request)
            table = Table(request, self._floor.policy, players, self._ended, self._floor.worker)
        except EngineUnavailable as error:
            self._release(request)
            self._not_played(request, error)
            return
        except Exception as error:  # noqa: BLE001 - the caller's thread raises it
            self.deliver(error)
            return
        del self._going[request]
        self._going[table] = request
        self._floor.tables.add(table)
        table.start()

    def _require_fit(self, player: Player, request: GameRequest) -> None:
        key = (player.spec, request.game.label)
        if key not in self._unfit:
            self._unfit[key] = player.unfit(request.game)
        reason = self._unfit[key]
        if reason is not None:
            raise EngineUnavailable(player.spec.id, Unavailable.UNFIT, reason)

    def _ended(self, table: Table, result: Played) -> None:
        self._floor.tables.discard(table)
        request = self._going.pop(table, None)
        if request is not None:
            self._busy.subtract(set(request.engines))
            self.deliver(result)
            self._changed.set()

    def _release(self, request: GameRequest) -> None:
        if self._going.pop(request, None) is not None:
            self._busy.subtract(set(request.engines))
        self._changed.set()

    def _not_played(self, request: GameRequest, error: EngineUnavailable) -> None:
        self.deliver(NotPlayed(request, error.engine, error.cause, error.message))
        self._changed.set()
