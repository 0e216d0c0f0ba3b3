"""Sets of cards to ask about: legal plays, near misses, what lies close together, anything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.oracles.tuolaji_cards import KINDS, Card, in_order

Play = tuple[Card, ...]
"""Cards in canonical order."""

MOST_REPEATS = 8
"""Known sets in a row, after which there is little left to ask."""

PLACE = {kind: place for place, kind in enumerate(KINDS)}


def candidates(
    legal: Sequence[Play],
    hand: Counter[Card],
    in_suit: Counter[Card],
    size: int,
    count: int,
    rng: random.Random,
) -> Iterator[Play]:
    """Up to `count` different sets of cards for a follower: the legal ones given, then others.

    `in_suit` are the follower's cards of the led suit, `size` the cards of the lead.
    """
    held, own = list(hand.elements()), list(in_suit.elements())
    rest = list((hand - in_suit).elements())
    seen: set[Play] = set()
    for play in legal:
        if play not in seen:
            seen.add(play)
            yield play
    repeats = 0
    while len(seen) < count and repeats < MOST_REPEATS:
        roll = rng.random()
        if roll < 0.55:
            # A legal play with one card changed for another, or two.
            cards = list(rng.choice(legal))
            for _ in range(rng.choice((1, 1, 2))):
                swap(cards, own if rng.random() < 0.6 else held, hand, rng)
        elif roll < 0.75:
            # As many of the suit as there have to be.
            cards = rng.sample(own, min(size, len(own)))
            cards += rng.sample(rest, min(size - len(cards), len(rest)))
        elif roll < 0.85:
            source = in_suit if len(own) >= size else hand
            cards = list(clustered(source, min(size, source.total()), rng).elements())
        elif roll < 0.93:
            cards = rng.sample(held, min(size, len(held)))
        elif roll < 0.97:
            # Too many or too few.
            wrong = max(1, size + rng.choice((-2, -1, 1, 2)))
            cards = rng.sample(held, min(wrong, len(held)))
        else:
            # Cards of anybody's.
            cards = list(rng.choice(legal))
            cards[rng.randrange(len(cards))] = rng.choice(KINDS)
        play = tuple(sorted(cards, key=PLACE.__getitem__))
        if play in seen:
            repeats += 1
        else:
            seen.add(play)
            repeats = 0
            yield play


def swap(
    cards: list[Card], source: Sequence[Card], hand: Counter[Card], rng: random.Random
) -> None:
    """One card changed for another of the source that the hand has left, where it can be."""
    into = rng.choice(source or cards)
    if cards.count(into) < hand[into]:
        cards[rng.randrange(len(cards))] = into


def one_card_off(play: Counter[Card], hand: Counter[Card], rng: random.Random) -> Counter[Card]:
    """A set of cards with one card changed for another, one too many or one too few."""
    out = rng.choice(sorted(play.elements()))
    rest = sorted((hand - play).elements())
    into = rng.choice(rest) if rest and rng.random() < 0.9 else rng.choice(KINDS)
    changed = play - Counter([out])
    roll = rng.random()
    if roll < 0.05 and changed:
        return changed
    return (play if roll > 0.95 else changed) + Counter([into])


def clustered(cards: Counter[Card], size: int, rng: random.Random) -> Counter[Card]:
    """So many cards, equal ones and neighbours rather together."""
    order = in_order(cards.elements())
    start = rng.randrange(len(order))
    near = sorted(range(len(order)), key=lambda i: abs(i - start) + rng.random() * 6)
    groups: Counter[Card] = Counter()
    for index in near:
        room = size - groups.total()
        kind = order[index]
        if room and kind not in groups:
            most = min(room, cards[kind])
            groups[kind] = most if rng.random() < 0.8 else rng.randint(1, most)
    spare = sorted((cards - groups).elements())
    return groups + Counter(rng.sample(spare, size - groups.total()))
