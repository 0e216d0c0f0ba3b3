"""Block statistics: means and intervals where the block, not the game, is the datum."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float
