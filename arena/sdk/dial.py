"""Dials in: a bot opens the stream to an arena service, and is played over it."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import grpc

from arena.protocol.status import reason_of
from arena.protocol.v1 import arena_pb2, bot_pb2
from arena.protocol.v1.arena_pb2_grpc import ArenaServiceStub
from arena.sdk.bot import Bot
from arena.sdk.mind import SWITCH_S, LoadError, Mind, describe

if TYPE_CHECKING:
    from arena.protocol.v1.arena_pb2_grpc import ArenaServiceAsyncStub

_log = logging.getLogger("arena.sdk")
_MAX_MESSAGE = 64 * 1024 * 1024
_STATE = "ENGINE_STATE_"
_BACK_OFF_S = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
# A stream that has lasted so long was none that failed at once.
_LASTED_S = 30.0
# What will not be different the next time.
_FINAL = frozenset(
    {
        grpc.StatusCode.UNAUTHENTICATED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.FAILED_PRECONDITION,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.UNIMPLEMENTED,
    }
)


class ConnectError(Exception):
    """An arena that does not take this bot; trying again would not help."""

    def __init__(self, message: str, reason: str = "") -> None:
        """`reason` is the stable word of the service, such as NAME_TAKEN or FENCED."""
        super().__init__(message)
        self.reason = reason


class Connection:
    """A bot that dials in. `connect` is the usual way; this is for programs with their own loop."""

    def __init__(
        self,
        bot: Bot,
        address: str,
        token: str,
        *,
        submit: bool = True,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        """Without `credentials` the connection is in the clear. See `connect` for the rest."""
        self.bot = bot
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._submit = submit
        self._credentials = credentials
        self._mind = Mind(bot)
        self._stopping = asyncio.Event()
        self._connected = False
        self.engine = arena_pb2.Engine()
        """What the arena says of it, from the first connection on."""

    async def run(self) -> None:
        """Dials in, again and again, until `stop`.

        Raises ConnectError where that is no use, and LoadError where the bot cannot be loaded.
        """
        self._mind.load()
        work = asyncio.ensure_future(self._mind.until_failed(self._run()))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait({work, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            for task in (work, stopping):
                task.cancel()
            await asyncio.gather(work, stopping, return_exceptions=True)
            self._mind.close()

    def stop(self) -> None:
        """Ends `run`."""
        self._stopping.set()

    def _channel(self) -> grpc.aio.Channel:
        options = [
            ("grpc.max_receive_message_length", _MAX_MESSAGE),
            # A path that has gone silent is found out even while nothing is played.
            ("grpc.keepalive_time_ms", 20_000),
            ("grpc.keepalive_timeout_ms", 10_000),
        ]
        if self._credentials is None:
            return grpc.aio.insecure_channel(self._address, options=options)
        return grpc.aio.secure_channel(self._address, self._credentials, options=options)

    async def _run(self) -> None:
        failures = 0
        async with self._channel() as channel:
            stub = ArenaServiceStub(channel)
            while True:
                began = monotonic()
                orderly = False
                try:
                    if self._submit:
                        await self._enter(stub)
                    await self._once(stub)
                    said, orderly = "the arena closed the stream", True
                except grpc.aio.AioRpcError as error:
                    said = f"{error.code().name}: {error.details()}"
                    reason = reason_of(error)
                    if error.code() in _FINAL or reason == "QUOTA_EXCEEDED":
                        raise ConnectError(error.details() or error.code().name, reason) from None
                lasted = monotonic() - began > _LASTED_S
                failures = 1 if orderly or lasted else failures + 1
                wait_s = _BACK_OFF_S[min(failures, len(_BACK_OFF_S)) - 1] * random.uniform(0.5, 1.0)
                what = "cut off from" if self._connected else "cannot dial in to"
                self._connected = False
                _log.warning("%s %s: %s; again in %.1f s", what, self._address, said, wait_s)
                await asyncio.sleep(wait_s)

    async def _enter(self, stub: ArenaServiceAsyncStub) -> None:
        """Submits the engine; harmless where it is on file."""
        request = arena_pb2.SubmitEngineRequest(
            description=describe(self.bot),
            access=arena_pb2.Access(dial_in=arena_pb2.DialIn()),
        )
        await stub.SubmitEngine(request, metadata=self._metadata, timeout=30)
        self._submit = False

    async def _once(self, stub: ArenaServiceAsyncStub) -> None:
        """One stream, from its opening to its end."""
        call = stub.Connect(metadata=self._metadata)
        try:
            await call.write(arena_pb2.ConnectRequest(describe=describe(self.bot)))
            first = await call.read()
            if not isinstance(first, arena_pb2.ConnectResponse):
                return
            again, self._connected = bool(self.engine.id), True
            self.engine = first.engine
            _log.info(
                "dialled in to %s%s: %s@%s is %s",
                self._address,
                " again" if again else "",
                first.engine.name,
                first.engine.version,
                arena_pb2.EngineState.Name(first.engine.state).removeprefix(_STATE).lower(),
            )

            async def requests() -> AsyncIterator[bot_pb2.PlayRequest]:
                while isinstance(message := await call.read(), arena_pb2.ConnectResponse):
                    yield message.play

            async def write(response: bot_pb2.PlayResponse) -> None:
                await call.write(arena_pb2.ConnectRequest(play=response))

            await self._mind.converse(requests(), write)
            await call.done_writing()
        except asyncio.InvalidStateError:
            pass  # ended while something was on its way: the status says why
        finally:
            if not call.done():
                call.cancel()
        code = await call.code()
        if code is not grpc.StatusCode.OK:
            raise grpc.aio.AioRpcError(
                code,
                await call.initial_metadata(),
                await call.trailing_metadata(),
                await call.details(),
            )


def connect(
    bot: Bot,
    address: str | None = None,
    token: str | None = None,
    *,
    submit: bool = True,
    secure: bool | None = None,
    root_ca: str | Path | None = None,
    cert: str | Path | None = None,
    key: str | Path | None = None,
) -> None:
    """Dials in to an arena service and plays until told to stop (SIGINT, SIGTERM).

    Address ("host:port") and token come from the arguments, else from ``ARENA_ADDRESS`` and
    ``ARENA_TOKEN``. The engine is submitted first if it is not on file (`submit`). A lost
    connection is made again. The connection is by TLS, unless `secure` is False or, by default,
    the address is this machine's own; `root_ca` is a PEM file of an authority that the system does
    not know, `cert` and `key` are this bot's own where the arena asks for them.

    What happens to the connection is logged by "arena.sdk", to standard error where the program
    has set up no logging of its own.

    Raises ConnectError where the arena does not take this bot, and ValueError without an address
    or a token. Ends the program with exit code 1 where the bot's `load` raises.
    """
    address = address or os.environ.get("ARENA_ADDRESS", "")
    token = token or os.environ.get("ARENA_TOKEN", "")
    if not address or not token:
        raise ValueError("needs an address and a token, or ARENA_ADDRESS and ARENA_TOKEN")
    credentials = None
    if secure or (secure is None and not _here(address)):
        credentials = grpc.ssl_channel_credentials(_read(root_ca), _read(key), _read(cert))
    sys.setswitchinterval(SWITCH_S)

    async def run() -> None:
        connection = Connection(bot, address, token, submit=submit, credentials=credentials)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, connection.stop)
        try:
            await connection.run()
        except LoadError as error:
            raise SystemExit(str(error)) from None

    with _logged():
        asyncio.run(run())


@contextmanager
def _logged() -> Iterator[None]:
    """Has what this module logs seen, unless the program sees to its logs itself."""
    if _log.hasHandlers():
        yield
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    level = _log.level
    _log.addHandler(handler)
    _log.setLevel(level or logging.INFO)
    try:
        yield
    finally:
        _log.removeHandler(handler)
        _log.setLevel(level)


def _read(path: str | Path | None) -> bytes | None:
    return None if path is None else Path(path).read_bytes()


def _here(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
