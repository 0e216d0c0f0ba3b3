"""A bot that sends bytes that are no messages, or no end of a name."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest

import arena
from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from arena.protocol.v1 import bot_pb2
from tests.match.table_kit import request_for

NOTHING = b"\xff\xff\xff\xff"
GOOD = bot_pb2.DescribeResponse(
    name="b",
    version="1",
    protocols=["arena.v1"],
    games=[bot_pb2.GameSupport(rulebooks="*")],
).SerializeToString()
READY = bot_pb2.PlayResponse(ready=bot_pb2.Ready()).SerializeToString()


@contextmanager
def bot(description: bytes, *answers: bytes) -> Iterator[str]:
    """An address whose Describe says the first, and whose Play all others, one to a turn."""

    def describe(request: bytes, context: Any) -> bytes:
        return description

    def play(requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
        said = iter(answers)
        for raw in requests:
            request = bot_pb2.PlayRequest.FromString(raw)
            if request.HasField("welcome") or request.turns:
                yield next(said)

    methods: dict[str, Any] = {
        "Describe": grpc.unary_unary_rpc_method_handler(describe),
        "Play": grpc.stream_stream_rpc_method_handler(play),
    }
    server = grpc.server(ThreadPoolExecutor(4))
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("arena.v1.BotService", methods)]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"grpc://127.0.0.1:{port}"
    finally:
        server.stop(None).wait()


def played(address: str) -> GameResult | NotPlayed:
    game = arena.game("gomoku/freestyle15")
    policy = MatchPolicy(connect_ms=30_000, disconnect_grace_ms=1_000, ping_ms=60_000)
    with MatchRunner(policy) as runner:
        (found,) = runner.play([request_for(game, (address, "random"))])
    return found


@pytest.mark.parametrize("answers", [(NOTHING, READY), (GOOD, NOTHING)])
def test_who_says_nothing_readable_at_first_is_not_played(answers: tuple[bytes, ...]) -> None:
    """The run goes on: it is no mistake of ours."""
    with bot(*answers) as address:
        found = played(address)
    assert isinstance(found, NotPlayed), found
    assert found.cause is Unavailable.UNFIT
    assert "no message" in found.message


def test_an_unreadable_answer_loses_the_game_at_once() -> None:
    with bot(GOOD, READY, NOTHING) as address:
        found = played(address)
    assert isinstance(found, GameResult), found
    assert (found.termination, found.culprit) == (Termination.protocol_error, 0)
    assert any("no message" in note for note in found.notes), found.notes


@pytest.mark.parametrize("field", ["games", "protocols"])
def test_what_a_bot_says_of_itself_is_shown_in_part_where_it_is_long(field: str) -> None:
    said = bot_pb2.DescribeResponse.FromString(GOOD)
    if field == "games":
        said.games[0].rulebooks = "x" * 100_000
    else:
        said.protocols[0] = "x" * 100_000
    with bot(said.SerializeToString(), READY) as address:
        found = played(address)
    assert isinstance(found, NotPlayed), found
    assert found.cause is Unavailable.UNFIT
    assert len(found.message) < 4_000
    assert found.message.endswith(("not gomoku/freestyle15", "not arena.v1"))
