"""Settings worth a try: what the fitted effects expect of combinations that nobody played.

Numbers need not be values met: where a line through a setting's numbers fits the cells, it says what
to expect between them, and, with three numbers or more, up to half of their range beyond. Beyond the
range nobody knows whether the line goes on; the interval there holds both answers, that it does
and that the effect ends with the last number met. Candidates are ranked by the worst that
their interval allows, so that a bold guess comes behind a sure one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice, product
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena.ratings.blocks import Interval

Floats = NDArray[np.float64]

_PROPOSALS = 3
_NUMBERS = 24
"""New numbers of one setting that are looked at."""

_MOST = 20_000
_TRIED = 300
"""Combinations whose rules are tried, the best first."""

_ENOUGH = 0.05
"""P-value under which a line through the numbers does not fit."""


class Reach(IntEnum):
    """How far a combination is from what was played; the later, the more is taken on trust."""

    PLAYED = 0
    COMBINED = 1
    """Values that were met, not together."""

    BETWEEN = 2
    """A number between those met."""

    BEYOND = 3
    """A number outside of those met: extrapolation."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A combination of settings and the mean that is expected of it."""

    settings: tuple[tuple[str, str], ...]
    score: Interval
    reach: Reach

    @property
    def played(self) -> bool:
        """Whether cells of it were played."""
        return self.reach is Reach.PLAYED


@dataclass(frozen=True, slots=True)
class Factor:
    """Settings that vary together, and what they are in each cell."""

    name: str
    values: tuple[str, ...]
    """In plan order; the first is what the others are held against."""

    at: tuple[int, ...]
    """(cells,) index into `values`."""

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The values as whole numbers; None where one is none."""
        try:
            return tuple(map(int, self.values))
        except ValueError:
            return None


class Fit(Protocol):
    """A regression of the cells' means on a design."""

    def knows(self, contrast: Floats) -> bool:
        """Whether a combination of its parameters can be estimated."""
        ...

    def of(self, contrast: Floats) -> tuple[Interval, float]:
        """Its estimate."""
        ...

    def lack_of_fit(self) -> float:
        """P-value of the model; NaN where nothing is left to test it."""
        ...


Valid = Callable[[Mapping[str, str]], bool]
"""Whether the rules take these values of settings, given as text."""


def worth_a_try(
    factors: Sequence[Factor], even: float, fit: Callable[[Floats], Fit], valid: Valid
) -> list[Proposal]:
    """Combinations not played that are expected closest to `even`, the best first."""
    lines = [f for f in range(len(factors)) if _is_line(factors, f, fit)]
    model = _Model(factors, lines)
    fitted = fit(model.design())
    if lines and fitted.lack_of_fit() <= _ENOUGH:  # each by itself fits, all together do not
        model = _Model(factors, [])
        fitted = fit(model.design())
    played = set(zip(*(factor.at for factor in factors), strict=True))
    found: list[tuple[float, Proposal]] = []
    for choice in model.choices():
        reach = model.reach(choice, played)
        row = model.row(choice)
        if reach is Reach.PLAYED or not fitted.knows(row):
            continue
        score, _ = fitted.of(row)
        if reach is Reach.BEYOND:
            ended, _ = fitted.of(model.row(model.clamped(choice)))
            low, high = min(score.low, ended.low), max(score.high, ended.high)
            score = Interval(score.value, low, high)
        worst = max(abs(score.low - even), abs(score.high - even))
        found.append((worst, Proposal(model.named(choice), score, reach)))
    found.sort(key=lambda each: (round(each[0], 9), each[1].reach, each[1].settings))
    allowed = (p for _, p in found[:_TRIED] if valid(dict(p.settings)))
    return list(islice(allowed, _PROPOSALS))


def _is_line(factors: Sequence[Factor], f: int, fit: Callable[[Floats], Fit]) -> bool:
    numbers = factors[f].numbers
    if numbers is None:
        return False
    # Two numbers lie on a line always: between them it is taken on trust.
    return len(numbers) == 2 or not fit(_Model(factors, [f]).design()).lack_of_fit() <= _ENOUGH


Choice = tuple[int | float, ...]
"""Of each factor an index into its values, or a new number of a line as a float."""


class _Model:
    """Effects of values, and slopes of the factors that are lines."""

    def __init__(self, factors: Sequence[Factor], lines: Sequence[int]) -> None:
        self.factors = factors
        self.lines = frozenset(lines)

    def design(self) -> Floats:
        cells = zip(*(factor.at for factor in self.factors), strict=True)
        return np.array([self.row(choice) for choice in cells])

    def row(self, choice: Choice) -> Floats:
        found = [1.0]
        for f, (factor, chosen) in enumerate(zip(self.factors, choice, strict=True)):
            if f in self.lines:
                numbers = self._numbers(f)
                at = chosen if isinstance(chosen, float) else numbers[chosen]
                found.append((at - numbers[0]) / (max(numbers) - min(numbers)))
            else:
                found += [float(chosen == value) for value in range(1, len(factor.values))]
        return np.array(found)

    def choices(self) -> Iterator[Choice]:
        """All combinations; where they are too many, one new number at a time, or none."""
        met: list[list[int | float]] = [list(range(len(factor.values))) for factor in self.factors]
        new = {f: self._new_numbers(f) for f in sorted(self.lines)}
        whole = [own + new.get(f, []) for f, own in enumerate(met)]
        if prod(map(len, whole)) <= _MOST:
            yield from product(*whole)
            return
        if prod(map(len, met)) > _MOST:
            return
        yield from product(*met)
        for f, numbers in new.items():
            if prod(map(len, met)) // len(met[f]) * len(numbers) <= _MOST:
                yield from product(*met[:f], numbers, *met[f + 1 :])

    def reach(self, choice: Choice, played: set[tuple[int, ...]]) -> Reach:
        new = [f for f, chosen in enumerate(choice) if isinstance(chosen, float)]
        if any(not min(self._numbers(f)) < choice[f] < max(self._numbers(f)) for f in new):
            return Reach.BEYOND
        if new:
            return Reach.BETWEEN
        return Reach.PLAYED if choice in played else Reach.COMBINED

    def clamped(self, choice: Choice) -> Choice:
        """The same with numbers no farther than those met."""
        return tuple(
            float(np.clip(chosen, min(self._numbers(f)), max(self._numbers(f))))
            if isinstance(chosen, float)
            else chosen
            for f, chosen in enumerate(choice)
        )

    def named(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        return tuple(
            (factor.name, str(int(at)) if isinstance(at, float) else factor.values[at])
            for factor, at in zip(self.factors, choice, strict=True)
        )

    def _numbers(self, f: int) -> tuple[int, ...]:
        numbers = self.factors[f].numbers
        assert numbers is not None  # of a line
        return numbers

    def _new_numbers(self, f: int) -> list[int | float]:
        numbers = self._numbers(f)
        low, high = min(numbers), max(numbers)
        beyond = (high - low) // 2 if len(numbers) > 2 else 0
        span = [n for n in range(low - beyond, high + beyond + 1) if n not in numbers]
        step = -(-len(span) // _NUMBERS) or 1
        return [float(n) for n in span[::step]]
