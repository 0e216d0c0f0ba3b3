"""Every opening protocol, step by step, with what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from arena.games.contract import State
from arena.games.gomoku.observation import GomokuObservation
from tests.games.gomoku.helpers import acting, new, play, refused


def at(state: State) -> tuple[str, int, str | None]:
    """Phase, seat to act, colour of the stone that is due."""
    seen = GomokuObservation.from_json(state.observe(-1))
    assert seen.to_act is not None
    return str(seen.phase), seen.to_act, None if seen.colour is None else str(seen.colour)


def start(rulebook: str, **settings: Any) -> State:
    return new(rulebook, **settings)[1]


def test_pro() -> None:
    state = start("pro")
    assert at(state) == ("place", 0, "black")
    refused(state, "h9", "outside_zone", "inside=1")
    play(state, "h8")
    assert at(state) == ("place", 1, "white")
    play(state, "a15")  # anywhere
    assert at(state) == ("place", 0, "black")
    for near in ("i8", "j10", "f6", "h10"):
        refused(state, near, "outside_zone", "outside=5")
    assert "e8" in {str(m) for m in state.moves(0)}
    play(state, "k11")
    assert at(state) == ("main", 1, "white")


def test_pro_with_the_older_second_stone() -> None:
    state = start("pro_adjacent")
    play(state, "h8")
    refused(state, "j8", "outside_zone", "inside=3")
    assert len(state.moves(1)) == 8
    play(state, "i9")
    assert at(state) == ("place", 0, "black")


def test_long_pro() -> None:
    state = play(start("long_pro"), "h8", "i9")
    refused(state, "k11", "outside_zone", "outside=7")
    play(state, "l8")
    assert at(state) == ("main", 1, "white")


def test_swap() -> None:
    state = start("swap")
    for stone, colour in (("a1", "black"), ("h8", "white"), ("o15", "black")):
        assert at(state) == ("place", 0, colour)
        play(state, stone)
    assert at(state) == ("swap", 1, None)
    refused(state, "h9", "wrong_phase", "phase=swap")
    refused(state, "pass", "wrong_phase")
    stayed, swapped = state.clone(), state.clone()
    play(stayed, "stay")
    assert (at(stayed), stayed.roles()) == (("main", 1, "white"), ("black", "white"))
    play(swapped, "swap")
    assert (at(swapped), swapped.roles()) == (("main", 0, "white"), ("white", "black"))


def test_swap1() -> None:
    state = play(start("swap1"), "h8")
    assert at(state) == ("swap", 1, None)
    play(state, "swap")
    assert (at(state), state.roles()) == (("main", 0, "white"), ("white", "black"))


@pytest.mark.parametrize(
    ("choice", "turn", "roles"),
    [
        ("black", ("main", 0, "white"), ("white", "black")),
        ("white", ("main", 1, "white"), ("black", "white")),
    ],
)
def test_swap2_takes_a_colour(
    choice: str, turn: tuple[str, int, str], roles: tuple[str, ...]
) -> None:
    state = play(start("swap2"), "h8", "h9", "i9")
    assert at(state) == ("choose", 1, None)
    assert [str(m) for m in state.moves(1)] == ["black", "white", "add"]
    play(state, choice)
    assert (at(state), state.roles()) == (turn, roles)


def test_swap2_adds_two_stones_and_the_opener_chooses() -> None:
    state = play(start("swap2"), "h8", "h9", "i9", "add")
    assert at(state) == ("place", 1, "white")
    play(state, "j9")
    assert at(state) == ("place", 1, "black")
    play(state, "g7")
    assert at(state) == ("choose", 0, None)
    refused(state, "add", "wrong_phase")
    play(state, "black")
    assert (at(state), state.roles()) == (("main", 1, "white"), ("black", "white"))


def test_opening_stones_make_no_five_and_no_foul() -> None:
    # black's own stones can only be three in these protocols; a setup shows the guard
    made, _ = new("renju_super_sakata")
    state = made.new_state(setup="black=h8,h9,h10,h11 white=a1,a3,a5,a7 phase=place seats=bw")
    refused(state, "h12", "forbidden", "five")
    assert "h12" not in {str(m) for m in state.moves(acting(state))}


def test_renju_swap_is_placed_in_turns() -> None:
    state = start("renju_swap")
    assert at(state) == ("place", 0, "black")
    assert [str(m) for m in state.moves(0)] == ["h8"]
    play(state, "h8")
    assert at(state) == ("place", 1, "white")
    refused(state, "j8", "outside_zone", "inside=3")
    play(state, "i9")
    assert at(state) == ("place", 0, "black")
    refused(state, "k8", "outside_zone", "inside=5")
    play(state, "j8")
    assert at(state) == ("swap", 1, None)
    play(state, "swap")
    assert at(state) == ("place", 0, "white")  # white's fourth, by whoever is white now
    play(state, "a1")
    assert at(state) == ("offer", 1, None)
    refused(state, "offer b2", "wrong_count", "need=2")
    play(state, "offer f6 c9")
    assert at(state) == ("pick", 0, None)
    refused(state, "pick a9", "not_offered")
    play(state, "pick f6")
    assert at(state) == ("main", 0, "white")


@pytest.mark.parametrize("rulebook", ["renju_rif1996", "renju_chinese"])
def test_rif_and_the_chinese_national_opening(rulebook: str) -> None:
    state = start(rulebook)
    for stone in ("h8", "h9", "i10"):
        assert acting(state) == 0
        play(state, stone)
    assert at(state) == ("swap", 1, None)
    play(state, "stay")
    assert at(state) == ("place", 1, "white")
    play(state, "g9")
    assert at(state) == ("offer", 0, None)
    play(state, "offer g10 g11")
    assert at(state) == ("pick", 1, None)
    assert [str(m) for m in state.moves(1)] == ["pick g10", "pick g11"]
    play(state, "pick g11")
    assert at(state) == ("main", 1, "white")


def test_the_zones_give_the_26_openings() -> None:
    """Up to symmetry there are 13 direct and 13 indirect third stones."""
    openings = set()
    for second in [str(m) for m in play(start("renju_rif1996"), "h8").moves(0)]:
        state = play(start("renju_rif1996"), "h8", second)
        for third in [str(m) for m in state.moves(0)]:
            images = set()
            for k in range(8):
                pair = []
                for point in (second, third):
                    x, y = ord(point[0]) - ord("h"), int(point[1:]) - 8
                    x, y = (-x if k & 1 else x), (-y if k & 2 else y)
                    pair.append((y, x) if k & 4 else (x, y))
                images.add(tuple(pair))
            openings.add(min(images))
    assert len(openings) == 26


def test_yamaguchi() -> None:
    state = play(start("renju_yamaguchi"), "h8", "h9", "h10")
    assert at(state) == ("declare", 0, None)
    refused(state, "declare 11", "wrong_count", "max=10")
    play(state, "declare 3")
    assert at(state) == ("swap", 1, None)
    play(state, "swap")
    assert at(state) == ("place", 0, "white")
    play(state, "g9")
    assert at(state) == ("offer", 1, None)
    refused(state, "offer a1 a2", "wrong_count", "need=3")
    play(state, "offer a1 b1 c1", "pick b1")
    assert at(state) == ("main", 0, "white")


def test_soosorv() -> None:
    state = play(start("renju_rif"), "h8", "i9", "j10", "stay")
    assert at(state) == ("place", 1, "white")
    play(state, "g8")
    assert at(state) == ("declare", 1, None)
    assert len(state.moves(1)) == 8
    refused(state, "declare 9", "wrong_count", "max=8")
    play(state, "declare 2")
    assert at(state) == ("swap", 0, None)  # the seat with black
    play(state, "swap")
    assert at(state) == ("offer", 1, None)
    play(state, "offer a1 b1", "pick a1")
    assert at(state) == ("main", 0, "white")
    assert state.roles() == ("white", "black")


TARAGUCHI = ("h8", "stay", "i9", "stay", "j10", "stay", "k11")


def test_taraguchi_swaps_after_every_stone() -> None:
    state = start("renju_taraguchi10")
    play(state, "h8")
    assert at(state) == ("swap", 1, None)
    play(state, "swap")
    assert at(state) == ("place", 0, "white")
    refused(state, "j8", "outside_zone", "inside=3")
    play(state, "i8")
    assert at(state) == ("swap", 1, None)  # black is seat 1 now
    play(state, "stay")
    assert at(state) == ("place", 1, "black")
    refused(state, "k8", "outside_zone", "inside=5")
    play(state, "j8")
    assert at(state) == ("swap", 0, None)
    play(state, "stay")
    assert at(state) == ("place", 0, "white")
    refused(state, "l8", "outside_zone", "inside=7")
    play(state, "k8")
    assert at(state) == ("swap_or_offer", 1, None)


def test_taraguchi_first_way_a_fifth_stone_and_another_swap() -> None:
    state = play(start("renju_taraguchi10"), *TARAGUCHI)
    assert at(state) == ("swap_or_offer", 0, None)
    play(state, "swap")
    assert at(state) == ("place", 1, "black")
    refused(state, "m8", "outside_zone", "inside=9")
    play(state, "l8")
    assert at(state) == ("swap", 0, None)  # white of that moment
    play(state, "swap")
    assert (at(state), state.roles()) == (("main", 1, "white"), ("black", "white"))


def test_taraguchi_second_way_ten_offers() -> None:
    state = play(start("renju_taraguchi10"), *TARAGUCHI)
    refused(state, "offer a1 b1", "wrong_count", "need=10")
    ten = "offer a1 b1 c1 d1 e1 f1 g1 h1 i1 j1"
    play(state, ten)
    assert at(state) == ("pick", 1, None)
    play(state, "pick d1")
    assert at(state) == ("main", 1, "white")


def test_taraguchi_with_five() -> None:
    state = play(start("renju_taraguchi5"), *TARAGUCHI, "offer a1 b1 c1 d1 e1")
    assert at(state) == ("pick", 1, None)


def test_super_taraguchi_has_wider_zones() -> None:
    state = play(start("renju_super_taraguchi10"), "h8", "stay")
    refused(state, "k8", "outside_zone", "inside=5")
    play(state, "j8", "stay")
    refused(state, "l8", "outside_zone", "inside=7")
    play(state, "k8", "stay")
    refused(state, "m8", "outside_zone", "inside=9")
    play(state, "l8", "stay")
    refused(state, "m8", "outside_zone", "inside=9")
    play(state, "d8", "stay")
    assert at(state) == ("main", 1, "white")


def test_super_sakata() -> None:
    state = play(start("renju_super_sakata"), "h8", "h9", "j10")
    assert at(state) == ("place", 1, "white")
    refused(state, "l8", "outside_zone", "inside=7")
    play(state, "k8")
    assert at(state) == ("place", 1, "black")
    refused(state, "m8", "outside_zone", "inside=9")
    play(state, "l8")
    assert at(state) == ("choose", 0, None)
    white = state.clone()
    play(white, "white")
    assert (at(white), white.roles()) == (("main", 0, "white"), ("white", "black"))
    play(state, "add")
    assert at(state) == ("place", 0, "white")
    play(state, "a1", "b1")
    assert at(state) == ("choose", 1, None)
    play(state, "add", "c1", "d1", "add", "e1", "f1")
    assert at(state) == ("choose", 1, None)
    refused(state, "add", "wrong_phase")  # three rounds are all there are
    play(state, "black")
    assert at(state) == ("main", 0, "white")


@pytest.mark.parametrize(
    ("opening", "moves", "number"),
    [
        ("renju_swap", ("h8", "i9", "j10", "stay", "a1"), 2),
        ("rif", ("h8", "i9", "j10", "stay", "a1"), 2),
        ("chinese_national", ("h8", "i9", "j10", "stay", "a1"), 2),
        ("yamaguchi", ("h8", "i9", "j10"), 10),
        ("soosorv", ("h8", "i9", "j10", "stay", "a1"), 8),
        ("taraguchi", TARAGUCHI, 10),
        ("super_taraguchi", TARAGUCHI, 10),
    ],
)
def test_the_usual_number_where_none_is_given(
    opening: str, moves: tuple[str, ...], number: int
) -> None:
    state = play(start("renju_rif", opening=opening, opening_n=None), *moves)
    seen = GomokuObservation.from_json(state.observe(-1))
    if seen.phase == "declare":
        assert len(state.moves(acting(state))) == number
    else:
        assert seen.owed == number


def test_the_usual_number_of_rounds_in_super_sakata() -> None:
    state = start("renju_rif", opening="super_sakata", opening_n=None)
    play(state, "h8", "i9", "j10", "k11", "l8")
    for stones in (("a1", "b1"), ("c1", "d1"), ("e1", "f1")):
        assert "add" in {str(m) for m in state.moves(acting(state))}
        play(state, "add", *stones)
    refused(state, "add", "wrong_phase")


# --- offers


def offering() -> State:
    """Stones on the middle row only: mirrored points above and below are equal."""
    return play(start("renju_rif1996"), "h8", "i8", "j8", "stay", "k8")


def test_symmetric_offers_are_refused() -> None:
    state = offering()
    assert "equal by symmetry" in refused(state, "offer g7 g9", "symmetric", "g7,g9")
    play(state, "offer g7 g10")


@pytest.mark.parametrize(
    ("stones", "alike", "different"),
    [
        (("h8", "h9", "h10", "h11"), "g7 i7", "g7 i6"),
        (("h8", "i9", "j10", "k11"), "h9 i8", "g8 h9"),
        (("h8", "g9", "f10", "e11"), "g8 h9", "g8 i8"),
    ],
)
def test_every_axis_of_the_stones_makes_points_alike(
    stones: tuple[str, str, str, str], alike: str, different: str
) -> None:
    first, second, third, fourth = stones
    state = play(start("renju_rif1996"), first, second, third, "stay", fourth)
    refused(state, f"offer {alike}", "symmetric")
    assert state.check(0, f"offer {different}") is None


def test_without_symmetry_mirrored_points_are_different() -> None:
    state = play(start("renju_rif1996"), "h8", "i8", "j8", "stay", "k9")
    play(state, "offer g7 g9")
    assert at(state) == ("pick", 1, None)


def test_offers_of_duplicates_and_stones_are_refused() -> None:
    state = offering()
    refused(state, "offer g7 g7", "duplicate")
    refused(state, "offer g7 h8", "occupied", "h8")
    refused(state, "offer g7 z9", "off_board")
    refused(state, "offer", "wrong_count")
    refused(state, "offer g7 h", "syntax")


def test_an_offer_has_one_canonical_order() -> None:
    first, second = offering(), offering()
    play(first, "offer g10 g7")
    play(second, "offer g7 g10")
    assert first.history()[-1] == second.history()[-1] == (0, "offer g7 g10")
    assert first.setup() == second.setup()


def test_listed_offers_are_a_bounded_choice_and_legal() -> None:
    state = offering()
    view = state.moves(0)
    assert not view.complete
    assert 0 < len(view) <= 64
    for move in view:
        assert state.check(0, move) is None


def test_book_openings_come_from_the_seed() -> None:
    made, _ = new("renju_gomocup")
    starts = {made.new_state(seed).setup() for seed in range(60)}
    assert len(starts) > 10
    assert made.new_state(5).setup() == made.new_state(5).setup()
    # 40 openings, each turned and mirrored in up to eight ways
    assert len({made.new_state(seed).setup() for seed in range(400)}) > 100
    for text in starts:
        state = made.new_state(setup=text)
        assert GomokuObservation.from_json(state.observe(0)).at("h8") is not None
