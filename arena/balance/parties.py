"""Who wins together: the parties of a cell in which seats have partners.

A party is a set of roles that never face each other: dealer and partner against attackers, the
landlord against farmers. Where roles do not tell sides apart the sides themselves are the
parties. Games in which every seat plays for itself have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ledger.table import CellGames
from arena.ratings.blocks import Interval, ratio_interval


@dataclass(frozen=True, slots=True)
class PartyBalance:
    """What one party gets; the interval is 95 % by block."""

    roles: tuple[str, ...]
    """The roles that play together, or ("side 0",)."""

    score: Interval
    """Mean score of its seats; 1/2 is even."""

    games: int
    """Games in which the party was met: not those that ended before it was known."""


@dataclass(frozen=True, slots=True, eq=False)
class Parties:
    """The parties of one cell with their scores."""

    roles: tuple[tuple[str, ...], ...]
    scores: NDArray[np.float64]
    """(blocks, permutations, parties) mean score of a party's seats; NaN where it is not met."""

    def balances(self) -> tuple[PartyBalance, ...]:
        """Each party's score."""
        found = []
        for party, roles in enumerate(self.roles):
            own = self.scores[:, :, party]
            met = ~np.isnan(own)
            interval = ratio_interval(
                np.where(met, own, 0.0).sum(axis=1), met.sum(axis=1).astype(np.float64)
            )
            found.append(PartyBalance(roles, interval, int(met.sum())))
        return tuple(found)

    def block_means(self) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Which blocks met every party, and (those blocks, parties) mean scores."""
        met = ~np.isnan(self.scores)
        counts = met.sum(axis=1)
        whole = (counts > 0).all(axis=1)
        sums = np.where(met, self.scores, 0.0).sum(axis=1)
        means: NDArray[np.float64] = sums[whole] / counts[whole]
        return whole, means


def parties_of(games: CellGames, role_names: Sequence[str]) -> Parties | None:
    """The parties of a cell; None where nobody has a partner."""
    together = games.sides[:, :, :, None] == games.sides[:, :, None, :]
    if not (together.sum(axis=(2, 3)) > games.cell.seats).any():
        return None
    groups = _role_groups(games, together)
    if len(groups) >= 2:
        masks = [np.isin(games.roles, group) for group in groups]
        names = [tuple(role_names[code] for code in group) for group in groups]
    else:
        sides = [int(side) for side in np.unique(games.sides)]
        masks = [games.sides == side for side in sides]
        names = [(f"side {side}",) for side in sides]
    return Parties(tuple(names), np.stack([_mean(games.scores, mask) for mask in masks], axis=2))


def _mean(scores: NDArray[np.float64], mask: NDArray[np.bool_]) -> NDArray[np.float64]:
    seats = mask.sum(axis=2)
    with np.errstate(invalid="ignore"):
        mean: NDArray[np.float64] = np.where(mask, scores, 0.0).sum(axis=2) / seats
    return mean


def _role_groups(games: CellGames, together: NDArray[np.bool_]) -> list[list[int]]:
    """Role codes by party. A role that faces itself belongs to none."""
    codes = [int(code) for code in np.unique(games.roles) if code >= 0]
    held = {code: games.roles == code for code in codes}

    def met(one: int, other: int, apart: bool) -> bool:
        both = held[one][:, :, :, None] & held[other][:, :, None, :]
        return bool((both & (together != apart)).any())

    groups: list[list[int]] = []
    for code in codes:
        if met(code, code, apart=True):
            continue
        for group in groups:
            faces = any(met(code, other, apart=True) for other in group)
            if not faces and any(met(code, other, apart=False) for other in group):
                group.append(code)
                break
        else:
            groups.append([code])
    return groups
