"""What a bot said and how its stream ended is heard, whatever becomes of our own writes."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.players.call import DialledCall
from arena.protocol.v1 import bot_pb2
from arena.protocol.v1.bot_pb2_grpc import (
    BotServiceServicer,
    BotServiceStub,
    add_BotServiceServicer_to_server,
)

ANSWERS = 20


class Raises(BotServiceServicer):
    """Reads one message, says a lot, and raises."""

    async def Describe(
        self, request: bot_pb2.DescribeRequest, context: Any
    ) -> bot_pb2.DescribeResponse:
        return bot_pb2.DescribeResponse()

    async def Play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        async for _ in requests:
            for number in range(ANSWERS):
                yield bot_pb2.PlayResponse(pong=bot_pb2.Pong(number=number))
            raise ValueError("a broken bot")


async def heard_after_writes(pause_s: float) -> tuple[list[int], str, bool]:
    """What was read after the end of a stream that was written to all the time; how it ended; and
    whether anything of the call is left after that."""
    server = grpc.aio.server()
    add_BotServiceServicer_to_server(Raises(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    before = calls()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            raw = BotServiceStub(channel).Play()
            call = DialledCall(raw)
            writing = asyncio.create_task(write_on(call, pause_s))
            await asyncio.sleep(0.1)  # nothing is read until it is all over
            numbers, words = [], ""
            try:
                while (response := await call.read()) is not None:
                    numbers.append(response.pong.number)
            except grpc.aio.AioRpcError as error:
                words = f"{error.code().name}: {error.details()}"
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            call.cancel()
            del raw, call, writing
            await asyncio.sleep(0.05)
            gc.collect()
            return numbers, words, calls() > before
    finally:
        await server.stop(None)


def calls() -> int:
    """Calls that gRPC has in memory."""
    return sum(type(one).__name__ == "_AioCall" for one in gc.get_objects())


async def write_on(call: DialledCall, pause_s: float) -> None:
    while True:
        await call.write(bot_pb2.PlayRequest())
        await asyncio.sleep(pause_s)


@pytest.mark.parametrize("pause_s", [0.0, 0.001, 0.02])
def test_nothing_that_the_bot_said_is_lost(pause_s: float) -> None:
    async def some() -> list[tuple[list[int], str, bool]]:
        return [await heard_after_writes(pause_s) for _ in range(3)]

    for numbers, words, left in asyncio.run(some()):
        assert numbers == list(range(ANSWERS))
        assert words.startswith("UNKNOWN: ")
        assert "a broken bot" in words
        assert not left
