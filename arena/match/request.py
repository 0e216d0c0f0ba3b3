"""One game to play, as the plan hands it to a worker, and what says why it was not."""

from __future__ import annotations

from dataclasses import dataclass

from arena.games import Game
from arena.players.fault import Unavailable
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


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A request that could not begin or go on, through no fault in play.

    It is nobody's loss: the scheduler parks it, or gives it to another worker later.
    """

    request: GameRequest
    engine: str
    """`EngineSpec.id` of the engine in the way."""

    cause: Unavailable
    message: str
    """One sentence for the log: what was tried, what came back."""
