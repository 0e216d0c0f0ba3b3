"""What can be wrong with an engine: faults in play, and reasons not to play at all."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from arena._core import Termination


class Unavailable(StrEnum):
    """Why a game with an engine was not played. Never a loss."""

    UNREACHABLE = "unreachable"
    """No connection, no description, or no readiness within the limits. May be tried again."""

    UNFIT = "unfit"
    """The engine does not play this game, these rules or this protocol. Will not change."""

    QUARANTINED = "quarantined"
    """It crashed or failed too often in a row; an operator has to look at it."""


# Messages travel with results and into logs, and may show what an engine says of itself.
_HEAD_CHARS, _TAIL_CHARS = 1_900, 2_000


class EngineUnavailable(Exception):
    """An engine that cannot take part; becomes a `NotPlayed`."""

    def __init__(self, engine: str, cause: Unavailable, message: str) -> None:
        """`engine` is an engine id; `message` one sentence, whose middle is left out where it is long."""
        if len(message) > _HEAD_CHARS + _TAIL_CHARS:
            message = f"{message[:_HEAD_CHARS]} … {message[-_TAIL_CHARS:]}"
        super().__init__(f"engine {engine}: {message}")
        self.engine = engine
        self.cause = cause
        self.message = message


class FaultKind(StrEnum):
    """A fault in play. Each has its own termination; a silent engine is never illegal."""

    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    CRASH = "crash"
    ILLEGAL_MOVE = "illegal_move"
    PROTOCOL_ERROR = "protocol_error"


def is_fault(termination: Termination) -> bool:
    """Whether a game that ended so was ended by a player's fault."""
    return termination.name in _FAULTS


_FAULTS = frozenset(kind.value for kind in FaultKind)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of one engine in one game."""

    kind: FaultKind
    detail: str
    """What was seen: the illegal move, the tail of stderr, the transport's words."""
