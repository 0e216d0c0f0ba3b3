"""One figure and how it is shown."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measurement beside its peer; `bar` is the ratio it has to reach."""

    what: str
    value: float
    unit: str
    peer: str
    peer_value: float
    bar: float | None = None

    @property
    def ratio(self) -> float:
        return self.value / self.peer_value

    def row(self) -> str:
        reached = "" if self.bar is None else f"  bar {self.bar:g}x: {self._verdict()}"
        return (
            f"{self.what}: {self.value:,.0f} {self.unit} against "
            f"{self.peer_value:,.0f} ({self.peer}): {self.ratio:.2f}x{reached}"
        )

    def _verdict(self) -> str:
        assert self.bar is not None
        return "reached" if self.ratio >= self.bar else "NOT REACHED"


def show(figures: list[Figure]) -> None:
    for figure in figures:
        print(figure.row(), flush=True)
