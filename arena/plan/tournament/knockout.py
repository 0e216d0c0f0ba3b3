"""Who loses is out: brackets, byes, and tables of more than two."""

from __future__ import annotations

from collections.abc import Sequence


def seeded(entrants: Sequence[int]) -> list[int | None]:
    """Places of a bracket, so that the first and second of `entrants` can meet in the final only.

    Its size is the next power of two; the places without an entrant (None) are byes, which
    go to those in front.
    """
    order = [0]
    while len(order) < len(entrants):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [entrants[place] if place < len(entrants) else None for place in order]


def paired(
    entrants: Sequence[int], free: frozenset[int]
) -> tuple[list[tuple[int, int]], int | None]:
    """Neighbours of a drawn order paired; of an odd number one is free, who was not before.

    `free` are those who have had a bye.
    """
    left = list(entrants)
    bye = None
    if len(left) % 2:
        bye = next((number for number in reversed(left) if number not in free), left[-1])
        left.remove(bye)
    return [(left[at], left[at + 1]) for at in range(0, len(left), 2)], bye


def table_sizes(count: int, size: int) -> list[int]:
    """As few tables as there must be, as equal as can be: of 4, some of 3 before any of 2.

    >>> table_sizes(10, 4), table_sizes(5, 4)
    ([4, 3, 3], [3, 2])
    """
    tables = -(-count // size)
    return [count // tables + (at < count % tables) for at in range(tables)]
