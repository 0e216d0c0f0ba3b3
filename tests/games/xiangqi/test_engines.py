"""The reference engines: each rung beats the one before, and mates are found."""

from __future__ import annotations

import pytest

from arena._core import PlayTask
from arena.games import game


@pytest.mark.parametrize(
    ("weak", "strong", "pairs"),
    [
        ("random", "greedy:noise=40", 10),
        ("greedy:noise=40", "greedy", 10),
        ("greedy", "search:nodes=300", 10),
        ("search:nodes=300", "search:nodes=3000", 8),
    ],
)
def test_each_rung_beats_the_one_before(weak: str, strong: str, pairs: int) -> None:
    made = game("xiangqi/axf")
    score = 0.0
    for pair in range(pairs):
        for seat in (0, 1):
            engines = [weak, weak]
            engines[seat] = strong
            task = PlayTask(engines, pair, pair, opening_plies=4, max_plies=300)
            (played,) = made.core.play([task])
            score += played.outcome.scores[seat]
    assert score / (2 * pairs) >= 0.65


def test_search_wins_at_once_where_it_can() -> None:
    made = game("xiangqi/axf")
    state = made.new_state(setup="3k5/8R/9/9/9/9/9/9/7R1/5K3 w")
    engine = made.core.engine("search:nodes=3000")
    engine.new_game(1)
    found, decision = engine.choose(state, 0)
    assert decision.nodes <= 3000
    state.apply(0, found)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.scores[0] == 1.0


def test_search_takes_a_free_chariot() -> None:
    made = game("xiangqi/axf")
    engine = made.core.engine("search:nodes=3000")
    engine.new_game(1)
    state = made.new_state(setup="4k4/9/9/9/4r4/9/9/9/4R4/3K5 w")
    assert str(engine.choose(state, 0)[0]) == "e2e6"
