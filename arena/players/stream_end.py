"""How a stream ended, in the peer's own words."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, TypeVar

import grpc

if TYPE_CHECKING:
    from grpc.aio import StreamStreamCall

    from arena.protocol.v1 import bot_pb2

    Call = StreamStreamCall[bot_pb2.PlayRequest, bot_pb2.PlayResponse]

T = TypeVar("T")


class StreamEnd:
    """Keeps the status with which the peer ended a stream.

    A write of ours that is on its way when that status arrives fails, and gRPC then puts INTERNAL,
    "Internal error from Core", in its place: a bot whose handler raised would look like one whose
    network went away. So the status is kept the moment it is first known.
    """

    def __init__(self, call: Call | None = None) -> None:
        """Listens to `call` from now on."""
        self.code = grpc.StatusCode.OK
        """As the peer gave it; OK while the stream stands."""
        self.words = "no stream was opened"
        """The name of the code, and what the peer said beside it."""
        if call is not None:
            call.add_done_callback(self._keep)

    def _keep(self, call: Call) -> None:
        self.code = _at_once(call.code())
        self.words = f"{self.code.name}: {_at_once(call.details()) or 'the bot closed the stream'}"


def _at_once(known: Coroutine[object, object, T]) -> T:
    """The result of a coroutine that waits for nothing: a call that is done knows its status."""
    try:
        known.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    known.close()
    raise RuntimeError("a call that is done has no status")
