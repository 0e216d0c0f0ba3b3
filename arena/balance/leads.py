"""Who leads: a count of each family that a spectator could make himself.

A count is not who stands better. Where seats move in turn it is read only when all have had as many
turns: half a round later the last to move would always seem ahead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena._core import State
from arena.games import SPECTATOR
from arena.games.chinese_checkers.notation import TIPS, Axial, star
from arena.games.chinese_checkers.rules import Board

_MATERIAL = {"r": 9.0, "c": 4.5, "h": 4.0, "n": 4.0, "e": 2.0, "b": 2.0, "a": 2.0, "p": 1.0}
_FIVE = 5
_THREATENS = 3
"""Stones in a line of five, the other two points free, that are one move from a four."""


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


def _chinese_checkers(seen: Mapping[str, Any]) -> dict[int, float]:
    """Steps that each seat's pieces have left to the points of their targets, at the ends of rounds.

    It is what the rules themselves count where a capped game goes by distance. Who has finished
    leads whoever has not.
    """
    done = {entry["seat"]: entry["place"] for entry in seen["finished"]}
    gone = {*done, *seen["out"]}
    seats = {own["seat"] for own in seen["sets"]} - set(seen["out"])
    turn = seen["seat_to_act"]
    if turn is not None and any(seat < turn for seat in seats - gone):
        return {}
    layout, points = _layout(Board(seen["board"]))
    left = dict.fromkeys(seats, 0)
    for own in seen["sets"]:
        if own["seat"] in left:
            goal = points[own["target"]]
            left[own["seat"]] += sum(_steps(layout[hole], goal) for hole in own["holes"])
    most = 1 + max(left.values(), default=0)
    return {seat: float(most - done[seat] if seat in done else -left[seat]) for seat in seats}


@cache
def _layout(board: Board) -> tuple[dict[str, Axial], dict[str, Axial]]:
    """The holes by name, and the outermost of each tip."""
    names = star(board).names

    def outermost(tip: str) -> Axial:
        at = TIPS.index(tip)
        return max(names.values(), key=lambda h: (-h.r, h.q, -h.s, h.r, -h.q, h.s)[at])

    return names, {tip: outermost(tip) for tip in TIPS}


def _steps(a: Axial, b: Axial) -> int:
    return max(abs(a.q - b.q), abs(a.r - b.r), abs(a.s - b.s))


def _gomoku(seen: Mapping[str, Any]) -> dict[int, float]:
    """Lines of five, of black and of white, that hold three stones or four and none of the other's.

    Read when both have as many stones on the board. Five in a row ends the game, and leads.
    """
    board = "".join(seen["board"].split("/"))
    stones = {"b": board.count("b"), "w": board.count("w")}
    if stones["b"] != stones["w"] and seen["phase"] != "over":
        return {}
    lines = _lines(seen["size"])
    own = {c: (np.array([at == c for at in board])[lines]).sum(axis=1) for c in stones}
    threats = {}
    for side, (mine, theirs) in enumerate((("b", "w"), ("w", "b"))):
        count = own[mine]
        five = bool((count == _FIVE).any())
        threats[side] = float(((count >= _THREATENS) & (own[theirs] == 0)).sum()) + five * len(
            lines
        )
    return threats


@cache
def _lines(size: int) -> NDArray[np.int64]:
    """(lines, 5) the points of every five in a row."""
    steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
    found = [
        [(row + i * down) * size + column + i * right for i in range(_FIVE)]
        for down, right in steps
        for row in range(size)
        for column in range(size)
        if row + (_FIVE - 1) * down < size and 0 <= column + (_FIVE - 1) * right < size
    ]
    return np.array(found, dtype=np.int64)


LEADS: Mapping[str, Callable[[Mapping[str, Any]], dict[int, float]]] = {
    "chinese_checkers": _chinese_checkers,
    "doudizhu": _doudizhu,
    "gomoku": _gomoku,
    "siguo": _siguo,
    "tuolaji": _tuolaji,
    "xiangqi": _xiangqi,
}
"""By family: what each side has so far, from what a spectator sees; {} where nothing can be said."""


def leader(family: str, state: State) -> int | None:
    """The side that leads alone, None where none does or nothing says."""
    count = LEADS.get(family)
    if count is None:
        return None
    worth = count(json.loads(state.observe(SPECTATOR)))
    best = [side for side, has in worth.items() if has == max(worth.values())]
    return best[0] if len(best) == 1 else None
