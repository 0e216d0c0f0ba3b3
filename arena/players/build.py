"""From what an engine is to a player."""

from __future__ import annotations

from arena.players.base import Limits, Player
from arena.players.spec import EngineKind, EngineSpec


def player_for(spec: EngineSpec, limits: Limits) -> Player:
    """A player, not yet opened. gRPC is loaded only where an engine needs it."""
    match spec.kind:
        case EngineKind.BUILTIN:
            from arena.players.builtin import BuiltinPlayer

            return BuiltinPlayer(spec, limits)
        case EngineKind.PYTHON:
            from arena.players.python_class import PythonPlayer

            return PythonPlayer(spec, limits)
        case EngineKind.GRPC:
            from arena.players.grpc_client import GrpcPlayer

            return GrpcPlayer(spec, limits)
        case EngineKind.COMMAND:
            from arena.players.command import CommandPlayer

            return CommandPlayer(spec, limits)
        case EngineKind.DIAL_IN:
            raise ValueError(f"engine {spec.id} dials in: only the arena service can play it")
