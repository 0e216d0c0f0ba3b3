"""Who has finished, and who is out, of a game that others play on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from arena.games.contract import SPECTATOR

if TYPE_CHECKING:
    from arena._core import State


def settled(state: State) -> tuple[int, ...]:
    """`Family.settled`: finishers have their place; all that are out share the last one."""
    seen = json.loads(state.observe(SPECTATOR))
    places = [0] * len(state.sides())
    for finisher in seen["finished"]:
        places[finisher["seat"]] = finisher["place"]
    for seat in seen["out"]:
        places[seat] = -1
    return tuple(places)
