"""Cards and moves as a person would write or say them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from arena.games.contract import Game

SUITS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}
"""Suit letter to pip."""

_SUIT_ZH = {"S": "黑桃", "H": "红桃", "C": "梅花", "D": "方块", "NT": "无主", "trump": "主牌"}
_SUIT_EN = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds", "NT": "no-trump"}
_CARD = re.compile(r"([SHCD])(10|Jk|[2-9JQKA])")
_VERBS = {
    "call": ("calls with", "叫主"),
    "add": ("adds", "加固"),
    "bury": ("buries", "扣底"),
    "play": ("plays", "出牌"),
}

_FINES = {
    "points": ("is fined {} points", "罚 {} 分"),
    "levels": ("is fined: the other side gains {} levels", "受罚：对方升 {} 级"),
    "dead": ("is fined: its play is dead", "受罚：换出的牌作废"),
    "step_down": ("is fined: its side steps down", "受罚：下台"),
    "silent": ("is fined: no more calls in this deal", "受罚：取消叫牌资格"),
}


def pip(card: str, chinese: bool = False) -> str:
    """ "♥10" for "H10"; the jokers as words. Raises ValueError for what is no card."""
    if card in ("SJ", "BJ"):
        small = card == "SJ"
        return ("小王" if small else "大王") if chinese else ("sj" if small else "BJ")
    found = _CARD.fullmatch(card)
    if found is None:
        raise ValueError(f"'{card}' is no card: S3 H10 CJk BJ")
    return SUITS[found[1]] + found[2].removesuffix("k")


def pips(cards: Iterable[str], chinese: bool = False) -> str:
    """Cards side by side, a suit named once: "♠3344 ♥A 大王"."""
    groups: list[str] = []
    last = ""
    for card in cards:
        text = pip(card, chinese)
        if text[0] == last:
            groups[-1] += text[1:]
        else:
            groups.append(text)
        last = text[0] if text[0] in SUITS.values() else ""
    return " ".join(groups)


def suit_name(suit: str, chinese: bool) -> str:
    """A suit by its letter, "NT" for no-trump."""
    return (_SUIT_ZH if chinese else _SUIT_EN)[suit]


def describe_move(game: Game, move: str, chinese: bool) -> str:
    """A canonical move as a person would say it. Raises ValueError for any other text."""
    words = move.split()
    verb, rest = (words[0], words[1:]) if words else ("", [])
    if move == "pass":
        return "不叫" if chinese else "pass"
    if move == "rebel":
        return "造反，重新发牌" if chinese else "rebels: a new deal"
    if verb == "trump" and len(rest) == 1 and rest[0] in SUITS:
        name = suit_name(rest[0], chinese)
        return f"定{name}为主" if chinese else f"makes {name} trump"
    if verb == "fine" and rest and rest[0] in _FINES:
        english, zh = _FINES[rest[0]]
        return (zh if chinese else english).format(*rest[1:])
    if verb not in _VERBS or not rest:
        raise ValueError(f"'{move}' is no move of {game.family.id}")
    reading = ""
    if "as" in rest:
        at = rest.index("as")
        named = rest[at + 1]
        shape = named if named != "groups" else ("不作连对" if chinese else "separate groups")
        reading = f"（作 {shape}）" if chinese else f" (as {shape})"
        rest = rest[:at]
    english, zh = _VERBS[verb]
    if chinese:
        return f"{zh} {pips(rest, True)}{reading}"
    return f"{english} {pips(rest)}{reading}"
