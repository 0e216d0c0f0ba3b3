"""Slow movement rules of Xiangqi, from docs/games/xiangqi.md: a dict of points and nothing else.

Legality by brute force: a move is legal when no answer of the other side captures the general.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]
Board = dict[Square, str]

LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def read_board(text: str) -> Board:
    """Board part of a FEN; files and ranks from 0."""
    board: Board = {}
    for down, row in enumerate(text.split("/")):
        wide = "".join("." * int(sign) if sign.isdigit() else sign for sign in row)
        board |= {(x, 9 - down): sign for x, sign in enumerate(wide) if sign != "."}
    return board


def red(man: str) -> bool:
    """Red men are capitals."""
    return man.isupper()


def inside(x: int, y: int) -> bool:
    """Whether a point is on the board."""
    return 0 <= x < 9 and 0 <= y < 10


def palace(x: int, y: int, is_red: bool) -> bool:
    """Whether a point lies in the palace of a side."""
    return 3 <= x <= 5 and (0 <= y <= 2 if is_red else 7 <= y <= 9)


def reaches(board: Board, start: Square) -> Iterator[Square]:
    """Where the man on `start` can go, own general's safety apart; facing generals capture."""
    x, y = start
    man = board[start]
    mine = red(man)
    kind = man.lower()
    ahead = 1 if mine else -1
    crossed = y >= 5 if mine else y <= 4
    spots: list[Square] = []
    if kind == "k":
        spots = [(x + a, y + b) for a, b in LINES if palace(x + a, y + b, mine)]
        rank = y + ahead
        while inside(x, rank) and (x, rank) not in board:
            rank += ahead
        if board.get((x, rank), ".").lower() == "k":
            spots.append((x, rank))
    elif kind == "a":
        spots = [(x + a, y + b) for a, b in DIAGONALS if palace(x + a, y + b, mine)]
    elif kind == "b":
        spots = [
            (x + 2 * a, y + 2 * b)
            for a, b in DIAGONALS
            if (x + a, y + b) not in board and (y + 2 * b <= 4) == mine
        ]
    elif kind == "n":
        for a, b in LINES:
            if (x + a, y + b) in board:
                continue
            sides = ((2 * a, 1), (2 * a, -1)) if a else ((1, 2 * b), (-1, 2 * b))
            spots += [(x + c, y + d) for c, d in sides]
    elif kind == "p":
        spots = [(x, y + ahead)] + ([(x - 1, y), (x + 1, y)] if crossed else [])
    else:
        for a, b in LINES:
            screens = 0
            c, d = x + a, y + b
            while inside(c, d):
                taken = (c, d) in board
                if kind == "r" or (taken and screens == 1) or (not taken and screens == 0):
                    spots.append((c, d))
                screens += taken
                if screens == (1 if kind == "r" else 2):
                    break
                c, d = c + a, d + b
    for spot in spots:
        if inside(*spot) and (spot not in board or red(board[spot]) != mine):
            yield spot


def near(man: str, start: Square, end: Square) -> bool:
    """Whether a man could capture a general there, whatever else stands on the board."""
    wide, high = abs(start[0] - end[0]), abs(start[1] - end[1])
    kind = man.lower()
    if kind in "rck":
        return 0 in (wide, high)
    return kind in "np" and wide + high == (3 if kind == "n" else 1)


def attacked(board: Board, is_red: bool) -> bool:
    """Whether the other side could capture the general of this one."""
    general = next(point for point, man in board.items() if man == ("K" if is_red else "k"))
    return any(
        general in reaches(board, point)
        for point, man in board.items()
        if red(man) != is_red and near(man, point, general)
    )


def played(board: Board, start: Square, end: Square) -> Board:
    """The board after a step."""
    after = {**board, end: board[start]}
    del after[start]
    return after


def legal_steps(board: Board, red_moves: bool) -> Iterator[tuple[Square, Square]]:
    """The legal moves of a side, from and to."""
    for start in [point for point, man in board.items() if red(man) == red_moves]:
        for end in reaches(board, start):
            if not attacked(played(board, start, end), red_moves):
                yield start, end


def legal(board: Board, red_moves: bool) -> set[str]:
    """Texts of the legal moves of a side."""
    return {text(start) + text(end) for start, end in legal_steps(board, red_moves)}


def text(point: Square) -> str:
    """Name of a point."""
    return f"{'abcdefghi'[point[0]]}{point[1] + 1}"
