"""Who takes part: players of the engines on file, kept up in the service's own loop."""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Coroutine

from arena.match.floor import Floor
from arena.match.policy import MatchPolicy
from arena.players.base import Limits, Player
from arena.players.build import player_for
from arena.players.dial_in import DialInPlayer
from arena.players.fault import EngineUnavailable
from arena.players.spec import EngineKind, EngineSpec
from arena.server.engines import EngineRow
from arena.server.lines import Switchboard
from arena.server.targets import DialList, ListedPlayer

_log = logging.getLogger(__name__)


class League:
    """The engines that are there, and the floor they play on."""

    def __init__(
        self, policy: MatchPolicy, parallel: int, switchboard: Switchboard, targets: DialList
    ) -> None:
        """Nothing runs before `open`."""
        self.floor = Floor(policy, parallel, "service", self._player)
        self._switchboard = switchboard
        self._targets = targets
        self._ids: dict[EngineSpec, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Starts to watch clocks and pings."""
        self.floor.open()

    def spec(self, row: EngineRow) -> EngineSpec:
        """What the match code knows of an engine on file."""
        match row.access.WhichOneof("way"):
            case "address":
                kind, target = EngineKind.GRPC, row.access.address
            case "command":
                kind, target = EngineKind.COMMAND, shlex.join(row.access.command.words)
            case _:
                kind, target = EngineKind.DIAL_IN, row.engine_id
        spec = EngineSpec(row.name, row.version, kind, target)
        self._ids[spec] = row.engine_id
        return spec

    def _player(self, spec: EngineSpec, limits: Limits) -> Player:
        match spec.kind:
            case EngineKind.DIAL_IN:
                return DialInPlayer(spec, limits, self._switchboard.line(spec.target))
            case EngineKind.GRPC:
                return ListedPlayer(spec, limits, self._targets)
            case _:
                return player_for(spec, limits)

    def arrived(self, row: EngineRow) -> None:
        """A bot has dialled in: greets it, and asks it from time to time whether it lives."""
        self._spawn(self._greet(self.spec(row)))

    async def _greet(self, spec: EngineSpec) -> None:
        try:
            await self.floor.player(spec).open()
        except EngineUnavailable as error:
            _log.info("%s", error)

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Ends all games, and says goodbye to everybody."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.floor.close()
