"""How an advantage changes as engines grow stronger, and what it may come to beyond them.

Under each rulebook the self-play of every engine is one point: its rating, from the games the
engines played against each other, and the log odds of what seat 0 (with partners: the first
party) scored. A line through the points, weighted by their errors, is the trend. Where the
points scatter about the line by more than their blocks explain, its errors grow likewise.

Beyond the strongest engine nobody knows whether a trend goes on. The interval there holds both
answers: the line goes on, and it stays where the strongest engine is. Sources: J. P. T. Higgins and
S. G. Thompson, Statistics in Medicine 23 (2004): regression over estimates with known errors,
the errors never less than the blocks' own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.balance.parties import parties_of
from arena.ledger.table import CellGames, GameTable
from arena.ratings import leaderboard
from arena.ratings.blocks import ELO, Interval, Z, t_quantile, unseen_share

Floats = NDArray[np.float64]

_LEAST = 3
"""Engines that a line is laid through; two bound no line."""


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """Self-play of one engine."""

    engine: str
    rating: float
    """Elo, from the games between the engines of the table."""

    score: Interval
    """Of seat 0 or the first party, as a share; 95 % by block."""

    blocks: int


@dataclass(frozen=True, slots=True)
class Trend:
    """The advantage of one rulebook over strength."""

    family: str
    rulebook: str
    of: str
    """"seat 0", or the roles of the first party."""

    points: tuple[TrendPoint, ...]
    """The weakest first."""

    slope: Interval
    """Elo of advantage for 100 Elo of strength."""

    scatter: float
    """By how much the points lie off the line, in their own errors (1: as blocks explain)."""

    beyond: float
    """The rating that is looked ahead to: half of the range of ratings over the strongest."""

    ahead: Interval
    """The score there: the line goes on, or it stays at the strongest engine's, 95 % of either."""


def trends(table: GameTable) -> list[Trend]:
    """The trend of every rulebook in whose self-play three rated engines or more took part.

    Engines are rated by the games of the same table against each other, all rulebooks of
    the family together; without such games there is no trend. In plan order.
    """
    groups: dict[str, list[CellGames]] = {}
    for part in table.by_cell():
        if len(set(part.cell.lineup)) == 1 and len(part.block) > 1:
            groups.setdefault(part.cell.rulebook, []).append(part)
    ratings: dict[str, dict[str, float]] = {}
    found = []
    for parts in groups.values():
        family = parts[0].cell.family
        if family not in ratings:
            board = leaderboard(table, family)
            met = board.groups[0] if len(board.groups[0]) > 1 else ()
            ratings[family] = {e.engine: e.elo for e in board.entries if e.engine in met}
        rated = ratings[family]
        # One cell an engine: the same rulebook under another file would count twice.
        cells = {p.cell.level: p for p in parts if p.cell.level in rated}
        if len(cells) >= _LEAST:
            ordered = sorted(cells.values(), key=lambda p: (rated[p.cell.level], p.cell.level))
            found.append(_trend(ordered, rated, table.role_names))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Sample:
    """A cell's block means with what follows from them, in log odds."""

    engine: str
    block: NDArray[np.int64]
    away: Floats
    """(blocks,) by how much each block moves the estimate."""

    value: float
    floor: float
    """Variance that blocks of a kind not yet seen could still bring."""

    @property
    def score(self) -> Interval:
        """As a share."""
        half = Z * math.sqrt(self.variance)
        return _shares(self.value, half)

    @property
    def variance(self) -> float:
        n = len(self.away)
        return max(self.floor, float(self.away @ self.away) * n / (n - 1))


def _shares(value: float, half: float) -> Interval:
    low, middle, high = (1 / (1 + math.exp(-x)) for x in (value - half, value, value + half))
    return Interval(middle, low, high)


def _sample(part: CellGames, role_names: Sequence[str]) -> tuple[str, _Sample]:
    parties = parties_of(part, role_names)
    if parties is None:
        name, block, means = "seat 0", part.block, part.scores[:, :, 0].mean(axis=1)
    else:
        whole, by_party = parties.block_means()
        name, block, means = " + ".join(parties.roles[0]), part.block[whole], by_party[:, 0]
    n = len(means)
    # Half a block each way keeps a clean sweep finite.
    share = (float(means.sum()) + 0.5) / (n + 1)
    slope = 1 / (share * (1 - share))
    away = slope * (means - means.mean()) / n
    floor = (slope * unseen_share(n) * 0.5 / t_quantile(n - 1)) ** 2
    return name, _Sample(part.cell.level, block, away, math.log(share / (1 - share)), floor)


def _covariance(samples: Sequence[_Sample]) -> Floats:
    """Of the cells' log odds. All engines meet the same deals: what they share counts."""
    last = max(int(s.block[-1]) for s in samples) + 1
    wide = np.zeros((len(samples), last))
    for row, sample in zip(wide, samples, strict=True):
        row[sample.block] = sample.away
    found: Floats = wide @ wide.T
    found[np.diag_indices(len(samples))] = [s.variance for s in samples]
    return found


def _trend(parts: Sequence[CellGames], rated: dict[str, float], roles: Sequence[str]) -> Trend:
    named = [_sample(part, roles) for part in parts]
    samples = [sample for _, sample in named]
    at = np.array([rated[s.engine] for s in samples]) / 100
    values = np.array([s.value for s in samples])
    covariance = _covariance(samples)
    weights = 1 / np.diag(covariance)
    beyond = float(at[-1] + (at[-1] - at[0]) / 2)
    middle = float(weights @ at / weights.sum())
    design = np.stack([np.ones_like(at), at - middle], axis=1)
    solve = np.linalg.pinv(design * np.sqrt(weights)[:, None]) * np.sqrt(weights)
    line = solve @ values
    residual = values - design @ line
    scatter = math.sqrt(max(0.0, float(residual @ (weights * residual))) / (len(at) - 2))
    spread = solve @ covariance @ solve.T * max(1.0, scatter) ** 2
    half = Z * math.sqrt(spread[1, 1])
    ahead = np.array([1.0, beyond - middle])
    reach = Z * math.sqrt(float(ahead @ spread @ ahead))
    goes_on = _shares(float(ahead @ line), reach)
    stays = samples[-1].score
    slope = float(line[1])
    return Trend(
        family=parts[0].cell.family,
        rulebook=parts[0].cell.rulebook,
        of=named[0][0],
        points=tuple(TrendPoint(s.engine, rated[s.engine], s.score, len(s.block)) for s in samples),
        slope=Interval(ELO * slope, ELO * (slope - half), ELO * (slope + half)),
        scatter=scatter,
        beyond=100 * beyond,
        ahead=Interval(goes_on.value, min(goes_on.low, stays.low), max(goes_on.high, stays.high)),
    )
