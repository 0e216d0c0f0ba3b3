"""Reference engines of the core, for games that the referee has to watch."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from arena._core import Engine
from arena.games import Game
from arena.players.base import Answer, Ask, Ending, Limits
from arena.players.fault import Fault
from arena.players.local import LocalPlayer, crashed
from arena.players.spec import EngineSpec

_SPARE = 64


class BuiltinPlayer(LocalPlayer):
    """A core engine. Each seat of each game has its own, seeded as the core itself does."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """`spec.target` is the engine's text, "search:nodes=400"."""
        super().__init__(spec, limits)
        self._seated: dict[tuple[str, int], Engine] = {}
        self._spare: dict[Game, list[Engine]] = {}
        self._lock = threading.Lock()

    def load(self) -> None:
        """Nothing: engines are made by game."""

    def unfit(self, game: Game) -> str | None:
        """Why these rules have no such engine, or None."""
        if game not in self._spare:
            try:
                self._give_back(game, game.core.engine(self.spec.target))
            except ValueError as error:
                return str(error)
        return None

    def think(self, asks: Sequence[Ask]) -> Sequence[Answer | Fault]:
        """The engine's moves."""
        return [self._choose(ask) for ask in asks]

    def _choose(self, ask: Ask) -> Answer | Fault:
        try:
            engine = self._engine(ask)
            move, decision = engine.choose(ask.table.state, ask.seat)
        except Exception as error:  # noqa: BLE001 - a fault of the engine, whatever it is
            return crashed(error)
        return Answer(move=str(move), value=decision.value)

    def _engine(self, ask: Ask) -> Engine:
        key = (ask.table.game_id, ask.seat)
        game = ask.table.game
        with self._lock:
            engine = self._seated.get(key)
            if engine is not None:
                return engine
            spare = self._spare.get(game)
            engine = spare.pop() if spare else None
        if engine is None:
            engine = game.core.engine(self.spec.target)
        engine.new_game(ask.seed)
        with self._lock:
            self._seated[key] = engine
        return engine

    def game_over(self, game: Game, seats: Sequence[int], ending: Ending) -> None:
        """Takes the engines back."""
        with self._lock:
            done = [key for key in self._seated if key[0] == ending.game_id]
            engines = [self._seated.pop(key) for key in done]
        busy = self._lane.thinking if self._lane is not None else ()
        if all(ask.table.game_id != ending.game_id for ask in busy):
            for engine in engines:
                self._give_back(game, engine)

    def _give_back(self, game: Game, engine: Engine) -> None:
        with self._lock:
            spare = self._spare.setdefault(game, [])
            if len(spare) < _SPARE:
                spare.append(engine)
