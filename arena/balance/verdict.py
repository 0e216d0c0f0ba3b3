"""Verdicts on variants: balanced, favours a seat, or undecided, over the whole family.

"Balanced" is a claim of its own, shown by two one-sided tests (TOST): every seat's score (with
partners: every party's) lies within a stated margin of 1/2. "Favours seat s" is the claim that the seat scores over
1/2. A variant that shows neither is undecided; one that shows both leans, but by less than
the margin, and is balanced. Every claim of every variant is a hypothesis of one family.

Sources: D. J. Schuirmann 1987 (TOST); R. L. Berger 1982 (intersection-union); P. H. Westfall
and S. S. Young 1993 (max-T); J. Romano and M. Wolf 2005.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from arena.balance.multiple import benjamini_hochberg, benjamini_yekutieli, holm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MARGIN = 0.05
"""Scores from 45 to 55 % count as balanced unless told otherwise: 35 Elo either way."""

LEVEL = 0.05
"""Of the whole family."""

RESAMPLES = 1000
_SEED = 20_250_101


class Balance(StrEnum):
    """What may be said of a variant."""

    BALANCED = "balanced"
    FAVOURS = "favours"
    UNDECIDED = "undecided"
    MIXED = "mixed"
    """Seat and strength are mixed in this cell: it measures no balance."""

    HIDDEN = "hidden"
    """One engine is so much the stronger that no seat could score outside the margin, whatever it is
    worth: these games say nothing of the seats."""


class Correction(StrEnum):
    """How the family of claims is paid for."""

    HOLM = "holm"
    """Chance of any false claim under 5 %."""

    MAX_T = "max-t"
    """The same by simultaneous intervals from a bootstrap of setups: less strict where
    variants are measured on the same deals."""

    BH = "bh"
    """Expected share of false claims under 5 %."""

    BY = "by"
    """The same whatever the dependence."""


@dataclass(frozen=True, slots=True, eq=False)
class SeatMeans:
    """One variant's data."""

    rules_digest: str
    """Cells of the same rules meet the same setups, block by block."""

    block: Ints
    means: Floats
    """(blocks, seats) mean score of each seat or party; 1/2 is even."""

    reach: float = 0.5
    """They cannot lie farther from 1/2 than this."""

    names: tuple[tuple[str, ...], ...] = ()
    """The roles of each party where the columns are parties of partners, not seats."""

    room: float = 0.5
    """Nor, as far apart in strength as the engines are, farther than this."""

    def hides(self, margin: float) -> bool:
        """Whether strength leaves no room for a score outside the margin."""
        return self.room <= margin


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of one variant, the whole family considered."""

    balance: Balance
    seat: int | None
    """The favoured seat that scores most; None where parties are judged."""

    party: tuple[str, ...] | None
    """The roles of the favoured party, where seats have partners."""

    margin: float
    p_balanced: float
    """Adjusted p-value of "some seat lies outside the margin"; NaN under max-T."""

    p_favours: float
    """Adjusted, least over the seats, of "this seat does not score over 1/2"."""

    family: int
    """Variants judged together."""

    correction: Correction


def verdicts(
    cells: Sequence[SeatMeans | None],
    margin: float = MARGIN,
    correction: Correction = Correction.HOLM,
) -> list[Verdict]:
    """The verdict of each variant; None stands for a cell that measures no balance.

    Such cells, and those in which strength hides the seats, are none of the family.
    Raises ValueError for a margin outside (0, 0.5).
    """
    if not 0 < margin < 0.5:
        raise ValueError(f"margin {margin} must be over 0 and under 0.5 (0.05 is 45 to 55 %)")
    judged = [cell for cell in cells if cell is not None and not cell.hides(margin)]
    if correction is Correction.MAX_T:
        found = _by_intervals(judged, margin)
    else:
        found = _by_p_values(judged, margin, correction)
    rest = iter(found)
    mixed = Verdict(Balance.MIXED, None, None, margin, 1.0, 1.0, len(judged), correction)
    hidden = replace(mixed, balance=Balance.HIDDEN)
    return [
        mixed if cell is None else hidden if cell.hides(margin) else next(rest) for cell in cells
    ]


def _by_p_values(
    cells: Sequence[SeatMeans], margin: float, correction: Correction
) -> list[Verdict]:
    claims = [_claims(cell, margin) for cell in cells]
    flat = [p for cell in claims for p in cell]
    match correction:
        case Correction.BH:
            adjusted = benjamini_hochberg(flat)
        case Correction.BY:
            adjusted = benjamini_yekutieli(flat)
        case _:
            # Of a cell's claims (balanced, and one a seat) one at least holds: either all
            # seats are even, and so within the margin, or one scores over 1/2.
            adjusted = holm(flat, most_true=len(flat) - len(cells))
    found, at = [], 0
    for cell, own in zip(cells, claims, strict=True):
        balanced, *favours = adjusted[at : at + len(own)]
        at += len(own)
        shown = [seat for seat, p in enumerate(favours) if p <= LEVEL]
        found.append(
            _verdict(
                cell, balanced <= LEVEL, shown, (margin, balanced, min(favours)), cells, correction
            )
        )
    return found


def _verdict(
    cell: SeatMeans,
    balanced: bool,
    shown: Sequence[int],
    numbers: tuple[float, float, float],
    cells: Sequence[SeatMeans],
    correction: Correction,
) -> Verdict:
    means = cell.means.mean(axis=0)
    seat = max(shown, key=lambda s: float(means[s]), default=None)
    if balanced:
        kind = Balance.BALANCED
    else:
        kind = Balance.UNDECIDED if seat is None else Balance.FAVOURS
    favoured = seat if kind is Balance.FAVOURS else None
    margin, p_balanced, p_favours = numbers
    party = cell.names[favoured] if cell.names and favoured is not None else None
    if cell.names:
        favoured = None
    return Verdict(kind, favoured, party, margin, p_balanced, p_favours, len(cells), correction)


def _claims(cell: SeatMeans, margin: float) -> list[float]:
    """P-values against "balanced" and against "this seat scores over 1/2", seat by seat."""
    leads = list((cell.means - 0.5).T)
    # All seats must lie within both margins: the worst of the tests is a test of all.
    outside = max(_over(sign * lead, -margin, cell.reach) for lead in leads for sign in (1.0, -1.0))
    return [outside, *(_over(lead, 0.0, cell.reach) for lead in leads)]


def _over(values: Floats, bound: float, reach: float) -> float:
    """P-value of "the mean is at most `bound`" for block values in [-reach, reach].

    Student's t, and no less than what blocks of a kind not yet seen allow: a share u of them,
    all at -reach, would bring the mean down to the bound, and none of n blocks is one with
    chance (1 - u)^n. It agrees with the intervals of the tables.
    """
    from scipy.special import stdtr

    n, mean = len(values), float(values.mean()) if len(values) else 0.0
    if n < 2 or mean <= bound:
        return 1.0
    unseen = ((bound + reach) / (mean + reach)) ** n
    error = float(values.std(ddof=1)) / math.sqrt(n)
    student = float(stdtr(n - 1, (bound - mean) / error)) if error > 1e-12 else 0.0
    return max(unseen, student)


def _by_intervals(cells: Sequence[SeatMeans], margin: float) -> list[Verdict]:
    quantile = max_t_quantile(cells)
    found = []
    for cell in cells:
        n = len(cell.block)
        means = cell.means.mean(axis=0)
        error = cell.means.std(axis=0, ddof=1) / math.sqrt(n) if n > 1 else np.full(len(means), 1.0)
        unseen = -math.expm1(math.log(LEVEL / 2 / sum(c.means.shape[1] for c in cells)) / n)
        low = np.minimum(means - quantile * error, means - (means - 0.5 + cell.reach) * unseen)
        high = np.maximum(means + quantile * error, means + (0.5 + cell.reach - means) * unseen)
        balanced = bool((low > 0.5 - margin).all() and (high < 0.5 + margin).all())
        shown = [seat for seat, bound in enumerate(low) if bound > 0.5]
        numbers = (margin, math.nan, math.nan)
        found.append(_verdict(cell, balanced, shown, numbers, cells, Correction.MAX_T))
    return found


def max_t_quantile(cells: Sequence[SeatMeans], resamples: int = RESAMPLES) -> float:
    """How many standard errors make all seats' intervals hold together, 95 %.

    A studentised bootstrap with random signs, one sign a setup, so that cells of the same
    rules keep their dependence. Rounded, so that it cannot depend on the order in which a
    machine adds.
    """
    blocks: dict[str, int] = {}
    for cell in cells:
        last = int(cell.block.max(initial=-1)) + 1
        blocks[cell.rules_digest] = max(last, blocks.get(cell.rules_digest, 0))
    largest = np.zeros(resamples)
    for at, (digest, size) in enumerate(sorted(blocks.items())):
        rng = np.random.Generator(np.random.PCG64([_SEED, at]))
        signs = rng.integers(0, 2, (resamples, size), dtype=np.int8) * 2.0 - 1.0
        for cell in (cell for cell in cells if cell.rules_digest == digest):
            n = len(cell.block)
            away = cell.means - cell.means.mean(axis=0)
            squares = (away**2).sum(axis=0)
            varied = squares > 1e-12
            if n < 2 or not varied.any():
                continue
            mean = signs[:, cell.block] @ away[:, varied] / n
            spread = np.sqrt(np.maximum(squares[varied] - n * mean**2, 1e-12) / (n - 1))
            np.maximum(largest, np.abs(math.sqrt(n) * mean / spread).max(axis=1), out=largest)
    return round(float(np.quantile(largest, 1 - LEVEL)), 6)
