"""Sweeps as callers are shown them: entries as messages of the protocol."""

from __future__ import annotations

from collections.abc import Iterator

from arena.protocol.v1 import sweeps_pb2
from arena.server.sweeping.book import SweepEntry, SweepState
from arena.server.sweeping.job import CellTally, Planned, PlannedCell, Tally
from arena.server.tokens import Token
from arena.server.views import named

STATES = {
    SweepState.WAITING: sweeps_pb2.SWEEP_STATE_WAITING,
    SweepState.RUNNING: sweeps_pb2.SWEEP_STATE_RUNNING,
    SweepState.FINISHED: sweeps_pb2.SWEEP_STATE_FINISHED,
    SweepState.CANCELLED: sweeps_pb2.SWEEP_STATE_CANCELLED,
    SweepState.INTERRUPTED: sweeps_pb2.SWEEP_STATE_INTERRUPTED,
}
"""Ours to the protocol's."""

STATES_BACK = {message: state for state, message in STATES.items()}


def head(entry: SweepEntry) -> sweeps_pb2.Sweep:
    """A sweep in a list."""
    message = sweeps_pb2.Sweep(
        id=entry.sweep_id,
        name=entry.name,
        account=entry.account,
        state=STATES[entry.state],
        reason=entry.reason,
        plan_digest=entry.digest,
        counts=counts(entry.games, entry.tally.totals),
        faults=entry.tally.faults,
    )
    message.launched.FromSeconds(entry.launched)
    if entry.ended is not None:
        message.ended.FromSeconds(entry.ended)
    return message


def whole(entry: SweepEntry, viewer: Token) -> sweeps_pb2.Sweep:
    """All of a sweep: its file may name what is its account's business."""
    assert entry.plan is not None
    message = head(entry)
    message.cells.extend(cells(entry.plan, entry.tally))
    if entry.account == viewer.account or viewer.may():
        message.remarks.extend([*entry.plan.remarks, *entry.remarks])
        message.toml = entry.toml
    return message


def looked_at(plan: Planned, toml: str, viewer: Token) -> sweeps_pb2.Sweep:
    """A sweep that is on no file."""
    return sweeps_pb2.Sweep(
        name=plan.name,
        account=viewer.account,
        plan_digest=plan.digest,
        counts=counts(plan.games, CellTally()),
        cells=cells(plan, Tally()),
        remarks=plan.remarks,
        toml=toml,
    )


def cells(plan: Planned, tally: Tally) -> Iterator[sweeps_pb2.SweepCell]:
    """The cells of a plan and how far they are."""
    for index, planned in enumerate(plan.cells):
        yield _cell(planned, tally.cells[index] if tally.cells else CellTally())


def moved(before: SweepEntry, entry: SweepEntry) -> sweeps_pb2.SweepProgress:
    """What has moved between two looks at a sweep."""
    assert entry.plan is not None
    known = before.tally.cells or (CellTally(),) * len(entry.plan.cells)
    return sweeps_pb2.SweepProgress(
        state=STATES[entry.state],
        counts=counts(entry.games, entry.tally.totals),
        faults=entry.tally.faults,
        cells=[
            _cell(planned, now)
            for planned, was, now in zip(entry.plan.cells, known, entry.tally.cells, strict=False)
            if was != now
        ],
    )


def counts(planned: int, tally: CellTally) -> sweeps_pb2.SweepCounts:
    """How far so many games are."""
    return sweeps_pb2.SweepCounts(
        planned=planned,
        done=tally.done,
        spared=tally.spared,
        void=tally.void,
        faults=tally.faults,
    )


def _cell(planned: PlannedCell, tally: CellTally) -> sweeps_pb2.SweepCell:
    return sweeps_pb2.SweepCell(
        id=planned.id,
        rulebook=planned.rulebook,
        players=[named(engine) for engine in planned.lineup],
        counts=counts(planned.games, tally),
    )
