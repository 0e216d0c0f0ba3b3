"""Every sentence of docs/games/siguo.md that a rulebook claims, beside the tables of facts."""

from __future__ import annotations

import pytest

import arena
from arena._core import IllegalReason, Rng
from arena.games import IllegalMove, RulesError
from tests.games.siguo.boards import FOUR, at, board, seen, steps

# Something to move far from everything, for seats that only have to stay in.
IDLE = {"S": "2-@S51", "E": "2-@E51", "N": "2-@N51", "W": "2-@W51"}


def idle(**armies: str) -> dict[str, str]:
    """Every army has a platoon on its left corner, and what is named."""
    return {home: ",".join(filter(None, (units, armies.get(home)))) for home, units in IDLE.items()}


# Seats, teams, order.


@pytest.mark.parametrize(
    ("book", "order"),
    [
        ("doc001", [0, 1, 2, 3, 0]),
        ("clockwise", [0, 3, 2, 1, 0]),
        ("ffa", [0, 1, 2, 3, 0]),
        ("three_seats", [0, 1, 2, 0]),
        ("duel129", [0, 1, 0]),
        ("dark60", [0, 1, 0]),
    ],
)
def test_the_order_of_play(book: str, order: list[int]) -> None:
    """J18: south, east, north, west."""
    state = arena.game(f"siguo/{book}", layout_source="book").new_state(2)
    rng, played = Rng(1), []
    for _ in order:
        (seat,) = state.seats_to_act()
        played.append(seat)
        state.apply(seat, state.sample_move(seat, rng))
    assert played == order


def test_roles_follow_the_order_of_play() -> None:
    for order, roles in (
        ("ccw", ["first", "second", "third", "fourth"]),
        ("cw", ["first", "fourth", "third", "second"]),
    ):
        game = arena.game("siguo/ffa", turn_order=order)
        assert list(game.new_state(1).roles()) == roles
        teams = arena.game("siguo/doc001", turn_order=order)
        assert list(teams.new_state(1).roles()) == ["first", "second"] * 2


def test_homes_of_fewer_seats() -> None:
    for book, homes in (
        ("doc001", "SENW"),
        ("three_seats", "SEN"),
        ("duel129", "SN"),
        ("dark60", "SN"),
    ):
        state = arena.game(f"siguo/{book}", layout_source="book").new_state(1)
        assert "".join(view.home for view in seen(state).seats) == homes


def test_opposite_seats_are_allies_or_nobody_is() -> None:
    allied = board(S="9-@C21,2-@S51", N="2-@C22", E="2-@E51", W="2-@W51")
    refusal = allied.check(0, "C21-C22")
    assert refusal is not None
    assert refusal.reason == IllegalReason.occupied
    alone = board("ffa", S="9-@C21,2-@S51", N="2-@C22", E="2-@E51", W="2-@W51")
    assert alone.check(0, "C21-C22") is None
    assert [view.team for view in seen(allied).seats] == [0, 1, 0, 1]
    assert [view.team for view in seen(alone).seats] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"board": "luzhanqi60"}, "seats"),
        ({"seats": 3}, "teams"),
        ({"teams": "ffa", "visibility": "double_bright"}, "double_bright"),
        ({"quiet_limit": None}, "turn_cap"),
        ({"seats": 5}, "seats"),
    ],
)
def test_settings_that_make_no_sense_together(settings: dict[str, object], word: str) -> None:
    with pytest.raises(RulesError, match=word):
        arena.game("siguo/doc001", **settings)


# Moves.


@pytest.mark.parametrize(
    ("locks", "own", "foreign"), [("any", 0, 0), ("own_only", 0, 2), ("none", 3, 2)]
)
def test_headquarters_hold_what_enters_them(locks: str, own: int, foreign: int) -> None:
    """J14 of the facts."""
    state = board(S="9-@S62,8-@W64,7-@S11,F-@W65", hq_locks=locks)
    assert len(steps(state, 0, "S62")) == own
    assert len(steps(state, 0, "W64")) == foreign


def test_a_unit_that_walks_into_a_headquarters_stays() -> None:
    state = board(**idle(S="9-@S61"))
    state.apply(0, "S61-S62")
    for seat in (1, 2, 3):
        state.apply(seat, state.sample_move(seat, Rng(seat)))
    assert steps(state, 0, "S62") == set()


def test_texts_that_are_no_moves() -> None:
    state = arena.game("siguo/doc001").new_state(setup=FOUR)
    for text, reason in (
        ("S11S21", IllegalReason.syntax),
        ("s11-s21", IllegalReason.off_board),
        ("S17-S21", IllegalReason.off_board),
        ("S11-C44", IllegalReason.off_board),
        ("S11-S11", IllegalReason.occupied),
        ("pass", IllegalReason.syntax),
    ):
        refusal = state.check(0, text)
        assert refusal is not None, text
        assert refusal.reason == reason, (text, refusal.message)


# Falling.


def test_a_seat_without_a_move_falls_and_its_units_leave() -> None:
    """J28."""
    state = board(
        **idle(S="9-@S11", W="M-@W61,F-@W62,3-@W64") | {"W": "M-@W61,F-@W62,3-@W64"},
        turn=2,
    )
    events = state.apply(2, "N51-N41")
    assert [(e.kind, e.seat, e.text) for e in events][-1] == ("out", 3, "no_move")
    now = seen(state)
    assert now.seats[3].out == "no_move"
    assert not [unit for unit in now.units if unit.seat == 3 and unit.at is not None]
    assert state.seats_to_act() == {0}
    assert state.outcome() is None, "its ally plays on"


def test_a_seat_without_a_move_may_be_passed_over() -> None:
    state = board(**idle() | {"W": "M-@W61,F-@W62,3-@W64"}, turn=2, no_move="pass")
    state.apply(2, "N51-N41")
    assert seen(state).seats[3].out is None
    assert state.seats_to_act() == {0}


def test_nobody_wins_when_all_are_passed_over() -> None:
    state = board(S="2-@S64,2-@S63", E="F-@E62", N="F-@N62", W="F-@W62,M-@W51", no_move="pass")
    state.apply(0, "S63-S62")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "no_move"
    assert list(outcome.scores) == [0.5] * 4


def test_a_flag_that_is_taken_puts_its_seat_out_but_not_the_team() -> None:
    """J29."""
    state = board(**idle(W="9-@S61", S="F-@S62"), turn=3)
    state.apply(3, "S61-S62")
    now = seen(state)
    assert [view.out for view in now.seats] == ["flag_captured", None, None, None]
    assert not [unit for unit in now.units if unit.seat == 0 and unit.at is not None]
    assert at(state, "S62").seat == 3
    assert state.outcome() is None
    assert state.seats_to_act() == {1}
    # The turn skips the seat that is out.
    for seat in (1, 2, 3):
        state.apply(seat, state.sample_move(seat, Rng(seat)))
    assert state.seats_to_act() == {1}


def test_the_last_team_wins() -> None:
    state = board(**idle(W="9-@S61", S="F-@S62") | {"N": "-"}, turn=3, rest="out=2n")
    state.apply(3, "S61-S62")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "flag_captured"
    assert list(outcome.scores) == [0.0, 1.0, 0.0, 1.0]
    assert list(outcome.places) == [3, 1, 3, 1]
    assert list(outcome.sides) == [0, 1, 0, 1]
    assert list(outcome.roles) == ["first", "second"] * 2
    assert seen(state).phase == "over"


def test_places_of_all_against_all() -> None:
    state = board("ffa", S="9-@W61,2-@S51", W="F-@W62,2-@W51", E="-", N="-", rest="out=2n.1f")
    state.apply(0, "W61-W62")
    outcome = state.outcome()
    assert outcome is not None
    assert list(outcome.places) == [1, 3, 4, 2]
    assert list(outcome.scores) == pytest.approx([1, 1 / 3, 0, 2 / 3])
    assert list(outcome.roles) == ["first", "second", "third", "fourth"]


def test_a_draw_of_all_against_all_is_shared_by_those_still_in() -> None:
    state = board("ffa", S="2-@S51", E="2-@E51", N="-", W="2-@W51", rest="out=2n quiet=69")
    state.apply(0, "S51-S41")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "quiet_limit"
    assert list(outcome.places) == [1, 1, 4, 1]


@pytest.mark.parametrize("what", ["remove", "stay", "to_captor"])
def test_what_becomes_of_the_units_of_a_fallen_seat(what: str) -> None:
    state = board(
        "ffa",
        S="9-@W61,2-@S51",
        W="F-@W62,1-@W51,M-@W65,3-@C11,B-@W64",
        E="2-@E51",
        N="2-@N51",
        eliminated_pieces=what,
    )
    state.apply(0, "W61-W62")
    now = seen(state, 0)
    left = {unit.at: unit for unit in now.units if unit.unit // 25 == 3 and unit.at is not None}
    assert now.seats[3].out == "flag_captured"
    if what == "remove":
        assert not left
        return
    assert set(left) == {"W51", "W65", "C11", "W64"}
    owner = 0 if what == "to_captor" else 3
    assert {unit.seat for unit in left.values()} == {owner}
    for seat in (1, 2):
        state.apply(seat, state.sample_move(seat, Rng(seat)))
    assert state.seats_to_act() == {0}
    if what == "stay":
        assert steps(state, 0, "C11") == set()
        assert state.check(0, "W62-W61") is not None
        return
    # The captor knows and moves them, headquarters and mines apart; others learn nothing.
    assert {left["W51"].ranks, left["C11"].ranks, left["W65"].ranks} == {"1", "3", "M"}
    assert len(at(state, "C11", 1).ranks) > 1
    assert "E51" in steps(state, 0, "W51")
    assert steps(state, 0, "W65") == set()
    assert steps(state, 0, "W64") == set()
    again = arena.game("siguo/ffa", eliminated_pieces=what).new_state(setup=state.setup())
    assert again.observe(0) == state.observe(0)


def test_without_a_captor_the_units_of_a_fallen_seat_leave() -> None:
    state = board("captor", **idle() | {"W": "M-@W61,F-@W62,3-@W64"}, turn=2)
    state.apply(2, "N51-N41")
    now = seen(state)
    assert now.seats[3].out == "no_move"
    assert not [unit for unit in now.units if unit.seat == 3 and unit.at is not None]


def test_units_that_leave_with_their_seat_are_not_shown() -> None:
    state = board(**idle(S="F-@S62,7-@S55", W="9-@S61"), turn=3)
    before = [unit.ranks for unit in seen(state, 1).units if unit.unit < 25]
    state.apply(3, "S61-S62")
    after = [unit.ranks for unit in seen(state, 1).units if unit.unit < 25]
    assert before == ["F27"] * 3
    assert after == ["27", "F", "27"]


def test_units_that_stay_can_be_attacked_and_fight() -> None:
    state = board(
        "ffa",
        S="3-@C12,2-@S51",
        W="4-@C11",
        E="2-@E51",
        N="2-@N51",
        rest="out=3f",
        eliminated_pieces="stay",
    )
    state.apply(0, "C12-C11")
    assert seen(state).fights[0].result == "defender"
    assert at(state, "C11").seat == 3


def test_a_flag_taken_after_its_seat_fell_changes_nothing_more() -> None:
    state = board(
        "ffa",
        S="9-@W61,2-@S51",
        W="F-@W62",
        E="2-@E51",
        N="2-@N51",
        rest="out=3n",
        eliminated_pieces="stay",
    )
    state.apply(0, "W61-W62")
    assert seen(state).fights[0].flag
    assert [view.out for view in seen(state).seats] == [None, None, None, "no_move"]


# Quiet games.


def quiet_after(units: dict[str, str], move: str, **settings: object) -> tuple[int, str | None]:
    state = board(**units, **settings)
    (seat,) = state.seats_to_act()
    state.apply(seat, move)
    outcome = state.outcome()
    return seen(state).quiet, None if outcome is None else outcome.termination.name


def test_seventy_moves_without_a_fight_are_a_draw() -> None:
    assert quiet_after(idle(), "S51-S41", rest="quiet=68") == (69, None)
    assert quiet_after(idle(), "S51-S41", rest="quiet=69") == (70, "quiet_limit")
    assert quiet_after(idle(W="2-@S41"), "S51-S41", rest="quiet=69") == (0, None)


def test_other_limits_and_none() -> None:
    assert quiet_after(idle(), "S51-S41", rest="quiet=15", quiet_limit=16)[1] == "quiet_limit"
    assert (
        quiet_after(idle(), "S51-S41", rest="quiet=500", quiet_limit=None, turn_cap=900)[1] is None
    )


def test_a_round_is_a_move_of_every_seat_still_in() -> None:
    four = {"quiet_unit": "round", "quiet_limit": 10}
    assert quiet_after(idle(), "S51-S41", rest="quiet=38", **four)[1] is None
    assert quiet_after(idle(), "S51-S41", rest="quiet=39", **four)[1] == "quiet_limit"
    three = idle() | {"W": "-"}
    assert quiet_after(three, "S51-S41", rest="quiet=29 out=3n", **four)[1] == "quiet_limit"


def test_a_win_comes_before_a_draw() -> None:
    """J31: quiet ply 70 cannot take a flag, for that is a fight; the turn cap can."""
    units = idle(S="9-@W61", W="F-@W62") | {"E": "-"}
    assert quiet_after(units, "W61-W62", rest="out=1n quiet=69") == (0, "flag_captured")
    capped = {"turn_cap": 10, "rest": "out=1n ply=39"}
    assert quiet_after(units, "W61-W62", **capped)[1] == "flag_captured"
    assert quiet_after(units, "S51-S41", **capped)[1] == "turn_cap"
    capped["rest"] = "out=1n ply=38"
    assert quiet_after(units, "S51-S41", **capped)[1] is None


def test_a_draw_comes_before_the_next_seat_falls() -> None:
    stuck = idle() | {"E": "M-@E61"}
    assert quiet_after(stuck, "S51-S41", rest="quiet=69") == (70, "quiet_limit")
    assert quiet_after(stuck, "S51-S41", rest="ply=39", turn_cap=10)[1] == "turn_cap"


def test_a_time_out_is_a_turn_but_no_move() -> None:
    assert quiet_after(idle(), "timeout", rest="quiet=69") == (69, None)
    assert quiet_after(idle(), "timeout", rest="ply=39", turn_cap=10)[1] == "turn_cap"


def test_units_that_leave_with_their_seat_may_begin_the_count_anew() -> None:
    units = idle() | {"E": "M-@E61"}
    assert quiet_after(units, "S51-S41", rest="quiet=40")[0] == 41
    assert quiet_after(units, "S51-S41", rest="quiet=40", quiet_reset="any_removal")[0] == 0


# Time-outs.


def test_five_time_outs_put_a_seat_out() -> None:
    """J34, and J21: four cost nothing but the turns."""
    state = board(**idle(), turn=3)
    for count in range(1, 6):
        assert state.seats_to_act() == {3}
        quiet = seen(state).quiet
        assert "timeout" not in {str(m) for m in state.moves(3)}
        state.apply(3, "timeout")
        assert seen(state).seats[3].timeouts == count
        assert seen(state).quiet == quiet
        assert seen(state).seats[3].out == ("timeout_limit" if count == 5 else None)
        for seat in (0, 1, 2):
            state.apply(seat, state.sample_move(seat, Rng(count)))
    assert state.seats_to_act() == {0}
    assert not [unit for unit in seen(state).units if unit.seat == 3 and unit.at is not None]


def test_the_last_time_out_can_end_the_game() -> None:
    state = board(**idle() | {"E": "-"}, turn=3, rest="out=1f timeouts=0/0/0/4")
    state.apply(3, "timeout")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "timeout_limit"
    assert list(outcome.scores) == [1.0, 0.0, 1.0, 0.0]


def test_turns_are_not_let_pass_where_the_rules_know_no_time_outs() -> None:
    refusal = board("siguozero", **idle()).check(0, "timeout")
    assert refusal is not None
    assert refusal.reason == IllegalReason.pass_not_allowed


# Resignation.


def test_who_resigns_is_out_and_the_ally_plays_on() -> None:
    state = board(**idle(S="F-@S62"), turn=3, rest="quiet=5")
    told = state.rule(3, "resign")
    assert [(event.kind, event.seat, event.text) for event in told] == [
        ("resign", 3, "resign"),
        ("out", 3, "resignation"),
    ]
    now = seen(state)
    assert now.seats[3].out == "resignation"
    assert (now.quiet, now.ply) == (5, 6)
    assert not [unit for unit in now.units if unit.seat == 3 and unit.at is not None]
    assert state.outcome() is None
    assert state.seats_to_act() == {0}
    assert arena.game("siguo/doc001").new_state(setup=state.setup()).setup() == state.setup()
    state.apply(0, state.sample_move(0, Rng(1)))
    state.rule(1, "resign")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "resignation"
    assert list(outcome.scores) == [1.0, 0.0, 1.0, 0.0]


def test_alone_a_seat_that_resigns_comes_last() -> None:
    state = board("ffa", **idle())
    for seat in (0, 1, 2):
        state.rule(seat, "resign")
    outcome = state.outcome()
    assert outcome is not None
    assert list(outcome.places) == [4, 3, 2, 1]


def test_resigning_is_the_referees_to_rule_and_no_move() -> None:
    state = board(**idle())
    refusal = state.check(0, "resign")
    assert refusal is not None
    assert refusal.reason == IllegalReason.syntax
    for seat, text, words in ((1, "resign", "not to act"), (0, "fine points 10", "no ruling")):
        with pytest.raises(IllegalMove, match=words):
            state.rule(seat, text)
    with pytest.raises(IllegalMove, match="still being placed"):
        arena.game("siguo/doc001").new_state(1).rule(0, "resign")


# Short games.


@pytest.mark.parametrize(("ply", "scores"), [(38, [0.5] * 4), (39, [1.0, 0.0, 1.0, 0.0])])
def test_a_short_game_counts_for_nobody(ply: int, scores: list[float]) -> None:
    """The 40th turn is the first that can end a game that counts."""
    state = board("short_unscored", **idle() | {"E": "-"}, turn=3, rest=f"out=1f ply={ply}")
    state.rule(3, "resign")
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.termination.name == "resignation"
    assert list(outcome.scores) == scores


def test_nor_does_it_order_those_who_play_alone() -> None:
    for least, places in ((None, [3, 1, 2]), (9, [1, 1, 1])):
        armies = {home: units for home, units in IDLE.items() if home != "W"}
        state = board("three_seats", **armies, short_game=least)
        state.rule(0, "resign")
        state.apply(1, state.sample_move(1, Rng(1)))
        state.rule(2, "resign")
        outcome = state.outcome()
        assert outcome is not None
        assert list(outcome.places) == places
