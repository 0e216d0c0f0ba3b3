"""Naive Tuolaji: leads and throws, and who wins a trick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.tuolaji_cards import TRUMP, Card, Order, Settings
from tests.oracles.tuolaji_follow import is_stronger
from tests.oracles.tuolaji_shapes import (
    Reading,
    Shape,
    Shapes,
    Unit,
    best_first,
    named_readings,
    one_unit,
    splits,
    units_of,
)


def beats(settings: Settings, order: Order, hand: Counter[Card], unit: Unit, suit: str) -> bool:
    """Whether a hand holds, in that suit, a strictly higher unit of the shape or a stronger one."""
    held = order.of_suit(hand, suit)
    if any(other.height > unit.height for other in units_of(order, unit.shape, held)):
        return True
    size = unit.shape.size
    shapes = [Shape(w, size // w) for w in range(1, size + 1) if size % w == 0]
    return any(
        is_stronger(settings, shape, unit.shape) and any(units_of(order, shape, held))
        for shape in shapes
    )


@dataclass(frozen=True)
class Lead:
    """What a lead comes to: its units, and the cards shown if a throw failed."""

    units: tuple[Unit, ...]
    failed: bool = False

    @property
    def shapes(self) -> Shapes:
        """Best first."""
        return best_first([unit.shape for unit in self.units])

    @property
    def cards(self) -> Counter[Card]:
        """The cards that are led in the end."""
        return sum((unit.cards for unit in self.units), Counter())


def leads(
    settings: Settings,
    order: Order,
    cards: Counter[Card],
    others: Sequence[Counter[Card]],
    name: str | None = None,
) -> list[Lead]:
    """What leading these cards in a reading (None: the default one) comes to.

    None at all where the lead is illegal; several where readings of one name differ in ranks or
    parts of a failed throw are equally small.
    """
    suit = order.only_suit(cards)
    if suit is None:
        return []
    by_name = named_readings(order, cards)
    meant = by_name.get(name, []) if name else next(iter(by_name.values()))
    return [led for reading in meant for led in lead(settings, order, reading, suit, others)]


def lead(
    settings: Settings, order: Order, reading: Reading, suit: str, others: Sequence[Counter[Card]]
) -> list[Lead]:
    """One unit always stands. A throw: not at all, only if safe, or its smallest beatable part.

    Several equally small parts (off-suit level cards of equal rank) may each be the one.
    """
    if len(reading.units) == 1:
        return [Lead(reading.units)]
    if settings["throw"] == "forbidden":
        return []
    beatable = [
        unit
        for unit in reading.units
        if any(beats(settings, order, hand, unit, suit) for hand in others)
    ]
    if not beatable:
        return [Lead(reading.units)]
    if settings["throw"] == "safe_only":
        return []
    smallest = min((unit.height, unit.shape.size) for unit in beatable)
    found = [unit for unit in beatable if (unit.height, unit.shape.size) == smallest]
    return [Lead((unit,), failed=True) for unit in found]


@dataclass(frozen=True)
class Claim:
    """A play that can win: its class and rank."""

    shape: Shape | None
    """None for a lead of several units, where shapes are not compared."""

    trump: bool
    height: int


def claim(
    settings: Settings, order: Order, led_suit: str, led: Shapes, cards: Counter[Card]
) -> Claim | None:
    """What a play of as many cards can win with, or None: a discard.

    "Only a play made wholly of the led suit or wholly of trump can win; a play that does not match
    the led shape cannot win however high it is."
    """
    suit = order.only_suit(cards)
    if suit not in (led_suit, TRUMP):
        return None
    if len(led) == 1:
        unit = one_unit(order, cards)
        if unit is None:
            return None
        if unit.shape != led[0] and not is_stronger(settings, unit.shape, led[0]):
            return None
        return Claim(unit.shape, suit == TRUMP, unit.height)
    # The best possible rank of the lead's first unit, over all ways to cover the whole lead.
    heights = [
        unit.height for units in splits(order, led, cards) for unit in units if unit.shape == led[0]
    ]
    return Claim(None, suit == TRUMP, max(heights)) if heights else None


def is_better(settings: Settings, new: Claim, old: Claim) -> bool:
    """Class, then trump over side (the other way round under trump_first), then rank.

    Equal: the first stays.
    """
    shape = 0
    if new.shape and old.shape:
        shape = is_stronger(settings, new.shape, old.shape) - is_stronger(
            settings, old.shape, new.shape
        )
    trump = new.trump - old.trump
    keys = [shape, trump] if settings["beat_ruff_order"] == "class_first" else [trump, shape]
    return [*keys, new.height - old.height] > [0, 0, 0]


def winner(settings: Settings, order: Order, led: Shapes, plays: Sequence[Counter[Card]]) -> int:
    """The index of the winning play; the first is the lead, whose units are `led`."""
    led_suit = order.only_suit(plays[0])
    assert led_suit
    best = 0
    standing = claim(settings, order, led_suit, led, plays[0])
    assert standing
    for index, play in enumerate(plays):
        new = claim(settings, order, led_suit, led, play)
        if new and is_better(settings, new, standing):
            best, standing = index, new
    return best


def largest_unit(order: Order, cards: Counter[Card]) -> int:
    """The number of cards of the largest unit among these."""
    total = sum(cards.values())
    sizes = [
        w * length
        for w in range(1, total + 1)
        for length in range(1, total // w + 1)
        if any(units_of(order, Shape(w, length), cards))
    ]
    return max(sizes)
