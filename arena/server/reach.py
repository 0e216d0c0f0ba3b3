"""From an engine on file to a player, and to one that is listened to while it is checked."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

import grpc

from arena.conformance.wire import WatchedDialIn, WatchedPlayer, Wire, watched
from arena.players.base import Limits, Player
from arena.players.build import player_for
from arena.players.dial_in import DialInPlayer
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineKind, EngineSpec
from arena.server.engines import EngineRow
from arena.server.lines import Switchboard
from arena.server.orders import DialKeys
from arena.server.targets import DialList, ListedPlayer, TargetError


class Reach:
    """How each kind of engine is reached."""

    def __init__(
        self,
        switchboard: Switchboard,
        targets: DialList,
        sandbox: Sandbox | None,
        keys: DialKeys | None = None,
    ) -> None:
        """Commands are started in the `sandbox`; None: as they are. `keys` are for TLS."""
        self._switchboard = switchboard
        self._targets = targets
        self._sandbox = sandbox
        self.keys = keys or DialKeys()
        self._credentials = self.keys.credentials()

    def spec(self, row: EngineRow) -> EngineSpec:
        """What the match code knows of an engine on file."""
        match row.access.WhichOneof("way"):
            case "address":
                address, tls = row.access.address, row.access.tls
                return EngineSpec(row.name, row.version, EngineKind.GRPC, address, tls=tls)
            case "command":
                words = shlex.join(row.access.command.words)
                return EngineSpec(row.name, row.version, EngineKind.COMMAND, words, self._sandbox)
            case _:
                return EngineSpec(row.name, row.version, EngineKind.DIAL_IN, row.engine_id)

    async def addresses(self, specs: Iterable[EngineSpec]) -> dict[str, str] | None:
        """By target, the addresses to dial for engines at one; None where some may not be dialled."""
        found = {}
        for spec in specs:
            if spec.kind is EngineKind.GRPC:
                try:
                    found[spec.target] = await self._targets.resolve(spec.target, tls=spec.tls)
                except TargetError:
                    return None
        return found

    def player(self, spec: EngineSpec, limits: Limits) -> Player:
        """A player, not yet opened."""
        match spec.kind:
            case EngineKind.DIAL_IN:
                return DialInPlayer(spec, limits, self._switchboard.line(spec.target))
            case EngineKind.GRPC:
                return ListedPlayer(spec, limits, self._targets, self._credentials)
            case _:
                return player_for(spec, limits)

    def watched(self, spec: EngineSpec, limits: Limits) -> WatchedPlayer:
        """A player that is listened to."""
        match spec.kind:
            case EngineKind.DIAL_IN:
                return WatchedDialIn(spec, limits, self._switchboard.line(spec.target))
            case EngineKind.GRPC:
                return _WatchedListed(spec, limits, self._targets, self._credentials)
            case _:
                return watched(spec, limits)


class _WatchedListed(WatchedPlayer, ListedPlayer):
    def __init__(
        self,
        spec: EngineSpec,
        limits: Limits,
        targets: DialList,
        credentials: grpc.ChannelCredentials | None,
    ) -> None:
        ListedPlayer.__init__(self, spec, limits, targets, credentials)
        self.wire = Wire()
