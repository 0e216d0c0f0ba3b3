"""The service's database from the loop: one thread asks it, so that nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from arena.server.engines import EngineBook
from arena.server.sweeping.book import SweepBook
from arena.server.tokens import Token, TokenBook

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Desk:
    """The service's database, asked by one thread of its own so that the loop never waits."""

    def __init__(self, tokens: TokenBook, engines: EngineBook, sweeps: SweepBook) -> None:
        """Starts no thread before it is asked."""
        self.tokens = tokens
        self.engines = engines
        self.sweeps = sweeps
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="service database")

    async def ask(self, work: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        """Has the thread do something with a book."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: work(*arguments, **named))

    async def find(self, text: str) -> Token | None:
        """The token of a text."""
        return await self.ask(self.tokens.find, text)

    def close(self) -> None:
        """Lets the thread end."""
        self._thread.shutdown(wait=True, cancel_futures=True)
