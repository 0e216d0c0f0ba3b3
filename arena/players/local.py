"""Engines in this process: each thinks in a thread of its own, beside the event loop.

The clock of a local engine is what it spends thinking; waiting for its turn behind other
games is ours. An engine that does not come back is left behind with its thread: the game is
out of time, a fresh engine goes on with the other games.
"""

from __future__ import annotations

import asyncio
import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from time import thread_time_ns

from arena.players.awake import awake_ns
from arena.players.base import Answer, Ask, Limits, Player
from arena.players.fault import EngineUnavailable, Fault, FaultKind, Unavailable
from arena.players.spec import EngineSpec

_JOIN_S = 1.0


class _Lane:
    """One thread and what it has to do, in order: turns to think about, news to tell."""

    def __init__(self, owner: LocalPlayer) -> None:
        self.queue: SimpleQueue[Ask | Callable[[], None]] = SimpleQueue()
        self.thinking: tuple[Ask, ...] = ()
        self.telling_since_ns = 0
        self.left = False
        self._owner = owner
        name = f"engine {owner.spec.id}"
        # Daemon: a thread that hangs must not keep the process alive.
        self.thread = threading.Thread(target=self._run, name=name, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Has the thread end when it comes to it."""
        self.queue.put(self.leave)

    def leave(self) -> None:
        """Ends the thread as soon as it comes back."""
        self.left = True

    def _run(self) -> None:
        asks: list[Ask] = []
        while not self.left:
            if asks and (len(asks) == self._owner.batch or self.queue.empty()):
                self._think([ask for ask in asks if not ask.done])
                asks = []
                continue
            task = self.queue.get()
            if isinstance(task, Ask):
                asks.append(task)
                continue
            self.telling_since_ns = awake_ns()
            task()
            self.telling_since_ns = 0

    def _think(self, asks: list[Ask]) -> None:
        if not asks:
            return
        begun, busy = awake_ns(), thread_time_ns()
        for ask in asks:
            ask.started_ns = begun
        self.thinking = tuple(asks)
        reports = self._owner.think(asks)
        # One that takes the interpreter for itself keeps the beats of `awake` away, but not its own.
        spent_ms = max(awake_ns() - begun, thread_time_ns() - busy) / 1e6
        for ask, report in zip(asks, reports, strict=True):
            self._owner.report(self, ask, report, spent_ms)
        self.thinking = ()


class LocalPlayer(Player):
    """A player whose engine is asked in a thread."""

    batch = 1
    """Turns it is asked at once; all of them are charged for the time they took together."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """`limits.crashes` hangs in a row put the engine into quarantine."""
        super().__init__(spec)
        self._limits = limits
        self._opening = asyncio.Lock()
        self._lane: _Lane | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reports: deque[tuple[Ask, Answer | Fault, float]] = deque()
        self._waking = False
        self._wake_lock = threading.Lock()
        self._waiting: dict[Ask, None] = {}
        self._hangs = 0

    async def open(self) -> None:
        """Loads the engine, in its own time. Raises EngineUnavailable."""
        if self._hangs >= self._limits.crashes:
            raise self._quarantine()
        async with self._opening:
            if self._lane is None:
                await asyncio.to_thread(self.load)
                self._loop = asyncio.get_running_loop()
                self._lane = _Lane(self)

    @abstractmethod
    def load(self) -> None:
        """Makes the engine; again after a hang. Raises EngineUnavailable."""

    @abstractmethod
    def think(self, asks: Sequence[Ask]) -> Sequence[Answer | Fault]:
        """Answers to turns, in order. Called in the engine's thread; must not raise."""

    def ask(self, ask: Ask) -> None:
        """Queues a turn."""
        if self._lane is None:
            reason = self._quarantine()
            asyncio.get_running_loop().call_soon(ask.table.abort, reason)
            return
        self._waiting[ask] = None
        self._lane.queue.put(ask)

    def tell(self, news: Callable[[], None]) -> None:
        """Has the thread call something that is not a turn; it must not raise."""
        if self._lane is not None:
            self._lane.queue.put(news)

    def report(self, lane: _Lane, ask: Ask, report: Answer | Fault, spent_ms: float) -> None:
        """Called by the thread: hands an answer to the event loop, many at a time."""
        if lane is not self._lane:
            return  # left behind: another engine has the turns now
        self._reports.append((ask, report, spent_ms))
        with self._wake_lock:
            if self._waking:
                return
            self._waking = True
        self._call(self._deliver)

    def _call(self, work: Callable[..., None], *arguments: object) -> None:
        """Has the event loop do something; called by threads."""
        assert self._loop is not None
        try:
            self._loop.call_soon_threadsafe(work, *arguments)
        except RuntimeError:
            pass  # the loop has closed: nobody waits for this any more

    def _deliver(self) -> None:
        with self._wake_lock:
            self._waking = False
        while self._reports:
            ask, report, spent_ms = self._reports.popleft()
            self._waiting.pop(ask, None)
            if isinstance(report, Fault):
                ask.table.failed(ask, report)
            else:
                self._hangs = 0
                ask.table.answered(ask, report, spent_ms, 0.0)

    def withdraw(self, ask: Ask) -> None:
        """Forgets a turn; if the engine is thinking about it just now, leaves it behind."""
        self._waiting.pop(ask, None)
        if self._lane is not None and ask in self._lane.thinking:
            self._leave_behind()

    def tick(self, now_ns: int) -> None:
        """Leaves behind an engine that does not come back from being told something."""
        lane = self._lane
        since = lane.telling_since_ns if lane is not None else 0
        if since and now_ns - since > self._limits.ready_ms * 1_000_000:
            self._leave_behind()

    def _leave_behind(self) -> None:
        assert self._lane is not None
        self._hangs += 1
        self._lane.leave()
        self._lane = None
        if self._hangs >= self._limits.crashes:
            self._abort_all(self._quarantine())
            return
        self._lane = _Lane(self)
        self._lane.queue.put(self._reload)
        for ask in self._waiting:
            ask.started_ns = 0
            self._lane.queue.put(ask)

    def _reload(self) -> None:
        """Makes a fresh engine, in the new thread."""
        try:
            self.load()
        except EngineUnavailable as reason:
            self._call(self._abort_all, reason)

    def _abort_all(self, reason: EngineUnavailable) -> None:
        self._hangs = self._limits.crashes
        for ask in list(self._waiting):
            ask.table.abort(reason)

    def _quarantine(self) -> EngineUnavailable:
        return EngineUnavailable(
            self.spec.id,
            Unavailable.QUARANTINED,
            f"did not come back from thinking {self._hangs} times in a row",
        )

    async def close(self) -> None:
        """Lets the thread end."""
        lane, self._lane = self._lane, None
        if lane is not None:
            lane.stop()
            await asyncio.to_thread(lane.thread.join, _JOIN_S)


def crashed(error: BaseException) -> Fault:
    """An engine that raised."""
    return Fault(FaultKind.CRASH, f"{type(error).__name__}: {error}")
