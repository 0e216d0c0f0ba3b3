"""The star of Chinese checkers and the two ways to move on it, as plain sets."""

from __future__ import annotations

from collections.abc import Collection

Hole = tuple[int, int]
"""Axial coordinates (q, r); the third is s = -q - r. q grows east, r grows south."""

DIRECTIONS: tuple[Hole, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six line directions: "有直线连接的相邻六个方向"."""

TIPS = ("N", "NE", "SE", "S", "SW", "NW")
"""The six tips, clockwise."""

OPPOSITE = {"N": "S", "S": "N", "NE": "SW", "SW": "NE", "SE": "NW", "NW": "SE"}


def step(hole: Hole, direction: Hole, count: int = 1) -> Hole:
    """The place `count` steps away, on the board or not."""
    return (hole[0] + count * direction[0], hole[1] + count * direction[1])


def distance(a: Hole, b: Hole) -> int:
    """Steps between two holes on an empty endless board."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


def depth(tip: str, hole: Hole) -> int:
    """How far a hole lies towards a tip: n is the edge of the hexagon, 2n the outermost hole."""
    q, r = hole
    return {"N": -r, "S": r, "NE": q, "SW": -q, "SE": q + r, "NW": -q - r}[tip]


class Star:
    """Hexagon and six tips of side `n`: the holes, their names, tips and camps."""

    def __init__(self, n: int) -> None:
        self.n = n
        span = range(-2 * n, 2 * n + 1)
        self.holes: set[Hole] = {(q, r) for q in span for r in span if self._is_hole(q, r)}
        self.name: dict[Hole, str] = {}
        for letter, r in zip("abcdefghijklmnopq", reversed(span), strict=False):
            row = sorted(hole for hole in self.holes if hole[1] == r)
            self.name.update({hole: f"{letter}{i}" for i, hole in enumerate(row, 1)})
        self.hole = {name: hole for hole, name in self.name.items()}
        self.tip = {t: {h for h in self.holes if depth(t, h) > n} for t in TIPS}
        self.leaps = {hole: self._leaps(hole) for hole in self.holes}
        self.outermost = {t: next(h for h in self.holes if depth(t, h) == 2 * n) for t in TIPS}

    def _is_hole(self, q: int, r: int) -> bool:
        """A hole exists where q, r, s are all at most n, or all at least -n."""
        qrs = (q, r, -q - r)
        return all(c <= self.n for c in qrs) or all(c >= -self.n for c in qrs)

    def camp(self, tip: str, pegs: int) -> set[Hole]:
        """The holes around a tip where so many pieces stand.

        The outer n-1 rows of the tip; the whole tip; or the tip and the adjoining row of the
        hexagon.
        """
        inner = {h for h in self.holes if all(abs(c) <= self.n for c in (*h, sum(h)))}
        for camp in (
            {h for h in self.tip[tip] if depth(tip, h) > self.n + 1},
            self.tip[tip],
            self.tip[tip] | {h for h in inner if depth(tip, h) == self.n},
        ):
            if len(camp) == pegs:
                return camp
        raise ValueError(f"no camp of {pegs} on a board of side {self.n}")

    def steps(self, occupied: Collection[Hole], start: Hole) -> set[Hole]:
        """Where one step leads: to an adjacent empty hole."""
        return {h for d in DIRECTIONS if (h := step(start, d)) in self.holes} - set(occupied)

    def hops(self, occupied: Collection[Hole], at: Hole, long_jumps: bool) -> set[Hole]:
        """Where one hop leads, with the moving piece already lifted off the board.

        A hop goes over one adjacent piece of anybody to the next hole of the line, which must
        be empty. With long jumps the piece may stand further off: the landing hole is as far
        behind it, and every other hole on the way is empty.
        """
        return {
            landing
            for over, way, landing in self.leaps[at]
            if over in occupied
            and landing not in occupied
            and not any(hole in occupied for hole in way)
            and (long_jumps or not way)
        }

    def _leaps(self, at: Hole) -> list[tuple[Hole, list[Hole], Hole]]:
        """Every hole that could be hopped over, the other holes on the way, and the landing."""
        found = []
        for d in DIRECTIONS:
            for k in range(1, 2 * self.n + 1):
                way = [step(at, d, i) for i in range(1, 2 * k) if i != k]
                found.append((step(at, d, k), way, step(at, d, 2 * k)))
        return [leap for leap in found if leap[2] in self.holes]
