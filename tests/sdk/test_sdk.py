"""The SDK over a real connection, in one process: turns, batches, async bots, services."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

import arena
from arena.games import game
from arena.match.clock import Increment
from arena.match.policy import MatchPolicy
from arena.players.messages import TurnWriter
from arena.protocol.convert import rules_message
from arena.protocol.v1 import bot_pb2
from arena.protocol.v1.bot_pb2_grpc import BotServiceStub
from arena.sdk import Bot, BotServer, Decision, Turn
from arena.sdk.bot import batches
from arena.sdk.thinker import Thinker
from arena.sdk.turn import RulesCache
from tests.match.table_kit import sit

ROOT = Path(__file__).resolve().parents[2]


def request_of(
    count: int = 1,
    name: str = "gomoku/freestyle15",
    policy: MatchPolicy | None = None,
    writer: TurnWriter | None = None,
) -> bot_pb2.PlayRequest:
    sittings = [sit(name, policy, opening_plies=2) for _ in range(count)]
    return (writer or TurnWriter()).request([sitting.ask for sitting in sittings])


def think(bot: Bot, request: bot_pb2.PlayRequest) -> list[bot_pb2.Decision]:
    made: list[bot_pb2.Decision] = []
    thinker = Thinker(bot)
    if thinker.is_async:
        asyncio.run(thinker.think_async(request, made.extend))
    else:
        thinker.think(request, made.extend)
    return made


def test_a_bot_keeps_the_rules_that_it_was_asked_about_last() -> None:
    message = rules_message(game("gomoku/freestyle15"))
    cache = RulesCache()
    first = cache.game(message)
    for number in range(255):
        message.digest = f"{number}"
        cache.game(message)
    message.digest = first.rules.digest
    assert cache.game(message) is first
    for number in range(255, 510):
        message.digest = f"{number}"
        cache.game(message)
    message.digest = first.rules.digest
    assert cache.game(message) is first
    message.digest = "0"
    again = cache.game(message)
    assert cache.game(message) is again and len(cache._games) == 256


class Looks(Bot):
    """Looks at everything a turn has."""

    def choose(self, turn: Turn) -> Decision:
        assert turn.rulebook == "gomoku/freestyle15"
        assert turn.settings["size"] == 15
        assert turn.game.rules.digest == turn.rules.digest
        assert turn.observation["stones"] == turn.ply == 2
        assert (turn.seats, turn.seat) == (2, 0)
        assert [event.kind for event in turn.events] == ["move", "move"]
        assert turn.limit_ms > 0
        state = turn.state()
        assert state.observe(turn.seat) == turn.observation_text
        assert turn.legal[0] in turn.legal
        assert "z99" not in turn.legal
        assert len(turn.legal[:3]) == 3
        assert len(turn.legal) == 15 * 15 - 2
        assert not turn.draw_offered
        assert turn.refused == ""
        state.apply(turn.seat, turn.legal[5])
        return Decision(state.history()[-1][1], value=0.75, comment="fine", policy=(("h8", 0.5),))


def test_a_turn_has_everything() -> None:
    (decision,) = think(Looks(), request_of())
    assert decision.failure == ""
    assert decision.value == 0.75
    assert decision.policy[0].probability == 0.5


def test_legal_moves_sent_along_are_the_same() -> None:
    by_rules = request_of()
    sent = request_of(writer=TurnWriter(legal_moves=True))
    assert not by_rules.turns[0].HasField("legal_moves")
    texts = list(sent.turns[0].legal_moves.moves)

    class Compare(Bot):
        def choose(self, turn: Turn) -> str:
            assert list(turn.legal) == texts
            return texts[0]

    for request in (by_rules, sent):
        assert think(Compare(), request)[0].move == texts[0]


def test_without_the_whole_state_legal_moves_must_be_asked_for() -> None:
    class First(Bot):
        def choose(self, turn: Turn) -> str:
            return turn.legal[0]

    (failed,) = think(First(), request_of(name="doudizhu/doc003"))
    assert "set wants_legal_moves = True" in failed.failure
    (sent,) = think(
        First(), request_of(name="doudizhu/doc003", writer=TurnWriter(legal_moves=True))
    )
    assert sent.move


def test_clocks_are_in_the_turn() -> None:
    policy = MatchPolicy(clock=Increment(base_ms=5000))
    turn = request_of(policy=policy).turns[0]
    assert [clock.main_ms for clock in turn.clocks] == [5000, 5000]
    assert turn.limit_ms == 5000


def test_rules_are_once_in_a_message() -> None:
    request = request_of(5)
    assert len(request.turns) == 5
    assert len(request.rules) == 5  # five games built apart; the same one is sent once
    sitting = sit()
    assert len(TurnWriter().request([sitting.ask, sitting.ask]).rules) == 1


class Batcher(Bot):
    def choose_batch(self, turns: Sequence[Turn]) -> list[str]:
        return [turn.legal[i] for i, turn in enumerate(turns)]


class Miscounts(Bot):
    def choose_batch(self, turns: Sequence[Turn]) -> list[str]:
        return ["h8"]


class AsyncBatcher(Bot):
    async def choose_batch(self, turns: Sequence[Turn]) -> list[str]:
        await asyncio.sleep(0)
        return [turn.legal[i] for i, turn in enumerate(turns)]


class AsyncOne(Bot):
    async def choose(self, turn: Turn) -> str:
        await asyncio.sleep(0.2)
        return turn.legal[0]


class HalfBroken(Bot):
    def choose(self, turn: Turn) -> str:
        if turn.message.revision and turn.game_id.startswith("0"):
            raise ZeroDivisionError("in game " + turn.game_id)
        return turn.legal[0]


@pytest.mark.parametrize("bot", [Batcher(), AsyncBatcher()])
def test_batches_are_answered_in_order(bot: Bot) -> None:
    made = think(bot, request_of(4))
    assert [decision.move for decision in made] == sorted(d.move for d in made)
    assert len({decision.move for decision in made}) == 4


def test_async_turns_are_thought_about_together() -> None:
    began = time.monotonic()
    assert len(think(AsyncOne(), request_of(10))) == 10
    assert time.monotonic() - began < 1.5


def test_a_batch_of_the_wrong_length_fails_every_turn_of_it() -> None:
    made = think(Miscounts(), request_of(3))
    assert all("gave 1 moves for 3 turns" in decision.failure for decision in made)


def test_an_exception_stays_in_its_game() -> None:
    request = request_of(2)
    request.turns[1].game = "1"
    first, second = think(HalfBroken(), request)
    assert "ZeroDivisionError" in first.failure
    assert second.failure == ""
    assert second.move


@pytest.mark.parametrize("bot", [HalfBroken(), AsyncOne(), Batcher(), AsyncBatcher()])
def test_a_turn_under_rules_that_were_not_sent_is_given_up(bot: Bot) -> None:
    request = request_of(2)
    request.turns[0].rules = 7
    request.turns[1].game = "1"
    made = {decision.game: decision for decision in think(bot, request)}
    assert "IndexError" in made[request.turns[0].game].failure
    # A batch is one call of the bot's: it fails as a whole.
    assert bool(made["1"].move) is not batches(bot)


class HalfCharacter(Bot):
    def choose(self, turn: Turn) -> str:
        raise ValueError(f"no idea what \ud800 is in {turn.game_id}")


def test_an_error_that_shows_half_a_character_is_passed_on() -> None:
    (made,) = think(HalfCharacter(), request_of())
    assert "no idea what ? is" in made.failure


async def _say_nothing() -> list[grpc.StatusCode]:
    """How Describe and Play end over bytes that are no messages."""
    server = BotServer(Looks())
    address = await server.start()
    ends = []
    async with grpc.aio.insecure_channel(address) as channel:
        call: Any = channel.stream_stream("/arena.v1.BotService/Play")()
        await call.write(b"\xff\xff\xff\xff")
        ask: Any = channel.unary_unary("/arena.v1.BotService/Describe")
        ends.append(await ask(b"\xff\xff\xff\xff").code())
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            while await call.read() is not grpc.aio.EOF:
                pass
        ends.append(refused.value.code())
        await BotServiceStub(channel).Describe(bot_pb2.DescribeRequest())
    await server.stop()
    return ends


def test_bytes_that_are_no_message_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    assert asyncio.run(_say_nothing()) == [grpc.StatusCode.INVALID_ARGUMENT] * 2
    assert not caplog.records


def test_a_bot_without_choose_says_so() -> None:
    (decision,) = think(Bot(), request_of())
    assert "has neither choose nor choose_batch" in decision.failure


def test_slow_answers_do_not_wait_for_each_other() -> None:
    class Slow(Bot):
        def choose(self, turn: Turn) -> str:
            time.sleep(0.01)
            return turn.legal[0]

    parcels: list[int] = []
    Thinker(Slow()).think(request_of(4), lambda made: parcels.append(len(made)))
    assert parcels == [1, 1, 1, 1]


async def _heard(stream: Any) -> bot_pb2.PlayResponse:
    response = await stream.read()
    assert isinstance(response, bot_pb2.PlayResponse)
    return response


async def _talk() -> None:
    server = BotServer(Looks())
    address = await server.start()
    async with grpc.aio.insecure_channel(address) as channel:
        stub = BotServiceStub(channel)
        description = await stub.Describe(bot_pb2.DescribeRequest())
        assert description.name == "Looks"
        assert list(description.protocols) == ["arena.v1"]
        health = health_pb2_grpc.HealthStub(channel)
        status = await health.Check(health_pb2.HealthCheckRequest(service="arena.v1.BotService"))
        assert status.status == health_pb2.HealthCheckResponse.SERVING
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(iter([ask]))
        listed = await call.read()
        names = [service.name for service in listed.list_services_response.service]
        assert "arena.v1.BotService" in names
        stream = stub.Play()
        await stream.write(bot_pb2.PlayRequest(ping=bot_pb2.Ping(number=7)))
        assert (await _heard(stream)).HasField("ready")
        assert (await _heard(stream)).pong.number == 7
        await stream.write(request_of())
        answered = await _heard(stream)
        assert answered.decisions[0].failure == ""
        await stream.done_writing()
        assert await stream.read() == grpc.aio.EOF
    await server.stop()


def test_the_server_talks_the_whole_protocol() -> None:
    asyncio.run(_talk())


def test_a_taken_port_is_an_error() -> None:
    async def twice() -> None:
        first = BotServer(Bot())
        await first.start()
        with pytest.raises(OSError, match="cannot serve"):
            await BotServer(Bot(), port=first.port).start()
        await first.stop()

    asyncio.run(twice())


UNLOADABLE = """
from arena.sdk import Bot, serve

class Heavy(Bot):
    def load(self):
        raise FileNotFoundError("weights.bin")

serve(Heavy())
"""


@pytest.mark.parametrize("words", [("--port", "0"), ("--connect", "127.0.0.1:9")])
def test_a_bot_that_cannot_be_loaded_ends_and_says_why(words: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNLOADABLE, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "ARENA_TOKEN": "arena_x"},
        timeout=30,
        check=False,
    )
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last == "Heavy.load() failed: FileNotFoundError('weights.bin')"
    assert "in load\n" in ended.stderr, "the traceback shows where"


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "bots").glob("*.py")))
def test_examples_play_and_stop_when_told(path: Path) -> None:
    """The example bots are outside of the package; each plays a game and ends on SIGTERM."""
    from arena.ledger.result import GameResult
    from arena.match.runner import MatchRunner
    from tests.match.table_kit import request_for

    process = subprocess.Popen(
        [sys.executable, str(path), "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    port = process.stdout.readline().strip().removeprefix("ARENA_BOT_PORT=")
    try:
        game = arena.game("gomoku/freestyle15")
        request = request_for(game, (f"grpc://127.0.0.1:{port}", "random"))
        with MatchRunner(MatchPolicy(connect_ms=30_000)) as runner:
            (result,) = runner.play([request])
        assert isinstance(result, GameResult), result
        assert result.culprit is None, result
    finally:
        process.terminate()
        assert process.wait(timeout=10) == 0
