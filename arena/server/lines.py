"""Bots that dial in: one line for each engine, and the pump between a call and its stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc

from arena.players.dial_in import BotStream, Line
from arena.protocol.reading import Unreadable
from arena.protocol.v1 import arena_pb2
from arena.server.engines import EngineRow, differing
from arena.server.errors import Reason, ServiceError, denied, invalid
from arena.server.texts import require_texts
from arena.server.tokens import Token

Requests = AsyncIterator[arena_pb2.ConnectRequest]
_Context = grpc.aio.ServicerContext[Any, Any]

FIRST_S = 10.0
"""To say who one is, after the stream is open."""

_REASONS = {
    grpc.StatusCode.ABORTED: Reason.FENCED,
    grpc.StatusCode.FAILED_PRECONDITION: Reason.OUT_OF_PLAY,
    grpc.StatusCode.INVALID_ARGUMENT: Reason.INVALID,
    grpc.StatusCode.UNAUTHENTICATED: Reason.BAD_TOKEN,
}


class Switchboard:
    """Every engine's line, and whose token opened the stream on it."""

    def __init__(self) -> None:
        """Nobody is there."""
        self._lines: dict[str, Line] = {}
        self._holders: dict[BotStream, tuple[str, str]] = {}

    def line(self, engine_id: str) -> Line:
        """The line of an engine."""
        return self._lines.setdefault(engine_id, Line())

    def live(self, engine_id: str) -> bool:
        """Whether its bot is there."""
        found = self._lines.get(engine_id)
        return found is not None and found.live

    @property
    def streams(self) -> int:
        """Bots that are there."""
        return len(self._holders)

    def hang_up(self, engine_id: str, words: str) -> None:
        """Ends the stream of an engine that is out of play."""
        found = self._lines.get(engine_id)
        if found is not None:
            found.end(grpc.StatusCode.FAILED_PRECONDITION, words)

    def tokens(self) -> set[str]:
        """Ids of the tokens that hold streams open."""
        return {token_id for token_id, _ in self._holders.values()}

    def revoked(self, token_ids: set[str]) -> None:
        """Ends the streams of tokens that are no good any more."""
        for stream, (token_id, _) in list(self._holders.items()):
            if token_id in token_ids:
                stream.end(grpc.StatusCode.UNAUTHENTICATED, "the token is not good any more")

    def close(self) -> None:
        """Ends all streams: the arena goes away."""
        for stream in list(self._holders):
            stream.end(grpc.StatusCode.UNAVAILABLE, "the arena is shutting down")

    async def carry(
        self, stream: BotStream, row: EngineRow, token: Token, requests: Requests, context: _Context
    ) -> None:
        """Puts a bot's stream on its engine's line, and carries messages until it ends.

        Raises ServiceError saying why, unless the end was in order.
        """
        line = self.line(row.engine_id)
        self._holders[stream] = (token.token_id, row.engine_id)
        line.plug(stream, f"a newer stream of {row.id} has taken over: number {line.epoch + 1}")
        pumps = [
            asyncio.ensure_future(_listen(stream, requests)),
            asyncio.ensure_future(_speak(stream, context)),
        ]
        try:
            code, words = await stream.ended()
        finally:
            # Cancelled: the bot went away without a word.
            stream.end(grpc.StatusCode.CANCELLED, "the bot is gone")
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            del self._holders[stream]
        if code is not grpc.StatusCode.OK:
            raise ServiceError(code, _REASONS.get(code, Reason.HUNG_UP), words)


async def _listen(stream: BotStream, requests: Requests) -> None:
    try:
        async for request in requests:
            if not request.HasField("play"):
                stream.end(grpc.StatusCode.INVALID_ARGUMENT, "after the first message comes `play`")
                return
            await stream.received(request.play)
        stream.end(grpc.StatusCode.OK, "the bot closed the stream")
    except Unreadable as error:
        stream.end(grpc.StatusCode.INVALID_ARGUMENT, f"request: {error}")
    except (grpc.RpcError, grpc.aio.BaseError):
        stream.end(grpc.StatusCode.CANCELLED, "the bot is gone")


async def _speak(stream: BotStream, context: _Context) -> None:
    try:
        while (request := await stream.to_send()) is not None:
            await context.write(arena_pb2.ConnectResponse(play=request))
        stream.end(grpc.StatusCode.OK, "the arena closed the stream")
    except (grpc.RpcError, grpc.aio.BaseError):
        stream.end(grpc.StatusCode.CANCELLED, "the bot is gone")


async def first_of(requests: Requests) -> arena_pb2.ConnectRequest:
    """The message in which a bot says who it is. Raises ServiceError."""
    try:
        async with asyncio.timeout(FIRST_S):
            first = await anext(requests, None)
    except TimeoutError:
        raise ServiceError(
            grpc.StatusCode.DEADLINE_EXCEEDED,
            Reason.DEADLINE,
            f"no description within {FIRST_S:g} s",
        ) from None
    if first is None or not first.HasField("describe"):
        raise invalid("describe", "is missing: the first message says who dials in")
    require_texts(first)
    return first


def require_itself(row: EngineRow, first: arena_pb2.ConnectRequest, token: Token) -> None:
    """Whether this caller may be this engine. Raises ServiceError."""
    if row.account != token.account:
        raise denied(Reason.NOT_YOURS, f"{row.id} belongs to another account")
    if row.access.WhichOneof("way") != "dial_in":
        raise ServiceError(
            grpc.StatusCode.FAILED_PRECONDITION,
            Reason.NOT_DIAL_IN,
            f"{row.id} was not submitted as one that dials in",
        )
    if not row.state.in_play:
        because = f": {row.reason}" if row.reason else ""
        raise ServiceError(
            grpc.StatusCode.FAILED_PRECONDITION,
            Reason.OUT_OF_PLAY,
            f"{row.id} is {row.state}{because}",
        )
    differs = differing(row.description, first.describe)
    if differs:
        raise ServiceError(
            grpc.StatusCode.FAILED_PRECONDITION,
            Reason.DESCRIPTION_DIFFERS,
            f"{row.id} was submitted with another {differs}: a new build is a new version",
            field=differs,
        )
