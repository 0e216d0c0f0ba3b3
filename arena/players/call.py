"""The stream to a bot that was dialled, with what gRPC's own lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import grpc

from arena.protocol.reading import Unreadable
from arena.protocol.v1 import bot_pb2

if TYPE_CHECKING:
    from grpc.aio import StreamStreamCall

    Call = StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse]


class Stream(Protocol):
    """All games of one bot, as the arena's client reads and writes them."""

    async def write(self, request: bot_pb2.PlayRequest) -> None:
        """Sends a message; nowhere where the stream has ended: `read` says how."""
        ...

    async def read(self) -> bot_pb2.PlayResponse | None:
        """The next message; None at the end.

        Raises Unreadable for bytes that are none. May raise AioRpcError where it did not end with OK.
        """
        ...

    async def code(self) -> grpc.StatusCode:
        """How it ended; waits for that."""
        ...

    async def details(self) -> str:
        """The words beside the code."""
        ...

    async def done_writing(self) -> None:
        """Closes the arena's side. May raise InternalError where the stream has ended."""
        ...

    def cancel(self) -> bool:
        """Ends the stream from this side; False where it has ended."""
        ...


class DialledCall:
    """A stream whose end is what the peer made of it, whatever was being written then.

    A `write` of gRPC's that meets the end of the stream puts INTERNAL, "Internal error from Core",
    in the place of the peer's status: a bot whose handler raised would look like one whose network
    went away. It also takes the call for done: answers that have arrived are not read any more,
    and nothing can cancel it or close its socket (grpcio 1.85). So writes go below it here, to the
    call of `grpc._cython`, whose failures have no such consequences.
    """

    def __init__(self, call: Call) -> None:
        """`call` is not to be written to by others."""
        self._call = call
        self._core: Any = call._cython_call  # type: ignore[attr-defined]  # private, see above

    async def write(self, request: bot_pb2.PlayRequest) -> None:
        """Sends a message; nowhere where the stream has ended: `read` says how."""
        try:
            await self._call.wait_for_connection()
            if not self._call.done():
                await self._core.send_serialized_message(request.SerializeToString())
        except (grpc.aio.AioRpcError, grpc.aio.InternalError):
            return

    async def read(self) -> bot_pb2.PlayResponse | None:
        """The next message; None at the end. Raises AioRpcError where the peer's status is not OK."""
        response: Any = await self._call.read()
        if response is None:  # gRPC could not read it, and has said so in the log
            raise Unreadable
        return response if isinstance(response, bot_pb2.PlayResponse) else None

    async def code(self) -> grpc.StatusCode:
        """The peer's status, once there is one."""
        return await self._call.code()

    async def details(self) -> str:
        """The words beside it."""
        return await self._call.details() or ""

    async def done_writing(self) -> None:
        """Closes the arena's side. Raises InternalError where the stream has ended."""
        await self._call.done_writing()

    def cancel(self) -> bool:
        """Ends the stream from this side."""
        return self._call.cancel()
