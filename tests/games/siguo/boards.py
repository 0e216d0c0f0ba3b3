"""Short ways to positions for the tests of Siguo Junqi."""

from __future__ import annotations

from typing import Any

import arena
from arena import SPECTATOR
from arena.games.siguo.observation import Observation, UnitView

LAYOUT = "37254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"
"""A legal line-up."""

OTHER = "73254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"

FOUR = f"S={LAYOUT} E={LAYOUT} N={LAYOUT} W={LAYOUT}"


def board(book: str = "doc001", /, **given: Any) -> arena.State:
    """A position of the units named by home; seats that are not named have none.

    `turn` is the seat to act, `rest` more of the set-up line, anything else a setting.
    """
    armies = {home: given.pop(home) for home in "SENW" if home in given}
    turn, rest = given.pop("turn", 0), given.pop("rest", "")
    words = " ".join(f"{home}={units}" for home, units in armies.items())
    game = arena.game(f"siguo/{book}", **given)
    return game.new_state(setup=f"turn={turn} {words} {rest}")


def seen(state: arena.State, viewer: int = SPECTATOR) -> Observation:
    return Observation.from_json(state.observe(viewer))


def at(state: arena.State, point: str, viewer: int = SPECTATOR) -> UnitView:
    """The unit on a point, as a viewer sees it."""
    (unit,) = [unit for unit in seen(state, viewer).units if unit.at == point]
    return unit


def steps(state: arena.State, seat: int, start: str) -> set[str]:
    """Where the unit on a point can go."""
    return {str(move)[4:] for move in state.moves(seat) if str(move).startswith(start)}
