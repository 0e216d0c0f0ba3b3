"""Who has fallen in a game that others play on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena._core import State

_OUT = re.compile(r" out=(\S+)")


def settled(state: State) -> tuple[int, ...]:
    """`Family.settled`: by when each seat fell; a fallen seat of a team shares its ally's fate."""
    places = [0] * len(state.sides())
    found = _OUT.search(state.setup())
    if found and found[1] != "-":
        for number, entry in enumerate(found[1].split("."), start=1):
            places[int(entry[0])] = -number
    return tuple(places)
