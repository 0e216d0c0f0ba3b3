"""Beyond one number: ranks with their uncertainty, a cross table, and views for cycles.

A rating puts engines on one line. These say how sure their order is, whether one line
fits at all, and what remains to be said where it does not: how long an evolving population
stays with an engine (alpha-Rank), and who is worth mixing (Nash averaging).

Sources: M. Klein, T. Wright and J. Wieczorek 2020 (joint rank intervals); W. G. Cochran 1954
(Q); S. Omidshafiei et al. 2019 (alpha-Rank); D. Balduzzi et al. 2018 (Nash averaging).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ledger.table import GameTable
from arena.ratings.blocks import CONFIDENCE, ELO, Interval, ratio_interval
from arena.ratings.counts import count
from arena.ratings.leaderboard import Leaderboard

Floats = NDArray[np.float64]

_DRAWS = 20_000
_SEED = 20_250_102


@dataclass(frozen=True, slots=True)
class RankView:
    """How sure a place on a leaderboard is."""

    engine: str
    best: int
    """No engine of the group can be ranked outside `best` to `worst` at 95 %, all together."""

    worst: int
    first: float
    """Chance, by the normal law, to be the strongest of the group."""

    top_three: float


def ranks(board: Leaderboard) -> list[RankView]:
    """Rank intervals and chances of the largest group of a board, in its order.

    An engine may stand above another unless the other is better by more than the largest
    of all differences can err. Fixed seed; rounded to what 20,000 draws can say.
    """
    engines = board.groups[0] if board.groups else ()
    at = [i for i, entry in enumerate(board.entries) if entry.engine in engines]
    if not at:
        return []
    elo = np.array([board.entries[i].elo for i in at])
    covariance = np.array(board.covariance, dtype=np.float64)[np.ix_(at, at)]
    values, axes = np.linalg.eigh(covariance)
    root = axes * np.sqrt(np.maximum(values, 0))
    rng = np.random.Generator(np.random.PCG64(_SEED))
    error = rng.standard_normal((_DRAWS, len(at))) @ root.T
    deviation = np.sqrt(
        np.maximum(
            np.diag(covariance)[:, None] + np.diag(covariance)[None, :] - 2 * covariance, 1e-12
        )
    )
    largest = np.zeros(_DRAWS)
    for i in range(len(at) - 1):
        apart = np.abs(error[:, i + 1 :] - error[:, i : i + 1]) / deviation[i, i + 1 :]
        np.maximum(largest, apart.max(axis=1), out=largest)
    quantile = round(float(np.quantile(largest, CONFIDENCE)), 3)
    beats = elo[:, None] - elo[None, :] > quantile * deviation
    place = (-(elo + error)).argsort(axis=1).argsort(axis=1)
    return [
        RankView(
            board.entries[i].engine,
            best=1 + int(beats[:, row].sum()),
            worst=len(at) - int(beats[row].sum()),
            first=round(float((place[:, row] == 0).mean()), 3),
            top_three=round(float((place[:, row] < 3).mean()), 3),
        )
        for row, i in enumerate(at)
    ]


def superiority_matrix(board: Leaderboard) -> tuple[tuple[float, ...], ...]:
    """LOS of each entry (row) over each other (column), in the order of the board."""
    names = [entry.engine for entry in board.entries]
    return tuple(tuple(board.superiority(a, b) for b in names) for a in names)


@dataclass(frozen=True, slots=True)
class Crossing:
    """What one engine scored against one other, with more than two seats pair by pair."""

    engine: str
    opponent: str
    games: int
    score: Interval
    """95 % by setup."""


def cross_table(table: GameTable) -> list[Crossing]:
    """Every pairing both ways, by name."""
    points: dict[tuple[str, str], dict[tuple[str, int], list[float]]] = {}
    for part in table.by_cell():
        counts = count(part)
        wins, draws, losses = counts.by_block()
        digest = part.cell.rules_digest
        for k, (one, other) in enumerate(counts.engines):
            if one == other:
                continue
            met = (wins + draws + losses)[:, k]
            for a, b, won in ((one, other, wins), (other, one, losses)):
                sums = points.setdefault((a, b), {})
                for block, scored, made in zip(
                    part.block.tolist(),
                    (won[:, k] + draws[:, k] / 2).tolist(),
                    met.tolist(),
                    strict=True,
                ):
                    entry = sums.setdefault((digest, block), [0.0, 0.0])
                    entry[0] += scored
                    entry[1] += made
    found = []
    for (a, b), sums in sorted(points.items()):
        won, met = np.array([sums[key] for key in sorted(sums)]).T
        if met.sum():
            found.append(Crossing(a, b, round(float(met.sum())), ratio_interval(won, met)))
    return found


def one_line_fits(crossings: list[Crossing]) -> float:
    """P-value of "one line of strengths explains all pairings" (Cochran's Q).

    Small: somebody's strength depends on whom they play, such as a cycle. NaN where there are
    no more pairings than a line needs. Pairings are taken as independent of each other.
    """
    from scipy.special import chdtrc

    names = sorted({c.engine for c in crossings})
    pairs = [c for c in crossings if c.engine < c.opponent]
    if not pairs:
        return math.nan
    design = np.zeros((len(pairs), len(names)))
    lead, weight = np.zeros(len(pairs)), np.zeros(len(pairs))
    for row, c in enumerate(pairs):
        design[row, names.index(c.engine)] = 1
        design[row, names.index(c.opponent)] = -1
        # Half a game each way keeps a clean sweep finite, as the prior of the ratings does.
        share = (c.score.value * c.games + 0.5) / (c.games + 1)
        lead[row] = math.log(share / (1 - share))
        error = (c.score.high - c.score.low) / 4 / (share * (1 - share))
        weight[row] = 1 / max(error, 1e-9)
    scaled = design * weight[:, None]
    left = len(pairs) - int(np.linalg.matrix_rank(scaled))
    if left < 1:
        return math.nan
    residual = lead * weight
    residual = residual - scaled @ np.linalg.lstsq(scaled, residual, rcond=None)[0]
    return float(chdtrc(left, float(residual @ residual)))


def payoffs(crossings: list[Crossing]) -> tuple[tuple[str, ...], Floats]:
    """Names, and (n, n) log odds of each against each: antisymmetric, 0 where none met."""
    names = tuple(sorted({c.engine for c in crossings}))
    found = np.zeros((len(names), len(names)))
    for c in crossings:
        share = (c.score.value * c.games + 0.5) / (c.games + 1)
        found[names.index(c.engine), names.index(c.opponent)] = math.log(share / (1 - share))
    return names, (found - found.T) / 2


def alpha_rank(payoff: Floats, population: int = 20, alpha: float = 0.1) -> Floats:
    """(n,) share of time that a population of one kind spends with each strategy.

    `payoff` is (n, n), what the row gets against the column. A single mutant of another
    kind takes the population over with a chance that follows from the payoffs. Raises
    ValueError for what is no square of two strategies or more.
    """
    n = len(payoff)
    if payoff.shape != (n, n) or n < 2 or population < 2:
        raise ValueError(f"payoffs of shape {payoff.shape}: expected (n, n), n at least 2")
    move = np.zeros((n, n))
    mutants = np.arange(1, population)
    others = population - mutants
    for s in range(n):
        for r in range(n):
            if r == s:
                continue
            mine = (mutants - 1) * payoff[r, r] + others * payoff[r, s]
            theirs = mutants * payoff[s, r] + (others - 1) * payoff[s, s]
            lost = -alpha * np.cumsum(mine - theirs) / (population - 1)
            move[s, r] = 1 / ((n - 1) * (1 + np.exp(lost).sum()))
    move[np.diag_indices(n)] = 1 - move.sum(axis=1)
    # The stationary law: move.T x = x, and x adds up to 1.
    system = np.concatenate([move.T - np.eye(n), np.ones((1, n))])
    found: Floats = np.linalg.lstsq(system, np.eye(n + 1)[n], rcond=None)[0]
    return np.clip(found, 0, 1)


def nash_average(payoff: Floats) -> tuple[Floats, Floats]:
    """The Nash equilibrium of greatest entropy, and what each strategy gets against it.

    `payoff` is antisymmetric, so that the game's value is 0; a strategy outside the
    equilibrium gets at most that. Raises ValueError for another matrix.
    """
    from scipy.optimize import LinearConstraint, linprog, minimize

    n = len(payoff)
    if payoff.shape != (n, n) or n < 1 or not np.allclose(payoff, -payoff.T):
        raise ValueError("payoffs must be an antisymmetric (n, n) matrix")
    scale = float(np.abs(payoff).max()) or 1.0
    limits = payoff / scale
    corners = []
    for i in range(n):
        # The equilibrium that plays strategy i most; 0 means that none does.
        found = linprog(
            -np.eye(n)[i], A_ub=limits, b_ub=np.zeros(n), A_eq=np.ones((1, n)), b_eq=[1.0]
        )
        if found.x is None:
            raise ArithmeticError("ratings: no equilibrium found; this is a defect of the program")
        corners.append(np.clip(found.x, 0, 1))
    middle = np.mean(corners, axis=0)
    support = np.flatnonzero(np.max(corners, axis=0) > 1e-7)
    start = middle[support] / middle[support].sum()
    if len(support) == 1:
        share = np.eye(n)[support[0]]
        return share, payoff @ share
    inner = limits[:, support]

    def negative_entropy(p: Floats) -> float:
        return float((p * np.log(np.maximum(p, 1e-12))).sum())

    def slope(p: Floats) -> Floats:
        found: Floats = np.log(np.maximum(p, 1e-12)) + 1
        return found

    solved = minimize(
        negative_entropy,
        np.asarray(start, dtype=np.float64),
        jac=slope,
        bounds=[(1e-12, 1.0)] * len(support),
        constraints=[
            LinearConstraint(np.ones((1, len(support))), 1.0, 1.0),
            LinearConstraint(inner, -np.inf, 1e-12),
        ],
        method="SLSQP",
        tol=1e-12,
    )
    share = np.zeros(n)
    share[support] = np.clip(solved.x, 0, 1)
    share /= share.sum()
    return share, payoff @ share


def running_elo(table: GameTable, gain: float = 16.0) -> dict[str, float]:
    """Elo updated game by game in planned order, for a live board of duels.

    It depends on the order of the plan and forgets: the rating is that of the leaderboard,
    which is fitted to the whole ledger. Starts at 0, `gain` points for a sure thing lost.
    """
    elo = {name: 0.0 for cell in table.cells for name in cell.lineup}
    for one, other, score in _in_order(table):
        expected = 1 / (1 + math.exp((elo[other] - elo[one]) / ELO))
        elo[one] += gain * (score - expected)
        elo[other] -= gain * (score - expected)
    return elo


def _in_order(table: GameTable) -> Iterator[tuple[str, str, float]]:
    order = np.lexsort((table.permutation, table.cell, table.block))
    for row in order.tolist():
        cell = table.cells[int(table.cell[row])]
        one, *others = cell.seatings[int(table.permutation[row])]
        if len(others) == 1 and others[0] != one:
            yield one, others[0], float(table.scores[row, 0])


@dataclass(frozen=True, slots=True)
class Detail:
    """What a leaderboard's numbers leave unsaid."""

    family: str
    ranks: tuple[RankView, ...]
    superiority: tuple[tuple[float, ...], ...]
    """LOS of row over column, in the order of the board's entries."""

    cross_table: tuple[Crossing, ...]
    one_line: float
    """P-value of `one_line_fits`."""

    nash: dict[str, float]
    """Share of each engine in the Nash equilibrium of log odds: several where they cycle."""

    alpha_rank: dict[str, float]
    """Population 20, alpha 1 on log odds."""


def detail(board: Leaderboard, table: GameTable) -> Detail:
    """Everything here of one board; `table` holds the games it was fitted to."""
    crossings = cross_table(table)
    names, payoff = payoffs(crossings)
    several = len(names) > 1
    share = nash_average(payoff)[0] if several else np.ones(len(names))
    stays = alpha_rank(payoff, alpha=1.0) if several else np.ones(len(names))
    return Detail(
        family=board.family,
        ranks=tuple(ranks(board)),
        superiority=superiority_matrix(board),
        cross_table=tuple(crossings),
        one_line=one_line_fits(crossings),
        nash={name: round(float(x), 6) for name, x in zip(names, share, strict=True)},
        alpha_rank={name: round(float(x), 6) for name, x in zip(names, stays, strict=True)},
    )
