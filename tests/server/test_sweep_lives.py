"""What can happen to a sweep that is being played: whatever it is, it goes on to the same games."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import grpc
import pytest

from arena.ledger import Ledger, LedgerError
from arena.ledger.result import at_host
from arena.plan import rebuilt
from arena.plan.spec import SandboxEntry
from arena.players.sandbox import Sandbox
from arena.protocol.status import reason_of
from arena.protocol.v1 import arena_pb2_grpc, sweeps_pb2
from arena.sdk import BotServer
from arena.server.database import Actor, Database
from arena.server.run import Server
from arena.server.sweeping import process
from arena.server.sweeping.child import Child
from arena.server.sweeping.job import Job
from arena.server.tokens import Scope, TokenBook
from tests.server.kit import House, bearer
from tests.server.sweep_kit import (
    LONG,
    QUICK,
    begun,
    cancel,
    ended,
    get,
    launch,
    parlour,
    plan_of,
    same_as_undisturbed,
    watch,
)
from tests.server.test_dial_in import league, until
from tests.server.test_play import Corner

ROOT = Path(__file__).parents[2]
SHORT = LONG.replace("blocks = 400", "blocks = 30").replace('"gomoku/freestyle15", ', "")
"""Some seconds of play in one cell."""

HALTED = SHORT.replace("blocks = 30", "blocks = 6").replace("=3000", "=10000")
HALTED = HALTED.replace("=2500", "=9000")
"""Some seconds, in blocks so long that no lease has many of them: who ends the sweep soon after it
began finds it in the middle."""

SPREAD = HALTED.replace("blocks = 6", "blocks = 8")
"""For two workers, who have four leases between them and play what they hold to its end."""

FINISHED = sweeps_pb2.SWEEP_STATE_FINISHED
CANCELLED = sweeps_pb2.SWEEP_STATE_CANCELLED
INTERRUPTED = sweeps_pb2.SWEEP_STATE_INTERRUPTED


def watched(at: House) -> int:
    """Streams that somebody watches."""
    return league(at).broadcast.places._taken.total()


def games_in(ledger: Path, toml: str) -> int:
    with Ledger.open(ledger, create=False) as opened:
        return sum(1 for _ in opened.results(plan_of(toml).sweep_id))


def actions(folder: Path, sweep_id: str) -> list[str]:
    with Database.open(folder / "service.db") as database:
        return [row.action for row in database.audit() if row.subject == sweep_id]


def test_cancelled_it_keeps_what_was_played_and_launched_again_it_goes_on(tmp_path: Path) -> None:
    async def run() -> str:
        async with parlour(tmp_path) as at:
            made = await launch(at, HALTED)
            await begun(at, made.id)
            gone = await cancel(at, made.id, reason="a misprint")
            assert gone.state == CANCELLED and gone.reason == "a misprint"
            again = await cancel(at, made.id, reason="another reason")
            assert (again.state, again.reason) == (CANCELLED, "a misprint")
            assert again.ended == gone.ended
            last = await ended(at, made.id)
            assert last.state == CANCELLED and 0 < last.counts.done < last.counts.planned
            ledger = tmp_path / "sweeps" / f"{made.id}.db"
            assert games_in(ledger, HALTED) == last.counts.done
            assert (await cancel(at, made.id)).counts.done == last.counts.done

            resumed = await launch(at, HALTED)
            assert resumed.id == made.id and resumed.counts.done == last.counts.done
            assert not resumed.reason and not resumed.HasField("ended")
            last = await ended(at, made.id)
            assert last.state == FINISHED and last.counts.done == last.counts.planned
            assert (await cancel(at, made.id)).state == FINISHED
            return made.id

    sweep_id = asyncio.run(run())
    assert same_as_undisturbed(HALTED, tmp_path / "sweeps" / f"{sweep_id}.db", tmp_path)
    assert actions(tmp_path, sweep_id) == [
        *("sweep launch", "sweep running", "sweep cancel"),
        *("sweep launch", "sweep running", "sweep finished"),
    ]


def test_launched_again_while_it_is_ending_it_waits_for_that(tmp_path: Path) -> None:
    async def run() -> str:
        async with parlour(tmp_path) as at:
            made = await launch(at, HALTED)
            await begun(at, made.id)
            await cancel(at, made.id)
            assert (await launch(at, HALTED)).state == sweeps_pb2.SWEEP_STATE_WAITING
            assert (await ended(at, made.id)).state == FINISHED
            return made.id

    sweep_id = asyncio.run(run())
    assert same_as_undisturbed(HALTED, tmp_path / "sweeps" / f"{sweep_id}.db", tmp_path)


def test_a_service_that_is_stopped_goes_on_when_it_is_back(tmp_path: Path) -> None:
    async def first() -> tuple[str, str]:
        async with parlour(tmp_path) as at:
            made = await launch(at, HALTED)
            waits = await launch(at, QUICK)
            await begun(at, made.id)
            watching = asyncio.ensure_future(watch(at, made.id))
            await until(lambda: watched(at) == 1)
            stopping = asyncio.ensure_future(at.server.stop())
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watching
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
            assert reason_of(caught.value) == "SHUTTING_DOWN"
            await stopping
            return made.id, waits.id

    async def second(sweep_id: str, waits: str) -> None:
        async with parlour(tmp_path) as at:
            assert (await get(at, sweep_id)).counts.done > 0
            assert (await ended(at, sweep_id)).state == FINISHED
            assert (await ended(at, waits)).state == FINISHED

    sweep_id, waits = asyncio.run(first())
    ledger = tmp_path / "sweeps" / f"{sweep_id}.db"
    assert 0 < games_in(ledger, HALTED) < plan_of(HALTED).games
    asyncio.run(second(sweep_id, waits))
    assert same_as_undisturbed(HALTED, ledger, tmp_path)


FILE = """
listen = "127.0.0.1:0"
database = "service.db"
ledger = "ledger.db"
[sweeps]
folder = "sweeps"
workers = 0
"""


class Killed:
    """A service in a process of its own."""

    def __init__(self, folder: Path) -> None:
        (folder / "service.toml").write_text(FILE)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", "serve", "service.toml"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=(folder / "service.log").open("a"),
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip().removeprefix("ARENA_SERVICE=")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()


def test_a_service_that_is_killed_leaves_no_process_and_goes_on_when_it_is_back(
    tmp_path: Path,
) -> None:
    with Database.open(tmp_path / "service.db") as database:
        text, _ = TokenBook(database).new("rita", [Scope.RESEARCHER], Actor("test"))

    async def call(address: str, work: Any) -> Any:
        async with grpc.aio.insecure_channel(address) as channel:
            at = House(None, address, tmp_path, {"rita": text})  # type: ignore[arg-type]
            at.stub = arena_pb2_grpc.ArenaServiceStub(channel)
            return await work(at)

    async def begin(at: House) -> str:
        made = await launch(at, HALTED)
        await begun(at, made.id)
        return made.id

    with Killed(tmp_path) as service:
        sweep_id = asyncio.run(call(service.address, begin))
        service.process.send_signal(signal.SIGKILL)
        service.process.wait()
    ledger = tmp_path / "sweeps" / f"{sweep_id}.db"
    # Its process ends by itself: nobody plays the sweep any more.
    with Ledger.open(ledger, create=False) as opened:
        deadline = time.monotonic() + 30
        while True:
            try:
                with opened.playing(plan_of(HALTED).sweep_id):
                    break
            except LedgerError as error:
                assert "is playing this sweep" in str(error) and time.monotonic() < deadline
                time.sleep(0.1)
    assert 0 < games_in(ledger, HALTED) < plan_of(HALTED).games
    with Killed(tmp_path) as service:
        last = asyncio.run(call(service.address, lambda at: ended(at, sweep_id)))
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(20) == 0
    assert last.state == FINISHED and last.counts.done == last.counts.planned
    assert same_as_undisturbed(HALTED, ledger, tmp_path)


def child_of(server: Server, sweep_id: str) -> Child:
    assert server._sweeps is not None
    child = server._sweeps._live[sweep_id].child
    assert child is not None
    return child


def test_a_process_that_dies_interrupts_its_sweep_and_no_other(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> str:
        async with parlour(tmp_path, sweeps={"at_once": 2}) as at:
            made = await launch(at, SHORT)
            other = await launch(at, QUICK)
            await begun(at, made.id)
            child_of(at.server, made.id).kill()
            last = await ended(at, made.id)
            assert last.state == INTERRUPTED and last.counts.done > 0
            assert last.reason.startswith("a mistake of the arena; tell its operator: incident ")
            assert f"{last.reason.split()[-1]}: sweep {made.id}: its process" in caplog.text
            assert "ended with -9" in caplog.text
            assert (await ended(at, other.id)).state == FINISHED
            assert (await launch(at, SHORT)).id == made.id
            assert (await ended(at, made.id)).state == FINISHED
            return made.id

    sweep_id = asyncio.run(run())
    assert same_as_undisturbed(SHORT, tmp_path / "sweeps" / f"{sweep_id}.db", tmp_path)
    assert "sweep interrupted" in actions(tmp_path, sweep_id)


def test_a_process_that_somebody_else_interrupts_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sweeping.keeper._PAUSE_S", 0.5)

    async def run() -> str:
        async with parlour(tmp_path) as at:
            made = await launch(at, HALTED)
            await begun(at, made.id)
            child_of(at.server, made.id)._process.send_signal(signal.SIGTERM)
            told = await watch(at, made.id)
            states = [each.state for each in told]
            assert sweeps_pb2.SWEEP_STATE_WAITING in states and states[-1] == FINISHED
            return made.id

    sweep_id = asyncio.run(run())
    assert same_as_undisturbed(HALTED, tmp_path / "sweeps" / f"{sweep_id}.db", tmp_path)


def test_a_mistake_of_ours_is_told_by_its_number_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            folder = tmp_path / "sweeps"
            folder.rmdir()
            folder.write_text("in the way")
            last = await ended(at, (await launch(at, QUICK)).id)
            assert last.state == INTERRUPTED and "incident" in last.reason
            assert str(tmp_path) not in str(last)
            assert "LedgerError" in caplog.text

    asyncio.run(run())


@pytest.mark.parametrize(
    ("host", "told"),
    [("localhost", "resolves to addresses that may not be dialled"), ("127.0.0.1", "")],
)
def test_a_name_is_looked_up_when_the_sweep_begins_and_stays_out_of_private_networks(
    host: str, told: str, tmp_path: Path
) -> None:
    async def run() -> None:
        bot = BotServer(Corner())
        port = (await bot.start()).rpartition(":")[2]
        allow = [f"localhost:{port}", *([] if told else [f"127.0.0.1/32:{port}"])]
        toml = f"{SHORT}m = {{use = 'grpc://{host}:{port}', version = '1'}}\n"
        toml = toml.replace("blocks = 30", "blocks = 2")
        async with parlour(tmp_path, dial={"allow": allow}) as at:
            last = await ended(at, (await launch(at, toml)).id)
            assert told in last.reason and bool(told) == (last.state == INTERRUPTED)
            assert last.counts.done == (0 if told else last.counts.planned)
        await bot.stop()

    asyncio.run(run())


def test_the_process_dials_what_was_looked_at_and_boxes_programs() -> None:
    toml = f"""{SHORT}
m = {{use = "grpc://bots.example.org:50051", version = "1"}}
n = {{command = ["./n"], version = "1"}}
o = {{command = ["./o"], version = "1", sandbox = {{memory_mib = 64}}}}
"""
    job = Job(
        toml=toml,
        most_cells=99,
        targets={"m": "[2001:db8::7]:50051"},
        sandbox=SandboxEntry(memory_mib=77, see=("/opt",)),
    )
    plan = process.plan_of(job)
    # As the workers rebuild it.
    engines = {engine.name: engine for engine in rebuilt(plan.portable()).engines}
    assert engines["m"].target == "[2001:db8::7]:50051"
    assert engines["n"].sandbox == Sandbox(memory_mib=77, see=("/opt",))
    assert engines["o"].sandbox == Sandbox(memory_mib=64)
    assert plan.digest == rebuilt(plan.portable()).digest == plan_of(toml).digest
    assert plan.spec.text == toml


@pytest.mark.parametrize("deaf", [False, True])
def test_it_runs_for_so_long_at_a_time(
    deaf: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if deaf:  # a process that does not end when it is told to is killed
        monkeypatch.setattr("arena.server.sweeping.child.STOP_S", 0.5)

    async def run() -> None:
        async with parlour(tmp_path, sweeps={"hours": 2 / 3_600}) as at:
            made = await launch(at, LONG)
            if deaf:
                sweeps = at.server._sweeps
                assert sweeps is not None
                await until(lambda: sweeps._live[made.id].child is not None)
                child_of(at.server, made.id)._process.send_signal(signal.SIGSTOP)
            last = await ended(at, made.id)
            assert last.state == INTERRUPTED and last.counts.done < last.counts.planned
            assert "the longest at a time; launched again it goes on" in last.reason

    asyncio.run(run())


def test_who_watches_needs_a_place_and_a_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sweeping.keeper.TOKEN_S", 0.2)

    async def run() -> None:
        async with parlour(tmp_path, limits={"watchers": 1}) as at:
            made = await launch(at, LONG)
            at.auth("ann")
            watching = asyncio.ensure_future(watch(at, made.id, "ann"))
            await until(lambda: watched(at) == 1)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watch(at, made.id)
            assert reason_of(caught.value) == "QUOTA_EXCEEDED"
            with Database.open(at.path) as database:
                TokenBook(database).revoke(at.tokens["ann"].split("_")[1], Actor("test"))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watching
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
            assert (await watch(at, made.id, enough=lambda seen: True))[0].id == made.id
            await cancel(at, made.id)

    asyncio.run(run())


def test_it_runs_on_ray(tmp_path: Path) -> None:
    async def run() -> str:
        async with parlour(tmp_path, sweeps={"workers": 2}) as at:
            made = await launch(at, SPREAD)
            await begun(at, made.id)
            await cancel(at, made.id)
            last = await ended(at, made.id)
            assert last.state == CANCELLED and 0 < last.counts.done <= last.counts.planned
            assert games_in(tmp_path / "sweeps" / f"{made.id}.db", SPREAD) == last.counts.done
            await launch(at, SPREAD)
            last = await ended(at, made.id)
            assert last.state == FINISHED and last.counts.done == last.counts.planned
            return made.id

    sweep_id = asyncio.run(run())
    ledger = tmp_path / "sweeps" / f"{sweep_id}.db"
    assert same_as_undisturbed(SPREAD, ledger, tmp_path)
    with Ledger.open(ledger, create=False) as opened:
        workers = {result.worker for result in opened.results(plan_of(SPREAD).sweep_id)}
    named = {at_host(f"worker-{number}") for number in range(9)}
    assert workers and workers <= named


@pytest.mark.parametrize("bearer_", ["", "arena_nonsense"])
def test_strangers_are_told_nothing(tmp_path: Path, bearer_: str) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            request = sweeps_pb2.WatchSweepRequest(sweep_id="0" * 16)
            call = at.stub.WatchSweep(request, metadata=bearer(bearer_))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                async for _ in call:
                    pass
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED

    asyncio.run(run())
