"""How games go from move to move: how many moves there were to choose from, how often the lead changed.

Neither is part of a result, so both are read from records that were kept, by playing them again.
A block counts when the records of all of its games are there: a sweep keeps them by block, so
that which blocks have one does not depend on what happened in them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from arena._core import State
from arena.games import SPECTATOR, Record, Seat, play_recorded
from arena.games.registry import game_from_rules
from arena.ledger.result import GameResult
from arena.ledger.table import CellGames
from arena.ratings.blocks import Interval, positive_interval


@dataclass(frozen=True, slots=True)
class GameCourse:
    """One game, played again."""

    turns: int
    """Moves that were chosen from a whole list: some, as what to bury of 33 cards, have none."""

    choices: int
    """Legal moves at those turns, added up."""

    changes: int | None
    """How often another side took the lead; None in games that keep no count of who leads."""


@dataclass(frozen=True, slots=True)
class CourseBalance:
    """How the games of one cell go; means over blocks, 95 %."""

    rulebook: str
    level: str
    blocks: int
    branching: Interval | None
    """Legal moves a turn; None where no turn has a whole list of them."""

    lead_changes: Interval | None
    """A game; None in games that keep no count of who leads."""


_MATERIAL = {"r": 9.0, "c": 4.5, "h": 4.0, "n": 4.0, "e": 2.0, "b": 2.0, "a": 2.0, "p": 1.0}


def _xiangqi(seen: Mapping[str, Any]) -> dict[int, float]:
    """Pieces at their usual worth: red (capitals), black."""
    worth = {0: 0.0, 1: 0.0}
    for piece in seen["board"]:
        worth[int(piece.islower())] += _MATERIAL.get(piece.lower(), 0.0)
    return worth


def _siguo(seen: Mapping[str, Any]) -> dict[int, float]:
    """Units on the board by team; seats without a team count for themselves."""
    worth: dict[int, float] = {}
    for unit in seen["units"]:
        team = seen["seats"][unit["seat"]]["team"]
        worth[team] = worth.get(team, 0.0) + (unit["at"] is not None)
    return worth


def _doudizhu(seen: Mapping[str, Any]) -> dict[int, float]:
    """The landlord's cards against the shorter of the peasants' hands: fewer lead."""
    lord, counts = seen["landlord"], seen["counts"]
    if lord is None or seen["phase"] not in ("play", "over"):
        return {}
    return {0: -counts[lord], 1: -min(n for seat, n in enumerate(counts) if seat != lord)}


def _tuolaji(seen: Mapping[str, Any]) -> dict[int, float]:
    """Points in the tricks of even and of odd seats, over the hand that is played."""
    worth = {0: 0.0, 1: 0.0}
    for trick in seen["tricks"]:
        if trick["winner"] is not None:
            worth[trick["winner"] % 2] += trick["points"]
    return worth


LEADS: Mapping[str, Callable[[Mapping[str, Any]], dict[int, float]]] = {
    "doudizhu": _doudizhu,
    "siguo": _siguo,
    "tuolaji": _tuolaji,
    "xiangqi": _xiangqi,
}
"""By family: what each side has so far, from what a spectator sees; {} before sides are known.

Gomoku and Chinese checkers keep no count that says who leads.
"""


def leader(family: str, state: State) -> int | None:
    """The side that leads alone, None where none does or nothing says."""
    count = LEADS.get(family)
    if count is None:
        return None
    worth = count(json.loads(state.observe(SPECTATOR)))
    best = [side for side, has in worth.items() if has == max(worth.values())]
    return best[0] if len(best) == 1 else None


def course_of(record: Record) -> GameCourse:
    """Play a record again. Raises what the rules raise for one that does not fit them."""
    game = game_from_rules(record.game, record.rules)
    state, family = game.new_state(setup=record.setup), game.family.id
    turns = choices = 0
    leads: list[int] = []
    for seat, move in record.moves:
        if seat in state.seats_to_act():
            view = state.moves(seat)
            if view.complete:
                turns += 1
                choices += len(view)
        play_recorded(state, Seat(seat), move)
        if (first := leader(family, state)) is not None:
            leads.append(first)
    changes = sum(a != b for a, b in pairwise(leads)) if family in LEADS else None
    return GameCourse(turns, choices, changes)


def courses(games: CellGames, results: Iterable[GameResult], most: int) -> CourseBalance | None:
    """The first `most` blocks of a cell whose records were all kept; None without any.

    `results` are the cell's results with a record, in the order of the plan
    (`Ledger.records`). Raises ValueError for fewer than one block, and what the rules raise
    for a record that does not fit them.
    """
    if most < 1:
        raise ValueError(f"{most} blocks: at least 1")
    whole, size = set(games.block.tolist()), len(games.cell.seatings)
    kept: list[tuple[int, list[GameCourse]]] = []
    waiting: dict[int, list[Record]] = {}
    for result in results:
        if result.record is None or result.block not in whole:
            continue
        there = waiting.setdefault(result.block, [])
        there.append(result.record)
        if len(there) == size:
            kept.append((result.block, [course_of(record) for record in there]))
            if len(kept) == most:
                break
    if not kept:
        return None
    blocks = [own for _, own in kept]
    turns = np.array([sum(game.turns for game in own) for own in blocks], dtype=np.float64)
    choices = np.array([sum(game.choices for game in own) for own in blocks], dtype=np.float64)
    changes = [[game.changes for game in own if game.changes is not None] for own in blocks]
    return CourseBalance(
        rulebook=games.cell.rulebook,
        level=games.cell.level,
        blocks=len(blocks),
        # Long games have more turns: the mean is over turns, and the block is the datum.
        branching=positive_interval(choices, turns) if turns.any() else None,
        lead_changes=positive_interval(
            np.array([sum(own) / len(own) for own in changes], dtype=np.float64)
        )
        if all(changes)
        else None,
    )
