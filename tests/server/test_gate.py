"""Who is let in, how often, how much; and what is said to who is not."""

from __future__ import annotations

import asyncio
import logging
import socket
import sqlite3
import subprocess
import time
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from arena.protocol.status import reason_of, status_of
from arena.protocol.v1 import arena_pb2, arena_pb2_grpc, sweeps_pb2
from arena.sdk import Bot
from arena.sdk.server import BotServer
from arena.server.config import ServiceConfig, Tls
from arena.server.database import Actor, Database
from arena.server.engines import EngineBook
from arena.server.rates import Rates, host_of
from arena.server.run import ConfigError, Server
from arena.server.tokens import Scope, TokenBook
from tests.server.kit import House, bearer, certificates, described, house, refusal, submission

STRANGER = grpc.StatusCode.UNAUTHENTICATED
LIST = arena_pb2.ListEnginesRequest()


def tomorrow() -> int:
    return int(time.time()) + 86_401


def test_only_good_tokens_of_the_right_scope_are_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with house(tmp_path) as at:
            listing = at.stub.ListEngines
            good = at.token("ann", Scope.AUTHOR)
            await listing(LIST, metadata=bearer(good))
            await listing(LIST, metadata=(("authorization", f"bearer {good}"),))
            assert await refusal(listing(LIST)) == (STRANGER, "NO_TOKEN")
            wrong = good[:-1] + ("A" if good[-1] != "A" else "B")
            for text in ("", wrong, "arena_", good.upper(), f"{good}x", "x" * 5_000):
                assert await refusal(listing(LIST, metadata=bearer(text))) == (
                    STRANGER,
                    "BAD_TOKEN",
                ), text
            brief = at.token("ann", Scope.AUTHOR, days=1)
            await listing(LIST, metadata=bearer(brief))
            monkeypatch.setattr("arena.server.gate.now", tomorrow)
            assert await refusal(listing(LIST, metadata=bearer(brief))) == (STRANGER, "BAD_TOKEN")
            await listing(LIST, metadata=bearer(good))
            with Database.open(at.path) as database:
                TokenBook(database).revoke(good.split("_")[1], Actor("test"))
            assert await refusal(listing(LIST, metadata=bearer(good))) == (STRANGER, "BAD_TOKEN")
            found = await refusal(at.stub.SubmitEngine(submission(), metadata=at.auth("rita")))
            assert found == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_MISSING")

    asyncio.run(run())


def test_no_secret_is_kept_or_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr("arena.server.gate.now", tomorrow)

    async def run() -> str:
        async with house(tmp_path) as at:
            text = at.token("ann", Scope.AUTHOR, days=1)
            await refusal(at.stub.ListEngines(LIST, metadata=bearer(text)))
            return text

    text = asyncio.run(run())
    _, number, secret = text.split("_", 2)
    assert number in caplog.text and "has expired" in caplog.text
    assert secret not in caplog.text
    with sqlite3.connect(tmp_path / "service.db") as database:
        assert secret not in "".join(database.iterdump())


def test_who_calls_too_often_is_told_when_to_come_back(tmp_path: Path) -> None:
    limits = {"calls_per_second": 1, "burst": 3}

    async def run() -> None:
        async with house(tmp_path, limits=limits) as at:
            from google.rpc import error_details_pb2

            metadata = at.auth("ann")
            for _ in range(3):
                await at.stub.ListEngines(LIST, metadata=metadata)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await at.stub.ListEngines(LIST, metadata=metadata)
            assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            status = status_of(caught.value)
            retry = error_details_pb2.RetryInfo()
            assert status is not None and any(d.Unpack(retry) for d in status.details)
            assert 0 < retry.retry_delay.ToMilliseconds() <= 1_000

    asyncio.run(run())


def test_a_host_that_guesses_tokens_is_not_listened_to(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, limits={"failures_per_minute": 5}) as at:
            for _ in range(5):
                found = await refusal(at.stub.ListEngines(LIST, metadata=bearer("guess")))
                assert found == (STRANGER, "BAD_TOKEN")
            over = (grpc.StatusCode.RESOURCE_EXHAUSTED, "RATE_LIMITED")
            assert await refusal(at.stub.ListEngines(LIST, metadata=bearer("guess"))) == over
            # Not with a right one either: it might have been the next guess.
            assert await refusal(at.stub.ListEngines(LIST, metadata=at.auth("ann"))) == over

    asyncio.run(run())


def test_so_many_calls_go_on_at_once_streams_included(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path, limits={"calls_at_once": 2}) as at:
            request = arena_pb2.WatchGamesRequest()
            watching = [at.stub.WatchGames(request, metadata=at.auth("ann")) for _ in range(2)]
            for call in watching:
                await call.initial_metadata()
            code, _ = await refusal(
                at.stub.ListEngines(arena_pb2.ListEnginesRequest(), metadata=at.auth("bob"))
            )
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            watching[0].cancel()
            async with asyncio.timeout(10):
                while True:
                    try:
                        await at.stub.ListEngines(
                            arena_pb2.ListEnginesRequest(), metadata=at.auth("bob")
                        )
                        break
                    except grpc.aio.AioRpcError as error:
                        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                        await asyncio.sleep(0.05)

    asyncio.run(run())


def test_large_requests_are_refused(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path) as at:
            large = submission()
            large.description.description = "x" * 70_000
            found = await refusal(at.stub.SubmitEngine(large, metadata=at.auth("ann")))
            assert found == (grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_LARGE")
            large.description.description = "x" * 5_000_000  # gRPC's own limit comes first
            code, _ = await refusal(at.stub.SubmitEngine(large, metadata=at.auth("ann")))
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED

    asyncio.run(run())


async def to_the_end(call: Any) -> None:
    while await call.read() is not grpc.aio.EOF:
        pass


def test_bytes_that_are_no_message_are_refused_by_type(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    service, nothing = "/arena.v1.ArenaService/", b"\xff\xff\xff\xff"
    refused = (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")

    async def run() -> None:
        async with house(tmp_path) as at, grpc.aio.insecure_channel(at.address) as channel:
            metadata = at.auth("ann")
            get: Any = channel.unary_unary(f"{service}GetEngine")
            assert await refusal(get(nothing)) == (STRANGER, "NO_TOKEN")
            assert await refusal(get(nothing, metadata=metadata)) == refused
            watch: Any = channel.unary_stream(f"{service}WatchGames")
            assert await refusal(watch(nothing, metadata=metadata).read()) == refused
            connect: Any = channel.stream_stream(f"{service}Connect")
            call = connect(metadata=metadata)
            await call.write(nothing)
            assert await refusal(call.read()) == refused
            await at.submit("ann")
            call = connect(metadata=metadata)
            first = arena_pb2.ConnectRequest(describe=described())
            await call.write(first.SerializeToString())
            await call.write(nothing)
            assert await refusal(to_the_end(call)) == refused
            assert not at.server._switchboard.streams  # type: ignore[union-attr]

    asyncio.run(run())
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_a_mistake_of_ours_shows_a_number_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("password=hunter2")

    async def run() -> grpc.aio.AioRpcError:
        async with house(tmp_path) as at:
            monkeypatch.setattr(EngineBook, "get", broken)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await at.stub.GetEngine(
                    arena_pb2.GetEngineRequest(engine_id="x"), metadata=at.auth("ann")
                )
            return caught.value

    error = asyncio.run(run())
    assert error.code() is grpc.StatusCode.INTERNAL
    told = f"{error.details()} {status_of(error)}"
    assert "hunter2" not in told and "RuntimeError" not in told
    number = str(error.details()).rsplit(" ", 1)[1]
    assert f"incident {number}" in caplog.text and "hunter2" in caplog.text


def test_a_call_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(*_: object) -> None:
        await asyncio.sleep(30)

    async def run(at: House) -> None:
        found = await refusal(at.stub.ListEngines(LIST, metadata=at.auth("ann")))
        assert found == (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE")

    async def main() -> None:
        monkeypatch.setattr("arena.server.service.ArenaService.ListEngines", slow)
        async with house(tmp_path, limits={"call_seconds": 0.1}) as at:
            await run(at)

    asyncio.run(main())


def test_health_and_reflection_need_no_token(tmp_path: Path) -> None:
    async def run() -> None:
        async with house(tmp_path) as at, grpc.aio.insecure_channel(at.address) as channel:
            checking: Any = health_pb2_grpc.HealthStub(channel)
            for service in ("", "arena.v1.ArenaService"):
                said = await checking.Check(health_pb2.HealthCheckRequest(service=service))
                assert said.status == health_pb2.HealthCheckResponse.SERVING
            asking: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
            wanted = reflection_pb2.ServerReflectionRequest(list_services="")
            async for answer in asking.ServerReflectionInfo(iter([wanted])):
                names = {each.name for each in answer.list_services_response.service}
                assert "arena.v1.ArenaService" in names

    asyncio.run(run())


def test_in_the_clear_it_serves_its_own_machine_only(tmp_path: Path) -> None:
    config = ServiceConfig(
        listen="0.0.0.0:0", database=str(tmp_path / "s.db"), ledger=str(tmp_path / "l.db")
    )
    with pytest.raises(ConfigError, match="in the clear"):
        asyncio.run(Server(config).start())
    assert not (tmp_path / "s.db").exists()


def test_tls_and_certificates_of_callers(tmp_path: Path) -> None:
    certificates(tmp_path, "DNS:localhost,IP:127.0.0.1", "server", "caller")

    def read(name: str) -> bytes:
        return (tmp_path / name).read_bytes()

    async def listing(at: House, **certificate: bytes) -> None:
        credentials = grpc.ssl_channel_credentials(read("ca.pem"), **certificate)
        async with grpc.aio.secure_channel(at.address, credentials) as channel:
            stub: Any = arena_pb2_grpc.ArenaServiceStub(channel)
            await stub.ListEngines(LIST, metadata=at.auth("ann"), timeout=5)

    async def run() -> None:
        tls = Tls(cert=tmp_path / "server.pem", key=tmp_path / "server.key")
        async with house(tmp_path, tls=tls) as at:
            await listing(at)
            assert (await refusal(at.stub.ListEngines(LIST, metadata=at.auth("ann"), timeout=5)))[
                0
            ] is grpc.StatusCode.UNAVAILABLE
        mutual = tls.model_copy(update={"client_ca": tmp_path / "ca.pem"})
        async with house(tmp_path, tls=mutual) as at:
            await listing(at, private_key=read("caller.key"), certificate_chain=read("caller.pem"))
            assert (await refusal(listing(at)))[0] is grpc.StatusCode.UNAVAILABLE

    asyncio.run(run())


def test_why_it_cannot_listen_is_said(tmp_path: Path) -> None:
    certificates(tmp_path, "DNS:localhost", "server", "other")
    (tmp_path / "note").write_text("no certificate")
    files = {
        name: tmp_path / name for name in ("server.pem", "server.key", "other.key", "note", "gone")
    }
    words = ("-in", "server.key", "-out", "locked.key", "-passout", "pass:x", "-aes256")
    subprocess.run(["openssl", "ec", *words], cwd=tmp_path, check=True, capture_output=True)

    def refused(error: type[Exception], tls: Tls | None, listen: str = "127.0.0.1:0") -> str:
        config = ServiceConfig(
            listen=listen,
            database=str(tmp_path / "s.db"),
            ledger=str(tmp_path / "l.db"),
            tls=tls,
        )
        with pytest.raises(error) as caught:
            asyncio.run(Server(config).start())
        return str(caught.value)

    good, key = files["server.pem"], files["server.key"]
    told = refused(ConfigError, Tls(cert=good, key=files["other.key"]))
    assert told.startswith("tls: ") and "other.key: is not the key of" in told
    told = refused(ConfigError, Tls(cert=files["note"], key=key))
    assert "are no certificate and its key in PEM form" in told
    told = refused(ConfigError, Tls(cert=good, key=tmp_path / "locked.key"))
    assert "locked.key: the key is encrypted" in told
    told = refused(ConfigError, Tls(cert=good, key=key, client_ca=files["note"]))
    assert "note: is no certificate in PEM form" in told
    assert refused(ConfigError, Tls(cert=files["gone"], key=key)).startswith("tls.cert: ")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = refused(OSError, None, f"127.0.0.1:{port}")
        assert told == f"cannot serve on 127.0.0.1:{port}: Address already in use"
        with pytest.raises(OSError, match=rf":{port}: Address already in use$"):
            asyncio.run(BotServer(Bot(), port=port).start())


def test_buckets_fill_again_and_are_bounded() -> None:
    rates = Rates(per_second=2, burst=3, keys=2)
    assert [rates.take("a", 0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert rates.wait("a", 0.25) == 0.25 and rates.take("a", 0.5) == 0
    assert rates.wait("never seen", 0.5) == 0 and len(rates) == 1
    for key in "bcd":
        rates.take(key, 1.0)
    assert len(rates) == 2


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv6:%5B2001:db8::1:2%5D:4711", "2001:db8::"),
        ("ipv6:[::ffff:192.0.2.7]:4711", "192.0.2.7"),
        ("unix:/run/arena", "unix"),
    ],
)
def test_a_peer_is_its_host(peer: str, host: str) -> None:
    assert host_of(peer) == host


@pytest.mark.parametrize("text", ["x" * 60_000, "象" * 20_000, "%" * 60_000])
def test_what_a_caller_sent_is_shown_in_part_where_it_is_long(tmp_path: Path, text: str) -> None:
    """Whole, it would be more metadata than gRPC takes, and the caller would learn nothing."""

    async def run() -> None:
        async with house(tmp_path, limits={"request_kib": 200}) as at:
            far = arena_pb2.Access(address=text)
            for call, request, code in (
                (at.stub.GetEngine, arena_pb2.GetEngineRequest(engine_id=text), "NOT_FOUND"),
                (at.stub.GetRecord, arena_pb2.GetRecordRequest(game_id=text), "NOT_FOUND"),
                (at.stub.GetLeaderboard, arena_pb2.GetLeaderboardRequest(family=text), "INVALID"),
                (at.stub.SubmitEngine, submission(games=(text,)), "INVALID"),
                (at.stub.SubmitEngine, submission(access=far), "TARGET_NOT_ALLOWED"),
                (at.stub.LaunchSweep, sweeps_pb2.LaunchSweepRequest(toml=text), "INVALID"),
                (
                    at.stub.LaunchSweep,
                    sweeps_pb2.LaunchSweepRequest(toml=f"name = 'x'\n'{text}' = 1"),
                    "INVALID",
                ),
            ):
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await call(request, metadata=at.auth("oscar"))
                assert reason_of(caught.value) == code, caught.value
                said = (caught.value.details() or "").encode()
                assert len(said) <= 1_000

    asyncio.run(run())
