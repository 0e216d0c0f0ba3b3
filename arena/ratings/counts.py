"""Counts of a cell: who came before whom, by engines and seats.

Exact integers, so that what is fitted to them cannot depend on the order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from arena.ledger.table import CellGames

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CellCounts:
    """The counts of a cell.

    A comparison is (engine, engine, seat, seat): there are K of them, each made in one
    or more permutations of a block.
    """

    games: CellGames
    pairs: tuple[tuple[int, int], ...]
    """Seats (a, b) of each comparison, a < b."""

    engines: tuple[tuple[str, str], ...]
    """Who sat there."""

    made: Ints
    """(permutations x pairs of seats,) which comparison each of them is."""

    wins: Floats
    draws: Floats
    losses: Floats
    """(K,) counts, of seat a against seat b."""

    @property
    def total(self) -> Floats:
        """(K,) comparisons made."""
        found: Floats = self.wins + self.draws + self.losses
        return found

    def by_block(self) -> tuple[Floats, Floats, Floats]:
        """(blocks, K) wins, draws and losses of each block."""
        compared, order = compared_by(self.games.places, self.games.sides)
        drawn = compared & (order == 0)
        order = order * compared
        one_hot = np.zeros((len(self.made), len(self.pairs)))
        one_hot[np.arange(len(self.made)), self.made] = 1
        wins, draws, losses = (
            column.reshape(-1, len(self.made)).astype(np.float64) @ one_hot
            for column in (order > 0, drawn, order < 0)
        )
        return wins, draws, losses


def count(games: CellGames) -> CellCounts:
    """The counts of one cell."""
    return counted([games])[0]


def counted(cells: Sequence[CellGames]) -> list[CellCounts]:
    """The counts of cells; hundreds of small ones of a shape are summed together."""
    found: list[CellCounts | None] = [None] * len(cells)
    alike: dict[tuple[int, ...], list[int]] = {}
    for i, games in enumerate(cells):
        if len(games.block):
            alike.setdefault(games.places.shape[1:], []).append(i)
        else:
            pairs = games.cell.seats * (games.cell.seats - 1) // 2
            found[i] = _counts(games, np.zeros((3, len(games.cell.seatings) * pairs)))
    for group in alike.values():
        waiting: list[int] = []
        held = 0
        for i in group:
            waiting.append(i)
            held += cells[i].places.size
            if held > _HELD or i == group[-1]:
                some = [cells[j] for j in waiting]
                for j, games, totals in zip(waiting, some, _totals(some), strict=True):
                    found[j] = _counts(games, totals)
                waiting, held = [], 0
    return [each for each in found if each is not None]


_HELD = 10_000_000
"""Places that are held at once."""


def _totals(cells: Sequence[CellGames]) -> Floats:
    """(cells, 3, permutations x pairs of seats) wins, draws and losses, of cells of one shape."""
    compared, order = compared_by(
        np.concatenate([games.places for games in cells]),
        np.concatenate([games.sides for games in cells]),
    )
    starts = np.cumsum([0, *(len(games.block) for games in cells[:-1])])
    columns = (compared & (order > 0), compared & (order == 0), compared & (order < 0))
    return np.stack(
        [
            np.add.reduceat(column.reshape(len(column), -1), starts, axis=0, dtype=np.float64)
            for column in columns
        ],
        axis=1,
    )


def _counts(games: CellGames, totals: Floats) -> CellCounts:
    seat_pairs = list(combinations(range(games.cell.seats), 2))
    made = [(s[i], s[j], i, j) for s in games.cell.seatings for i, j in seat_pairs]
    kinds = sorted(set(made))
    which = np.array([kinds.index(one) for one in made], dtype=np.int64)
    summed = np.zeros((3, len(kinds)))
    if len(kinds) == len(made):
        summed[:, which] = totals
    else:
        for row, column in zip(summed, totals, strict=True):
            np.add.at(row, which, column)
    wins, draws, losses = summed
    return CellCounts(
        games=games,
        pairs=tuple((i, j) for _, _, i, j in kinds),
        engines=tuple((one, other) for one, other, _, _ in kinds),
        made=which,
        wins=wins,
        draws=draws,
        losses=losses,
    )


def setups(cells: Iterable[CellGames]) -> int:
    """How many different setups (rules, block number) some cells hold together."""
    blocks: dict[str, list[Ints]] = {}
    for games in cells:
        blocks.setdefault(games.cell.rules_digest, []).append(games.block)
    return sum(len(union(parts)) for parts in blocks.values())


def union(blocks: Sequence[Ints]) -> Ints:
    """The block numbers of several cells, rising."""
    seen = np.zeros(max((int(part[-1]) + 1 for part in blocks if len(part)), default=0), dtype=bool)
    for part in blocks:
        seen[part] = True
    return np.flatnonzero(seen).astype(np.int64)


def compared_by(
    places: NDArray[np.int16], sides: NDArray[np.int16]
) -> tuple[NDArray[np.bool_], NDArray[np.int16]]:
    """(blocks, permutations, pairs of seats): whether they are compared, and who is ahead.

    1 where the first of two seats is, 0 for a tie. Partners are not compared.
    """
    if places.shape[2] == 2:  # the same, in fewer steps
        return sides[:, :, :1] != sides[:, :, 1:], np.sign(places[:, :, 1:] - places[:, :, :1])
    a, b = (list(seats) for seats in zip(*combinations(range(places.shape[2]), 2), strict=True))
    return sides[:, :, a] != sides[:, :, b], np.sign(places[:, :, b] - places[:, :, a])
