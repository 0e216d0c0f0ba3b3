"""Short ways to set up a hand in the middle of play."""

from __future__ import annotations

import re
from typing import Any

import arena
from arena._core import State

SUITS = "SHCD"
_RANK = r"10|[2-9JQKA]"


def cards(text: str) -> list[str]:
    """Card texts from shorthand: "H3355 S10 10 BJ" is H3 H3 H5 H5 S10 S10 BJ."""
    found: list[str] = []
    suit = ""
    for word in text.split():
        if word in ("SJ", "BJ"):
            found.append(word)
            continue
        if word[0] in SUITS:
            suit, word = word[0], word[1:]
        for rank in re.findall(_RANK, word):
            found.append(suit + ("Jk" if rank == "J" else rank))
    return found


def listed(text: str) -> str:
    """Shorthand as set-ups write it."""
    return ",".join(cards(text)) or "-"


def table(
    book: str,
    hands: list[str],
    *,
    trump: str = "S",
    level: str = "2",
    dealer: int = 0,
    fill: str = "DC",
    extra: str = "",
    **settings: Any,
) -> State:
    """A position in which seat `dealer` leads.

    Short hands are filled up from the suits `fill`, so that all are of one size: each kind that
    is in no hand once, then twice, and so on.
    """
    game = arena.game(f"tuolaji/{book}", **settings)
    full = [cards(hand) for hand in hands]
    full += [[] for _ in range(game.seats - len(full))]
    size = max(len(hand) for hand in full)
    used = {card for hand in full for card in hand}
    spare = [
        f"{suit}{rank}"
        for suit in fill
        for rank in ("3", "4", "6", "7", "8", "9", "Jk", "Q", "5", "10", "K", "A")
        if f"{suit}{rank}" not in used and rank.removesuffix("k") != level and suit != trump
    ]
    stock = iter(spare * int(str(game.rules.settings()["decks"])))
    for hand in full:
        while len(hand) < size:
            hand.append(next(stock))
    text = "/".join(",".join(hand) for hand in full)
    return game.new_state(
        setup=f"phase=play levels={level}:{level} dealer={dealer} trump={trump} hands={text} {extra}"
    )


def play(text: str) -> str:
    """The move that plays shorthand cards; what follows `as` is the reading."""
    body, colon, reading = text.partition(" as ")
    return "play " + " ".join(cards(body)) + (f" as {reading}" if colon else "")


def legal(state: State, seat: int, text: str) -> bool:
    """Whether the seat may play these cards now."""
    return state.check(seat, play(text)) is None
