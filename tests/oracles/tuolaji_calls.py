"""Naive Tuolaji: calling the trump while the cards are drawn, and what happens without a call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.oracles.tuolaji_cards import (
    JOKERS,
    SUITS,
    Card,
    Settings,
    card,
    in_order,
    rank_of,
    suit_of,
)
from tests.oracles.tuolaji_score import kitty_size, number

NO_TRUMP = "NT"


@dataclass(frozen=True)
class Call:
    """Cards shown (or laid face down) by one seat; an addition goes to a partner's call."""

    seat: int
    cards: tuple[Card, ...]
    kind: Card
    """The card that is counted: of the calling rank, or a joker."""

    count: int
    addition: bool = False

    @property
    def text(self) -> str:
        """The move."""
        return ("add " if self.addition else "call ") + " ".join(self.cards)

    @property
    def trump(self) -> str:
        """The suit it calls."""
        return suit_of(self.kind) or NO_TRUMP


@dataclass(frozen=True)
class Bidding:
    """The calls so far and what a seat needs for one."""

    settings: Settings
    calls: tuple[Call, ...]
    levels: tuple[str, ...]
    """The level each seat calls with; JOKER calls no suit."""

    opening: bool
    turned: Card | None
    after_burial: bool = False
    """The asking round in which the kitty may be taken over."""

    @property
    def standing(self) -> Call | None:
        """The last call that is no addition."""
        return next((call for call in reversed(self.calls) if not call.addition), None)

    @property
    def strength(self) -> int:
        """Cards of the standing call, additions included."""
        old = self.standing
        return old.count + sum(call.count for call in self.added()) if old else 0

    def added(self) -> list[Call]:
        """Additions to the standing call; they stay when its owner reinforces it himself."""
        found: list[Call] = []
        owner: Call | None = None
        for call in self.calls:
            if call.addition:
                found.append(call)
            elif owner is None or (call.seat, call.kind) != (owner.seat, owner.kind):
                owner, found = call, []
        return found

    def calling_rank(self, seat: int) -> str:
        """The rank that calls a suit."""
        return "2" if self.settings["bid_rank"] == "2" else self.levels[seat]

    def tokens(self) -> list[Card]:
        """Cards of which every call of an opening hand carries one."""
        rule = str(self.settings["bid_token"])
        if not self.opening or rule == "none":
            return []
        turned = [self.turned] if self.turned else []
        return {
            "small_joker": ["SJ"],
            "any_joker": ["SJ", "BJ"],
            "heart_2": ["H2"],
            "turned_card": turned,
        }[rule]

    def outbids(self, kind: Card, count: int) -> bool:
        """Whether so many of a kind beat the standing call.

        "More cards beat fewer; as many jokers beat as many of a suit, BJ beats SJ"; under
        more_or_suit as many, two at least, of a higher suit, spades first.
        """
        old = self.standing
        if old is None or count != self.strength:
            return old is None or count > self.strength
        if kind in JOKERS:
            return old.kind not in JOKERS or (kind == "BJ" and old.kind == "SJ")
        if old.kind in JOKERS or self.settings["bid_overcall"] != "more_or_suit" or count < 2:
            return False
        return SUITS.index(suit_of(kind)) < SUITS.index(suit_of(old.kind))

    def may_show(self, seat: int, kind: Card, count: int) -> bool:
        """Whether the seat's showing so many of a kind would stand."""
        old = self.standing
        if kind in JOKERS:
            no_trump = self.settings["bid_no_trump"]
            joker_level = self.levels[seat] == "JOKER" and self.after_burial
            first_allowed = no_trump == "any" or joker_level
            if no_trump == "off" or (old is None and not first_allowed):
                return False
        least = 2 if kind in JOKERS else number(self.settings, "bid_min_cards")
        if count < least:
            return False
        if old is None or old.seat != seat:
            return self.outbids(kind, count)
        if old.kind == kind:
            # Reinforcing: "an owner who reinforces shows the earlier cards again".
            return self.settings["bid_reinforce"] != "none" and count > old.count
        return bool(self.settings["bid_self_overcall"]) and self.outbids(kind, count)

    def legal(self, seat: int, hand: Counter[Card]) -> list[Call]:
        """Every legal call of a seat that holds these cards, each with one token."""
        found = []
        rank = self.calling_rank(seat)
        suits = [card(suit, rank) for suit in SUITS] if self.levels[seat] != "JOKER" else []
        for kind in [*suits, *JOKERS]:
            for count in range(1, hand[kind] + 1):
                if self.may_show(seat, kind, count):
                    shown = [kind] * count
                    found += [
                        Call(seat, tuple(in_order(shown + extra)), kind, count)
                        for extra in self.token_choices(kind, hand - Counter(shown))
                    ]
        old = self.standing
        if old is not None and old.seat == seat:
            # "An owner who reinforces shows the earlier cards again", the token too.
            found = [call for call in found if self.shows_again(call, old)]
        return found if self.after_burial else found + self.additions(seat, hand)

    def shows_again(self, call: Call, old: Call) -> bool:
        """Whether a call is another one than the standing call, or holds all its cards."""
        return call.kind != old.kind or not Counter(old.cards) - Counter(call.cards)

    def token_choices(self, kind: Card, hand: Counter[Card]) -> list[list[Card]]:
        """What a call carries besides: "jokers as a call need no token"."""
        tokens = self.tokens()
        if not tokens or kind in JOKERS:
            return [[]]
        return [[token] for token in tokens if hand[token]]

    def plain(self, cards: Sequence[Card]) -> list[Card]:
        """The cards of a call without further tokens, which are accepted and do not count."""
        if self.settings["bid_token_exact"] or all(kind in JOKERS for kind in cards):
            return list(cards)
        plain: list[Card] = []
        for kind in cards:
            if kind not in self.tokens() or kind not in plain:
                plain.append(kind)
        return plain

    def additions(self, seat: int, hand: Counter[Card]) -> list[Call]:
        """A partner of the owner adds cards equal to the standing call's, those not yet added."""
        old = self.standing
        if old is None or self.settings["bid_reinforce"] != "side":
            return []
        if old.seat == seat or (old.seat - seat) % 2:
            return []
        mine = sum(call.count for call in self.added() if call.seat == seat)
        return [
            Call(seat, (old.kind,) * n, old.kind, n, addition=True)
            for n in range(1, hand[old.kind] - mine + 1)
        ]


def read_call(bidding: Bidding, seat: int, cards: Sequence[Card], addition: bool) -> Call:
    """A call already made, from its cards: those of the calling rank, or all jokers."""
    rank = bidding.calling_rank(seat)
    suited = [kind for kind in cards if rank_of(kind) == rank]
    tokens = bidding.tokens()
    if len(suited) > 1 and tokens == ["H2"] and rank == "2":
        suited.remove("H2")
    shown = list(cards) if addition else suited or list(cards)
    return Call(seat, tuple(cards), shown[0], len(shown), addition)


# -- without a call ----------------------------------------------------------------------------


def flipped(kitty: Sequence[Card], k: int) -> str:
    """`flip:k`: the suit of the k-th kitty card; a joker: the next one, round to the first."""
    for kind in [*kitty[k - 1 :], *kitty[: k - 1]]:
        if kind not in JOKERS:
            return suit_of(kind)
    return NO_TRUMP


def majority(kitty: Sequence[Card]) -> list[str]:
    """`flip_majority`: the suits with most cards, jokers apart; none: no trump."""
    counts = {suit: sum(suit_of(kind) == suit for kind in kitty) for suit in SUITS}
    most = max(counts.values())
    return [suit for suit in SUITS if counts[suit] == most] if most else []


def without_call(settings: Settings, opening: bool) -> str:
    """What the rulebook says where nobody called."""
    rule = settings["bid_nobody_first" if opening else "bid_nobody_later"]
    if rule is not None:
        return str(rule)
    return "flip:1" if kitty_size(settings) else "redeal"
