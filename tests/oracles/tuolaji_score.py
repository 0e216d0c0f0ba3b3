"""Naive Tuolaji: the last trick, what points are worth, levels, the next dealer, the match."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracles.tuolaji_cards import RANKS, Settings


def number(settings: Settings, key: str) -> int:
    """A setting that is a whole number."""
    return int(str(settings[key]))


def kitty_size(settings: Settings) -> int:
    """Cards left over: by default 8 for four players and an even number of packs, else 6."""
    if settings["kitty"] is not None:
        return number(settings, "kitty")
    return 8 if settings["players"] == 4 and number(settings, "decks") % 2 == 0 else 6


# -- the last trick ----------------------------------------------------------------------------


def multiplier(settings: Settings, largest: int) -> int:
    """By the number of cards of the largest unit in the winner's cards."""
    rule = settings["last_multiplier"]
    if rule is None:
        rule = "pow2_pairs" if number(settings, "decks") <= 2 else "cards_min2"
    if rule == "cards":
        return largest
    if rule == "cards_min2":
        return max(2, largest)
    return 2 << (largest // 2)


def last_pot(settings: Settings) -> str:
    """What the last trick multiplies."""
    if settings["last_pot"] is None:
        return "kitty" if kitty_size(settings) else "hands"
    return str(settings["last_pot"])


def last_trick(
    settings: Settings,
    attackers_won: bool,
    with_trump: bool,
    largest: int,
    trick_points: int,
    kitty_points: int,
) -> int:
    """What the last trick adds to the attackers' points, its own points included."""
    pot_rule = last_pot(settings)
    own = trick_points if attackers_won else 0
    pot = {"kitty": kitty_points, "hands": trick_points, "none": 0}[pot_rule]
    if not attackers_won:
        return -pot * largest if settings["last_both_sides"] and largest >= 2 else 0
    if settings["last_trump_only"] and not with_trump:
        return own
    times = multiplier(settings, largest)
    # The hands' points count so many times in all, the trick's own taking included.
    return own + pot * (times - 1 if pot_rule == "hands" else times)


# -- score bands -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """D: the dealer's side gains; C: the deal changes; A: the attackers take over and gain."""

    kind: str
    levels: int

    @property
    def attackers(self) -> bool:
        """Whether the attackers take over."""
        return self.kind != "D"

    def __str__(self) -> str:
        return "C" if self.kind == "C" else f"{self.kind}{self.levels}"


def bands(settings: Settings) -> tuple[list[tuple[int, Result]], int]:
    """From how many points each result holds, and the step after the last (0: none)."""
    text = str(settings["score_bands"])
    if text == "standard":
        step = 20 * number(settings, "decks")
        text = f"0:D3,5:D2,{step}:D1,{2 * step}:C,{3 * step}:A1,{4 * step}:A2/{step}"
    text, _, every = text.partition("/")
    found = []
    for part in text.split(","):
        start, _, word = part.partition(":")
        found.append((int(start), Result(word[0], int(word[1:] or 0))))
    return found, int(every or 0)


def result(settings: Settings, points: int) -> Result:
    """The result of a hand; the first band holds for everything below the second too."""
    table, step = bands(settings)
    start, found = [band for band in table if band[0] <= points or band is table[0]][-1]
    if step and (start, found) == table[-1]:
        found = Result(found.kind, found.levels + (points - start) // step)
    cap = settings["gain_cap"]
    if cap is not None:
        found = Result(found.kind, min(found.levels, int(str(cap))))
    return found


# -- the ladder --------------------------------------------------------------------------------


def ladder(settings: Settings) -> list[str]:
    """The levels from the start up."""
    every: list[str] = []
    for part in str(settings["levels"]).split("+"):
        low, dash, high = part.partition("-")
        ranks = [*RANKS, "JOKER"]
        every += ranks[ranks.index(low) : ranks.index(high) + 1] if dash else [low]
    return every


@dataclass(frozen=True)
class Standing:
    """A side's place on the ladder."""

    level: str
    laps: int = 0
    won: bool = False


def climb(settings: Settings, side: Standing, gain: int, as_dealer: bool) -> Standing:
    """A side goes up `gain` steps.

    A gain stops at a must-play level, which is left only by winning there as the dealer's side.
    The match is won on arriving at r (reach), on a step beyond r (past); under `clock` the ladder
    wraps.
    """
    levels = ladder(settings)
    finish, _, goal = str(settings["finish"]).partition(":")
    must = str(settings["must_play"]).split("+")
    at, laps = levels.index(side.level), side.laps
    for step in range(gain):
        here = levels[at]
        if here in must and (step > 0 or not as_dealer):
            break
        # "From r or above any gain is such a step, and leaves the level where it was."
        if finish == "past" and at >= levels.index(goal):
            return Standing(here, laps, won=True)
        if at + 1 == len(levels):
            if finish != "clock":
                break
            at, laps = 0, laps + 1
        else:
            at += 1
        if finish == "reach" and at >= levels.index(goal):
            return Standing(levels[at], laps, won=True)
    return Standing(levels[at], laps)


def next_dealer(settings: Settings, dealer: int, attackers_won: bool) -> int:
    """The dealer's side wins: the partner on the right; else the right-hand neighbour."""
    return (dealer + (1 if attackers_won else 2)) % number(settings, "players")
