"""Naive Tuolaji: whole hands and matches, from docs/games/tuolaji.md and the documents alone.

Slow and plain on purpose: the compiled core is fuzzed against it. What comes from a seed (the
pack, the first drawer, the turned card, lots) is given from outside, as fields of a set-up text.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tests.oracles.tuolaji_calls import (
    NO_TRUMP,
    Bidding,
    Call,
    flipped,
    majority,
    read_call,
    without_call,
)
from tests.oracles.tuolaji_cards import (
    TRUMP,
    Card,
    Order,
    Settings,
    in_order,
    order_of,
    points,
    read_cards,
)
from tests.oracles.tuolaji_follow import Duty, duty
from tests.oracles.tuolaji_score import (
    Result,
    Standing,
    climb,
    kitty_size,
    ladder,
    last_trick,
    next_dealer,
    number,
    result,
)
from tests.oracles.tuolaji_tricks import Lead, largest_unit, leads, winner


def fields(setup: str) -> dict[str, str]:
    """A set-up text as keys and values."""
    return dict(part.split("=", 1) for part in setup.split())


@dataclass(frozen=True)
class Played:
    """The cards of one seat in a trick."""

    seat: int
    cards: Counter[Card]
    thrown: Counter[Card] | None = None


@dataclass(frozen=True)
class Ended:
    """How a game ended: the winning side, None for a draw."""

    termination: str
    winner: int | None


class Tuolaji:
    """One game in progress. Phase `deal` waits for a new pack: call `deal` with it."""

    def __init__(self, settings: Settings, setup: str) -> None:
        self.settings = settings
        self.players = number(settings, "players")
        given = fields(setup)
        low, high = (given.get("levels") or "2:2").split(":")
        laps = (given.get("laps") or "0:0").split(":")
        self.sides = [Standing(low, int(laps[0])), Standing(high, int(laps[1]))]
        self.hands_done = int(given.get("hand", "0"))
        self.dealer: int | None = None
        self.phase = "deal"
        self.turn: int | None = None
        self.trump: str | None = None
        self.ended: Ended | None = None
        self.last_result: Result | None = None
        self.overtime = False
        self.points = 0
        self.notes: Counter[str] = Counter()
        """What was met: for the fuzz's own count."""
        opens = settings["unit"] == "match" or settings["hand_dealer"] == "contested"
        self.contested = self.opening = opens
        self.call_first = False
        self.redeals = 0
        if "pack" not in given:
            self.begin_at(given)
            return
        self.dealer = None if opens else int(given["dealer"])
        self.deal(given)

    def clone(self) -> Tuolaji:
        """The same position during play, to be played on apart."""
        other = copy.copy(self)
        other.hands = [hand.copy() for hand in self.hands]
        other.trick, other.tricks = list(self.trick), list(self.tricks)
        other.sides, other.notes = list(self.sides), self.notes.copy()
        return other

    # -- dealing -------------------------------------------------------------------------------

    def begin_at(self, given: Mapping[str, str]) -> None:
        """A position before the first lead: hands, trump, dealer, kitty."""
        self.hands: list[Counter[Card]] = [read_cards(text) for text in given["hands"].split("/")]
        self.dealer = int(given.get("dealer", "0"))
        self.trump = given["trump"]
        self.buried = read_cards(given.get("kitty", "-"))
        self.points = int(given.get("points", "0"))
        self.tricks: list[list[Played]] = []
        self.trick: list[Played] = []
        self.led: Lead | None = None
        self.phase, self.turn = "play", self.dealer

    def deal(self, given: Mapping[str, str]) -> None:
        """A new pack, and who draws first."""
        self.redeals = int(given.get("redeals", "0"))
        self.first = int(given.get("first", "0"))
        turned = given.get("turned", "-")
        self.turned: Card | None = None if turned == "-" else turned
        self.pack = given["pack"].split(",")
        self.kitty: list[Card] = self.pack[len(self.pack) - kitty_size(self.settings) :]
        self.to_draw = len(self.pack) - len(self.kitty)
        self.drawn = 0
        self.hands = [Counter() for _ in range(self.players)]
        self.own: list[Counter[Card]] = [Counter() for _ in range(self.players)]
        self.calls: tuple[Call, ...] = ()
        self.answered: list[frozenset[str]] = [frozenset()] * self.players
        self.ring: list[int] = []
        self.turn, self.trump = None, None
        self.was_called = False
        self.burier: int | None = None
        self.buried = Counter()
        self.given_lot = given.get("trump", "-")
        self.points = 0
        self.tricks, self.trick, self.led = [], [], None
        self.phase = "draw"
        self.draw_on()

    def seat_levels(self) -> tuple[str, ...]:
        """The level each seat calls with: its side's in a contested deal, else the dealer's."""
        side = [
            seat % 2 if self.dealer is None else self.dealer % 2 for seat in range(self.players)
        ]
        return tuple(self.sides[s].level for s in side)

    def bidding(self) -> Bidding:
        """The calls as they stand."""
        return Bidding(
            self.settings,
            self.calls,
            self.seat_levels(),
            self.opening,
            self.turned,
            after_burial=self.phase == "rekitty",
        )

    def legal_calls(self, seat: int) -> dict[str, Call]:
        """By their texts. Cards from the kitty never count."""
        hand = self.hands[seat] & self.own[seat]
        return {call.text: call for call in self.bidding().legal(seat, hand)}

    def wants_asking(self, seat: int) -> bool:
        """Legal calls, and other ones than at the seat's last answer."""
        now = frozenset(self.legal_calls(seat))
        return bool(now) and now != self.answered[seat]

    def draw_on(self) -> None:
        """Cards are drawn one by one until a seat is to be asked, or bidding closes."""
        while True:
            while self.ring:
                seat = self.ring.pop(0)
                if self.wants_asking(seat):
                    self.turn = seat
                    return
            if self.drawn == self.to_draw:
                break
            seat = (self.first + self.drawn) % self.players
            kind = self.pack[self.drawn]
            self.hands[seat][kind] += 1
            self.own[seat][kind] += 1
            self.drawn += 1
            self.ring = [seat]
        self.turn = None
        self.close_bidding()

    def from_right(self, seat: int) -> list[int]:
        """The seats in order from a seat's right-hand neighbour, himself last."""
        return [(seat + step) % self.players for step in range(1, self.players + 1)]

    # -- trump and dealer ----------------------------------------------------------------------

    def close_bidding(self) -> None:
        """After the last card."""
        owners = [call for call in self.calls if not call.addition]
        if owners:
            self.was_called = True
            if self.contested:
                by_first = self.call_first or self.settings["bid_first_dealer"] == "first_caller"
                self.dealer = owners[0 if by_first else -1].seat
            self.set_trump(owners[-1].trump)
            return
        level = self.sides[(self.first if self.dealer is None else self.dealer) % 2].level
        rule = "no_trump" if level == "JOKER" else without_call(self.settings, self.opening)
        self.notes[f"nobody: {rule}"] += 1
        if rule in ("redeal", "choke") and self.redeals < number(self.settings, "redeal_limit"):
            if rule == "choke" and self.dealer is not None:
                self.dealer = (self.dealer + 1) % self.players
            self.phase = "deal"
            return
        if self.dealer is None:
            self.dealer = self.first
        if rule == "no_trump":
            self.set_trump(NO_TRUMP)
        elif rule.startswith("flip:"):
            self.set_trump(flipped(self.kitty, int(rule[5:])))
        elif rule == "flip_majority":
            suits = majority(self.kitty)
            self.tied = suits
            if len(suits) > 1:
                self.phase, self.turn = "choose", self.dealer
            else:
                self.set_trump(suits[0] if suits else NO_TRUMP)
        else:
            self.set_trump(self.given_lot)

    def set_trump(self, trump: str) -> None:
        """The trump of the hand; then those who may rebel are asked."""
        self.trump = trump
        self.phase = "rebel"
        assert self.dealer is not None
        limit = self.redeals < number(self.settings, "redeal_limit")
        self.ring = [s for s in self.from_right(self.dealer) if limit and self.may_rebel(s)]
        self.ask_rebels()

    def may_rebel(self, seat: int) -> bool:
        """An attacker, or anybody, with at most so many points in hand."""
        assert self.dealer is not None
        who = self.settings["bid_rebel"]
        meant = who == "any" or (who == "attackers" and (seat - self.dealer) % 2 == 1)
        few = points(self.hands[seat].elements()) <= number(self.settings, "bid_rebel_points")
        return meant and few

    def ask_rebels(self) -> None:
        """The next of them; after the last the dealer takes the kitty."""
        if self.ring:
            self.turn = self.ring.pop(0)
            return
        assert self.dealer is not None
        if self.kitty:
            self.take_kitty(self.dealer, Counter(self.kitty))
        else:
            self.begin_play()

    def take_kitty(self, seat: int, cards: Counter[Card]) -> None:
        """The seat takes the kitty and owes as many cards."""
        self.hands[seat] += cards
        self.burier, self.turn, self.phase = seat, seat, "bury"

    def ask_rekitty(self) -> None:
        """The others in order from the burier's right, where they have a legal over-call."""
        while self.ring:
            seat = self.ring.pop(0)
            if self.legal_calls(seat):
                self.turn = seat
                return
        self.begin_play()

    def level(self) -> str:
        """The level of the hand is its dealer's side's."""
        assert self.dealer is not None
        return self.sides[self.dealer % 2].level

    def order(self) -> Order:
        """Which card is higher in this hand."""
        level = None if self.level() == "JOKER" else self.level()
        return order_of(self.settings, level, None if self.trump == NO_TRUMP else self.trump)

    def begin_play(self) -> None:
        """The dealer leads."""
        self.phase, self.turn = "play", self.dealer

    # -- what is legal -------------------------------------------------------------------------

    def seats_to_act(self) -> set[int]:
        """One seat, or none when the game is over."""
        return set() if self.ended or self.turn is None else {self.turn}

    def is_legal(self, text: str) -> bool:
        """Whether a canonical text is legal for the seat to act."""
        assert self.turn is not None
        word, _, rest = text.partition(" ")
        if self.phase in ("draw", "rekitty"):
            called = word in ("call", "add") and self.is_call(word, read_cards(rest))
            return text == "pass" or called
        if self.phase == "rebel":
            return text in ("pass", "rebel")
        if self.phase == "choose":
            return word == "trump" and rest in self.tied
        cards, _, name = rest.partition(" as ")
        play = read_cards(cards)
        if play - self.hands[self.turn] or not play:
            return False
        if self.phase == "bury":
            return word == "bury" and not name and play.total() == len(self.kitty)
        if word != "play":
            return False
        if self.trick:
            return not name and self.duty().refuses(play) is None
        return bool(self.leads(play, name or None))

    def is_call(self, word: str, cards: Counter[Card]) -> bool:
        """Whether the seat to act may call with these cards, further tokens apart."""
        assert self.turn is not None
        plain = self.bidding().plain(in_order(cards.elements()))
        held = not cards - self.hands[self.turn]
        return held and f"{word} {' '.join(plain)}" in self.legal_calls(self.turn)

    def leads(self, play: Counter[Card], name: str | None) -> list[Lead]:
        """What a lead by the seat to act would come to."""
        others = [hand for seat, hand in enumerate(self.hands) if seat != self.turn]
        return leads(self.settings, self.order(), play, others, name)

    def duty(self) -> Duty:
        """What the follower to act owes."""
        assert self.turn is not None
        assert self.led is not None
        suit = self.order().only_suit(self.trick[0].cards)
        assert suit
        return duty(self.settings, self.order(), self.hands[self.turn], suit, self.led.shapes)

    # -- playing -------------------------------------------------------------------------------

    def apply(self, text: str, led_instead: Counter[Card] | None = None) -> None:
        """Plays a legal move. `led_instead`: what was led, where a failed throw leaves it open."""
        assert self.turn is not None
        seat, phase = self.turn, self.phase
        word, _, rest = text.partition(" ")
        if phase == "draw":
            self.answer(seat, text)
        elif phase == "choose":
            self.set_trump(rest)
        elif phase == "rebel":
            self.turn = None
            if word == "rebel":
                # "The rebel draws first, every player calls with the level of his own side, and
                # the first caller deals."
                self.contested, self.call_first, self.dealer = True, True, None
                self.opening = False
                self.phase = "deal"
            else:
                self.ask_rebels()
        elif phase == "bury":
            self.bury(seat, read_cards(rest))
        elif phase == "rekitty":
            if word == "call":
                call = self.legal_calls(seat)[text]
                self.calls = (*self.calls, call)
                self.trump = call.trump
                self.take_kitty(seat, self.buried)
            else:
                self.ask_rekitty()
        else:
            cards, _, name = rest.partition(" as ")
            self.play(seat, read_cards(cards), name or None, led_instead)

    def answer(self, seat: int, text: str) -> None:
        """A call, an addition or a pass while cards are drawn."""
        legal = self.legal_calls(seat)
        self.answered[seat] = frozenset(legal)
        if text != "pass":
            made = legal[text]
            assert read_call(self.bidding(), seat, made.cards, made.addition) == made
            self.calls = (*self.calls, made)
            # "Changed since its last answer": what the call itself changed is no change since.
            self.answered[seat] = frozenset(self.legal_calls(seat))
            self.ring = self.from_right(seat)
        self.draw_on()

    def bury(self, seat: int, cards: Counter[Card]) -> None:
        """The kitty is laid away; over-calls may follow."""
        self.hands[seat] -= cards
        self.buried = cards
        joker_level = self.level() == "JOKER"
        if self.settings["bid_rekitty"] and (self.was_called or joker_level):
            self.phase = "rekitty"
            standing = self.bidding().standing
            owner = standing.seat if standing else None
            self.ring = [s for s in self.from_right(seat)[:-1] if s != owner]
            self.ask_rekitty()
        else:
            self.begin_play()

    def play(
        self, seat: int, cards: Counter[Card], name: str | None, led_instead: Counter[Card] | None
    ) -> None:
        """A lead or a follow."""
        thrown = None
        if not self.trick:
            found = self.leads(cards, name)
            self.led = found[0]
            if len(found) > 1 and led_instead is not None:
                self.led = next(lead for lead in found if lead.cards == led_instead)
            if self.led.failed:
                cards, thrown = self.led.cards, cards
                self.notes["failed throw"] += 1
            elif len(self.led.units) > 1:
                self.notes["throw"] += 1
            elif self.led.shapes[0].length > 1:
                self.notes["tractor led"] += 1
        self.hands[seat] -= cards
        self.trick.append(Played(seat, cards, thrown))
        self.turn = (seat + 1) % self.players
        if len(self.trick) == self.players:
            self.end_trick()

    def end_trick(self) -> None:
        """The winner takes the points and leads the next."""
        assert self.led is not None
        assert self.dealer is not None
        order = self.order()
        best = winner(self.settings, order, self.led.shapes, [p.cards for p in self.trick])
        won = self.trick[best]
        self.notes["ruffed" if self.is_ruff(order, won) else "not ruffed"] += 1
        worth = sum(points(play.cards.elements()) for play in self.trick)
        attackers = (won.seat - self.dealer) % 2 == 1
        self.tricks.append(self.trick)
        self.trick = []
        self.turn = won.seat
        if any(self.hands):
            self.points += worth if attackers else 0
            return
        with_trump = order.only_suit(won.cards) == TRUMP
        largest = largest_unit(order, won.cards)
        buried = points(self.buried.elements())
        self.points += last_trick(self.settings, attackers, with_trump, largest, worth, buried)
        self.end_hand()

    def is_ruff(self, order: Order, won: Played) -> bool:
        """Whether trump won a trick in another suit."""
        lead = order.only_suit(self.trick[0].cards)
        return lead != TRUMP and order.only_suit(won.cards) == TRUMP

    # -- after a hand --------------------------------------------------------------------------

    def end_hand(self) -> None:
        """Levels, the next dealer, the end of the match."""
        assert self.dealer is not None
        self.turn = None
        self.phase = "over"
        self.last_result = result(self.settings, self.points)
        loser = self.last_result.attackers
        side = (self.dealer + loser) % 2
        gain = self.last_result.levels
        self.sides[side] = climb(self.settings, self.sides[side], gain, as_dealer=not loser)
        self.hands_done += 1
        if self.settings["unit"] == "hand":
            self.ended = Ended("hand_over", side)
            return
        self.dealer = next_dealer(self.settings, self.dealer, loser)
        if self.sides[side].won:
            self.ended = Ended("target_passed", side)
        elif self.time_is_up():
            self.end_by_clock()
        if not self.ended:
            self.contested = self.opening = self.call_first = False
            self.phase = "deal"

    def time_is_up(self) -> bool:
        """`plus_one_hand` plays one hand more than `max_hands`."""
        extra = self.settings["clock_at_end"] == "plus_one_hand"
        return self.hands_done >= number(self.settings, "max_hands") + extra

    def end_by_clock(self) -> None:
        """The leader wins; equal levels as `clock_tie` says."""
        assert self.dealer is not None
        heights = [(side.laps, self.height(side.level)) for side in self.sides]
        if heights[0] != heights[1]:
            self.ended = Ended("hand_limit", heights.index(max(heights)))
            return
        rule, _, level = str(self.settings["clock_tie"]).partition(":")
        if rule == "dealer_side":
            self.ended = Ended("hand_limit", self.dealer % 2)
        elif rule in ("external", "draw"):
            self.ended = Ended("hand_limit", None)
        elif rule == "lots":
            self.ended = Ended("hand_limit", -1)
        elif rule == "playoff_at" and not self.overtime:
            self.sides = [Standing(level), Standing(level)]
        self.overtime = True

    def height(self, level: str) -> int:
        """Place of a level on the ladder."""
        return ladder(self.settings).index(level)


def text_of(word: str, cards: Counter[Card]) -> str:
    """A move of cards in canonical order."""
    return f"{word} {' '.join(in_order(cards.elements()))}"
