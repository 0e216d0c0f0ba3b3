"""The setup line: any position in, the same position out, and what is wrong with a wrong one."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena._core import Rng
from arena.games import SetupError
from tests.games.chinese_checkers.positions import checkers, homes, look

START = "N=n1,n2,n3,n4,o1,o2,o3,p1,p2,q1 S=a1,b1,b2,c1,c2,c3,d1,d2,d3,d4 seat=0 round=1"  # as documented
BOOKS = [name for name in arena.rulebooks("chinese_checkers/*")]


def test_the_start() -> None:
    assert checkers("west10_2").new_state().setup() == START


def test_words_in_any_order_and_holes_unsorted() -> None:
    game = checkers("west10_2")
    state = game.new_state(setup="round=3 S=c2,a1 seat=1  N=q1,n10,e13".replace("n10", "n4"))
    assert state.setup() == "N=e13,n4,q1 S=a1,c2 seat=1 round=3"


@pytest.mark.parametrize("book", BOOKS)
def test_round_trip_along_whole_games(book: str) -> None:
    game = arena.game(book, max_turns=30)
    engines = [game.core.engine("greedy:noise=30") for _ in range(game.seats)]
    state = game.new_state()
    for engine in engines:
        engine.new_game(5)
    while state.seats_to_act():
        (seat,) = state.seats_to_act()
        move, _ = engines[seat].choose(state, seat)
        state.apply(seat, move)
        again = game.new_state(setup=state.setup())
        assert again.setup() == state.setup()
        assert again.observe(arena.SPECTATOR) == state.observe(arena.SPECTATOR)
        assert again.seats_to_act() == state.seats_to_act()
    ours, theirs = state.outcome(), again.outcome()
    assert ours is not None and theirs is not None
    assert ours.places == theirs.places
    assert ours.termination == theirs.termination


def test_round_trip_of_random_positions() -> None:
    game = checkers("west10_6", finish="rank_all", late_finish="one_more_round_draw")
    names = list(arena.games.family("chinese_checkers").rulebooks)
    assert names
    rng = Rng(4)
    from arena.games.chinese_checkers.notation import star_of

    holes = list(star_of(game).names)
    for _ in range(200):
        free = list(holes)
        words = []
        for home in homes(game):
            count = rng.below(11)
            taken = [free.pop(rng.below(len(free))) for _ in range(count)]
            words.append(f"{home}={','.join(taken) or '-'}")
        text = f"{' '.join(words)} seat={rng.below(6)} round={1 + rng.below(500)}"
        state = game.new_state(setup=text)
        assert {v.home: set(v.holes) for v in look(state).sets} == {
            word.partition("=")[0]: set(word.partition("=")[2].split(",")) - {"-"} for word in words
        }
        assert game.new_state(setup=state.setup()).setup() == state.setup()


FULL_S = "a1,b1,b2,c1,c2,c3,d1,d2,d3,d4"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "N= is missing"),
        ("N=i5 seat=0 round=1", "S= is missing; no pieces are 'S=-'"),
        ("N=i5 S=- round=1", "seat= is missing"),
        ("N=i5 S=- seat=0", "round= is missing"),
        ("N=i5 S=- seat=0 round=1 N=i6", "N= is given twice"),
        ("N=i5 S=- seat=0 seat=1 round=1", "seat= is given twice"),
        ("N=i5 NE=i6 S=- seat=0 round=1", "unknown word 'NE=i6'; words are N=, S=, seat="),
        ("hello", "'hello' is not key=value"),
        ("N=i10 S=- seat=0 round=1", "no hole 'i10'"),
        ("N=I5 S=- seat=0 round=1", "no hole 'I5'"),
        ("N= S=- seat=0 round=1", "no hole ''"),
        ("N=i5, S=- seat=0 round=1", "no hole ''"),
        ("N=i5 S=i5 seat=0 round=1", "i5 is taken already"),
        ("N=i1,i2,i3,i4,i5,i6,i7,i8,i9,h1,h2 S=- seat=0 round=1", "more than 10 pieces"),
        ("N=i5 S=- seat=2 round=1", "seat=2 must be a number in 0..1"),
        ("N=i5 S=- seat=x round=1", "seat=x must be a number"),
        ("N=i5 S=- seat=0 round=0", "round=0 must be a number in 1..501"),
        ("N=i5 S=- seat=0 round=502", "round=502"),
        ("N=i5 S=- seat=0 round=99999999999999999999", "round="),
        ("N=i5 S=- seat=0 round=9 finished=0", "'0' must be seat@turn"),
        ("N=i5 S=- seat=0 round=9 finished=2@3", "'2@3' must be seat@turn"),
        ("N=i5 S=- seat=0 round=9 finished=1@3", "seat 1 has finished, so S= must have"),
        (f"N={FULL_S} S=- seat=0 round=9 finished=0@3,0@4", "seat 0 is given twice"),
        (f"N={FULL_S} S=- seat=0 round=2 finished=0@3", "lies ahead of seat 0 in round 2"),
        (f"N={FULL_S} S=- seat=0 round=3 finished=0@3", "lies ahead"),
        ("N=i5 S=- seat=0 round=9 out=1", "out= needs anti_block = passive_loss"),
    ],
)
def test_errors_say_what_is_wrong(text: str, hint: str) -> None:
    with pytest.raises(SetupError) as raised:
        checkers("west10_2").new_state(setup=text)
    assert hint in str(raised.value), raised.value


def test_the_order_of_finishers_is_checked() -> None:
    game = checkers("ranked_3")
    north = "a1,b1,b2,c1,c2,c3,d1,d2,d3,d4"
    south_east = "m1,m2,m3,m4,l1,l2,l3,k1,k2,j1"
    with pytest.raises(SetupError, match="order of play"):
        game.new_state(setup=f"N={north} SE={south_east} SW=i5 seat=2 round=9 finished=1@4,0@4")
    state = game.new_state(setup=f"N={north} SE={south_east} SW=i5 seat=2 round=9 finished=0@4,1@4")
    assert state.outcome() is not None


def test_a_seat_that_may_not_move_is_named() -> None:
    game = checkers("ranked_3")
    north = "a1,b1,b2,c1,c2,c3,d1,d2,d3,d4"
    with pytest.raises(SetupError, match="seat=0 may not move; may move: 1, 2"):
        game.new_state(setup=f"N={north} SE=i5 SW=i6 seat=0 round=9 finished=0@4")


def test_seats_that_are_out_have_no_pieces() -> None:
    game = checkers("west10_3", anti_block="passive_loss")
    with pytest.raises(SetupError, match="seat 0 is out"):
        game.new_state(setup="N=i4 SE=i5 SW=i6 seat=1 round=60 out=0")
    with pytest.raises(SetupError, match="at least one seat stays in"):
        game.new_state(setup="N=- SE=- SW=- seat=1 round=60 out=0,1,2")


@settings(max_examples=200, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                ["N=", "S=", "-", "i5", ",", " ", "seat=0", "round=1", "finished=", "0@1", "out=0"]
            ),
            max_size=14,
        ).map("".join),
    )
)
def test_junk_is_refused_or_read(text: str) -> None:
    game = checkers("doc001")
    try:
        state = game.new_state(setup=text)
    except SetupError as error:
        assert str(error).startswith("setup: ") or "Unicode" in str(error)
    else:
        assert game.new_state(setup=state.setup()).setup() == state.setup()


@settings(max_examples=300, deadline=None)
@given(
    text=st.one_of(
        st.text(max_size=30),
        st.text(alphabet="abcdefghijklmnopqr0123456789-", max_size=12),
        st.binary(max_size=20).map(lambda raw: raw.decode("latin-1")),
    )
)
def test_any_text_as_a_move_is_answered(text: str) -> None:
    state = checkers("west10_2").new_state()
    refusal = state.check(0, text)
    if refusal is None:
        state.apply(0, text)
    else:
        assert refusal.message
        assert state.plies == 0
