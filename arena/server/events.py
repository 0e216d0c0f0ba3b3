"""News for those who watch: nobody who reads slowly keeps anybody waiting."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import grpc

from arena.ledger import GameResult
from arena.match.request import GameRequest
from arena.server.errors import Reason, ServiceError, not_good, over_quota
from arena.server.tokens import Token

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

    def __init__(self, token_id: str) -> None:
        """Has heard nothing yet. The token is the one that lets them watch."""
        self.token_id = token_id
        self._queue: asyncio.Queue[News | ServiceError | None] = asyncio.Queue(_WAITING)
        self._slow = False

    def tell(self, news: News) -> None:
        """Passes news on, if they still keep up."""
        if self._slow:
            return
        try:
            self._queue.put_nowait(news)
        except asyncio.QueueFull:
            self._slow = True

    def end(self, why: ServiceError | None = None) -> None:
        """There will be no more; None: because the arena goes away."""
        while self._queue.full():
            self._queue.get_nowait()
        self._queue.put_nowait(why)

    async def news(self) -> AsyncIterator[News]:
        """What happens, as it happens. Raises ServiceError for who may not watch on."""
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
            if isinstance(found, ServiceError):
                raise found
            yield found


class Places:
    """Who watches something takes one of them."""

    def __init__(self, most: int, most_each: int) -> None:
        """So many, and so many of one account."""
        self._most, self._most_each = most, most_each
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, account: str) -> Iterator[None]:
        """One of them, as long as this lasts. Raises ServiceError where none is free."""
        if self._taken[account] >= self._most_each:
            raise over_quota(
                f"account:{account}/watchers", f"this account is watching {self._most_each} streams"
            )
        if self._taken.total() >= self._most:
            raise over_quota("watchers", f"{self._most} streams are being watched already")
        self._taken[account] += 1
        try:
            yield
        finally:
            self._taken[account] -= 1
            if not self._taken[account]:
                del self._taken[account]


class Broadcast:
    """Everybody who watches the standing play."""

    def __init__(self, most: int, most_each: int) -> None:
        """At most so many at once, and so many of one account."""
        self.places = Places(most, most_each)
        self._watchers: set[Watcher] = set()

    @contextmanager
    def watching(self, token: Token) -> Iterator[Watcher]:
        """One more who watches, as long as this lasts. Raises ServiceError when there are enough."""
        with self.places.taken(token.account):
            watcher = Watcher(token.token_id)
            self._watchers.add(watcher)
            try:
                yield watcher
            finally:
                self._watchers.discard(watcher)

    def tell(self, news: News) -> None:
        """Tells everybody."""
        for watcher in self._watchers:
            watcher.tell(news)

    def tokens(self) -> set[str]:
        """Of all who watch."""
        return {watcher.token_id for watcher in self._watchers}

    def revoked(self, token_ids: set[str]) -> None:
        """Ends the streams of tokens that are no good any more."""
        for watcher in self._watchers:
            if watcher.token_id in token_ids:
                watcher.end(not_good())

    def close(self) -> None:
        """There will be no more news."""
        for watcher in self._watchers:
            watcher.end()
