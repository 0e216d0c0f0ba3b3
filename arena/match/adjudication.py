"""Rules of adjudication as small values: numbers in, one question out."""

from __future__ import annotations

from arena.match.policy import DrawAdjudication, ResignAdjudication


class DrawTracker:
    """Whether two seats have both thought the game level for long enough."""

    def __init__(self, rule: DrawAdjudication) -> None:
        """`rule` says for how long, and how level."""
        self._rule = rule
        self._level = [0, 0]

    def update(self, seat: int, value: float | None, ply: int) -> None:
        """Takes the value that came with a seat's move, None where it gave none."""
        level = value is not None and abs(value - 0.5) <= self._rule.window
        counts = level and ply > self._rule.after_plies
        self._level[seat] = self._level[seat] + 1 if counts else 0

    def drawn(self) -> bool:
        """Whether the game is to be drawn now."""
        return min(self._level) >= self._rule.moves


class ResignTracker:
    """Whether a seat has thought the game lost for long enough."""

    def __init__(self, rule: ResignAdjudication) -> None:
        """`rule` says for how long, and how lost."""
        self._rule = rule
        self._lost = [0, 0]
        self._last: list[float | None] = [None, None]

    def update(self, seat: int, value: float | None) -> None:
        """Takes the value that came with a seat's move, None where it gave none."""
        lost = value is not None and value <= self._rule.value
        self._lost[seat] = self._lost[seat] + 1 if lost else 0
        self._last[seat] = value

    def loser(self) -> int | None:
        """The seat that is to lose now, if any."""
        for seat in (0, 1):
            if self._lost[seat] < self._rule.moves:
                continue
            other = self._last[1 - seat]
            if not self._rule.both_sides or (other is not None and other >= 1 - self._rule.value):
                return seat
        return None
