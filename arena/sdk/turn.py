"""One turn as a bot sees it: a thin, lazy view of the protocol's message."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from arena._core import State
from arena.games import Game, RulesError, Seat, game_from_rules
from arena.protocol.convert import settings_of
from arena.protocol.v1 import bot_pb2, types_pb2

_RULES_KEPT = 256


class RulesCache:
    """Games by rules digest, those asked for last, so that each set of rules is built once.

    The digest is the arena's word: a bot plays by the rules that its arena names.
    """

    def __init__(self) -> None:
        """Empty."""
        self._games: OrderedDict[str, Game] = OrderedDict()

    def game(self, rules: types_pb2.Rules) -> Game:
        """The game of a rules message. Raises RulesError where this build cannot play it."""
        found = self._games.get(rules.digest)
        if found is None:
            found = game_from_rules(rules.rulebook, settings_of(rules))
            self._games[rules.digest] = found
            if len(self._games) > _RULES_KEPT:
                self._games.popitem(last=False)
        self._games.move_to_end(rules.digest)
        return found


class Turn:
    """A seat of a game that owes a move. Values are made when they are asked for."""

    __slots__ = ("_cache", "_state", "message", "rules")

    def __init__(self, message: bot_pb2.Turn, rules: types_pb2.Rules, cache: RulesCache) -> None:
        """Wraps a message of the protocol."""
        self.message = message
        self.rules = rules
        self._cache = cache
        self._state: State | None = None

    @property
    def game_id(self) -> str:
        """Opaque name of the game."""
        return self.message.game

    @property
    def seat(self) -> Seat:
        """The seat to move for."""
        return Seat(self.message.seat)

    @property
    def seats(self) -> int:
        """How many seats the game has."""
        return self.rules.seats

    @property
    def ply(self) -> int:
        """Moves played since the setup."""
        return self.message.ply

    @property
    def rulebook(self) -> str:
        """Such as "gomoku/doc001"."""
        return self.rules.rulebook

    @property
    def settings(self) -> dict[str, bool | int | str | None]:
        """Every setting of the rules."""
        return settings_of(self.rules)

    @property
    def game(self) -> Game:
        """The rules, ready to play with locally."""
        return self._cache.game(self.rules)

    @property
    def observation_text(self) -> str:
        """What this seat may know, as canonical JSON."""
        return self.message.observation

    @property
    def observation(self) -> dict[str, Any]:
        """The same, decoded; docs/games says what is in it."""
        decoded = json.loads(self.message.observation)
        assert isinstance(decoded, dict)
        return decoded

    @property
    def position(self) -> str:
        """Setup text of the whole position; empty in games with hidden information."""
        return self.message.position

    @property
    def events(self) -> Sequence[types_pb2.Event]:
        """What happened since this seat's last turn."""
        return self.message.events

    @property
    def limit_ms(self) -> int:
        """Time for this move, as of when it was sent."""
        return self.message.limit_ms

    @property
    def clocks(self) -> Sequence[types_pb2.SeatClock]:
        """By seat; empty where no clock runs."""
        return self.message.clocks

    @property
    def seed(self) -> int:
        """For reproducible bots: the source of all randomness in this seat of this game."""
        return self.message.seed

    @property
    def draw_offered(self) -> bool:
        """Whether another seat's offer of a draw stands."""
        return bool(self.message.draw_offers)

    @property
    def refused(self) -> str:
        """Why the last answer to this turn was refused, where it may be tried again."""
        return self.message.refused

    def state(self) -> State:
        """The position, playable: moves, checks, look-ahead. Yours to change.

        Full-information games only; raises RulesError for the others, or where this build
        does not know the rules.
        """
        if not self.message.position:
            raise RulesError(f"{self.rulebook}: a seat does not see the whole state of this game")
        return self.game.core.from_setup(self.message.position)

    @property
    def legal(self) -> Sequence[str]:
        """Canonical texts of legal moves: as sent, or by local rules.

        Raises RulesError where a seat does not see the whole state and the bot has not set
        `wants_legal_moves`.
        """
        if self.message.HasField("legal_moves"):
            return self.message.legal_moves.moves
        if self._state is None:
            if not self.message.position:
                raise RulesError(
                    f"{self.rulebook}: a seat does not see the whole state of this game; "
                    "set wants_legal_moves = True to have its moves sent along"
                )
            self._state = self.state()
        return _Texts(self._state, self.message.seat)

    def __repr__(self) -> str:
        """For logs."""
        return f"<Turn {self.rules.label} {self.game_id} seat {self.seat} ply {self.ply}>"


class _Texts(Sequence[str]):
    """The lazy view of a state's moves, as texts."""

    __slots__ = ("_moves",)

    def __init__(self, state: State, seat: int) -> None:
        self._moves = state.moves(seat)

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [str(self._moves[i]) for i in range(*index.indices(len(self)))]
        return str(self._moves[index])

    def __contains__(self, move: object) -> bool:
        return isinstance(move, str) and move in self._moves
