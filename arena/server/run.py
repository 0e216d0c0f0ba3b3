"""Puts a service together and serves it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.games import family_ids
from arena.ledger.rows import LedgerError
from arena.players.sandbox import Sandbox
from arena.protocol.listening import check_pem, why_not
from arena.protocol.v1 import arena_pb2, arena_pb2_grpc
from arena.server.config import Dial, ServiceConfig, Tls, host_and_port
from arena.server.database import Database
from arena.server.desk import Desk
from arena.server.engines import EngineBook
from arena.server.gate import Gate
from arena.server.league import League
from arena.server.lines import Switchboard
from arena.server.orders import DialKeys
from arena.server.reach import Reach
from arena.server.results import Results
from arena.server.service import ArenaService
from arena.server.sweeping.book import SweepBook
from arena.server.sweeping.keeper import Sweeps
from arena.server.targets import DialList
from arena.server.tokens import TokenBook
from engines.reference import ladder

_SERVICE = arena_pb2.DESCRIPTOR.services_by_name["ArenaService"].full_name
_STOP_S = 2.0
TOKENS_S = 5.0
"""How often the tokens of open streams are looked at again."""
_MAX_MESSAGE = 4 * 1024 * 1024
_log = logging.getLogger("arena.server")


class ConfigError(ValueError):
    """A service that cannot be put together as its file says."""


class Server:
    """A running service. `start`, then `wait`; `stop` from anywhere in the loop."""

    def __init__(self, config: ServiceConfig) -> None:
        """Nothing is opened before `start`."""
        self.config = config
        self.address = ""
        self._database: Database | None = None
        self._desk: Desk | None = None
        self._results: Results | None = None
        self._switchboard: Switchboard | None = None
        self._league: League | None = None
        self._sweeps: Sweeps | None = None
        self._watching: asyncio.Task[None] | None = None
        self._server: grpc.aio.Server | None = None
        self._health: health.aio.HealthServicer | None = None  # pyright: ignore

    async def start(self) -> str:
        """Binds and serves; "host:port".

        Raises ConfigError, SweepError, LedgerError, ClusterError or OSError.
        """
        config = self.config
        credentials = _credentials(config.tls)
        dialling = _dialling(config.dial)
        try:
            host, port = host_and_port(config.listen)
        except ValueError as error:
            raise ConfigError(f"listen '{config.listen}': {error}") from None
        if credentials is None and not _stays_here(host):
            raise ConfigError(
                f"listen '{config.listen}': tokens would cross the network in the clear; give "
                "--tls-cert and --tls-key, or listen on 127.0.0.1 behind something that has them"
            )
        self._database = database = Database.open(config.database)
        self._results = results = Results(config.ledger)
        secret = bytes.fromhex(database.setting("deals", secrets.token_hex(32)))
        reserved = {spec.name for family in family_ids() for spec in ladder(family)}
        engines = EngineBook(database, config.quotas, reserved)
        desk = Desk(TokenBook(database), engines, SweepBook(database, config.quotas))
        self._desk = desk
        targets, switchboard = (
            DialList(config.dial.allow, require_tls=config.dial.require_tls),
            Switchboard(),
        )
        box = config.sandbox
        sandbox = None if box is False else Sandbox(**box.model_dump())
        reach = Reach(switchboard, targets, sandbox, dialling)
        league = League(config, desk, results, switchboard, reach, secret)
        _require_rungs(config, league)
        self._switchboard, self._league = switchboard, league
        self._sweeps = sweeps = Sweeps(config, desk, targets)
        if league.workers is not None:
            await league.workers.start()
        server = grpc.aio.server(
            interceptors=[Gate(config.limits, desk.find)],
            maximum_concurrent_rpcs=config.limits.calls_at_once,
            options=[
                ("grpc.max_receive_message_length", _MAX_MESSAGE),
                ("grpc.max_metadata_size", 16 * 1024),
                ("grpc.so_reuseport", 0),
                # Callers that vanish without a word hold nothing for long.
                ("grpc.keepalive_time_ms", 30_000),
                ("grpc.keepalive_timeout_ms", 10_000),
                ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
            ],
        )
        arena_pb2_grpc.add_ArenaServiceServicer_to_server(
            ArenaService(desk, results, targets, switchboard, league, sweeps), server
        )
        # `aio` is set when the module runs, where a type checker does not see it.
        servicer = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
        reflection.enable_server_reflection(
            (_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )
        try:
            bound = (
                server.add_insecure_port(config.listen)
                if credentials is None
                else server.add_secure_port(config.listen, credentials)
            )
        except RuntimeError as error:
            raise OSError(
                f"cannot serve on {config.listen}: {why_not(host, port, error)}"
            ) from None
        await server.start()
        await league.open()
        await sweeps.open()
        self._watching = asyncio.ensure_future(self._watch_tokens())
        for name in ("", _SERVICE):
            await servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        self._server, self._health = server, servicer
        self.address = f"{host}:{bound}"
        _log.info("serving on %s", self.address)
        return self.address

    async def _watch_tokens(self) -> None:
        """Ends the streams of tokens that have been revoked, or have expired."""
        assert self._desk is not None and self._switchboard is not None
        assert self._league is not None
        watchers = self._league.broadcast
        while True:
            await asyncio.sleep(TOKENS_S)
            held = self._switchboard.tokens() | watchers.tokens()
            if held:
                try:
                    good = await self._desk.ask(self._desk.tokens.good, held)
                except LedgerError as error:
                    _log.warning("tokens: %s", error)
                    continue
                self._switchboard.revoked(held - good)
                watchers.revoked(held - good)

    async def wait(self) -> None:
        """Until it has stopped."""
        assert self._server is not None
        await self._server.wait_for_termination()

    async def stop(self) -> None:
        """Lets calls end, for two seconds, and sweeps, for half a minute; closes everything."""
        if self._health is not None:
            await self._health.enter_graceful_shutdown()
        if self._watching is not None:
            self._watching.cancel()
        if self._sweeps is not None:
            await self._sweeps.close()
        if self._league is not None:
            await self._league.close()
        if self._switchboard is not None:
            self._switchboard.close()
        if self._server is not None:
            await self._server.stop(_STOP_S)
        if self._results is not None:
            self._results.close()
        if self._desk is not None:
            self._desk.close()
        if self._database is not None:
            self._database.close()


def _require_rungs(config: ServiceConfig, league: League) -> None:
    for division in league.divisions:
        family = division.game.family
        for rung in config.play.rungs:
            if rung > len(family.rungs):
                raise config.error(
                    ("play", "rungs"),
                    f"{family.id} has {len(family.rungs)} rungs: 1 to {len(family.rungs)} "
                    f"(got {rung})",
                    rung,
                )


def _credentials(tls: Tls | None) -> grpc.ServerCredentials | None:
    if tls is None:
        return None
    authority = None if tls.client_ca is None else _read("tls.client_ca", tls.client_ca)
    pair = (_read("tls.key", tls.key), _read("tls.cert", tls.cert))
    try:
        check_pem(tls.cert, tls.key, tls.client_ca)
    except ValueError as error:
        raise ConfigError(f"tls: {error}") from None
    return grpc.ssl_server_credentials(
        [pair],
        root_certificates=authority,
        require_client_auth=authority is not None,
    )


def _dialling(dial: Dial) -> DialKeys:
    """What bots are dialled with by TLS."""

    def read(setting: str, path: Path | None) -> bytes | None:
        return None if path is None else _read(f"dial.{setting}", path)

    return DialKeys(read("root_ca", dial.root_ca), read("key", dial.key), read("cert", dial.cert))


def _read(setting: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{setting}: {path}: {error.strerror}") from None


def _stays_here(host: str) -> bool:
    """Whether only this machine reaches it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.startswith("unix")


async def serve(config: ServiceConfig, announce: Callable[[str], None]) -> None:
    """Serves until SIGINT or SIGTERM; `announce` is told the address."""
    server = Server(config)
    try:
        address = await server.start()
        loop = asyncio.get_running_loop()
        ends = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, ends.set)
        announce(address)
        await ends.wait()
    finally:
        await server.stop()
