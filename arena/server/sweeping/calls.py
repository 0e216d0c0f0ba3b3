"""The methods of ArenaService about sweeps."""

from __future__ import annotations

from typing import Any

import grpc

from arena.protocol.v1 import arena_pb2_grpc, sweeps_pb2
from arena.server.desk import Desk
from arena.server.errors import invalid
from arena.server.events import Places
from arena.server.gate import caller, require
from arena.server.results import Elsewhere
from arena.server.sweeping.book import SweepState
from arena.server.sweeping.keeper import Sweeps
from arena.server.sweeping.views import STATES_BACK, head, looked_at, moved, whole
from arena.server.tokens import Scope

_Context = grpc.aio.ServicerContext[Any, Any]
_REASON_CHARS = 2_000


class SweepCalls(arena_pb2_grpc.ArenaServiceServicer):
    """Every method runs behind a `Gate`, which knows the caller."""

    def __init__(self, desk: Desk, sweeps: Sweeps, places: Places) -> None:
        """Who watches takes one of the `places`."""
        self._desk = desk
        self._sweeps = sweeps
        self._places = places

    async def LaunchSweep(
        self, request: sweeps_pb2.LaunchSweepRequest, context: _Context
    ) -> sweeps_pb2.LaunchSweepResponse:
        """Looks at a sweep file, files it, and has it played in its turn."""
        token = require(Scope.RESEARCHER)
        if not request.toml.strip():
            raise invalid("toml", "is empty: the text of a sweep file")
        if request.validate_only:
            plan = await self._sweeps.look(request.toml, token)
            return sweeps_pb2.LaunchSweepResponse(sweep=looked_at(plan, request.toml, token))
        entry = await self._sweeps.launch(request.toml, token)
        return sweeps_pb2.LaunchSweepResponse(sweep=whole(entry, token))

    async def CancelSweep(
        self, request: sweeps_pb2.CancelSweepRequest, context: _Context
    ) -> sweeps_pb2.CancelSweepResponse:
        """Ends a sweep."""
        token = require(Scope.RESEARCHER)
        if len(request.reason) > _REASON_CHARS:
            raise invalid("reason", f"is longer than {_REASON_CHARS} characters")
        entry = await self._sweeps.cancel(request.sweep_id, request.reason, token)
        return sweeps_pb2.CancelSweepResponse(sweep=whole(entry, token))

    async def GetSweep(
        self, request: sweeps_pb2.GetSweepRequest, context: _Context
    ) -> sweeps_pb2.GetSweepResponse:
        """Shows one sweep."""
        entry = await self._sweeps.get(request.sweep_id)
        return sweeps_pb2.GetSweepResponse(sweep=whole(entry, caller()))

    async def ListSweeps(
        self, request: sweeps_pb2.ListSweepsRequest, context: _Context
    ) -> sweeps_pb2.ListSweepsResponse:
        """Shows a page of sweeps."""
        states: list[SweepState] = []
        for state in request.states:
            if state not in STATES_BACK:
                raise invalid("states", f"{state} is no state of a sweep")
            states.append(STATES_BACK[state])
        entries, following = await self._desk.ask(
            self._desk.sweeps.page,
            request.account,
            states,
            request.page_size,
            request.page_token,
        )
        return sweeps_pb2.ListSweepsResponse(
            sweeps=[head(self._sweeps.now(entry)) for entry in entries],
            next_page_token=following,
        )

    async def WatchSweep(  # type: ignore[override]  # grpc.aio also takes a coroutine that writes
        self, request: sweeps_pb2.WatchSweepRequest, context: _Context
    ) -> None:
        """Tells how far a sweep is, until it has come to stand."""
        token, before = caller(), None
        with self._places.taken(token.account):
            async for entry in self._sweeps.watch(request.sweep_id, token):
                if before is None:
                    first = sweeps_pb2.WatchSweepResponse(sweep=whole(entry, token))
                    await context.write(first)
                else:
                    progress = sweeps_pb2.WatchSweepResponse(progress=moved(before, entry))
                    await context.write(progress)
                before = entry
            if before is not None:
                last = sweeps_pb2.WatchSweepResponse(sweep=whole(before, token))
                await context.write(last)

    async def ledger_of(self, sweep_id: str) -> Elsewhere:
        """The results of a sweep. Raises ServiceError for an unknown one."""
        entry = await self._sweeps.get(sweep_id)
        return Elsewhere(self._sweeps.ledger(sweep_id), entry.tally.totals.done)
