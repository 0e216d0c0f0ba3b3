"""Hole names, coordinates, moves as a person would say them, and the way a move took."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from arena._core import IllegalReason, State
from arena.games.chinese_checkers.rules import Board, CheckersRules
from arena.games.contract import Game, Seat

DIRECTIONS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six lines of the board, axial."""

TIPS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six tips, clockwise; the opposite one is three further."""

_MOVE = re.compile(r"([a-z][0-9]{1,2})([a-z][0-9]{1,2})")


@dataclass(frozen=True, slots=True, order=True)
class Axial:
    """A hole by coordinates: q grows to the east, r to the south; s is −q−r."""

    q: int
    r: int

    @property
    def s(self) -> int:
        """The third coordinate."""
        return -self.q - self.r

    def __add__(self, step: tuple[int, int]) -> Axial:
        """The hole a step further."""
        return Axial(self.q + step[0], self.r + step[1])


class Star:
    """Names and coordinates of one board."""

    def __init__(self, board: Board) -> None:
        """Lay out the star of a board."""
        self.side = board.side
        self.names: dict[str, Axial] = {}
        """Name to coordinates, from the north row down, each row from the west."""
        for r in range(-2 * self.side, 2 * self.side + 1):
            row = [q for q in range(-2 * self.side, 2 * self.side + 1) if self._exists(q, r)]
            letter = chr(ord("a") + 2 * self.side - r)
            self.names.update({f"{letter}{i}": Axial(q, r) for i, q in enumerate(row, 1)})
        self.at = {axial: name for name, axial in self.names.items()}
        """Coordinates to name."""

    def _exists(self, q: int, r: int) -> bool:
        values = (q, r, -q - r)
        return max(values) <= self.side or min(values) >= -self.side

    def tip(self, hole: Axial) -> str | None:
        """The tip that a hole lies in; None in the hexagon."""
        depths = (-hole.r, hole.q, -hole.s, hole.r, -hole.q, hole.s)
        return next((tip for tip, d in zip(TIPS, depths, strict=True) if d > self.side), None)

    def line(self, hole: Axial, step: tuple[int, int]) -> Iterator[Axial]:
        """The holes of a line from `hole` outwards, without itself."""
        hole += step
        while hole in self.at:
            yield hole
            hole += step


@cache
def star(board: Board) -> Star:
    """The layout of a board."""
    return Star(board)


def star_of(game: Game) -> Star:
    """The layout of a game's board."""
    assert isinstance(game.rules, CheckersRules)
    return star(game.rules.board)


def ends(move: str) -> tuple[str, str] | None:
    """The holes of a canonical move, None for a pass. Raises ValueError for other text."""
    if move == "pass":
        return None
    found = _MOVE.fullmatch(move)
    if found is None:
        raise ValueError(f"'{move}' is not a canonical move: two holes as in 'a1c1', or 'pass'")
    return found[1], found[2]


def describe_move(game: Game, move: str, chinese: bool) -> str:
    """A canonical move as a person would say it, with the kind of move that the ends show.

    Raises ValueError for text that is no canonical move of the board.
    """
    holes = ends(move)
    if holes is None:
        return "停着" if chinese else "pass"
    layout = star_of(game)
    for hole in holes:
        if hole not in layout.names:
            raise ValueError(f"'{move}': there is no hole {hole} on this board")
    start, end = (layout.names[hole] for hole in holes)
    step = (end.q - start.q, end.r - start.r) in DIRECTIONS
    if chinese:
        return f"{holes[0]} {'走到' if step else '跳到'} {holes[1]}"
    return f"{holes[0]} {'to' if step else 'hops to'} {holes[1]}"


def show_path(path: Sequence[str]) -> str:
    """Holes of a path as `State.check` and `State.apply` read them."""
    return "-".join(path)


def find_path(game: Game, before: State, seat: Seat, move: str) -> tuple[str, ...] | None:
    """A shortest way of a legal move, both ends included; None for a pass or an illegal move.

    `before` is the position in which `seat` is to play the move. The rules are the core's:
    this only proposes ways and asks `State.check`.
    """
    holes = ends(move)
    if holes is None or before.check(seat, move) is not None:
        return None
    if before.check(seat, show_path(holes)) is None:
        return holes
    layout = star_of(game)
    start, end = holes
    queue: list[tuple[str, ...]] = [(start,)]
    seen = {start}
    for path in queue:
        at = layout.names[path[-1]]
        for step in DIRECTIONS:
            # A hop lands an even number of holes away.
            for landing in list(layout.line(at, step))[1::2]:
                name = layout.at[landing]
                if name in seen:
                    continue
                refusal = before.check(seat, show_path((*path, name)))
                if refusal is not None and refusal.reason == IllegalReason.bad_path:
                    continue
                if name == end:
                    return (*path, name)
                seen.add(name)
                queue.append((*path, name))
    return None
