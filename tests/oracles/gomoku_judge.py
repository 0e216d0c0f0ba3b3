"""Naive judge of fives, overlines, fours, threes and forbidden points.

Every shape is decided on a short text of one line around one point, with the
characters below, by trying stones and looking: no tables, no bit boards.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

Point = tuple[int, int]
"""Column and row, 0-based; (0, 0) is a1, lower left."""

Board = dict[Point, str]
"""Stones on the board: point to "B" or "W"."""

DIRECTIONS: tuple[Point, ...] = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Row, column and both diagonals: rule 〖2〗 "横向、纵向或斜向"."""

OWN, EMPTY, OTHER, EDGE = "X", ".", "O", "#"

# A five through a point ends at most four away and is looked at one cell beyond: five
# would do; six is a cell to spare.
REACH = 6


@cache
def way(size: int, point: Point, step: Point) -> tuple[int, list[Point], int]:
    """The points `REACH` either way of `point`, and how many are off the board before and after."""
    places = [(point[0] + k * step[0], point[1] + k * step[1]) for k in range(-REACH, REACH + 1)]
    on_board = [place for place in places if all(0 <= c < size for c in place)]
    before = places.index(on_board[0])
    return before, on_board, len(places) - before - len(on_board)


def line(board: Board, size: int, point: Point, step: Point, colour: str) -> str:
    """The line through `point`, `REACH` cells either way, as `colour` sees it."""
    before, places, after = way(size, point, step)
    look = {None: EMPTY, colour: OWN, "W" if colour == "B" else "B": OTHER}
    cells = "".join([look[board.get(place)] for place in places])
    return EDGE * before + cells + EDGE * after


def put(cells: str, at: int) -> str:
    """The line with an own stone added."""
    assert cells[at] == EMPTY
    return cells[:at] + OWN + cells[at + 1 :]


def run(cells: str, at: int) -> range:
    """The unbroken row of own stones through index `at`."""
    first = last = at
    while first > 0 and cells[first - 1] == OWN:
        first -= 1
    while last + 1 < len(cells) and cells[last + 1] == OWN:
        last += 1
    return range(first, last + 1)


@lru_cache(maxsize=1 << 20)
def is_five(cells: str, at: int, shape: str) -> bool:
    """Whether the row through `at` is a five in the sense that wins.

    "exact": five stones and no more; "at_least": five or more, "五子或五子以上"; with
    "+caro" the row must not have the other colour's stone at both of its ends.
    """
    stones = run(cells, at)
    length, _, caro = shape.partition("+")
    if not (len(stones) == 5 if length == "exact" else len(stones) >= 5):
        return False
    ends = [cells[i] for i in (stones[0] - 1, stones[-1] + 1) if 0 <= i < len(cells)]
    return not (caro and ends == [OTHER, OTHER])


@lru_cache(maxsize=1 << 20)
def fours(cells: str, shape: str) -> int:
    """How many fours of this line the stone in the middle belongs to.

    A four is four stones in a row to which one stone can be added to make a five: of five
    cells in a row four hold stones, the middle of the line among them, and the empty one
    makes a five. Fours are told apart by that empty point, but the two points of a straight
    four complete one and the same four. A five is no four any more.
    """
    middle = len(cells) // 2
    if is_five(cells, middle, shape):
        return 0
    points = set()
    for first in range(middle - 4, middle + 1):
        window = cells[first : first + 5]
        if window.count(OWN) == 4 and window.count(EMPTY) == 1:
            at = first + window.index(EMPTY)
            if is_five(put(cells, at), at, shape):
                points.add(at)
    return len(points) - straight_four(cells, middle, shape)


@lru_cache(maxsize=1 << 20)
def straight_four(cells: str, at: int, shape: str) -> bool:
    """Whether the row through `at` is an unbroken four with two points that give five."""
    stones = run(cells, at)
    if len(stones) != 4:
        return False
    ends = [i for i in (stones[0] - 1, stones[-1] + 1) if 0 <= i < len(cells)]
    return len(ends) == 2 and all(
        cells[i] == EMPTY and is_five(put(cells, i), i, shape) for i in ends
    )


@lru_cache(maxsize=1 << 20)
def three_points(cells: str, shape: str) -> frozenset[int]:
    """Where a stone turns stones through the middle of the line into a straight four.

    Nowhere in a line that holds a four already (`X.XXX` where a five may be longer): rule 〖3〗
    lets black win with "四、三", so the line of the four is not a second three.
    """
    middle = len(cells) // 2
    if fours(cells, shape):
        return frozenset()
    return frozenset(
        i
        for i, cell in enumerate(cells)
        if cell == EMPTY
        and middle in run(put(cells, i), i)
        and straight_four(put(cells, i), i, shape)
    )


class Judge:
    """Fives and forbidden points of one colour under a dict of settings."""

    def __init__(self, settings: Mapping[str, object], colour: str) -> None:
        self.size = int(str(settings["size"]))
        self.colour = colour
        side = "black" if colour == "B" else "white"
        self.shape = str(settings[f"five_{side}"])
        if settings["both_ends_block"]:
            self.shape += "+caro"
        self.overline_rule = str(settings["overline_black"]) if colour == "B" else "neutral"
        self.bans_three = settings[f"double_three_{side}"] == "forbidden"
        self.bans_four = settings[f"double_four_{side}"] == "forbidden"
        self.three_test = str(settings["three_test"])
        self.five_first = bool(settings["five_beats_forbidden"])

    def lines(self, board: Board, point: Point) -> list[str]:
        """The four lines through a stone or an empty point."""
        return [line(board, self.size, point, step, self.colour) for step in DIRECTIONS]

    def wins(self, board: Board, point: Point) -> bool:
        """Rule 〖2〗: the stone on `point` stands in an unbroken five of its colour."""
        return self.five(self.lines(board, point))

    def five(self, lines: list[str]) -> bool:
        """The same, of the four lines through the stone."""
        return any(is_five(cells, REACH, self.shape) for cells in lines)

    def overline(self, lines: list[str]) -> bool:
        """ "长连": the stone stands in an unbroken row of six or more, and that is forbidden."""
        long = any(len(run(cells, REACH)) >= 6 for cells in lines)
        return self.overline_rule == "forbidden" and long

    def double_four(self, lines: list[str]) -> bool:
        """Two or more fours meet at the stone, in one line or in two, and that is forbidden."""
        return self.bans_four and sum(fours(cells, self.shape) for cells in lines) >= 2

    def threes(self, board: Board, point: Point, lines: list[str]) -> list[list[Point]]:
        """The threes that meet at the stone, each as the points that open it.

        A three is three stones in a line to which one stone can be added, without making a
        five by it in any direction, to give a straight four. One three a line. The naive
        test looks at the shape of the line alone.
        """
        found = []
        for step, cells in zip(DIRECTIONS, lines, strict=True):
            points = []
            for i in sorted(three_points(cells, self.shape)):
                k = i - REACH
                at = (point[0] + k * step[0], point[1] + k * step[1])
                if self.three_test == "naive" or not self.wins({**board, at: self.colour}, at):
                    points.append(at)
            if points:
                found.append(points)
        return found

    def foul(self, board: Board, point: Point) -> str | None:
        """What forbids the colour to play the empty `point`, or None.

        Rule 〖3〗 with the order of checks five, overline, double-four, double-three;
        rule 〖5〗: "五连与禁手同时形成，判胜".
        """
        assert point not in board
        after = {**board, point: self.colour}
        lines = self.lines(after, point)
        if self.five_first and self.five(lines):
            return None
        if self.overline(lines):
            return "overline"
        if self.double_four(lines):
            return "double_four"
        if self.bans_three and self.double_three(after, point, lines):
            return "double_three"
        return None

    def double_three(self, board: Board, point: Point, lines: list[str]) -> bool:
        """Whether the stone on `point` makes two threes, by the chosen test.

        RIF 9.3: allowed when at most one of the threes can really become a straight
        four, that is when each stone that would open one of the others is itself (a) an
        overline or a double-four, or (b) a forbidden double-three.
        """
        threes = self.threes(board, point, lines)
        if self.three_test == "naive" or len(threes) < 2:
            return len(threes) >= 2
        real = [opens for opens in threes if any(self.can_open(board, at) for at in opens)]
        return len(real) >= 2

    def can_open(self, board: Board, at: Point) -> bool:
        """Whether the stone that turns a three into a straight four may be played."""
        after = {**board, at: self.colour}
        lines = self.lines(after, at)
        if self.overline(lines) or self.double_four(lines):
            return False
        return self.three_test == "rif_9_3a" or not self.double_three(after, at, lines)

    def fouls(self, board: Board) -> dict[Point, str]:
        """Every forbidden empty point with its kind."""
        found = {}
        for x in range(self.size):
            for y in range(self.size):
                if (x, y) not in board and (kind := self.foul(board, (x, y))):
                    found[x, y] = kind
        return found
