"""Who wins, who still draws, who is out, and what the cap does."""

from __future__ import annotations

import pytest

import arena
from arena._core import State
from tests.games.chinese_checkers.positions import checkers, look, nearly, place, play


def near_end(game: arena.Game, finishing: str, *, seat: int = 0, round: int = 40) -> State:
    """The sets of `finishing` (homes) lack one step; the others have a piece in the middle."""
    pieces: dict[str, tuple[str, ...]] = {}
    middle = iter(("i3", "i5", "i7", "g6", "k6", "h4"))
    for view in look(game.new_state()).sets:
        close = view.home in finishing.split()
        pieces[view.home] = nearly(game, view.home).pieces if close else (next(middle),)
    return place(game, pieces, seat=seat, round=round)


def finish(game: arena.Game, state: State, seat: int) -> None:
    (home,) = (view.home for view in look(state).sets if view.seat == seat)
    state.apply(seat, nearly(game, home).finish)


def idle(state: State, seat: int) -> None:
    """Any move that does not finish: back and forth in the middle of the board."""
    before = look(state).finished
    for move in map(str, state.moves(seat)):
        twin = state.clone()
        twin.apply(seat, move)
        if look(twin).finished == before and move[0] not in "abcdnopq":
            state.apply(seat, move)
            return
    raise AssertionError("no idle move")


def places(state: State) -> tuple[int, ...]:
    outcome = state.outcome()
    assert outcome is not None, state.setup()
    assert not state.seats_to_act()
    return outcome.places


def ending(state: State) -> str:
    outcome = state.outcome()
    assert outcome is not None
    return outcome.termination.name


class TestTwoSeats:
    def test_first_mover_wins_at_once_without_a_late_finish(self) -> None:
        game = checkers("west10_2")
        state = near_end(game, "N S")
        finish(game, state, 0)
        assert places(state) == (1, 2)
        assert ending(state) == "goal_filled"

    def test_equal_numbers_of_turns_draw(self) -> None:
        """Document 001 (3): 如果双方占领对面阵地使用的步数相同，则判为和棋."""
        game = checkers("doc001")
        state = near_end(game, "N S")
        finish(game, state, 0)
        assert state.outcome() is None
        assert state.seats_to_act() == {1}
        assert look(state).may_join == (1,)
        finish(game, state, 1)
        assert places(state) == (1, 1)
        assert ending(state) == "late_finish"

    def test_the_second_mover_may_miss_the_last_turn(self) -> None:
        game = checkers("doc001")
        state = near_end(game, "N")
        finish(game, state, 0)
        idle(state, 1)
        assert places(state) == (1, 2)
        assert ending(state) == "goal_filled"

    def test_a_second_mover_that_finishes_first_wins_at_once(self) -> None:
        for book in ("doc001", "doc003"):
            game = checkers(book)
            state = near_end(game, "N S")
            play(state, (0, nearly(game, "N").delay))
            finish(game, state, 1)
            assert places(state) == (2, 1)
            assert ending(state) == "goal_filled"

    def test_one_more_round(self) -> None:
        game = checkers("doc001", late_finish="one_more_round_draw")
        state = near_end(game, "N S")
        finish(game, state, 0)
        play(state, (1, nearly(game, "S").delay))
        assert state.seats_to_act() == {1}, "round 41, without the first mover"
        assert look(state).round == 41
        play(state, (1, nearly(game, "S").finish_later))
        assert places(state) == (1, 1)

    def test_not_two_more_rounds(self) -> None:
        game = checkers("doc001", late_finish="one_more_round_draw")
        state = near_end(game, "N")
        finish(game, state, 0)
        idle(state, 1)
        idle(state, 1)
        assert places(state) == (1, 2)

    def test_the_turn_of_another_never_finishes(self) -> None:
        # S fills the last hole of N's target; that is judged at the end of N's own turn.
        game = checkers("filled_any_own")
        rest = nearly(game, "N").pieces[:-1]
        (hole,) = {"a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"} - set(rest)
        entry = nearly(game, "N").finish
        assert entry.endswith(hole)
        state = place(game, {"N": [*rest, "i5"], "S": [entry.removesuffix(hole)]}, seat=1)
        play(state, (1, entry))
        assert state.outcome() is None
        play(state, (0, "i5i6"))
        assert places(state) == (1, 2)


class TestManySeats:
    def test_same_round_is_for_later_seats_only(self) -> None:
        game = checkers("doc000_same_round")
        state = near_end(game, "N NE S SW")
        play(state, (0, nearly(game, "N").delay))
        finish(game, state, 1)
        assert state.seats_to_act() == {2}
        finish(game, state, 2)
        idle_or_delay = nearly(game, "SW").delay
        state.apply(3, idle_or_delay)
        assert places(state) == (3, 1, 1, 3)
        assert ending(state) == "late_finish"

    def test_one_round_late_is_for_later_seats_only(self) -> None:
        """Document 000 item 6: 后走方如晚一轮到达目的地则为平局."""
        game = checkers("doc000")
        state = near_end(game, "N NE S SW")
        play(state, (0, nearly(game, "N").delay))
        finish(game, state, 1)
        state.apply(2, nearly(game, "S").delay)
        state.apply(3, nearly(game, "SW").delay)
        # Seat 0 moves before seat 1 and cannot draw any more: it is passed over.
        assert state.seats_to_act() == {2}
        assert look(state).round == 41
        assert look(state).may_join == (2, 3)
        state.apply(2, nearly(game, "S").finish_later)
        assert state.seats_to_act() == {3}
        state.apply(3, nearly(game, "SW").finish_later)
        assert places(state) == (4, 1, 1, 1)

    def test_the_last_seat_wins_at_once(self) -> None:
        for book in ("doc000", "doc000_same_round"):
            game = checkers(book)
            state = near_end(game, "SW", seat=3)
            finish(game, state, 3)
            assert places(state) == (2, 2, 2, 1)
            assert ending(state) == "goal_filled"

    def test_the_group_of_three(self) -> None:
        game = checkers("doc000_three")
        state = near_end(game, "N SW")
        finish(game, state, 0)
        idle(state, 1)
        state.apply(2, nearly(game, "SW").delay)
        assert state.seats_to_act() == {1}
        idle(state, 1)
        assert state.seats_to_act() == {2}
        state.apply(2, nearly(game, "SW").finish_later)
        assert places(state) == (1, 3, 1)

    def test_joining_opens_no_new_window(self) -> None:
        game = checkers("doc000")
        state = near_end(game, "N NE")
        finish(game, state, 0)
        state.apply(1, nearly(game, "NE").delay)
        idle(state, 2)
        idle(state, 3)
        state.apply(1, nearly(game, "NE").finish_later)
        idle(state, 2)
        idle(state, 3)
        assert places(state) == (1, 1, 3, 3)

    def test_first_only_shares_the_rest(self) -> None:
        game = checkers("west10_6")
        state = near_end(game, "N")
        finish(game, state, 0)
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.places == (1, 2, 2, 2, 2, 2)
        assert outcome.scores == (1.0, *[0.4] * 5)


class TestRankAll:
    def test_play_goes_on_for_all_places(self) -> None:
        game = checkers("ranked_4")
        state = near_end(game, "N NE S SW")
        play(state, (0, nearly(game, "N").delay))
        finish(game, state, 1)
        play(state, (2, nearly(game, "S").delay))
        finish(game, state, 3)
        assert state.seats_to_act() == {0}
        play(state, (0, nearly(game, "N").finish_later))
        assert places(state) == (3, 1, 4, 2)
        assert ending(state) == "goal_filled"

    def test_finished_seats_are_passed_over(self) -> None:
        game = checkers("ranked_3")
        state = near_end(game, "N")
        finish(game, state, 0)
        for _ in range(3):
            idle(state, 1)
            idle(state, 2)
        assert state.outcome() is None
        assert [(f.seat, f.turn, f.place) for f in look(state).finished] == [(0, 40, 1)]
        assert look(state).round == 43

    def test_late_finish_shares_every_place(self) -> None:
        game = checkers("ranked_3", late_finish="same_round_draw")
        state = near_end(game, "N SE SW")
        for seat in range(3):
            finish(game, state, seat)
        assert places(state) == (1, 1, 1)
        assert ending(state) == "late_finish"

    def test_the_last_one_may_still_join(self) -> None:
        game = checkers("ranked_3", late_finish="same_round_draw")
        state = near_end(game, "N SE SW")
        finish(game, state, 0)
        finish(game, state, 1)
        assert state.seats_to_act() == {2}
        play(state, (2, nearly(game, "SW").delay))
        assert places(state) == (1, 1, 3)

    def test_a_late_one_joins_the_best_group_that_it_may(self) -> None:
        game = checkers("ranked_3", late_finish="one_more_round_draw")
        state = near_end(game, "N SE SW")
        play(state, (0, nearly(game, "N").delay))
        finish(game, state, 1)
        play(state, (2, nearly(game, "SW").delay))
        play(state, (0, nearly(game, "N").finish_later))
        # Seat 0 cannot join seat 1 (it moves earlier) and leads the second group; seat 2 may join
        # either and joins the first.
        play(state, (2, nearly(game, "SW").finish_later))
        assert places(state) == (3, 1, 1)

    def test_cap(self) -> None:
        game = checkers("ranked_3", max_turns=41)
        state = near_end(game, "N SE")
        finish(game, state, 0)
        for seat in (1, 2, 1, 2):
            idle(state, seat)
        assert places(state) == (1, 2, 3), "pieces at home"
        assert ending(state) == "turn_cap"


class TestCap:
    @pytest.mark.parametrize(
        ("result", "expected"),
        [("draw", (1, 1)), ("pieces_home", (2, 1)), ("distance", (1, 2))],
    )
    def test_what_the_cap_means(self, result: str, expected: tuple[int, int]) -> None:
        game = checkers("west10_2", max_turns=7, cap_result=result)
        # Seat 1 has more pieces at home, seat 0 less way to go.
        state = place(game, {"N": ["e6", "e7"], "S": ["q1", "a1"]}, round=7)
        play(state, (0, "e6e5"), (1, "a1b1"))
        assert places(state) == expected
        assert ending(state) == "turn_cap"

    def test_every_seat_gets_its_turns(self) -> None:
        game = checkers("west10_3", max_turns=2)
        state = game.new_state()
        while state.seats_to_act():
            (seat,) = state.seats_to_act()
            state.apply(seat, state.moves(seat)[0])
        assert state.plies == 6

    def test_a_leader_stands_at_the_cap(self) -> None:
        game = checkers("doc001", late_finish="one_more_round_draw", max_turns=40)
        state = near_end(game, "N S")
        finish(game, state, 0)
        assert look(state).may_join == (1,)
        play(state, (1, nearly(game, "S").delay))
        assert places(state) == (1, 2)
        assert ending(state) == "goal_filled"


class TestPassiveLoss:
    """Document 001 (4): 禁止一方长期将棋子放在家里以阻止对手占领，否则判该方消极失败."""

    def test_two_seats(self) -> None:
        game = checkers("doc001", home_deadline=5)
        state = place(game, {"N": ["q1", "i5"], "S": ["g5"]}, round=5)
        play(state, (0, "i5i6"))
        assert places(state) == (2, 1)
        assert ending(state) == "passive_loss"

    def test_not_before_the_deadline(self) -> None:
        game = checkers("doc001", home_deadline=5)
        state = place(game, {"N": ["q1", "i5"], "S": ["g5"]}, round=4)
        play(state, (0, "i5i6"))
        assert state.outcome() is None

    def test_going_home_again_is_passive_too(self) -> None:
        game = checkers("doc001", home_deadline=5)
        state = place(game, {"N": ["m6"], "S": ["g5"]}, round=30)
        play(state, (0, "m6n1"))
        assert places(state) == (2, 1)

    def test_leaving_in_time(self) -> None:
        game = checkers("doc001", home_deadline=5)
        state = place(game, {"N": ["n1"], "S": ["g5"]}, round=5)
        play(state, (0, "n1m6"))
        assert state.outcome() is None

    def test_with_more_seats_one_is_out_and_the_others_go_on(self) -> None:
        game = checkers("west10_3", anti_block="passive_loss", home_deadline=5)
        state = place(game, {"N": ["q1", "i5"], "SE": ["g5"], "SW": ["g7"]}, round=5)
        events = state.apply(0, "i5i6")
        assert [event.kind for event in events] == ["move", "passive"]
        assert state.outcome() is None
        assert state.setup() == "N=- SE=g5 SW=g7 seat=1 round=5 out=0"
        idle(state, 1)
        idle(state, 2)
        assert state.seats_to_act() == {1}

    def test_the_last_one_in_wins(self) -> None:
        game = checkers("west10_3", anti_block="passive_loss", home_deadline=5)
        state = place(game, {"SE": ["e13", "g5"], "SW": ["g7"]}, seat=1, round=9, more="out=0")
        play(state, (1, "g5g4"))
        assert places(state) == (2, 2, 1)
        assert ending(state) == "passive_loss"

    def test_those_out_come_last(self) -> None:
        game = checkers("ranked_3", anti_block="passive_loss")
        close = nearly(game, "N")
        state = place(game, {"N": close.pieces, "SW": ["i5"]}, round=40, more="out=1")
        play(state, (0, close.finish))
        assert places(state) == (1, 3, 2)


class TestFilledAnyOwn:
    game = checkers("filled_any_own")

    def test_full_with_one_own_piece_is_won(self) -> None:
        blockers = ["a1", "b1", "b2", "c1", "c2", "c3", "d2", "d3", "d4"]
        state = place(self.game, {"N": ["e5", "i5"], "S": blockers})
        play(state, (0, "e5d1"))
        assert places(state) == (1, 2)

    def test_not_without_an_own_piece(self) -> None:
        blockers = ["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"]
        state = place(self.game, {"N": ["i5"], "S": blockers})
        play(state, (0, "i5i6"))
        assert state.outcome() is None

    def test_not_while_a_hole_is_open(self) -> None:
        blockers = ["b1", "b2", "c1", "c2", "c3", "d2", "d3", "d4"]
        state = place(self.game, {"N": ["e5", "i5"], "S": blockers})
        play(state, (0, "e5d1"))
        assert state.outcome() is None

    def test_not_under_other_settings(self) -> None:
        blockers = ["a1", "b1", "b2", "c1", "c2", "c3", "d2", "d3", "d4"]
        state = place(checkers("west10_2"), {"N": ["e5", "i5"], "S": blockers})
        play(state, (0, "e5d1"))
        assert state.outcome() is None


def test_all_sets_of_a_seat_must_be_home() -> None:
    game = checkers("west10_two_sets")
    close = {home: nearly(game, home) for home in ("N", "NE")}
    state = place(game, {home: c.pieces for home, c in close.items()} | {"S": ["i5"]})
    play(state, (0, close["N"].finish))
    assert state.outcome() is None
    play(state, (1, "i5i6"), (0, close["NE"].finish))
    assert places(state) == (1, 2)


def test_sets_that_change_places_are_not_home_at_the_start() -> None:
    game = checkers("west10_3_two_sets")
    state = game.new_state()
    for seat in range(3):
        state.apply(seat, state.moves(seat)[0])
    assert state.outcome() is None
    assert not look(state).finished


def test_each_set_has_its_own_target() -> None:
    # A piece of NE in the target of N (a1) is no piece at home.
    game = checkers("west10_two_sets", max_turns=1, cap_result="pieces_home")
    state = place(game, {"NE": ["a1", "i5"], "S": ["q1", "g5"]})
    play(state, (0, "i5i6"), (1, "g5g6"))
    assert places(state) == (2, 1)


def test_finishing_is_told() -> None:
    game = checkers("ranked_3")
    state = near_end(game, "N")
    events = state.apply(0, nearly(game, "N").finish)
    assert [(e.kind, e.seat, e.text) for e in events] == [
        ("move", 0, nearly(game, "N").finish),
        ("finish", 0, "turn 40"),
    ]
