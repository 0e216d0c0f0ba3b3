"""Asks a bot for its decisions; whatever it does comes back as protocol messages.

Used by the server of the SDK, and by the arena for classes in its own process.
"""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import Callable, Sequence
from time import perf_counter_ns

from arena._core import Move
from arena.protocol.v1 import bot_pb2, types_pb2
from arena.sdk.bot import Bot, Choice, Decision, batches
from arena.sdk.turn import RulesCache, Turn

Deliver = Callable[[list[bot_pb2.Decision]], None]

# Answers wait for company at most this long: one message for many quick answers, no
# waiting for slow ones.
_HOLD_NS = 2_000_000
_FAILURE_CHARS = 2_000


class Thinker:
    """One bot and its rules cache. Not for two threads at once."""

    def __init__(self, bot: Bot) -> None:
        """`bot` is asked from whatever thread or task calls `think`."""
        self.bot = bot
        self.is_async = inspect.iscoroutinefunction(
            bot.choose_batch if batches(bot) else bot.choose
        )
        self._batches = batches(bot)
        self._cache = RulesCache()

    def think(self, request: bot_pb2.PlayRequest, deliver: Deliver) -> None:
        """Decides every turn of a message, for bots that are not async."""
        rules = list(request.rules)
        if self._batches:
            deliver(self._batch(request, rules))
            return
        ready: list[bot_pb2.Decision] = []
        held_since = perf_counter_ns()
        choose = self.bot.choose
        cache = self._cache
        for message in request.turns:
            begun = perf_counter_ns()
            try:
                choice = choose(Turn(message, rules[message.rules], cache))
                ready.append(answer(message, choice, perf_counter_ns() - begun))
            except Exception:  # noqa: BLE001 - a bot may raise anything
                ready.append(failure(message))
            if perf_counter_ns() - held_since > _HOLD_NS:
                deliver(ready)
                ready = []
                held_since = perf_counter_ns()
        if ready:
            deliver(ready)

    async def think_async(self, request: bot_pb2.PlayRequest, deliver: Deliver) -> None:
        """Decides every turn of a message, for async bots; all at once."""
        rules = list(request.rules)
        if self._batches:
            begun = perf_counter_ns()
            try:
                turns = [Turn(m, rules[m.rules], self._cache) for m in request.turns]
                made = self.bot.choose_batch(turns)
                assert inspect.isawaitable(made)
                deliver(_together(request, await made, perf_counter_ns() - begun))
            except Exception:  # noqa: BLE001 - a bot may raise anything
                deliver([failure(message) for message in request.turns])
            return
        async with asyncio.TaskGroup() as group:
            for message in request.turns:
                group.create_task(self._one(message, rules, deliver))

    async def _one(
        self, message: bot_pb2.Turn, rules: Sequence[types_pb2.Rules], deliver: Deliver
    ) -> None:
        begun = perf_counter_ns()
        try:
            choice = self.bot.choose(Turn(message, rules[message.rules], self._cache))
            assert inspect.isawaitable(choice)
            deliver([answer(message, await choice, perf_counter_ns() - begun)])
        except Exception:  # noqa: BLE001 - a bot may raise anything
            deliver([failure(message)])

    def _batch(
        self, request: bot_pb2.PlayRequest, rules: Sequence[types_pb2.Rules]
    ) -> list[bot_pb2.Decision]:
        begun = perf_counter_ns()
        try:
            turns = [Turn(m, rules[m.rules], self._cache) for m in request.turns]
            made = self.bot.choose_batch(turns)
            if inspect.isawaitable(made):
                raise TypeError("choose_batch returned an awaitable but is not 'async def'")
            return _together(request, made, perf_counter_ns() - begun)
        except Exception:  # noqa: BLE001 - a bot may raise anything
            return [failure(message) for message in request.turns]


def _together(
    request: bot_pb2.PlayRequest, choices: Sequence[Choice], spent_ns: int
) -> list[bot_pb2.Decision]:
    if len(choices) != len(request.turns):
        raise ValueError(f"choose_batch gave {len(choices)} moves for {len(request.turns)} turns")
    return [
        answer(turn, choice, spent_ns) for turn, choice in zip(request.turns, choices, strict=True)
    ]


def answer(turn: bot_pb2.Turn, choice: object, spent_ns: int) -> bot_pb2.Decision:
    """A bot's choice as a message. Raises TypeError for anything that is no choice."""
    decision = bot_pb2.Decision(
        game=turn.game,
        revision=turn.revision,
        seat=turn.seat,
        thought_ms=min(spent_ns // 1_000_000, 0xFFFF_FFFF),
    )
    if type(choice) is str:
        decision.move = choice
    elif isinstance(choice, Move):
        decision.move = str(choice)
    elif isinstance(choice, Decision):
        decision.move = str(choice.move)
        decision.resign = choice.resign
        decision.offer_draw = choice.offer_draw
        decision.accept_draw = choice.accept_draw
        decision.comment = choice.comment
        decision.nodes = choice.nodes
        if choice.value is not None:
            decision.value = choice.value
        for move, probability in choice.policy:
            decision.policy.add(move=move, probability=probability)
        decision.drawn = choice.drawn
    else:
        raise TypeError(f"choose returned {choice!r}; a move is text, a Move or a Decision")
    return decision


def failure(turn: bot_pb2.Turn) -> bot_pb2.Decision:
    """What is answered where the bot raised: it loses this game, and says why."""
    return bot_pb2.Decision(
        game=turn.game,
        revision=turn.revision,
        seat=turn.seat,
        # An observation may hold half a character, and the bot's error show it.
        failure=traceback.format_exc()[-_FAILURE_CHARS:].encode("utf-8", "replace").decode(),
    )
