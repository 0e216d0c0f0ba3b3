"""Rules of games: families, rulebooks, and the one door to both.

A *family* ("gomoku") is a set of settings; a *rulebook* ("gomoku/doc001") is a named
choice of them. ``game()`` gives a `Game`, which makes states; states are played
through the contract that docs/architecture.md describes.
"""

from arena.games.contract import (
    FOUL,
    RESIGN,
    SPECTATOR,
    Game,
    IllegalMove,
    Measure,
    Names,
    Record,
    Rules,
    RulesError,
    Seat,
    SetupError,
    play_recorded,
)
from arena.games.registry import (
    family,
    family_ids,
    family_named,
    game,
    game_from_rules,
    no_rulebook,
    rulebooks,
)

__all__ = [
    "FOUL",
    "RESIGN",
    "SPECTATOR",
    "Game",
    "IllegalMove",
    "Measure",
    "Names",
    "Record",
    "Rules",
    "RulesError",
    "Seat",
    "SetupError",
    "family",
    "family_ids",
    "family_named",
    "game",
    "game_from_rules",
    "no_rulebook",
    "play_recorded",
    "rulebooks",
]
