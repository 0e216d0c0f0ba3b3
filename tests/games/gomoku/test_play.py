"""Fives, fouls, claims, passes and draws: what ends a game and what does not."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games import IllegalMove, game
from arena.games.contract import State
from arena.games.gomoku.observation import Colour, GomokuObservation, Phase
from tests.games.gomoku.helpers import acting, ended, new, play, refused, setup_text

G01 = {"black": ["f11", "g11", "h9", "g8"], "white": ["a1", "a3", "a5", "a7"]}
"""g10 is a double-three."""

G26 = {"black": ["e8", "f8", "g8", "i8", "h5", "h6", "h7", "h9"], "white": ["a1"]}
"""h8 makes five in the row and five in the column."""


def board(rulebook: str, black: str, white: str, move: str = "black", **settings: Any) -> State:
    text = setup_text(black.split(), white.split(), move=move)
    return game(f"gomoku/{rulebook}", **settings).new_state(setup=text)


# --- the first stone, G49


def test_g49_first_stone_off_the_centre_is_illegal_under_doc001() -> None:
    made, state = new("doc001")
    assert "h8" in refused(state, "g8", "outside_zone", "zone=h8")
    assert [str(m) for m in state.moves(0)] == ["h8"]
    play(state, "h8", "a1", "o15")
    assert acting(state) == 1
    assert made.name == "gomoku/doc001"


@pytest.mark.parametrize(("size", "centre"), [(9, "e5"), (10, "f6"), (15, "h8"), (22, "l12")])
def test_centre_of_every_size(size: int, centre: str) -> None:
    _, state = new("doc001", size=size)
    assert [str(m) for m in state.moves(0)] == [centre]


# --- fives and overlines by rule


@pytest.mark.parametrize(
    ("rulebook", "black", "move", "end"),
    [
        ("freestyle15", "a1 b1 c1 d1", "e1", ("five", (1.0, 0.0))),
        ("freestyle15", "a1 b1 c1 e1 f1", "d1", ("five", (1.0, 0.0))),
        ("standard15", "a1 b1 c1 d1", "e1", ("five", (1.0, 0.0))),
        ("standard15", "a1 b1 c1 e1 f1", "d1", None),
        ("renju_free", "a1 b1 c1 e1 f1", "d1", ("forbidden", (0.0, 1.0))),
        ("renju_free", "a1 a2 a3 a4", "a5", ("five", (1.0, 0.0))),
        ("renju_free", "a1 b2 c3 d4", "e5", ("five", (1.0, 0.0))),
        ("renju_free", "o1 n2 m3 l4", "k5", ("five", (1.0, 0.0))),
    ],
)
def test_black_rows(
    rulebook: str, black: str, move: str, end: tuple[str, tuple[float, ...]] | None
) -> None:
    state = board(rulebook, black, "h15 j15 l15 n15")
    play(state, move)
    if end is None:
        assert state.outcome() is None
    else:
        assert ended(state) == end


def test_g48_white_overline_wins_in_doc001_and_does_nothing_in_standard() -> None:
    six = ("h8 j8 l8 n8 b8", "a1 b1 c1 e1 f1")
    state = board("doc001", *six, move="white")
    play(state, "d1")
    assert ended(state) == ("five", (0.0, 1.0))
    state = board("standard15", *six, move="white")
    play(state, "d1")
    assert state.outcome() is None


def test_caro_five_must_be_open_at_one_end() -> None:
    both = board("caro15", "b1 c1 d1 e1", "a1 g1 k9")
    play(both, "f1")
    assert both.outcome() is None
    one = board("caro15", "b1 c1 d1 e1", "a1 k9 k11")
    play(one, "f1")
    assert ended(one) == ("five", (1.0, 0.0))
    edge = board("caro15", "a1 b1 c1 d1", "f1 k9 k11")  # the edge does not block
    play(edge, "e1")
    assert ended(edge) == ("five", (1.0, 0.0))
    white = board("caro15", "a1 g1 k9 k11 k13", "b1 c1 d1 e1", move="white")
    play(white, "f1")
    assert white.outcome() is None


def test_overline_neutral_is_neither_win_nor_foul() -> None:
    black = board("renju_free", "a1 b1 c1 e1 f1", "h15 j15", overline_black="neutral")
    play(black, "d1")
    assert black.outcome() is None


# --- enforcement


def test_auto_loss_ends_the_game_with_white_winning() -> None:
    state = board("renju_free", " ".join(G01["black"]), " ".join(G01["white"]))
    events = state.apply(0, "g10")
    assert [(e.kind, e.text) for e in events] == [("move", "g10"), ("foul", "double_three")]
    assert ended(state) == ("forbidden", (0.0, 1.0))


def test_illegal_refuses_the_point_and_keeps_the_position() -> None:
    state = board("renju_illegal", " ".join(G01["black"]), " ".join(G01["white"]))
    before = state.setup()
    assert "double_three" in refused(state, "g10", "forbidden", "double_three")
    with pytest.raises(IllegalMove):
        state.apply(0, "g10")
    assert state.setup() == before
    play(state, "g9")
    assert acting(state) == 1
    # the same point is not forbidden to white
    assert state.check(1, "g10") is None


def test_white_may_have_forbidden_moves_too() -> None:
    state = board(
        "renju_illegal",
        " ".join(G01["white"]),
        " ".join(G01["black"]),
        move="white",
        double_three_white="forbidden",
    )
    refused(state, "g10", "forbidden", "double_three")
    listed = {str(move) for move in state.moves(1)}
    assert "g10" not in listed
    assert "g9" in listed


def test_illegal_and_nothing_left_to_play_loses_as_no_move() -> None:
    # Every free point of a 9x9 board is an overline of black's: seven of eight in each row.
    black = [f"{c}{r}" for r in range(1, 10) for c in "abcdefghi"]
    free = ["e1"]
    white = [p for p in black if p[1:] in "3579" or p[0] == "a"]
    stones = [p for p in black if p not in free and p not in white]
    state = game("gomoku/renju_illegal", size=9).new_state(
        setup=setup_text(stones, white, result="none")
    )
    assert ended(state) == ("no_move", (0.0, 1.0))
    passing = game("gomoku/renju_illegal", size=9, passes="yes_two_passes_draw").new_state(
        setup=setup_text(stones, white, result="none")
    )
    assert [str(m) for m in passing.moves(0)] == ["pass"]


def test_five_beats_forbidden_and_may_be_told_not_to() -> None:
    # the row makes five, the column six
    row = "d8 e8 f8 g8 h4 h5 h6 h7 h9"
    for rulebook in ("doc001", "renju_free", "renju_illegal"):
        state = board(rulebook, row, "a1 a3 a5 a7 a9")
        play(state, "h8")
        assert ended(state) == ("five", (1.0, 0.0))
    state = board("renju_free", row, "a1 a3 a5 a7 a9", five_beats_forbidden=False)
    play(state, "h8")
    assert ended(state) == ("forbidden", (0.0, 1.0))
    state = board("doc001", row, "a1 a3 a5 a7 a9", five_beats_forbidden=False)
    play(state, "h8", "a11")  # a lapsed foul leaves a five that never wins
    assert state.outcome() is None


# --- claims, G46 and G47


def claims(**settings: Any) -> State:
    return board("doc001", " ".join(G01["black"]), " ".join(G01["white"]), **settings)


def test_g46_right_claim_wins() -> None:
    state = play(claims(), "g10")
    assert state.check(1, "claim") is None
    assert "claim" in {str(m) for m in state.moves(1)}
    assert len(state.moves(1)) == 225 - 9 + 1
    play(state, "claim")
    assert ended(state) == ("forbidden_claimed", (0.0, 1.0))


def test_g46_playing_on_lets_the_foul_lapse() -> None:
    state = play(claims(), "g10", "a9")
    refused(state, "claim", "nothing_to_claim")
    play(state, "o15")
    assert state.check(1, "claim") is None  # of o15, which is no foul
    play(state, "claim", "o13")
    assert state.outcome() is None


def test_g47_a_five_ends_the_game_before_any_claim() -> None:
    state = board("doc001", " ".join(G26["black"]), "a1 a3 a5 a7 a9 a11 a13")
    play(state, "h8")
    assert ended(state) == ("five", (1.0, 0.0))
    illegal = state.check(1, "claim")
    assert illegal is not None
    assert illegal.reason.name == "game_over"


def test_lapsed_overline_is_no_five() -> None:
    state = board("doc001", "a1 b1 c1 e1 f1", "h15 j15")
    play(state, "d1", "n15", "h8")
    assert state.outcome() is None


def test_claim_before_any_stone_or_for_black() -> None:
    _, state = new("doc001")
    refused(state, "claim", "nothing_to_claim")
    play(state, "h8", "h9")
    refused(state, "claim", "nothing_to_claim")  # white has no forbidden moves


def test_no_claims_where_the_rules_have_none() -> None:
    for rulebook in ("renju_free", "freestyle15", "renju_illegal"):
        _, state = new(rulebook)
        play(state, "h8")
        assert "nothing that is claimed" in refused(state, "claim", "nothing_to_claim")


def test_false_claim_none_costs_nothing_once() -> None:
    state = play(claims(), "g9", "claim")
    assert acting(state) == 1
    assert GomokuObservation.from_json(state.observe(0)).false_claims == (0, 1)
    assert "already" in refused(state, "claim", "nothing_to_claim")
    play(state, "g10", "o1")
    assert state.check(1, "claim") is None


def test_false_claim_lose_move_gives_black_another_stone() -> None:
    state = play(claims(false_claim="lose_move"), "g9", "claim")
    assert acting(state) == 0
    refused(state, "claim", "nothing_to_claim")
    play(state, "o15")
    assert acting(state) == 1
    seen = GomokuObservation.from_json(state.observe(1))
    assert seen.stones == 10
    assert sum(row.count("b") for row in seen.rows) == 6


def test_false_claim_technical_foul_loses_at_the_limit() -> None:
    state = claims(false_claim="technical_foul", false_claim_limit=2)
    play(state, "g9", "claim", "o1", "o3", "claim")
    assert ended(state) == ("false_claim", (1.0, 0.0))
    three = claims(false_claim="technical_foul")
    play(three, "g9", "claim", "o1", "o3", "claim", "o5", "o7")
    assert three.outcome() is None
    play(three, "claim")
    assert ended(three) == ("false_claim", (1.0, 0.0))


def test_false_claim_loss() -> None:
    state = play(claims(false_claim="loss"), "g9", "claim")
    assert ended(state) == ("false_claim", (1.0, 0.0))


def test_a_claim_from_a_setup_judges_the_last_stone() -> None:
    stones = [*G01["black"], "g10"]
    text = setup_text(stones, G01["white"], move="white", last="g10")
    state = game("gomoku/doc001").new_state(setup=text)
    play(state, "claim")
    assert ended(state) == ("forbidden_claimed", (0.0, 1.0))
    # another stone of the same five points was last: no foul then
    text = setup_text(stones, G01["white"], move="white", last="f11")
    state = game("gomoku/doc001").new_state(setup=text)
    play(state, "claim")
    assert state.outcome() is None


def test_a_stone_of_ones_own_is_not_claimed() -> None:
    text = setup_text(G01["black"], G01["white"], move="white", last="a1")
    state = game("gomoku/doc001").new_state(setup=text)
    refused(state, "claim", "nothing_to_claim")
    assert "claim" not in {str(m) for m in state.moves(1)}


# --- passes, limits, the full board


def test_passes() -> None:
    _, state = new("renju_rif", opening="free", opening_n=None)
    play(state, "h8", "pass", "h9", "pass", "pass")
    assert ended(state) == ("two_passes", (0.5, 0.5))
    _, state = new("doc001")
    play(state, "h8")
    refused(state, "pass", "pass_not_allowed")


def test_max_moves_counts_stones_and_passes() -> None:
    _, state = new("freestyle15", max_moves=10, passes="yes_two_passes_draw")
    play(state, *["a1", "c1", "e1", "g1", "pass", "i1", "k1", "m1", "o1"])
    assert state.outcome() is None
    play(state, "a3")
    assert ended(state) == ("move_limit", (0.5, 0.5))


def test_gomocup_draws_at_200() -> None:
    assert game("gomoku/renju_gomocup").rules.settings()["max_moves"] == 200


def test_g50_a_full_board_is_a_draw() -> None:
    # Pairs of rows shifted by two: no five in any direction, of either colour.
    stones: dict[bool, list[str]] = {True: [], False: []}
    for row in range(15):
        for column in range(15):
            stones[(column // 2 + row) % 2 == 0].append(f"{chr(ord('a') + column)}{row + 1}")
    black, white = stones[True], stones[False]
    last = black.pop()
    state = game("gomoku/standard15").new_state(setup=setup_text(black, white))
    assert state.outcome() is None
    play(state, last)
    assert ended(state) == ("board_full", (0.5, 0.5))


# --- a foul by the last stone of all: rules 〖4〗 and 〖6〗 of document 001


def last_stone(foul: bool = True, **settings: Any) -> State:
    """A 9x9 board without a five and full but for e5, which black puts: an overline or not."""
    stones: dict[bool, list[str]] = {True: [], False: []}
    for row in range(9):
        for column in range(9):
            stones[(column // 2 + row) % 2 == 0].append(f"{chr(ord('a') + column)}{row + 1}")
    black, white = set(stones[True]) - {"e5"}, set(stones[False]) - {"e5"}
    moved = {"c5", "d5", "f5", "g5", "h5"} if foul else set()
    text = setup_text(sorted(black | moved), sorted(white - moved))
    return game("gomoku/doc001", size=9, **settings).new_state(setup=text)


def test_a_foul_that_fills_the_board_may_be_claimed() -> None:
    state = play(last_stone(), "e5")
    assert state.outcome() is None
    assert sorted(str(m) for m in state.moves(1)) == ["claim", "pass"]
    again = game("gomoku/doc001", size=9).new_state(setup=state.setup())
    assert again.setup() == state.setup()
    play(again, "claim")
    assert ended(again) == ("forbidden_claimed", (0.0, 1.0))
    play(state, "pass")  # the foul lapses, with no pass in the rules otherwise
    assert ended(state) == ("board_full", (0.5, 0.5))


def test_a_foul_by_the_last_stone_allowed_may_be_claimed() -> None:
    made = game("gomoku/doc001", max_moves=10)
    text = setup_text(G01["black"], [*G01["white"], "a9"])
    state = play(made.new_state(setup=text), "g10")
    assert state.outcome() is None
    assert sorted(str(m) for m in state.moves(1)) == ["claim", "pass"]
    assert "claim, pass" in refused(state, "o1", "wrong_phase")
    claimed = play(state.clone(), "claim")
    assert ended(claimed) == ("forbidden_claimed", (0.0, 1.0))
    play(state, "pass")
    assert ended(state) == ("move_limit", (0.5, 0.5))
    sound = play(made.new_state(setup=text), "g9")
    assert ended(sound) == ("move_limit", (0.5, 0.5))


@pytest.mark.parametrize("false_claim", ["none", "lose_move", "technical_foul", "loss"])
def test_a_sound_last_stone_is_drawn_at_once(false_claim: str) -> None:
    state = play(last_stone(foul=False, false_claim=false_claim), "e5")
    assert ended(state) == ("board_full", (0.5, 0.5))


@pytest.mark.parametrize("spec", ["greedy", "search:nodes=50"])
def test_engines_claim_a_foul_by_the_last_stone(spec: str) -> None:
    made = game("gomoku/doc001", size=9)
    state = play(made.new_state(setup=last_stone().setup()), "e5")
    engine = made.core.engine(spec)
    engine.new_game(0)
    assert str(engine.choose(state, 1)[0]) == "claim"


def test_turns_and_finished_games() -> None:
    _, state = new("freestyle15")
    illegal = state.check(1, "h8")
    assert illegal is not None
    assert illegal.reason.name == "not_your_turn"
    play(state, "h8")
    assert "black" in refused(state, "h8", "occupied")
    refused(state, "swap", "wrong_phase", "phase=main")


# --- what is seen


def test_observation_is_typed_and_the_same_for_all() -> None:
    _, state = new("doc001")
    play(state, "h8", "i9")
    assert state.observe(0) == state.observe(1) == state.observe(-1)
    seen = GomokuObservation.from_json(state.observe(0))
    assert (seen.at("h8"), seen.at("i9"), seen.at("a1")) == (Colour.BLACK, Colour.WHITE, None)
    assert (seen.phase, seen.to_act, seen.colour) == (Phase.MAIN, 0, Colour.BLACK)
    assert (seen.stones, seen.moves, seen.last, seen.claim) == (2, 2, "i9", False)
    with pytest.raises(ValueError, match="a1 to o15"):
        seen.at("p1")
