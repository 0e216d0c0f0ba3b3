"""Short ways to positions for the tests of Siguo Junqi."""

from __future__ import annotations

from functools import cache
from typing import Any

import arena
from arena import SPECTATOR
from arena.games.siguo.observation import Observation, UnitView

LAYOUT = "37254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"
"""A legal line-up."""

OTHER = "73254/6.8.2/51.13/7.9.6/4B1B3/MFM2M"

FOUR = f"S={LAYOUT} E={LAYOUT} N={LAYOUT} W={LAYOUT}"


@cache
def game(book: str, /, **settings: Any) -> arena.Game:
    """One game for one set of rules, so that engines and positions belong together."""
    return arena.game(f"siguo/{book}", **settings)


def board(book: str = "doc001", /, **given: Any) -> arena.State:
    """A position of the units named by home; seats that are not named have none.

    `turn` is the seat to act, `rest` more of the set-up line, anything else a setting.
    """
    armies = {home: given.pop(home) for home in "SENW" if home in given}
    turn, rest = given.pop("turn", 0), given.pop("rest", "")
    words = " ".join(f"{home}={units}" for home, units in armies.items())
    return game(book, **given).new_state(setup=f"turn={turn} {words} {rest}")


def seen(state: arena.State, viewer: int = SPECTATOR) -> Observation:
    return Observation.from_json(state.observe(viewer))


def choice(spec: str, state: arena.State, book: str = "doc001", **settings: Any) -> str:
    """What a fresh engine plays in a position of `board`."""
    engine = game(book, **settings).core.engine(spec)
    engine.new_game(1)
    return str(engine.choose(state, min(state.seats_to_act()))[0])


def at(state: arena.State, point: str, viewer: int = SPECTATOR) -> UnitView:
    """The unit on a point, as a viewer sees it."""
    (unit,) = [unit for unit in seen(state, viewer).units if unit.at == point]
    return unit


def steps(state: arena.State, seat: int, start: str) -> set[str]:
    """Where the unit on a point can go."""
    return {str(move)[4:] for move in state.moves(seat) if str(move).startswith(start)}
