"""Naive Tuolaji: cards, what is trump, which card is higher, which ranks are neighbours.

From the rule text and docs/games/tuolaji.md alone. Slow and plain on purpose: the compiled core
is fuzzed against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

Settings = Mapping[str, object]

Card = str
"""A kind of card: "S3", "HJk" (the jack), "SJ" and "BJ" (the jokers)."""

SUITS = "SHCD"
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
JOKERS = ["SJ", "BJ"]


def card(suit: str, rank: str) -> Card:
    """The card of a suit and a rank; jacks are written Jk."""
    return suit + ("Jk" if rank == "J" else rank)


KINDS: list[Card] = [card(suit, rank) for suit in SUITS for rank in RANKS] + JOKERS


def suit_of(kind: Card) -> str:
    """The printed suit; jokers have none."""
    return "" if kind in JOKERS else kind[0]


def rank_of(kind: Card) -> str:
    """The printed rank; a joker's is itself."""
    return kind if kind in JOKERS else ("J" if kind[1:] == "Jk" else kind[1:])


def in_order(cards: Iterable[Card]) -> list[Card]:
    """Spades, hearts, clubs, diamonds, each from 2 to A; then the jokers."""
    return sorted(cards, key=KINDS.index)


def read_cards(text: str) -> Counter[Card]:
    """Cards separated by commas or spaces; "-" is none."""
    return Counter(word for word in text.replace(",", " ").split() if word != "-")


def points(cards: Iterable[Card]) -> int:
    """A five counts 5, tens and kings 10."""
    return sum({"5": 5, "10": 10, "K": 10}.get(rank_of(kind), 0) for kind in cards)


def full_pack(decks: int) -> Counter[Card]:
    """So many packs of 54."""
    return Counter({kind: decks for kind in KINDS})


TRUMP = "T"
OTHER_TWO, TRUMP_TWO, OTHER_LEVEL, TRUMP_LEVEL, SMALL, BIG = range(20, 26)


class Order:
    """The cards of one hand: level rank (None: jokers are the level) and trump suit (None: no
    trump)."""

    def __init__(self, settings: Settings, level: str | None, trump: str | None) -> None:
        self.level = level
        self.trump = trump
        self.permanent = "2" if settings["permanent_trump"] == "2" and level != "2" else None
        self.bridge = bool(settings["shape_bridge_level"])
        self.honours = str(settings["shape_honours"])
        self.aa22 = str(settings["shape_aa22"])
        self.run = [rank for rank in RANKS if rank not in (level, self.permanent)]
        self.suit = {kind: self._suit(kind) for kind in KINDS}
        self.height = {kind: self._height(kind) for kind in KINDS}
        self.above = {
            kind: [other for other in KINDS if self._is_next(kind, other)] for kind in KINDS
        }

    def _suit(self, kind: Card) -> str:
        """Jokers, level cards, permanent 2s and the trump suit are one suit: trump."""
        special = kind in JOKERS or rank_of(kind) in (self.level, self.permanent)
        return TRUMP if special or kind[0] == self.trump else kind[0]

    def _height(self, kind: Card) -> int:
        """BJ > SJ > level card of trump > other level cards > trump 2 > other 2s > A … lowest.

        Without a trump suit all level cards are equal, and so are all 2s.
        """
        if kind in JOKERS:
            return SMALL if kind == "SJ" else BIG
        rank, chief = rank_of(kind), suit_of(kind) == self.trump
        if rank == self.level:
            return TRUMP_LEVEL if chief else OTHER_LEVEL
        if rank == self.permanent:
            return TRUMP_TWO if chief else OTHER_TWO
        return RANKS.index(rank)

    def _is_next(self, low: Card, high: Card) -> bool:
        """Whether `high` is a neighbour above `low`. AA22 as the lowest tractor is kept apart."""
        if low == "SJ" and high == "BJ":
            return self.honours != "none"
        if low in JOKERS:
            return False
        a, b = rank_of(low), rank_of(high)
        ladder = self.honours == "ladder"
        if a == self.level:
            if high == "SJ":
                # "a level card of the trump suit below the small joker; in no-trump any of them"
                return ladder and (self.trump is None or suit_of(low) == self.trump)
            up = suit_of(low) != self.trump and suit_of(high) == self.trump and b == self.level
            return ladder and up
        chief = suit_of(low) == suit_of(high) == self.trump
        if chief and self.aa22 == "high" and (a, b) == ("A", self.permanent):
            return True
        if a not in self.run:
            return False
        if b == self.level and high not in JOKERS:
            # "top of the trump run – any one off-suit level card", unless 2s stand between them
            top = suit_of(low) == self.trump and a == self.run[-1]
            return ladder and top and suit_of(high) != self.trump and self.permanent is None
        if suit_of(low) != suit_of(high) or b not in self.run:
            return False
        if self.run.index(b) != self.run.index(a) + 1:
            return False
        # Ranks with the level rank between them are neighbours only where the gap is bridged.
        skipped = RANKS[RANKS.index(a) + 1 : RANKS.index(b)]
        return self.bridge or not skipped

    def lowest_tractor(self) -> tuple[Card, Card] | None:
        """The ranks of AA22 where it is the lowest tractor of trump."""
        if self.aa22 != "low" or not self.trump or not self.permanent or self.level == "A":
            return None
        return card(self.trump, "A"), card(self.trump, "2")

    def of_suit(self, cards: Counter[Card], suit: str) -> Counter[Card]:
        """The cards of one suit, trump being a suit."""
        return Counter({kind: n for kind, n in cards.items() if n > 0 and self.suit[kind] == suit})

    def only_suit(self, cards: Counter[Card]) -> str | None:
        """The suit of cards that are all of one suit."""
        suits = {self.suit[kind] for kind, n in cards.items() if n > 0}
        return suits.pop() if len(suits) == 1 else None


def order_of(settings: Settings, level: str | None, trump: str | None) -> Order:
    """An order, made once for all games under the same settings."""
    return _order(tuple((name, settings[name]) for name in ORDER_SETTINGS), level, trump)


ORDER_SETTINGS = ("permanent_trump", "shape_bridge_level", "shape_honours", "shape_aa22")
"""The settings that an order goes by."""


@lru_cache(maxsize=1000)
def _order(settings: tuple[tuple[str, object], ...], level: str | None, trump: str | None) -> Order:
    return Order(dict(settings), level, trump)
