"""Made-up sweeps and results for tests of the ledger, of ratings and of balance."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

from arena._core import Termination
from arena.games import Record, Seat
from arena.ledger import CellRow, GameResult, SweepRow

SWEEP = SweepRow(
    sweep_id="5eed" * 4,
    name='a sweep, 名 vs "x"',
    spec="seed = 7\n",
    seed=2**64 - 1,
    plan_digest="d1",
    created="2026-01-01T00:00:00Z",
)


def cell(
    index: int,
    lineup: Sequence[str] = ("a@1", "b@1"),
    *,
    seatings: Sequence[Sequence[str]] | None = None,
    blocks: int = 10,
    rulebook: str = "gomoku/doc001",
    sweep_id: str = SWEEP.sweep_id,
) -> CellRow:
    """A cell whose seatings are all rotations of the line-up, or one in self-play."""
    n = len(lineup)
    if seatings is None:
        turns = 1 if len(set(lineup)) == 1 else n
        seatings = [[lineup[(seat + turn) % n] for seat in range(n)] for turn in range(turns)]
    name = (sweep_id, index, rulebook, lineup)
    return CellRow(
        cell_id=hashlib.sha256(repr(name).encode()).hexdigest()[:16],
        sweep_id=sweep_id,
        index=index,
        rulebook=rulebook,
        family=rulebook.partition("/")[0],
        rules_digest=hashlib.sha256(rulebook.encode()).hexdigest()[:16],
        settings={"size": 15, "overline": "forbidden", "cap": None, "claims": True},
        seats=n,
        lineup=tuple(lineup),
        seatings=tuple(tuple(seating) for seating in seatings),
        planned_blocks=blocks,
    )


def places_of(scores: Sequence[float]) -> tuple[int, ...]:
    return tuple(1 + sum(bool(other > score) for other in scores) for score in scores)


def result(
    cell: CellRow,
    block: int,
    permutation: int,
    scores: Sequence[float],
    *,
    roles: Sequence[str] | None = None,
    termination: Termination = Termination.five,
    plies: int = 30,
    record: bool = False,
    measures: Sequence[tuple[str, float]] = (),
) -> GameResult:
    engines = cell.seatings[permutation]
    key = f"{cell.sweep_id}|{cell.rules_digest}|{engines}|{block}|{permutation}"
    kept = Record(
        cell.rulebook,
        dict(cell.settings),
        "empty",
        ((Seat(0), "h8"), (Seat(1), f"a{1 + block}")),
    )
    return GameResult(
        game_id=hashlib.sha256(repr(key).encode()).hexdigest()[:32],
        sweep_id=cell.sweep_id,
        cell_id=cell.cell_id,
        block=block,
        permutation=permutation,
        rulebook=cell.rulebook,
        rules_digest=cell.rules_digest,
        engines=engines,
        scores=tuple(float(score) for score in scores),
        places=places_of(scores),
        sides=tuple(range(cell.seats)),
        roles=tuple(roles or [f"role{seat}" for seat in range(cell.seats)]),
        termination=termination,
        culprit=None,
        plies=plies,
        measures=tuple(measures),
        worker="w0",
        seconds=0.25,
        record=kept if record else None,
        moves_ms=((3, 0), (4, 1)) if record else (),
        notes=("stderr: \x00\udcff 'quoted'",) if record else (),
    )


def two_cells() -> tuple[list[CellRow], list[GameResult]]:
    """A duel of 10 blocks and a self-play cell of 10 blocks, all complete."""
    duel, mirror = cell(0), cell(1, ("a@1", "a@1"), rulebook="gomoku/free[size=19]")
    results = []
    for block in range(10):
        for permutation, scores in enumerate([(1, 0), (0.5, 0.5) if block % 3 else (0, 1)]):
            results.append(
                result(
                    duel,
                    block,
                    permutation,
                    scores,
                    plies=20 + block,
                    record=block < 2,
                    # Not every game has every number, and some have none.
                    measures=(("points", 2.5 * block), ("late", float(permutation)))[: block % 3],
                )
            )
        results.append(result(mirror, block, 0, (0, 1) if block % 4 == 0 else (1, 0)))
    return [duel, mirror], results


def with_worker(result: GameResult, worker: str) -> GameResult:
    return replace(result, worker=worker)
