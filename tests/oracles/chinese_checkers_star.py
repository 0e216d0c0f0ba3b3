"""The star of Chinese checkers and the two ways to move on it, as plain sets."""

from __future__ import annotations

from collections.abc import Mapping

Hole = tuple[int, int]
"""Axial coordinates (q, r); the third is s = -q - r."""

DIRECTIONS: tuple[Hole, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
"""The six line directions: "有直线连接的相邻六个方向"."""

SPAN = range(-8, 9)


def third(hole: Hole) -> int:
    """The coordinate that is not written."""
    return -hole[0] - hole[1]


def is_hole(hole: Hole) -> bool:
    """Two large triangles over each other make the star."""
    q, r, s = *hole, third(hole)
    return (q <= 4 and r <= 4 and s <= 4) or (q >= -4 and r >= -4 and s >= -4)


HOLES: frozenset[Hole] = frozenset((q, r) for q in SPAN for r in SPAN if is_hole((q, r)))

TRIANGLES: dict[str, frozenset[Hole]] = {
    "N": frozenset(h for h in HOLES if h[1] <= -5),
    "NE": frozenset(h for h in HOLES if h[0] >= 5),
    "SE": frozenset(h for h in HOLES if third(h) <= -5),
    "S": frozenset(h for h in HOLES if h[1] >= 5),
    "SW": frozenset(h for h in HOLES if h[0] <= -5),
    "NW": frozenset(h for h in HOLES if third(h) >= 5),
}
"""The six points of the star, ten holes each."""

OPPOSITE = {"N": "S", "S": "N", "NE": "SW", "SW": "NE", "SE": "NW", "NW": "SE"}


def step(hole: Hole, direction: Hole, count: int = 1) -> Hole:
    """The place `count` steps away, on the board or not."""
    return (hole[0] + count * direction[0], hole[1] + count * direction[1])


def neighbours(hole: Hole) -> set[Hole]:
    """The holes one step away."""
    return {step(hole, d) for d in DIRECTIONS} & HOLES


def steps(occupied: Mapping[Hole, object], start: Hole) -> set[Hole]:
    """Where one step leads: "一步步在有直线连接的相邻六个方向进行"."""
    return {h for h in neighbours(start) if h not in occupied}


def hops(occupied: Mapping[Hole, object], at: Hole, long_jumps: bool) -> set[Hole]:
    """Where one jump leads, with the moving piece already lifted off the board.

    A jump goes over one adjacent piece of any side to the next hole of the line, which
    must be empty. With long jumps the piece may stand further off: the landing hole is as
    far behind it, and every other hole on the way is empty.
    """
    found = set()
    for d in DIRECTIONS:
        for distance in range(1, 9 if long_jumps else 2):
            over, landing = step(at, d, distance), step(at, d, 2 * distance)
            on_the_way = [step(at, d, k) for k in range(1, 2 * distance) if k != distance]
            if (
                over in HOLES
                and landing in HOLES
                and over in occupied
                and landing not in occupied
                and not any(h in occupied for h in on_the_way)
            ):
                found.add(landing)
    return found
