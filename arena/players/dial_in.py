"""A bot that dials in: it has opened the stream, and is played over it.

A `BotStream` is one such stream as the arena's client reads and writes it; whoever serves the call
carries messages to and fro. A `Line` is where the streams of one engine arrive: the newest is the
only one that lives.
"""

from __future__ import annotations

import asyncio

import grpc

from arena.players.base import Limits
from arena.players.call import Stream
from arena.players.grpc_client import GrpcPlayer
from arena.players.spec import EngineSpec
from arena.protocol.v1 import bot_pb2

# Messages on their way. Few: what a bot sends is held back by the network, not by our memory.
_WAITING = 2


class BotStream:
    """One stream that a bot has opened."""

    def __init__(self, description: bot_pb2.DescribeResponse) -> None:
        """`description` is what the bot said of itself first."""
        self.description = description
        self._in: asyncio.Queue[bot_pb2.PlayResponse | None] = asyncio.Queue(_WAITING)
        self._out: asyncio.Queue[bot_pb2.PlayRequest | None] = asyncio.Queue(_WAITING)
        self._ended = asyncio.Event()
        self._code = grpc.StatusCode.OK
        self._words = ""

    # What the client of the arena sees: the surface of a call.

    async def read(self) -> bot_pb2.PlayResponse | None:
        """The bot's next message; None at the end."""
        if self._ended.is_set() and self._in.empty():
            return None
        return await self._in.get()

    async def write(self, request: bot_pb2.PlayRequest) -> None:
        """Sends a message; nowhere where nobody hears it any more."""
        await self._hand_over(request)

    async def done_writing(self) -> None:
        """Lets the stream end once everything has gone out."""
        await self._hand_over(None)

    async def _hand_over(self, request: bot_pb2.PlayRequest | None) -> None:
        putting = asyncio.ensure_future(self._out.put(request))
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await asyncio.wait({putting, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            putting.cancel()

    async def code(self) -> grpc.StatusCode:
        """How it ended."""
        return self._code

    async def details(self) -> str:
        """The words beside the code."""
        return self._words

    def cancel(self) -> bool:
        """Ends the stream from the arena's side."""
        return self.end(grpc.StatusCode.UNAVAILABLE, "the arena has hung up")

    # What the server of the call sees.

    async def received(self, response: bot_pb2.PlayResponse) -> None:
        """Hands a message of the bot on; waits while nobody reads."""
        await self._in.put(response)

    async def to_send(self) -> bot_pb2.PlayRequest | None:
        """The next message for the bot; None after the last."""
        return await self._out.get()

    def end(self, code: grpc.StatusCode, words: str) -> bool:
        """Ends it, whoever does, with what the other side is told; False where it has ended."""
        if self._ended.is_set():
            return False
        self._code, self._words = code, words
        self._ended.set()
        try:
            self._in.put_nowait(None)
        except asyncio.QueueFull:
            pass  # the reader comes to the end of the queue, and sees that it has ended
        return True

    @property
    def live(self) -> bool:
        """Whether it has not ended."""
        return not self._ended.is_set()

    async def ended(self) -> tuple[grpc.StatusCode, str]:
        """Waits for the end: how it was, and in what words."""
        await self._ended.wait()
        return self._code, self._words


class Line:
    """Where the streams of one engine arrive."""

    def __init__(self) -> None:
        """Nobody has dialled in yet."""
        self.epoch = 0
        """Streams so far."""
        self._stream: BotStream | None = None
        self._fresh = asyncio.Event()

    def plug(self, stream: BotStream, fenced: str) -> None:
        """A new stream: the one before is dead, and is told so in these words."""
        before, self._stream = self._stream, stream
        self.epoch += 1
        if before is not None:
            before.end(grpc.StatusCode.ABORTED, fenced)
        self._fresh.set()

    @property
    def live(self) -> bool:
        """Whether the bot is there."""
        return self._stream is not None and self._stream.live

    async def next(self) -> BotStream:
        """Waits for a stream that nobody has taken yet, and takes it."""
        while True:
            await self._fresh.wait()
            self._fresh.clear()
            if self._stream is not None and self._stream.live:
                return self._stream

    def end(self, code: grpc.StatusCode, words: str) -> None:
        """Ends the stream, if there is one."""
        if self._stream is not None:
            self._stream.end(code, words)


class DialInPlayer(GrpcPlayer):
    """A bot at the other end of a line."""

    def __init__(self, spec: EngineSpec, limits: Limits, line: Line) -> None:
        """Takes whatever stream arrives on the line."""
        super().__init__(spec, limits)
        self._line = line
        self._stream: BotStream | None = None

    async def dial(self) -> bot_pb2.DescribeResponse:
        """Waits until the bot has dialled in."""
        self._stream = await self._line.next()
        return self._stream.description

    def stream(self) -> Stream:
        """The stream that the bot has opened."""
        assert self._stream is not None
        return self._stream
