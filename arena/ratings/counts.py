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
    seat_pairs = list(combinations(range(games.cell.seats), 2))
    made = [(s[i], s[j], i, j) for s in games.cell.seatings for i, j in seat_pairs]
    kinds = sorted(set(made))
    which = np.array([kinds.index(one) for one in made], dtype=np.int64)
    compared, order = compared_by(games.places, games.sides)
    won, lost = (
        np.count_nonzero(compared & ahead, axis=0).reshape(-1) for ahead in (order > 0, order < 0)
    )
    drawn = np.count_nonzero(compared, axis=0).reshape(-1) - won - lost
    totals = np.zeros((3, len(kinds)))
    for total, column in zip(totals, (won, drawn, lost), strict=True):
        np.add.at(total, which, column)
    wins, draws, losses = totals
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
