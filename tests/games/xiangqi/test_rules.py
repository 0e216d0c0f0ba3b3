"""Every sentence of docs/games/xiangqi.md that is not a published fact."""

from __future__ import annotations

import pytest

from arena._core import IllegalReason, SetupError
from arena.games import IllegalMove, RulesError, game
from tests.games.xiangqi.test_facts import playthrough, winner

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
SHUFFLE = ["b1c3", "b10c8", "c3b1", "c8b10"]


def test_mate_and_stalemate_lose() -> None:
    mate = game("xiangqi/axf").new_state(setup="3k5/9/9/9/9/9/9/9/4R4/3RK4 b").outcome()
    assert mate is not None
    assert (mate.termination.name, tuple(mate.scores)) == ("checkmate", (1.0, 0.0))
    stuck = game("xiangqi/axf").new_state(setup="3k5/1P7/3P5/9/9/9/9/9/9/4K4 b")
    outcome = stuck.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(stuck)) == ("no_move", "red")


@pytest.mark.parametrize(("stalemate", "expected"), [("loss", "red"), ("draw", "draw")])
def test_stalemate_is_a_setting(stalemate: str, expected: str) -> None:
    made = game("xiangqi/axf", stalemate=stalemate)
    # d9 is covered by the horse, e10 faces the general.
    pinned = made.new_state(setup="3k5/9/9/2N6/9/9/9/9/9/4K4 b")
    outcome = pinned.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(pinned)) == ("no_move", expected)


def test_facing_generals_are_a_setting() -> None:
    fen = "4k4/9/9/9/9/9/9/9/9/3KN4 w"
    refusal = game("xiangqi/axf").new_state(setup=fen).check(0, "d1e1")
    assert refusal is not None
    assert refusal.reason == IllegalReason.occupied
    fen = "4k4/9/9/9/9/9/9/9/9/N2K5 w"
    refusal = game("xiangqi/axf").new_state(setup=fen).check(0, "d1e1")
    assert refusal is not None
    assert refusal.reason == IllegalReason.in_check
    assert game("xiangqi/axf", flying_general=False).new_state(setup=fen).check(0, "d1e1") is None


@pytest.mark.parametrize(
    ("move", "reason", "detail"),
    [
        ("h3h13", IllegalReason.syntax, ""),
        ("j3h3", IllegalReason.syntax, ""),
        ("H3E3", IllegalReason.syntax, ""),
        ("e5e6", IllegalReason.not_your_piece, "empty"),
        ("h8e8", IllegalReason.not_your_piece, "black"),
        ("a1b1", IllegalReason.occupied, "b1"),
        ("a1a4", IllegalReason.occupied, "a4"),
        ("a1a5", IllegalReason.unreachable, "a5"),
        ("a4b4", IllegalReason.unreachable, "b4"),
        ("h3h8", IllegalReason.unreachable, "h8"),
        ("a1a1", IllegalReason.null_move, ""),
        ("claim", IllegalReason.nothing_to_claim, ""),
    ],
)
def test_refusals(move: str, reason: IllegalReason, detail: str) -> None:
    refusal = game("xiangqi/axf").new_state().check(0, move)
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == (reason, detail)


def test_iccs_text_names_the_same_move() -> None:
    state = game("xiangqi/axf").new_state()
    state.apply(0, "H2-E2")
    assert state.history() == ((0, "h3e3"),)


def test_document_001_bans_the_third_same_move_in_the_same_position() -> None:
    state = playthrough(game("xiangqi/doc001"), f"{START} w", 2 * SHUFFLE)
    refusal = state.check(0, "b1c3")
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == (IllegalReason.repeated, "times=3")
    assert "b1c3" not in [str(m) for m in state.moves(0)]
    assert len(state.moves(0)) == 43
    state.apply(0, "b1a3")
    assert state.check(1, "b10c8") is None


def test_document_001_by_the_letter_draws() -> None:
    state = playthrough(game("xiangqi/doc001_literal"), f"{START} w", 2 * SHUFFLE)
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "repetition"


def test_a_soldier_step_or_capture_begins_anew() -> None:
    moves = [*SHUFFLE, "a4a5", "a7a6", *SHUFFLE]
    state = playthrough(game("xiangqi/axf"), f"{START} w", moves)
    assert state.outcome() is None
    assert '"occurrences":2' in state.observe(0)


def test_natural_limit_counts_plies_without_capture() -> None:
    made = game("xiangqi/axf")
    state = made.new_state(setup=f"{START} w - - 118 80")
    state.apply(0, "h3e3")
    assert state.outcome() is None
    state.apply(1, "h10g8")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, tuple(outcome.scores)) == ("natural_limit", (0.5, 0.5))
    state = made.new_state(setup=f"{START} w - - 119 80")
    state.apply(0, "h3h10")
    assert state.outcome() is None


def test_checks_beyond_the_cap_do_not_count() -> None:
    fen = "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 50 40"
    for checks, quiet in ((9, 51), (10, 50)):
        state = game("xiangqi/axf").new_state(setup=f"{fen} checks={checks},0")
        state.apply(0, "i2d2")
        assert f'"quiet":{quiet},"checks":[{checks + 1},0]' in state.observe(0)


def test_mate_on_the_last_ply_of_the_limit_wins() -> None:
    state = game("xiangqi/axf").new_state(setup="3k5/8R/9/9/9/9/9/9/7R1/4K4 w - - 119 90")
    state.apply(0, "h2h10")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("checkmate", "red")


def test_claims_of_document_000() -> None:
    made = game("xiangqi/doc000")
    state = made.new_state(setup=f"{START} w - - 119 80")
    events = [event.text for event in state.apply(0, "claim")]
    assert "false_claim" in events
    assert state.seats_to_act() == {0}, "a wrong claim leaves the turn where it was"
    state.apply(0, "h3e3")
    assert state.outcome() is None, "nobody has claimed yet"
    again = made.new_state(setup=state.setup())
    assert again.observe(0) == state.observe(0)
    again.apply(1, "claim")
    outcome = again.outcome()
    assert outcome is not None
    assert outcome.termination.name == "natural_limit"
    assert made.new_state(setup=again.setup()).outcome() is not None


def test_three_false_claims_lose() -> None:
    state = game("xiangqi/doc000").new_state(setup=f"{START} w - - 5 3")
    for _ in range(3):
        assert state.outcome() is None
        state.apply(0, "claim")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("technical_fouls", "black")


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ("", "at least a board"),
        (f"{START}", "side to move"),
        (f"{START} x", "no side to move"),
        (f"{START.replace('9', '8', 1)} w", "rank 9 has 8 points"),
        (f"{START.replace('K', '1')} w", "Red has no general"),
        (f"{START.replace('P1P1P1P1P', 'PPPPPPPPP')} w", "cannot stand on b4"),
        (f"{START.replace('9', 'R8')} w", "more than 2 of R"),
        (f"{START} w - - x", "plies without a capture"),
        (f"{START} w moves=h3h13", "not a move"),
        (f"{START} w moves=h3h2,h8h7,h2h1", "moves="),
        (f"{START} w fouls=1,0", "claim"),
        (f"{START} w nonsense=1", "no key"),
        (f"{START} w last=h3e3 last=h3e3", "twice"),
    ],
)
def test_bad_setups_say_what_is_wrong(setup: str, message: str) -> None:
    with pytest.raises(SetupError, match=message):
        game("xiangqi/axf").new_state(setup=setup)


def test_moves_of_a_setup_count_towards_repetition() -> None:
    made = game("xiangqi/axf")
    state = made.new_state(setup=f"{START} w moves={','.join(2 * SHUFFLE[:4])[:-6]}")
    assert state.outcome() is None
    state.apply(1, "c8b10")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "repetition"
    with pytest.raises(IllegalMove):
        state.apply(0, "b1c3")


def test_settings_that_make_no_sense_together() -> None:
    with pytest.raises(RulesError, match="natural_limit_rounds"):
        game("xiangqi/doc000", natural_limit_rounds=None)
    with pytest.raises(RulesError, match="natural_limit_mode = claim"):
        game("xiangqi/axf", technical_foul_limit=3)
    with pytest.raises(RulesError, match="bans nothing"):
        game("xiangqi/doc001", repetition_count=None)
