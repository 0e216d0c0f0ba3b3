"""A bracket of an event as a tree of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.report.event_text import points

if TYPE_CHECKING:
    from arena.plan.tournament import StageStory
    from arena.plan.tournament.values import Match

GAP = 1
LEAST_NAME = 6


def bracket(story: StageStory, name: dict[int, str], width: int) -> list[str]:
    """A knock-out drawn as a tree, a round a column; nothing where it has no fixed bracket.

    Names are cut so that the tree is as wide as the screen; where even that is too wide,
    nothing is drawn and the list of rounds must do.
    """
    from arena.plan.tournament.values import THIRD_PLACE

    rounds = [
        [match for match in matches if match.label != THIRD_PLACE] for matches in story.rounds
    ]
    if story.stage.format != "knockout" or story.stage.draw == "each_round" or not rounds:
        return []
    size = 2 * len(rounds[0])
    columns = size.bit_length()  # a column a round, and one for the winner
    cell = width // columns - GAP
    if cell < LEAST_NAME + 4 or size < 4:
        return []
    lines = [[" " * (cell + GAP) for _ in range(columns)] for _ in range(2 * size - 1)]
    for column, matches in enumerate(rounds):
        step = 2 << column
        for at, match in enumerate(matches):
            for side in (0, 1):
                row = step // 2 - 1 + (2 * at + side) * step
                lines[row][column] = _entry(match, side, name, cell) + ("┐" if side == 0 else "┘")
            top = step // 2 - 1 + 2 * at * step
            for row in range(top + 1, top + step):
                lines[row][column] = " " * cell + "│"
            middle = top + step // 2
            lines[middle][column] = " " * cell + "├"
            if column == columns - 2 and match.over and match.winner is not None:
                lines[middle][column + 1] = " " + _cut(name[match.winner], cell - 1)
    return ["".join(line).rstrip() for line in lines]


def _entry(match: Match, side: int, name: dict[int, str], cell: int) -> str:
    """An entrant with its score; brackets list the two in the order of the bracket."""
    if match.bye:
        text = name[match.entrants[0]] if side == 0 else "–"
        return _pad(" " + _cut(text, cell - 1), cell)
    order = match.bracket or match.entrants
    number = order[side]
    score = points(match.scores[match.entrants.index(number)]) if match.over else ""
    text = _cut(name[number], cell - len(score) - 2)
    return _pad(" " + text, cell - len(score)) + score


def _cut(text: str, cells: int) -> str:
    """Text of at most so many columns of a terminal."""
    from rich.cells import cell_len, set_cell_size

    return text if cell_len(text) <= cells else set_cell_size(text, max(0, cells - 1)) + "…"


def _pad(text: str, cells: int) -> str:
    from rich.cells import cell_len

    return text + " " * (cells - cell_len(text))
