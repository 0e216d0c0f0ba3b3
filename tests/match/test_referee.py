"""The referee without any engine: every cause, who it hits, and that it is kept apart."""

from __future__ import annotations

from time import monotonic_ns

import pytest

import arena
from arena._core import Rng, Termination
from arena.match.clock import Increment, PerMove
from arena.match.policy import DrawAdjudication, MatchPolicy, ResignAdjudication
from arena.match.request import NotPlayed
from arena.players.base import Answer, Verdict
from arena.players.fault import EngineUnavailable, Fault, FaultKind, Unavailable
from tests.match.table_kit import Sitting, sit

FIVE = ("a1", "a2", "b1", "b2", "c1", "c2", "d1", "d2", "e1")


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    sitting = sit()
    sitting.play(*FIVE)
    result = sitting.result
    assert result.termination == Termination.five
    assert (result.scores, result.places, result.culprit) == ((1.0, 0.0), (1, 2), None)
    assert result.plies == len(FIVE)
    assert result.record is not None
    assert [move for _, move in result.record.moves] == list(FIVE)
    assert len(result.moves_ms) == len(FIVE)
    game = arena.game("gomoku/freestyle15")
    assert game.replay(result.record).outcome() is not None
    assert all(p.endings[0][1].termination == "five" for p in sitting.puppets)


def test_only_the_seat_to_move_is_asked() -> None:
    sitting = sit()
    assert [len(p.asked) for p in sitting.puppets] == [1, 0]
    sitting.play("a1")
    assert [len(p.asked) for p in sitting.puppets] == [1, 1]


def test_a_turn_brings_the_events_since_the_last_one() -> None:
    sitting = sit(opening_plies=2)
    first = sitting.ask
    assert len(first.events) == 2
    sitting.play(*(str(sitting.table.state.moves(s % 2)[0]) for s in [0]))
    sitting.play(str(sitting.table.state.moves(1)[0]))
    assert len(sitting.ask.events) == 2
    assert sitting.ask.revision > first.revision


def test_the_record_holds_canonical_moves_whatever_was_sent() -> None:
    sitting = sit()
    sitting.play("  A1 ", *FIVE[1:])
    assert sitting.result.record is not None
    assert sitting.result.record.moves[0] == (0, "a1")


@pytest.mark.parametrize("nonsense", ["z99", "h", "\x00", "h8 h9", "\ud800", "👾" * 1000, "claim"])
def test_nonsense_is_an_illegal_move(nonsense: str) -> None:
    sitting = sit()
    assert sitting.play(nonsense) is Verdict.ILLEGAL
    result = sitting.result
    assert (result.termination, result.culprit) == (Termination.illegal_move, 0)
    assert result.scores == (0.0, 1.0)
    assert sum(map(len, result.notes)) < 10_000


def test_an_illegal_move_changes_nothing_and_may_be_retried() -> None:
    sitting = sit(policy=MatchPolicy(illegal_retries=1))
    sitting.play("h8")
    before = sitting.table.state.setup()
    old = sitting.ask
    assert sitting.play("h8") is Verdict.ILLEGAL
    assert sitting.table.state.setup() == before
    assert sitting.ask.seat == old.seat
    assert sitting.ask.revision > old.revision
    assert "h8" in sitting.ask.refused
    assert sitting.play("h9") is Verdict.ACCEPTED
    assert sitting.ask.refused == ""
    sitting.play("a1")
    sitting.play("h8")
    assert sitting.result.culprit == 1


def test_an_answer_without_a_move_breaks_the_protocol() -> None:
    sitting = sit()
    verdict, _ = sitting.say(Answer())
    assert verdict is Verdict.MALFORMED
    assert sitting.result.termination == Termination.protocol_error


def test_a_failure_in_the_engines_own_words_is_a_crash() -> None:
    sitting = sit()
    sitting.say(Answer(failure="ValueError: no idea"))
    assert sitting.result.termination == Termination.crash
    assert "no idea" in sitting.result.notes[0]


@pytest.mark.parametrize(
    ("kind", "termination"),
    [
        (FaultKind.DISCONNECT, Termination.disconnect),
        (FaultKind.CRASH, Termination.crash),
        (FaultKind.TIMEOUT, Termination.timeout),
        (FaultKind.PROTOCOL_ERROR, Termination.protocol_error),
    ],
)
def test_each_fault_has_its_own_termination(kind: FaultKind, termination: Termination) -> None:
    sitting = sit()
    sitting.play("a1")
    sitting.table.failed(sitting.ask, Fault(kind, "tail of stderr"))
    result = sitting.result
    assert (result.termination, result.culprit, result.scores) == (termination, 1, (1.0, 0.0))
    assert "tail of stderr" in result.notes[-1]


def test_a_fault_after_the_end_changes_nothing() -> None:
    sitting = sit()
    ask = sitting.ask
    sitting.say(Answer(resign=True))
    sitting.table.failed(ask, Fault(FaultKind.CRASH, ""))
    sitting.table.abort(EngineUnavailable("e", Unavailable.UNREACHABLE, ""))
    assert sitting.table.answered(ask, Answer(move="a1"), 1, 0)[0] is Verdict.GAME_OVER
    assert sitting.result.termination == Termination.resignation


def test_resignation_loses_and_can_be_switched_off() -> None:
    sitting = sit()
    sitting.say(Answer(resign=True))
    assert (sitting.result.scores, sitting.result.culprit) == ((0.0, 1.0), 0)
    sitting = sit(policy=MatchPolicy(resignations=False))
    sitting.say(Answer(move="a1", resign=True))
    assert not sitting.results


def test_resignation_is_the_seats_own_where_the_rules_let_the_others_go_on() -> None:
    sitting = sit("siguo/doc001", layout_source="book")
    first = sitting.ask
    sitting.say(Answer(resign=True), spent_ms=7)
    assert sitting.table.state.history()[-1] == (0, "resign")
    assert not sitting.results and sitting.ask.seat == 1
    assert [event.kind for event in sitting.ask.events[-1]] == ["resign", "out"]
    assert sitting.table.answered(first, Answer(resign=True), 1, 0)[0] == Verdict.DUPLICATE
    sitting.play(str(sitting.table.state.moves(1)[0]))
    assert sitting.ask.seat == 2
    sitting.say(Answer(resign=True))
    result = sitting.result
    assert (result.termination, result.culprit) == (Termination.resignation, None)
    assert result.scores == (0.0, 1.0, 0.0, 1.0)
    assert result.moves_ms[0] == (7, 0)
    assert result.record is not None
    again = sitting.table.game.replay(result.record)
    assert again.outcome() is not None
    assert again.history() == sitting.table.state.history()


def test_resignation_before_all_have_placed_is_the_whole_game() -> None:
    sitting = sit("siguo/doc001")
    ask = sitting.puppets[1].asked[-1]
    sitting.table.answered(ask, Answer(resign=True), 1, 0)
    assert (sitting.result.scores, sitting.result.culprit) == ((1.0, 0.0, 1.0, 0.0), 1)


def test_a_draw_is_agreed_or_turned_down() -> None:
    sitting = sit()
    sitting.say(Answer(move="a1", offer_draw=True))
    assert sitting.ask.draw_offers == (0,)
    sitting.say(Answer(move="a2"))
    assert not sitting.ask.draw_offers
    assert sitting.say(Answer(move="a3", accept_draw=True))[0] is Verdict.NOTHING_TO_CLAIM
    sitting.say(Answer(move="a4", offer_draw=True))
    sitting.say(Answer(accept_draw=True))
    result = sitting.result
    assert result.termination == Termination.agreement
    assert (result.scores, result.places) == ((0.5, 0.5), (1, 1))


def test_offers_can_be_switched_off() -> None:
    sitting = sit(policy=MatchPolicy(draw_offers=False))
    sitting.say(Answer(move="a1", offer_draw=True))
    assert not sitting.ask.draw_offers


def test_a_winning_move_stands_before_an_offer() -> None:
    """T15: the offer that comes with, or is accepted after, a winning move is void."""
    sitting = sit()
    sitting.play(*FIVE[:-1])
    sitting.say(Answer(move=FIVE[-1], offer_draw=True))
    assert sitting.result.termination == Termination.five


def test_more_than_two_seats_all_have_to_accept() -> None:
    sitting = sit("chinese_checkers/doc000")
    state = sitting.table.state
    sitting.say(Answer(move=str(state.moves(0)[0]), offer_draw=True))
    for seat in (1, 2):
        assert sitting.ask.draw_offers == (0,)
        verdict, _ = sitting.say(Answer(move=str(state.moves(seat)[0]), accept_draw=True))
        assert verdict is Verdict.ACCEPTED
    sitting.say(Answer(accept_draw=True))
    assert sitting.result.termination == Termination.agreement
    assert sitting.result.scores == (0.5,) * 4


def test_one_refusal_among_many_seats_is_enough() -> None:
    sitting = sit("chinese_checkers/doc000")
    state = sitting.table.state
    sitting.say(Answer(move=str(state.moves(0)[0]), offer_draw=True))
    sitting.say(Answer(move=str(state.moves(1)[0]), accept_draw=True))
    sitting.say(Answer(move=str(state.moves(2)[0])))
    assert not sitting.ask.draw_offers


def test_with_four_seats_the_culprit_is_last_and_the_others_tie() -> None:
    sitting = sit("chinese_checkers/doc000")
    sitting.table.failed(sitting.ask, Fault(FaultKind.CRASH, ""))
    assert sitting.result.places == (4, 1, 1, 1)
    assert sitting.result.scores == pytest.approx((0, 2 / 3, 2 / 3, 2 / 3))


@pytest.mark.parametrize(("spent", "lost"), [(1049, False), (1051, True)])
def test_the_edge_of_the_limit(spent: int, lost: bool) -> None:
    """R3: limit + margin - 1 never loses, + 1 always does."""
    sitting = sit(policy=MatchPolicy(clock=PerMove(move_ms=1000), margin_ms=50))
    sitting.play("a1", spent_ms=spent)
    assert bool(sitting.results) is lost
    if lost:
        assert (sitting.result.termination, sitting.result.culprit) == (Termination.timeout, 0)
        assert sitting.result.plies == 0


A_SIDE_45_MINUTES = MatchPolicy(
    clock=Increment(base_ms=2_700_000), move_ms=2_700_000, game_ms=5_400_000, margin_ms=0
)
MATING = [
    "h1g3",
    "g10e8",
    "i1i2",
    "b8b1",
    "a1b1",
    "i7i6",
    "b3d3",
    "i10i8",
    "h3h10",
    "e10e9",
    "b1b9",
]


@pytest.mark.parametrize(("spent", "red_wins"), [(44 * 60_000 + 59_990, True), (2_699_991, False)])
def test_a_mate_counts_where_it_is_on_the_board_before_the_flag_falls(
    spent: int, red_wins: bool
) -> None:
    """X44, 45 minutes a side: Red mates with the last millisecond, or one later."""
    sitting = sit("xiangqi/doc000", policy=A_SIDE_45_MINUTES)
    for move in MATING[:-1]:
        sitting.play(move, spent_ms=2)
    assert sitting.ask.clocks[0].main_ms == 2_699_990
    sitting.play(MATING[-1], spent_ms=spent)
    result = sitting.result
    if red_wins:
        assert (result.termination, result.scores) == (Termination.checkmate, (1.0, 0.0))
    else:
        assert (result.termination, result.culprit) == (Termination.timeout, 0)
        assert (result.scores, result.plies) == ((0.0, 1.0), len(MATING) - 1)


def test_once_mate_is_on_the_board_no_clock_runs() -> None:
    """X44: Red's time is up a millisecond after the mate, and nothing comes of it."""
    sitting = sit("xiangqi/doc000", policy=A_SIDE_45_MINUTES)
    sitting.play(*MATING[:-1])
    ask = sitting.ask
    sitting.play(MATING[-1])
    sitting.table.due(ask.asked_ns + 2_700_001 * 1_000_000)
    assert sitting.result.termination is Termination.checkmate


def test_the_network_allowance_is_taken_off_up_to_its_cap() -> None:
    """R9: charged and allowed are both in the record."""
    policy = MatchPolicy(clock=Increment(base_ms=1000), margin_ms=0, network_allowance_ms=30)
    sitting = sit(policy=policy)
    sitting.say(Answer(move="a1"), spent_ms=100, network_ms=20)
    sitting.say(Answer(move="a2"), spent_ms=100, network_ms=500)
    assert sitting.ask.clocks[0].main_ms == 920
    assert sitting.ask.clocks[1].main_ms == 930
    sitting.say(Answer(resign=True))
    assert sitting.result.moves_ms == ((80, 20), (70, 30))


@pytest.mark.parametrize("clock", [None, PerMove(move_ms=200)])
def test_silence_ends_at_the_deadline(clock: PerMove | None) -> None:
    """R5, R6: with a clock or without one, a silent seat runs out of time, as nothing else."""
    policy = MatchPolicy(move_ms=200, margin_ms=50, network_allowance_ms=50)
    if clock is not None:
        policy = policy.model_copy(update={"clock": clock})
    sitting = sit(policy=policy)
    ask = sitting.ask
    ask.started_ns = now = monotonic_ns()
    sitting.table.due(now + 299_000_000)
    assert not sitting.results
    sitting.table.due(now + 302_000_000)
    assert sitting.result.termination == Termination.timeout
    assert sitting.puppets[0].withdrawn == [ask]


def test_where_nobody_has_time_left_the_side_to_move_loses() -> None:
    """T14: both flags would fall in the same millisecond."""
    sitting = sit(policy=MatchPolicy(clock=Increment(base_ms=1000), margin_ms=0))
    sitting.play("a1", "a2", spent_ms=1000)
    ask = sitting.ask
    assert (ask.seat, [clock.main_ms for clock in ask.clocks]) == (0, [0, 0])
    ask.started_ns = ask.asked_ns
    allowance = MatchPolicy().network_allowance_ms
    sitting.table.due(ask.started_ns + allowance * 1_000_000)
    assert not sitting.results
    sitting.table.due(ask.started_ns + (allowance + 1) * 1_000_000)
    assert (sitting.result.termination, sitting.result.culprit) == (Termination.timeout, 0)


def test_a_seat_that_has_not_got_its_turn_is_not_charged() -> None:
    sitting = sit(policy=MatchPolicy(clock=PerMove(move_ms=1)))
    sitting.table.due(monotonic_ns() + 10**12)
    assert not sitting.results


def test_seats_that_owe_a_move_at_once_have_a_clock_each() -> None:
    clock = Increment(base_ms=1000, increment_ms=100)
    policy = MatchPolicy(clock=clock, margin_ms=50, network_allowance_ms=0)
    sitting = sit("siguo/doc001", policy)
    asks = [puppet.asked[-1] for puppet in sitting.puppets]
    assert [ask.seat for ask in asks] == [0, 1, 2, 3]
    for ask, spent_ms in zip(asks, (100, 300, 500, 1000), strict=True):
        layout = str(sitting.table.state.sample_move(ask.seat, Rng(ask.seat)))
        assert sitting.table.answered(ask, Answer(move=layout), spent_ms, 0)[0] is Verdict.ACCEPTED
    assert [clock.main_ms for clock in sitting.ask.clocks] == [1000, 800, 600, 100]
    assert sitting.ask.limit_ms == 1000

    sitting = sit("siguo/doc001", policy)
    for puppet, begun_ms in zip(sitting.puppets, (0, 0, 200, 0), strict=True):
        puppet.asked[-1].started_ns = 1 + begun_ms * 1_000_000
    for seat in (0, 1, 3):
        layout = str(sitting.table.state.sample_move(seat, Rng(seat)))
        sitting.table.answered(sitting.puppets[seat].asked[-1], Answer(move=layout), 100, 0)
    sitting.table.due(1 + 1_249_000_000)
    assert not sitting.results, "its turn came later than theirs"
    sitting.table.due(1 + 1_252_000_000)
    assert (sitting.result.termination, sitting.result.culprit) == (Termination.timeout, 2)


def test_running_out_of_time_costs_the_turn_where_rules_and_policy_say_so() -> None:
    policy = MatchPolicy(clock=PerMove(move_ms=1000), on_timeout="skip", network_allowance_ms=0)
    sitting = sit("siguo/doc001", policy, layout_source="book")
    for lost in range(1, 6):
        asked = sitting.ask
        assert asked.seat == 0
        if lost % 2:
            asked.started_ns = 1
            sitting.table.due(1 + 1_051_000_000)
            assert sitting.puppets[0].withdrawn[-1] is asked
        else:
            assert sitting.play("S11-S21", spent_ms=2000) == Verdict.STALE
        assert sitting.table.state.history()[-1] == (0, "timeout")
        late = sitting.table.answered(asked, Answer(move="S11-S21"), 1, 0)[0]
        assert late == Verdict.DUPLICATE
        assert sitting.ask.seat == 1
        while lost < 5 and sitting.ask.seat != 0:
            seat = sitting.ask.seat
            sitting.play(str(sitting.table.state.moves(seat)[0]))
    assert not sitting.results
    assert sitting.ask.limit_ms == 1000
    assert '"out":"timeout_limit"' in sitting.table.state.observe(1)


def test_running_out_of_time_loses_the_game_where_the_rules_let_no_turn_pass() -> None:
    policy = MatchPolicy(clock=PerMove(move_ms=1000), on_timeout="skip")
    for sitting in (
        sit("siguo/siguozero", policy, layout_source="book"),
        sit("gomoku/freestyle15", policy),
        sit("siguo/doc001", MatchPolicy(clock=PerMove(move_ms=1000)), layout_source="book"),
    ):
        assert sitting.play("S11-S21", spent_ms=2000) == Verdict.GAME_OVER
        assert sitting.result.termination == Termination.timeout
        assert sitting.result.culprit == 0


def late_once(number: int, by: str) -> tuple[str, Sitting]:
    """Gomoku after one late turn; the move that stands in its place."""
    policy = MatchPolicy(clock=PerMove(move_ms=1000), on_timeout="random", network_allowance_ms=0)
    sitting = sit(policy=policy, number=number)
    asked = sitting.ask
    if by == "silence":
        asked.started_ns = 1
        sitting.table.due(1 + 1_051_000_000)
    else:
        assert sitting.play("h8", spent_ms=2000) == Verdict.STALE
    assert sitting.puppets[0].withdrawn == [asked]
    assert sitting.table.answered(asked, Answer(move="h8"), 1, 0)[0] == Verdict.DUPLICATE
    ((seat, move),) = sitting.table.state.history()
    assert (seat, sitting.ask.seat) == (0, 1)
    return move, sitting


def test_a_random_move_stands_in_for_a_late_one() -> None:
    moves = [late_once(number, "silence")[0] for number in range(12)]
    assert moves == [late_once(number, "answer")[0] for number in range(12)]
    assert len(set(moves)) > 8, "drawn from the game's own seed"
    move, sitting = late_once(0, "silence")
    sitting.play("a1" if move != "a1" else "a2")
    assert sitting.ask.limit_ms == 1000
    sitting.say(Answer(resign=True))
    assert f"seat 0, ply 0: {move} instead: no answer" in sitting.result.notes[0]


def test_a_random_line_up_stands_in_for_a_late_one() -> None:
    """All place at once: nobody sees it before all have placed."""
    policy = MatchPolicy(clock=PerMove(move_ms=1000), on_timeout="random", network_allowance_ms=0)
    sitting = sit("siguo/doc001", policy)
    for puppet in sitting.puppets:
        puppet.asked[0].started_ns = 1
    state = sitting.table.state
    for seat in (0, 1, 3):
        move = str(state.stand_in(seat))
        sitting.table.answered(sitting.puppets[seat].asked[0], Answer(move=move), 1, 0)
    assert len(state.history()) == 0
    sitting.table.due(1 + 1_051_000_000)
    placed = [seat for seat, move in state.history() if move.startswith("layout")]
    assert placed == [0, 1, 2, 3]
    assert sitting.ask.seat == 0


def test_no_game_outlives_its_cap() -> None:
    """R17."""
    sitting = sit(policy=MatchPolicy(game_ms=1000))
    sitting.ask.started_ns = monotonic_ns() + 2_000_000_000
    sitting.table.due(monotonic_ns() + 2_000_000_001)
    assert sitting.result.termination == Termination.timeout


def test_a_repeated_answer_is_harmless() -> None:
    sitting = sit()
    ask = sitting.ask
    sitting.play("a1")
    assert sitting.table.answered(ask, Answer(move="b1"), 1, 0)[0] is Verdict.DUPLICATE
    assert sitting.table.state.plies == 1


def test_the_move_limit_draws() -> None:
    sitting = sit(policy=MatchPolicy(max_plies=4))
    sitting.play(*FIVE[:4])
    assert sitting.result.termination == Termination.move_limit
    assert sitting.result.plies == 4


def test_an_aborted_game_is_not_played_and_nobody_loses() -> None:
    sitting = sit()
    sitting.table.abort(EngineUnavailable("e@1", Unavailable.QUARANTINED, "crashed 3 times"))
    (result,) = sitting.results
    assert isinstance(result, NotPlayed)
    assert (result.engine, result.cause) == ("e@1", Unavailable.QUARANTINED)
    assert [p.endings[0][1].termination for p in sitting.puppets] == ["interrupted"] * 2


def test_level_values_draw_the_game() -> None:
    rule = DrawAdjudication(after_plies=4, moves=2, window=0.05)
    sitting = sit(policy=MatchPolicy(adjudicate_draw=rule))
    for number, move in enumerate(("a1", "c3", "e5", "g7", "i9", "k11", "m13", "b8")):
        sitting.say(Answer(move=move, value=0.5))
        assert bool(sitting.results) is (number == 7)
    assert sitting.result.termination == Termination.adjudicated
    assert sitting.result.scores == (0.5, 0.5)


@pytest.mark.parametrize("values", [(0.5, 0.9), (0.5, None)])
def test_one_sided_values_draw_nothing(values: tuple[float, float | None]) -> None:
    sitting = sit(policy=MatchPolicy(adjudicate_draw=DrawAdjudication(moves=1)))
    sitting.say(Answer(move="a1", value=values[0]))
    sitting.say(Answer(move="c3", value=values[1]))
    assert not sitting.results


@pytest.mark.parametrize("both", [True, False])
def test_hopeless_values_resign(both: bool) -> None:
    rule = ResignAdjudication(moves=2, value=0.1, both_sides=both)
    sitting = sit(policy=MatchPolicy(adjudicate_resign=rule))
    sitting.say(Answer(move="a1", value=0.05))
    sitting.say(Answer(move="c3", value=0.5 if both else None))
    sitting.say(Answer(move="e5", value=0.05))
    if both:
        assert not sitting.results
        sitting.say(Answer(move="g7", value=0.95))
    result = sitting.result
    assert (result.termination, result.culprit, result.scores) == (
        Termination.adjudicated,
        0,
        (0.0, 1.0),
    )


def test_comments_are_kept_with_the_record_only() -> None:
    for kept in (True, False):
        sitting = sit(keep_record=kept)
        sitting.say(Answer(move="a1", comment="c" * 5_000))
        sitting.say(Answer(resign=True))
        assert sitting.result.notes == (("seat 0, ply 0: " + "c" * 1_024,) if kept else ())


def test_notes_are_bounded() -> None:
    sitting = sit()
    for number in range(300):
        sitting.table.remark("x" * 10_000 + str(number))
    sitting.say(Answer(resign=True))
    assert sum(map(len, sitting.result.notes)) <= 200 * 4_000
