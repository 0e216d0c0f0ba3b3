"""Results from anywhere as a table: for ratings of games that no ledger of ours holds.

    table = table_of_games([duel("ann", "bob", 1), duel("bob", "cy", 0.5)])
    strengths(table, effects=Effects.NONE).difference("ann", "cy")

Every game is a block by itself: what games shared (a deal, an opening) is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arena._core import Termination
from arena.ledger.codec import Ending
from arena.ledger.rows import CellRow
from arena.ledger.table import GameTable, table_of

Side = str | Sequence[str]
"""A player, or partners who win together."""


class Game(NamedTuple):
    """Who played, side by side in the order of their seats, and who came where."""

    sides: tuple[Side, ...]
    places: tuple[int, ...]
    """1 is best; sides that tie share a place."""


def duel(first: str, second: str, score: float) -> Game:
    """A game of two, by the score of the first: 1, 0.5 or 0. Raises ValueError for any other."""
    places = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}.get(score)
    if places is None:
        raise ValueError(f"score {score} of {first} against {second}: must be 1, 0.5 or 0")
    return Game((first, second), places)


def order(*sides: Side) -> Game:
    """A game without ties, the winner first."""
    return Game(sides, tuple(range(1, len(sides) + 1)))


def table_of_games(games: Iterable[Game], name: str = "games/elsewhere") -> GameTable:
    """The table that `strengths`, `leaderboard` and the views take.

    `name` stands where a table of a ledger has the rulebook; a leaderboard is asked for by what is
    before the stroke. Raises ValueError for games of fewer than two sides or without a place for each.
    """
    cells: dict[tuple[str, ...], list[tuple[int, Ending]]] = {}
    for number, game in enumerate(games):
        seating, ending = _seated(game, number)
        cells.setdefault(seating, []).append((number, ending))
    endings = sorted({ending for played in cells.values() for _, ending in played})
    key = {ending: i for i, ending in enumerate(endings)}
    rows = [
        # The number of the game is that of its block, so that no two games share a set-up.
        np.array([(number, 0, key[ending], 0) for number, ending in played], dtype=np.int64)
        for played in cells.values()
    ]
    return table_of(
        [_cell(i, name, seating, len(rows[i])) for i, seating in enumerate(cells)],
        rows,
        dict(enumerate(endings)),
        [{} for _ in rows],
    )


def _seated(game: Game, number: int) -> tuple[tuple[str, ...], Ending]:
    sides = [[side] if isinstance(side, str) else list(side) for side in game.sides]
    if len(sides) < 2 or not all(sides) or len(game.places) != len(sides):
        raise ValueError(
            f"game {number}: sides {list(game.sides)} with places {list(game.places)}; "
            "expected two sides or more, somebody on each, and a place for each"
        )
    # Standard competition ranks of seats: who has nobody better is first, partners alike.
    place = [p for side, p in zip(sides, game.places, strict=True) for _ in side]
    better = [sum(other < own for other in place) for own in place]
    sizes = [i for i, side in enumerate(sides) for _ in side]
    beaten = [
        [(own < other) + (own == other) / 2 for j, other in enumerate(game.places) if j != i]
        for i, own in enumerate(game.places)
    ]
    score = [sum(row) / len(row) for row in beaten]
    ending = Ending(
        Termination.adjudicated,
        None,
        tuple(score[side] for side in sizes),
        tuple(1 + n for n in better),
        tuple(sizes),
        ("",) * len(sizes),
    )
    return tuple(who for side in sides for who in side), ending


def _cell(index: int, name: str, seating: tuple[str, ...], games: int) -> CellRow:
    return CellRow(
        cell_id=f"elsewhere-{index}",
        sweep_id="elsewhere",
        index=index,
        rulebook=name,
        family=name.partition("/")[0],
        rules_digest=name,
        settings={},
        seats=len(seating),
        lineup=seating,
        seatings=(seating,),
        planned_blocks=games,
    )
