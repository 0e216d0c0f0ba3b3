"""What is to be sent to one bot: turns that are due, news, and turns under suspicion."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from arena.players.base import Ask, Ending, Verdict
from arena.players.messages import REASONS, TurnWriter, game_over_of
from arena.protocol.v1 import bot_pb2

# Without a wish of the bot: half of the usual 64 games, so that the bot works on one message
# while the worker makes the next.
_BATCH = 32
_MAX_BATCH = 4_096
_MAX_REFUSALS = 1_000


class Outbox:
    """Gathers whatever falls due in one step of the event loop into one message.

    After a lost connection, the turns that were on their way are *suspects*: they go out one at a
    time, each after the answer to the one before, and nothing else meanwhile. So a turn that
    breaks the bot is found, and breaks no other game.
    """

    def __init__(self) -> None:
        """Empty, for a bot without wishes."""
        self.wake = asyncio.Event()
        self.writer = TurnWriter()
        self._batch = _BATCH
        self._due: deque[Ask] = deque()
        self._suspects: deque[Ask] = deque()
        self._suspect: Ask | None = None
        self._news = bot_pb2.PlayRequest()

    def describe(self, description: bot_pb2.DescribeResponse) -> None:
        """Takes the bot's wishes."""
        wish = description.preferred_batch
        self._batch = min(wish, _MAX_BATCH) if wish else _BATCH
        self.writer = TurnWriter(description.observation_form, description.wants_legal_moves)

    def turn(self, ask: Ask) -> None:
        """A turn for the next message."""
        self._due.append(ask)
        self.wake.set()

    def announce(self, ask: Ask) -> None:
        """A game that the bot wants to be told of."""
        new = self._news.new_games.add(game=ask.table.game_id, seat=ask.seat, seed=ask.seed)
        new.rules = len(self._news.rules)
        self._news.rules.append(self.writer.rules(ask.table.game))
        self.wake.set()

    def game_over(self, ending: Ending, seats: Sequence[int]) -> None:
        """The news that a game has ended."""
        self._news.game_overs.append(game_over_of(ending, seats))
        self.wake.set()

    def refuse(self, decision: bot_pb2.Decision, verdict: Verdict | None, message: str) -> None:
        """Why an answer was not taken; without a verdict, nobody knows the game."""
        if len(self._news.refusals) >= _MAX_REFUSALS:
            return  # the bot does not read them
        self._news.refusals.add(
            game=decision.game[:64],
            revision=decision.revision,
            seat=decision.seat,
            reason=bot_pb2.REFUSAL_REASON_UNKNOWN_GAME if verdict is None else REASONS[verdict],
            message=message,
        )
        self.wake.set()

    def ping(self, number: int) -> None:
        """A ping, in place of one that has not gone out yet."""
        self._news.ping.number = number
        self.wake.set()

    def settled(self, ask: Ask) -> None:
        """A turn has been answered or withdrawn."""
        if self._suspect is ask:
            self._suspect = None
            self.wake.set()

    def unsent(self) -> set[Ask]:
        """Turns that are not on their way."""
        return {*self._due, *self._suspects}

    def suspect(self, asks: Iterable[Ask]) -> None:
        """Turns over which the connection was lost."""
        self._suspect = None
        self._suspects.extendleft(reversed(list(asks)))

    def clear(self) -> None:
        """Forgets all turns."""
        self._due.clear()
        self._suspects.clear()
        self._suspect = None

    def next(self) -> bot_pb2.PlayRequest | None:
        """The next message that is due, if any."""
        asks = self._next_turns()
        news = self._news
        if not asks and not news.ByteSize():
            return None
        request = self.writer.request(asks)
        if news.ByteSize():
            self._news = bot_pb2.PlayRequest()
            for new in news.new_games:
                new.rules += len(request.rules)
            request.MergeFrom(news)
        return request

    def _next_turns(self) -> list[Ask]:
        if self._suspect is not None:
            return []
        while self._suspects:
            ask = self._suspects.popleft()
            if not ask.done:
                self._suspect = ask
                return [ask]
        asks: list[Ask] = []
        while self._due and len(asks) < self._batch:
            ask = self._due.popleft()
            if not ask.done:
                asks.append(ask)
        return asks
