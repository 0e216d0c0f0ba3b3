"""Serves a bot over gRPC."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.protocol.listening import check_pem, why_not
from arena.protocol.reading import UNREADABLE, Unreadable, lenient, readable
from arena.protocol.v1 import bot_pb2, bot_pb2_grpc
from arena.sdk.bot import Bot
from arena.sdk.mind import SWITCH_S, LoadError, Mind, describe

_log = logging.getLogger("arena.sdk")
_SERVICE = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name
_MAX_MESSAGE = 64 * 1024 * 1024
_STOP_GRACE_S = 1.0


class BotServer:
    """A bot on a port. `serve` is the usual way; this is for programs with a loop of their own."""

    def __init__(
        self,
        bot: Bot,
        host: str = "127.0.0.1",
        port: int = 0,
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        """Port 0 takes any free one. Without `credentials` it serves in the clear."""
        self.bot = bot
        self.port = port
        self._host = host
        self._credentials = credentials
        self.mind = Mind(bot)
        self._server: grpc.aio.Server | None = None

    async def start(self) -> str:
        """Binds, starts to load the bot, and returns "host:port". Raises OSError."""
        server = grpc.aio.server(
            interceptors=[_Lenient()],
            options=[
                ("grpc.max_receive_message_length", _MAX_MESSAGE),
                ("grpc.max_send_message_length", _MAX_MESSAGE),
                ("grpc.so_reuseport", 0),
            ],
        )
        bot_pb2_grpc.add_BotServiceServicer_to_server(_Service(self.mind), server)
        # `aio` is set when the module runs, where a type checker does not see it.
        servicer = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
        reflection.enable_server_reflection(
            (_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )
        where = f"{self._host}:{self.port}"
        try:
            self.port = (
                server.add_insecure_port(where)
                if self._credentials is None
                else server.add_secure_port(where, self._credentials)
            )
        except RuntimeError as error:
            raise OSError(
                f"cannot serve on {where}: {why_not(self._host, self.port, error)}"
            ) from None
        await server.start()
        await servicer.set("", health_pb2.HealthCheckResponse.SERVING)
        await servicer.set(_SERVICE, health_pb2.HealthCheckResponse.SERVING)
        self._server = server
        self.mind.load()
        return f"{self._host}:{self.port}"

    async def stop(self) -> None:
        """Finishes what is being thought about, within a second, and closes."""
        if self._server is not None:
            await self._server.stop(_STOP_GRACE_S)
        self.mind.close()

    async def wait(self) -> None:
        """Until the server has stopped. Raises LoadError where the bot cannot be loaded."""
        assert self._server is not None
        # Shielded: gRPC's own wait, once cancelled, takes the server's stopping with it.
        stopped = asyncio.ensure_future(_termination(self._server))
        await self.mind.until_failed(asyncio.shield(stopped))


async def _termination(server: grpc.aio.Server) -> None:
    await server.wait_for_termination()


class _Lenient(grpc.aio.ServerInterceptor):
    """Has requests that are no messages come as None; see `arena.protocol.reading`."""

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        handler: Any = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(f"/{_SERVICE}/"):
            return handler
        return handler._replace(request_deserializer=lenient(handler.request_deserializer))


class _Service(bot_pb2_grpc.BotServiceServicer):
    def __init__(self, mind: Mind) -> None:
        self._mind = mind

    async def Describe(
        self,
        request: bot_pb2.DescribeRequest,
        context: grpc.aio.ServicerContext[bot_pb2.DescribeRequest, bot_pb2.DescribeResponse],
    ) -> bot_pb2.DescribeResponse:
        if request is None:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"request {UNREADABLE}")
        return describe(self._mind.bot)

    async def Play(  # type: ignore[override]  # grpc.aio also takes a coroutine that writes
        self,
        request_iterator: AsyncIterator[bot_pb2.PlayRequest],
        context: grpc.aio.ServicerContext[bot_pb2.PlayRequest, bot_pb2.PlayResponse],
    ) -> None:
        try:
            await self._mind.converse(readable(request_iterator), context.write)
        except Unreadable:
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"request {UNREADABLE}")


def serve(
    bot: Bot,
    host: str | None = None,
    port: int | None = None,
    *,
    cert: str | Path | None = None,
    key: str | Path | None = None,
    client_ca: str | Path | None = None,
) -> None:
    """Serves a bot until it is told to stop (SIGINT, SIGTERM).

    With ``--connect HOST:PORT`` on the command line the bot dials in to that arena service instead,
    by the token in ``ARENA_TOKEN``; `connect` says how, and takes ``--root-ca``, ``--cert`` and
    ``--key`` likewise.

    Host and port come from the arguments, else from ``--host`` and ``--port`` of the command
    line, else from ``ARENA_BOT_HOST`` and ``ARENA_BOT_PORT``, else 127.0.0.1 and any free port.
    The address is announced on standard output: ``ARENA_BOT_PORT=43211``. `cert` and `key` (PEM
    files; ``--cert``, ``--key``) serve by TLS; `client_ca` (``--client-ca``) is the authority that
    an arena's own certificate has to be of. Raises OSError or ValueError for files that are none,
    and ends the program with exit code 1 where the bot's `load` raises.
    """
    parser = argparse.ArgumentParser(description=bot.description or type(bot).__doc__)
    parser.add_argument("--host", default=os.environ.get("ARENA_BOT_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("ARENA_BOT_PORT", "0")))
    parser.add_argument("--cert", default=cert, help="serve by TLS with this certificate")
    parser.add_argument("--key", default=key, help="the key of the certificate")
    parser.add_argument("--client-ca", default=client_ca, help="ask arenas for a certificate")
    parser.add_argument("--connect", metavar="HOST:PORT", help="dial in to this arena service")
    parser.add_argument("--root-ca", help="with --connect: the authority of the arena")
    given = parser.parse_args([] if host is not None and port is not None else None)
    if given.connect:
        from arena.sdk.dial import ConnectError, connect

        try:
            connect(bot, given.connect, root_ca=given.root_ca, cert=given.cert, key=given.key)
        except (ConnectError, ValueError) as error:
            raise SystemExit(f"{given.connect}: {error}") from None
        return
    credentials = server_credentials(given.cert, given.key, given.client_ca)
    sys.setswitchinterval(SWITCH_S)
    where = (host or given.host, given.port if port is None else port)
    asyncio.run(_serve(BotServer(bot, *where, credentials)))


def server_credentials(
    cert: str | Path | None, key: str | Path | None, client_ca: str | Path | None = None
) -> grpc.ServerCredentials | None:
    """What a bot serves by TLS with; None without files. Raises OSError or ValueError."""
    if cert is None or key is None:
        if cert is not None or key is not None or client_ca is not None:
            raise ValueError("cert and key go together, and client_ca needs them")
        return None
    authority = None if client_ca is None else Path(client_ca).read_bytes()
    pair = (Path(key).read_bytes(), Path(cert).read_bytes())
    check_pem(Path(cert), Path(key), None if client_ca is None else Path(client_ca))
    return grpc.ssl_server_credentials(
        [pair],
        root_certificates=authority,
        require_client_auth=authority is not None,
    )


async def _serve(server: BotServer) -> None:
    address = await server.start()
    loop = asyncio.get_running_loop()
    stopping: set[asyncio.Task[None]] = set()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: stopping.add(loop.create_task(server.stop())))
    print(f"ARENA_BOT_PORT={server.port}", flush=True)
    _log.info("serving on %s", address)
    try:
        await server.wait()
    except LoadError as error:
        await server.stop()
        raise SystemExit(str(error)) from None
