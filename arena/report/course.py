"""Which kept games a report plays again, for the moves to choose from and changes of the lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena import _core
from arena.balance.course import CourseBalance, courses
from arena.games.contract import RulesError
from arena.report.collect import Collected

if TYPE_CHECKING:
    from arena.ledger import CellGames, Ledger

COURSE = 20
"""Blocks of a cell that a report plays again, unless told otherwise."""

MOVES = 20_000
"""Moves of all cells of a game together: each takes a fraction of a millisecond."""

_FEWEST = 2
"""Blocks that an interval takes."""


def courses_of(
    ledger: Ledger, counted: Collected, family: str, most: int, moves: int = MOVES
) -> tuple[CourseBalance, ...]:
    """How the games of a family's cells go, in plan order, cells of self-play served first.

    Each cell is given the same number of moves: how many blocks they are follows from the mean length
    of all of its games, not from those that would be played again. Cells without records, or whose records
    today's rules refuse, are left out.
    """
    cells = [
        (count.sweep.sweep_id, part)
        for count in counted.sweeps
        for part in ledger.table(count.sweep.sweep_id, family=family).by_cell()
    ]
    found: dict[int, CourseBalance] = {}
    left = float(moves)
    for at in sorted(range(len(cells)), key=lambda i: _mixed(cells[i][1])):
        sweep_id, part = cells[at]
        length = max(1.0, float(part.plies.mean())) * len(part.cell.seatings)
        blocks = min(most, max(_FEWEST, int(moves / len(cells) / length)))
        if blocks < _FEWEST or blocks * length > left:
            continue
        try:
            each = courses(part, ledger.records(sweep_id, cell_id=part.cell.cell_id), blocks)
        except (RulesError, _core.IllegalMove, _core.SetupError):
            continue  # the page of replays names such records
        if each is not None:
            found[at] = each
            left -= blocks * length
    return tuple(found[at] for at in sorted(found))


def _mixed(part: CellGames) -> bool:
    return len(set(part.cell.lineup)) > 1
