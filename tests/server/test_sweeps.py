"""Researchers have sweeps played: what is asked, refused, told and left behind."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.cli import main
from arena.ledger import Ledger
from arena.protocol.v1 import arena_pb2, sweeps_pb2
from arena.sdk import BotServer
from arena.server.database import Database
from tests.server.kit import House, refusal
from tests.server.sweep_kit import (
    LONG,
    QUICK,
    balance,
    begun,
    cancel,
    details,
    ended,
    get,
    launch,
    parlour,
    plan_of,
    same_as_undisturbed,
    watch,
)
from tests.server.test_play import Corner

DENIED = grpc.StatusCode.PERMISSION_DENIED
OVER = (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
FINISHED = sweeps_pb2.SWEEP_STATE_FINISHED
RUNNING = sweeps_pb2.SWEEP_STATE_RUNNING
WAITING = sweeps_pb2.SWEEP_STATE_WAITING


def test_from_a_file_to_its_balance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_of(QUICK)

    async def run() -> tuple[sweeps_pb2.Sweep, Any]:
        async with parlour(tmp_path) as at:
            made = await launch(at, QUICK)
            assert (made.name, made.account, made.toml) == ("quick", "rita", QUICK)
            assert made.plan_digest == plan.digest and made.counts.planned == plan.games
            assert made.state in (WAITING, RUNNING) and not made.HasField("ended")
            assert [cell.id for cell in made.cells] == [cell.id for cell in plan.cells]
            told = await watch(at, made.id)
            assert isinstance(told[0], sweeps_pb2.Sweep) and told[0].id == made.id
            assert all(isinstance(each, sweeps_pb2.SweepProgress) for each in told[1:-1])
            done = [each.counts.done for each in told]
            assert done == sorted(done) and done[-1] == plan.games
            last = told[-1]
            assert last.state == FINISHED and last.HasField("ended") and not last.remarks
            assert last == await get(at, made.id)
            for cell, planned in zip(last.cells, plan.cells, strict=True):
                assert cell.counts.done == cell.counts.planned == planned.games
                assert cell.rulebook == planned.game.label
                assert [f"{p.name}@{p.version}" for p in cell.players] == [
                    engine.id for engine in planned.lineup
                ]
            # The same once more: nothing is left to be played.
            again = await launch(at, QUICK + "\n# a comment\n")
            assert again == last
            board = await at.stub.GetLeaderboard(
                arena_pb2.GetLeaderboardRequest(family="gomoku", sweep_id=made.id),
                metadata=at.auth("rita"),
            )
            assert board.games == plan.games and len(board.rows) == 2
            found = await balance(at, made.id)
            assert not (await balance(at, "")).rows  # it is no part of the standing play
            return last, found

    sweep, found = asyncio.run(run())
    ledger = tmp_path / "sweeps" / f"{sweep.id}.db"
    assert same_as_undisturbed(QUICK, ledger, tmp_path)
    assert main(("balance", str(ledger), "--json")) == 0
    cells = json.loads(capsys.readouterr().out)
    said = {(cell["rulebook"], cell["level"]): cell["by_seat"][0]["score"] for cell in cells}
    assert {(row.rulebook, row.strength): row.by_seat[0].score.value for row in found.rows} == {
        key: score["value"] for key, score in said.items()
    }
    with Database.open(tmp_path / "service.db") as database:
        told = [(row.account, row.action) for row in database.audit() if row.subject == sweep.id]
    assert told == [
        ("rita", "sweep launch"),
        ("arena", "sweep running"),
        ("arena", "sweep finished"),
    ]


WRONG = {
    "toml": (QUICK.replace("seed = 5", "seed ="), 2, ""),
    "rulebook": (QUICK.replace("doc001", "doc01"), 11, "games.0.rulebooks"),
    "setting": (QUICK + "[games.grid]\nsise = [15]\n", 13, "games.0.grid.sise"),
    "value": (QUICK + "[games.grid]\nsize = [15, 3]\n", 13, "games.0.grid.size"),
    "top": (QUICK.replace("blocks", "bloks"), 3, "bloks"),
    "type": (QUICK.replace("seed = 5", 'seed = "5"'), 2, "seed"),
    "rungs": (QUICK.replace("[1, 2]", "[1, 99]"), 5, "rungs"),
    "no effect": (QUICK.replace("seed", 'hero = "a"\nseed'), 2, "hero"),
    "engine": (QUICK + '[engines]\nx = "serch:nodes=1"\n', 13, "engines.x.use"),
    "event": (QUICK + "[[stages]]\n", 12, "stages"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_as_arena_plan_tells_it(
    case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    toml, line, setting = WRONG[case]
    monkeypatch.chdir(tmp_path)
    Path("sweep.toml").write_text(toml)
    assert main(("plan", "sweep.toml")) == 1
    said = capsys.readouterr().err.removeprefix("arena: ").strip()

    async def run() -> None:
        async with parlour(tmp_path) as at:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, toml)
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            info, bad = details(caught.value)
            assert info.reason == "INVALID"
            assert dict(info.metadata) == {"line": str(line), "setting": setting}
            (violation,) = bad.field_violations
            assert violation.field == "toml"
            told = (violation.description, caught.value.details())
            assert [" ".join(str(each).split()) for each in told] == [said, said]
            assert not (
                await at.stub.ListSweeps(sweeps_pb2.ListSweepsRequest(), metadata=at.auth("rita"))
            ).sweeps

    asyncio.run(run())


def test_a_plan_without_an_end_is_refused_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.server.sweeping.child.PLAN_S", 4.0)
    grid = """
size = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22]
first_stone = ["free", "centre"]
five_black = ["exact", "at_least"]
five_white = ["exact", "at_least"]
both_ends_block = [true, false]
double_three_white = ["forbidden", "allowed"]
double_four_white = ["forbidden", "allowed"]
"""
    many = f"[[games]]\nrulebooks = 'gomoku/*'\nskip_invalid = true\n[games.grid]{grid}"

    async def run() -> None:
        async with parlour(tmp_path, sweeps={"cells": 5}) as at:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, f"name = 'x'\nseed = 1\nrungs = [1]\n{many}")
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert "to plan: name fewer" in str(caught.value.details())
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, QUICK)
            assert "makes 6 cells; the most here is 5" in str(caught.value.details())

    asyncio.run(run())


def test_only_looking_files_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            seen = await launch(at, QUICK, validate_only=True)
            assert not seen.id and seen.state == sweeps_pb2.SWEEP_STATE_UNSPECIFIED
            assert seen.counts.planned == plan_of(QUICK).games and len(seen.cells) == 6
            listed = await at.stub.ListSweeps(
                sweeps_pb2.ListSweepsRequest(), metadata=at.auth("rita")
            )
            assert not listed.sweeps
        assert not list((tmp_path / "sweeps").iterdir())

    asyncio.run(run())


def test_whose_sweeps_are_whose(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            request = sweeps_pb2.LaunchSweepRequest(toml=QUICK)
            found = await refusal(at.stub.LaunchSweep(request, metadata=at.auth("ann")))
            assert found == (DENIED, "SCOPE_MISSING")
            found = await refusal(at.stub.LaunchSweep(request))
            assert found == (grpc.StatusCode.UNAUTHENTICATED, "NO_TOKEN")
            made = await launch(at, LONG)
            seen = await get(at, made.id, "ann")
            assert seen.id == made.id and seen.cells and not seen.toml and not seen.remarks
            assert (await get(at, made.id, "oscar")).toml == LONG
            gone = sweeps_pb2.CancelSweepRequest(sweep_id=made.id)
            found = await refusal(at.stub.CancelSweep(gone, metadata=at.auth("ann")))
            assert found == (DENIED, "SCOPE_MISSING")
            at.tokens["ruth"] = at.token("ruth", *await _scopes(at))
            found = await refusal(at.stub.CancelSweep(gone, metadata=at.auth("ruth")))
            assert found == (DENIED, "NOT_YOURS")
            # The same plan of another account is another sweep.
            assert (await launch(at, LONG, "ruth")).id != made.id
            assert (await cancel(at, made.id, "oscar")).state == sweeps_pb2.SWEEP_STATE_CANCELLED
            for call, nobody in (
                (at.stub.GetSweep, sweeps_pb2.GetSweepRequest(sweep_id="0" * 16)),
                (at.stub.CancelSweep, sweeps_pb2.CancelSweepRequest(sweep_id="0" * 16)),
            ):
                found = await refusal(call(nobody, metadata=at.auth("rita")))
                assert found == (grpc.StatusCode.NOT_FOUND, "NOT_FOUND")
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await watch(at, "0" * 16)
            assert caught.value.code() is grpc.StatusCode.NOT_FOUND
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await balance(at, "../service")
            assert caught.value.code() is grpc.StatusCode.NOT_FOUND

    asyncio.run(run())


async def _scopes(at: House) -> list[Any]:
    from arena.server.tokens import Scope

    at.auth("rita")
    return [Scope.RESEARCHER]


ENGINES = {
    "use": ('x = {use = "command:touch MARK", version = "1"}', "SCOPE_MISSING"),
    "words": ('x = {use = "touch MARK", version = "1"}', "SCOPE_MISSING"),
    "path": ('x = {use = "./mark.sh", version = "1"}', "SCOPE_MISSING"),
    "command": ('x = {command = ["touch", "MARK"], version = "1"}', "SCOPE_MISSING"),
    "box": (
        'x = {command = ["touch", "MARK"], version = "1", sandbox = {memory_mib = 64}}',
        "SCOPE_MISSING",
    ),
    "class": ('x = {use = "python:marks:Mark", version = "1"}', "SCOPE_MISSING"),
    "address": ('x = {use = "grpc://127.0.0.1:1", version = "1"}', "TARGET_NOT_ALLOWED"),
    "name": ('x = {use = "grpc://localhost:1", version = "1"}', "TARGET_NOT_ALLOWED"),
}


@pytest.mark.parametrize("case", ENGINES)
def test_a_researcher_has_nothing_started_and_nothing_dialled(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, reason = ENGINES[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[2]}:{tmp_path}")
    (tmp_path / "marks.py").write_text("open('MARK', 'w').close()\nclass Mark: ...\n")
    (tmp_path / "mark.sh").write_text("#!/bin/sh\ntouch MARK\n")
    (tmp_path / "mark.sh").chmod(0o755)

    async def run() -> None:
        async with parlour(tmp_path) as at:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, f"{QUICK}[engines]\n{engine}\n")
            assert caught.value.code() is DENIED
            info, _ = details(caught.value)
            assert (info.reason, info.metadata["line"]) == (reason, "13")
            assert str(caught.value.details()).startswith("sweep.toml:13: engines.x")
            listed = await at.stub.ListSweeps(
                sweeps_pb2.ListSweepsRequest(), metadata=at.auth("rita")
            )
            assert not listed.sweeps

    asyncio.run(run())
    assert not (tmp_path / "MARK").exists()


def test_a_bot_that_dials_in_is_refused_with_what_would_be_right(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, f'{QUICK}[engines]\nx = {{use = "dial_in", version = "1"}}\n')
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            info, _ = details(caught.value)
            assert (info.reason, info.metadata["line"]) == ("INVALID", "13")
            assert info.metadata["setting"] == "engines.x.use"
            assert "have it serve (--host, --port), and name grpc://" in str(caught.value.details())

    asyncio.run(run())


def test_a_listed_address_is_dialled_and_an_operators_class_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parents[2]}:{tmp_path}")
    (tmp_path / "own.py").write_text(
        "from arena.sdk import Bot\n\n\nclass Own(Bot):\n    name = 'Own'\n"
        "    games = ('gomoku/*',)\n\n    def choose(self, turn):\n        return turn.legal[-1]\n"
    )

    async def run() -> None:
        bot = BotServer(Corner())
        address = await bot.start()
        port = address.rpartition(":")[2]
        toml = f"""{QUICK.replace("20", "2").replace("max", "connect_ms = 200" + chr(10) + "max")}
[engines]
mine = {{use = "grpc://127.0.0.1:{port}", version = "1"}}
"""
        async with parlour(tmp_path, dial={"allow": ["127.0.0.0/8:*"]}) as at:
            sweep = await ended(at, (await launch(at, toml)).id)
            assert sweep.state == FINISHED, sweep
            assert sweep.counts.done == sweep.counts.planned and not sweep.counts.faults
            # Its address is nobody's business but its account's.
            assert port in sweep.toml and port not in str(await get(at, sweep.id, "ann"))
            own = f"""{QUICK.replace("20", "2")}
[engines]
own = {{use = "python:own:Own", version = "1"}}
"""
            sweep = await ended(at, (await launch(at, own, "oscar")).id, "oscar")
            assert sweep.state == FINISHED and sweep.counts.done == sweep.counts.planned
            await bot.stop()
            # A bot that is away: what could not be played is told to who may know of it.
            away = toml.replace("seed = 5", "seed = 7")
            sweep = await ended(at, (await launch(at, away)).id)
            assert sweep.state == FINISHED and 0 < sweep.counts.done < sweep.counts.planned
            assert any("mine" in remark for remark in sweep.remarks)
            assert not (await get(at, sweep.id, "ann")).remarks

    asyncio.run(run())


def test_an_account_has_so_many_sweeps_and_games(tmp_path: Path) -> None:
    games = plan_of(LONG).games
    quotas = {"sweeps": 2, "sweeps_a_day": 3, "sweep_games_a_day": 2 * games + 10}

    def other(seed: int, toml: str = LONG) -> str:
        return toml.replace("seed = 6", f"seed = {seed}")

    async def over(at: House, toml: str) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await launch(at, toml)
        assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert details(caught.value)[0].reason == "QUOTA_EXCEEDED"
        return str(caught.value.details())

    async def run() -> None:
        async with parlour(tmp_path, quotas=quotas) as at:
            first = await launch(at, LONG)
            second = await launch(at, other(7))
            assert (await launch(at, LONG)).id == first.id  # the same is no other one
            assert "2 sweeps are waiting or running" in await over(at, other(8))
            await cancel(at, second.id)
            # What was cancelled counts with what was played of it: nothing.
            third = await launch(at, other(8))
            await cancel(at, third.id)
            assert "3 sweeps in the last 24 hours" in await over(at, other(9))
            for seed in range(10, 13):
                assert (await launch(at, other(seed), "oscar")).state == WAITING
            at.tokens["ruth"] = at.token("ruth", *await _scopes(at))
            big = other(9, LONG.replace("400", "2000"))
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await launch(at, big, "ruth")
            assert f"the most is {2 * games + 10:,}" in str(caught.value.details())

    asyncio.run(run())


def test_a_researcher_looks_at_one_file_at_a_time(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            at.auth("rita")
            request = sweeps_pb2.LaunchSweepRequest(toml=QUICK, validate_only=True)
            calls = [at.stub.LaunchSweep(request, metadata=at.auth("rita")) for _ in range(3)]
            answers = await asyncio.gather(*calls, return_exceptions=True)
            refused = [each for each in answers if isinstance(each, grpc.aio.AioRpcError)]
            assert len(refused) == 2
            assert {each.code() for each in refused} == {OVER[0]}

    asyncio.run(run())


def test_sweeps_wait_for_their_turn_and_accounts_take_turns(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path, quotas={"sweeps": 5}, sweeps={"at_once": 2}) as at:
            first = await launch(at, LONG)
            await begun(at, first.id)
            own = [
                (await launch(at, LONG.replace("seed = 6", f"seed = {seed}"))).id for seed in (7, 8)
            ]
            await begun(at, own[0])
            assert (await get(at, own[1])).state == WAITING
            at.tokens["ruth"] = at.token("ruth", *await _scopes(at))
            hers = (await launch(at, LONG, "ruth")).id
            await cancel(at, first.id)
            # Ruth has none that runs: she comes before Rita's third, which has waited longer.
            await begun(at, hers, who="ruth")
            assert (await get(at, own[1])).state == WAITING
            # One that waits is gone at once, and leaves nothing.
            gone = await cancel(at, own[1], reason="too late")
            assert gone.state == sweeps_pb2.SWEEP_STATE_CANCELLED and gone.reason == "too late"
            told = await watch(at, own[1])
            assert told[-1].state == sweeps_pb2.SWEEP_STATE_CANCELLED
            assert not (tmp_path / "sweeps" / f"{own[1]}.db").exists()
            assert not (await balance(at, own[1])).rows

    asyncio.run(run())


def test_pages_join_into_the_whole_list(tmp_path: Path) -> None:
    async def run() -> None:
        async with parlour(tmp_path) as at:
            made = []
            for seed in range(5):
                toml = LONG.replace("seed = 6", f"seed = {seed}")
                made.append((await launch(at, toml, "oscar")).id)
            await launch(at, LONG, "rita")
            await cancel(at, made[1], "oscar")
            seen: list[Any] = []
            token = ""
            while True:
                page = await at.stub.ListSweeps(
                    sweeps_pb2.ListSweepsRequest(account="oscar", page_size=2, page_token=token),
                    metadata=at.auth("ann"),
                )
                assert len(page.sweeps) <= 2
                seen += page.sweeps
                token = page.next_page_token
                if not token:
                    break
            assert [sweep.id for sweep in seen] == made
            assert all(s.counts.planned == 1600 and not s.cells and not s.toml for s in seen)
            states = [sweeps_pb2.SWEEP_STATE_CANCELLED]
            page = await at.stub.ListSweeps(
                sweeps_pb2.ListSweepsRequest(states=states), metadata=at.auth("ann")
            )
            assert [sweep.id for sweep in page.sweeps] == [made[1]]
            for wrong in (
                sweeps_pb2.ListSweepsRequest(page_token="nonsense"),
                sweeps_pb2.ListSweepsRequest(states=[sweeps_pb2.SWEEP_STATE_UNSPECIFIED]),
            ):
                found = await refusal(at.stub.ListSweeps(wrong, metadata=at.auth("ann")))
                assert found == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")

    asyncio.run(run())


def test_a_database_of_before_gets_the_table_it_lacks(tmp_path: Path) -> None:
    import sqlite3

    with Database.open(tmp_path / "service.db"):
        pass
    with sqlite3.connect(tmp_path / "service.db") as old:
        old.execute("DROP TABLE service_sweeps")

    async def run() -> None:
        async with parlour(tmp_path) as at:
            assert (await launch(at, QUICK)).id

    asyncio.run(run())


def test_what_is_on_file_is_what_was_played(tmp_path: Path) -> None:
    """Rows of a ledger that a stop has cut: spared games are told as such."""
    toml = QUICK.replace("blocks = 20", "blocks = 600") + "[stop]\nhalf_width = 0.2\n"

    async def run() -> sweeps_pb2.Sweep:
        async with parlour(tmp_path) as at:
            return await ended(at, (await launch(at, toml)).id)

    sweep = asyncio.run(run())
    counts = sweep.counts
    assert sweep.state == FINISHED and counts.spared > 0
    assert counts.done + counts.spared == counts.planned
    with Ledger.open(tmp_path / "sweeps" / f"{sweep.id}.db", create=False) as ledger:
        (row,) = ledger.sweeps()
        assert row.spec == toml and row.plan_digest == sweep.plan_digest
        assert sum(1 for _ in ledger.results(row.sweep_id)) == counts.done


@pytest.mark.parametrize("change", ["", "misprint"])
def test_the_example_of_the_documents_runs(change: str, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "arena-service.md").read_text("utf-8")
    (program,) = [b.split("```")[0] for b in page.split("```python\n") if "LaunchSweep" in b[:900]]
    if change:
        program = program.replace("gomoku/swap2", "gomoku/swop2")

    async def run() -> tuple[int | None, str, str]:
        async with parlour(tmp_path) as at:
            token = at.auth("rita")[0][1].removeprefix("Bearer ")
            example = await asyncio.create_subprocess_exec(
                *(sys.executable, "-c", program),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "ARENA_TOKEN": token, "ARENA_ADDRESS": at.address},
            )
            out, error = await asyncio.wait_for(example.communicate(), 60)
            return example.returncode, out.decode(), error.decode()

    code, out, error = asyncio.run(run())
    if change:
        assert code == 1
        assert error.startswith("sweep.toml:8: games.0.rulebooks: no rulebook 'gomoku/swop2'")
        return
    assert code == 0, error
    lines = out.splitlines()
    assert "200 of 200, 0 faults" in lines and "SWEEP_STATE_FINISHED" in lines
    assert sum(line.startswith("gomoku/") for line in lines) == 4
