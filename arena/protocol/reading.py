"""Requests that are no messages: refused by a status, where gRPC would log a traceback.

A deserializer that raises is taken by a server of gRPC for a mistake of its own: the caller is told
UNKNOWN, and a stream ends in whatever task happens to read it. So ours do not raise.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from google.protobuf.message import DecodeError

_T = TypeVar("_T")

UNREADABLE = "holds bytes that are no message of this call"
"""What the sender of such bytes is told."""


class Unreadable(Exception):
    """Bytes that are no message of the type that was due."""

    def __init__(self) -> None:
        """Says so."""
        super().__init__(UNREADABLE)


def lenient(deserialize: Callable[[bytes], _T]) -> Callable[[bytes], _T | None]:
    """The same, but for bytes that are no message None."""

    def read(data: bytes) -> _T | None:
        try:
            return deserialize(data)
        except DecodeError:
            return None

    return read


async def readable(requests: AsyncIterator[_T | None]) -> AsyncIterator[_T]:
    """A stream that was read so, up to what is no message. Raises Unreadable there."""
    async for request in requests:
        if request is None:
            raise Unreadable
        yield request
