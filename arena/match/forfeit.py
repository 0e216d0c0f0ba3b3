"""What a game that is ended from outside is worth to each seat.

The table, for every cause that the referee knows:

| cause | culprit's side | every other side |
|---|---|---|
| timeout, disconnect, crash, illegal_move, protocol_error, resignation, adjudicated loss | last | all tie for first |
| agreement, adjudicated draw, move_limit | ties with all | tie |

Where the rules take a seat that resigns out of a game that goes on, they say what the end is worth.
With two seats that is a loss and a win. With more, nobody gains a place over another
because a third seat's program failed.
"""

from __future__ import annotations

from collections.abc import Sequence

Standing = tuple[tuple[float, ...], tuple[int, ...]]
"""Scores (share of the opposing sides beaten, a tie one half) and places, by seat."""


def forfeited(sides: Sequence[int], culprit: int) -> Standing:
    """Standing after a fault or resignation of the seat `culprit`.

    `sides` gives each seat's side; seats of one side share their fate.
    """
    lost = [side == sides[culprit] for side in sides]
    rivals = len(set(sides)) - 1
    # An innocent side beats one side and ties with the rest.
    score = (1 + (rivals - 1) / 2) / rivals
    last = 1 + sum(not out for out in lost)
    return (
        tuple(0.0 if out else score for out in lost),
        tuple(last if out else 1 for out in lost),
    )


def level(seats: int) -> Standing:
    """Standing of a game that nobody won."""
    return (0.5,) * seats, (1,) * seats
