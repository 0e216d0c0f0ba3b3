"""Technical fouls of Xiangqi at the table: illegal moves, repeated offers, false claims, in one count."""

from __future__ import annotations

import json

import pytest

import arena
from arena._core import Termination
from arena.match.policy import MatchPolicy
from arena.players.base import Answer, Verdict
from tests.match.table_kit import Sitting, sit

ONCE = MatchPolicy(draw_offers_in_a_row=1)


def fouls(sitting: Sitting) -> list[int]:
    found: list[int] = json.loads(sitting.table.state.observe(arena.SPECTATOR))["fouls"]
    return found


def test_an_illegal_move_is_a_foul_and_the_third_loses() -> None:
    """一方多走一步或棋子走往不能去的位置; 同一局棋技术犯规三次判负."""
    sitting = sit("xiangqi/doc000")
    for number in (1, 2):
        before = sitting.table.state.setup().partition(" fouls")[0]
        assert sitting.play("h3h8") is Verdict.ILLEGAL
        assert fouls(sitting) == [number, 0]
        assert sitting.table.state.setup().partition(" fouls")[0] == before
        assert sitting.ask.seat == 0, "the seat moves again"
        assert "fine foul" in sitting.ask.refused
    sitting.play("h3e3", "h10g8")
    assert sitting.play("nonsense") is Verdict.ILLEGAL
    result = sitting.result
    assert result.termination is Termination.technical_fouls
    assert result.scores == (0.0, 1.0)
    assert result.record is not None
    assert len(result.record.moves) == len(result.moves_ms) == result.plies == 5
    outcome = sitting.table.game.replay(result.record).outcome()
    assert outcome is not None
    assert outcome.termination is Termination.technical_fouls


def test_false_claims_and_illegal_moves_are_counted_together() -> None:
    sitting = sit("xiangqi/doc000")
    sitting.play("h3e3", "h10g8", "claim")
    assert sitting.play("e3e3") is Verdict.ILLEGAL
    assert fouls(sitting) == [2, 0]
    sitting.play("claim")
    assert sitting.result.termination is Termination.technical_fouls


def test_without_a_count_an_illegal_move_loses() -> None:
    sitting = sit("xiangqi/axf")
    sitting.play("h3h8")
    assert sitting.result.termination is Termination.illegal_move


def test_moves_that_may_be_taken_back_are_no_fouls() -> None:
    sitting = sit("xiangqi/doc000", policy=MatchPolicy(illegal_retries=1))
    sitting.play("h3h8")
    assert fouls(sitting) == [0, 0]
    sitting.play("h3h8")
    assert fouls(sitting) == [1, 0]


def test_one_offer_after_another_is_a_foul() -> None:
    """连续提和，干扰对方."""
    sitting = sit("xiangqi/doc000", policy=ONCE)
    sitting.say(Answer(move="h3e3", offer_draw=True))
    assert sitting.ask.draw_offers == (0,)
    sitting.say(Answer(move="h10g8", offer_draw=True))
    assert fouls(sitting) == [0, 0], "each side has offered once"
    sitting.say(Answer(move="h1g3", offer_draw=True))
    assert fouls(sitting) == [1, 0]
    assert not sitting.ask.draw_offers, "it is not passed on"
    sitting.say(Answer(move="i10h10"))
    sitting.say(Answer(move="i1h1"))
    sitting.say(Answer(move="b10c8"))
    sitting.say(Answer(move="b1c3", offer_draw=True))
    assert fouls(sitting) == [1, 0], "not in a row"
    assert sitting.ask.draw_offers == (0,)


def test_the_third_repeated_offer_loses() -> None:
    sitting = sit("xiangqi/doc000", policy=ONCE)
    for mine, other in (("a1a2", "a10a9"), ("a2a1", "a9a10"), ("a1a2", "a10a9")):
        sitting.say(Answer(move=mine, offer_draw=True))
        sitting.say(Answer(move=other))
    assert fouls(sitting) == [2, 0]
    sitting.say(Answer(move="h3e3", offer_draw=True))
    assert sitting.result.termination is Termination.technical_fouls
    assert sitting.result.scores == (0.0, 1.0)


@pytest.mark.parametrize("book", ["xiangqi/axf", "gomoku/freestyle15"])
def test_where_no_fouls_are_counted_repeated_offers_are_ignored(book: str) -> None:
    sitting = sit(book, policy=ONCE)
    for _ in range(3):
        state = sitting.table.state
        sitting.say(Answer(move=str(state.moves(0)[0]), offer_draw=True))
        sitting.say(Answer(move=str(sitting.table.state.moves(1)[0])))
    sitting.say(Answer(move=str(sitting.table.state.moves(0)[0]), offer_draw=True))
    assert not sitting.results
    assert not sitting.ask.draw_offers
