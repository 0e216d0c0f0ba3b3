"""The runner: both ways give the same game, exactly one result each, engines stay up."""

from __future__ import annotations

import threading
import time

import pytest

import arena
from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.clock import PerMove
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from arena.players.spec import EngineSpec
from arena.sdk import Bot, Decision, Turn
from tests.match.table_kit import request_for

CLOCKED = MatchPolicy(clock=PerMove(move_ms=60_000), max_plies=60)
PLAIN = MatchPolicy(max_plies=60)
HERE = "python:tests.match.test_runner"


class FirstMove(Bot):
    def choose(self, turn: Turn) -> str:
        return turn.legal[0]


class AsyncFirst(Bot):
    async def choose(self, turn: Turn) -> str:
        return turn.legal[0]


class Batcher(Bot):
    def choose_batch(self, turns: object) -> list[str]:
        assert isinstance(turns, list)
        return [turn.legal[-1] for turn in turns]


class Gathers(Bot):
    most = 0

    def choose_batch(self, turns: object) -> list[str]:
        assert isinstance(turns, list)
        time.sleep(0.002)
        Gathers.most = max(Gathers.most, len(turns))
        return [turn.legal[-1] for turn in turns]


class Raises(Bot):
    def choose(self, turn: Turn) -> str:
        raise KeyError("lost my book")


class Exits(Bot):
    def choose(self, turn: Turn) -> str:
        raise SystemExit(3)


class Hangs(Bot):
    max_parallel_games = 1

    def choose(self, turn: Turn) -> str:
        time.sleep(0.8)
        return turn.legal[0]


class HangsInNews(Bot):
    def choose(self, turn: Turn) -> str:
        return turn.legal[0]

    def game_over(self, over: object) -> None:
        raise RuntimeError("not again")


class ExitsInNews(HangsInNews):
    def game_over(self, over: object) -> None:
        raise SystemExit(4)


class Resigns(Bot):
    def choose(self, turn: Turn) -> Decision:
        return Decision(resign=True)


class OnlyCheckers(Bot):
    games = ("chinese_checkers/*",)


class Broken(Bot):
    def load(self) -> None:
        raise OSError("no weights")


class ExitsAtOnce(Bot):
    def load(self) -> None:
        raise SystemExit(5)


class NoGames(Bot):
    games = "gomoku/*"


class NoBot:
    pass


def play(
    requests: list[GameRequest], policy: MatchPolicy = PLAIN, parallel: int = 64
) -> list[GameResult | NotPlayed]:
    with MatchRunner(policy, parallel, worker="w7") as runner:
        return list(runner.play(requests))


def played(results: list[GameResult | NotPlayed]) -> list[GameResult]:
    found = [result for result in results if isinstance(result, GameResult)]
    assert len(found) == len(results), results
    return sorted(found, key=lambda result: result.game_id)


@pytest.mark.parametrize(
    ("name", "engines"),
    [
        ("gomoku/freestyle15", ("random", "search:nodes=60")),
        ("gomoku/doc001", ("search:nodes=60", "random")),
        ("gomoku/swap2", ("random", "random")),
        ("chinese_checkers/doc001", ("greedy", "random")),
        ("chinese_checkers/doc000", ("random", "greedy", "random", "greedy")),
        ("tuolaji/r10_qq_two_deck", ("greedy", "random", "greedy", "random")),
    ],
)
def test_the_core_and_the_referee_play_the_same_games(name: str, engines: tuple[str, ...]) -> None:
    game = arena.game(name)
    requests = [request_for(game, engines, number, opening_plies=3) for number in range(8)]
    long = name.startswith("tuolaji")  # a hand has a hundred moves and more
    plain, clocked = (
        policy.model_copy(update={"max_plies": 0}) if long else policy
        for policy in (PLAIN, CLOCKED)
    )
    inside, watched = played(play(requests, plain)), played(play(requests, clocked))
    for a, b in zip(inside, watched, strict=True):
        assert a.record == b.record
        assert (a.game_id, a.scores, a.places, a.sides, a.roles, a.termination, a.plies) == (
            b.game_id,
            b.scores,
            b.places,
            b.sides,
            b.roles,
            b.termination,
            b.plies,
        )
        assert a.measures == b.measures and bool(a.measures) == long
        assert (a.culprit, a.worker, b.worker) == (None, "w7", "w7")
        assert len(b.moves_ms) == b.plies
    assert len({result.record.moves for result in inside if result.record}) > 1


def test_records_are_kept_only_where_asked_for() -> None:
    game = arena.game("gomoku/freestyle15")
    for policy in (PLAIN, CLOCKED):
        (result,) = played(play([request_for(game, keep_record=False)], policy))
        assert result.record is None
        assert result.moves_ms == ()


@pytest.mark.parametrize(
    "bot", ["FirstMove", "AsyncFirst", "Batcher", "HangsInNews", "ExitsInNews"]
)
def test_a_class_plays_in_process(bot: str) -> None:
    game = arena.game("gomoku/freestyle15")
    requests = [request_for(game, (f"{HERE}:{bot}", "random"), n) for n in range(10)]
    for result in played(play(requests)):
        assert result.culprit is None
        assert result.engines[0] == f"{HERE}:{bot}"[:40] + "@1"


@pytest.mark.parametrize(
    ("bot", "termination", "words"),
    [
        ("Raises", Termination.crash, "lost my book"),
        ("Exits", Termination.crash, "SystemExit"),
        ("Resigns", Termination.resignation, ""),
    ],
)
def test_a_class_that_fails_loses_its_game_only(
    bot: str, termination: Termination, words: str
) -> None:
    game = arena.game("gomoku/freestyle15")
    bad = [request_for(game, (f"{HERE}:{bot}", "random"), n) for n in range(3)]
    good = [request_for(game, (f"{HERE}:FirstMove", "random"), n + 10) for n in range(3)]
    results = played(play([*bad, *good]))
    for result in results[:3]:
        assert (result.termination, result.culprit) == (termination, 0)
        assert words in "".join(result.notes)
    assert all(result.culprit is None for result in results[3:])


def test_a_class_that_hangs_is_out_of_time_and_then_quarantined() -> None:
    game = arena.game("gomoku/freestyle15")
    policy = MatchPolicy(move_ms=200, margin_ms=0, network_allowance_ms=0, crashes=2)
    bad = [request_for(game, (f"{HERE}:Hangs", "random"), n) for n in range(5)]
    results = play(bad, policy)
    lost = [r for r in results if isinstance(r, GameResult)]
    assert {(r.termination, r.culprit) for r in lost} == {(Termination.timeout, 0)}
    parked = [r for r in results if isinstance(r, NotPlayed)]
    assert {r.cause for r in parked} == {Unavailable.QUARANTINED}
    assert (len(lost), len(parked)) == (2, 3)
    for thread in threading.enumerate():  # they come to themselves, and end by themselves
        if thread.name.startswith("engine"):
            thread.join(5)
            assert not thread.is_alive()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("serach:nodes=5", "search"),
        ("search:knots=5", "nodes"),
        (f"{HERE}:Nobody", "Nobody"),
        ("python:tests.no_such_module:Bot", "no_such_module"),
        (f"{HERE}:NoBot", "subclass of arena.sdk.Bot"),
        (f"{HERE}:OnlyCheckers", "plays chinese_checkers/*"),
        (f"{HERE}:Broken", "no weights"),
        (f"{HERE}:ExitsAtOnce", "SystemExit(5)"),
        (f"{HERE}:NoGames", "must be a list of texts"),
    ],
)
@pytest.mark.parametrize("policy", [PLAIN, CLOCKED], ids=["core", "watched"])
def test_who_does_not_exist_or_fit_is_not_played(
    text: str, words: str, policy: MatchPolicy
) -> None:
    game = arena.game("gomoku/freestyle15")
    results = play([request_for(game, ("random", text), n) for n in range(3)], policy)
    for result in results:
        assert isinstance(result, NotPlayed), result
        assert result.cause is Unavailable.UNFIT
        assert words in result.message


def test_engines_stay_up_between_calls() -> None:
    game = arena.game("gomoku/freestyle15")
    with MatchRunner(PLAIN) as runner:
        for start in (0, 10):
            requests = [
                request_for(game, (f"{HERE}:FirstMove", "random"), start + n) for n in range(4)
            ]
            assert len(played(list(runner.play(requests)))) == 4


def test_a_caller_may_stop_listening() -> None:
    game = arena.game("gomoku/freestyle15")
    requests = [request_for(game, (f"{HERE}:FirstMove", "random"), n) for n in range(50)]
    with MatchRunner(PLAIN, 4) as runner:
        first = next(iter(runner.play(requests)))
        assert isinstance(first, GameResult)
        (again,) = runner.play([request_for(game, (f"{HERE}:FirstMove", "random"), 99)])
        assert isinstance(again, GameResult)


def test_a_runner_needs_room_for_one_game() -> None:
    with pytest.raises(ValueError, match="max_parallel_games"):
        MatchRunner(PLAIN, 0)


def test_capacity_is_never_exceeded() -> None:
    """R12."""
    game = arena.game("gomoku/freestyle15")
    Counting.going, Counting.most = set(), 0
    requests = [request_for(game, (f"{HERE}:Counting", "random"), n) for n in range(12)]
    assert all(result.culprit is None for result in played(play(requests)))
    assert Counting.most == 3


class Counting(Bot):
    max_parallel_games = 3
    going: set[str] = set()  # noqa: RUF012 - shared on purpose: counts all instances
    most = 0

    def choose(self, turn: Turn) -> str:
        Counting.going.add(turn.game_id)
        Counting.most = max(Counting.most, len(Counting.going))
        return turn.legal[-1 - turn.ply % 3]

    def game_over(self, over: object) -> None:
        Counting.going.discard(getattr(over, "game", ""))


def test_a_class_that_likes_batches_gets_them_in_process() -> None:
    game = arena.game("gomoku/freestyle15")
    requests = [request_for(game, (f"{HERE}:Gathers", "random"), n) for n in range(30)]
    assert all(result.culprit is None for result in played(play(requests)))
    assert Gathers.most > 5


def test_a_spec_is_shown_with_what_would_be_right() -> None:
    assert EngineSpec.parse("search:nodes=400", name="s").id == "s@1"
