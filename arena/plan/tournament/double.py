"""Double elimination: who has lost twice is out."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple


class Meeting(NamedTuple):
    """Two places of a bracket; None is an empty one, whose opponent has a bye."""

    label: str
    a: int | None
    b: int | None


UPPER = "upper"
"""Label of matches of those who have not lost."""

LOWER = "lower"
"""Of those who have lost once."""

GRAND_FINAL = "grand_final"
"""Between the winners of the two brackets."""

SECOND_FINAL = "second_final"
"""Once more, where the winner of the lower bracket won the first: each has lost once now."""

LABELS = (UPPER, LOWER, GRAND_FINAL, SECOND_FINAL)

Course = Generator[list[Meeting], Sequence[int], list[list[int]]]


def double_elimination(places: Sequence[int | None]) -> Course:
    """Asks for meetings, wave by wave, is sent their winners, and returns who came where.

    `places` is a bracket as of `seeded`. While the upper bracket plays a round, those who have lost
    play among themselves; then they meet whom the round sent down, from the other end of the bracket,
    so that nobody soon meets again who sent whom there. Ranked are groups, the best first, in which
    nobody is better than another.
    """
    upper, lower = list(places), list[int | None]()
    out: list[list[int]] = []
    turn = 0
    while len(upper) > 1:
        above, below = _pairs(upper), _pairs(lower)
        won = yield from _wave([(UPPER, above), (LOWER, below)])
        upper, down = _split(above, won[: len(above)])
        if below:
            lower, gone = _split(below, won[len(above) :])
            out.append([number for number in gone if number is not None])
            crossed = down[::-1] if turn % 2 else down[len(down) // 2 :] + down[: len(down) // 2]
            meetings = list(zip(lower, crossed, strict=True))
            lower, gone = _split(meetings, (yield from _wave([(LOWER, meetings)])))
            out.append([number for number in gone if number is not None])
        else:
            lower = down
        turn += 1
    (first,), (second,) = upper, lower
    assert first is not None and second is not None  # of two entrants or more
    (best,) = yield [Meeting(GRAND_FINAL, first, second)]
    if best == second:
        (best,) = yield [Meeting(SECOND_FINAL, first, second)]
    other = second if best == first else first
    return [[best], [other], *(group for group in reversed(out) if group)]


_Pairs = list[tuple[int | None, int | None]]


def _pairs(places: Sequence[int | None]) -> _Pairs:
    return list(zip(places[::2], places[1::2], strict=True))


def _wave(
    parts: Sequence[tuple[str, _Pairs]],
) -> Generator[list[Meeting], Sequence[int], list[int | None]]:
    """The winners of all pairs, None for a pair of empty places."""
    every = [(label, a, b) for label, pairs in parts for a, b in pairs]
    asked = [Meeting(*each) for each in every if each[1:] != (None, None)]
    won = iter((yield asked) if asked else ())
    return [next(won) if each[1:] != (None, None) else None for each in every]


def _split(pairs: _Pairs, won: Sequence[int | None]) -> tuple[list[int | None], list[int | None]]:
    """Winners and losers, place by place."""
    lost = [b if winner == a else a for (a, b), winner in zip(pairs, won, strict=True)]
    return list(won), lost
