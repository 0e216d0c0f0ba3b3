"""Cards and moves as a person would write or say them."""

from __future__ import annotations

from arena.games.contract import Game

RANKS = "3456789TJQKA2BR"
"""Rank letters, low to high; B and R are the black and the red joker."""

_ENGLISH = {"T": "10", "B": "sj", "R": "BJ"}
_CHINESE = {"T": "10", "B": "小王", "R": "大王"}
_WORDS = {"pass": ("passes", "不出"), "call": ("calls", "叫地主"), "grab": ("grabs", "抢地主")}


def spoken(cards: str, chinese: bool = False) -> str:
    """Ranks as people write them: "9 9 10", the jokers as words. Raises ValueError."""
    names = _CHINESE if chinese else _ENGLISH
    for rank in cards:
        if rank not in RANKS:
            raise ValueError(f"'{rank}' is no rank; there are {RANKS}")
    return " ".join(names.get(rank, rank) for rank in cards)


def describe_move(game: Game, move: str, chinese: bool) -> str:
    """A canonical move as a person would say it. Raises ValueError for any other text."""
    if move in _WORDS:
        return _WORDS[move][chinese]
    verb, _, rest = move.partition(" ")
    if verb == "bid" and rest in ("1", "2", "3"):
        return f"叫 {rest} 分" if chinese else f"bids {rest}"
    if verb != "play" or not rest:
        raise ValueError(f"'{move}' is no move of {game.family.id}")
    cards, _, main = rest.partition(" as ")
    if chinese:
        return f"出 {spoken(cards, True)}" + (f"（以 {spoken(main, True)} 为主）" if main else "")
    return f"plays {spoken(cards)}" + (f" (main part {spoken(main)})" if main else "")
