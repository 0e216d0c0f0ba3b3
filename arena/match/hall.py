"""Where watched games go on: a floor in a thread of its own.

A thread, because clocks and pings have to be served whatever the caller does between two
results.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator, Sequence
from queue import SimpleQueue
from typing import Any

from arena.match.floor import Floor, MakePlayer, Played, Run
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest
from arena.players.build import player_for

_log = logging.getLogger(__name__)
_CLOSE_S = 10.0


class Hall:
    """Plays games through the referee. Engines stay up between calls of `play`."""

    def __init__(
        self,
        policy: MatchPolicy,
        parallel: int,
        worker: str,
        make_player: MakePlayer = player_for,
    ) -> None:
        """Starts the loop; nothing is connected before a game needs it."""
        self._floor = Floor(policy, parallel, worker, make_player)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._broken)
        self._thread = threading.Thread(target=self._serve, name="arena referee", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._floor.open)
        self._loop.run_forever()

    def _broken(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A mistake of ours in a callback."""
        error = context.get("exception")
        _log.error("referee: %s", context.get("message"), exc_info=error)
        if isinstance(error, Exception):
            self._floor.failed(error)

    def play(self, requests: Sequence[GameRequest]) -> Iterator[Played]:
        """One result for each request, as they end."""
        results: SimpleQueue[Played | Exception] = SimpleQueue()
        run = Run(self._floor, requests, results.put)
        self._floor.runs.add(run)
        asyncio.run_coroutine_threadsafe(run.work(), self._loop)
        try:
            for _ in requests:
                result = results.get()
                if isinstance(result, Exception):
                    raise result
                yield result
        finally:
            # A caller that stops listening stops the games, too.
            self._floor.runs.discard(run)
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(run.stop)

    @property
    def unlimited(self) -> frozenset[str]:
        """As `MatchRunner.unlimited`."""
        return frozenset(tuple(self._floor.unlimited))  # at one go: another thread adds to it

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
        await self._floor.close()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._loop.shutdown_default_executor()
