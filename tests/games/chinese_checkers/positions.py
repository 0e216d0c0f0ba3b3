"""Positions for the tests of Chinese checkers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import arena
from arena._core import State
from arena.games.chinese_checkers.notation import DIRECTIONS, TIPS, star_of
from arena.games.chinese_checkers.observation import Observation


def checkers(book: str, **settings: object) -> arena.Game:
    return arena.game(f"chinese_checkers/{book}", **settings)


def look(state: State) -> Observation:
    return Observation.from_json(state.observe(arena.SPECTATOR))


def homes(game: arena.Game) -> list[str]:
    """Homes of all sets, clockwise."""
    return [view.home for view in look(game.new_state()).sets]


def opposite(tip: str) -> str:
    return TIPS[(TIPS.index(tip) + 3) % 6]


def place(
    game: arena.Game,
    pieces: Mapping[str, Iterable[str]],
    *,
    seat: int = 0,
    round: int = 1,
    more: str = "",
) -> State:
    """A position from the pieces of some sets; the other sets are empty."""
    words = [f"{home}={','.join(pieces.get(home, ())) or '-'}" for home in homes(game)]
    return game.new_state(setup=f"{' '.join(words)} seat={seat} round={round} {more}".strip())


def moves(state: State, seat: int = 0) -> set[str]:
    return {str(move) for move in state.moves(seat)}


def ends_from(state: State, hole: str, seat: int = 0) -> set[str]:
    """Where the piece of a hole may end."""
    split = (move for move in moves(state, seat) if move != "pass")
    return {
        move[len(hole) :]
        for move in split
        if move.startswith(hole) and not move[len(hole)].isdigit()
    }


@dataclass(frozen=True)
class Nearly:
    """A set of which one piece is left outside its target, beside the last open hole."""

    pieces: tuple[str, ...]
    finish: str
    """The step into the target."""

    delay: str
    """A step aside instead …"""

    finish_later: str
    """… after which this one finishes."""


def nearly(game: arena.Game, home: str) -> Nearly:
    """All pieces but one in the target; whole tips only."""
    layout = star_of(game)
    target = [n for n, at in layout.names.items() if layout.tip(at) == opposite(home)]
    for entry in target:
        near = (layout.names[entry] + step for step in DIRECTIONS)
        outside = [layout.at[at] for at in near if at in layout.at]
        outside = [n for n in outside if layout.tip(layout.names[n]) is None]
        if len(outside) == 2:
            first, second = outside
            rest = [hole for hole in target if hole != entry]
            return Nearly((*rest, first), first + entry, first + second, second + entry)
    raise AssertionError(home)


def play(state: State, *turns: tuple[int, str]) -> State:
    for seat, move in turns:
        state.apply(seat, move)
    return state
