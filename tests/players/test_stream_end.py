"""What a bot said when its stream ended is kept, whatever becomes of our own writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from arena.players.stream_end import StreamEnd
from arena.protocol.v1 import bot_pb2
from arena.protocol.v1.bot_pb2_grpc import (
    BotServiceServicer,
    BotServiceStub,
    add_BotServiceServicer_to_server,
)


class Raises(BotServiceServicer):
    """Reads one message, and raises over it."""

    async def Describe(
        self, request: bot_pb2.DescribeRequest, context: Any
    ) -> bot_pb2.DescribeResponse:
        return bot_pb2.DescribeResponse()

    async def Play(
        self, requests: AsyncIterator[bot_pb2.PlayRequest], context: Any
    ) -> AsyncIterator[bot_pb2.PlayResponse]:
        async for _ in requests:
            raise ValueError("a broken bot")
        yield bot_pb2.PlayResponse()


async def told_after_writes(count: int) -> tuple[grpc.StatusCode, str]:
    """What is known of the end of a stream that was written to, again and again, until then."""
    server = grpc.aio.server()
    add_BotServiceServicer_to_server(Raises(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = BotServiceStub(channel).Play()
            end = StreamEnd(call)
            assert end.code is grpc.StatusCode.OK
            try:
                for _ in range(count):
                    await call.write(bot_pb2.PlayRequest())
                    await asyncio.sleep(0)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                pass
            await call.code()
            return end.code, end.words
    finally:
        await server.stop(None)


@pytest.mark.parametrize("count", [1, 1_000_000])
def test_the_status_is_the_peers(count: int) -> None:
    """With many writes the last one meets the end of the stream, which gRPC calls INTERNAL."""

    async def ten_times() -> list[tuple[grpc.StatusCode, str]]:
        return [await told_after_writes(count) for _ in range(10)]

    for code, words in asyncio.run(ten_times()):
        assert code is grpc.StatusCode.UNKNOWN
        assert words.startswith("UNKNOWN: ")
        assert "a broken bot" in words
