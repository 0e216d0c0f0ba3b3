"""Engines are filed once, by whom they belong to, and only as the operator allows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import grpc
import pytest

from arena.protocol.v1 import arena_pb2, types_pb2
from arena.server.config import Quotas
from arena.server.database import Actor, Database
from arena.server.engines import EngineBook, EngineState
from arena.server.names import folded
from tests.server.kit import House, house, refusal, submission

OVER = grpc.StatusCode.RESOURCE_EXHAUSTED
TAKEN = grpc.StatusCode.ALREADY_EXISTS
DENIED = grpc.StatusCode.PERMISSION_DENIED
WRONG = grpc.StatusCode.INVALID_ARGUMENT


def test_an_engine_is_submitted_shown_and_withdrawn(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path) as at:
            name = '五子 A vs B, "C"'
            made = await at.submit("ann", name, games=("gomoku/doc001",))
            assert made.name == name and made.account == "ann" and len(made.id) == 16
            assert made.state == arena_pb2.ENGINE_STATE_SUBMITTED
            again = await at.submit("ann", name, games=("gomoku/doc001",))
            assert again.id == made.id

            by_name = types_pb2.NameAndVersion(name=name, version="1")
            for request in (
                arena_pb2.GetEngineRequest(engine_id=made.id),
                arena_pb2.GetEngineRequest(engine=by_name),
            ):
                found = await at.stub.GetEngine(request, metadata=at.auth("bob"))
                assert found.engine == again

            gone = arena_pb2.WithdrawEngineRequest(engine_id=made.id, reason="a bug")
            assert await refusal(at.stub.WithdrawEngine(gone, metadata=at.auth("bob"))) == (
                DENIED,
                "NOT_YOURS",
            )
            answer = await at.stub.WithdrawEngine(gone, metadata=at.auth("ann"))
            assert answer.engine.state == arena_pb2.ENGINE_STATE_WITHDRAWN
            assert answer.engine.reason == "a bug"
            # Submitting it again does not bring it back: the same version is the same engine.
            once_more = await at.submit("ann", name, games=("gomoku/doc001",))
            assert once_more.state == arena_pb2.ENGINE_STATE_WITHDRAWN

            with Database.open(at.path) as database:
                told = [(row.account, row.action, row.subject) for row in database.audit()]
            assert ("ann", "engine submit", made.id) in told
            assert ("ann", "engine withdrawn", made.id) in told

    asyncio.run(run())


def test_a_version_never_changes_and_a_name_has_one_owner(tmp_path: Path) -> None:
    async def run(at: House) -> None:
        await at.submit("ann", "Straße", games=("gomoku/*",))
        changed = submission("Straße", games=("xiangqi/*",))
        assert await refusal(at.stub.SubmitEngine(changed, metadata=at.auth("ann"))) == (
            TAKEN,
            "VERSION_TAKEN",
        )
        await at.submit("ann", "Straße", version="2", games=("xiangqi/*",))
        # Names that look alike are one name; the ladder's are nobody's.
        for name in ("Straße", "STRASSE", "ｓｔｒａｓｓｅ", "Stra\u00adsse", "random"):
            theirs = submission(name, version="3")
            found = await refusal(at.stub.SubmitEngine(theirs, metadata=at.auth("bob")))
            assert found == (TAKEN, "NAME_TAKEN"), name

    asyncio.run(_in(tmp_path, run))


@pytest.mark.parametrize(
    ("name", "version", "games", "field"),
    [
        ("", "1", ("gomoku/*",), "description.name"),
        ("a\nb", "1", ("gomoku/*",), "description.name"),
        ("evil\u202egnp", "1", ("gomoku/*",), "description.name"),
        ("x" * 101, "1", ("gomoku/*",), "description.name"),
        ("x", "1@2", ("gomoku/*",), "description.version"),
        ("x", " ", ("gomoku/*",), "description.version"),
        ("x", "1", (), "description.games"),
        ("x", "1", ("chess/*",), "description.games"),
        ("x", "1", ("*" * 101,), "description.games"),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, name: str, version: str, games: tuple[str, ...], field: str
) -> None:
    async def run(at: House) -> None:
        from google.rpc import error_details_pb2

        from arena.protocol.status import status_of

        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await at.submit("ann", name, version=version, games=games)
        assert caught.value.code() is WRONG
        status = status_of(caught.value)
        assert status is not None
        bad = error_details_pb2.BadRequest()
        assert any(detail.Unpack(bad) for detail in status.details)
        assert [violation.field for violation in bad.field_violations] == [field]

    asyncio.run(_in(tmp_path, run))


def test_addresses_and_commands_are_the_operators_business(tmp_path: Path) -> None:
    async def run(at: House) -> None:
        here = arena_pb2.Access(address="bots.example.org:50051")
        made = await at.submit("ann", "Dialled", access=here)
        assert made.access == here
        shown = await at.stub.GetEngine(
            arena_pb2.GetEngineRequest(engine_id=made.id), metadata=at.auth("bob")
        )
        assert shown.engine.access == arena_pb2.Access(address="")
        for address in ("127.0.0.1:50051", "bots.example.org:22", "localhost:50051", "nonsense"):
            request = submission("Other", access=arena_pb2.Access(address=address))
            found = await refusal(at.stub.SubmitEngine(request, metadata=at.auth("ann")))
            assert found == (DENIED, "TARGET_NOT_ALLOWED"), address

        command = arena_pb2.Access(command=arena_pb2.Command(words=["./bot", "--fast"]))
        request = submission("Started", access=command)
        assert await refusal(at.stub.SubmitEngine(request, metadata=at.auth("ann"))) == (
            DENIED,
            "SCOPE_MISSING",
        )
        started = await at.submit("oscar", "Started", access=command)
        shown = await at.stub.GetEngine(
            arena_pb2.GetEngineRequest(engine_id=started.id), metadata=at.auth("bob")
        )
        assert shown.engine.access.WhichOneof("way") == "command"
        assert not shown.engine.access.command.words

    asyncio.run(_in(tmp_path, run, dial={"allow": ["*.example.org:50051"]}))


def test_an_account_has_so_many_engines_and_an_operator_any(tmp_path: Path) -> None:
    async def run(at: House) -> None:
        first = await at.submit("ann", "1")
        await at.submit("ann", "2")
        third = submission("3")
        quota = (OVER, "QUOTA_EXCEEDED")
        assert await refusal(at.stub.SubmitEngine(third, metadata=at.auth("ann"))) == quota
        await at.submit("bob", "3b")
        gone = arena_pb2.WithdrawEngineRequest(engine_id=first.id)
        await at.stub.WithdrawEngine(gone, metadata=at.auth("ann"))
        await at.stub.SubmitEngine(third, metadata=at.auth("ann"))
        gone = arena_pb2.WithdrawEngineRequest(engine_id=(await at.submit("ann", "3")).id)
        await at.stub.WithdrawEngine(gone, metadata=at.auth("ann"))
        fourth = submission("4")  # one a day too many
        assert await refusal(at.stub.SubmitEngine(fourth, metadata=at.auth("ann"))) == quota
        for number in range(5):
            await at.submit("oscar", f"o{number}")

    asyncio.run(_in(tmp_path, run, quotas={"engines": 2, "submissions_a_day": 3}))


def test_a_name_that_is_too_long_is_not_folded_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folding four megabytes keeps the database's thread for seconds."""

    def fold(name: str) -> str:
        assert len(name) < 1_000
        return folded(name)

    monkeypatch.setattr("arena.server.engines.folded", fold)
    monkeypatch.setattr("arena.server.names.folded", fold)
    which = arena_pb2.GetEngineRequest(engine=types_pb2.NameAndVersion(name="ﷺ" * 9_000))

    async def run() -> None:
        async with house(tmp_path) as at:
            code, _ = await refusal(at.stub.GetEngine(which, metadata=at.auth("ann")))
            assert code is grpc.StatusCode.NOT_FOUND
            request = submission("ﷺ" * 9_000)
            code, _ = await refusal(at.stub.SubmitEngine(request, metadata=at.auth("ann")))
            assert code is grpc.StatusCode.INVALID_ARGUMENT

    asyncio.run(run())


def test_nul_is_in_no_text(tmp_path: Path) -> None:
    """PostgreSQL takes none, and would fail over a question for it."""
    listing = arena_pb2.ListEnginesRequest(account="a\0b", page_size=128)
    named = arena_pb2.GetEngineRequest(engine=types_pb2.NameAndVersion(name="a", version="\0"))

    async def run() -> None:
        async with house(tmp_path) as at:
            refused = (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")
            metadata = at.auth("ann")
            assert await refusal(at.stub.ListEngines(listing, metadata=metadata)) == refused
            assert await refusal(at.stub.GetEngine(named, metadata=metadata)) == refused
            engine = await at.submit("ann")
            with Database.open(at.path) as database:
                book = EngineBook(database, Quotas())
                actor = Actor("test")
                row = book.move(engine.id, EngineState.QUARANTINED, "said \0", actor)
            assert row.reason == "said \ufffd"

    asyncio.run(run())


def test_pages_join_into_the_whole_list(tmp_path: Path) -> None:
    async def run(at: House) -> None:
        names = [f"bot {number}" for number in range(5)]
        for name in names:
            await at.submit("ann", name)
        await at.submit("bob", "another")
        seen: list[str] = []
        token = ""
        while True:
            page = await at.stub.ListEngines(
                arena_pb2.ListEnginesRequest(account="ann", page_size=2, page_token=token),
                metadata=at.auth("bob"),
            )
            assert len(page.engines) <= 2
            seen += [engine.name for engine in page.engines]
            token = page.next_page_token
            if not token:
                break
        assert seen == names
        gone = [arena_pb2.ENGINE_STATE_WITHDRAWN]
        none = await at.stub.ListEngines(
            arena_pb2.ListEnginesRequest(states=gone), metadata=at.auth("bob")
        )
        assert not none.engines
        for wrong in (
            arena_pb2.ListEnginesRequest(page_token="nonsense"),
            arena_pb2.ListEnginesRequest(states=[arena_pb2.ENGINE_STATE_UNSPECIFIED]),
        ):
            found = await refusal(at.stub.ListEngines(wrong, metadata=at.auth("bob")))
            assert found == (WRONG, "INVALID")

    asyncio.run(_in(tmp_path, run))


async def _in(folder: Path, run, **settings) -> None:  # type: ignore[no-untyped-def]
    async with house(folder, **settings) as at:
        await run(at)
