"""Rao and Kupper's model of draws, as BayesElo writes it, beside Davidson's.

At a difference d in Elo, with f(x) = 1 / (1 + 10^(-x/400)) and the draw parameter delta
("drawelo"): win f(d - delta), loss f(-d - delta), draw the rest. Sources: R. Coulom,
BayesElo; fishtest, `stat_util.py`.
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
    if not (win > 0 and loss > 0 and win + loss <= 1 + 1e-12 and max(win, loss) < 1):
        raise ValueError(f"win {win} and loss {loss}: both must be over 0, together at most 1")
    return BayesElo(
        elo=200 * math.log10(win / loss * (1 - loss) / (1 - win)),
        drawelo=200 * math.log10((1 - loss) / loss * (1 - win) / win),
    )
