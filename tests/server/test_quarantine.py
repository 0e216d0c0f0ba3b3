"""Engines that break again and again are taken out of play, however they are reached."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.protocol.v1 import arena_pb2, bot_pb2, bot_pb2_grpc
from arena.sdk import Bot, ConnectError, Turn
from tests.server.crowd import free_point
from tests.server.kit import House, described, house
from tests.server.test_dial_in import dialled, league, running, until
from tests.server.test_play import MATCH, PLAY, engine

TWICE = {**MATCH, "crashes": 2, "reconnects": 1}
REAL = 32
"""Characters of the name of a game that counts; those of the check have others."""


async def settled(at: House, engine_id: str) -> arena_pb2.Engine:
    """An engine that is no longer on its way, or in play."""
    async with asyncio.timeout(90):
        while (found := await engine(at, engine_id)).state in (
            arena_pb2.ENGINE_STATE_SUBMITTED,
            arena_pb2.ENGINE_STATE_PLAYING,
        ):
            await asyncio.sleep(0.05)
    await until(lambda: not league(at)._going)
    return found


class Breaks(bot_pb2_grpc.BotServiceServicer):
    """Answers the check, and raises over every turn of a real game."""

    async def Describe(self, request: Any, context: Any) -> Any:
        return described("Breaks")

    async def Play(self, request_iterator: Any, context: Any) -> Any:
        yield bot_pb2.PlayResponse(ready=bot_pb2.Ready())
        async for request in request_iterator:
            answer = answers(request)
            if any(len(turn.game) == REAL for turn in request.turns):
                raise RuntimeError("out of order")
            if answer.ByteSize():
                yield answer


def answers(request: bot_pb2.PlayRequest) -> bot_pb2.PlayResponse:
    """A pong, and a free point for each turn."""
    answer = bot_pb2.PlayResponse()
    if request.HasField("ping"):
        answer.pong.number = request.ping.number
    for turn in request.turns:
        point = free_point(turn, 0)
        answer.decisions.add(game=turn.game, revision=turn.revision, seat=turn.seat, move=point)
    return answer


def test_a_bot_that_is_dialled(tmp_path: Path) -> None:
    async def run() -> None:
        bot = grpc.aio.server()
        bot_pb2_grpc.add_BotServiceServicer_to_server(Breaks(), bot)
        port = bot.add_insecure_port("127.0.0.1:0")
        await bot.start()
        dial = {"allow": ["127.0.0.0/8:*"]}
        try:
            async with house(tmp_path, match=TWICE, play=PLAY, dial=dial) as at:
                there = arena_pb2.Access(address=f"127.0.0.1:{port}")
                made = await at.submit("ann", "Breaks", access=there)
                found = await settled(at, made.id)
                assert found.state == arena_pb2.ENGINE_STATE_QUARANTINED
                assert "failed 2 times in a row" in found.reason and "out of order" in found.reason
        finally:
            await bot.stop(None)

    asyncio.run(run())


class Raises(Bot):
    """Its own mistakes are what the SDK tells the arena of."""

    name = "Raises"
    games = ("gomoku/*",)

    def choose(self, turn: Turn) -> str:
        if len(turn.game_id) == REAL:
            raise RuntimeError("out of ideas")
        return turn.legal[0]


def test_a_bot_that_dials_in_and_gives_every_turn_up(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, match=TWICE, play=PLAY) as at:
            with pytest.raises(ConnectError, match="out of ideas") as caught:
                async with dialled(at, Raises()) as connection:
                    found = await settled(at, connection.engine.id)
                    assert found.state == arena_pb2.ENGINE_STATE_QUARANTINED
                    assert "failed 2 times in a row without a move between" in found.reason
                    assert "crash: " in found.reason and "out of ideas" in found.reason
                    await asyncio.wait([running[connection]], timeout=10)
            assert caught.value.reason == "OUT_OF_PLAY"
            with pytest.raises(ConnectError, match=r"is quarantined: failed 2 times"):
                async with dialled(at, Raises()):
                    pass

    asyncio.run(run())


def test_a_bot_that_dials_in_and_is_gone_over_every_turn(tmp_path: Path) -> None:
    """Of such a bot nobody sees why: it may have crashed, or have lost its network each time."""

    async def once(at: House, said: list[str]) -> None:
        call = at.stub.Connect(metadata=at.auth("ann"))
        await call.write(arena_pb2.ConnectRequest(describe=described("Gone")))
        await call.read()
        ready = bot_pb2.PlayResponse(ready=bot_pb2.Ready())
        await call.write(arena_pb2.ConnectRequest(play=ready))
        while isinstance(message := await call.read(), arena_pb2.ConnectResponse):
            if any(len(turn.game) == REAL for turn in message.play.turns):
                call.cancel()
                return
            answer = answers(message.play)
            if answer.ByteSize():
                await call.write(arena_pb2.ConnectRequest(play=answer))
        if await call.code() is grpc.StatusCode.FAILED_PRECONDITION:
            said.append(await call.details())

    async def bot(at: House, said: list[str]) -> None:
        while not said:
            try:
                await once(at, said)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
                if isinstance(error, grpc.aio.AioRpcError):
                    refused = error.code() is grpc.StatusCode.FAILED_PRECONDITION
                    said += [error.details() or ""] if refused else []
            await asyncio.sleep(0.01)

    async def run() -> None:
        async with house(tmp_path, match=TWICE, play=PLAY) as at:
            made = await at.submit("ann", "Gone")
            said: list[str] = []
            playing = asyncio.ensure_future(bot(at, said))
            found = await settled(at, made.id)
            assert found.state == arena_pb2.ENGINE_STATE_QUARANTINED
            assert "failed 2 times in a row" in found.reason
            assert "the last, disconnect: " in found.reason
            await asyncio.wait_for(playing, 30)
            assert "is quarantined: failed 2 times" in said[0]

    asyncio.run(run())
