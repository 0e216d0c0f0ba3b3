"""Moves in the words of a player, and back from the notations players write."""

from __future__ import annotations

import re

from arena.games.contract import Game

_WORDS = {
    "pass": ("passes", "停一手"),
    "claim": ("points out a forbidden move", "指出禁手"),
    "swap": ("swaps colours", "交换"),
    "stay": ("does not swap", "不交换"),
    "black": ("takes black", "执黑"),
    "white": ("takes white", "执白"),
    "add": ("adds two stones", "再放两子"),
}

_POINT = re.compile(r"[a-z][1-9][0-9]?")


def describe_move(game: Game, move: str, zh: bool) -> str:
    """A canonical move as a person would say it: "H8", "offers H8 and I9" / "五手打点：H8、I9".

    Text that is no canonical move is given back as it is.
    """
    del game  # one notation for all boards
    head, *rest = move.split(" ")
    points = [point.upper() for point in rest]
    if not rest and _POINT.fullmatch(head):
        return head.upper()
    if head in _WORDS and not rest:
        return _WORDS[head][zh]
    if head == "declare" and len(rest) == 1:
        count = rest[0]
        one = count == "1"
        return f"五手 {count} 打" if zh else f"declares {count} fifth move{'' if one else 's'}"
    if head == "offer" and rest:
        return "五手打点：" + "、".join(points) if zh else "offers " + _and(points)
    if head == "pick" and len(rest) == 1:
        return f"选定 {points[0]}" if zh else f"picks {points[0]}"
    return move


def read_move(text: str) -> str:
    """A move as people write it, in the canonical language; legality is the core's to say.

    Takes capitals ("H8"), a move number in front ("12. H8", "12.H8"), and everything
    `describe_move` says in either language. Other text is given back lower-cased.
    """
    plain = re.sub(r"^\s*\d+\s*[.、]\s*", "", text.strip())
    for canonical, said in _WORDS.items():
        if plain.lower() in said:
            return canonical
    points = " ".join(re.findall(r"[a-z][1-9][0-9]?(?![0-9a-z])", plain.lower()))
    declared = re.fullmatch(r"五手\s*(\d+)\s*打|declares (\d+) fifth moves?", plain)
    if declared:
        return f"declare {declared[1] or declared[2]}"
    if plain.startswith(("五手打点：", "offers ")):
        return f"offer {points}"
    if plain.startswith(("选定", "picks ")):
        return f"pick {points}"
    return " ".join(plain.lower().split())


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
