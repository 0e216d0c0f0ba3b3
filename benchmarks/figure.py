"""One figure and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement beside its peer; `bar` is the ratio it has to reach, if any."""

    what: str
    value: float
    unit: str
    peer: str
    peer_value: float
    bar: float | None = None
    less: bool = False
    """Less is better, as with seconds: the ratio is the peer's value over ours."""

    @property
    def ratio(self) -> float:
        """How many times better than the peer."""
        return self.peer_value / self.value if self.less else self.value / self.peer_value

    @property
    def verdict(self) -> str:
        """Whether the bar is reached; nothing where there is none."""
        if self.bar is None:
            return ""
        return "reached" if self.ratio >= self.bar else "NOT REACHED"

    def row(self) -> tuple[str, ...]:
        """Its cells in the table."""
        return (
            self.what,
            f"{_number(self.value)} {self.unit}",
            f"{_number(self.peer_value)} {self.peer}",
            f"{self.ratio:.2f}",
            "" if self.bar is None else f"{self.bar:g}",
            self.verdict,
        )


HEAD = ("figure", "ours", "peer", "ratio", "bar", "")


def show(figures: Sequence[Figure]) -> int:
    """Print the table; 1 where a bar is not reached, else 0."""
    rows = [HEAD, *(figure.row() for figure in figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(HEAD))]
    for row in rows:
        cells = [
            cell.rjust(width) if i in (3, 4) else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip(), flush=True)
    return int(any(figure.verdict == "NOT REACHED" for figure in figures))


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
