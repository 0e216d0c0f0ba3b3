"""Two laws of win, draw and loss at a difference in strength: Davidson's, Rao and Kupper's.

Both have one draw parameter, written here as a `t` in natural log units at which each of the
log chances is concave in (difference, t): a likelihood of them has one maximum. At a
difference u, with f the logistic function:

- Davidson: win : draw : loss = exp(u/2) : nu : exp(-u/2), t = log nu.
- Rao and Kupper: win f(u - d), loss f(-u - d), draw the rest, which is
  (exp(2d) - 1) win loss; t = log(exp(2d) - 1). BayesElo's "drawelo" is d in Elo.

Sources: Davidson 1970; Rao and Kupper 1967; R. Coulom, BayesElo.
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import ELO

Floats = NDArray[np.float64]


class DrawLaw(StrEnum):
    """How draws come in. All methods take differences and parameters in log units."""

    DAVIDSON = "davidson"
    RAO_KUPPER = "rao-kupper"

    @property
    def centre(self) -> float:
        """The `t` of the prior: equals draw half of their games."""
        return math.log(2) if self is DrawLaw.DAVIDSON else math.log(8)

    def log_chances(self, u: Floats, t: Floats) -> Floats:
        """(3, n) logs of win, draw and loss of the first of two."""
        if self is DrawLaw.DAVIDSON:
            logits = np.stack([u / 2, t + 0 * u, -u / 2])
            davidson: Floats = logits - _log_sum(logits)
            return davidson
        d = np.logaddexp(0, t) / 2
        win, loss = -np.logaddexp(0, d - u), -np.logaddexp(0, d + u)
        rao_kupper: Floats = np.stack([win, t + win + loss, loss])
        return rao_kupper

    def chances(self, u: Floats, t: Floats) -> Floats:
        """(3, n) chances of win, draw and loss."""
        found: Floats = np.exp(self.log_chances(u, t))
        return found

    def slopes(self, u: Floats, t: Floats) -> Floats:
        """(3, 2, n) first derivatives of the log chances by u and t."""
        if self is DrawLaw.DAVIDSON:
            win, draw, loss = self.chances(u, t)
            features = np.array([[0.5, 0.0, -0.5], [0.0, 1.0, 0.0]])
            mean = np.stack([(win - loss) / 2, draw])
            found: Floats = features.T[:, :, None] - mean[None]
            return found
        a, b, by_t, _ = self._tails(u, t)
        win = np.stack([a, -a * by_t])
        loss = np.stack([-b, -b * by_t])
        draw = win + loss
        draw[1] += 1
        return np.stack([win, draw, loss])

    def bends(self, u: Floats, t: Floats) -> Floats:
        """(3, 3, n) second derivatives of the log chances: by uu, ut and tt."""
        if self is DrawLaw.DAVIDSON:
            win, draw, loss = self.chances(u, t)
            lead = (win - loss) / 2
            same = np.stack(
                [lead**2 - (win + loss) / 4, lead * draw, -draw * (1 - draw)],
            )
            return np.broadcast_to(same, (3, *same.shape))
        a, b, by_t, by_tt = self._tails(u, t)
        win = np.stack([-a * (1 - a), a * (1 - a) * by_t, -a * (1 - a) * by_t**2 - a * by_tt])
        loss = np.stack([-b * (1 - b), -b * (1 - b) * by_t, -b * (1 - b) * by_t**2 - b * by_tt])
        return np.stack([win, win + loss, loss])

    def slope(self, t: float) -> float:
        """Slope of the expected score at equality, as a share of the logistic curve's.

        Ratings times this are on the usual Elo scale for small differences: 2 / (2 + nu), and
        4y / (1 + y)^2 with y = exp(-d).
        """
        if self is DrawLaw.DAVIDSON:
            return 2 / (2 + math.exp(t))
        y = math.exp(-float(np.logaddexp(0, t)) / 2)
        return 4 * y / (1 + y) ** 2

    def parameter(self, t: float) -> float:
        """The draw parameter as it is usually written: Davidson's nu, or drawelo in Elo."""
        return math.exp(t) if self is DrawLaw.DAVIDSON else ELO * float(np.logaddexp(0, t)) / 2

    @staticmethod
    def _tails(u: Floats, t: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Chances not to win and not to lose, and the derivatives of d by t."""
        d = np.logaddexp(0, t) / 2
        sharp = 1 / (1 + np.exp(-t))
        return (
            1 / (1 + np.exp(np.clip(u - d, -700, 700))),
            1 / (1 + np.exp(np.clip(-u - d, -700, 700))),
            sharp / 2,
            sharp * (1 - sharp) / 2,
        )


def _log_sum(logits: Floats) -> Floats:
    most = logits.max(axis=0)
    found: Floats = most + np.log(np.exp(logits - most).sum(axis=0))
    return found
