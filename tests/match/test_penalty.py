"""What an illegal answer costs under each policy, and the rulebooks' own fines."""

from __future__ import annotations

import json
from typing import Any

import pytest

import arena
from arena import SPECTATOR
from arena._core import Termination
from arena.games import Seat
from arena.match.penalty import rulings
from arena.match.policy import Cost, IllegalMoves, MatchPolicy
from arena.players.base import Verdict
from tests.match.table_kit import Sitting, sit

WRONG = "play H3 H3 H4"
"""No lead in any of these rulebooks that forbid throws; two suits' worth of nothing elsewhere."""


def to_play(book: str, illegal: IllegalMoves | None = None, **settings: Any) -> Sitting:
    """A table at the first lead, reached by the least that is asked for."""
    policy = MatchPolicy(illegal=illegal or IllegalMoves())
    sitting = sit(f"tuolaji/{book}", policy=policy, **settings)
    while phase(sitting) != "play":
        least(sitting)
    return sitting


def phase(sitting: Sitting) -> str:
    return str(seen(sitting)["phase"])


def seen(sitting: Sitting) -> dict[str, object]:
    found: dict[str, object] = json.loads(sitting.table.state.observe(SPECTATOR))
    return found


def least(sitting: Sitting) -> None:
    state = sitting.table.state
    moves = [str(move) for move in state.moves(sitting.ask.seat)]
    calls = [text for text in moves if text.startswith("call")]
    calling = seen(sitting)["phase"] == "draw" and calls
    text = calls[-1] if calling else str(state.stand_in(sitting.ask.seat))
    assert sitting.play(text) is Verdict.ACCEPTED


def test_points_and_a_dead_card_then_levels_for_a_revoke() -> None:
    """R03: 10 points a card and the replacement is dead; holding cards back is two levels."""
    sitting = to_play("r03_four_deck_3_to_7", unit="match")
    dealer = sitting.ask.seat
    assert sitting.play(WRONG) is Verdict.ILLEGAL
    assert " points=30 " in sitting.table.state.setup()
    assert sitting.ask.seat == dealer and "fine points 30, fine dead" in sitting.ask.refused
    assert sitting.play("nonsense") is Verdict.ILLEGAL
    now = seen(sitting)
    assert (now["hand"], now["dealer"]) == (1, (dealer + 1) % 4)
    levels = now["levels"]
    assert isinstance(levels, list) and levels[1 - dealer % 2] == "5"
    assert not sitting.results


def test_an_honest_second_answer_goes_on() -> None:
    sitting = to_play("r03_four_deck_3_to_7")
    dealer = sitting.ask.seat
    sitting.play(WRONG)
    least(sitting)
    assert sitting.ask.seat == (dealer + 1) % 4
    sitting.play(WRONG)  # another turn, another offence
    assert "fine points" in sitting.ask.refused
    while not sitting.results:
        least(sitting)
    result = sitting.result
    assert result.termination is Termination.hand_over and result.culprit is None
    assert any("ruled on" in note for note in result.notes)
    record = result.record
    assert record is not None and len(record.moves) == len(result.moves_ms) == result.plies
    texts = [text for _, text in record.moves]
    assert texts.count("fine dead") == 2
    game = sitting.table.game
    outcome = game.replay(record).outcome()
    assert outcome is not None
    assert tuple(outcome.measures.items()) == result.measures


def test_three_levels_end_the_hand() -> None:
    """R01: 对方直接连升三级."""
    sitting = to_play("r01_two_deck_to_8")
    dealer = sitting.ask.seat
    sitting.play("play XX")
    result = sitting.result
    assert result.scores[dealer] == result.scores[(dealer + 2) % 4] == 0
    assert result.scores[(dealer + 1) % 4] == 1
    assert dict(result.measures)["dealer_levels"] == -3
    assert result.termination is Termination.hand_over


def test_a_rulebook_without_fines_takes_the_game_from_both_partners() -> None:
    sitting = to_play("r10_qq_two_deck")
    culprit = sitting.ask.seat
    assert sitting.play("play XX") is Verdict.ILLEGAL
    result = sitting.result
    assert (result.termination, result.culprit) == (Termination.illegal_move, culprit)
    assert result.sides == (0, 1, 0, 1)
    assert [result.scores[(culprit + i) % 4] for i in range(4)] == [0, 1, 0, 1]


@pytest.mark.parametrize("cost", list(Cost))
def test_every_cost_in_the_two_pack_game(cost: Cost) -> None:
    sitting = to_play("r10_qq_two_deck", IllegalMoves(cost=cost, points=5, levels=2))
    dealer = sitting.ask.seat
    sitting.play("play S3 H3")
    if cost in (Cost.RULES, Cost.FORFEIT):
        assert sitting.result.culprit == dealer
    elif cost is Cost.LEVELS:
        assert dict(sitting.result.measures)["dealer_levels"] == -2
    elif cost is Cost.SUBSTITUTE:
        assert sitting.ask.seat == (dealer + 1) % 4 and seen(sitting)["points"] == 0
    else:
        assert sitting.ask.seat == dealer and seen(sitting)["points"] == 10
        sitting.play("play S3 H3")  # again: the least is played for it
        assert sitting.ask.seat == (dealer + 1) % 4 and seen(sitting)["points"] == 10


def test_a_bot_that_only_talks_nonsense_comes_to_an_end() -> None:
    for book in ("r10_qq_two_deck", "r13_two_deck_joker_level", "r03_four_deck_3_to_7"):
        policy = MatchPolicy(illegal=IllegalMoves(cost=Cost.SUBSTITUTE))
        sitting = sit(f"tuolaji/{book}", policy=policy, bid_nobody_first="lots")
        for _ in range(2000):
            if sitting.results:
                break
            sitting.play("nonsense")
        assert sitting.result.termination is Termination.hand_over


def test_take_backs_come_first() -> None:
    policy = MatchPolicy(illegal_retries=1, illegal=IllegalMoves(cost=Cost.SUBSTITUTE))
    sitting = sit("gomoku/freestyle15", policy=policy)
    assert sitting.play("z99") is Verdict.ILLEGAL
    assert sitting.ask.seat == 0
    assert sitting.play("z99") is Verdict.ILLEGAL
    assert sitting.ask.seat == 1 and sitting.table.state.plies == 1


def test_a_game_without_fines_is_lost() -> None:
    for cost in (Cost.RULES, Cost.POINTS, Cost.LEVELS):
        sitting = sit("gomoku/freestyle15", policy=MatchPolicy(illegal=IllegalMoves(cost=cost)))
        sitting.play("z99")
        assert sitting.result.termination is Termination.illegal_move


def test_an_open_call_costs_the_right_to_call() -> None:
    """R15: 取消该次该人叫牌资格."""
    sitting = sit("tuolaji/r15_six_deck")
    seat = sitting.ask.seat
    sitting.play("call S3")
    assert not sitting.results
    state = sitting.table.state
    words = dict(word.split("=", 1) for word in state.setup().split())
    assert int(words.get("silent", "0")) == 1 << seat


def test_what_a_rulebook_names_no_fine_for() -> None:
    game = arena.game("tuolaji/r16_four_deck_pk")
    state = game.new_state(2)
    (seat,) = state.seats_to_act()
    assert rulings(IllegalMoves(), game, state, Seat(seat), "call S9", False) is None
