"""Bots at an address that are dialled by TLS, and ask for the arena's certificate."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.match.policy import MatchPolicy
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.spec import EngineKind, EngineSpec
from arena.protocol.v1 import arena_pb2
from arena.sdk import BotServer
from arena.sdk.server import server_credentials
from arena.server.config import Dial, ServiceConfig
from arena.server.run import ConfigError, Server
from arena.server.targets import DialList, ListedPlayer, TargetError
from tests.server.kit import certificates, house, refusal, submission
from tests.server.test_dial_in import league, until
from tests.server.test_play import MATCH, PLAY, Corner, engine

ROOT = Path(__file__).parents[2]
ALLOW = ("localhost:*", "127.0.0.0/8:*")
LIMITS = MatchPolicy(connect_ms=1_500).limits()


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """An authority; a bot's and an arena's certificate, for the name and not for its address."""
    certificates(tmp_path, "DNS:localhost", "bot", "arena")
    certificates(tmp_path, "DNS:elsewhere.example", "other")
    (tmp_path / "strangers").mkdir()
    certificates(tmp_path / "strangers", "DNS:localhost", "bot", "arena")
    return tmp_path


def served(files: Path, name: str = "bot", *, mutual: bool = False) -> BotServer:
    ca = files / "ca.pem" if mutual else None
    own = server_credentials(files / f"{name}.pem", files / f"{name}.key", ca)
    return BotServer(Corner(), credentials=own)


def caller(files: Path, name: str | None = None, ca: str = "ca.pem") -> grpc.ChannelCredentials:
    own = [(files / f"{name}.{end}").read_bytes() for end in ("key", "pem")] if name else []
    return grpc.ssl_channel_credentials((files / ca).read_bytes(), *own)


def test_an_engine_is_submitted_checked_and_played_by_mutual_tls(files: Path) -> None:
    async def run() -> None:
        bot = served(files, mutual=True)
        await bot.start()
        dial = {
            "allow": ALLOW,
            "require_tls": True,
            "root_ca": files / "ca.pem",
            "cert": files / "arena.pem",
            "key": files / "arena.key",
        }
        async with house(files, match=MATCH, play=PLAY, dial=dial) as at:
            address = f"localhost:{bot.port}"
            clear = submission("Corner", access=arena_pb2.Access(address=address))
            refused = await refusal(at.stub.SubmitEngine(clear, metadata=at.auth("ann")))
            assert refused == (grpc.StatusCode.PERMISSION_DENIED, "TARGET_NOT_ALLOWED")
            there = arena_pb2.Access(address=address, tls=True)
            made = await at.submit("ann", "Corner", access=there)
            (division,) = league(at).divisions
            await until(lambda: "Corner@1" in division.entrants)
            await until(lambda: division.entrants["Corner@1"].blocks > 0)
            assert (await engine(at, made.id)).online
        await bot.stop()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("bot", "arena", "reached"),
    [
        ({}, {}, True),
        ({"mutual": True}, {"name": "arena"}, True),
        ({"mutual": True}, {}, False),
        ({"mutual": True}, {"name": "strangers/arena"}, False),
        ({"name": "other"}, {}, False),
        ({"name": "strangers/bot"}, {}, False),
        ({}, {"ca": "strangers/ca.pem"}, False),
    ],
)
def test_who_is_reached(
    files: Path, bot: dict[str, Any], arena: dict[str, Any], reached: bool
) -> None:
    async def run() -> None:
        server = served(files, **bot)
        await server.start()
        spec = EngineSpec("b", "1", EngineKind.GRPC, f"localhost:{server.port}", tls=True)
        player = ListedPlayer(spec, LIMITS, DialList(ALLOW), caller(files, **arena))
        if reached:
            await player.open()
            assert player.description.name == "Corner"
        else:
            with pytest.raises(EngineUnavailable, match="by TLS: its certificate") as caught:
                await player.open()
            assert caught.value.cause is Unavailable.UNREACHABLE
        await player.close()
        clear = ListedPlayer(
            EngineSpec("b", "1", EngineKind.GRPC, spec.target), LIMITS, DialList(ALLOW)
        )
        with pytest.raises(EngineUnavailable):
            await clear.open()
        await clear.close()
        await server.stop()

    asyncio.run(run())


def test_a_bot_serves_by_tls_with_two_options(files: Path) -> None:
    first_move = ROOT / "examples" / "bots" / "first_move.py"
    words = ["--port", "0", "--cert", "bot.pem", "--key", "bot.key"]
    with subprocess.Popen(
        [sys.executable, str(first_move), *words],
        stdout=subprocess.PIPE,
        text=True,
        cwd=files,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        port = process.stdout.readline().strip().removeprefix("ARENA_BOT_PORT=")

        async def run() -> str:
            spec = EngineSpec("b", "1", EngineKind.GRPC, f"localhost:{port}", tls=True)
            player = ListedPlayer(spec, LIMITS, DialList(ALLOW), caller(files))
            await player.open()
            await player.close()
            return player.description.name

        try:
            assert asyncio.run(run()) == "FirstMove"
        finally:
            process.terminate()


def test_what_makes_no_sense_is_refused(files: Path) -> None:
    async def run() -> None:
        async with house(files) as at:
            wrong = arena_pb2.Access(dial_in=arena_pb2.DialIn(), tls=True)
            request = submission("Corner", access=wrong)
            refused = await refusal(at.stub.SubmitEngine(request, metadata=at.auth("ann")))
            assert refused == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID")

    asyncio.run(run())
    with pytest.raises(ValueError, match="cert and key go together"):
        Dial(cert=files / "arena.pem")
    with pytest.raises(ValueError, match="cert and key go together"):
        server_credentials(files / "bot.pem", None)
    strict = DialList(ALLOW, require_tls=True)
    strict.may_be_named("localhost:1", tls=True)
    with pytest.raises(TargetError, match="by TLS only"):
        strict.may_be_named("localhost:1")  # as sweeps of the service dial
    missing = Dial(root_ca=files / "none.pem")
    config = ServiceConfig(database=str(files / "x.db"), ledger=str(files / "y.db"), dial=missing)
    with pytest.raises(ConfigError, match=r"dial\.root_ca: .*none\.pem: No such file"):
        asyncio.run(Server(config).start())
