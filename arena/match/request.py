"""One game to play, as the plan hands it to a worker."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games import Game
from arena.players.spec import EngineSpec


@dataclass(frozen=True, slots=True)
class GameRequest:
    """A planned game: identity, rules, who sits where, and all of its chance."""

    game_id: str
    sweep_id: str
    cell_id: str
    block: int
    permutation: int
    game: Game
    engines: tuple[EngineSpec, ...]
    """By seat."""

    deal_seed: int
    """Setup and random opening; the same for all games of a block."""

    engine_seed: int
    """The engines' own randomness."""

    opening_plies: int = 0
    """Random legal moves, drawn from `deal_seed`, before the engines start."""

    keep_record: bool = False
