"""Boards of Xiangqi with men strewn on them, and their FEN."""

from __future__ import annotations

import random
from collections import Counter

from tests.oracles.xiangqi import Board, Square, palace

POINTS = [(x, y) for x in range(9) for y in range(10)]


def may_stand(man: str, point: Square) -> bool:
    """Where a man can stand at all."""
    x, y = point if man.isupper() else (point[0], 9 - point[1])
    kind = man.lower()
    if kind == "k":
        return palace(x, y, True)
    if kind == "a":
        return (x, y) in ((3, 0), (5, 0), (4, 1), (3, 2), (5, 2))
    if kind == "b":
        return (x, y) in ((2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4))
    return kind != "p" or y >= 5 or (y >= 3 and x % 2 == 0)


def enough_for(board: Board) -> bool:
    """Whether one set of men is enough for a board."""
    most = {"r": 2, "n": 2, "c": 2, "a": 2, "b": 2, "p": 5, "k": 1}
    return all(number <= most[man.lower()] for man, number in Counter(board.values()).items())


def fen(board: Board) -> str:
    """The board part of a FEN."""
    rows = []
    for y in range(9, -1, -1):
        row = ""
        for x in range(9):
            man = board.get((x, y))
            if man:
                row += man
            elif row and row[-1].isdigit():
                row = f"{row[:-1]}{int(row[-1]) + 1}"
            else:
                row += "1"
        rows.append(row)
    return "/".join(rows)


def strewn(rng: random.Random) -> Board:
    """Two generals and up to thirty men anywhere they can stand."""
    board: Board = {}
    men = ["K", "k"]
    for side in (str.upper, str.lower):
        most = rng.choice((3, 6, 15))
        men += map(side, rng.sample("RRNNCCAABBPPPPP", rng.randint(0, most)))
    for man in men:
        spots = rng.sample(POINTS, len(POINTS))
        free = (spot for spot in spots if spot not in board and may_stand(man, spot))
        spot = next(free, None)
        if spot:  # advisors and elephants may find all of theirs taken
            board[spot] = man
    return board
