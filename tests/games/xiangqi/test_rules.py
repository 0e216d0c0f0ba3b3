"""Every sentence of docs/games/xiangqi.md that is not a published fact."""

from __future__ import annotations

from typing import Any

import pytest

from arena._core import IllegalReason, SetupError
from arena._core import game as core_game
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


def test_mated_where_the_only_escape_faces_the_other_general() -> None:
    """被将军，无法避免地同对方将(帅)直接对面: the chariots leave d10, which Red's general looks at."""
    fen = "4k4/9/9/9/9/9/9/5R3/4R4/3K5 b"
    state = game("xiangqi/doc000").new_state(setup=fen)
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("checkmate", "red")
    free = game("xiangqi/doc000", flying_general=False).new_state(setup=fen)
    assert [str(move) for move in free.moves(1)] == ["e10d10"]


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


def test_document_001_draws_where_a_position_comes_again_by_other_moves() -> None:
    made, others = game("xiangqi/doc001"), ["h1g3", "h10g8", "g3h1", "g8h10"]
    state = playthrough(made, f"{START} w", [*SHUFFLE, *others, *SHUFFLE[:3]])
    assert state.outcome() is None
    state.apply(1, "c8b10")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("repetition", "draw")


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


@pytest.mark.parametrize(("cap", "quiet"), [(None, 51), (0, 50), (10, 50), (11, 51)])
def test_the_cap_on_counted_checks_is_a_setting(cap: int | None, quiet: int) -> None:
    fen = "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 50 40 checks=10,0"
    state = game("xiangqi/axf", check_cap=cap).new_state(setup=fen)
    state.apply(0, "i2d2")
    assert f'"quiet":{quiet},' in state.observe(0)


def test_each_side_has_its_own_cap() -> None:
    fen = "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 50 40 checks=0,10"
    state = game("xiangqi/axf").new_state(setup=fen)
    state.apply(0, "i2d2")
    assert '"quiet":51,"checks":[1,10]' in state.observe(0)


def test_a_capture_begins_the_count_and_the_checks_anew() -> None:
    state = game("xiangqi/axf").new_state(setup=f"{START} w - - 100 60 checks=3,4")
    state.apply(0, "h3h10")
    assert '"quiet":0,"checks":[0,0]' in state.observe(0)
    state.apply(1, "i10h10")
    assert '"quiet":0,' in state.observe(0)


@pytest.mark.parametrize(
    ("book", "rounds"), [("axf", 60), ("pikafish", 60), ("fsf", 50), ("ucci_league", 50)]
)
def test_the_limit_of_each_rulebook(book: str, rounds: int) -> None:
    state = game(f"xiangqi/{book}").new_state(setup=f"{START} w - - {2 * rounds - 2} 80")
    state.apply(0, "h3e3")
    assert state.outcome() is None
    state.apply(1, "h10g8")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "natural_limit"


def test_without_a_limit_quiet_moves_go_on() -> None:
    made = game("xiangqi/axf", natural_limit_rounds=None)
    state = made.new_state(setup=f"{START} w - - 119 80")
    state.apply(0, "h3e3")
    assert state.outcome() is None
    limit = game("xiangqi/axf", natural_limit_rounds=5).new_state(setup=f"{START} w - - 9 80")
    limit.apply(0, "h3e3")
    assert limit.outcome() is not None


def test_games_are_cut_where_the_rules_say_so() -> None:
    state = game("xiangqi/openspiel").new_state(setup=f"{START} w - - 0 250")
    state.apply(0, "h3e3")
    assert state.outcome() is None
    state.apply(1, "h10g8")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, winner(state)) == ("move_limit", "draw")


def test_stalemate_comes_before_the_limit() -> None:
    fen = "3k5/9/9/9/2N6/9/9/9/9/4K4 w - - 119 90"
    state = game("xiangqi/axf").new_state(setup=fen)
    state.apply(0, "c6b8")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "no_move"


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


def test_false_claims_cost_nothing_where_no_number_is_set() -> None:
    made = game("xiangqi/doc000", technical_foul_limit=None)
    state = made.new_state(setup=f"{START} w - - 5 3")
    for _ in range(5):
        state.apply(0, "claim")
    assert state.outcome() is None
    assert state.seats_to_act() == {0}


def test_each_sides_false_claims_are_its_own() -> None:
    state = game("xiangqi/doc000").new_state(setup=f"{START} w - - 5 3 fouls=2,2")
    state.apply(0, "h3e3")
    state.apply(1, "claim")
    assert winner(state) == "red"


def test_a_referee_books_fouls_where_they_are_counted() -> None:
    state = game("xiangqi/axf", technical_foul_limit=2).new_state()
    assert state.check(0, "fine foul") is not None, "no seat can play it"
    (event,) = state.rule(1, "fine foul")
    assert (event.kind, event.seat, event.text) == ("foul", 1, "ruled")
    assert state.seats_to_act() == {0}
    again = game("xiangqi/axf", technical_foul_limit=2).new_state(setup=state.setup())
    assert again.observe(0) == state.observe(0)
    state.rule(1, "fine foul")
    assert winner(state) == "red"
    with pytest.raises(IllegalMove, match="the game is over"):
        state.rule(1, "fine foul")
    with pytest.raises(IllegalMove, match="technical_foul_limit is null"):
        game("xiangqi/axf").new_state().rule(0, "fine foul")
    with pytest.raises(IllegalMove, match="the ruling of this game"):
        again.rule(0, "fine points 5")


def test_there_is_nothing_to_claim_after_a_capture() -> None:
    state = game("xiangqi/doc000").new_state(setup=f"{START} w - - 110 70")
    state.apply(0, "h3h10")
    refusal = state.check(1, "claim")
    assert refusal is not None
    assert refusal.reason == IllegalReason.nothing_to_claim


RULEBOOKS: list[tuple[str, dict[str, object]]] = [
    ("doc000", {"repetition_code": "axf", "natural_limit_mode": "claim", "check_cap": 10}),
    ("doc000", {"repetition_count": 3, "technical_foul_limit": 3, "natural_limit_rounds": 60}),
    ("doc001", {"same_move_limit": 3, "same_move_mode": "position", "natural_limit_rounds": 60}),
    ("doc001", {"repetition_code": "draw", "repetition_count": 4, "technical_foul_limit": None}),
    ("doc001_literal", {"same_move_limit": 3, "same_move_mode": "literal"}),
    ("doc001_literal", {"repetition_code": "draw", "repetition_count": 3}),
    ("axf", {"repetition_code": "axf", "natural_limit_rounds": 60, "check_cap": 10}),
    ("cxa", {"repetition_code": "cxa", "natural_limit_rounds": 60, "check_cap": 10}),
    ("ucci_league", {"repetition_code": "ucci_league", "repetition_count": 4}),
    ("ucci_league", {"natural_limit_rounds": 50, "check_cap": None}),
    ("pikafish", {"repetition_code": "axf", "repetition_count": 3, "natural_limit_rounds": 60}),
    ("pikafish", {"check_cap": 10, "insufficient_material": "engine_table"}),
    ("fsf", {"repetition_code": "axf", "natural_limit_rounds": 50, "check_cap": None}),
    ("perpetual_check", {"repetition_code": "perpetual_check_only", "repetition_count": 3}),
    ("openspiel", {"repetition_count": None, "natural_limit_rounds": None, "max_plies": 500}),
    ("openspiel", {"insufficient_material": "off", "stalemate": "loss"}),
]


@pytest.mark.parametrize(("book", "settings"), RULEBOOKS)
def test_what_the_rulebooks_say(book: str, settings: dict[str, object]) -> None:
    said = game(f"xiangqi/{book}").rules.settings()
    assert {name: said[name] for name in settings} == settings


def test_document_003_is_document_001() -> None:
    assert game("xiangqi/doc003").rules == game("xiangqi/doc001").rules


def test_without_material_to_win_games_may_go_on() -> None:
    fen = "4k4/9/4b4/9/9/9/9/4B4/9/4K4 w"
    assert game("xiangqi/axf", insufficient_material="off").new_state(setup=fen).outcome() is None
    assert game("xiangqi/axf").new_state(setup=fen).outcome() is not None


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
    with pytest.raises(RulesError, match="bans nothing"):
        game("xiangqi/axf", repetition_code="ban_third_move", repetition_count=None)
    twice: dict[str, Any] = {"repetition_code": "ban_third_move", "same_move_limit": 3}
    with pytest.raises(RulesError, match="same_move_limit: ban_third_move sets it"):
        game("xiangqi/axf", **twice)
    with pytest.raises(ValueError, match="same_move_limit: ban_third_move sets it"):
        core_game("xiangqi", {**game("xiangqi/axf").rules.settings(), **twice})
