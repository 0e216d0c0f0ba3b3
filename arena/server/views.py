"""What callers are shown: rows of the service as messages of the protocol."""

from __future__ import annotations

from arena.protocol.v1 import arena_pb2
from arena.server.engines import EngineRow, EngineState
from arena.server.tokens import Token

STATES = {
    EngineState.SUBMITTED: arena_pb2.ENGINE_STATE_SUBMITTED,
    EngineState.REJECTED: arena_pb2.ENGINE_STATE_REJECTED,
    EngineState.PLAYING: arena_pb2.ENGINE_STATE_PLAYING,
    EngineState.QUARANTINED: arena_pb2.ENGINE_STATE_QUARANTINED,
    EngineState.WITHDRAWN: arena_pb2.ENGINE_STATE_WITHDRAWN,
}
"""Ours to the protocol's."""

STATES_BACK = {message: state for state, message in STATES.items()}


def engine_message(row: EngineRow, viewer: Token, *, online: bool) -> arena_pb2.Engine:
    """An engine as the viewer may see it: addresses and commands are its owner's business."""
    message = arena_pb2.Engine(
        id=row.engine_id,
        name=row.name,
        version=row.version,
        account=row.account,
        description=row.description,
        access=row.access,
        state=STATES[row.state],
        reason=row.reason,
        online=online,
    )
    message.submitted.FromSeconds(row.submitted)
    if row.account != viewer.account and not viewer.may():
        if message.access.HasField("address"):
            message.access.address = ""
        elif message.access.HasField("command"):
            message.access.command.Clear()
            message.access.command.SetInParent()
    return message
