"""Finished games as numpy columns: what ratings and balance compute from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.ledger.codec import Ending
from arena.ledger.rows import CellRow


@dataclass(frozen=True, slots=True, eq=False)
class CellGames:
    """The games of one cell, reshaped to (blocks, permutations, …)."""

    cell: CellRow
    block: NDArray[np.int64]
    """(blocks,) block numbers, rising."""

    scores: NDArray[np.float64]
    """(blocks, permutations, seats)."""

    places: NDArray[np.int16]
    sides: NDArray[np.int16]
    roles: NDArray[np.int16]
    termination: NDArray[np.int16]
    """(blocks, permutations)."""

    culprit: NDArray[np.int16]
    plies: NDArray[np.int32]
    measures: Mapping[str, NDArray[np.float64]]
    """(blocks, permutations) by name; NaN where a game has none of that name."""


@dataclass(frozen=True, slots=True, eq=False)
class GameTable:
    """Games of complete blocks, ordered by (cell, block, permutation), never by arrival.

    One row a game; n rows, S the largest number of seats in `cells`.
    """

    cells: tuple[CellRow, ...]
    """Every cell that was asked for, in plan order, those without games included."""

    cell: NDArray[np.int32]
    """(n,) index into `cells`."""

    block: NDArray[np.int64]
    permutation: NDArray[np.int16]
    scores: NDArray[np.float64]
    """(n, S) share of opponents beaten by seat; NaN where the cell has fewer seats."""

    places: NDArray[np.int16]
    """(n, S) 1 is best; 0 where there is no seat."""

    sides: NDArray[np.int16]
    """(n, S) seats with one number win together; -1 where there is no seat."""

    roles: NDArray[np.int16]
    """(n, S) index into `role_names`; -1 where there is no seat."""

    termination: NDArray[np.int16]
    """(n,) index into `termination_names`."""

    culprit: NDArray[np.int16]
    """(n,) the seat whose fault ended the game, or -1."""

    plies: NDArray[np.int32]
    role_names: tuple[str, ...]
    """Sorted."""

    termination_names: tuple[str, ...]
    """`Termination` names, sorted."""

    measures: Mapping[str, NDArray[np.float64]]
    """(n,) the games' own numbers by name, sorted; NaN where a game has none of that name."""

    def __len__(self) -> int:
        """Number of games."""
        return len(self.cell)

    def by_cell(self) -> Iterator[CellGames]:
        """Each cell that has games, with its games as (blocks, permutations, …) views."""
        edges = np.searchsorted(self.cell, np.arange(len(self.cells) + 1))
        for index, cell in enumerate(self.cells):
            low, high = int(edges[index]), int(edges[index + 1])
            if low == high:
                continue
            m, s = len(cell.seatings), cell.seats
            blocks = (high - low) // m
            yield CellGames(
                cell,
                self.block[low:high:m],
                self.scores[low:high, :s].reshape(blocks, m, s),
                self.places[low:high, :s].reshape(blocks, m, s),
                self.sides[low:high, :s].reshape(blocks, m, s),
                self.roles[low:high, :s].reshape(blocks, m, s),
                self.termination[low:high].reshape(blocks, m),
                self.culprit[low:high].reshape(blocks, m),
                self.plies[low:high].reshape(blocks, m),
                {
                    name: values[low:high].reshape(blocks, m)
                    for name, values in self.measures.items()
                    if not np.isnan(values[low:high]).all()
                },
            )


def table_of(
    cells: Sequence[CellRow],
    parts: Sequence[NDArray[np.int64]],
    endings: Mapping[int, Ending],
    measures: Sequence[Mapping[str, NDArray[np.float64]]],
) -> GameTable:
    """A table from each cell's (games, 4) rows of block, permutation, ending key, plies.

    The rows of a cell are ordered and hold whole blocks only; its measures go with them.
    """
    seats = max((cell.seats for cell in cells), default=0)
    keys = np.array(sorted(endings), dtype=np.int64)
    ends = [endings[int(key)] for key in keys]
    role_names = tuple(sorted({role for end in ends for role in end.roles}))
    names = tuple(sorted({end.termination.name for end in ends}))
    role_code = {role: code for code, role in enumerate(role_names)}

    games = np.concatenate([*parts, np.empty((0, 4), dtype=np.int64)])
    which = np.searchsorted(keys, games[:, 2])

    def by_seat(rows: list[list[float]], empty: float, dtype: type[np.generic]) -> NDArray[Any]:
        wide = [row[:seats] + [empty] * (seats - len(row)) for row in rows]
        return np.array(wide, dtype=dtype).reshape(len(rows), seats)[which]

    return GameTable(
        cells=tuple(cells),
        cell=np.repeat(np.arange(len(cells), dtype=np.int32), [len(part) for part in parts]),
        block=games[:, 0].copy(),
        permutation=games[:, 1].astype(np.int16),
        scores=by_seat([list(end.scores) for end in ends], np.nan, np.float64),
        places=by_seat([list(end.places) for end in ends], 0, np.int16),
        sides=by_seat([list(end.sides) for end in ends], -1, np.int16),
        roles=by_seat([[role_code[r] for r in end.roles] for end in ends], -1, np.int16),
        termination=np.array([names.index(end.termination.name) for end in ends], dtype=np.int16)[
            which
        ],
        culprit=np.array(
            [-1 if end.culprit is None else end.culprit for end in ends], dtype=np.int16
        )[which],
        plies=games[:, 3].astype(np.int32),
        role_names=role_names,
        termination_names=names,
        measures={
            name: np.concatenate(
                [
                    part.get(name, np.full(len(rows), np.nan))
                    for part, rows in zip(measures, parts, strict=True)
                ]
            )
            for name in sorted({name for part in measures for name in part})
        },
    )
