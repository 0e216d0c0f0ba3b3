"""Naive Tuolaji: units (pairs, triples, tractors), what cards can be split into, readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from tests.oracles.tuolaji_cards import Card, Order

LOWEST = -1
"""The height of AA22 where it is the lowest tractor."""


class Shape(NamedTuple):
    """`w` equal cards of each of `length` neighbouring ranks."""

    w: int
    length: int

    @property
    def size(self) -> int:
        """Number of cards."""
        return self.w * self.length

    @property
    def sorting(self) -> tuple[bool, int, int]:
        """Better shapes have the larger key: tractors, then wider, then longer."""
        return (self.length > 1, self.w, self.length)

    def __str__(self) -> str:
        return f"{self.w}x{self.length}"


Shapes = tuple[Shape, ...]


@dataclass(frozen=True)
class Unit:
    """A shape made of certain ranks, lowest first."""

    w: int
    kinds: tuple[Card, ...]
    height: int

    @property
    def shape(self) -> Shape:
        """Width and length."""
        return Shape(self.w, len(self.kinds))

    @property
    def cards(self) -> Counter[Card]:
        """The cards it is made of."""
        return Counter({kind: self.w for kind in self.kinds})


def best_first(shapes: Sequence[Shape]) -> Shapes:
    """Tractors before groups, wider before narrower, longer before shorter."""
    return tuple(sorted(shapes, key=lambda shape: shape.sorting, reverse=True))


def read_shape(text: str) -> Shape:
    """The shape that a text such as 2x3 names."""
    w, length = text.split("x")
    return Shape(int(w), int(length))


def chains(order: Order, kinds: Sequence[Card], length: int) -> Iterator[tuple[Card, ...]]:
    """Every row of `length` neighbouring ranks among `kinds`, lowest rank first."""
    if length == 1:
        yield from ((kind,) for kind in kinds)
        return
    for row in chains(order, kinds, length - 1):
        for kind in order.above[row[-1]]:
            if kind in kinds:
                yield (*row, kind)


def units_of(order: Order, shape: Shape, cards: Mapping[Card, int]) -> Iterator[Unit]:
    """Every unit of a shape that can be taken out of some cards.

    Equal cards only: "同花同点". Single cards never link.
    """
    if shape.length > 1 and shape.w < 2:
        return
    kinds = [kind for kind, n in cards.items() if n >= shape.w]
    for row in chains(order, kinds, shape.length):
        yield Unit(shape.w, row, order.height[row[-1]])
    lowest = order.lowest_tractor()
    if lowest and shape.length == 2 and all(kind in kinds for kind in lowest):
        yield Unit(shape.w, lowest, LOWEST)


def one_unit(order: Order, cards: Mapping[Card, int]) -> Unit | None:
    """The one unit that all these cards are together, if they are one."""
    held = {kind: n for kind, n in cards.items() if n > 0}
    if len(set(held.values())) != 1:
        return None
    shape = Shape(next(iter(held.values())), len(held))
    return next(units_of(order, shape, held), None)


def taken(cards: Mapping[Card, int], unit: Unit) -> dict[Card, int]:
    """What is left without a unit."""
    left = dict(cards)
    for kind in unit.kinds:
        left[kind] -= unit.w
    return left


def splits(
    order: Order, shapes: Shapes, cards: Mapping[Card, int], whole: Counter[Card] | None = None
) -> Iterator[tuple[Unit, ...]]:
    """Every way to take units of these shapes out of the cards, each card used once.

    With `whole` (the hand) a group counts only where the hand holds exactly so many of it.
    """
    if not shapes:
        yield ()
        return
    for unit in units_of(order, shapes[0], cards):
        if whole is not None and unit.w > 1 and any(whole[k] != unit.w for k in unit.kinds):
            continue
        for rest in splits(order, shapes[1:], taken(cards, unit), whole):
            yield (unit, *rest)


def can_split(
    order: Order, shapes: Shapes, cards: Mapping[Card, int], whole: Counter[Card] | None = None
) -> bool:
    """Whether there is such a way."""
    return next(splits(order, shapes, cards, whole), None) is not None


# -- readings ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """A way to see cards as units."""

    units: tuple[Unit, ...]

    @property
    def shapes(self) -> Shapes:
        """The shapes, best first."""
        return best_first([unit.shape for unit in self.units])

    @property
    def tractors(self) -> Shapes:
        """What the reading is named by."""
        return tuple(shape for shape in self.shapes if shape.length > 1)

    @property
    def sorting(self) -> list[tuple[bool, int, int]]:
        """Readings compared as their sorted lists of units."""
        return [shape.sorting for shape in self.shapes]

    @property
    def name(self) -> str:
        """The words after `as`."""
        return "+".join(map(str, self.tractors)) or "groups"


def partitions(order: Order, cards: Mapping[Card, int]) -> Iterator[tuple[Unit, ...]]:
    """Every way to part the cards into units: some unit holds the first card left, and so on."""
    held = {kind: n for kind, n in cards.items() if n > 0}
    if not held:
        yield ()
        return
    first = next(iter(held))
    longest = len(held)
    for w in range(1, held[first] + 1):
        for length in range(1, longest + 1 if w > 1 else 2):
            for unit in units_of(order, Shape(w, length), held):
                if first in unit.kinds:
                    for rest in partitions(order, taken(held, unit)):
                        yield (unit, *rest)


def readings(order: Order, cards: Counter[Card]) -> list[Reading]:
    """The partitions in which no two units together make one unit, best first."""
    return list(_readings(order, tuple(sorted(cards.items()))))


@lru_cache(maxsize=1000)
def _readings(order: Order, cards: tuple[tuple[Card, int], ...]) -> tuple[Reading, ...]:
    found = {
        tuple(sorted(units, key=lambda unit: (unit.w, unit.kinds)))
        for units in partitions(order, dict(cards))
    }
    apart = [
        Reading(units)
        for units in found
        if not any(one_unit(order, a.cards + b.cards) for a, b in combinations(units, 2))
    ]
    return tuple(sorted(apart, key=lambda reading: reading.sorting, reverse=True))


def named_readings(order: Order, cards: Counter[Card]) -> dict[str, list[Reading]]:
    """Readings by name, the default first.

    "Where several splits share their tractors, the one with the widest groups is meant"; a name
    still has several readings where they differ in ranks alone.
    """
    by_name: dict[str, list[Reading]] = {}
    for reading in readings(order, cards):
        same = by_name.setdefault(reading.name, [])
        if not same or same[0].sorting == reading.sorting:
            same.append(reading)
    return by_name
