"""News for those who watch: nobody who reads slowly keeps anybody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import grpc

from arena.ledger import GameResult
from arena.match.request import GameRequest
from arena.server.errors import Reason, ServiceError, over_quota

_WAITING = 512


class Changed:
    """An engine whose state or standing is not what it was."""

    def __init__(self, engine: str) -> None:
        """`engine` is its id in results, name@version."""
        self.engine = engine


News = GameRequest | GameResult | Changed
"""A game that begins, one that has ended, an engine that has changed."""


class Watcher:
    """One who watches."""

    def __init__(self) -> None:
        """Has heard nothing yet."""
        self._queue: asyncio.Queue[News | None] = asyncio.Queue(_WAITING)
        self._slow = False

    def tell(self, news: News) -> None:
        """Passes news on, if they still keep up."""
        if self._slow:
            return
        try:
            self._queue.put_nowait(news)
        except asyncio.QueueFull:
            self._slow = True

    def end(self) -> None:
        """There will be no more."""
        while self._queue.full():
            self._queue.get_nowait()
        self._queue.put_nowait(None)

    async def news(self) -> AsyncIterator[News]:
        """What happens, as it happens. Raises ServiceError for who has not kept up."""
        while True:
            if self._slow and self._queue.empty():
                raise ServiceError(
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                    Reason.TOO_SLOW,
                    f"{_WAITING} events were waiting to be read: watch again",
                )
            found = await self._queue.get()
            if found is None:
                return
            yield found


class Places:
    """Who watches something takes one of them."""

    def __init__(self, most: int) -> None:
        """So many."""
        self._most = most
        self._taken = 0

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One of them, as long as this lasts. Raises ServiceError where none is free."""
        if self._taken >= self._most:
            raise over_quota("watchers", f"{self._most} streams are being watched already")
        self._taken += 1
        try:
            yield
        finally:
            self._taken -= 1


class Broadcast:
    """Everybody who watches the standing play."""

    def __init__(self, most: int) -> None:
        """At most so many at once."""
        self.places = Places(most)
        self._watchers: set[Watcher] = set()

    @contextmanager
    def watching(self) -> Iterator[Watcher]:
        """One more who watches, as long as this lasts. Raises ServiceError when there are enough."""
        with self.places.taken():
            watcher = Watcher()
            self._watchers.add(watcher)
            try:
                yield watcher
            finally:
                self._watchers.discard(watcher)

    def tell(self, news: News) -> None:
        """Tells everybody."""
        for watcher in self._watchers:
            watcher.tell(news)

    def close(self) -> None:
        """There will be no more news."""
        for watcher in self._watchers:
            watcher.end()
