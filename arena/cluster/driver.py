"""The driver's loop: leases out, results in, results to rest, and what to show of it."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from types import FrameType
from typing import TYPE_CHECKING

from arena.cluster.crew import Crew, Died, Joined, News, Reported
from arena.cluster.lease import BlockState, CellTerms, LeaseTerms
from arena.cluster.leases import LeaseBook
from arena.cluster.progress import (
    STARTING,
    CellProgress,
    ParkedBlock,
    Progress,
    SweepSummary,
    WorkerProgress,
)
from arena.cluster.stopper import Stopper
from arena.cluster.work import GAMES_AT_ONCE, LeaseReport
from arena.ledger import CellRow, GameResult, SweepRow
from arena.plan import Cell, Plan
from arena.players.fault import Unavailable, is_fault
from arena.players.spec import EngineKind

if TYPE_CHECKING:
    from arena.ledger import Ledger

_PARKED = "parked: "
"""Begins the reason of blocks voided by a run; the next run tries them again."""

_VOIDED = "voided: "
"""Begins the cause of blocks that somebody took out by hand."""

_WAIT_SECONDS = 0.5
_RATE_SECONDS = 30.0
_GRACE_SECONDS = 6.0
"""After an interrupt, for leases that are being played to come in."""

_IN_PROCESS = frozenset({EngineKind.BUILTIN, EngineKind.PYTHON})


@dataclass(slots=True)
class _Work:
    """One worker's account."""

    node: str
    pid: int
    alive: bool = True
    games: int = 0
    seconds: float = 0.0


def faults_in(ledger: Ledger, sweep_id: str) -> dict[str, int]:
    """Termination word to games of a sweep, causes that are a player's fault only."""
    ended = ledger.terminations(sweep_id)
    return {cause.name: games for cause, games in ended.items() if is_fault(cause)}


class Driver:
    """Plays what the ledger lacks of one plan, through a crew."""

    def __init__(
        self,
        plan: Plan,
        ledger: Ledger,
        crew: Callable[[], Crew],
        *,
        terms: LeaseTerms,
        on_progress: Callable[[Progress], None] | None = None,
        show_seconds: float = 0.5,
    ) -> None:
        """Register the plan and find what is done. `crew` is hired when there is work."""
        self._plan = plan
        self._ledger = ledger
        self._hire = crew
        self._show = on_progress
        self._show_seconds = show_seconds
        self._cell_index = {cell.id: cell.index for cell in plan.cells}
        self._book = LeaseBook([cell_terms(plan, cell) for cell in plan.cells], terms)
        self._workers: dict[str, _Work] = {}
        self._restarts = 0
        self._games = 0
        self._cell_games: Counter[int] = Counter()
        self._cell_faults: Counter[int] = Counter()
        self._faults: Counter[str] = Counter()
        self._away: dict[str, str] = {}
        """Engine to the cause for which it was given up."""

        self._messages: list[str] = []
        self._began = self._shown = time.monotonic()
        self._recent: deque[tuple[float, int]] = deque([(self._began, 0)])
        self._most_cores = self._most_gpus = 0.0
        self._stopping = self._insisted = False
        self._games_void = 0
        self._stopper = Stopper(plan, plan.stop) if plan.stop else None
        ledger.register(
            sweep_row(plan), [cell_row(plan, cell) for cell in plan.cells], grows=plan.grows
        )
        self._resume()
        self._resumed = self._book.done

    def run(self) -> SweepSummary:
        """Play until nothing is left, or until interrupted."""
        if not self._book.finished:
            self._messages.append(STARTING)
            self._report_progress(force=True)
            crew = self._hire()
            try:
                with _interrupts(self._interrupt, self._insist):
                    self._loop(crew)
            finally:
                crew.close()
        self._report_progress(force=True)
        return self._summary()

    # --- the loop --------------------------------------------------------------------

    def _loop(self, crew: Crew) -> None:
        stopped_at: float | None = None
        while not self._book.finished:
            now = time.monotonic()
            if self._stopping:
                stopped_at = stopped_at or now
                if self._book.leased == 0 or now - stopped_at > _GRACE_SECONDS:
                    return
            else:
                self._give(crew, now)
                if self._book.stuck:
                    self._give_up()
            news = crew.wait(_WAIT_SECONDS if self._book.leased else 0.05)
            if self._insisted:  # Ray drops what a signal raises while it waits
                raise KeyboardInterrupt
            self._take(news)
            for worker in self._book.overdue(time.monotonic()):
                crew.dismiss(worker, "brought no result for too long")
            self._report_progress()

    def _give(self, crew: Crew, now: float) -> None:
        # In rounds, so that a second lease never goes to one while another has none.
        for _ in range(self._book.terms.leases_per_worker):
            for name, worker in self._workers.items():
                if worker.alive and (lease := self._book.grant(name, now)):
                    crew.give(lease)
            self._book.check()

    def _give_up(self) -> None:
        """What is left waits for parked blocks, whose results say where it should go."""
        for cell in self._plan.cells:
            self._book.park_cell(cell.index, "not allotted: it waits for parked blocks")

    def _take(self, news: list[News[LeaseReport]]) -> None:
        reports = [item for item in news if isinstance(item, Reported)]
        results = [
            result
            for item in reports
            for block in item.report.played
            if not self._book.is_spared(block.cell, block.block)
            for result in block.results
        ]
        if results:  # at rest before it counts as done
            self._ledger.put(results)
        now = time.monotonic()
        for item in news:
            if isinstance(item, Joined):
                self._book.join(item.worker, now, item.node, item.cores, item.gpus)
                self._most_cores = max(self._most_cores, item.cores)
                self._most_gpus = max(self._most_gpus, item.gpus)
                if not self._workers:  # the rate is that of playing, not of starting up
                    self._recent = deque([(now, self._games)])
                self._workers[item.worker] = _Work(item.node, item.pid)
            elif isinstance(item, Died):
                self._lose(item, now)
            else:
                self._account(item.worker, item.report, now)
            self._book.check()
        for index, block, cause in self._book.new_poisoned():
            cell = self._plan.cells[index]
            self._ledger.void(self._plan.sweep_id, cell.id, block, f"{_PARKED}{cause}")
            self._messages.append(f"{cell.label}, block {block} parked: {cause}")
        self._stop_cells()

    def _stop_cells(self) -> None:
        if self._stopper is None:
            return
        for stop in self._stopper.decisions():
            cell = self._plan.cells[stop.cell]
            self._ledger.stop(self._plan.sweep_id, cell.id, stop.blocks, stop.reason)
            self._book.stop(stop.cell, stop.blocks)
            self._messages.append(
                f"{cell.label} stops after {stop.blocks} of {cell.blocks} blocks: {stop.reason}"
            )
        for index, limit in enumerate(self._stopper.limits() or ()):
            self._book.limit(index, limit)
        self._book.check()

    def _lose(self, item: Died, now: float) -> None:
        self._restarts += 1
        self._messages.append(f"worker {item.worker} lost: {item.cause}")
        self._book.leave(item.worker, f"its worker died: {item.cause}", now)
        if item.worker in self._workers:
            self._workers[item.worker].alive = False

    def _account(self, worker: str, report: LeaseReport, now: float) -> None:
        self._book.share(report.unlimited)
        for block in report.played:
            if self._book.complete(block.cell, block.block, report.lease_id):
                self._count(block.cell, block.results)
                if self._stopper is not None:
                    self._stopper.add(block.cell, block.block, block.results)
        for cell, blocks, seconds in report.costs:
            self._book.measured(cell, blocks, seconds)
        away: dict[str, tuple[str, bool]] = {}
        for failed in report.failed:
            if failed.engine is None:
                self._book.fail(failed.cell, failed.block, report.lease_id, failed.cause, now)
            elif failed.unavailable is Unavailable.UNFIT:
                # Of these rules only: the engine's other games go on.
                self._book.refuse(failed.cell, failed.block, report.lease_id)
                self._book.park_cell(failed.cell, failed.cause)
            else:
                self._book.refuse(failed.cell, failed.block, report.lease_id)
                final = failed.unavailable is Unavailable.QUARANTINED
                away[failed.engine] = (failed.cause, final)
        for engine, (cause, final) in away.items():
            parked = self._book.engine_away(engine, cause, now, final=final)
            if parked:
                self._away[engine] = cause
            self._messages.append(f"{engine} {'given up' if parked else 'away'}: {cause}")
        self._book.end(report.lease_id, now)
        account = self._workers[worker]
        account.games += sum(len(block.results) for block in report.played)
        account.seconds += report.seconds

    def _count(self, cell: int, results: tuple[GameResult, ...]) -> None:
        self._games += len(results)
        self._cell_games[cell] += len(results)
        for result in results:
            if is_fault(result.termination):
                self._faults[result.termination.name] += 1
                self._cell_faults[cell] += 1

    def _interrupt(self) -> None:
        self._stopping = True
        self._messages.append("interrupted: waiting for the games being played")

    def _insist(self) -> None:
        self._insisted = True

    # --- the ledger ------------------------------------------------------------------

    def _resume(self) -> None:
        sweep = self._plan.sweep_id
        for void in self._ledger.voided(sweep):
            if void.cell_id not in self._cell_index:
                continue  # of a later part of a plan that grows
            cell = self._cell_index[void.cell_id]
            if void.reason.startswith(_PARKED):
                self._ledger.unvoid(sweep, void.cell_id, void.block)
            else:
                self._book.park_block(cell, void.block, f"{_VOIDED}{void.reason}")
                self._games_void += len(self._plan.cells[cell].seatings)
                if self._stopper is not None:
                    self._stopper.skip(cell, void.block)
        for cell_id, complete in self._ledger.complete_blocks(sweep).items():
            if cell_id not in self._cell_index:
                continue
            index = self._cell_index[cell_id]
            for block in complete.nonzero()[0].tolist():
                self._book.complete(index, block)
        if self._stopper is not None:
            rows = [row for row in self._ledger.cells(sweep) if row.cell_id in self._cell_index]
            for row in rows:
                if row.stop:
                    self._book.stop(self._cell_index[row.cell_id], row.planned_blocks)
            self._stopper.load(self._ledger.table(sweep), rows, self._plan)
        self._stop_cells()
        self._book.check()

    # --- what to say -----------------------------------------------------------------

    def _report_progress(self, *, force: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._shown < self._show_seconds:
            return
        self._shown = now
        self._recent.append((now, self._games))
        while now - self._recent[0][0] > _RATE_SECONDS and len(self._recent) > 2:
            self._recent.popleft()
        if self._show is None:
            self._messages.clear()
            return
        self._show(self._progress(now))
        self._messages = []

    def _progress(self, now: float) -> Progress:
        book = self._book
        since, games = self._recent[0]
        rate = (self._games - games) / max(now - since, 1e-9)
        return Progress(
            planned=book.planned,
            done=book.done,
            leased=book.leased,
            queued=book.queued,
            void=book.void,
            spared=book.spared,
            resumed=self._resumed,
            games_planned=self._plan.games,
            games_done=self._games_in(BlockState.DONE),
            games_spared=self._games_in(BlockState.SPARED),
            seconds=now - self._began,
            games_per_second=rate,
            eta_seconds=self._eta(rate),
            faults=dict(self._faults),
            cells=tuple(
                CellProgress(
                    cell_id=cell.id,
                    label=cell.label,
                    planned=cell.blocks,
                    done=book.count(cell.index, BlockState.DONE),
                    void=book.count(cell.index, BlockState.VOID),
                    spared=book.count(cell.index, BlockState.SPARED),
                    games=self._cell_games[cell.index],
                    faults=self._cell_faults[cell.index],
                )
                for cell in self._plan.cells
            ),
            workers=self._worker_progress(),
            messages=tuple(self._messages),
        )

    def _eta(self, rate: float) -> float | None:
        if self._book.finished:
            return 0.0
        alive = sum(worker.alive for worker in self._workers.values())
        seconds = self._book.remaining_seconds()
        if seconds is not None and alive:
            return seconds / alive
        left = sum(
            len(cell.seatings)
            * (
                self._book.count(cell.index, BlockState.QUEUED)
                + self._book.count(cell.index, BlockState.LEASED)
            )
            for cell in self._plan.cells
        )
        return left / rate if rate > 0 else None

    def _games_in(self, state: BlockState) -> int:
        return sum(
            self._book.count(cell.index, state) * len(cell.seatings) for cell in self._plan.cells
        )

    def _worker_progress(self) -> tuple[WorkerProgress, ...]:
        return tuple(
            WorkerProgress(
                name=name,
                node=worker.node,
                pid=worker.pid,
                alive=worker.alive,
                games=worker.games,
                games_per_second=worker.games / worker.seconds if worker.seconds else 0.0,
            )
            for name, worker in self._workers.items()
        )

    def _summary(self) -> SweepSummary:
        cells = self._plan.cells
        notes = []
        if self._restarts:
            notes.append(f"workers lost and replaced: {self._restarts}")
        if self._stopper is not None:
            notes += self._stopper.notes()
        if self._most_cores:
            notes += over_subscribed(self._plan, self._most_cores, self._most_gpus)
        return SweepSummary(
            sweep_id=self._plan.sweep_id,
            games_planned=self._plan.games,
            games_done=self._games_in(BlockState.DONE),
            games_void=self._games_void,
            games_spared=self._games_in(BlockState.SPARED),
            games_played=self._games,
            seconds=time.monotonic() - self._began,
            faults=faults_in(self._ledger, self._plan.sweep_id),
            parked=tuple(
                ParkedBlock(
                    cells[piece.cell].id,
                    cells[piece.cell].label,
                    piece.start,
                    piece.stop,
                    cause,
                    self._absent(cells[piece.cell], cause),
                )
                for piece, cause in self._book.parked()
                if not cause.startswith(_VOIDED)
            ),
            interrupted=self._stopping and not self._book.finished,
            stopped=self._stopping,
            workers=self._worker_progress(),
            notes=tuple(notes),
        )

    def _absent(self, cell: Cell, cause: str) -> str | None:
        """The engine of a cell that was given up for a cause."""
        return next((e.id for e in cell.engines if self._away.get(e.id) == cause), None)


def cell_terms(plan: Plan, cell: Cell) -> CellTerms:
    """What the lease book is told of a cell."""
    outside = [engine for engine in cell.engines if engine.kind not in _IN_PROCESS]
    started = [engine for engine in outside if engine.kind is EngineKind.COMMAND]
    return CellTerms(
        blocks=cell.blocks,
        engines=tuple(engine.id for engine in cell.engines),
        limited=tuple(engine.id for engine in outside if engine.kind is EngineKind.GRPC),
        cpus=1.0 + sum(plan.spec.engines[engine.name].cpus for engine in started),
        gpus=sum(plan.spec.engines[engine.name].gpus for engine in started),
        at_once=max(1, GAMES_AT_ONCE // len(cell.seatings)) if outside else 1,
    )


def over_subscribed(plan: Plan, cores: float, gpus: float) -> list[str]:
    """Remarks on line-ups whose programs want more than the largest machine has."""
    notes = []
    for what, most in (("cpus", cores), ("gpus", gpus)):
        wanted: dict[float, Cell] = {getattr(cell_terms(plan, c), what): c for c in plan.cells}
        unit = {"cpus": "cores", "gpus": "GPUs"}[what]
        notes += [
            f"{cell.lineup_label} and their worker want {needs:g} {unit}; the largest machine "
            f"has {most:g}, so times of theirs are not to be trusted"
            for needs, cell in sorted(wanted.items(), key=lambda each: each[0])
            if needs > most
        ]
    return notes


def sweep_row(plan: Plan) -> SweepRow:
    """The sweep as the ledger files it."""
    return SweepRow(
        sweep_id=plan.sweep_id,
        name=plan.spec.name,
        spec=plan.spec.text,
        seed=plan.spec.seed,
        plan_digest=plan.digest,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def cell_row(plan: Plan, cell: Cell) -> CellRow:
    """A cell as the ledger files it."""
    return CellRow(
        cell_id=cell.id,
        sweep_id=plan.sweep_id,
        index=cell.index,
        rulebook=cell.game.label,
        family=cell.game.family.id,
        rules_digest=cell.game.rules.digest,
        settings=cell.game.rules.settings(),
        seats=cell.game.seats,
        lineup=tuple(engine.id for engine in cell.lineup),
        seatings=tuple(
            tuple(cell.lineup[member].id for member in seating) for seating in cell.seatings
        ),
        planned_blocks=cell.blocks,
    )


@contextmanager
def _interrupts(stop: Callable[[], None], insist: Callable[[], None]) -> Iterator[None]:
    """The first SIGINT or SIGTERM asks for an orderly end; the second SIGINT insists."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, second)
        stop()

    def second(number: int, frame: FrameType | None) -> None:
        insist()
        raise KeyboardInterrupt

    for number in before:
        signal.signal(number, first)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
