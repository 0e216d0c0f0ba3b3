from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.forfeit import forfeited, level


@pytest.mark.parametrize(
    ("sides", "culprit", "scores", "places"),
    [
        ((0, 1), 0, (0, 1), (2, 1)),
        ((0, 1), 1, (1, 0), (1, 2)),
        ((0, 1, 2), 1, (0.75, 0, 0.75), (1, 3, 1)),
        ((0, 1, 0, 1), 2, (0, 1, 0, 1), (3, 1, 3, 1)),
        ((0, 1, 1), 0, (0, 1, 1), (3, 1, 1)),
    ],
)
def test_the_table(
    sides: tuple[int, ...], culprit: int, scores: tuple[float, ...], places: tuple[int, ...]
) -> None:
    found = forfeited(sides, culprit)
    assert found[0] == pytest.approx(scores)
    assert found[1] == places


@given(seats=st.integers(2, 8), data=st.data())
def test_free_for_all_scores_add_up_to_half_the_pairs(seats: int, data: st.DataObject) -> None:
    culprit = data.draw(st.integers(0, seats - 1))
    scores, places = forfeited(range(seats), culprit)
    assert sum(scores) == pytest.approx(seats / 2)
    assert places[culprit] == seats
    assert sum(level(seats)[0]) == pytest.approx(seats / 2)
