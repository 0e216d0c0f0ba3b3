"""A bot that thinks beside a stream, whoever has opened that."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from arena.protocol.convert import PROTOCOL
from arena.protocol.v1 import bot_pb2, types_pb2
from arena.sdk.bot import Bot
from arena.sdk.thinker import Thinker

Write = Callable[[bot_pb2.PlayResponse], Awaitable[None]]

_log = logging.getLogger("arena.sdk")
_LOADING_S = 1.0

# The loop sends answers while the bot thinks about the next turns: it must not wait long for the
# interpreter lock.
SWITCH_S = 0.0005


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


class LoadError(Exception):
    """A bot whose `load` raised: it plays nothing."""


class Mind:
    """A bot, the thread that it thinks in, and how far it has loaded."""

    def __init__(self, bot: Bot) -> None:
        """Nothing runs before `load`."""
        self.bot = bot
        self._thinker = Thinker(bot)
        # One thread: a bot is never asked twice at the same time unless it is async.
        self.executor = ThreadPoolExecutor(1, thread_name_prefix="bot")
        self._loading: asyncio.Task[None] | None = None

    def load(self) -> None:
        """Starts to load the bot."""
        self._loading = asyncio.get_running_loop().create_task(self._load())

    async def _load(self) -> None:
        try:
            await asyncio.get_running_loop().run_in_executor(self.executor, self.bot.load)
        except Exception:
            # For the author's eyes; the arena is told by the stream, if that still stands.
            traceback.print_exc()
            raise

    async def until_failed(self, work: Awaitable[None]) -> None:
        """Does some work to its end, or until it is clear that the bot cannot be loaded.

        Raises LoadError then.
        """
        assert self._loading is not None
        working = asyncio.ensure_future(work)
        try:
            await asyncio.wait({working, self._loading}, return_when=asyncio.FIRST_COMPLETED)
            if self._loading.done() and (error := self._loading.exception()) is not None:
                raise LoadError(f"{type(self.bot).__name__}.load() failed: {error!r}") from error
            await working
        finally:
            working.cancel()

    async def loading(self, seconds: float) -> bool:
        """Waits for the bot to be loaded; False when it still is not. Raises what load raised."""
        assert self._loading is not None
        await asyncio.wait({self._loading}, timeout=seconds)
        if self._loading.done():
            self._loading.result()
        return self._loading.done()

    def close(self) -> None:
        """Lets the thread end."""
        self.executor.shutdown(wait=False, cancel_futures=True)

    async def converse(self, requests: AsyncIterator[bot_pb2.PlayRequest], write: Write) -> None:
        """Answers a stream of requests until it ends; `write` is never called twice at a time."""
        while not await self.loading(_LOADING_S):
            note = bot_pb2.Loading(note="load() is at work")
            await write(bot_pb2.PlayResponse(loading=note))
        await write(bot_pb2.PlayResponse(ready=bot_pb2.Ready()))
        out = _Out()
        writing = asyncio.get_running_loop().create_task(_write(out, write))
        thinking: set[asyncio.Task[None]] = set()
        try:
            async for request in requests:
                self._heed(request, out, thinking)
            # The arena has said all: what is being thought about is still answered.
            await asyncio.gather(*thinking)
            out.end()
            await writing
        finally:
            for task in (writing, *thinking):
                task.cancel()

    def _heed(
        self, request: bot_pb2.PlayRequest, out: _Out, thinking: set[asyncio.Task[None]]
    ) -> None:
        if request.HasField("ping"):
            out.pong(request.ping.number)
        for over in request.game_overs:
            self._tell(over)
        if request.turns:
            task = asyncio.get_running_loop().create_task(self._think(request, out))
            thinking.add(task)
            task.add_done_callback(thinking.discard)
        for refusal in request.refusals:
            # An answer to a game that has ended meanwhile is nobody's mistake.
            usual = refusal.reason == bot_pb2.REFUSAL_REASON_GAME_OVER
            _log.log(logging.DEBUG if usual else logging.WARNING, "refused: %s", refusal.message)

    async def _think(self, request: bot_pb2.PlayRequest, out: _Out) -> None:
        """Has the bot decide every turn of a message."""
        if self._thinker.is_async:
            await self._thinker.think_async(request, out.send)
            return
        loop = asyncio.get_running_loop()

        def deliver(made: list[bot_pb2.Decision]) -> None:
            loop.call_soon_threadsafe(out.send, made)

        await loop.run_in_executor(self.executor, self._thinker.think, request, deliver)

    def _tell(self, over: bot_pb2.GameOver) -> None:
        """In the thread that also chooses, before it is asked about what comes later."""
        if self._thinker.is_async:
            _told(self.bot, over)
        elif type(self.bot).game_over is not Bot.game_over:
            asyncio.get_running_loop().run_in_executor(self.executor, _told, self.bot, over)


class _Out:
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


async def _write(out: _Out, write: Write) -> None:
    while (response := await out.next()) is not None:
        await write(response)


def _told(bot: Bot, over: bot_pb2.GameOver) -> None:
    try:
        bot.game_over(over)
    except Exception:  # noqa: BLE001 - the game is decided: a line in the log is enough
        _log.exception("game_over of %s", over.game)
