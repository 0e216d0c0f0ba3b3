"""Game tables for tests of ratings and balance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from arena.ledger import CellRow, GameResult, GameTable, Ledger
from arena.ledger.codec import Ending
from arena.ledger.table import table_of
from tests.ledger.samples import SWEEP, result


def through_ledger(cells: Sequence[CellRow], results: Sequence[GameResult]) -> GameTable:
    """The table that a ledger gives of results put in this order."""
    with TemporaryDirectory() as folder, Ledger.open(Path(folder) / "ledger.db") as ledger:
        ledger.register(SWEEP, cells)
        ledger.put(results)
        return ledger.table()


def table_from(cells: Sequence[CellRow], results: Sequence[GameResult]) -> GameTable:
    """The same of complete blocks, without a disk: for simulations by the hundred."""
    keys = {
        ending: key for key, ending in enumerate(sorted({Ending.of(r) for r in results}, key=repr))
    }
    by_cell: dict[str, list[tuple[int, int, int, int]]] = {cell.cell_id: [] for cell in cells}
    for r in results:
        by_cell[r.cell_id].append((r.block, r.permutation, keys[Ending.of(r)], r.plies))
    parts = [
        np.array(sorted(by_cell[cell.cell_id]), dtype=np.int64).reshape(-1, 4) for cell in cells
    ]
    endings = {key: ending for ending, key in keys.items()}
    return table_of(cells, parts, endings, [{} for _ in parts])


def duel_results(cell: CellRow, outcomes: Sequence[Sequence[float]]) -> list[GameResult]:
    """Two-seat results from the score of seat 0 in each permutation of each block."""
    return [
        result(cell, block, permutation, (score, 1 - score))
        for block, scores in enumerate(outcomes)
        for permutation, score in enumerate(scores)
    ]


def davidson_game(rng: np.random.Generator, lead: float, nu: float, luck: float = 0.0) -> float:
    """Score of the first of two players at a lead in Elo, by Davidson's law."""
    g = 10 ** ((lead + luck) / 800)
    at = rng.random() * (g + nu + 1 / g)
    return 1.0 if at < g else 0.5 if at < g + nu else 0.0


def simulated_duel(
    rng: np.random.Generator,
    cell: CellRow,
    strength: Mapping[str, float],
    *,
    first: float = 0.0,
    nu: float = 0.5,
    opening: float = 0.0,
) -> list[GameResult]:
    """A whole cell by Davidson's law; `opening` is the spread (Elo) of a block's own luck."""
    outcomes = []
    for _ in range(cell.planned_blocks):
        luck = rng.normal(0, opening) if opening else 0.0
        outcomes.append(
            [
                davidson_game(rng, strength[one] - strength[other] + first, nu, luck)
                for one, other in cell.seatings
            ]
        )
    return duel_results(cell, outcomes)
