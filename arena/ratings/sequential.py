"""Generalised sequential probability-ratio tests (GSPRT) on blocks.

A block's datum is its score on a ladder of equal steps from 0 to 1: (loss, draw, win) for
single games, (LL, LD, WL+DD, WD, WW) for pairs, 2k + 1 counts for blocks of k games. The
log-likelihood ratio compares the laws of that datum which, under each hypothesis, fit the
counts best: no model of draws, openings or seats comes in.

Sources: M. Van den Bergh, "Comments on normalized Elo" and "The generalized maximum
likelihood ratio for the expectation value of a distribution" (Fishtest documents);
fishtest, `LLRcalc.py`; fastchess, `sprt.cpp`. A. Wald, Sequential Analysis (1947).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import NORMALISED, share_of
from arena.ratings.draws import BayesElo, bayes_elo

Floats = NDArray[np.float64]

EMPTY = 1e-3
"""What an empty cell counts, so that no law puts 0 on what may still be seen."""

SPREAD = 3.0
"""Blocks that it takes for the mean of 1 / spread² to be finite."""

_ROUNDS = 10
"""Rounds towards the law of a given t-value, as in fishtest."""


class Method(StrEnum):
    """How evidence is weighed."""

    GSPRT = "gsprt"
    """By the likelihood ratio of laws that are fitted to all blocks so far."""

    E_PROCESS = "e-process"
    """By bets on each block (`arena.ratings.eprocess`), which nothing is assumed for."""


class Scale(StrEnum):
    """What the two hypotheses are stated in."""

    LOGISTIC = "logistic"
    """Elo of the expected score."""

    NORMALISED = "normalised"
    """Standard deviations of a game, times 347.4356."""

    BAYES = "bayes"
    """BayesElo's, with the draw parameter estimated; single games only."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """H0: the difference is `elo0`; H1: it is `elo1`."""

    elo0: float
    elo1: float
    scale: Scale = Scale.NORMALISED
    alpha: float = 0.05
    """Chance to accept H1 where H0 holds."""

    beta: float = 0.05
    """Chance to accept H0 where H1 holds."""

    def __post_init__(self) -> None:
        """Raise ValueError for hypotheses that no test can tell apart."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"elo0 {self.elo0} must be less than elo1 {self.elo1}, both finite")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                f"alpha {self.alpha} and beta {self.beta} must be over 0 and under 0.5"
            )

    @property
    def lower(self) -> float:
        """At or below this log-likelihood ratio H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above it H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)


def llr(counts: Sequence[float] | Floats, test: Hypotheses) -> float:
    """Log-likelihood ratio of H1 over H0 from the counts of a ladder.

    0 without any block. Raises ValueError for what are no counts of a ladder, and for a
    normalised difference so large that no law on the ladder has it.
    """
    return float(llrs(np.asarray(counts, dtype=np.float64)[None, :], test)[0])


def llrs(counts: Floats, test: Hypotheses) -> Floats:
    """`llr` of each row of (n, cells) counts."""
    cells = counts.shape[-1]
    if counts.ndim != 2 or cells < 3 or cells % 2 == 0 or not (counts >= 0).all():
        raise ValueError(f"counts of shape {counts.shape}: expected rows of 2k + 1, none negative")
    if test.scale is Scale.BAYES:
        return _bayes(counts, test)
    return ladder_llrs(counts, (cells - 1) // 2, test)


def ladder_llrs(counts: Floats, games: int, test: Hypotheses) -> Floats:
    """`llrs` of blocks of `games` games on a ladder of any number of equal steps.

    With more than two seats a game's score has more steps than loss, draw and win.
    """
    ladder = np.linspace(0, 1, counts.shape[1])
    if test.scale is Scale.LOGISTIC:
        return llrs_of_mean(counts, ladder, share_of(test.elo0), share_of(test.elo1))
    unit = NORMALISED / math.sqrt(games)
    return _ratio(counts, *(_law_of_t(counts, ladder, e / unit) for e in (test.elo0, test.elo1)))


def decided_llrs(counts: Floats, games: int, test: Hypotheses) -> Floats:
    """`ladder_llrs` as a test that stops takes them: less three parts in n, of n blocks.

    Where H1 holds, the inverse of a likelihood ratio has the mean 1; that is why a test errs no more
    often than it says. This ratio goes by the blocks' own spread, and its inverse has a mean of
    1.03 or more for some fifty pairs. Of normal scores 1 / spread² is n / (n - 3) times too large on
    average; less that, the mean is 1 or under on ladders too. Among thousands it is nothing.
    """
    blocks = np.maximum(counts.sum(axis=1), SPREAD)
    found: Floats = ladder_llrs(counts, games, test) * (1 - SPREAD / blocks)
    return found


def llrs_of_mean(counts: Floats, support: Floats, mean0: float, mean1: float) -> Floats:
    """The ratio for the mean of any datum that takes finitely many values.

    `counts` are (n, cells), `support` the rising (cells,) values. For what has no
    ladder of equal steps, such as the mean share of an engine at a table of four.
    Raises ValueError for a mean that no law on the support has.
    """
    if not (support[0] < mean0 < support[-1] and support[0] < mean1 < support[-1]):
        raise ValueError(
            f"means {mean0} and {mean1} must lie between {support[0]} and {support[-1]}"
        )
    shares = _shares(counts)
    return _ratio(counts, *(nearest_law(shares, support - mean) for mean in (mean0, mean1)))


def _shares(counts: Floats) -> Floats:
    filled = np.where(counts > 0, counts, EMPTY)
    shares: Floats = filled / filled.sum(axis=1, keepdims=True)
    return shares


def _ratio(counts: Floats, law0: Floats, law1: Floats) -> Floats:
    filled = np.where(counts > 0, counts, EMPTY)
    found: Floats = (filled * np.log(law1 / law0)).sum(axis=1)
    return np.where(counts.sum(axis=1) > 0, found, 0.0)


def nearest_law(shares: Floats, lead: Floats) -> Floats:
    """The law nearest to `shares` under which `lead` has mean 0: shares / (1 + theta lead).

    Newton's method, held in the bracket of the one root of a falling function.
    """
    lead = np.broadcast_to(lead, shares.shape)
    least, most = lead.min(axis=1), lead.max(axis=1)
    if not ((least < 0) & (most > 0)).all():
        raise ValueError("the hypotheses lie beyond what scores on this ladder can show")
    first, last = -1 / most, -1 / least
    low, high = first.copy(), last.copy()
    theta = np.zeros(len(shares))
    on = np.arange(len(shares))
    for _ in range(200):
        at, way = theta[on], lead[on]
        pull = way / (1 + at[:, None] * way)
        part = shares[on] * pull
        slope, bend = part.sum(axis=1), (part * pull).sum(axis=1)
        low[on] = np.where(slope > 0, at, low[on])
        high[on] = np.where(slope > 0, high[on], at)
        # Rounding would throw what is there out of the bracket, and it would begin anew.
        away = np.abs(slope / bend) > 1e-13 * (1 + np.abs(at))
        if not away.any():
            break
        on, at, step = on[away], at[away], (slope / bend)[away]
        # A step that rounding lets fall on an end, where a weight has its pole, would find the
        # next ones as small as the last digit and take the end for the root.
        step = np.clip(at + step, at + 0.99 * (first[on] - at), at + 0.99 * (last[on] - at))
        inside = (step > low[on]) & (step < high[on])
        theta[on] = np.where(inside, step, (low[on] + high[on]) / 2)
    law: Floats = shares / (1 + theta[:, None] * lead)
    return law


def _law_of_t(counts: Floats, ladder: Floats, t: float) -> Floats:
    """The law nearest to the counts whose mean lies `t` standard deviations over a half."""
    shares = _shares(counts)
    law = np.full_like(shares, 1 / len(ladder))
    for _ in range(_ROUNDS):
        mean = law @ ladder
        away = ladder - mean[:, None]
        sd = np.sqrt((law * away**2).sum(axis=1))[:, None]
        before = law
        law = nearest_law(shares, ladder - 0.5 - 0.5 * t * sd * (1 + (away / sd) ** 2))
        if np.abs(law - before).max(initial=0.0) < 1e-9:
            break
    return law


def _bayes(counts: Floats, test: Hypotheses) -> Floats:
    if counts.shape[1] != 3:
        raise ValueError("BayesElo is a model of single games: expected losses, draws, wins")
    ladder, found = np.linspace(0, 1, 3), np.zeros(len(counts))
    for i, (loss, draw, win) in enumerate(counts):
        # Without a win or a loss nothing tells the draw parameter.
        if loss > 0 and win > 0:
            n = loss + max(draw, EMPTY) + win
            drawelo = bayes_elo(win / n, loss / n).drawelo
            means = (BayesElo(e, drawelo).chances().score for e in (test.elo0, test.elo1))
            found[i] = llrs_of_mean(counts[i : i + 1], ladder, *means)[0]
    return found


def check_pairs(wins: int, draws: int, losses: int, pairs: Sequence[int]) -> None:
    """Raise ValueError unless counts of games and of pairs can be of the same games.

    `pairs` are (LL, LD, WL+DD, WD, WW). Typing errors and lost halves show here.
    """
    if len(pairs) != 5 or min(pairs) < 0 or min(wins, draws, losses) < 0:
        raise ValueError(f"pairs {list(pairs)}: expected LL, LD, WL+DD, WD, WW, none negative")
    games = wins + draws + losses
    if games != 2 * sum(pairs):
        raise ValueError(f"{sum(pairs)} pairs are {2 * sum(pairs)} games, not {games}")
    lead = 2 * (pairs[4] - pairs[0]) + pairs[3] - pairs[1]
    if wins - losses != lead:
        raise ValueError(f"wins less losses are {lead} by pairs, {wins - losses} by games")
    drawn_twice = draws - pairs[1] - pairs[3]
    if drawn_twice % 2 or not 0 <= drawn_twice <= 2 * pairs[2]:
        raise ValueError(
            f"{draws} draws do not fit: {pairs[1] + pairs[3]} pairs hold one, "
            f"{pairs[2]} hold none or two"
        )
