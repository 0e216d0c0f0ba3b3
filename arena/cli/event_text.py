"""What tables and brackets of an event say, in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games import Names

if TYPE_CHECKING:
    from arena.plan.tournament import StageStory
    from arena.plan.tournament.values import Match

FORMATS = {
    "round_robin": Names("Round robin", "循环赛"),
    "gauntlet": Names("Gauntlet", "擂台赛"),
    "swiss": Names("Swiss", "瑞士制（积分编排）"),
    "groups": Names("Groups", "分组循环"),
    "knockout": Names("Knock-out", "淘汰赛"),
    "tables": Names("Knock-out tables", "分桌淘汰赛"),
}

TIEBREAKS = {
    "direct": Names("Direct", "直接胜负"),
    "wins": Names("Wins", "胜场"),
    "wins_second": Names("Wins 2nd", "后手胜"),
    "seconds": Names("2nd seats", "后手数"),
    "buchholz": Names("Buch", "对手分"),
    "buchholz_cut_1": Names("Buch-1", "对手分去低"),
    "buchholz_median": Names("Buch-M", "对手分去高低"),
    "sonneborn_berger": Names("SB", "索伯分"),
    "koya": Names("Koya", "对强者分"),
    "progressive": Names("Prog", "累进分"),
    "difference": Names("Diff", "净胜"),
    "total": Names("Small", "小分"),
    "round_points": Names("R pts", "轮分"),
    "round_difference": Names("R diff", "轮差"),
    "round_total": Names("R small", "轮小分"),
    "number": Names("No.", "号"),
    "lot": Names("Lot", "签"),
}

DECIDED = {
    "lots": Names("by lot", "抽签"),
    "number": Names("by number", "编号在前"),
    "sudden_death": Names("sudden death", "加赛突然死亡"),
    "forfeit": Names("forfeit", "弃权"),
}

GAP = 1
LEAST_NAME = 6


def points(value: float) -> str:
    """A number of points without needless digits: "2½", "7", "1.25".

    >>> points(2.5), points(0.5), points(7.0), points(1.25), points(-3.5)
    ('2½', '½', '7', '1.25', '-3½')
    """
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if abs(rest - 0.5) < 1e-9:
        return f"{sign}{int(whole) or ''}½"
    if rest < 1e-9 or rest > 1 - 1e-9:
        return f"{round(value):d}"
    return f"{value:.2f}"


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
