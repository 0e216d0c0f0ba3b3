"""Tuolaji, the compiled core beside the slow rules: whole hands under every rulebook.

At every decision: the seat to act, the phase, dealer, trump, hands, kitty, points and the tricks so
far; legality of the core's listed and sampled moves, of the slow rules' own where they can all be
listed, and of sets of cards near them (tests/fuzz/tuolaji_plays.py); then what the trick, the throw,
the last trick and the hand come to. ARENA_FUZZ_SECONDS makes each test run longer (see
tests/fuzz/budget.py) and ask deeper: hundreds of sets for each follower, and several leads of each
hand with all who follow; about 20,000 plays a second are judged. `-s` shows what was met:

    ARENA_FUZZ_SECONDS=300 pytest -s tests/fuzz/test_tuolaji_oracle.py
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from math import comb

import pytest

import arena
from arena._core import Rng, State
from arena.games import family
from tests.fuzz.budget import fuzz_seconds, seeds
from tests.fuzz.tuolaji_plays import candidates, clustered, one_card_off
from tests.oracles.tuolaji import Tuolaji, fields, text_of
from tests.oracles.tuolaji_cards import (
    KINDS,
    RANKS,
    Card,
    Settings,
    card,
    full_pack,
    in_order,
    read_cards,
)
from tests.oracles.tuolaji_score import kitty_size, ladder
from tests.oracles.tuolaji_shapes import one_unit

BOOKS = [f"tuolaji/{book}" for book in family("tuolaji").rulebooks]

TABLES = [
    "2x2=2x2>2*2x1>any;2x1=2x1>any",
    "3x2=3x2>2x3>2x2+2x1|3x1+2x1>3*2x1;2x3=2x3|3x2>2x2+2x1>3*2x1;3x1=3x1>2x1>any",
    "4x1=4x1>3x1>2x2>2*2x1>any;2x2=2x2|4x1>2*2x1>2x1>any",
]
"""Lists for two packs, for three, for four."""

PLAYS = 300 if fuzz_seconds() else 30
"""Sets of cards judged for each follower."""

LEADS = 24 if fuzz_seconds() else 6
"""Leads of each kind judged for each leader: each is slow, since all its readings are looked at."""

FORKS = 4 if fuzz_seconds() else 0
"""Leads of several cards that are tried at each lead, with all their followers, besides the one
that the game goes on with."""

LONGEST_THROW = 7
"""Cards of a throw: the slow rules try every reading."""


class Pair:
    """One game in the core and in the slow rules, move by move."""

    def __init__(self, game: arena.Game, state: State, met: Counter[str], seed: int) -> None:
        self.core = state
        self.rng = random.Random(f"plays {seed}")
        self.where = f"{game.label} seed {seed}:"
        self.slow = Tuolaji(game.rules.settings(), state.setup())
        self.met = met
        self.accepted: list[str] = []
        """Legal moves met at this decision."""

    # -- the position --------------------------------------------------------------------------

    def compare(self) -> None:
        """Everything that can be seen of the position."""
        core, slow = self.core, self.slow
        given = fields(core.setup())
        where = f"{self.where} {core.setup()}"
        if slow.phase == "deal":
            self.compare_deal(given, where)
        self.met["positions"] += 1
        outcome = core.outcome()
        assert (outcome is None) == (slow.ended is None), f"{where} {outcome} {slow.ended}"
        assert set(core.seats_to_act()) == slow.seats_to_act(), f"{where} {slow.turn}"
        assert given.get("phase", "play") == slow.phase, f"{where} {slow.phase}"
        dealer = "-" if slow.dealer is None else str(slow.dealer)
        if slow.phase != "over":
            assert given.get("dealer", "0") == dealer, f"{where} {dealer}"
        levels = ":".join(side.level for side in slow.sides)
        assert given.get("levels") == levels, f"{where} {levels}"
        if slow.phase in ("bury", "rekitty", "play"):
            assert given["trump"] == slow.trump, f"{where} {slow.trump}"
            held = [read_cards(text) for text in given["hands"].split("/")]
            assert held == [+hand for hand in slow.hands], where
        if slow.phase in ("rekitty", "play"):
            assert read_cards(given.get("kitty", "-")) == slow.buried, where
        if slow.phase == "play":
            assert int(given.get("points", "0")) == slow.points, f"{where} {slow.points}"
            self.compare_trick(given, where)
        if outcome and slow.ended:
            self.compare_end(given, where)

    def compare_deal(self, given: dict[str, str], where: str) -> None:
        """A new deal: who deals is foretold; the pack is not."""
        slow = self.slow
        unseen = int(given.get("redeals", "0")) - slow.redeals > 1
        if unseen and not slow.contested:
            slow.dealer = int(given["dealer"])
        slow.deal(given)
        if slow.phase == "draw":
            flags = [slow.contested, slow.opening, slow.call_first]
            shown = [given[key] == "1" for key in ("contested", "opening", "callfirst")]
            assert shown == flags, f"{where} {flags}"
        if slow.dealer is not None and slow.phase == "draw" and not slow.contested:
            assert given["dealer"] == given["first"] == str(slow.dealer), where
        self.met["deals"] += 1

    def compare_trick(self, given: dict[str, str], where: str) -> None:
        """The running trick, card by card; the winner of the last is the leader of this one."""
        running = given.get("trick", "-")
        if not self.slow.trick:
            return
        leader, _, plays = running.partition(":")
        assert int(leader) == self.slow.trick[0].seat, where
        shown = [read_cards(play.split("<")[0].split("~")[0]) for play in plays.split("/")]
        assert shown == [play.cards for play in self.slow.trick], where

    def compare_end(self, given: dict[str, str], where: str) -> None:
        """The result of the hand, and the scores."""
        slow, outcome = self.slow, self.core.outcome()
        assert outcome
        assert slow.ended
        assert slow.last_result
        assert int(given["points"]) == slow.points, f"{where} {slow.points}"
        winner, total, _, gain, word = given["end"].split(":")
        came_to = (int(winner), int(total), int(gain), word[0])
        side = (int(given["dealer"]) + slow.last_result.attackers) % 2
        own = (side, slow.points, slow.last_result.levels, slow.last_result.kind)
        assert came_to == own, f"{where} {own}"
        assert outcome.termination.name == slow.ended.termination, f"{where} {slow.ended}"
        if slow.ended.winner == -1:
            return
        share = [
            0.5 if slow.ended.winner is None else float(slow.ended.winner == s) for s in (0, 1)
        ]
        expected = tuple(share[seat % 2] for seat in range(slow.players))
        assert outcome.scores == expected, f"{where} {outcome} {slow.ended}"
        self.met[f"result {slow.last_result.kind}"] += 1

    # -- legality ------------------------------------------------------------------------------

    def verdict(self, text: str, legal: bool) -> None:
        """One text in both."""
        assert self.slow.turn is not None
        found = self.core.check(self.slow.turn, text)
        assert (found is None) == legal, (
            f"{self.where} {self.core.setup()} seat {self.slow.turn}: {text}: "
            f"core {found and found.message}, slow rules {'legal' if legal else 'illegal'}"
        )
        if legal:
            self.accepted.append(text)
        self.met["legal" if legal else "refused"] += 1
        self.met[f"checked in {self.slow.phase}"] += 1

    def compare_moves(self) -> None:
        """Listed and sampled moves, our own, and near misses."""
        core, slow = self.core, self.slow
        assert slow.turn is not None
        self.accepted = []
        view = core.moves(slow.turn)
        listed = [str(move) for move in view]
        assert len(listed) == len(set(listed)), f"{self.where} {core.setup()}"
        if slow.phase != "play":
            self.compare_words(listed, view.complete)
        elif slow.trick:
            self.compare_follows(listed, view.complete)
        else:
            self.compare_leads(listed)

    def sampled(self) -> str:
        """A move that the core proposes."""
        assert self.slow.turn is not None
        return str(self.core.sample_move(self.slow.turn, Rng(self.rng.getrandbits(60))))

    def compare_words(self, listed: list[str], complete: bool) -> None:
        """Calls, passes, suits, burials."""
        slow = self.slow
        assert slow.turn is not None
        own: list[str] = []
        if slow.phase in ("draw", "rekitty"):
            own = ["pass", *slow.legal_calls(slow.turn)]
            assert set(listed) <= set(own), f"{self.where} {self.core.setup()} {own} {listed}"
            if complete:
                assert set(listed) == set(own), f"{self.where} {self.core.setup()} {own} {listed}"
        level = slow.seat_levels()[slow.turn]
        kind = self.rng.choice([k for k in KINDS if k[1:].replace("Jk", "J") in (level, "2", "J")])
        near = [f"call {' '.join([kind] * n)}" for n in (1, 2, 3)]
        near += [
            f"add {kind}",
            "call BJ BJ",
            f"call {kind} SJ",
            "pass",
            "rebel",
            "trump S",
            "trump H",
        ]
        hand = slow.hands[slow.turn]
        for size in {len(slow.kitty), len(slow.kitty) - 1} - {0, -1}:
            cards = self.rng.sample(sorted(hand.elements()), min(size, hand.total()))
            near.append(text_of("bury", Counter(cards)))
        for text in [*listed[:12], *own, self.sampled(), *near]:
            self.verdict(canonical(text), slow.is_legal(text))

    def compare_follows(self, listed: list[str], complete: bool) -> None:
        """A follower's plays: the slow rules say once what is owed, then judge many sets of cards."""
        slow, rng = self.slow, self.rng
        assert slow.turn is not None
        hand = slow.hands[slow.turn]
        duty = slow.duty()
        if complete:
            self.met["complete lists"] += 1
            own = duty.in_suit
            room = own if duty.held > duty.size else hand - own
            size = duty.size if duty.held > duty.size else duty.size - duty.held
            if comb(room.total(), size) <= 1500:
                every = {text_of("play", play) for play in duty.legal()}
                assert set(listed) == every, (
                    f"{self.where} {self.core.setup()} seat {slow.turn}: "
                    f"core only {set(listed) - every}, slow rules only {every - set(listed)}"
                )
                self.met["lists compared"] += 1
        known = rng.sample(listed, min(len(listed), PLAYS // 3))
        given = [tuple(text.split()[1:]) for text in [*known, self.sampled()]]
        for play in candidates(given, hand, duty.in_suit, duty.size, PLAYS, rng):
            self.verdict(f"play {' '.join(play)}", duty.refuses(Counter(play)) is None)

    def compare_leads(self, listed: list[str]) -> None:
        """Single units, throws, readings; and what is no lead."""
        slow, rng = self.slow, self.rng
        assert slow.turn is not None
        hand = slow.hands[slow.turn]
        order = slow.order()
        texts = [*rng.sample(listed, min(len(listed), 10)), self.sampled()]
        for _ in range(max(1, LEADS // 6)):
            for text in texts[:11]:
                texts.append(text_of("play", one_card_off(cards_of(text), hand, rng)))
        for _ in range(LEADS):
            suit = order.suit[rng.choice(sorted(hand.elements()))]
            held = order.of_suit(hand, suit)
            play = clustered(held, rng.randint(1, min(LONGEST_THROW, held.total())), rng)
            text = text_of("play", play)
            texts += [text, f"{text} as {rng.choice(['groups', '2x2', '2x3', '3x2', '2x2+2x2'])}"]
        for text in texts:
            if cards_of(text).total() > LONGEST_THROW and text not in listed:
                continue
            if " as " in text and not is_other_reading(slow, text):
                continue
            self.verdict(text, slow.is_legal(text))
        several = sorted({text for text in self.accepted if cards_of(text).total() > 1})
        for text in rng.sample(several, min(len(several), FORKS)):
            self.fork().play_trick(text)

    # -- playing -------------------------------------------------------------------------------

    def choose(self) -> str:
        """Some legal move; calls and long leads often enough."""
        rng, slow = self.rng, self.slow
        moves = sorted(set(self.accepted))
        if slow.phase in ("draw", "rekitty", "rebel"):
            bold = [text for text in moves if text != "pass"]
            chance = {"draw": 0.4, "rekitty": 0.6, "rebel": 0.1}[slow.phase]
            return rng.choice(bold) if bold and rng.random() < chance else "pass"
        if slow.phase == "play" and not slow.trick and rng.random() < 0.7:
            sizes = Counter({text: cards_of(text).total() for text in moves})
            units = {text: one_unit(slow.order(), cards_of(text)) for text in moves}
            tractors = [text for text, unit in units.items() if unit and unit.shape.length > 1]
            if tractors and rng.random() < 0.7:
                return rng.choice(tractors)
            longest = [text for text in moves if sizes[text] >= max(sizes.values()) - 1]
            return rng.choice(longest)
        return rng.choice(moves)

    def fork(self) -> Pair:
        """The same position, to be played on apart."""
        other = copy.copy(self)
        other.core, other.slow = self.core.clone(), self.slow.clone()
        return other

    def play_trick(self, lead: str) -> None:
        """A lead and what its followers may play."""
        self.play(lead)
        while self.slow.phase == "play" and self.slow.trick:
            self.compare()
            self.compare_moves()
            if len(self.slow.trick) + 1 == self.slow.players:
                break
            self.play(self.choose())

    def play(self, text: str) -> None:
        """The same move in both."""
        seat = self.slow.turn
        assert seat is not None
        self.core.apply(seat, text)
        self.slow.given_lot = fields(self.core.setup()).get("trump", "-")
        led: Counter[Card] | None = None
        if self.slow.phase == "play" and not self.slow.trick:
            running = fields(self.core.setup()).get("trick", "-").partition(":")[2]
            led = read_cards(running.split("<")[0].split("~")[0])
        self.slow.apply(text, led)


def cards_of(text: str) -> Counter[Card]:
    """The cards of a play."""
    return read_cards(text.removeprefix("play ").partition(" as ")[0])


def canonical(text: str) -> str:
    """Cards in canonical order."""
    word, _, rest = text.partition(" ")
    return f"{word} {' '.join(in_order(rest.split()))}" if word in ("call", "add") else text


def is_other_reading(slow: Tuolaji, text: str) -> bool:
    """Whether a named reading is not the default one (naming that is a matter of taste)."""
    name = text.partition(" as ")[2]
    found = slow.leads(cards_of(text), None)
    plain = slow.leads(cards_of(text), name)
    return not (found and plain and found[0] == plain[0])


def play_beside(game: arena.Game, seed: int, met: Counter[str], setup: str | None = None) -> None:
    """One game to its end."""
    pair = Pair(game, game.new_state(seed, setup=setup), met, seed)
    while True:
        pair.compare()
        if not pair.slow.seats_to_act():
            break
        met[f"phase {pair.slow.phase}"] += 1
        pair.compare_moves()
        pair.play(pair.choose())
    met["games"] += 1
    met.update(pair.slow.notes)


def dense(settings: Settings, rng: random.Random) -> str:
    """A position before the first lead: few ranks and suits, so that units are everywhere."""
    decks, players = int(str(settings["decks"])), int(str(settings["players"]))
    kinds = rng.sample(KINDS[:-2], rng.randint(0, 3)) + rng.sample(KINDS[-2:], rng.randint(0, 2))
    low = rng.randrange(10)
    for suit in rng.sample("SHCD", rng.randint(2, 3)):
        kinds += [card(suit, rank) for rank in RANKS[low : low + rng.randint(4, 7)]]
    levels = ladder(settings)
    finish, _, goal = str(settings["finish"]).partition(":")
    below = levels.index(goal or "A") + (finish != "reach")
    level = rng.choice([rank for rank in levels[:below] if rank != "JOKER"])
    if rng.random() < 0.5:
        kinds += [card(suit, rng.choice([level, "2", "A"])) for suit in "SHCD"]
    heaps: list[list[Card]] = [[]]
    spare: list[list[Card]] = []
    for kind in in_order(set(kinds)):
        copies = [kind] * rng.choice([min(2, decks), min(3, decks), rng.randint(1, decks)])
        heaps[-1] += copies
        spare += [[kind] for _ in range(decks - len(copies))]
        if rng.random() < 0.35:
            heaps.append([])
    heaps += spare
    rng.shuffle(heaps)
    pack = [kind for heap in heaps for kind in heap]
    size = min(rng.randint(4, 12), len(pack) // players)
    hands = [pack[i * size : (i + 1) * size] for i in range(players)]
    left = sorted((full_pack(decks) - Counter(pack[: size * players])).elements())
    kitty = rng.sample(left, kitty_size(settings))
    return " ".join(
        [
            "phase=play",
            f"levels={level}:{level}",
            f"dealer={rng.randrange(players)}",
            f"trump={rng.choice(['S', 'H', 'C', 'D', 'NT', 'S', 'H'])}",
            f"hands={'/'.join(','.join(in_order(hand)) for hand in hands)}",
            f"kitty={','.join(in_order(kitty)) or '-'}",
            f"points={rng.randrange(0, 240, 5)}",
        ]
    )


def random_settings(rng: random.Random) -> dict[str, bool | int | str | None]:
    """Settings of every kind; those that make no sense together are left out."""
    decks, players = rng.choice([1, 2, 2, 3, 3, 4, 4, 5, 6]), rng.choice([4, 4, 4, 6])
    fit = [n for n in range(1, 13) if (54 * decks - n) % players == 0]
    kitties = [n for n in fit if n <= (54 * decks - n) // players]
    no_kitty = (54 * decks) % players == 0 and rng.random() < 0.3
    first = ["redeal", "flip:1", "flip:2", "flip_majority", "no_trump", "lots"]
    if no_kitty:
        first = ["redeal", "no_trump", "lots"]
    hidden = rng.random() < 0.3
    twos = rng.random() < 0.5
    return {
        "decks": decks,
        "players": players,
        "kitty": 0 if no_kitty else rng.choice(kitties),
        "hand_dealer": rng.choice(["contested", "drawn"]),
        "redeal_limit": rng.choice([0, 1, 10]),
        "levels": "3-A" if twos else "2-A",
        "gain_cap": rng.choice([None, None, 1, 3]),
        "permanent_trump": "2" if twos else "none",
        "bid_hidden": hidden,
        "bid_min_cards": rng.choice([1, 1, 2]) if decks > 1 else 1,
        "bid_token": rng.choice(["none", "none", "small_joker", "any_joker", "heart_2"]),
        "bid_token_exact": False,
        "bid_overcall": "more" if hidden else rng.choice(["more", "more_or_suit"]),
        "bid_no_trump": "off" if hidden else rng.choice(["off", "overcall", "any"]),
        "bid_self_overcall": rng.random() < 0.5,
        "bid_reinforce": rng.choice(["none", "own", "side"]),
        "bid_first_dealer": rng.choice(["first_caller", "final_caller"]),
        "bid_nobody_first": rng.choice(first),
        "bid_nobody_later": rng.choice([*first, "choke"]),
        "bid_rekitty": not no_kitty and not hidden and rng.random() < 0.5,
        "bid_rebel": rng.choice(["none", "attackers", "any"]),
        "bid_rebel_points": rng.choice([5, 15, 40]),
        "shape_bridge_level": rng.random() < 0.5,
        "shape_honours": rng.choice(["none", "jokers", "ladder", "ladder"]),
        "shape_aa22": rng.choice(["off", "low", "high"]) if twos else "off",
        "beat_cross_shape": rng.choice(["off", "wider", "wider", "4x1>2x2,3x2>2x3"]),
        "beat_ruff_order": rng.choice(["class_first", "trump_first"]),
        "throw": rng.choice(["forbidden", "safe_only", "forced_back", "forced_back"]),
        "follow_order": rng.choice(["width_first", "tractor_first"]),
        "follow_tables": rng.choice(["none", "none", *TABLES[: max(0, decks - 1)]]),
        "follow_split": rng.random() < 0.7,
        "last_pot": rng.choice(["hands", "none"] if no_kitty else ["kitty", "hands", "none"]),
        "last_multiplier": rng.choice(["cards", "cards_min2", "pow2_pairs"]),
        "last_trump_only": rng.random() < 0.3,
        "last_both_sides": rng.random() < 0.3,
        "score_bands": rng.choice(["standard", "standard", "0:D2,80:D1,160:C,240:A1,320:A2/80"]),
    }


@pytest.mark.parametrize("name", BOOKS)
def test_rulebooks(name: str) -> None:
    met: Counter[str] = Counter()
    game = arena.game(name)
    for seed in seeds(1):
        play_beside(game, seed, met)
    print(f"\n{name}: {dict(sorted(met.items()))}")
    assert met["legal"] > 100
    assert met["refused"] > 100


@pytest.mark.parametrize("name", BOOKS)
def test_dense_hands(name: str) -> None:
    met: Counter[str] = Counter()
    game = arena.game(name)
    for seed in seeds(8):
        setup = dense(game.rules.settings(), random.Random(f"dense {name} {seed}"))
        play_beside(game, seed, met, setup)
    print(f"\n{name}, dense hands: {dict(sorted(met.items()))}")
    assert met["tractor led"] >= 1


def test_later_hands_and_matches() -> None:
    met: Counter[str] = Counter()
    for seed in seeds(10):
        rng = random.Random(f"later {seed}")
        changed: dict[str, bool | int | str | None] = {"redeal_limit": rng.choice([0, 1, 10])}
        if rng.random() < 0.3:
            changed |= {"unit": "match", "max_hands": rng.choice([1, 1, 2])}
        else:
            changed |= {"hand_dealer": "drawn", "hand_levels": rng.choice(["7:5", "A:K", "10:J"])}
        play_beside(arena.game(rng.choice(BOOKS), **changed), seed, met)
    print(f"\nlater hands, matches: {dict(sorted(met.items()))}")
    assert met["result D"] >= 1
    assert met["result C"] + met["result A"] >= 1


def test_random_settings() -> None:
    met: Counter[str] = Counter()
    base = BOOKS[0]
    for seed in seeds(12):
        rng = random.Random(f"settings {seed}")
        game = arena.game(base, **random_settings(rng))
        setup = dense(game.rules.settings(), rng) if rng.random() < 0.7 else None
        play_beside(game, seed, met, setup)
    print(f"\nrandom settings: {dict(sorted(met.items()))}")
    assert met["tractor led"] >= 5
