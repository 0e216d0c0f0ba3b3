"""How often something happened in many trials, beside how often it may."""

from __future__ import annotations

import math
from dataclasses import dataclass

from arena.ratings import Interval


@dataclass(frozen=True, slots=True)
class Count:
    """How often something happened, and how often it may."""

    what: str
    times: int
    of: int
    least: float = 0.0
    most: float = 1.0

    def row(self) -> str:
        share = self.times / self.of
        error = math.sqrt(max(share * (1 - share), 0.25 / self.of) / self.of)
        if self.least - 2 * error > share or self.most + 2 * error < share:
            verdict = "NOT HELD"
        else:
            verdict = "held"
        bar = f"{100 * self.least:g} to {100 * self.most:g} %"
        return f"{self.what}: {100 * share:.1f} % (± {100 * error:.1f}) of {self.of:,}; {bar}: " + (
            verdict
        )


def holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high
