"""The words that settings of Tuolaji take, and the little languages of lists among them."""

from __future__ import annotations

import re
from enum import StrEnum

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "JOKER")
"""Ranks in their natural order; JOKER as the level after the ace."""

_UNIT = re.compile(r"(?:([1-9][0-9]?)\*)?([1-6])x([1-9][0-9]?)")


class Unit(StrEnum):
    """What one game is."""

    HAND = "hand"
    MATCH = "match"


class HandDealer(StrEnum):
    """How a single hand finds its dealer."""

    CONTESTED = "contested"
    DRAWN = "drawn"


class FirstDraw(StrEnum):
    """Who draws first in an opening hand."""

    LOT = "lot"
    HIGH_CARD = "high_card"
    COUNT_FROM_TURNED = "count_from_turned"


class ClockEnd(StrEnum):
    """What may still be finished when the clock is up."""

    STOP = "stop"
    FINISH_IF_DRAWN = "finish_if_drawn"
    FINISH_HAND = "finish_hand"
    PLUS_ONE_HAND = "plus_one_hand"


class PermanentTrump(StrEnum):
    """Ranks that are always trump."""

    NONE = "none"
    TWO = "2"


class BidRank(StrEnum):
    """The rank that calls a suit."""

    LEVEL = "level"
    TWO = "2"


class Token(StrEnum):
    """A card that calls of an opening hand carry."""

    NONE = "none"
    SMALL_JOKER = "small_joker"
    ANY_JOKER = "any_joker"
    HEART_2 = "heart_2"
    TURNED_CARD = "turned_card"


class Overcall(StrEnum):
    """What stands above a call of level cards."""

    MORE = "more"
    MORE_OR_SUIT = "more_or_suit"


class NoTrump(StrEnum):
    """Whether equal jokers call no-trump."""

    OFF = "off"
    OVERCALL = "overcall"
    ANY = "any"


class Reinforce(StrEnum):
    """Who may add to a standing call."""

    NONE = "none"
    OWN = "own"
    SIDE = "side"


class FirstDealer(StrEnum):
    """Whose call makes the first dealer."""

    FIRST_CALLER = "first_caller"
    FINAL_CALLER = "final_caller"


class Rebel(StrEnum):
    """Who may ask for a new deal."""

    NONE = "none"
    ATTACKERS = "attackers"
    ANY = "any"


class Honours(StrEnum):
    """Links at the top of trump."""

    NONE = "none"
    JOKERS = "jokers"
    LADDER = "ladder"


class Aa22(StrEnum):
    """Whether trump aces and permanent trump twos link."""

    OFF = "off"
    LOW = "low"
    HIGH = "high"


class RuffOrder(StrEnum):
    """Class or trump first, where a side bomb meets a trump tractor."""

    CLASS_FIRST = "class_first"
    TRUMP_FIRST = "trump_first"


class Throw(StrEnum):
    """Leads of several units."""

    FORBIDDEN = "forbidden"
    SAFE_ONLY = "safe_only"
    FORCED_BACK = "forced_back"


class FollowOrder(StrEnum):
    """The default list of what a follower owes."""

    WIDTH_FIRST = "width_first"
    TRACTOR_FIRST = "tractor_first"


class Pot(StrEnum):
    """What the last trick multiplies."""

    KITTY = "kitty"
    HANDS = "hands"
    NONE = "none"


class Multiplier(StrEnum):
    """By how much."""

    CARDS = "cards"
    CARDS_MIN2 = "cards_min2"
    POW2_PAIRS = "pow2_pairs"


class OpenCall(StrEnum):
    """What an open call costs under hidden calls."""

    NONE = "none"
    LOSES_RIGHT = "loses_right"


class Review(StrEnum):
    """Who may look at the last trick."""

    NONE = "none"
    LEADER = "leader"
    ANY = "any"


def ladder(text: str) -> tuple[str, ...]:
    """The ranks of a ladder, "2-A+JOKER". Raises ValueError naming the part that is wrong."""
    ranks: list[str] = []
    for part in text.split("+"):
        low, dash, high = part.partition("-")
        if low not in RANKS or (dash and high not in RANKS[:-1]):
            raise ValueError(f"'{part}' is neither a rank nor a range of ranks as in 2-A")
        first = RANKS.index(low)
        last = RANKS.index(high) if dash else first
        found = RANKS[first : last + 1]
        if not found or (ranks and RANKS.index(ranks[-1]) >= first):
            raise ValueError(f"'{part}' does not go up")
        ranks += found
    return tuple(ranks)


def unit_cards(text: str) -> int:
    """Cards of units joined by +, "2x3+2*2x1"; 0 for "any". Raises ValueError."""
    if text == "any":
        return 0
    total = 0
    for part in text.split("+"):
        found = _UNIT.fullmatch(part)
        if found is None or (int(found[3]) > 1 and int(found[2]) < 2):
            raise ValueError(f"'{part}' is no unit: WIDTHxLENGTH as in 2x3, k* before it")
        total += int(found[1] or 1) * int(found[2]) * int(found[3])
    return total


def follow_lists(text: str) -> dict[str, list[list[str]]]:
    """Led unit to its list of entries, each a list of alternatives. Raises ValueError."""
    if text == "none":
        return {}
    lists: dict[str, list[list[str]]] = {}
    for part in text.split(";"):
        led, equals, entries = part.partition("=")
        if not equals or "+" in led or "*" in led or unit_cards(led) == 0:
            raise ValueError(f"'{part}' is no list: LED=ENTRY>ENTRY, as in 4x1=4x1>3x1>any")
        rows = [entry.split("|") for entry in entries.split(">")]
        for row in rows:
            for either in row:
                if unit_cards(either) > unit_cards(led):
                    raise ValueError(f"'{either}' has more cards than {led}")
        if ["any"] in rows[:-1]:
            raise ValueError(f"'{part}': nothing follows 'any'")
        lists[led] = rows
    return lists


def cross_pairs(text: str) -> list[tuple[str, str]]:
    """Pairs (winner, loser) of "4x1>2x2,3x2>2x3"; empty for off and wider. Raises ValueError."""
    if text in ("off", "wider"):
        return []
    pairs = []
    for part in text.split(","):
        winner, _, loser = part.partition(">")
        if unit_cards(winner) != unit_cards(loser) or unit_cards(winner) == 0:
            raise ValueError(f"'{part}' is no pair of units of as many cards, as in 4x1>2x2")
        pairs.append((winner, loser))
    return pairs


def nobody(text: str) -> str:
    """The word before the number of "flip:3". Raises ValueError for an unknown word."""
    word, colon, number = text.partition(":")
    plain = ("redeal", "flip_majority", "no_trump", "lots", "choke")
    if (word == "flip" and number.isdecimal() and int(number) > 0) or (word in plain and not colon):
        return word
    raise ValueError(f"'{text}' is none of redeal, flip:K, {', '.join(plain[1:])}")
