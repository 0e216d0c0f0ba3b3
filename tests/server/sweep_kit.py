"""Sweep files, and researchers who have them played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
from google.rpc import error_details_pb2

from arena.ledger import Ledger
from arena.plan import Plan, make_plan, parse_sweep
from arena.protocol.status import status_of
from arena.protocol.v1 import balance_pb2, sweeps_pb2
from tests.cluster.sweeps import contents, undisturbed
from tests.server.kit import House, house

QUICK = """\
name = "quick"
seed = 5
blocks = 20
pairing = ["self_play", "round_robin"]
rungs = [1, 2]

[match]
max_plies = 60

[[games]]
rulebooks = ["gomoku/freestyle15", "gomoku/doc001"]
"""

LONG = """\
name = "long"
seed = 6
blocks = 400
pairing = "round_robin"

[match]
max_plies = 40

[records]
keep = "none"

[[games]]
rulebooks = ["gomoku/freestyle15", "gomoku/caro15"]

[engines]
a = "search:nodes=3000"
b = "search:nodes=2500"
"""
"""Takes long enough to be in the middle of it; a block is a fraction of a second."""

ENDED = (
    sweeps_pb2.SWEEP_STATE_FINISHED,
    sweeps_pb2.SWEEP_STATE_CANCELLED,
    sweeps_pb2.SWEEP_STATE_INTERRUPTED,
)


@asynccontextmanager
async def parlour(
    folder: Path, *, sweeps: dict[str, Any] | None = None, **settings: Any
) -> AsyncIterator[House]:
    """A service that plays sweeps without Ray, unless told otherwise."""
    terms = {"folder": str(folder / "sweeps"), "workers": 0, **(sweeps or {})}
    async with house(folder, sweeps=terms, **settings) as at:
        yield at


async def launch(at: House, toml: str, who: str = "rita", **more: Any) -> sweeps_pb2.Sweep:
    answer = await at.stub.LaunchSweep(
        sweeps_pb2.LaunchSweepRequest(toml=toml, **more), metadata=at.auth(who), timeout=60
    )
    assert isinstance(answer, sweeps_pb2.LaunchSweepResponse)
    return answer.sweep


async def get(at: House, sweep_id: str, who: str = "rita") -> sweeps_pb2.Sweep:
    request = sweeps_pb2.GetSweepRequest(sweep_id=sweep_id)
    answer = await at.stub.GetSweep(request, metadata=at.auth(who))
    assert isinstance(answer, sweeps_pb2.GetSweepResponse)
    return answer.sweep


async def cancel(at: House, sweep_id: str, who: str = "rita", reason: str = "") -> Any:
    request = sweeps_pb2.CancelSweepRequest(sweep_id=sweep_id, reason=reason)
    return (await at.stub.CancelSweep(request, metadata=at.auth(who))).sweep


async def watch(
    at: House,
    sweep_id: str,
    who: str = "rita",
    enough: Callable[[Any], bool] = lambda seen: False,
    seconds: float = 300,  # a sweep has a low priority
) -> list[Any]:
    """What WatchSweep tells, each a Sweep or a SweepProgress, to its end or until it is enough."""
    request = sweeps_pb2.WatchSweepRequest(sweep_id=sweep_id)
    call = at.stub.WatchSweep(request, metadata=at.auth(who))
    told: list[Any] = []
    async with asyncio.timeout(seconds):
        async for answer in call:
            told.append(getattr(answer, answer.WhichOneof("event")))
            if enough(told[-1]):
                call.cancel()
                break
    return told


async def ended(at: House, sweep_id: str, who: str = "rita") -> sweeps_pb2.Sweep:
    """A sweep once it has come to stand."""
    told = await watch(at, sweep_id, who)
    assert isinstance(told[-1], sweeps_pb2.Sweep) and told[-1].state in ENDED
    return told[-1]


async def begun(at: House, sweep_id: str, games: int = 1, who: str = "rita") -> None:
    """Waits until so many games have been played."""
    told = await watch(at, sweep_id, who, lambda seen: seen.counts.done >= games)
    assert told[-1].counts.done >= games and told[-1].state not in ENDED, told[-1]


def plan_of(toml: str) -> Plan:
    return make_plan(parse_sweep(toml, "sweep.toml"))


def same_as_undisturbed(toml: str, ledger: Path, folder: Path) -> bool:
    """Whether a ledger holds exactly the games of the plan, as a run in one go plays them."""
    plan = plan_of(toml)
    if toml not in _undisturbed:
        _undisturbed[toml] = undisturbed(plan, folder)
    with Ledger.open(ledger, create=False) as opened:
        return contents(plan, opened) == _undisturbed[toml]


_undisturbed: dict[str, dict[str, dict[str, Any]]] = {}


def details(error: grpc.aio.AioRpcError) -> tuple[Any, Any]:
    """The ErrorInfo and the BadRequest of an error; None where there is none."""
    status = status_of(error)
    assert status is not None
    found = []
    for kind in (error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()):
        found.append(kind if any(detail.Unpack(kind) for detail in status.details) else None)
    return found[0], found[1]


async def balance(at: House, sweep_id: str) -> balance_pb2.GetBalanceResponse:
    request = balance_pb2.GetBalanceRequest(family="gomoku", sweep_id=sweep_id)
    answer = await at.stub.GetBalance(request, metadata=at.auth("rita"))
    assert isinstance(answer, balance_pb2.GetBalanceResponse)
    return answer
