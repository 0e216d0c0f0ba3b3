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


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("3k5/8R/9/9/9/9/9/9/7R1/5K3 w", "h2h10"),
        ("4k4/9/9/9/4r4/9/9/9/4R4/3K5 w", "e2e6"),
    ],
)
def test_search_finds_what_is_to_be_found(fen: str, move: str) -> None:
    made = game("xiangqi/axf")
    engine = made.core.engine("search:nodes=3000")
    engine.new_game(1)
    found, decision = engine.choose(made.new_state(setup=fen), 0)
    assert str(found) == move
    assert decision.nodes <= 3000 + 1
