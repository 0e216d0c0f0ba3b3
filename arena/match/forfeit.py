"""What a game that is ended from outside is worth to each seat.

docs/endings.md has the table, cause by cause and game by game. Two rules make it:

- **A fault** (or a resignation, or an adjudicated loss) puts the culprit's side last, and every
  other side where it stands.
- **Nobody's doing** (agreement, an adjudicated draw, `move_limit`) lets all tie.

Where a side stands: the rules may have settled its place already, because it has finished or is
out of a game that goes on; it keeps that. All that were still playing tie, so that nobody gains a
place over another because a third seat's program failed.
"""

from __future__ import annotations

from collections.abc import Sequence

Standing = tuple[tuple[float, ...], tuple[int, ...]]
"""Scores (share of the opposing sides beaten, a tie one half) and places, by seat."""

_LAST = (3, 0)
_PLAYING = (1, 0)


def forfeited(sides: Sequence[int], culprit: int, settled: Sequence[int] = ()) -> Standing:
    """Standing after a fault or resignation of the seat `culprit`.

    `sides` gives each seat's side; seats of one side share their fate. `settled` is what
    `Family.settled` says of each seat, nothing where the rules settle no places on the way.
    """
    # By side, better before worse: finished, still playing, out, culprit.
    ranks: dict[int, tuple[int, int]] = {}
    for side, place in zip(sides, settled or [0] * len(sides), strict=True):
        rank = (0, place) if place > 0 else (2, place) if place < 0 else _PLAYING
        ranks[side] = min(rank, ranks.get(side, rank))
    ranks[sides[culprit]] = _LAST
    by_seat = [ranks[side] for side in sides]
    return (
        tuple(_beaten(ranks, side) for side in sides),
        tuple(1 + sum(other < mine for other in by_seat) for mine in by_seat),
    )


def _beaten(ranks: dict[int, tuple[int, int]], side: int) -> float:
    """The share of the other sides that a side is ahead of."""
    mine = ranks[side]
    others = [rank for other, rank in ranks.items() if other != side]
    return sum((mine < rank) + (mine == rank) / 2 for rank in others) / len(others)


def level(seats: int) -> Standing:
    """Standing of a game that nobody won."""
    return (0.5,) * seats, (1,) * seats
