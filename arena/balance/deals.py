"""What a deal says before a card is played: numbers of its set-up text, by family.

No number has to be right about who wins: control variates take off what it predicts, and nothing
where it predicts nothing. They must be functions of the deal alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

_HIGH = {"R": 4.0, "B": 3.0, "2": 2.0, "A": 1.0}
"""Points of high cards in Dou Dizhu, as bidders count them."""

_CHAIN = "3456789TJQKA"
_SHORTEST = 5


def _doudizhu(setup: Mapping[str, str]) -> list[float]:
    """Of who is or may become the landlord, with the kitty, against the others."""
    hands = setup["hands"].split("/")
    kitty = setup["kitty"]
    strength = [_high(hand) + 2 * _bombs(hand) for hand in hands]
    if "landlord" in setup and setup["landlord"].isdigit():
        landlord = int(setup["landlord"])
        own = hands[landlord]  # the kitty is in it
    else:
        landlord = strength.index(max(strength))
        own = hands[landlord] + kitty
    others = [hand for seat, hand in enumerate(hands) if seat != landlord]
    return [
        _high(own),
        _bombs(own),
        _groups(own),
        max(map(_high, others)),
        max(map(_bombs, others)),
        min(map(_groups, others)),
        sum(map(_groups, others)),
    ]


def doudizhu_numbers(hands: list[str], landlord: int, leads: bool) -> list[float]:
    """Of a position in play, for the landlord; `leads`: whether the last to play was the landlord."""
    own = hands[landlord]
    others = [hand for seat, hand in enumerate(hands) if seat != landlord]
    plays, least = _groups(own), min(map(_groups, others))
    return [
        plays,
        least,
        float(plays <= 1) - float(least <= 1),
        float(len(own)),
        float(min(map(len, others))),
        float(not own) - float(any(not hand for hand in others)),
        _high(own),
        max(map(_high, others)),
        _bombs(own) - max(map(_bombs, others)),
        float(leads),
    ]


def _high(hand: str) -> float:
    return sum(_HIGH.get(card, 0.0) for card in hand)


def _bombs(hand: str) -> float:
    four = sum(hand.count(rank) == 4 for rank in set(hand))
    return float(four + ("B" in hand and "R" in hand))


def _groups(hand: str) -> float:
    """About how many plays it takes to get rid of a hand: straights first, triples with a kicker."""
    counts = {rank: hand.count(rank) for rank in set(hand)}
    plays = 0
    while run := _straight(counts):
        plays += 1
        for rank in run:
            counts[rank] -= 1
    left = [n for n in counts.values() if n]
    triples = sum(n == 3 for n in left)
    small = sum(n < 3 for n in left)
    return float(plays + sum(n == 4 for n in left) + triples + max(0, small - triples))


def _straight(counts: Mapping[str, int]) -> str:
    """The longest run of five ranks or more that are held, but not three times or four."""
    runs = [""]
    for rank in _CHAIN:
        if counts.get(rank, 0) in (1, 2):
            runs[-1] += rank
        elif runs[-1]:
            runs.append("")
    best = max(runs, key=len)
    return best if len(best) >= _SHORTEST else ""


def _tuolaji(setup: Mapping[str, str]) -> list[float]:
    """Jokers, level cards, aces and long suits of who may call first, with partners."""
    seats = len(setup["hands"].split("/"))
    first, ring = int(setup["first"]), int(setup["ring"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    # The last few are the kitty's: they count for whoever would have drawn them.
    for at, card in enumerate(setup["pack"].split(",")):
        hands[(first + ring * at) % seats].append(card)
    caller = int(setup["turn"])
    ordered = [hands[(caller + i) % seats] for i in range(seats)]
    levels = set(setup["levels"].split(":"))

    def ahead(worth: Callable[[str], float]) -> float:
        held = [sum(map(worth, hand)) for hand in ordered]
        return sum(held[0::2]) - sum(held[1::2])

    return [
        ahead(lambda card: {"BJ": 1.2, "SJ": 1.0}.get(card, 0.0)),
        ahead(lambda card: float(card[1:] in levels)),
        ahead(lambda card: float(card[1:] == "A")),
        float(_longest(ordered[0])),
        float(max(map(_longest, ordered[0::2])) - max(map(_longest, ordered[1::2]))),
    ]


def _longest(hand: list[str]) -> int:
    """Cards of the longest suit."""
    suits = [card[0] for card in hand if card not in ("BJ", "SJ")]
    return max(map(suits.count, set(suits)), default=0)


FEATURES: Mapping[str, Callable[[Mapping[str, str]], list[float]]] = {
    "doudizhu": _doudizhu,
    "tuolaji": _tuolaji,
}
"""By family: numbers of the words of a set-up line."""
