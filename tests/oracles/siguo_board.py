"""The two boards of Siguo Junqi, worked out from where their points lie, and how pieces run.

Points are named by home, row and column ("S11" is the front left corner of the south, seen by its
owner who looks at the centre) or, in the centre, "C" with the column from the west and the row
from the north. In the plane x grows to the east and y to the south, the centre is (0, 0), and
the other homes are the south turned by quarters.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from itertools import pairwise

Vector = tuple[int, int]

HOMES = {"siguo129": "SENW", "luzhanqi60": "SN"}
"""The homes of each board, counter-clockwise."""

GAP = {"siguo129": 2, "luzhanqi60": 0}
"""How far from the centre a home begins: row r of the south lies at y = GAP + r."""

ROWS, COLUMNS = range(1, 7), range(1, 6)
CAMPS = frozenset({(2, 2), (2, 4), (3, 3), (4, 2), (4, 4)})
HEADQUARTERS = frozenset({(6, 2), (6, 4)})
QUARTERS = "SENW"
"""How often a home is turned counter-clockwise from the south."""


def turn(at: Vector, quarters: int) -> Vector:
    """A vector turned counter-clockwise, as seen on the page."""
    for _ in range(quarters % 4):
        at = (at[1], -at[0])
    return at


def add(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0], a[1] + b[1])


class Board:
    """Points, roads and rails of one board; never changed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.homes = HOMES[name]
        self.gap = GAP[name]
        self.at: dict[str, Vector] = {}
        for home in self.homes:
            for row in ROWS:
                for column in COLUMNS:
                    south = (column - 3, self.gap + row)
                    self.at[f"{home}{row}{column}"] = turn(south, QUARTERS.index(home))
        if name == "siguo129":
            for i in (1, 2, 3):
                for j in (1, 2, 3):
                    self.at[f"C{i}{j}"] = (2 * i - 4, 2 * j - 4)
        self.point = {at: point for point, at in self.at.items()}
        assert len(self.point) == len(self.at)
        self.camps = {p for p in self.at if p[0] != "C" and (int(p[1]), int(p[2])) in CAMPS}
        self.headquarters = {
            p for p in self.at if p[0] != "C" and (int(p[1]), int(p[2])) in HEADQUARTERS
        }
        self.stations = {p for p in self.at if p[0] != "C"} - self.camps - self.headquarters
        self.rails = self._rails()
        self.arcs = self._arcs()
        self.roads = self._roads()
        self.near = {p: {q for e in self.roads if p in e for q in e if q != p} for p in self.at}
        self.tracks = {
            p: {q for e in self.rails | self.arcs if p in e for q in e if q != p} for p in self.at
        }
        self.curves = self._curves()
        self.rays = {p: self._rays(p) for p in self.at}

    def home(self, home: str) -> set[str]:
        """The thirty points of a home."""
        return {p for p in self.at if p[0] == home}

    def _rails(self) -> set[frozenset[str]]:
        """Straight pieces of rail: neighbours on one of the straight tracks of the plane."""
        near, far = self.gap + 1, self.gap + 5
        straight: list[list[Vector]] = []
        for home in self.homes:
            for row in (near, far):
                straight.append([turn((x, row), QUARTERS.index(home)) for x in range(-2, 3)])
        for home in self.homes[: len(self.homes) // 2]:
            for x, end in ((-2, far), (0, near), (2, far)):
                track = [turn((x, y), QUARTERS.index(home)) for y in range(-end, end + 1)]
                straight.append([at for at in track if at in self.point])
        rails: set[frozenset[str]] = set()
        for track in straight:
            rails |= {frozenset(pair) for pair in pairwise(self.point[at] for at in track)}
        return rails

    def _arcs(self) -> set[frozenset[str]]:
        """Curved pieces of rail, between front corners of neighbours that touch diagonally."""
        corners = [f"{home}1{column}" for home in self.homes for column in (1, 5)]
        return {
            frozenset((a, b))
            for a in corners
            for b in corners
            if a[0] != b[0]
            and abs(self.at[a][0] - self.at[b][0]) == abs(self.at[a][1] - self.at[b][1]) == 1
        }

    def _roads(self) -> set[frozenset[str]]:
        """Thin lines: inside a home, along the grid where no rail runs, and all around camps."""
        roads: set[frozenset[str]] = set()
        for a, (x, y) in self.at.items():
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    b = self.point.get((x + dx, y + dy))
                    if b is None or a == b or a[0] != b[0] or a[0] == "C":
                        continue
                    crosses = dx != 0 and dy != 0
                    if not crosses or a in self.camps or b in self.camps:
                        roads.add(frozenset((a, b)))
        return roads - self.rails

    def _curves(self) -> dict[tuple[str, Vector], tuple[str, Vector]]:
        """A corner and the heading inwards along the side column, to where the arc leads.

        The arc is tangent to both side columns: who comes in along one goes out along the other.
        """
        curves = {}
        for arc in self.arcs:
            for a, b in (tuple(arc), tuple(arc)[::-1]):
                inwards = turn((0, -1), QUARTERS.index(a[0]))
                outwards = turn((0, 1), QUARTERS.index(b[0]))
                curves[a, inwards] = (b, outwards)
        return curves

    # -- how pieces run ----------------------------------------------------------------

    def next_on_rail(self, point: str, heading: Vector) -> list[tuple[str, Vector]]:
        """Where a piece that runs on rails with this heading comes next: ahead, or by an arc."""
        ahead: list[tuple[str, Vector]] = []
        for other in self.tracks[point]:
            if frozenset((point, other)) in self.rails and self._heading(point, other) == heading:
                ahead.append((other, heading))
        if (point, heading) in self.curves:
            ahead.append(self.curves[point, heading])
        return ahead

    def _heading(self, a: str, b: str) -> Vector:
        dx, dy = self.at[b][0] - self.at[a][0], self.at[b][1] - self.at[a][1]
        return ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))

    def _rays(self, point: str) -> list[list[str]]:
        """Every straight way along rails from a point, to its end."""
        rays: list[list[str]] = []
        unfinished: list[tuple[list[str], str, Vector]] = [
            ([], point, heading) for heading in ((0, -1), (1, 0), (0, 1), (-1, 0))
        ]
        while unfinished:
            way, at, heading = unfinished.pop()
            ahead = self.next_on_rail(at, heading)
            if not ahead and way:
                rays.append(way)
            unfinished += [([*way, q], q, onwards) for q, onwards in ahead]
        return rays

    def destinations(
        self, point: str, engineer: bool, friends: Collection[str], enemies: Collection[str]
    ) -> set[str]:
        """Where a piece that may move can go, with these points held by its side and by others.

        One step along a road; along rails as far as nothing stands in the way, straight or by
        an arc, and an engineer round every corner. Friends block, enemies block and may be
        attacked unless they are in a camp.
        """
        found = set(self.near[point])
        if engineer:
            to_try = [point]
            seen = {point}
            while to_try:
                at = to_try.pop()
                for q in self.tracks[at] - seen:
                    seen.add(q)
                    if q not in friends and q not in enemies:
                        to_try.append(q)
            found |= seen - {point}
        else:
            for ray in self.rays[point]:
                for q in ray:
                    found.add(q)
                    if q in friends or q in enemies:
                        break
        return {q for q in found if q not in friends and not (q in enemies and q in self.camps)}


@cache
def board(name: str) -> Board:
    """The board of that name."""
    return Board(name)
