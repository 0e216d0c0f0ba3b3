"""Dou Dizhu by the sentences of docs/games/doudizhu.md, slowly and without cleverness.

A play is any part of the hand whose cards can be laid out as one of the types; the parts are
tried one by one, the layouts too. Cards are texts of ranks, low to high.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

RANKS = "3456789TJQKA2BR"
CHAIN = "3456789TJQKA"

Settings = Mapping[str, bool | int | str | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to lay out a set of cards."""

    kind: str
    main: str
    """Ranks of the part that is compared, each once, low to high."""

    @property
    def top(self) -> int:
        return RANKS.index(self.main[-1])


def is_chain(ranks: str, shortest: int) -> bool:
    return len(ranks) >= shortest and ranks in CHAIN


def readings(cards: str, rules: Settings) -> set[Reading]:
    """Every layout of exactly these cards that the rules know."""
    count = Counter(cards)
    ranks = "".join(rank for rank in RANKS if count[rank])
    held = [count[rank] for rank in ranks]
    found: set[Reading] = set()
    if not cards or any(held[i] > (1 if ranks[i] in "BR" else 4) for i in range(len(ranks))):
        return found
    if ranks == "BR":
        found.add(Reading("rocket", "BR"))
    if len(ranks) == 1:
        found.add(Reading(["", "single", "pair", "trio", "bomb"][held[0]], ranks))
    for times, shortest, kind in ((1, 5, "straight"), (2, 3, "pair_chain"), (3, 2, "trio_chain")):
        if set(held) == {times} and is_chain(ranks, shortest):
            found.add(Reading(kind, ranks))
    for first in range(len(RANKS)):
        for last in range(first, len(RANKS)):
            if count[RANKS[last]] < 3:
                break
            main = RANKS[first : last + 1]
            for times in (3, 4):
                if all(count[rank] >= times for rank in main):
                    rest = count - Counter({rank: times for rank in main})
                    kind = kicked(main, times, rest, rules)
                    if kind:
                        found.add(Reading(kind, main))
    return found


def kicked(main: str, times: int, rest: Counter[str], rules: Settings) -> str:
    """The type of `times` of each main rank with the rest attached, or nothing."""
    total = rest.total()
    if any(rank in main for rank in rest):
        return ""
    all_pairs = all(number % 2 == 0 for number in rest.values())
    jokers = rest["B"] + rest["R"] == 2
    if times == 4:
        if len(main) != 1:
            return ""
        if total == 2:
            same = len(rest) == 1
            if jokers and not rules["kicker_both_jokers"]:
                return ""
            allowed = {"none": False, "different": not same, "pair": same, "any": True}
            return "quad_singles" if allowed[str(rules["quad_singles"])] else ""
        if total == 4 and all_pairs:
            same = len(rest) == 1
            allowed = {"none": False, "different": not same, "any": True}
            return "quad_pairs" if allowed[str(rules["quad_pairs"])] else ""
        return ""
    if len(main) == 1:
        if total == 1:
            return "trio_single" if rules["trio_single"] else ""
        if total == 2 and all_pairs:
            return "trio_pair" if rules["trio_pair"] else ""
        return ""
    if not is_chain(main, 2):
        return ""
    if total == 2 * len(main) and all(number == 2 for number in rest.values()):
        return "plane_pairs" if rules["plane_pairs"] else ""
    if total != len(main) or not rules["plane_singles"]:
        return ""
    if jokers and not rules["kicker_both_jokers"]:
        return ""
    for rank, number in rest.items():
        if number > int(str(rules["kicker_repeat"])):
            return ""
        beside = rank in CHAIN and (is_chain(rank + main, 2) or is_chain(main + rank, 2))
        if number >= 3 and beside and not rules["kicker_adjacent_triple"]:
            return ""
    return "plane_singles"


def beats(mine: Reading, cards: str, other: Reading, others: str) -> bool:
    """Whether a play may answer another."""
    if mine.kind == "rocket" or other.kind == "rocket":
        return mine.kind == "rocket"
    if mine.kind == "bomb" and other.kind != "bomb":
        return True
    return mine.kind == other.kind and len(cards) == len(others) and mine.top > other.top


def parts(hand: str) -> Iterator[str]:
    """Every different part of a hand that is not empty."""
    count = Counter(hand)
    choices = [range(count[rank] + 1) for rank in RANKS]
    for taken in product(*choices):
        cards = "".join(rank * number for rank, number in zip(RANKS, taken, strict=True))
        if cards:
            yield cards


class Layouts:
    """The layouts that one set of rules knows; each card set is thought about once."""

    def __init__(self, rules: Settings) -> None:
        self.rules = rules
        self._known: dict[str, set[Reading]] = {}
        self._leads: dict[str, list[tuple[str, Reading]]] = {}

    def of(self, cards: str) -> set[Reading]:
        """Every layout of exactly these cards."""
        if cards not in self._known:
            self._known[cards] = readings(cards, self.rules)
        return self._known[cards]

    def leads(self, hand: str) -> list[tuple[str, Reading]]:
        """Everything that may be led from a hand."""
        if hand not in self._leads:
            self._leads[hand] = [(part, found) for part in parts(hand) for found in self.of(part)]
        return self._leads[hand]

    def answers(self, hand: str, other: Reading, others: str) -> list[tuple[str, Reading]]:
        """Everything but a pass that may answer a play."""
        return [
            (cards, reading)
            for cards, reading in self.leads(hand)
            if beats(reading, cards, other, others)
        ]

    def text(self, cards: str, reading: Reading) -> str:
        """Canonical text of a play."""
        if reading == default(self.of(cards)):
            return f"play {cards}"
        return f"play {cards} as {reading.main}"


def default(found: set[Reading]) -> Reading:
    """The reading that needs no words: without wings where there is one, then the highest."""
    order = ["trio_chain"]
    return max(found, key=lambda reading: (reading.kind in order, reading.top))


class Doudizhu:
    """One deal, from given hands to its score."""

    def __init__(
        self, layouts: Layouts, hands: list[str], kitty: str, first: int, redeals: int = 0
    ) -> None:
        self.layouts = layouts
        self.rules = rules = layouts.rules
        self.hands = [Counter(hand) for hand in hands]
        self.kitty = kitty
        self.first = first
        self.redeals = redeals
        self.calls: list[tuple[int, str]] = []
        self.landlord: int | None = None
        self.base = 1
        self.times = 1
        self.made = [0, 0, 0]
        self.turn = first
        self.last: tuple[int, str, Reading] | None = None
        self.passes = 0
        self.passed_out = False
        self.again = False
        """Nobody wanted to be landlord, and the cards are dealt anew."""
        if rules["call"] == "fixed":
            self._crown(first)

    @property
    def over(self) -> bool:
        return self.passed_out or any(hand.total() == 0 for hand in self.hands)

    def hand(self, seat: int) -> str:
        return "".join(rank * self.hands[seat][rank] for rank in RANKS)

    def legal(self) -> set[str]:
        """Texts of every legal move of the seat to act."""
        if self.over or self.again:
            return set()
        if self.landlord is None:
            return self._legal_calls()
        hand = self.hand(self.turn)
        if self.last is None:
            found = self.layouts.leads(hand)
        else:
            found = self.layouts.answers(hand, self.last[2], self.last[1])
        texts = {self.layouts.text(cards, reading) for cards, reading in found}
        return texts if self.last is None else texts | {"pass"}

    def _legal_calls(self) -> set[str]:
        if self.rules["call"] == "call_grab":
            called = any(call == "call" for _, call in self.calls)
            return {"pass", "grab" if called else "call"}
        highest = max([int(c[4:]) for _, c in self.calls if c != "pass"], default=0)
        return {"pass"} | {f"bid {bid}" for bid in range(highest + 1, 4)}

    def play(self, move: str) -> None:
        """Plays a legal move."""
        seat = self.turn
        if self.landlord is None:
            self.calls.append((seat, move))
            self._after_call()
            return
        if move == "pass":
            self.passes += 1
            if self.passes == 2:
                self.last, self.passes = None, 0
            self.turn = (seat + 1) % 3
            return
        cards, _, named = move.removeprefix("play ").partition(" as ")
        found = self.layouts.of(cards)
        if named:
            (reading,) = (r for r in found if r.main == named and r.kind != "trio_chain")
        else:
            reading = default(found)
        self.hands[seat] -= Counter(cards)
        self.made[seat] += 1
        self.last, self.passes = (seat, cards, reading), 0
        self.turn = (seat + 1) % 3
        if reading.kind == "bomb":
            self.times *= int(str(self.rules["bomb_doubles"]))
        if reading.kind == "rocket":
            self.times *= int(str(self.rules["rocket_doubles"]))

    def _crown(self, seat: int) -> None:
        self.landlord = seat
        self.hands[seat] += Counter(self.kitty)
        self.turn = seat

    def _after_call(self) -> None:
        wanted = [(seat, call) for seat, call in self.calls if call != "pass"]
        done = self._calls_done(wanted)
        if not done:
            self.turn = self._next_caller(wanted)
            return
        if wanted:
            seat, call = wanted[-1]
            if call.startswith("bid"):
                self.base = int(call[4:])
            grabs = sum(call == "grab" for _, call in wanted)
            self.times *= int(str(self.rules["grab_doubles"])) ** grabs
            self._crown(seat)
        elif self.rules["all_pass"] == "draw":
            self.passed_out = True
        elif self.rules["all_pass"] == "redeal" and self.redeals < int(
            str(self.rules["max_redeals"])
        ):
            self.again = True
        else:
            self._crown(self.first)

    def _calls_done(self, wanted: list[tuple[int, str]]) -> bool:
        form = self.rules["call"]
        if not wanted:
            return len(self.calls) == 3
        if form == "call_grab":
            return self._next_caller(wanted) == -1
        if wanted[-1][1] == "bid 3":
            return True
        if form == "bid123_once":
            return len(self.calls) == 3
        return len(self.calls) >= 3 and all(call == "pass" for _, call in self.calls[-2:])

    def _next_caller(self, wanted: list[tuple[int, str]]) -> int:
        """Who is asked next; -1: nobody."""
        after = (self.calls[-1][0] + 1) % 3
        if self.rules["call"] != "call_grab" or not wanted:
            return after
        caller = wanted[0][0]
        asked = {seat for seat, _ in self.calls}
        for step in range(3):
            seat = (after + step) % 3
            if seat not in asked:
                return seat
        grabbed = any(call == "grab" for _, call in wanted)
        own = sum(seat == caller for seat, _ in self.calls)
        return caller if grabbed and own == 1 else -1

    def winner(self) -> str:
        """The side whose member is out."""
        assert self.landlord is not None
        return "landlord" if self.hands[self.landlord].total() == 0 else "peasants"

    def points(self) -> list[int]:
        """What each seat wins."""
        if self.passed_out:
            return [0, 0, 0]
        lord = self.landlord
        assert lord is not None
        times = self.times
        if self.rules["unplayed_bombs_count"]:
            for hand in self.hands:
                for rank in RANKS[:13]:
                    times *= int(str(self.rules["bomb_doubles"])) if hand[rank] == 4 else 1
                if hand["B"] and hand["R"]:
                    times *= int(str(self.rules["rocket_doubles"]))
        others = [self.made[seat] for seat in range(3) if seat != lord]
        won = self.winner() == "landlord"
        if (won and others == [0, 0]) or (not won and self.made[lord] == 1):
            times *= int(str(self.rules["spring"]))
        stake = self.base * times
        if self.rules["cap"] is not None:
            stake = min(stake, int(str(self.rules["cap"])))
        sign = 1 if won else -1
        return [sign * stake * (2 if seat == lord else -1) for seat in range(3)]
