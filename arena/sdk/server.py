"""Serves a bot over gRPC."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
import traceback
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from arena.protocol.convert import PROTOCOL
from arena.protocol.v1 import bot_pb2, bot_pb2_grpc, types_pb2
from arena.sdk.bot import Bot
from arena.sdk.thinker import Thinker

_log = logging.getLogger("arena.sdk")
_SERVICE = bot_pb2.DESCRIPTOR.services_by_name["BotService"].full_name
_LOADING_S = 1.0
_MAX_MESSAGE = 64 * 1024 * 1024
_STOP_GRACE_S = 1.0
# The loop sends answers while the bot thinks about the next turns: it must not wait long for the
# interpreter lock.
_SWITCH_S = 0.0005


def describe(bot: Bot) -> bot_pb2.DescribeResponse:
    """What a bot says of itself, as the protocol's message."""
    return bot_pb2.DescribeResponse(
        name=bot.name or type(bot).__name__,
        version=bot.version,
        authors=bot.authors,
        protocols=[PROTOCOL],
        games=[bot_pb2.GameSupport(rulebooks=glob) for glob in bot.games],
        max_parallel_games=bot.max_parallel_games,
        preferred_batch=bot.preferred_batch,
        wants_legal_moves=bot.wants_legal_moves,
        observation_form=bot_pb2.OBSERVATION_FORM_TEXT,
        answers_pings_while_thinking=True,
        resources=types_pb2.Resources(
            threads=bot.threads, memory_mib=bot.memory_mib, gpus=bot.gpus
        ),
        description=bot.description,
    )


class BotServer:
    """A bot on a port. `serve` is the usual way; this is for programs with a loop of their own."""

    def __init__(self, bot: Bot, host: str = "127.0.0.1", port: int = 0) -> None:
        """Port 0 takes any free one."""
        self.bot = bot
        self.port = port
        self._host = host
        self._thinker = Thinker(bot)
        # One thread: a bot is never asked twice at the same time unless it is async.
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="bot")
        self._loaded = asyncio.Event()
        self._server: grpc.aio.Server | None = None
        self._loading: asyncio.Task[None] | None = None

    async def start(self) -> str:
        """Binds, starts to load the bot, and returns "host:port". Raises OSError."""
        server = grpc.aio.server(
            options=[
                ("grpc.max_receive_message_length", _MAX_MESSAGE),
                ("grpc.max_send_message_length", _MAX_MESSAGE),
                ("grpc.so_reuseport", 0),
            ]
        )
        bot_pb2_grpc.add_BotServiceServicer_to_server(_Service(self), server)
        # `aio` is set when the module runs, where a type checker does not see it.
        servicer = health.aio.HealthServicer()  # pyright: ignore[reportAttributeAccessIssue]
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
        reflection.enable_server_reflection(
            (_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )
        try:
            self.port = server.add_insecure_port(f"{self._host}:{self.port}")
        except RuntimeError as error:
            raise OSError(f"cannot serve on {self._host}:{self.port}: {error}") from None
        await server.start()
        await servicer.set("", health_pb2.HealthCheckResponse.SERVING)
        await servicer.set(_SERVICE, health_pb2.HealthCheckResponse.SERVING)
        self._server = server
        self._loading = asyncio.get_running_loop().create_task(self._load())
        return f"{self._host}:{self.port}"

    async def _load(self) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self.executor, self.bot.load)
        except Exception:
            # For the author's eyes; the arena is told by the stream, if that still stands.
            traceback.print_exc()
            raise
        self._loaded.set()

    async def loading(self, seconds: float) -> bool:
        """Waits for the bot to be loaded; False when it still is not. Raises what load raised."""
        assert self._loading is not None
        await asyncio.wait({self._loading}, timeout=seconds)
        if self._loading.done():
            self._loading.result()
        return self._loading.done()

    async def stop(self) -> None:
        """Finishes what is being thought about, within a second, and closes."""
        if self._server is not None:
            await self._server.stop(_STOP_GRACE_S)
        self.executor.shutdown(wait=False, cancel_futures=True)

    async def wait(self) -> None:
        """Until the server has stopped."""
        assert self._server is not None
        await self._server.wait_for_termination()

    async def think(self, request: bot_pb2.PlayRequest, stream: _Stream) -> None:
        """Has the bot decide every turn of a message."""
        if self._thinker.is_async:
            await self._thinker.think_async(request, stream.send)
            return
        loop = asyncio.get_running_loop()

        def deliver(made: list[bot_pb2.Decision]) -> None:
            loop.call_soon_threadsafe(stream.send, made)

        await loop.run_in_executor(
            self.executor,
            self._thinker.think,
            request,
            deliver,
        )


class _Stream:
    """What goes out on one stream: everything that is ready, in one message."""

    def __init__(self) -> None:
        self._out = bot_pb2.PlayResponse()
        self._wake = asyncio.Event()
        self._ended = False

    def send(self, decisions: list[bot_pb2.Decision]) -> None:
        self._out.decisions.extend(decisions)
        self._wake.set()

    def pong(self, number: int) -> None:
        self._out.pong.number = number
        self._wake.set()

    def end(self) -> None:
        self._ended = True
        self._wake.set()

    async def next(self) -> bot_pb2.PlayResponse | None:
        """What has gathered; None after the last of it."""
        await self._wake.wait()
        self._wake.clear()
        out, self._out = self._out, bot_pb2.PlayResponse()
        if self._ended:
            self._wake.set()
            return out if out.ByteSize() else None
        return out


class _Service(bot_pb2_grpc.BotServiceServicer):
    def __init__(self, server: BotServer) -> None:
        self._server = server

    async def Describe(
        self,
        request: bot_pb2.DescribeRequest,
        context: grpc.aio.ServicerContext[bot_pb2.DescribeRequest, bot_pb2.DescribeResponse],
    ) -> bot_pb2.DescribeResponse:
        return describe(self._server.bot)

    async def Play(  # type: ignore[override]  # grpc.aio also takes a coroutine that writes
        self,
        request_iterator: AsyncIterator[bot_pb2.PlayRequest],
        context: grpc.aio.ServicerContext[bot_pb2.PlayRequest, bot_pb2.PlayResponse],
    ) -> None:
        while not await self._server.loading(_LOADING_S):
            note = bot_pb2.Loading(note="load() is at work")
            await context.write(bot_pb2.PlayResponse(loading=note))
        await context.write(bot_pb2.PlayResponse(ready=bot_pb2.Ready()))
        stream = _Stream()
        writing = asyncio.get_running_loop().create_task(self._write(stream, context))
        thinking: set[asyncio.Task[None]] = set()
        try:
            async for request in request_iterator:
                self._heed(request, stream, thinking)
            # The arena has said all: what is being thought about is still answered.
            await asyncio.gather(*thinking)
            stream.end()
            await writing
        finally:
            for task in (writing, *thinking):
                task.cancel()

    async def _write(
        self,
        stream: _Stream,
        context: grpc.aio.ServicerContext[bot_pb2.PlayRequest, bot_pb2.PlayResponse],
    ) -> None:
        while (response := await stream.next()) is not None:
            await context.write(response)

    def _heed(
        self, request: bot_pb2.PlayRequest, stream: _Stream, thinking: set[asyncio.Task[None]]
    ) -> None:
        if request.HasField("ping"):
            stream.pong(request.ping.number)
        if request.turns:
            work = self._server.think(request, stream)
            task = asyncio.get_running_loop().create_task(work)
            thinking.add(task)
            task.add_done_callback(thinking.discard)
        for over in request.game_overs:
            self._tell(over)
        for refusal in request.refusals:
            # An answer to a game that has ended meanwhile is nobody's mistake.
            usual = refusal.reason == bot_pb2.REFUSAL_REASON_GAME_OVER
            _log.log(logging.DEBUG if usual else logging.WARNING, "refused: %s", refusal.message)

    def _tell(self, over: bot_pb2.GameOver) -> None:
        if type(self._server.bot).game_over is not Bot.game_over:
            asyncio.get_running_loop().run_in_executor(
                self._server.executor, _told, self._server.bot, over
            )


def _told(bot: Bot, over: bot_pb2.GameOver) -> None:
    try:
        bot.game_over(over)
    except Exception:  # noqa: BLE001 - the game is decided: a line in the log is enough
        _log.exception("game_over of %s", over.game)


def serve(bot: Bot, host: str | None = None, port: int | None = None) -> None:
    """Serves a bot until it is told to stop (SIGINT, SIGTERM).

    Host and port come from the arguments, else from ``--host`` and ``--port`` of the command
    line, else from ``ARENA_BOT_HOST`` and ``ARENA_BOT_PORT``, else 127.0.0.1 and any free port.
    The address is announced on standard output: ``ARENA_BOT_PORT=43211``.
    """
    parser = argparse.ArgumentParser(description=bot.description or type(bot).__doc__)
    parser.add_argument("--host", default=os.environ.get("ARENA_BOT_HOST", "127.0.0.1"))
    parser.add_argument("--port", type=int, default=int(os.environ.get("ARENA_BOT_PORT", "0")))
    given = parser.parse_args([] if host is not None and port is not None else None)
    sys.setswitchinterval(_SWITCH_S)
    asyncio.run(_serve(bot, host or given.host, given.port if port is None else port))


async def _serve(bot: Bot, host: str, port: int) -> None:
    server = BotServer(bot, host, port)
    address = await server.start()
    loop = asyncio.get_running_loop()
    stopping: set[asyncio.Task[None]] = set()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: stopping.add(loop.create_task(server.stop())))
    print(f"ARENA_BOT_PORT={server.port}", flush=True)
    _log.info("serving on %s", address)
    await server.wait()
