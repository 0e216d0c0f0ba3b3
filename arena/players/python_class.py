"""A bot class in this process: the same class that the SDK serves over gRPC."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import logging
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import partial

from arena.games import Game
from arena.players.base import Answer, Ask, Ending, Limits
from arena.players.fault import EngineUnavailable, Fault, Unavailable
from arena.players.local import LocalPlayer, crashed
from arena.players.messages import TurnWriter, answer_of, game_over_of
from arena.players.spec import EngineSpec
from arena.protocol.v1 import bot_pb2
from arena.sdk.bot import Bot, batches
from arena.sdk.thinker import Thinker

# As many as a stream would bring at once.
_BATCH = 64

# What the code of a bot's author may raise; an exit would end the thread that the others wait for.
_ANYTHING = (Exception, SystemExit)
_log = logging.getLogger(__name__)


def class_of(target: str) -> type[Bot]:
    """The class of "module:Class", imported. Raises ValueError for what is none."""
    module, _, name = target.partition(":")
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"python:{target}: {error}") from None
    except _ANYTHING as error:
        raise ValueError(f"python:{target}: importing it: {error!r}") from None
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        raise ValueError(f"python:{target}: must be a subclass of arena.sdk.Bot")
    globs: object = found.games
    if not (isinstance(globs, list | tuple) and all(isinstance(glob, str) for glob in globs)):
        raise ValueError(
            f"python:{target}: its games must be a list of texts such as 'gomoku/*', not {globs!r}"
        )
    return found


class PythonPlayer(LocalPlayer):
    """An `arena.sdk.Bot` subclass, asked turn by turn with the messages of the protocol."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """`spec.target` is "module:Class"."""
        super().__init__(spec, limits)
        self._thinker: Thinker | None = None
        self._writer = TurnWriter()

    def load(self) -> None:
        """Imports the class and makes one bot of it. Raises EngineUnavailable."""
        try:
            found = class_of(self.spec.target)
        except ValueError as error:
            raise self._unfit(str(error)) from None
        try:
            bot = found()
            bot.load()
        except _ANYTHING as error:
            raise self._unfit(f"python:{self.spec.target}: making it: {error!r}") from None
        self._thinker = Thinker(bot)
        self.batch = (bot.preferred_batch or _BATCH) if batches(bot) else 1
        self._writer = TurnWriter(legal_moves=bot.wants_legal_moves)

    def _unfit(self, message: str) -> EngineUnavailable:
        return EngineUnavailable(self.spec.id, Unavailable.UNFIT, message)

    def unfit(self, game: Game) -> str | None:
        """Why the class does not play these rules, or None."""
        assert self._thinker is not None
        globs = self._thinker.bot.games
        if any(fnmatchcase(game.name, glob) for glob in globs):
            return None
        return f"plays {', '.join(globs) or 'nothing'}, not {game.name}"

    def capacity(self, clocked: bool) -> int | None:
        """As the class declares."""
        assert self._thinker is not None
        return self._thinker.bot.max_parallel_games or None

    def think(self, asks: Sequence[Ask]) -> Sequence[Answer | Fault]:
        """The bot's answers."""
        thinker = self._thinker
        assert thinker is not None
        made: list[bot_pb2.Decision] = []
        try:
            request = self._writer.request(asks)
            if thinker.is_async:
                asyncio.run(thinker.think_async(request, made.extend))
            else:
                thinker.think(request, made.extend)
        except BaseException as error:  # noqa: BLE001 - SystemExit too must not end our thread
            return [crashed(error)] * len(asks)
        # Async bots answer in any order.
        by_turn = {(decision.game, decision.seat): answer_of(decision) for decision in made}
        return [by_turn[ask.table.game_id, ask.seat] for ask in asks]

    def game_over(self, game: Game, seats: Sequence[int], ending: Ending) -> None:
        """Tells the bot, in its own thread."""
        if self._thinker is not None and type(self._thinker.bot).game_over is not Bot.game_over:
            self.tell(partial(_tell, self._thinker.bot, game_over_of(ending, seats)))


def _tell(bot: Bot, over: bot_pb2.GameOver) -> None:
    try:
        bot.game_over(over)
    except _ANYTHING:  # the game is decided: a line in the log is enough
        _log.warning("%s raised in game_over", type(bot).__name__, exc_info=True)
