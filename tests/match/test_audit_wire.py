"""Logs of games over gRPC, against what really arrived at the bot."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256

import pytest

import arena
from arena.ledger import GameResult
from arena.match.audit import audit
from arena.match.policy import MatchPolicy
from arena.match.runner import MatchRunner
from arena.protocol.v1 import bot_pb2, types_pb2
from arena.sdk import Bot, BotServer, Receipt, Turn
from arena.sdk import mind as minds
from arena.sdk.receipt import turn_text
from arena.sdk.turn import RulesCache
from tests.bots.noted import RECEIPTS, Noted, Plain
from tests.match.table_kit import request_for

POLICY = MatchPolicy(max_plies=60)
AFTER = 40


class Counting(Noted):
    """Says when it has been asked so often."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.enough = threading.Event()

    def choose(self, turn: Turn) -> str:
        self.asked += 1
        if self.asked == AFTER:
            self.enough.set()
        return super().choose(turn)


@contextmanager
def served(bot: Bot) -> Iterator[tuple[asyncio.AbstractEventLoop, BotServer]]:
    """A server of a bot in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    server = BotServer(bot)
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(10)
    try:
        yield loop, server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def played(name: str, port: int, count: int) -> list[GameResult]:
    game = arena.game(name)
    engines = (f"grpc://127.0.0.1:{port}",) * game.seats
    requests = [
        replace(
            request_for(game, engines, number),
            game_id=sha256(f"{name} {port} {number}".encode()).hexdigest()[:32],
        )
        for number in range(count)
    ]
    with MatchRunner(POLICY) as runner:
        results = list(runner.play(requests))
    assert all(isinstance(result, GameResult) for result in results)
    return [result for result in results if isinstance(result, GameResult)]


def passes(result: GameResult) -> None:
    assert result.record is not None
    game = arena.games.game_from_rules(result.record.game, result.record.rules)
    found = audit(game, result, worlds=1)
    assert not found.findings and result.culprit is None
    for seat, log in enumerate(result.told):
        assert log is not None
        assert log.head == RECEIPTS[result.game_id, seat].head


@pytest.mark.parametrize(
    ("name", "bot"),
    [
        ("siguo/doc001", Noted),
        ("doudizhu/doc003", Noted),
        ("tuolaji/r10_qq_two_deck", Noted),
        ("gomoku/doc001", Plain),
    ],
)
def test_the_log_is_of_what_arrives(name: str, bot: type[Bot]) -> None:
    with served(bot()) as (_, server):
        for result in played(name, server.port, 5):
            passes(result)


def test_a_turn_that_is_sent_over_two_connections_is_one() -> None:
    bot = Counting()
    with served(bot) as (loop, first):
        second = BotServer(bot, port=first.port)

        def swap() -> None:
            bot.enough.wait(30)
            asyncio.run_coroutine_threadsafe(first.stop(), loop).result(10)
            asyncio.run_coroutine_threadsafe(second.start(), loop).result(10)

        swapping = threading.Thread(target=swap)
        swapping.start()
        results = played("doudizhu/doc003", first.port, 8)
        swapping.join()
        assert bot.asked > AFTER
        for result in results:
            passes(result)
        asyncio.run_coroutine_threadsafe(second.stop(), loop).result(10)


def test_a_bot_that_wants_fields_is_logged_by_the_text_they_are_made_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    described = minds.describe

    def typed(bot: Bot) -> bot_pb2.DescribeResponse:
        said = described(bot)
        said.observation_form = bot_pb2.OBSERVATION_FORM_TYPED
        return said

    monkeypatch.setattr(minds, "describe", typed)
    monkeypatch.setattr("arena.sdk.server.describe", typed)
    with served(Noted()) as (_, server):
        (result,) = played("doudizhu/doc003", server.port, 1)
    assert result.record is not None
    assert not audit(arena.game("doudizhu/doc003"), result).findings
    log = result.told[0]
    assert log is not None and log.head != RECEIPTS[result.game_id, 0].head


def test_the_text_of_a_turn_is_as_the_documents_have_it() -> None:
    """Written out by hand, so that a change of either side shows."""
    turn = bot_pb2.Turn(
        game="g",
        revision=3,
        seat=1,
        ply=7,
        observation='{"a":1}',
        position="p",
        requirements='{"suit":"S"}',
        draw_offers=[0, 2],
        refused="no",
        limit_ms=5,
        seed=9,
    )
    turn.events.add(kind="move", seat=0, text="h8")
    turn.events.add(kind="deal", text="3 cards")
    turn.legal_moves.moves.extend(["pass", "play 3"])
    assert turn_text(turn) == (
        'ply 7\nobservation {"a":1}\nposition p\nevent move 0 h8\nevent deal - 3 cards\n'
        'requirements {"suit":"S"}\nmoves partial\npass\nplay 3\ndraw_offers 0 2\nrefused no'
    )
    bare = bot_pb2.Turn(ply=0, observation="{}")
    assert turn_text(bare) == "ply 0\nobservation {}"
    receipt = Receipt()
    assert receipt.head == ""
    for message in (bare, bare, turn):
        receipt.add(Turn(message, types_pb2.Rules(), RulesCache()))
    first = sha256(turn_text(bare).encode()).digest()
    second = sha256(first + turn_text(turn).encode()).hexdigest()
    assert receipt.head == second
