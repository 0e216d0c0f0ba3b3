"""Ranks, points and moves as a person would write or say them."""

from __future__ import annotations

import re

from arena.games.contract import Game

RANKS = "F123456789MB"
"""Rank letters: flag, engineer to commander, mine, bomb."""

ENGLISH = dict(
    zip(
        RANKS,
        (
            "flag",
            "engineer",
            "lieutenant",
            "captain",
            "major",
            "colonel",
            "brigadier",
            "division commander",
            "general",
            "commander",
            "mine",
            "bomb",
        ),
        strict=True,
    )
)
CHINESE = dict(
    zip(
        RANKS,
        (
            "军旗",
            "工兵",
            "排长",
            "连长",
            "营长",
            "团长",
            "旅长",
            "师长",
            "军长",
            "司令",
            "地雷",
            "炸弹",
        ),
        strict=True,
    )
)
CHARACTERS = {rank: name[0] for rank, name in CHINESE.items()}
"""One character a rank, as on the pieces' usual short forms."""
CHARACTERS.update({"F": "旗", "M": "雷", "B": "炸"})

HOMES = {"S": ("south", "南"), "E": ("east", "东"), "N": ("north", "北"), "W": ("west", "西")}

_STEP = re.compile(r"([SENWC][1-6][1-5])-([SENWC][1-6][1-5])")
_LAYOUT = re.compile(r"layout ([F1-9MB.]{5}(?:/[F1-9MB.]{5}){5})")


def spoken_point(point: str, chinese: bool = False) -> str:
    """A point in words: "south row 3 column 5". Raises ValueError for what is no point."""
    if not re.fullmatch(r"[SENW][1-6][1-5]|C[1-3][1-3]", point):
        raise ValueError(f"'{point}' is no point")
    area, first, second = point[0], point[1], point[2]
    if area == "C":
        return f"九宫 {first} 列 {second} 行" if chinese else f"centre {first}, {second}"
    name = HOMES[area][chinese]
    return f"{name}家 {first} 排 {second} 列" if chinese else f"{name} row {first} column {second}"


def step_of(move: str) -> tuple[str, str] | None:
    """From and to of a step; None for any other text."""
    found = _STEP.fullmatch(move)
    return (found[1], found[2]) if found else None


def layout_of(move: str) -> tuple[str, ...] | None:
    """The six rows of a line-up, from the front; None for any other text."""
    found = _LAYOUT.fullmatch(move)
    return tuple(found[1].split("/")) if found else None


def describe_move(game: Game, move: str, chinese: bool) -> str:
    """A canonical move as a person would say it. Raises ValueError for any other text."""
    if move == "timeout":
        return "超时，跳过一手" if chinese else "lets the turn pass"
    if move == "resign":
        return "认输" if chinese else "resigns"
    if (step := step_of(move)) is not None:
        start, end = (spoken_point(point, chinese) for point in step)
        return f"{start} → {end}" if chinese else f"{start} to {end}"
    if (rows := layout_of(move)) is not None:
        if not chinese:
            return "places " + " / ".join(rows)
        lines = ("".join(CHARACTERS.get(rank, "·") for rank in row) for row in rows)
        return "布阵 " + " / ".join(lines)
    raise ValueError(f"'{move}' is no move of {game.family.id}")
