"""Who plays which blocks: leases given, results taken, losses played again.

A `LeaseBook` knows nothing of Ray, engines or the ledger. It is told what happened and
when, and keeps one promise after every event:
``planned = done + leased + queued + void + spared``.
Any message may be lost, doubled or late; a block is done once, whoever brings it first.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from arena.cluster.lease import BlockState, CellTerms, Lease, LeaseTerms, Slice


@dataclass(slots=True)
class _Retry:
    """Blocks to play again, alone, not before a time."""

    at: float
    blocks: list[int]


@dataclass(slots=True)
class _Cell:
    terms: CellTerms
    states: bytearray
    fresh: int = 0
    """The first block never looked at."""

    stop: int | None = None
    """Blocks that count; None: all."""

    limit: int | None = None
    """Blocks that may be played so far; None: all."""

    retries: deque[_Retry] = field(default_factory=deque)
    counts: Counter[BlockState] = field(default_factory=Counter)
    seconds: float = 0.0
    """Measured play, older measurements fading, and the blocks it bought."""

    measured: float = 0.0

    @property
    def allowed(self) -> int:
        return len(self.states) if self.limit is None else min(self.limit, len(self.states))

    @property
    def waiting(self) -> int:
        """Blocks that may be granted, now or after a pause."""
        held_back = len(self.states) - self.allowed
        return max(0, self.counts[BlockState.QUEUED] - held_back)

    @property
    def block_seconds(self) -> float | None:
        return self.seconds / self.measured if self.measured else None


@dataclass(slots=True)
class _Open:
    """A lease that has not ended, and what it still owes."""

    lease: Lease
    owed: set[tuple[int, int]]
    cpus: float
    gpus: float
    expected: float


@dataclass(slots=True)
class _Worker:
    node: str
    last_news: float
    leases: deque[int] = field(default_factory=deque)


@dataclass(slots=True)
class _Engine:
    strikes: int = 0
    not_before: float = 0.0


class LeaseBook:
    """The state of a running plan. Times are seconds of any one clock, given by the caller."""

    def __init__(self, cells: Sequence[CellTerms], terms: LeaseTerms | None = None) -> None:
        """Everything is queued at first; `complete` what is done already."""
        self.terms = terms or LeaseTerms()
        self._cells = [
            _Cell(cell, bytearray(cell.blocks), counts=Counter({BlockState.QUEUED: cell.blocks}))
            for cell in cells
        ]
        self._counts = Counter({BlockState.QUEUED: sum(cell.blocks for cell in cells)})
        self._turn = deque(range(len(cells)))
        self._workers: dict[str, _Worker] = {}
        self._nodes: dict[str, tuple[float, float]] = {}
        """Cores and GPUs."""

        self._open: dict[int, _Open] = {}
        self._engines: dict[str, _Engine] = {}
        self._unlimited: set[str] = set()
        self._failures: dict[tuple[int, int], int] = {}
        self._causes: dict[tuple[int, int], str] = {}
        self._poisoned: list[tuple[int, int, str]] = []
        self._next_id = 0
        self.planned = sum(cell.blocks for cell in cells)

    # --- questions -------------------------------------------------------------------

    @property
    def done(self) -> int:
        """Blocks played and at rest."""
        return self._counts[BlockState.DONE]

    @property
    def leased(self) -> int:
        """Blocks that some worker owes."""
        return self._counts[BlockState.LEASED]

    @property
    def queued(self) -> int:
        """Blocks to play."""
        return self._counts[BlockState.QUEUED]

    @property
    def void(self) -> int:
        """Blocks parked, each with a cause."""
        return self._counts[BlockState.VOID]

    @property
    def spared(self) -> int:
        """Blocks that a stop made needless."""
        return self._counts[BlockState.SPARED]

    @property
    def finished(self) -> bool:
        """Nothing is queued and nothing is owed."""
        return self.queued == 0 and self.leased == 0

    def count(self, cell: int, state: BlockState) -> int:
        """Blocks of one cell in a state."""
        return self._cells[cell].counts[state]

    def state(self, cell: int, block: int) -> BlockState:
        """Where one block is."""
        return BlockState(self._cells[cell].states[block])

    def parked(self) -> list[tuple[Slice, str]]:
        """What was given up, in the order of the plan, neighbours of one cause together."""
        runs: list[tuple[Slice, str]] = []
        for (cell, block), cause in sorted(self._causes.items()):
            if runs and runs[-1][1] == cause:
                last = runs[-1][0]
                if last.cell == cell and last.stop == block:
                    runs[-1] = (Slice(cell, last.start, block + 1), cause)
                    continue
            runs.append((Slice(cell, block, block + 1), cause))
        return runs

    def new_poisoned(self) -> list[tuple[int, int, str]]:
        """(cell, block, cause) of blocks parked for their own failures since the last call."""
        found, self._poisoned = self._poisoned, []
        return found

    def remaining_seconds(self) -> float | None:
        """Play left for one worker; None while some waiting cell has never been measured."""
        total = 0.0
        for cell in self._cells:
            left = cell.waiting + cell.counts[BlockState.LEASED]
            if not left:
                continue
            if cell.block_seconds is None:
                return None
            total += left * cell.block_seconds
        return total

    def overdue(self, now: float) -> list[str]:
        """Workers that owe something and have brought nothing for too long."""
        late = []
        for name, worker in self._workers.items():
            if worker.leases:
                expected = self._open[worker.leases[0]].expected
                if now - worker.last_news > self.terms.patience_seconds + 4 * expected:
                    late.append(name)
        return late

    def check(self) -> None:
        """Raise AssertionError if a block was lost or counted twice."""
        total = self.done + self.leased + self.queued + self.void + self.spared
        if total != self.planned or min(self._counts.values()) < 0:
            raise AssertionError(
                f"planned {self.planned} blocks, but done {self.done} + leased {self.leased} + "
                f"queued {self.queued} + void {self.void} + spared {self.spared} = {total}"
            )

    # --- workers ---------------------------------------------------------------------

    def join(
        self,
        worker: str,
        now: float,
        node: str = "",
        cores: float = math.inf,
        gpus: float = math.inf,
    ) -> None:
        """A worker is there. `cores` and `gpus` are its node's, shared with its neighbours."""
        self._workers[worker] = _Worker(node, now)
        self._nodes[node] = (cores, gpus)

    def leave(self, worker: str, cause: str, now: float) -> None:
        """A worker is gone: what it was playing is under suspicion, what waited is not."""
        gone = self._workers.pop(worker, None)
        if gone is None:
            return
        for position, lease_id in enumerate(gone.leases):
            entry = self._open.pop(lease_id)
            owed = sorted(entry.owed)
            if position > 0:
                self._requeue(owed, now)
            elif len(owed) == 1:
                self._failed_block(*owed[0], cause, now)
            else:
                # One of them may be poisoned: halves find it in a few rounds.
                middle = (len(owed) + 1) // 2
                self._requeue(owed[:middle], now)
                self._requeue(owed[middle:], now)

    def grant(self, worker: str, now: float) -> Lease | None:
        """A lease for a worker, or None if there is nothing that it may play now."""
        holder = self._workers[worker]
        if len(holder.leases) >= self.terms.leases_per_worker:
            return None
        slices: list[Slice] = []
        needs = (0.0, 0.0)
        expected = 0.0
        budget = self._budget()
        taken_up = self._taken_up(worker)
        for _ in range(len(self._turn)):
            index = self._turn[0]
            self._turn.rotate(-1)
            cell = self._cells[index]
            if not cell.counts[BlockState.QUEUED] or not self._ready(cell, now):
                continue
            if taken_up and not taken_up.isdisjoint(cell.terms.limited):
                continue
            own = (cell.terms.cpus, cell.terms.gpus)
            if slices and (cell.block_seconds is None or own != needs):
                continue
            if not slices and not self._fits(worker, *own):
                continue
            taken, alone = self._take(cell, budget - expected, now)
            if not taken:
                continue
            slices += _runs(index, taken)
            needs = own
            expected += len(taken) * (cell.block_seconds or 0.0)
            if alone or cell.block_seconds is None or expected > 0.8 * budget:
                break
        if not slices:
            return None
        lease = Lease(self._next_id, worker, tuple(slices))
        self._next_id += 1
        owed = {block for piece in slices for block in piece.blocks()}
        for index, block in owed:
            self._move(index, block, BlockState.LEASED)
        if not holder.leases:
            holder.last_news = now
        holder.leases.append(lease.id)
        self._open[lease.id] = _Open(lease, owed, *needs, expected)
        return lease

    # --- results ---------------------------------------------------------------------

    def complete(self, cell: int, block: int, lease_id: int | None = None) -> bool:
        """A block is at rest, from whomever and however late; whether that is news."""
        self._settle(cell, block, lease_id)
        if self.is_spared(cell, block):
            self._move(cell, block, BlockState.SPARED)
            return False
        if self.state(cell, block) is BlockState.DONE:
            return False
        self._move(cell, block, BlockState.DONE)
        self._causes.pop((cell, block), None)
        self._failures.pop((cell, block), None)
        for engine in self._cells[cell].terms.engines:
            self._engines.pop(engine, None)
        return True

    def fail(self, cell: int, block: int, lease_id: int, cause: str, now: float) -> None:
        """A worker tried a block of its lease and could not play it."""
        if self._settle(cell, block, lease_id) and self.state(cell, block) is BlockState.LEASED:
            self._failed_block(cell, block, cause, now)

    def refuse(self, cell: int, block: int, lease_id: int) -> None:
        """A block was not played for want of an engine; say why with `engine_away` too."""
        if self._settle(cell, block, lease_id) and self.state(cell, block) is BlockState.LEASED:
            self._move(cell, block, BlockState.QUEUED)
            self._cells[cell].retries.append(_Retry(0.0, [block]))

    def share(self, engines: Iterable[str]) -> None:
        """Engines that take as many games at once as anybody likes: all workers may play them."""
        self._unlimited.update(engines)

    def engine_away(self, engine: str, cause: str, now: float, *, final: bool = False) -> bool:
        """An engine could not be had; whether its cells are parked now.

        `final` says that trying again is no use. Otherwise its cells wait, longer each
        time, and are parked after as many tries as a block has.
        """
        state = self._engines.setdefault(engine, _Engine())
        state.strikes += 1
        state.not_before = now + self._backoff(state.strikes)
        if not final and state.strikes < self.terms.tries:
            return False
        for index, cell in enumerate(self._cells):
            if engine in cell.terms.engines:
                self.park_cell(index, cause)
        return True

    def park_block(self, cell: int, block: int, cause: str) -> None:
        """Take a queued block out of the run."""
        if self.state(cell, block) is BlockState.QUEUED:
            self._park(cell, block, cause)

    def park_cell(self, cell: int, cause: str) -> None:
        """Give up what is queued of a cell; blocks being played may still come in."""
        for block in range(self._cells[cell].terms.blocks):
            self.park_block(cell, block, cause)
        self._cells[cell].retries.clear()

    def limit(self, cell: int, blocks: int) -> None:
        """Only the first blocks of a cell may be played so far; a later limit is no smaller."""
        self._cells[cell].limit = blocks

    @property
    def stuck(self) -> bool:
        """Blocks are queued, and none may be played: limits wait for blocks that were parked."""
        return (
            self.leased == 0
            and self.queued > 0
            and all(cell.fresh >= cell.allowed and not cell.retries for cell in self._cells)
        )

    def stop(self, cell: int, blocks: int) -> None:
        """Only the first blocks of a cell count. What is being played of others may come in."""
        kept = self._cells[cell]
        kept.stop = blocks
        for block in range(blocks, kept.terms.blocks):
            self._causes.pop((cell, block), None)
            if self.state(cell, block) is not BlockState.LEASED:
                self._move(cell, block, BlockState.SPARED)

    def is_spared(self, cell: int, block: int) -> bool:
        """Whether a block lies behind the stop of its cell."""
        stop = self._cells[cell].stop
        return stop is not None and block >= stop

    def measured(self, cell: int, blocks: int, seconds: float) -> None:
        """What some blocks cost: the size of later leases follows it."""
        if blocks > 0:
            kept = self._cells[cell]
            kept.seconds = 0.7 * kept.seconds + max(seconds, 1e-6)
            kept.measured = 0.7 * kept.measured + blocks

    def end(self, lease_id: int, now: float) -> None:
        """A worker is through with a lease. What it still owes is lost: play it again."""
        entry = self._open.pop(lease_id, None)
        if entry is None:
            return
        worker = self._workers[entry.lease.worker]
        worker.leases.remove(lease_id)
        worker.last_news = now
        self._requeue(sorted(entry.owed), now)

    # --- inside ----------------------------------------------------------------------

    def _move(self, cell: int, block: int, state: BlockState) -> None:
        """The only place where a block changes its state."""
        if state is not BlockState.LEASED and self.is_spared(cell, block):
            state = BlockState.SPARED
        kept = self._cells[cell]
        before = BlockState(kept.states[block])
        kept.states[block] = state
        for counts in (kept.counts, self._counts):
            counts[before] -= 1
            counts[state] += 1

    def _settle(self, cell: int, block: int, lease_id: int | None) -> bool:
        """Take a block off what a lease owes; whether it did owe it."""
        entry = self._open.get(lease_id) if lease_id is not None else None
        if entry is None or (cell, block) not in entry.owed:
            return False
        entry.owed.remove((cell, block))
        return True

    def _requeue(self, owed: Iterable[tuple[int, int]], at: float) -> None:
        groups: dict[int, list[int]] = {}
        for cell, block in owed:
            if self.state(cell, block) is BlockState.LEASED:
                self._move(cell, block, BlockState.QUEUED)
                groups.setdefault(cell, []).append(block)
        for cell, blocks in groups.items():
            self._cells[cell].retries.append(_Retry(at, blocks))

    def _failed_block(self, cell: int, block: int, cause: str, now: float) -> None:
        if self.state(cell, block) is not BlockState.LEASED:
            return
        if self.is_spared(cell, block):
            self._move(cell, block, BlockState.SPARED)
            return
        failures = self._failures.get((cell, block), 0) + 1
        self._failures[cell, block] = failures
        if failures >= self.terms.tries:
            self._park(cell, block, cause)
            self._poisoned.append((cell, block, cause))
            return
        self._move(cell, block, BlockState.QUEUED)
        self._cells[cell].retries.append(_Retry(now + self._backoff(failures), [block]))

    def _park(self, cell: int, block: int, cause: str) -> None:
        self._move(cell, block, BlockState.VOID)
        self._causes[cell, block] = cause

    def _backoff(self, failures: int) -> float:
        return self.terms.backoff_seconds * 2.0 ** min(failures - 1, 10)

    def _ready(self, cell: _Cell, now: float) -> bool:
        return all(
            self._engines[engine].not_before <= now
            for engine in cell.terms.engines
            if engine in self._engines
        )

    def _fits(self, worker: str, cpus: float, gpus: float) -> bool:
        """Whether a node has the cores and GPUs.

        A node with nothing else to do has the cores, and the GPUs where no node has enough.
        """
        node = self._workers[worker].node
        others = others_gpus = 0.0
        for name, neighbour in self._workers.items():
            if neighbour.node == node and name != worker and neighbour.leases:
                held = [self._open[lease] for lease in neighbour.leases]
                others += max(lease.cpus for lease in held)
                others_gpus += max(lease.gpus for lease in held)
        cores, cards = self._nodes[node]
        if others and others + cpus > cores:
            return False
        if not gpus or others_gpus + gpus <= cards:
            return True
        return not others_gpus and all(most < gpus for _, most in self._nodes.values())

    def _taken_up(self, worker: str) -> set[str]:
        """Engines that another worker plays, and no two may."""
        return {
            engine
            for entry in self._open.values()
            if entry.lease.worker != worker
            for piece in entry.lease.slices
            for engine in self._cells[piece.cell].terms.limited
            if engine not in self._unlimited
        }

    def _budget(self) -> float:
        """Seconds for one lease: less as little is left to grant, so that all workers end together.

        What is granted already does not count: it cannot be shared out again.
        """
        waiting = 0.0
        for cell in self._cells:
            if left := cell.waiting:
                if cell.block_seconds is None:
                    return self.terms.target_seconds
                waiting += left * cell.block_seconds
        share = waiting / (2 * max(1, len(self._workers)))
        return min(self.terms.target_seconds, max(share, self.terms.target_seconds / 20))

    def _take(self, cell: _Cell, seconds: float, now: float) -> tuple[list[int], bool]:
        """Queued blocks worth so many seconds; whether they are to be played alone."""
        for _ in range(len(cell.retries)):
            retry = cell.retries.popleft()
            if retry.at > now:
                cell.retries.append(retry)
                continue
            blocks = [b for b in retry.blocks if cell.states[b] == BlockState.QUEUED]
            if blocks:
                return blocks, True
        size = 1
        if cell.block_seconds is not None:
            # A first measurement may mislead: grow by steps.
            size = max(1, min(int(seconds / cell.block_seconds), math.ceil(4 * cell.measured)))
        if cell.terms.at_once > 1:
            share = math.ceil(cell.counts[BlockState.QUEUED] / max(1, len(self._workers)))
            size = max(size, min(cell.terms.at_once, share))
        taken: list[int] = []
        while cell.fresh < cell.allowed and len(taken) < size:
            if cell.states[cell.fresh] == BlockState.QUEUED:
                taken.append(cell.fresh)
            cell.fresh += 1
        return taken, False


def _runs(cell: int, blocks: Sequence[int]) -> list[Slice]:
    """Ascending block numbers as slices."""
    runs: list[Slice] = []
    for block in blocks:
        if runs and runs[-1].stop == block:
            runs[-1] = Slice(cell, runs[-1].start, block + 1)
        else:
            runs.append(Slice(cell, block, block + 1))
    return runs
