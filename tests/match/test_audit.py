"""Audits of kept games: good ones pass, and what is wrong is found where it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from itertools import count
from typing import Any

import pytest

import arena
from arena._core import Events, State, Termination
from arena.games import Record, Seat
from arena.ledger import GameResult, Told
from arena.match import audit as audits
from arena.match.audit import Audit, Trouble
from arena.match.audit import audit as audited
from arena.match.policy import Cost, IllegalMoves, MatchPolicy
from arena.match.runner import MatchRunner
from arena.players import messages
from arena.players.told import SeatLog, View, text_of, view
from arena.protocol.v1 import bot_pb2
from tests.bots.noted import RECEIPTS
from tests.match.table_kit import request_for

NOTED = "python:tests.bots.noted:Noted"
CARELESS = "python:tests.bots.noted:Careless"
NUMBERS = count(1)
HIDDEN = ("tuolaji/r10_qq_two_deck", "doudizhu/doc003", "siguo/doc001", "siguo/ffa")


def played(
    name: str,
    *engines: str,
    policy: MatchPolicy | None = None,
    opening_plies: int = 0,
    seed: int | None = None,
    **settings: Any,
) -> GameResult:
    """A game through the referee."""
    game = arena.game(name, **settings)
    seats = engines or (NOTED,)
    seated = tuple(seats[seat % len(seats)] for seat in range(game.seats))
    number = next(NUMBERS) if seed is None else seed
    request = request_for(game, seated, number, opening_plies)
    request = replace(request, game_id=f"{next(NUMBERS):032x}")
    with MatchRunner(policy or MatchPolicy()) as runner:
        (result,) = runner.play([request])
    assert isinstance(result, GameResult) and result.record is not None
    return result


def check(result: GameResult, worlds: int = 4) -> Audit:
    assert result.record is not None
    game = arena.games.game_from_rules(result.record.game, result.record.rules)
    return audited(game, result, worlds)


def logs(result: GameResult) -> list[Told]:
    assert all(result.told)
    return [one for one in result.told if one]


def with_log(result: GameResult, seat: int, log: Told | None) -> GameResult:
    told = list(result.told)
    told[seat] = log
    return replace(result, told=tuple(told))


# -- good games ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        *((name, {}) for name in HIDDEN),
        ("gomoku/doc001", {}),
        ("xiangqi/doc000", {}),
        ("chinese_checkers/doc001", {"players": 3, "board": "star37", "pegs": 3}),
        ("tuolaji/r03_four_deck_3_to_7", {}),
        ("tuolaji/r04_three_deck_3_to_K", {}),
        ("siguo/half_bright", {}),
        ("siguo/dark60", {"layout_source": "random"}),
        ("doudizhu/happy", {}),
    ],
)
def test_a_good_game_passes(name: str, settings: dict[str, Any]) -> None:
    policy = MatchPolicy(max_plies=400)
    result = played(name, policy=policy, **settings)
    found = check(result)
    assert not found.findings
    moves = result.record.moves if result.record else ()
    for seat, log in zip(found.seats, logs(result), strict=True):
        assert seat.turns == len(log.plies) == sum(mover == seat.seat for mover, _ in moves)
        assert seat.head == RECEIPTS[result.game_id, seat.seat].head
        hidden = not arena.game(name, **settings).family.full_information
        assert seat.worlds == (4 * seat.turns if hidden else 0)
        assert bool(seat.event_worlds) == hidden


@pytest.mark.parametrize("name", [*HIDDEN, "xiangqi/doc000", "tuolaji/r03_four_deck_3_to_7"])
def test_refused_answers_and_fines_are_audited(name: str) -> None:
    policy = MatchPolicy(
        illegal_retries=5, illegal=IllegalMoves(cost=Cost.SUBSTITUTE), max_plies=300
    )
    result = played(name, CARELESS, policy=policy)
    assert any(log.words for log in logs(result))
    found = check(result)
    assert not found.findings
    assert sum(seat.refusals for seat in found.seats) > 0 or "xiangqi" in name
    fined = played(name, CARELESS, policy=MatchPolicy(illegal_retries=1))
    assert not check(fined).findings
    assert fined.record is not None


def test_a_random_opening_is_no_turn() -> None:
    result = played("gomoku/freestyle15", opening_plies=6)
    assert not check(result).findings
    assert logs(result)[0].plies[0] == 6
    first = RECEIPTS[result.game_id, 0].head
    assert first == logs(result)[0].head


def test_a_game_that_is_broken_off_passes_up_to_there() -> None:
    result = played("siguo/doc001", CARELESS)
    assert result.termination is Termination.illegal_move
    assert not check(result).findings


def test_engines_of_the_core_are_told_nothing() -> None:
    result = played("gomoku/freestyle15", "greedy", NOTED)
    assert result.told[0] is None
    found = check(result)
    assert not found.findings
    assert (found.seats[0].turns, found.seats[0].head) == (0, "")
    alone = replace(result, told=())
    assert [seat.turns for seat in check(alone).seats] == [0, 0]


def test_what_is_not_kept_is_not_logged() -> None:
    game = arena.game("gomoku/freestyle15")
    request = request_for(game, (NOTED, NOTED), 7, keep_record=False)
    with MatchRunner(MatchPolicy()) as runner:
        (result,) = runner.play([request])
    assert isinstance(result, GameResult) and result.told == ()


# -- the digest is of what is sent ----------------------------------------------------


def test_every_field_of_a_turn_is_in_the_digest_or_holds_nothing_of_the_game() -> None:
    """A new field has to be put on one of the two sides."""
    outside = {"game", "revision", "seat", "rules", "limit_ms", "clocks", "seed"}
    inside = {
        "ply",
        "observation",
        "position",
        "events",
        "legal_moves",
        "requirements",
        "draw_offers",
        "refused",
    }
    typed = {field.name for field in bot_pb2.Turn.DESCRIPTOR.oneofs[-1].fields}
    assert set(arena.games.family_ids()) == typed  # made of the text of the observation
    assert {field.name for field in bot_pb2.Turn.DESCRIPTOR.fields} == outside | inside | typed


def test_a_turn_that_is_sent_again_counts_once() -> None:
    state = arena.game("gomoku/freestyle15").new_state()
    one, two = SeatLog(), SeatLog()
    told = view(state, 0, True, (), False)
    for log, times in ((one, 1), (two, 3)):
        for _ in range(times):
            log.add(1, told)
        log.add(2, told, (1,), "no", "x")
    assert one.told() == two.told()
    found = one.told()
    assert found is not None
    assert found.plies == (0, 0) and found.words == ((1, (1,), "no", "x"),)
    head = sha256(text_of(told).encode()).digest()
    assert found.links.startswith(head[:4].hex())


def test_lists_of_moves_may_come_and_go() -> None:
    state = arena.game("gomoku/freestyle15").new_state()
    log = SeatLog()
    asked = [False, True, True, False, True]
    for revision, with_moves in enumerate(asked):
        log.add(revision, view(state, 0, True, (), with_moves))
    found = log.told()
    assert found is not None
    assert [found.lists_moves(number) for number in range(5)] == asked


# -- what is wrong is found -----------------------------------------------------------


def other_move(result: GameResult, at: int) -> GameResult:
    """The same game with another move in a place, where the rest of it can be played."""
    record = result.record
    assert record is not None
    game = arena.games.game_from_rules(record.game, record.rules)
    before = Record(record.game, record.rules, record.setup, record.moves[:at])
    seat, was = record.moves[at]
    state = game.replay(before)
    moves = state.moves(seat)
    for i in range(len(moves)):
        text = str(moves[i])
        changed = [*record.moves]
        changed[at] = (Seat(seat), text)
        if text == was:
            continue
        try:
            game.replay(replace(record, moves=tuple(changed)))
        except arena.games.IllegalMove:
            continue
        return replace(result, record=replace(record, moves=tuple(changed)))
    raise AssertionError("no other move can be played there")


@pytest.mark.parametrize("at", [0, 7, 20])
def test_another_move_in_the_record_is_found_at_the_next_turn(at: int) -> None:
    result = played("gomoku/freestyle15", seed=3)
    found = check(other_move(result, at)).findings
    assert found[0].trouble is Trouble.TOLD
    assert (found[0].ply, found[0].seat) == (at + 1, (at + 1) % 2)
    assert found[0].turn == (at + 1) // 2 + 1


def test_a_record_that_does_not_fit_is_found() -> None:
    result = played("gomoku/freestyle15", seed=3)
    record = result.record
    assert record is not None
    moves = [*record.moves]
    moves[9] = moves[8]
    (*_, last) = check(replace(result, record=replace(record, moves=tuple(moves)))).findings
    assert last.trouble is Trouble.RECORD and last.ply == 9
    assert "move 10" in last.message
    broken = check(replace(result, record=replace(record, setup="nonsense"))).findings
    assert broken[0].trouble is Trouble.RECORD and "setup" in broken[0].message


def test_a_result_that_the_record_does_not_give_is_found() -> None:
    result = played("gomoku/freestyle15", seed=3)
    turned = replace(result, scores=result.scores[::-1], places=result.places[::-1])
    (finding,) = check(turned).findings
    assert finding.trouble is Trouble.RECORD
    assert "scores" in finding.message


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("turn", [0, 3])
def test_a_changed_log_is_found_at_its_turn(name: str, turn: int) -> None:
    result = played(name, policy=MatchPolicy(max_plies=60))
    seat = 1
    log = logs(result)[seat]
    links = bytearray.fromhex(log.links)
    links[4 * turn + 2] ^= 1
    (finding,) = check(with_log(result, seat, replace(log, links=links.hex()))).findings
    assert (finding.trouble, finding.seat, finding.turn) == (Trouble.TOLD, seat, turn + 1)
    assert finding.ply == log.plies[turn]


Change = Callable[[Told], Told]


def without(log: Told, turn: int) -> Told:
    links = bytearray.fromhex(log.links)
    del links[4 * turn : 4 * turn + 4]
    return replace(log, plies=log.plies[:turn] + log.plies[turn + 1 :], links=links.hex())


@pytest.mark.parametrize(
    ("change", "trouble"),
    [
        (lambda log: replace(log, head="00" * 32), Trouble.LOG),
        (lambda log: without(log, 0), Trouble.TOLD),
        (lambda log: without(log, 2), Trouble.LOG),
        (lambda log: without(log, len(log.plies) - 1), Trouble.LOG),
        (lambda log: replace(log, links=log.links[:-8]), Trouble.LOG),
        (lambda log: replace(log, plies=(*log.plies[:-1], 9_999)), Trouble.LOG),
        (
            lambda log: replace(log, plies=(*log.plies[:3], log.plies[3] + 1, *log.plies[4:])),
            Trouble.LOG,
        ),
        (lambda log: replace(log, plies=log.plies[::-1]), Trouble.TOLD),
        (lambda log: replace(log, flips=()), Trouble.TOLD),
        (lambda log: replace(log, flips=(0, 4)), Trouble.TOLD),
        (lambda log: replace(log, words=((2, (), "no", "x"),)), Trouble.TOLD),
        (lambda log: replace(log, words=((2, (0,), "", ""),)), Trouble.TOLD),
        (lambda log: replace(log, plies=(), links=""), Trouble.LOG),
    ],
)
def test_every_part_of_a_log_counts(change: Change, trouble: Trouble) -> None:
    result = played("doudizhu/doc003", seed=5)
    seat = 2
    found = check(with_log(result, seat, change(logs(result)[seat]))).findings
    assert [(one.trouble, one.seat) for one in found] == [(trouble, seat)]


def test_the_log_of_another_seat_is_none() -> None:
    result = played("doudizhu/doc003", seed=5)
    mixed = with_log(result, 0, logs(result)[1])
    assert {one.seat for one in check(mixed).findings} == {0}
    short = replace(result, told=result.told[:2])
    assert check(short).findings[0].trouble is Trouble.LOG


# -- what is hidden and got out is found ----------------------------------------------


def some(observation: str) -> bool:
    """Picks a third of all turns, by what the seat sees there in any world."""
    return sha256(observation.encode()).digest()[0] < 85


def leaking(part: str) -> Callable[..., View]:
    """A `view` that, at some turns, holds something of the whole truth."""

    def leaky(
        state: State, seat: int, full: bool, events: Iterable[Events], with_moves: bool
    ) -> View:
        events = list(events)
        told = view(state, seat, full, events, with_moves)
        if part == "events":
            whole = tuple((e.kind, None, e.text) for batch in events for e in batch)
            return told._replace(events=whole)
        if not some(told.observation):
            return told
        secret = sha256(state.setup().encode()).hexdigest()[:8]
        if part == "observation":
            return told._replace(observation=f'{told.observation[:-1]},"x":"{secret}"}}')
        if part == "requirements":
            return told._replace(requirements=f'{{"x":"{secret}"}}')
        if part == "position":
            return told._replace(position=state.setup())
        assert part == "moves"
        moves = told.moves or ()
        again = moves[:1] * (int(secret, 16) % 50)
        return told._replace(moves=(*moves, *again) if moves else None)

    return leaky


@pytest.mark.parametrize("name", HIDDEN)
@pytest.mark.parametrize("part", ["observation", "requirements", "position", "moves"])
def test_a_leak_is_found_where_it_begins(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sender and audit leak alike, as a fault in the rules would: digests agree, worlds do not."""
    monkeypatch.setattr(messages, "view", leaking(part))
    monkeypatch.setattr(audits, "view", leaking(part))
    result = played(name, policy=MatchPolicy(max_plies=100))
    found = check(result, worlds=8).findings
    assert {one.seat for one in found} == set(range(len(result.engines)))
    record = result.record
    assert record is not None
    game = arena.games.game_from_rules(record.game, record.rules)
    for one in found:
        assert one.seat is not None and one.turn is not None
        assert one.trouble is Trouble.LEAK and part in one.message
        plies = logs(result)[one.seat].plies
        seen = [
            game.replay(replace(record, moves=record.moves[:ply])).observe(one.seat)
            for ply in plies
        ]
        # While line-ups are placed there is nothing yet that could leak.
        first = next(
            number
            for number, text in enumerate(seen)
            if some(text) and '"phase":"layout"' not in text
        )
        assert (one.turn, one.ply) == (first + 1, plies[first])


@pytest.mark.parametrize("name", ["siguo/doc001", "tuolaji/r10_qq_two_deck"])
def test_an_event_that_shows_a_hidden_move_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line-ups that all place at once, and cards that are buried or drawn."""
    monkeypatch.setattr(messages, "view", leaking("events"))
    monkeypatch.setattr(audits, "view", leaking("events"))
    result = played(name, policy=MatchPolicy(max_plies=120))
    found = check(result, worlds=8).findings
    assert found and {one.trouble for one in found} == {Trouble.LEAK}
    assert all("events" in one.message for one in found)


@pytest.mark.parametrize("part", ["observation", "position", "moves", "requirements", "events"])
def test_what_a_sender_adds_is_not_what_the_record_gives(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "view", leaking(part))
    result = played("siguo/doc001", policy=MatchPolicy(max_plies=60))
    monkeypatch.undo()
    found = check(result).findings
    assert found and {one.trouble for one in found} == {Trouble.TOLD}


def refused_once() -> tuple[GameResult, int, Told]:
    policy = MatchPolicy(illegal_retries=5, max_plies=60)
    result = played("siguo/doc001", CARELESS, policy=policy, seed=2)
    assert not check(result).findings
    seat, log = next((i, log) for i, log in enumerate(logs(result)) if log.words)
    return result, seat, log


def test_a_reason_of_a_refusal_that_tells_more_is_found() -> None:
    result, seat, log = refused_once()
    number, offers, why, said = log.words[0]
    words = ((number, offers, f"the flag is at S62; {why}", said), *log.words[1:])
    (finding,) = check(with_log(result, seat, replace(log, words=words))).findings
    assert (finding.trouble, finding.turn) == (Trouble.TOLD, number)


def test_a_reason_that_hangs_on_what_is_hidden_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    result, _, log = refused_once()
    said = log.words[0][3]
    true = {state_setup for state_setup in walked(result)}

    def refuses(state: State, seat: int, answer: str, why: str) -> bool:
        return answer != said or state.setup() in true

    monkeypatch.setattr(audits, "_refuses", refuses)
    assert {one.trouble for one in check(result).findings} == {Trouble.LEAK}


def walked(result: GameResult) -> list[str]:
    """The set-up lines of all positions of a game."""
    record = result.record
    assert record is not None
    game = arena.games.game_from_rules(record.game, record.rules)
    state = game.new_state(setup=record.setup)
    found = [state.setup()]
    for seat, move in record.moves:
        arena.games.play_recorded(state, seat, move)
        found.append(state.setup())
    return found
