"""Naive Tuolaji: what a follower owes, and whether a play gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tests.oracles.tuolaji_cards import Card, Order, Settings
from tests.oracles.tuolaji_shapes import Shape, Shapes, can_split, one_unit, read_shape

Entry = tuple[Shapes, ...]
"""One line of a follow list: alternatives, each a set of units; () is "any"."""

EXCEPTION = "3x2>2x3>2x2+2x1>3x1+2x1>3*2x1>3x1>2*2x1>2x1>any"
"""`tractor_first` with two linked triples led (R09, R14: the tractor before the triple)."""


def read_list(text: str) -> list[Entry]:
    """Lines from the first choice on: a>b, `|` for either, `+` for both, k* for k times."""
    return [tuple(read_units(part) for part in line.split("|")) for line in text.split(">")]


def read_units(text: str) -> Shapes:
    """A sum of units."""
    if text.strip() == "any":
        return ()
    units: list[Shape] = []
    for part in text.strip().split("+"):
        times, star, shape = part.partition("*")
        units += [read_shape(shape if star else part)] * (int(times) if star else 1)
    return tuple(units)


def tables(text: str) -> dict[Shape, list[Entry]]:
    """`follow_tables`: lists of given leads."""
    if text == "none":
        return {}
    pairs = (line.split("=") for line in text.split(";"))
    return {read_shape(led.strip()): read_list(list_) for led, list_ in pairs}


# -- what beats another shape of as many cards -------------------------------------------------


def is_stronger(settings: Settings, shape: Shape, than: Shape) -> bool:
    """`beat_cross_shape` between two units of as many cards."""
    rule = str(settings["beat_cross_shape"])
    if rule == "off" or shape.size != than.size:
        return False
    if rule == "wider":
        return shape.w > than.w
    return f"{shape}>{than}" in rule.replace(" ", "").split(",")


# -- the lists ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Follower:
    """A follower's cards of the led suit under certain settings."""

    settings: Settings
    order: Order
    cards: Counter[Card]

    def whole(self) -> Counter[Card] | None:
        """Without `follow_split` only whole groups of the hand count."""
        return None if self.settings["follow_split"] else self.cards

    def can(self, shapes: Shapes) -> bool:
        """Whether the follower could play these units at once."""
        return can_split(self.order, shapes, self.cards, self.whole())

    def grown(self, had: Shapes, w: int, lengths: range, room: int) -> Shapes:
        """`had` with units of width `w` added, the longest that can be had first.

        `room` is how many cards are still owed.
        """
        for length in lengths:
            while w * length <= room and self.can((*had, Shape(w, length))):
                had = (*had, Shape(w, length))
                room -= w * length
        return had

    def default(self, led: Shape, owed: Shapes) -> Shapes:
        """The best entry of the default list together with what is owed already.

        width_first: for each width from the led one down, tractors as long as possible, then
        single groups. tractor_first: all tractors by width, then all groups.
        """
        had = owed
        widths = range(led.w, 1, -1)
        every = led.size
        steps: list[tuple[int, range]] = []
        for w in widths:
            tractors = range(every // w, 1, -1)
            if self.settings["follow_order"] == "width_first":
                steps += [(w, tractors), (w, range(1, 0, -1))]
            else:
                steps.append((w, tractors))
        if self.settings["follow_order"] == "tractor_first":
            steps += [(w, range(1, 0, -1)) for w in widths]
        for w, lengths in steps:
            used = sum(shape.size for shape in had[len(owed) :])
            had = self.grown(had, w, lengths, every - used)
        return had

    def entries(self, led: Shape, owed: Shapes) -> Iterator[Entry]:
        """The list of a led unit: its table, then the default list.

        The default list's best line given `owed` stands for the rest of it.
        """
        written = tables(str(self.settings["follow_tables"])).get(led)
        if written is None and self.settings["follow_order"] == "tractor_first":
            written = read_list(EXCEPTION) if led == Shape(3, 2) else None
        yield from written or []
        if not written or () not in written[-1]:
            yield (self.default(led, owed)[len(owed) :],)

    def owes(self, led: Shapes) -> list[Shapes]:
        """Sets of units one of which the play must contain.

        "A lead of several units owes for each unit in turn: the first entry that can be realised
        together with what is owed already."
        """
        choices: list[Shapes] = [()]
        for shape in led:
            choices = self.with_unit(shape, choices)
        return choices

    def goodness(self, shapes: Shapes) -> list[tuple[int, ...]]:
        """How early in the default list: wider first, or tractors first."""
        if self.settings["follow_order"] == "width_first":
            return [(shape.w, shape.length) for shape in shapes]
        return [tuple(map(int, shape.sorting)) for shape in shapes]

    def with_unit(self, led: Shape, choices: list[Shapes]) -> list[Shapes]:
        """The choices grown by the first entry that some of them can be grown by."""
        lists = {owed: list(self.entries(led, owed)) for owed in choices}
        for line in range(max(len(entries) for entries in lists.values())):
            grown = [
                (owed, part)
                for owed, entries in lists.items()
                if line < len(entries)
                for part in entries[line]
                if self.can((*owed, *part))
            ]
            if grown and line == len(lists[choices[0]]) - 1:
                # The default list: one line for each choice; the best of them is the first.
                best = max(self.goodness(part) for _, part in grown)
                grown = [(owed, part) for owed, part in grown if self.goodness(part) == best]
            if grown:
                return sorted({(*owed, *part) for owed, part in grown})
        return choices


@dataclass(frozen=True)
class Duty:
    """What one follower must do for one lead; `refuses` judges any set of cards."""

    settings: Settings
    order: Order
    hand: Counter[Card]
    led_suit: str
    led: Shapes
    owed: tuple[Shapes, ...]

    @cached_property
    def size(self) -> int:
        """Cards to play."""
        return sum(shape.size for shape in self.led)

    @cached_property
    def in_suit(self) -> Counter[Card]:
        """The follower's cards of the led suit."""
        return self.order.of_suit(self.hand, self.led_suit)

    @cached_property
    def held(self) -> int:
        """Number of cards of the led suit."""
        return self.in_suit.total()

    def refuses(self, play: Counter[Card]) -> str | None:
        """Why these cards may not be played, or None."""
        if sum(play.values()) != self.size:
            return "count"
        if any(n > self.hand[kind] for kind, n in play.items()):
            return "not held"
        held = self.in_suit
        given = sum(n for kind, n in play.items() if self.order.suit[kind] == self.led_suit)
        if given != min(self.held, self.size):
            return "suit"
        if self.held <= self.size:
            return None
        if len(self.led) == 1:
            unit = one_unit(self.order, play)
            if unit and is_stronger(self.settings, unit.shape, self.led[0]):
                return None
        whole = None if self.settings["follow_split"] else held
        if any(can_split(self.order, shapes, play, whole) for shapes in self.owed):
            return None
        return "shape"

    def legal(self) -> Iterator[Counter[Card]]:
        """Every legal play, by looking at every subset of the cards that may be played."""
        held = self.in_suit
        if sum(held.values()) > self.size:
            yield from (play for play in subsets(held, self.size) if not self.refuses(play))
            return
        for rest in subsets(self.hand - held, self.size - sum(held.values())):
            yield held + rest


def duty(settings: Settings, order: Order, hand: Counter[Card], led_suit: str, led: Shapes) -> Duty:
    """The duty of a follower with this hand."""
    held = order.of_suit(hand, led_suit)
    size = sum(shape.size for shape in led)
    owed: list[Shapes] = [()]
    if sum(held.values()) > size:
        owed = Follower(settings, order, held).owes(led)
    return Duty(settings, order, hand, led_suit, led, tuple(owed))


def subsets(cards: Counter[Card], size: int) -> Iterator[Counter[Card]]:
    """Every different set of so many cards."""
    found = {tuple(sorted(choice)) for choice in combinations(sorted(cards.elements()), size)}
    yield from (Counter(choice) for choice in sorted(found))
