"""Positions to put to a bot: one of each kind that random play comes to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from arena._core import Events, Rng, State
from arena.games import Game, Seat

_WALKS = 2
_PLIES = 160
# Moves looked at for their kinds; lists of cards can be long.
_MOVES = 200
_WORD = re.compile(r"[a-z_]+")
_MOST = 12


@dataclass(frozen=True, slots=True)
class Position:
    """A seat that owes a move, and what has happened so far."""

    game: Game
    seat: Seat
    state: State
    """Never played on."""

    events: tuple[Events, ...]
    """Since the beginning, one entry a move."""

    phase: str
    kinds: tuple[str, ...]
    """Kinds of moves that are legal, by their first word: "move", "claim", "swap" …"""

    size: int
    """Characters of the observation."""


def kind_of(move: str) -> str:
    """The kind of a canonical move: its first word, or "move" where that is a point."""
    word = move.partition(" ")[0]
    return word if _WORD.fullmatch(word) else "move"


def positions(game: Game, seed: int) -> list[Position]:
    """One position for each phase and each set of move kinds, and the last before an end.

    They come from games of random moves, so that all is there that is not rare.
    """
    found: dict[object, Position] = {}
    late: list[Position] = []
    for walk in range(_WALKS):
        state = game.new_state(seed + walk)
        rng = Rng(seed + walk)
        log: list[Events] = []
        last: Position | None = None
        while state.seats_to_act() and state.plies < _PLIES:
            seat = Seat(min(state.seats_to_act()))
            phase, kinds, size = look(state, seat)
            if (phase, kinds) not in found or _is_late(state):
                last = Position(game, seat, state.clone(), tuple(log), phase, kinds, size)
                found.setdefault((phase, kinds), last)
            log.append(state.apply(seat, state.sample_move(seat, rng)))
        if last is not None:
            late.append(last)
    kept = list(found.values())[:_MOST]
    return [*kept, *(one for one in late if one not in kept)]


def _is_late(state: State) -> bool:
    return state.plies % 20 == 19


def look(state: State, seat: Seat) -> tuple[str, tuple[str, ...], int]:
    """Phase, kinds of legal moves, and characters of the observation."""
    text = state.observe(seat)
    phase = json.loads(text).get("phase", "")
    moves = state.moves(seat)
    step = max(1, len(moves) // _MOVES)
    kinds = {kind_of(str(moves[index])) for index in range(0, len(moves), step)}
    return str(phase), tuple(sorted(kinds)), len(text)
