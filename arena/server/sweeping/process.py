"""The process of a sweep: `python -m arena.server.sweeping.process`, a `Job` on standard input.

A file is planned under limits of time and memory, because a grid of settings can ask for more
combinations than there are atoms. The process of a sweep that plays ends when its standard input
does: when the service wants it to, or is no more.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from arena.plan import Plan, SweepError, make_plan, parse_sweep
from arena.plan.engines import engine_of
from arena.plan.spec import EngineEntry, SweepSpec
from arena.server.names import LONGEST, sweep_name
from arena.server.sweeping.job import (
    FILE,
    Broken,
    CellTally,
    Ended,
    Job,
    Planned,
    PlannedCell,
    PlannedEngine,
    Refused,
    Report,
    Tally,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from arena.cluster import ParkedBlock, Progress, SweepSummary
    from arena.ledger import Ledger

Tell = Callable[[Report], None]

PLAN_CPU_S = 20
"""Processor time for a plan."""

_PLAN_BYTES = 4 << 30
_SHOW_S = 1.0
_GRACE_S = 10.0
_NICE = 10
_MOST_REMARKS = 100
_REMARK_CHARS = 500


def main() -> int:
    """Does its job, and says what came of it."""
    # What a library prints must not get between our lines.
    out = os.dup(1)
    os.dup2(2, 1)

    def tell(report: Report) -> None:
        line = report.model_dump_json().encode() + b"\n"
        with suppress(BrokenPipeError):  # the service is gone: what is being played is kept
            while line:
                line = line[os.write(out, line) :]

    try:
        os.nice(_NICE)  # bots of the standing play have clocks
        job = Job.model_validate_json(sys.stdin.buffer.readline())
        if job.ledger is None:
            _limit()
            tell(facts(plan_of(job)))
        else:
            threading.Thread(target=_until_told, daemon=True).start()
            _play(job, job.ledger, tell)
    except SweepError as error:
        tell(Refused(message=str(error), line=error.line, setting=error.field))
    except MemoryError:
        tell(Refused(message=f"{FILE}: takes too much memory to plan"))
    except KeyboardInterrupt:
        tell(Ended(tally=None, interrupted=True))
    except Exception:  # noqa: BLE001 - the service writes it into its log
        tell(Broken(words=traceback.format_exc()))
        return 1
    return 0


def plan_of(job: Job) -> Plan:
    """The plan of a job's file, its engines reached as the service says. Raises SweepError."""
    spec = parse_sweep(job.toml, FILE)
    _check_names(spec)
    engines = {name: _changed(name, entry, job) for name, entry in spec.engines.items()}
    plan = make_plan(spec.model_copy(update={"engines": engines}))
    if len(plan.cells) > job.most_cells:
        raise spec.error(
            ("games",), f"makes {len(plan.cells):,} cells; the most here is {job.most_cells:,}"
        )
    return plan


def _check_names(spec: SweepSpec) -> None:
    """Names are shown to others. Raises SweepError for those that cannot be."""
    try:
        sweep_name(spec.name)
    except ValueError as error:
        raise spec.error(("name",), str(error).removeprefix("name: "), spec.name) from None
    for name, entry in spec.engines.items():
        if len(name) > LONGEST or len(entry.version or "") > LONGEST:
            raise spec.error(("engines", name), f"a name or version is over {LONGEST} characters")


def _changed(name: str, entry: EngineEntry, job: Job) -> EngineEntry:
    if name in job.targets:
        return entry.model_copy(update={"use": f"grpc://{job.targets[name]}"})
    if entry.command is not None and entry.sandbox is None and job.sandbox is not None:
        return entry.model_copy(update={"sandbox": job.sandbox})
    return entry


def facts(plan: Plan) -> Planned:
    """A plan in few words."""
    spec = plan.spec
    engines = []
    for name, entry in spec.engines.items():
        engine = engine_of(spec, name, entry)
        setting = "use" if entry.command is None else "command"
        at = spec.error(("engines", name, setting), "")
        engines.append(
            PlannedEngine(
                name=name,
                kind=engine.kind,
                target=engine.target,
                place=str(at),
                line=at.line,
                setting=at.field,
            )
        )
    return Planned(
        name=spec.name,
        digest=plan.digest,
        games=plan.games,
        engines=tuple(engines),
        cells=tuple(
            PlannedCell(
                id=cell.id,
                rulebook=cell.game.label,
                lineup=tuple(engine.id for engine in cell.lineup),
                games=cell.games,
            )
            for cell in plan.cells
        ),
        remarks=_cut(
            [
                *(f"left out: {line}" for line in plan.skipped),
                *(f"same rules: {line}" for line in plan.merged),
            ]
        ),
    )


def _play(job: Job, where: Path, tell: Tell) -> None:
    from arena.cluster import run_sweep
    from arena.ledger import Ledger

    plan = plan_of(job)

    def note(message: str) -> None:
        print(f"sweep {where.stem}: {message}", file=sys.stderr, flush=True)

    with Ledger.open(where) as ledger:
        before: Tally | None = None

        def show(progress: Progress) -> None:
            nonlocal before
            for message in progress.messages:
                note(message)
            if before is None:  # nothing of this run yet, and nobody else plays
                before = tally_of(plan, ledger)
            tell(_moved(before, progress, plan))

        # The process of a service that was killed may still be ending: it is waited for.
        summary = run_sweep(
            plan,
            ledger,
            address=job.address,
            workers=job.workers,
            on_progress=show,
            show_seconds=_SHOW_S,
            on_wait=note,
        )
        tell(
            Ended(
                tally=tally_of(plan, ledger),
                interrupted=summary.interrupted,
                remarks=_cut(_remarks(summary)),
            )
        )


def tally_of(plan: Plan, ledger: Ledger) -> Tally:
    """How far a plan is in a ledger; at nothing where it is not there yet."""
    from arena.players.fault import is_fault

    if plan.sweep_id not in {row.sweep_id for row in ledger.sweeps()}:
        return Tally(cells=tuple(CellTally() for _ in plan.cells))
    whole = ledger.complete_blocks(plan.sweep_id)
    needed = {row.cell_id: row.planned_blocks for row in ledger.cells(plan.sweep_id)}
    void = [row.cell_id for row in ledger.voided(plan.sweep_id)]
    faults: dict[str, int] = {}
    cells = []
    for cell in plan.cells:
        ended = ledger.terminations(plan.sweep_id, cell_id=cell.id)
        own = {cause.name: games for cause, games in ended.items() if is_fault(cause)}
        for cause, games in own.items():
            faults[cause] = faults.get(cause, 0) + games
        games = len(cell.seatings)
        cells.append(
            CellTally(
                done=games * int(whole[cell.id].sum()),
                spared=games * (cell.blocks - needed[cell.id]),
                void=games * void.count(cell.id),
                faults=sum(own.values()),
            )
        )
    return Tally(cells=tuple(cells), faults=faults)


def _moved(before: Tally, progress: Progress, plan: Plan) -> Tally:
    """Where a run is that began at `before`."""
    faults = dict(before.faults)
    for cause, games in progress.faults.items():
        faults[cause] = faults.get(cause, 0) + games
    cells = []
    for cell, was, now in zip(plan.cells, before.cells, progress.cells, strict=True):
        games = len(cell.seatings)
        cells.append(
            CellTally(
                done=games * now.done,
                spared=games * now.spared,
                void=games * now.void,
                faults=was.faults + now.faults,
            )
        )
    return Tally(cells=tuple(cells), faults=faults)


def _remarks(summary: SweepSummary) -> Iterator[str]:
    for parked in summary.parked:
        yield f"{parked.label}, blocks {parked.start} to {parked.stop - 1}: {_cause(parked)}"
    yield from summary.notes


def _cause(parked: ParkedBlock) -> str:
    """Why blocks were not played, for those whose sweep it is."""
    if parked.engine is not None:
        return parked.cause
    print(f"{parked.label}: {parked.cause}", file=sys.stderr, flush=True)
    return "could not be played; the operator's log says why"


def _cut(remarks: Iterator[str] | list[str]) -> tuple[str, ...]:
    found = [remark[:_REMARK_CHARS] for remark in remarks]
    more = len(found) - _MOST_REMARKS
    return tuple(found[:_MOST_REMARKS] + ([f"and {more} more"] if more > 0 else []))


def _limit() -> None:
    """Limits of this process. A plan that takes more is refused."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (PLAN_CPU_S, PLAN_CPU_S))
    resource.setrlimit(resource.RLIMIT_AS, (_PLAN_BYTES, _PLAN_BYTES))


def _until_told() -> None:
    """Waits for the end of standard input, and ends what the process does."""
    # Not by `sys.stdin`, which is locked when the interpreter ends.
    while os.read(0, 1_024):
        pass
    for _ in range(2):  # in order; at once
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(_GRACE_S)
    os._exit(1)


if __name__ == "__main__":
    raise SystemExit(main())
