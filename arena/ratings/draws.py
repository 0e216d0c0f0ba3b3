"""The two laws of draws for a given difference, and back: Rao and Kupper's, Davidson's.

At a difference d in Elo, with f(x) = 1 / (1 + 10^(-x/400)) and the draw parameter delta
("drawelo"), Rao and Kupper (BayesElo) have win f(d - delta), loss f(-d - delta), draw the rest;
Davidson win : draw : loss = g : nu sqrt(g) : 1 with g = 10^(d/400), so that equals draw
nu / (2 + nu) of their games. Where somebody moves first, d has what that is worth in it.
Sources: R. Coulom, BayesElo; fishtest, `stat_util.py`; M. A. Ballicora, Ordo, whose
W L = phi^2 D^2 is Davidson with nu = 1 / phi. `draw_laws` holds both as the fits take them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from arena.ratings.blocks import share_of


class Chances(NamedTuple):
    """Win, draw and loss of the first of two."""

    win: float
    draw: float
    loss: float

    @property
    def score(self) -> float:
        """Expected score."""
        return self.win + self.draw / 2


class BayesElo(NamedTuple):
    """A difference and the draw parameter, on BayesElo's unscaled scale."""

    elo: float
    drawelo: float

    def chances(self) -> Chances:
        """What the model expects."""
        win, loss = share_of(self.elo - self.drawelo), share_of(-self.elo - self.drawelo)
        return Chances(win, 1 - win - loss, loss)

    @property
    def scale(self) -> float:
        """What BayesElo multiplies its ratings by to print them: 4y / (1 + y)^2."""
        y = 10 ** (-self.drawelo / 400)
        return 4 * y / (1 + y) ** 2


def bayes_elo(win: float, loss: float) -> BayesElo:
    """The difference and draw parameter that expect these shares: the inverse of `chances`.

    Raises ValueError unless both are over 0 and together at most 1: a side that never won
    or never lost has no finite difference.
    """
    _check_shares(win, loss)
    return BayesElo(
        elo=200 * math.log10(win / loss * (1 - loss) / (1 - win)),
        drawelo=200 * math.log10((1 - loss) / loss * (1 - win) / win),
    )


class Davidson(NamedTuple):
    """A difference in Elo and the draw parameter nu."""

    elo: float
    nu: float

    def chances(self) -> Chances:
        """What the model expects."""
        half = self.elo / 800 * math.log(10)
        most = abs(half)
        win, draw, loss = math.exp(half - most), self.nu * math.exp(-most), math.exp(-half - most)
        total = win + draw + loss
        return Chances(win / total, draw / total, loss / total)

    @property
    def scale(self) -> float:
        """Slope of the score at equality over the logistic curve's: 2 / (2 + nu)."""
        return 2 / (2 + self.nu)


def davidson(win: float, loss: float) -> Davidson:
    """The difference and draw parameter that expect these shares. Raises as `bayes_elo`."""
    _check_shares(win, loss)
    return Davidson(
        elo=400 * math.log10(win / loss),
        nu=max(0.0, 1 - win - loss) / math.sqrt(win * loss),
    )


def _check_shares(win: float, loss: float) -> None:
    if not (win > 0 and loss > 0 and win + loss <= 1 + 1e-12 and max(win, loss) < 1):
        raise ValueError(f"win {win} and loss {loss}: both must be over 0, together at most 1")
