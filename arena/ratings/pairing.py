"""Who plays whom next: the pair whose games tell most, with a share for everybody.

Strengths have a normal belief: Bradley-Terry with a wide normal prior, at its maximum, with the
curvature there. A game between i and j with expected score p takes

    w |C S x|^2 / (1 + w x' S x),   x = e_i - e_j,   w = p (1 - p)

off the summed variance of the contrasts C that are to be known (S: the covariance), in squared
natural logits. All of it is finite at any difference and any score. Formulas: R. A. Bradley
and M. E. Terry 1952; the gain is A-optimal design by the update of Sherman and Morrison.

Ratings that people see do not come from here but from `leaderboard`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import ELO, Z

Floats = NDArray[np.float64]
Counts = NDArray[np.float64]

PRIOR = 500.0
"""Elo of one standard deviation of the belief in an engine that has not played."""

_ROUNDS = 100
_SETTLED = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed of the strengths of some engines."""

    elo: Floats
    """(engines,)"""

    covariance: Floats
    """(engines, engines), Elo squared."""

    def half_widths(self, contrasts: Floats) -> Floats:
        """(contrasts,) half the 95 % interval of each contrast: (contrasts, engines), in Elo."""
        variance = ((contrasts @ self.covariance) * contrasts).sum(axis=1)
        found: Floats = Z * np.sqrt(np.maximum(variance, 0.0))
        return found

    def with_one_more(self, prior: float = PRIOR) -> Belief:
        """The same with an engine that has not played."""
        covariance = np.pad(self.covariance, (0, 1))
        covariance[-1, -1] = prior * prior
        return Belief(np.append(self.elo, 0.0), covariance)


def believe(
    games: Counts, points: Counts, prior: float = PRIOR, before: Belief | None = None
) -> Belief:
    """The belief after `games[i, j]` games between i and j, of which i made `points[i, j]`.

    Both are (engines, engines); games are symmetric, points[i, j] + points[j, i] = games[i, j].
    `before` is an earlier belief in the same engines or the first of them, to start from. Raises
    ValueError for numbers that are no such thing.
    """
    n = len(games)
    if games.shape != (n, n) or points.shape != (n, n):
        raise ValueError(f"games {games.shape} and points {points.shape}: both (n, n)")
    if not (np.allclose(games, games.T) and np.allclose(points + points.T, games)):
        raise ValueError("points of both sides must add up to the games")
    if np.any(points < 0) or not np.all(np.isfinite(games)):
        raise ValueError("games and points are counts: finite, and not below 0")
    weight = (ELO / prior) ** 2
    x = np.zeros(n)
    if before is not None:
        x[: len(before.elo)] = before.elo / ELO
    for _ in range(_ROUNDS):
        p = expected(x[:, None] - x[None, :])
        slope = (points - games * p).sum(axis=1) - weight * x
        w = games * p * (1 - p)
        information = np.diag(w.sum(axis=1) + weight) - w
        step = np.linalg.solve(information, slope)
        gain, scale, value = float(slope @ step), 1.0, _value(points, x, weight)
        if gain < _SETTLED:
            break
        # A whole step overshoots where the curvature here says little of that there.
        while _value(points, x + scale * step, weight) < value + 1e-4 * scale * gain:
            scale /= 2
            if scale < 1e-9:
                break  # no better value in floating point
        x = x + scale * step
    p = expected(x[:, None] - x[None, :])
    w = games * p * (1 - p)
    information = np.diag(w.sum(axis=1) + weight) - w
    covariance: Floats = (ELO * ELO * np.linalg.inv(information)).astype(np.float64)
    return Belief(ELO * x, covariance)


def _value(points: Counts, x: Floats, weight: float) -> float:
    """Logarithm of the belief in some strengths, in natural logits."""
    lost = np.logaddexp(0.0, x[None, :] - x[:, None])
    return -float((points * lost).sum()) - weight * float(x @ x) / 2


def expected(lead: Floats) -> Floats:
    """Expected score at a lead in natural logits; neither 0 nor 1 at any lead that occurs."""
    found: Floats = np.exp(-np.logaddexp(0.0, -lead))
    return found


def gains(belief: Belief, contrasts: Floats) -> Floats:
    """(engines, engines) what one game of each pair takes off the variance of all contrasts.

    A contrast is what is to be known: weights of the engines' strengths, (contrasts, engines). In
    squared natural logits; 0 for an engine with itself.
    """
    s = belief.covariance / (ELO * ELO)
    lead = (belief.elo[:, None] - belief.elo[None, :]) / ELO
    w = np.exp(-np.logaddexp(0.0, lead) - np.logaddexp(0.0, -lead))
    rows = contrasts @ s
    squares = (rows * rows).sum(axis=0)
    away = squares[:, None] + squares[None, :] - 2 * rows.T @ rows  # |C S (e_i - e_j)|^2
    spread = np.diag(s)[:, None] + np.diag(s)[None, :] - 2 * s
    found: Floats = w * np.maximum(away, 0.0) / (1 + w * np.maximum(spread, 0.0))
    np.fill_diagonal(found, 0.0)
    return found


def next_pair(
    gain: Floats,
    may_meet: NDArray[np.bool_],
    open_: Collection[int],
    due: Collection[int],
    played: Sequence[float],
    floor: float,
) -> tuple[int, int] | None:
    """The pair to play next, or None where nobody who is still to be placed may meet anybody.

    `gain` is as `gains` gives it; `may_meet` (engines, engines) is symmetric: who is free, and would play whom. `open_` are those
    who are still to be placed; of `due` among them, whoever has had less than `floor` of an equal
    share of what they have `played` of late comes first, the one who lacks most at the head. The
    gain decides the rest.
    """
    able = [i for i in sorted(open_) if may_meet[i].any()]
    if not able:
        return None
    rows = able
    owed = [i for i in able if i in due]
    if owed:
        total = sum(played[i] for i in due)
        neediest = min(owed, key=lambda i: (played[i], i))
        if total == 0 or played[neediest] < floor * total / len(due):
            rows = [neediest]
    value = np.where(may_meet[rows], gain[rows], -1.0)
    row, other = divmod(int(value.argmax()), value.shape[1])
    return rows[row], other
