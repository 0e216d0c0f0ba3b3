"""The reference ladder: built-in engines of each game, weakest first.

They live in the core and play by node budgets, so a result does not depend on the machine.
"""

from __future__ import annotations

from arena.games import family
from arena.players.spec import EngineSpec


def ladder(family_id: str, version: str = "1") -> tuple[EngineSpec, ...]:
    """The rungs of a game, weakest first; each beats the one before clearly.

    Raises RulesError for a game that does not exist.

    >>> ladder("gomoku")[0].target
    'random'
    """
    return tuple(EngineSpec.parse(rung, version=version) for rung in family(family_id).rungs)
