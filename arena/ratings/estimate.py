"""What may be said of a difference once a sequential test has stopped.

The score of a test that stopped is biased by the stop. Outcomes are put in order, from the
earliest acceptance of H0 to the earliest of H1 (D. Siegmund, Sequential Analysis, 1985); the
estimate is the difference under which half of all outcomes lie on either side of what happened.

The chances of outcomes come from a walk with normal steps between the two bounds of *this*
test, taken stage by stage (P. Armitage, C. McPherson and B. Rowe, JRSS A 132, 1969). Those
bounds are no straight lines: few blocks leave kinds of blocks unseen, which either hypothesis
may put weight on, so that the ratio cannot reach its bound however good the scores are. Where
tests are short that decides when most of them stop.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import NORMALISED, Interval, elo_of, normal_cdf, share_of, t_quantile
from arena.ratings.eprocess import expected_evidence, signed
from arena.ratings.sequential import EMPTY, SPREAD, Hypotheses, Method, Scale, decided_llrs

Floats = NDArray[np.float64]

_STAGES = 200
"""Looks beyond which several are taken as one."""

_CHERNOFF = 0.5826
"""A walk looked at in steps of standard deviation s hits a bound as one looked at all the time
hits it 0.5826 s further out (H. Chernoff, 1965; D. Siegmund, 1979)."""

_REACH = 8.0
"""Standard deviations of the walk beyond which nothing is followed."""

_SLOWEST = 12.0
"""Standard deviations of the lead below it; no walk is followed whose drift is further from it."""


@dataclass(frozen=True, slots=True, eq=False)
class Stopped:
    """A test that has stopped, and on what."""

    test: Hypotheses
    counts: Floats
    """(cells,) blocks by score."""

    games: int
    """Games of a block."""

    batch: int
    """Blocks between two looks."""

    lower: float
    upper: float
    """The bounds at the stop, corrected for overshoot."""

    accepted: bool
    """Whether H1 was accepted."""

    method: Method = Method.GSPRT
    capital: float = 0.0
    """Of an e-process the logarithm of the capital that reached its bound."""


def after_stop(stopped: Stopped) -> Interval | None:
    """Median-unbiased estimate and 95 % interval, on the scale of the hypotheses.

    The spread of a block's score is that of the blocks, so that Student's quantile takes the
    place of the normal one. None where the blocks do not vary, and where they lie on the other
    side of the middle than the hypothesis that was accepted: both capitals of an e-process grow
    where what is true is far from either hypothesis, and the order of outcomes knows no such stop.
    """
    line = _Line.of(stopped)
    if line is None or (line.lead > 0) is not stopped.accepted:
        return None
    looks, batch = round(line.blocks) // stopped.batch, float(stopped.batch)
    stages = min(looks, _STAGES)
    stride = line.blocks / stages
    times = stride * np.arange(1, stages + 1, dtype=np.float64)
    down, up = _bounds(stopped, line, times)
    # Straight where the next look is the next stage; else what is between them is made up for.
    inward = _CHERNOFF * (math.sqrt(stride) - math.sqrt(batch))
    down, up = np.minimum(down + inward, -1e-9), np.maximum(up - inward, 1e-9)
    sign = 1 if stopped.accepted else -1
    near, far = (up, -down) if stopped.accepted else (-down, up)
    unit = 1 / math.sqrt(line.blocks)
    fast = sign * line.lead
    # Where hypotheses are close and scores far from them, what has no drift is out of sight.
    slow = fast - min(max(fast, -_SLOWEST * unit), _SLOWEST * unit)
    passage = _Passage(near, far, stride, (slow + fast) / 2, slow)
    at = sign * line.blocks * line.lead - (inward if looks > stages else 0.0)

    def beyond(drift: float) -> float:
        return passage.beyond(at, drift)

    tail = normal_cdf(-t_quantile(round(line.blocks) - 1))
    found = sorted(line.elo(sign * _solve(beyond, p, unit, slow)) for p in (tail, 0.5, 1 - tail))
    return Interval(found[1], found[0], found[2])


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Where the walk is: its drift in standard deviations of a block over what has drift 0."""

    test: Hypotheses
    blocks: float
    ladder: Floats
    law: Floats
    """Of the blocks, with what an empty cell counts."""

    sd: float
    unit: float
    """What a standard deviation of a block is in Elo, on the normalised scale."""

    middle: float
    """A mean on the logistic scale, standard deviations over a half on the normalised one."""

    lead: float
    """Of the blocks that stopped the test."""

    @classmethod
    def of(cls, stopped: Stopped) -> _Line | None:
        test, counts = stopped.test, stopped.counts
        blocks = float(counts.sum())
        ladder = np.linspace(0, 1, len(counts))
        mean = float(counts @ ladder) / blocks
        # As `decided_llrs` has it: tests stop sooner where the spread comes out small.
        sd = math.sqrt(float(counts @ (ladder - mean) ** 2) / max(1.0, blocks - SPREAD))
        if sd <= 0:
            return None
        # Of hundreds of cells all empty ones together count no more than those of a few.
        filled = np.maximum(counts, EMPTY * min(1.0, _FEW / len(counts)))
        unit = NORMALISED / math.sqrt(stopped.games)
        if test.scale is Scale.NORMALISED:
            middle = (test.elo0 + test.elo1) / 2 / unit
            lead = (mean - 0.5) / sd - middle
        else:
            middle = (share_of(test.elo0) + share_of(test.elo1)) / 2
            lead = (mean - middle) / sd
        return cls(test, blocks, ladder, filled / filled.sum(), sd, unit, middle, lead)

    def elo(self, drift: float) -> float:
        if self.test.scale is Scale.NORMALISED:
            return (self.middle + drift) * self.unit
        return elo_of(self.middle + drift * self.sd)

    def leads(self, laws: Floats) -> Floats:
        """Of each law, as `lead` of the blocks."""
        means = laws @ self.ladder
        if self.test.scale is not Scale.NORMALISED:
            return (means - self.middle) / self.sd
        spread = np.sqrt(np.maximum((laws * (self.ladder - means[:, None]) ** 2).sum(axis=1), 0))
        found: Floats = (means - 0.5) / np.maximum(spread, 1e-9) - self.middle
        return found

    def tilted(self, tilts: Floats) -> Floats:
        """The law of the blocks with weights e^(tilt score)."""
        power = tilts[:, None] * self.ladder
        laws = self.law * np.exp(power - power.max(axis=1, keepdims=True))
        found: Floats = laws / laws.sum(axis=1, keepdims=True)
        return found


_LAWS = 48
_KNOTS = 24

_FEW = 13
"""Cells of a block of six."""

_UNSEEN = math.log(2)
"""Of a kind of block that so many are expected of, half of all tests have seen none."""


def _bounds(stopped: Stopped, line: _Line, times: Floats) -> tuple[Floats, Floats]:
    """The walk at which the test stops, at each time; infinite where no score stops it.

    At a few times, for laws that lean ever more to one side, the ratio is what the test would
    say of so many blocks of that law; what reaches the bound is interpolated.
    """
    first, last = float(times[0]), float(times[-1])
    knots = np.geomspace(first, last, min(_KNOTS, len(times)))
    steps = len(line.ladder) - 1

    def lead_at(tilt: float) -> float:
        return float(line.leads(line.tilted(np.array([tilt])))[0])

    centre = _root(lead_at, -40.0 * steps, 40.0 * steps)
    found = []
    for sign, bound in ((-1, -stopped.lower), (1, stopped.upper)):
        bars = np.full(len(knots), bound)
        if stopped.method is Method.E_PROCESS and stopped.accepted is (sign > 0):
            bars = np.maximum(bound - _luck(stopped, knots) * knots / last, bound / 10)
        # Weak enough for the last look, strong enough for any.
        tilts = np.geomspace(0.05 * abs(bound) / (last * line.sd), 8.0 * steps, _LAWS)
        laws = line.tilted(centre + sign * tilts)
        leads = np.maximum.accumulate(sign * line.leads(laws))
        ratios = np.maximum.accumulate(sign * _said(stopped, laws, knots), axis=1)
        at = np.array(
            [
                np.interp(bar, row, leads) if row[-1] >= bar else np.inf
                for bar, row in zip(bars, ratios, strict=True)
            ]
        )
        ever = np.isfinite(at)
        reached = np.full(len(times), np.inf)
        if ever.any():
            late = times >= knots[ever][0] * (1 - 1e-9)
            reached[late] = times[late] * np.interp(
                np.log(times[late]), np.log(knots[ever]), at[ever]
            )
        found.append(sign * reached)
    return found[0], found[1]


def _said(stopped: Stopped, laws: Floats, knots: Floats) -> Floats:
    """(knots, laws) what the test says of so many blocks of each law."""
    if stopped.method is Method.E_PROCESS:
        return signed(expected_evidence(laws, knots, stopped.test))
    counts = (knots[:, None, None] * laws).reshape(-1, laws.shape[1])
    # More likely than not there is none of them yet.
    counts[counts < _UNSEEN] = EMPTY
    return decided_llrs(counts, stopped.games, stopped.test).reshape(len(knots), -1)


def _luck(stopped: Stopped, knots: Floats) -> float:
    """What the capital is over that which such blocks bring on average, in any order.

    Bets depend on the blocks before: it stands in the bounds as though it had come in evenly.
    At the same `knots` as those: between fewer of them growth is not straight.
    """
    law = (stopped.counts / stopped.counts.sum())[None, :]
    usual = expected_evidence(law, knots, stopped.test)[-1, 0]
    return stopped.capital - float(usual[0 if stopped.accepted else 1])


class _Passage:
    """A walk with normal steps between bounds: where it is at each stage, if not yet out.

    Followed once, with the drift `course`; the density of a path with drift d is
    e^((d - course) w - (d² - course²) t / 2) times that.
    """

    def __init__(
        self, near: Floats, far: Floats, stride: float, course: float = 0.0, slow: float = 0.0
    ) -> None:
        """Bounds at +near and -far at each stage, `stride` in time apart.

        Good for drifts from about `slow` to as far on the other side of `course`.
        """
        self._near, self._stride, self._course = near, stride, course
        step = math.sqrt(stride)
        points, weights = np.zeros(1), np.ones(1)
        at, mass, stage = [points], [weights], [np.zeros(1, dtype=np.int64)]
        for i in range(len(near) - 1):
            time = stride * (i + 1)
            ends, reach = (slow * time, (2 * course - slow) * time), _REACH * math.sqrt(time)
            low = max(-float(far[i]), min(ends) - reach)
            high = max(low + step, min(float(near[i]), max(ends) + reach))
            node, weight = _gauss(_nodes((high - low) / step))
            fresh = low + (high - low) * (node + 1) / 2
            away = fresh[:, None] - points - course * stride
            density = np.exp(-(away**2) / (2 * stride)) @ weights
            weights = density * weight * (high - low) / 2 / (step * math.sqrt(2 * math.pi))
            points = fresh
            at.append(points)
            mass.append(weights)
            stage.append(np.full(len(points), i + 1))
        self._at, self._stage = np.concatenate(at), np.concatenate(stage)
        self._log_mass = np.log(np.maximum(np.concatenate(mass), 1e-300))

    def beyond(self, at: float, drift: float) -> float:
        """Chance to leave at +near before the last stage, or to be over `at` there as well."""
        from scipy.special import log_ndtr

        bar = self._near.copy()
        bar[-1] = max(at, bar[-1]) if math.isfinite(bar[-1]) else at
        time = self._stage * self._stride
        gap = (self._at + drift * self._stride - bar[self._stage]) / math.sqrt(self._stride)
        more = (drift - self._course) * (self._at - (drift + self._course) * time / 2)
        logs = self._log_mass + more + log_ndtr(gap)
        return min(1.0, float(np.exp(np.minimum(logs, 0.0)).sum()))


@lru_cache(maxsize=64)
def _gauss(points: int) -> tuple[Floats, Floats]:
    """Gauss and Legendre's nodes and weights on [-1, 1]."""
    from scipy.special import roots_legendre

    nodes, weights = roots_legendre(points)
    return nodes, weights


def _nodes(width: float) -> int:
    """Quadrature points for a density that is smooth over 1; a few sizes, that they are kept."""
    return 8 * (2 + math.ceil(2.2 * width / 8))


def _solve(beyond: Callable[[float], float], level: float, unit: float, near: float) -> float:
    """The drift at which so much lies beyond."""
    # In small steps: walks are followed for a few units beyond what happened, and no further.
    reach = unit
    while not beyond(near - reach) < level < beyond(near + reach) and reach < 200 * unit:
        reach += 2 * unit
    return _root(lambda drift: beyond(drift) - level, near - reach, near + reach)


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where it crosses 0, or the end that is nearest to that."""
    from scipy.optimize import brentq

    if rising(low) >= 0:
        return low
    if rising(high) <= 0:
        return high
    return float(brentq(rising, low, high, xtol=1e-9))
