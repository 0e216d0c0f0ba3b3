"""The Ray workers of the standing play: who has which block, and what comes of it.

A thread of its own hands blocks out and takes what comes back, since Ray is waited for. Nothing is
decided here: who plays whom, and how many games an engine has at once, is the league's business,
wherever they are played.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING

from arena.cluster import ClusterError
from arena.cluster.crew import Died, Joined, News
from arena.cluster.lease import LeaseTerms
from arena.games import Game
from arena.match.floor import Deliver
from arena.match.request import GameRequest, NotPlayed
from arena.server.config import ServiceConfig
from arena.server.orders import DialKeys, Order, OrderReport, recipe_of

if TYPE_CHECKING:
    from arena.cluster.ray_crew import RayCrew

_log = logging.getLogger(__name__)
_WAIT_S = 0.05
"""Longest that a block waits to be handed out while nothing comes back."""

_TRIES = LeaseTerms().tries
_CLOSE_S = 30.0


class NoWorkers(Exception):
    """There are none any more; the block is to be played elsewhere."""


class SetAside(Exception):
    """A block that no worker could play, through a mistake of ours or of the machine's."""


@dataclass(slots=True, eq=False)
class _Handed:
    """A block on its way through the workers."""

    requests: Sequence[GameRequest]
    addresses: Mapping[str, str]
    deliver: Deliver
    deaths: int = 0
    worker: str = ""
    late_at: float = 0.0


class Workers:
    """Workers as `[play]` says, each of which plays any number of blocks side by side."""

    def __init__(self, config: ServiceConfig, games: Sequence[Game], keys: DialKeys) -> None:
        """Nobody is hired before `start`."""
        play = config.play
        self._recipe = recipe_of(config.match, play.parallel_games, games, keys)
        self._address, self._wanted, self._at_once = play.address, play.workers, play.parallel_games
        self._game_s = max(LeaseTerms().patience_seconds, 60.0 + config.match.game_ms / 1_000)
        self._inbox: SimpleQueue[_Handed] = SimpleQueue()
        self._waiting: deque[_Handed] = deque()
        self._given: dict[int, _Handed] = {}
        self._load: dict[str, int] = {}
        """Games at each worker that is there."""

        self.pids: dict[str, int] = {}
        """Their processes."""

        self._numbered = 0
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self.up = False

    async def start(self) -> None:
        """Starts Ray, or reaches its cluster. Raises ClusterError."""
        self._loop = loop = asyncio.get_running_loop()
        hired: asyncio.Future[None] = loop.create_future()
        self._thread = threading.Thread(
            target=self._serve, args=(hired,), name="arena workers", daemon=True
        )
        self._thread.start()
        await hired

    def hand(
        self, requests: Sequence[GameRequest], addresses: Mapping[str, str], deliver: Deliver
    ) -> None:
        """Has games of one block played: `deliver` gets one result for each, or one exception."""
        if self.up:
            self._inbox.put(_Handed(requests, addresses, deliver))
        else:  # they went away while addresses were looked up: nobody reads on
            deliver(NoWorkers())

    async def close(self) -> None:
        """Ends all workers; what they have in hand comes to nothing, and is played again later."""
        self.up = False
        self._closing.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, _CLOSE_S)

    # What follows runs in the thread.

    def _serve(self, hired: asyncio.Future[None]) -> None:
        try:
            from arena.cluster.ray_crew import RayCrew

            crew: RayCrew[Order, OrderReport] = RayCrew(
                self._recipe, self._address, self._wanted, self._at_once
            )
        except Exception as error:  # noqa: BLE001 - whoever waits for `start` raises it
            self._call(_failed, hired, error)
            return
        self._call(self._ready, hired)
        try:
            while not self._closing.is_set():
                self._give(crew)
                for item in crew.wait(_WAIT_S):
                    self._take(item)
                self._look(crew)
        except Exception as error:  # noqa: BLE001 - blocks must not wait for ever
            known = isinstance(error, ClusterError)
            _log.error("workers: %s; games are played here", error, exc_info=not known)
            self._give_up()
        finally:
            crew.close()

    def _give(self, crew: RayCrew[Order, OrderReport]) -> None:
        while True:
            try:
                self._waiting.append(self._inbox.get_nowait())
            except Empty:
                break
        for handed in list(self._waiting):
            # Where a worker dies with many blocks, each may have been its death: from then on no
            # two of them are in the same hands.
            suspects = {h.worker for h in self._given.values() if h.deaths and handed.deaths}
            there = self._load.keys() - suspects
            if not there:
                continue
            self._waiting.remove(handed)
            worker = min(there, key=lambda name: (self._load[name], name))
            self._load[worker] += len(handed.requests)
            handed.worker = worker
            # Built-in engines play a worker's blocks one after the other.
            handed.late_at = monotonic() + self._game_s * self._load[worker]
            self._numbered += 1
            self._given[self._numbered] = handed
            crew.give(Order.of(self._numbered, worker, handed.requests, handed.addresses))

    def _take(self, item: News[OrderReport]) -> None:
        if isinstance(item, Joined):
            self._load[item.worker] = 0
            self.pids[item.worker] = item.pid
        elif isinstance(item, Died):
            self._lose(item)
        else:
            self._report(item.worker, item.report)

    def _lose(self, item: Died) -> None:
        self._load.pop(item.worker, None)
        self.pids.pop(item.worker, None)
        if self._closing.is_set():
            return
        _log.warning("worker %s lost: %s", item.worker, item.cause)
        lost = [number for number, handed in self._given.items() if handed.worker == item.worker]
        for number in reversed(lost):
            handed = self._given.pop(number)
            handed.deaths += 1
            if handed.deaths < _TRIES:
                self._waiting.appendleft(handed)
            else:
                words = f"{_TRIES} workers died over it; the last: {item.cause}"
                self._call(handed.deliver, SetAside(words))

    def _report(self, worker: str, report: OrderReport) -> None:
        handed = self._given.pop(report.order_id, None)
        if handed is None:
            return
        self._load[worker] -= len(handed.requests)
        if report.broken:
            self._call(handed.deliver, SetAside(report.broken))
            return
        for result in report.results:
            self._call(handed.deliver, result)
        by_id = {request.game_id: request for request in handed.requests}
        for refused in report.refused:
            request = by_id[refused.game_id]
            missing = NotPlayed(request, refused.engine, refused.cause, refused.message)
            self._call(handed.deliver, missing)

    def _look(self, crew: RayCrew[Order, OrderReport]) -> None:
        """A worker that brings nothing where its games must have ended is past hearing of it."""
        now = monotonic()
        late = {handed.worker for handed in self._given.values() if handed.late_at < now}
        for worker in late & self._load.keys():
            del self._load[worker]  # nothing more is for it, though its end is news to come
            crew.dismiss(worker, "brought no result for too long")

    def _give_up(self) -> None:
        self._call(self._down)
        for handed in (*self._given.values(), *self._waiting):
            self._call(handed.deliver, NoWorkers())
        self._given.clear()
        self._waiting.clear()

    def _ready(self, hired: asyncio.Future[None]) -> None:
        """In the loop, before whatever the thread says later."""
        self.up = True
        if not hired.done():
            hired.set_result(None)

    def _down(self) -> None:
        """In the loop: nothing more is handed over; what came in between goes back."""
        self.up = False
        while True:
            try:
                self._inbox.get_nowait().deliver(NoWorkers())
            except Empty:
                return

    def _call(self, work: Callable[..., object], *words: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(work, *words)


def _failed(hired: asyncio.Future[None], error: Exception) -> None:
    if not hired.done():
        hired.set_exception(error)
