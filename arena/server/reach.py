"""From an engine on file to a player, and to one that is listened to while it is checked."""

from __future__ import annotations

import shlex

from arena.conformance.wire import WatchedDialIn, WatchedPlayer, Wire, watched
from arena.players.base import Limits, Player
from arena.players.build import player_for
from arena.players.dial_in import DialInPlayer
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineKind, EngineSpec
from arena.server.engines import EngineRow
from arena.server.lines import Switchboard
from arena.server.targets import DialList, ListedPlayer


class Reach:
    """How each kind of engine is reached."""

    def __init__(
        self, switchboard: Switchboard, targets: DialList, sandbox: Sandbox | None
    ) -> None:
        """Commands are started in the `sandbox`; None: as they are."""
        self._switchboard = switchboard
        self._targets = targets
        self._sandbox = sandbox

    def spec(self, row: EngineRow) -> EngineSpec:
        """What the match code knows of an engine on file."""
        match row.access.WhichOneof("way"):
            case "address":
                return EngineSpec(row.name, row.version, EngineKind.GRPC, row.access.address)
            case "command":
                words = shlex.join(row.access.command.words)
                return EngineSpec(row.name, row.version, EngineKind.COMMAND, words, self._sandbox)
            case _:
                return EngineSpec(row.name, row.version, EngineKind.DIAL_IN, row.engine_id)

    def player(self, spec: EngineSpec, limits: Limits) -> Player:
        """A player, not yet opened."""
        match spec.kind:
            case EngineKind.DIAL_IN:
                return DialInPlayer(spec, limits, self._switchboard.line(spec.target))
            case EngineKind.GRPC:
                return ListedPlayer(spec, limits, self._targets)
            case _:
                return player_for(spec, limits)

    def watched(self, spec: EngineSpec, limits: Limits) -> WatchedPlayer:
        """A player that is listened to."""
        match spec.kind:
            case EngineKind.DIAL_IN:
                return WatchedDialIn(spec, limits, self._switchboard.line(spec.target))
            case EngineKind.GRPC:
                return _WatchedListed(spec, limits, self._targets)
            case _:
                return watched(spec, limits)


class _WatchedListed(WatchedPlayer, ListedPlayer):
    def __init__(self, spec: EngineSpec, limits: Limits, targets: DialList) -> None:
        ListedPlayer.__init__(self, spec, limits, targets)
        self.wire = Wire()
