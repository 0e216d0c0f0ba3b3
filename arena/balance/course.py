"""How games go from move to move: how many moves there were to choose from, how often the lead changed.

Neither is part of a result, so both are read from records that were kept, by playing them again.
A block counts when the records of all of its games are there: a sweep keeps them by block, so
that which blocks have one does not depend on what happened in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arena.balance.leads import LEADS, leader
from arena.games import Record, Seat, play_recorded
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
