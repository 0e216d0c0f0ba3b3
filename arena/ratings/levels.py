"""How much what moving first is worth depends on strength.

The worths at the strengths of a rulebook, each estimated by itself, scatter because estimates err and
because they differ. By how much they differ has a law of its own, given the estimates: all spreads up to
400 Elo are as likely beforehand. Sources: R. E. Kass and D. Steffey 1989 (strengths around a mean
that is itself unknown); R. DerSimonian and N. Laird 1986 (the test's sum of squares).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import CONFIDENCE, ELO, Interval

Floats = NDArray[np.float64]

_GRID = np.linspace(0.0, 400 / ELO, 801)
"""Spreads that are looked at."""


class Worths(NamedTuple):
    """What seat 0 is worth at each strength of one rulebook, in natural log units."""

    values: Floats
    covariance: Floats
    """By setup: all strengths meet the same openings."""

    weights: Floats
    """One over the variances by the information: errors by setup are themselves unsure where a
    strength has few of them."""


@dataclass(frozen=True, slots=True)
class Levels:
    """How strengths differ in what moving first is worth."""

    freedom: int
    """Strengths over one for each rulebook."""

    variance: float
    """Mean of the squared spread: more than most spreads that are likely, so that a strength leans on
    the others no more than is known."""

    spread: Interval
    """Standard deviation between strengths of a rulebook, its median and the 95 % around it."""

    p_value: float
    """Of "one worth for all strengths of a rulebook"."""


def compare(rulebooks: Sequence[Worths], setups: int) -> Levels | None:
    """Hold the strengths of each rulebook against each other; None where none has two.

    `setups` is how many independent ones the covariances come from.
    """
    met = [own for own in rulebooks if len(own.values) > 1]
    if not met:
        return None
    chance = np.exp(_log_likelihood(met))
    chance /= chance.sum()
    below = np.cumsum(chance) - chance / 2
    tail = (1 - CONFIDENCE) / 2
    low, middle, high = np.interp([tail, 0.5, 1 - tail], below, _GRID).tolist()
    return Levels(
        freedom=sum(len(own.values) - 1 for own in met),
        variance=float(chance @ _GRID**2),
        spread=Interval(middle, low, high),
        p_value=_p_value(met, setups),
    )


def _log_likelihood(rulebooks: Sequence[Worths]) -> Floats:
    """(spreads,) of the estimates' scatter around each rulebook's mean, whatever that is."""
    found = np.zeros(len(_GRID))
    for own in rulebooks:
        values, axes = np.linalg.eigh(own.covariance)
        # Along these axes errors are independent.
        variance = np.maximum(values, 1e-9)[None, :] + (_GRID**2)[:, None]
        one, seen = axes.sum(axis=0), axes.T @ own.values
        known = (one**2 / variance).sum(axis=1)
        mean = (one * seen / variance).sum(axis=1) / known
        away = seen[None, :] - mean[:, None] * one[None, :]
        found -= (np.log(variance).sum(axis=1) + np.log(known)) / 2
        found -= (away**2 / variance).sum(axis=1) / 2
    least: Floats = found - found.max()
    return least


def _p_value(rulebooks: Sequence[Worths], setups: int) -> float:
    from scipy.special import fdtrc

    seen, chance, square = 0.0, 0.0, 0.0
    for own in rulebooks:
        weights = own.weights
        off = np.diag(weights) - np.outer(weights, weights) / weights.sum()
        moved = off @ own.covariance
        seen += float(own.values @ off @ own.values)
        chance += float(np.trace(moved))
        square += float((moved * moved.T).sum())
    # By chance a mixture of chi-squares: one with as much mean and spread stands for it.
    return float(fdtrc(chance**2 / square, max(1, setups - 1), seen / chance))
