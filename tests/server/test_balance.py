"""GetBalance says over the wire what `arena balance` says of the same ledger."""

from __future__ import annotations

import asyncio
import json
import math
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2

from arena.cli import main
from arena.cluster import run_sweep
from arena.ledger import Ledger
from arena.plan import load_sweep, make_plan
from arena.protocol.status import status_of
from arena.protocol.v1 import arena_pb2, balance_pb2
from arena.server.run import Server
from tests.server.kit import house, refusal

SWEEP = """
name = "pilot"
seed = 5
blocks = 12
pairing = ["self_play", "round_robin"]
rungs = [1, 2]
[match]
max_plies = 60
[[games]]
rulebooks = ["gomoku/freestyle15", "gomoku/doc001"]
[[games]]
rulebooks = "doudizhu/pagat"
"""
BALANCES = {
    "balanced": balance_pb2.BALANCE_BALANCED,
    "favours": balance_pb2.BALANCE_FAVOURS,
    "undecided": balance_pb2.BALANCE_UNDECIDED,
    "mixed": balance_pb2.BALANCE_MIXED,
    "hidden": balance_pb2.BALANCE_HIDDEN,
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger.db of 24 or more blocks of each of several cells."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "pilot.toml").write_text(SWEEP)
    plan = make_plan(load_sweep(folder / "pilot.toml"))
    with Ledger.open(folder / "ledger.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
    return folder


def told(folder: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    """What `arena balance` says, in the order of the service."""
    assert main(("balance", str(folder / "ledger.db"), "--json", *words)) == 0
    found: list[Any] = json.loads(capsys.readouterr().out)
    return sorted(found, key=lambda cell: cell["rulebook"])


def same(found: balance_pb2.Interval, said: Any) -> bool:
    """An interval of a message and of a JSON document, where what is endless is null."""
    return all(
        math.isinf(value) if said[key] is None else value == said[key]
        for key, value in (("value", found.value), ("low", found.low), ("high", found.high))
    )


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"family": "gomoku"}, ("--game", "gomoku")),
        (
            {"family": "gomoku", "rulebooks": "*/doc001", "margin": 0.2, "correction": 3},
            ("--game", "gomoku", "--rulebooks", "*/doc001", "--margin", "20", "--correction", "bh"),
        ),
        (
            {"family": "gomoku", "correction": balance_pb2.CORRECTION_MAX_T},
            ("--game", "gomoku", "--correction", "max-t"),
        ),
        ({"family": "doudizhu"}, ("--game", "doudizhu")),
    ],
    ids=["plain", "wide", "max-t", "sides"],
)
def test_it_says_what_the_command_says(
    played: Path, request_: dict[str, Any], words: tuple[str, ...], capsys: Any
) -> None:
    async def run() -> balance_pb2.GetBalanceResponse:
        async with house(played) as at:
            answer = await at.stub.GetBalance(
                balance_pb2.GetBalanceRequest(**request_), metadata=at.auth("rita")
            )
            assert isinstance(answer, balance_pb2.GetBalanceResponse)
            return answer

    answer = asyncio.run(run())
    cells = told(played, capsys, *words)
    assert len(answer.rows) == len(cells) > 0
    assert answer.judged == cells[0]["verdict"]["family"]
    assert answer.games == sum(cell["games"] for cell in cells)
    assert answer.margin == cells[0]["verdict"]["margin"]
    for row, cell in zip(answer.rows, cells, strict=True):
        assert (row.rulebook, row.strength) == (cell["rulebook"], cell["level"])
        assert (row.seats, row.blocks, row.games) == (cell["seats"], cell["blocks"], cell["games"])
        assert list(row.notes) == [note["en"] for note in cell["notes"]]
        for seat, said in zip(row.by_seat, cell["by_seat"], strict=True):
            assert seat.seat == said["seat"]
            for name in ("score", "wins", "place"):
                assert same(getattr(seat, name), said[name]), name
        for role, said in zip(row.by_role, cell["by_role"], strict=True):
            assert (role.role, role.seats) == (said["role"], said["share"])
            assert same(role.score, said["score"]) and same(role.wins, said["wins"])
        for party, said in zip(row.by_party, cell["by_party"], strict=True):
            assert (list(party.roles), party.games) == (said["roles"], said["games"])
            assert same(party.score, said["score"])
        for measure, said in zip(row.measures, cell["measures"], strict=True):
            assert (measure.name, measure.games) == (said["name"], said["games"])
            assert same(measure.mean, said["mean"]) and measure.deviation == said["deviation"]
        assert row.HasField("advantage") == (cell["advantage"] is not None)
        assert not cell["advantage"] or same(row.advantage, cell["advantage"])
        assert row.HasField("draws") == (cell["draw"] is not None)
        assert not cell["draw"] or same(row.draws, cell["draw"])
        assert same(row.plies, cell["plies"])
        verdict, judged = row.verdict, cell["verdict"]
        assert verdict.balance == BALANCES[judged["balance"]]
        assert (verdict.seat if verdict.HasField("seat") else None) == judged["seat"]
        assert list(verdict.party) == (judged["party"] or [])
        for name in ("p_balanced", "p_favours"):
            value = getattr(verdict, name)
            assert math.isnan(value) if judged[name] is None else value == judged[name]


def test_pages_join_into_the_whole_answer(played: Path) -> None:
    async def run() -> None:
        async with house(played) as at:

            async def page(size: int, token: str = "") -> Any:
                request = balance_pb2.GetBalanceRequest(
                    family="gomoku", page_size=size, page_token=token
                )
                return await at.stub.GetBalance(request, metadata=at.auth("ann"))

            whole = await page(0)
            rows: list[Any] = []
            token = ""
            while True:
                answer = await page(4, token)
                assert len(answer.rows) <= 4 and answer.games == whole.games
                rows += answer.rows
                token = answer.next_page_token
                if not token:
                    break
            assert rows == list(whole.rows) and len(rows) == 6

    asyncio.run(run())


def test_pages_of_a_leaderboard_join_into_the_whole_of_it(played: Path) -> None:
    async def run() -> None:
        async with house(played) as at:

            async def page(size: int, token: str = "") -> Any:
                request = arena_pb2.GetLeaderboardRequest(
                    family="gomoku", page_size=size, page_token=token
                )
                return await at.stub.GetLeaderboard(request, metadata=at.auth("ann"))

            whole = await page(0)
            first = await page(1)
            second = await page(1, first.next_page_token)
            assert [*first.rows, *second.rows] == list(whole.rows) and len(whole.rows) == 2
            assert second.next_page_token == whole.next_page_token == ""
            assert first.games == second.games == whole.games > 0

    asyncio.run(run())


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({"family": "chess"}, "family"),
        ({"family": "gomoku", "rulebooks": "*" * 101}, "rulebooks"),
        ({"family": "gomoku", "margin": 0.5}, "margin"),
        ({"family": "gomoku", "margin": -0.1}, "margin"),
        ({"family": "gomoku", "margin": math.nan}, "margin"),
        ({"family": "gomoku", "correction": 9}, "correction"),
        ({"family": "gomoku", "page_token": "nonsense"}, "page_token"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, request_: dict[str, Any], field: str) -> None:
    async def run() -> None:
        async with house(tmp_path) as at:
            request = balance_pb2.GetBalanceRequest(**request_)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await at.stub.GetBalance(request, metadata=at.auth("rita"))
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            status = status_of(caught.value)
            bad = error_details_pb2.BadRequest()
            assert status is not None and any(detail.Unpack(bad) for detail in status.details)
            assert [violation.field for violation in bad.field_violations] == [field]

    asyncio.run(run())


def test_nothing_played_is_an_empty_answer_and_strangers_get_none(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path) as at:
            request = balance_pb2.GetBalanceRequest(family="xiangqi")
            answer = await at.stub.GetBalance(request, metadata=at.auth("rita"))
            assert not answer.rows and not answer.games and not answer.next_page_token
            code, reason = await refusal(at.stub.GetBalance(request))
            assert (code, reason) == (grpc.StatusCode.UNAUTHENTICATED, "NO_TOKEN")

    asyncio.run(run())


def test_a_ledger_that_breaks_is_our_mistake_and_no_path_of_ours_is_told(tmp_path: Path) -> None:
    def breaks(server: Server) -> None:
        assert server._results is not None
        server._results._ledger._engine.dispose()
        (tmp_path / "ledger.db").write_bytes(b"no database" * 1_000)
        for log in ("ledger.db-wal", "ledger.db-shm"):
            (tmp_path / log).unlink(missing_ok=True)

    async def run() -> None:
        async with house(tmp_path) as at:
            metadata = at.auth("rita")
            breaks(at.server)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await at.stub.GetBalance(
                    balance_pb2.GetBalanceRequest(family="gomoku"), metadata=metadata
                )
            assert caught.value.code() is grpc.StatusCode.INTERNAL
            said = caught.value.details() or ""
            assert "incident" in said and "ledger.db" not in said and str(tmp_path) not in said

    asyncio.run(run())
