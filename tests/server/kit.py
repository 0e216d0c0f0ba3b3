"""A service in the test's own loop, its tokens, and callers."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.protocol.status import reason_of
from arena.protocol.v1 import arena_pb2, arena_pb2_grpc, bot_pb2
from arena.server.config import ServiceConfig
from arena.server.database import Actor, Database
from arena.server.run import Server
from arena.server.tokens import Scope, TokenBook

ROOT = Actor("test")


@dataclass
class House:
    """A running service and how to call it."""

    server: Server
    address: str
    path: Path
    tokens: dict[str, str] = field(default_factory=dict)
    stub: Any = None
    keep: Any = None

    def token(self, account: str, *scopes: Scope, days: float | None = None) -> str:
        """A new token of an account."""
        with Database.open(self.path) as database:
            text, _ = TokenBook(database).new(account, scopes, ROOT, days=days)
        return text

    def auth(self, who: str) -> tuple[tuple[str, str], ...]:
        """Metadata of "ann" or "bob" (authors), "rita" (researcher), "oscar" (operator)."""
        scope = {"rita": Scope.RESEARCHER, "oscar": Scope.OPERATOR}.get(who, Scope.AUTHOR)
        if who not in self.tokens:
            self.tokens[who] = self.token(who, scope)
        return bearer(self.tokens[who])

    async def submit(self, who: str, name: str = "Bot", **more: Any) -> arena_pb2.Engine:
        """An engine that dials in."""
        answer = await self.stub.SubmitEngine(
            submission(name, **more), metadata=self.auth(who), timeout=10
        )
        assert isinstance(answer, arena_pb2.SubmitEngineResponse)
        return answer.engine


def bearer(text: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {text}"),)


def described(
    name: str = "Bot", version: str = "1", games: Sequence[str] = ("gomoku/*",)
) -> bot_pb2.DescribeResponse:
    return bot_pb2.DescribeResponse(
        name=name,
        version=version,
        protocols=["arena.v1"],
        games=[bot_pb2.GameSupport(rulebooks=glob) for glob in games],
    )


def submission(
    name: str = "Bot",
    version: str = "1",
    games: Sequence[str] = ("gomoku/*",),
    access: arena_pb2.Access | None = None,
) -> arena_pb2.SubmitEngineRequest:
    dials_in = arena_pb2.Access(dial_in=arena_pb2.DialIn())
    return arena_pb2.SubmitEngineRequest(
        description=described(name, version, games), access=access or dials_in
    )


@asynccontextmanager
async def house(folder: Path, **settings: Any) -> AsyncIterator[House]:
    """A service on a free port; `settings` are tables of its file. Without `workers` it plays itself."""
    settings["play"] = {"workers": 0, **settings.get("play", {})}
    path = folder / "service.db"
    config = ServiceConfig.model_validate(
        {
            "listen": "127.0.0.1:0",
            "database": str(path),
            "ledger": str(folder / "ledger.db"),
            **settings,
        }
    )
    server = Server(config)
    address = await server.start()
    try:
        async with grpc.aio.insecure_channel(address) as channel:
            found = House(server, address, path)
            found.stub = arena_pb2_grpc.ArenaServiceStub(channel)
            yield found
    finally:
        await server.stop()


async def refusal(call: Any) -> tuple[grpc.StatusCode, str]:
    """Code and reason of a call that must fail."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return error.code(), reason_of(error)
    raise AssertionError(f"was answered: {answer}")


def certificates(folder: Path, names: str, *holders: str) -> None:
    """An authority, `ca.pem` (made once), and `HOLDER.pem` and `.key` for names such as "DNS:x"."""

    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")
    if not (folder / "ca.pem").exists():
        own = ("-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
        openssl("req", "-x509", *curve, "-days", "2", *own)
    (folder / "san").write_text(f"subjectAltName={names}")
    for holder in holders:
        files = ("-keyout", f"{holder}.key", "-out", f"{holder}.csr")
        openssl("req", *curve, *files, "-subj", f"/CN={holder}")
        signer = ("-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2")
        made = ("-out", f"{holder}.pem", "-extfile", "san")
        openssl("x509", "-req", "-in", f"{holder}.csr", *signer, *made)
