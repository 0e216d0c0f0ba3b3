"""Naive rules of Chinese checkers: whole games, from docs/games/chinese-checkers.md alone.

Slow and plain on purpose: the compiled core is fuzzed against it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from tests.oracles.chinese_checkers_star import OPPOSITE, TIPS, Hole, Star, distance

SIDES = {"star121": 4, "star73": 3, "star37": 2}
ROLES = ("first", "second", "third", "fourth", "fifth", "sixth")

HOMES: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {
    (2, 1): (("N",), ("S",)),
    (2, 2): (("N", "NE"), ("S", "SW")),
    (2, 3): (("NW", "N", "NE"), ("SE", "S", "SW")),
    (3, 1): (("N",), ("SE",), ("SW",)),
    (3, 2): (("N", "S"), ("NE", "SW"), ("SE", "NW")),
    (4, 1): (("N",), ("NE",), ("S",), ("SW",)),
    (5, 1): (("N",), ("NE",), ("SE",), ("S",), ("SW",)),
    (6, 1): (("N",), ("NE",), ("SE",), ("S",), ("SW",), ("NW",)),
}
"""Players and sets a player to the homes of each seat's sets; each runs to the opposite tip."""


@cache
def star(side: int) -> Star:
    """The board of one size; never changed."""
    return Star(side)


@dataclass(frozen=True)
class Outcome:
    """Why a game ended and the place of every seat."""

    termination: str
    places: tuple[int, ...]

    @property
    def scores(self) -> tuple[float, ...]:
        """The share of opponents beaten, a tie counting one half."""
        return tuple(
            sum(1.0 if mine < other else 0.5 for other in self.others(seat) if mine <= other)
            / (len(self.places) - 1)
            for seat, mine in enumerate(self.places)
        )

    def others(self, seat: int) -> list[int]:
        """The places of all other seats."""
        return [place for i, place in enumerate(self.places) if i != seat]


@dataclass
class Group:
    """Finishers that share a place: who came first, with which turn, and who joined."""

    leader: int
    turn: int
    members: list[int] = field(default_factory=list)


class ChineseCheckers:
    """One game in progress under a dict of settings."""

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.players = int(str(settings["players"]))
        self.pegs = int(str(settings["pegs"]))
        self.long_jumps = settings["jump"] == "equidistant"
        self.foreign_rule = settings["foreign_triangles"]
        self.locked = not settings["leave_target"]
        self.anti_block = settings["anti_block"]
        self.home_deadline = int(str(settings["home_deadline"]))
        self.late_finish = settings["late_finish"]
        self.finish_rule = settings["finish"]
        self.max_turns = int(str(settings["max_turns"]))
        self.cap_result = settings["cap_result"]
        self.board = str(settings["board"])
        self.star = star(SIDES[self.board])
        homes = HOMES[self.players, int(str(settings["sets_per_player"]))]
        self.owner = {home: seat for seat, tips in enumerate(homes) for home in tips}
        self.sets = [home for home in TIPS if home in self.owner]
        self.camp = {tip: self.star.camp(tip, self.pegs) for tip in TIPS}
        self.pieces: dict[Hole, str] = {
            hole: home for home in self.sets for hole in self.camp[home]
        }
        """Hole to the set, named by its home, of the piece that stands there."""
        self.seat = 0
        self.round = 1
        self.finished: list[tuple[int, int]] = []
        """Seat and its turn number, in order of finish."""
        self.out: set[int] = set()
        self.ended: Outcome | None = None

    def clone(self) -> ChineseCheckers:
        """An independent copy."""
        other = copy(self)
        other.pieces, other.out = dict(self.pieces), set(self.out)
        other.finished = list(self.finished)
        return other

    # -- who moves ---------------------------------------------------------------------

    def groups(self) -> list[Group]:
        """Who shares a place: a finisher joins the best group that it may, else leads the next."""
        groups: list[Group] = []
        for seat, turn in self.finished:
            open_groups = [g for g in groups if self.may_join_with(g, seat, turn)]
            if open_groups:
                open_groups[0].members.append(seat)
            else:
                groups.append(Group(seat, turn, [seat]))
        return groups

    def may_join_with(self, group: Group, seat: int, turn: int) -> bool:
        """Only a seat later in the order, with the same turn number or one more."""
        allowance = {"same_round_draw": 0, "one_more_round_draw": 1}.get(str(self.late_finish))
        return allowance is not None and seat > group.leader and turn <= group.turn + allowance

    def still_playing(self) -> list[int]:
        """Seats that have neither finished nor lost."""
        done = {seat for seat, _ in self.finished} | self.out
        return [seat for seat in range(self.players) if seat not in done]

    def next_turn(self, seat: int) -> int:
        """The number of the seat's next turn."""
        return self.round if seat >= self.seat else self.round + 1

    def may_join(self) -> list[int]:
        """Seats that may still join a group, with a turn that the cap leaves them."""
        return [
            seat
            for seat in self.still_playing()
            if self.next_turn(seat) <= self.max_turns
            and any(self.may_join_with(g, seat, self.next_turn(seat)) for g in self.groups())
        ]

    def movers(self) -> list[int]:
        """Seats that still get turns; empty when the game is decided."""
        if self.finished and self.finish_rule == "first_only":
            return self.may_join()
        playing = self.still_playing()
        return playing if len(playing) > 1 or self.may_join() else []

    def seats_to_act(self) -> set[int]:
        """One seat, or none when the game is over."""
        return set() if self.ended else {self.seat}

    def roles(self) -> tuple[str, ...]:
        """By order of play."""
        return ROLES[: self.players]

    # -- moves -------------------------------------------------------------------------

    def target(self, home: str) -> set[Hole]:
        """The camp of the same size around the opposite tip."""
        return self.camp[OPPOSITE[home]]

    def foreign(self, seat: int) -> set[Hole]:
        """Tips around neither a home nor a target of the seat's sets."""
        own = {h for h in self.sets if self.owner[h] == seat}
        own |= {OPPOSITE[home] for home in own}
        return set().union(*(self.star.tip[t] for t in TIPS if t not in own))

    def leg_ok(self, home: str, start: Hole, end: Hole) -> bool:
        """One step or hop against the locked target and closed tips."""
        if self.locked and start in self.target(home) and end not in self.target(home):
            return False
        return not (self.foreign_rule == "closed" and end in self.foreign(self.owner[home]))

    def reachable(self, start: Hole, emptied: Hole | None = None) -> set[Hole]:
        """Where the piece on `start` may end its turn: a step, or a chain of hops.

        `emptied` is a hole taken as empty, for the exchange of pieces.
        """
        home = self.pieces[start]
        occupied = set(self.pieces) - {start, emptied}
        ends = {h for h in self.star.steps(occupied, start) if self.leg_ok(home, start, h)}
        landed, to_try = {start}, [start]
        while to_try:
            at = to_try.pop()
            for h in self.star.hops(occupied, at, self.long_jumps):
                if h not in landed and self.leg_ok(home, at, h):
                    landed.add(h)
                    to_try.append(h)
        ends |= landed - {start}
        if self.foreign_rule == "pass_through":
            ends -= self.foreign(self.owner[home])
        return ends

    def exchangeable(self, home: str) -> set[Hole]:
        """Holes of the set's full target, with an own piece in it, that hold another seat's."""
        target = self.target(home)
        if self.anti_block != "swap" or any(h not in self.pieces for h in target):
            return set()
        if all(self.pieces[h] != home for h in target):
            return set()
        return {h for h in target if self.owner[self.pieces[h]] != self.owner[home]}

    def ends(self, start: Hole) -> set[Hole]:
        """All holes where the turn of the piece on `start` may end, exchanges included."""
        blockers = self.exchangeable(self.pieces[start])
        return self.reachable(start) | {h for h in blockers if h in self.reachable(start, h)}

    def moves(self, seat: int) -> set[str]:
        """Every legal move as its text; `pass` exactly where there is no other."""
        assert self.seats_to_act() == {seat}
        found = {
            self.star.name[start] + self.star.name[end]
            for start, home in self.pieces.items()
            if self.owner[home] == seat
            for end in self.ends(start)
        }
        return found or {"pass"}

    def path(self, text: str) -> str | None:
        """The move that a path `a1-c1-e3` means, or None where it cannot be played."""
        names = text.split("-")
        if len(names) < 2 or any(name not in self.star.hole for name in names):
            return None
        way = [self.star.hole[name] for name in names]
        start, end = way[0], way[-1]
        if self.owner.get(self.pieces.get(start, "")) != self.seat or end == start:
            return None
        home = self.pieces[start]
        blocker = end if end in self.exchangeable(home) else None
        if blocker and blocker in way[1:-1]:
            return None
        occupied = set(self.pieces) - {start, blocker}
        one_step = len(way) == 2 and end in self.star.steps(occupied, start)
        for a, b in pairwise(way):
            if not one_step and b not in self.star.hops(occupied, a, self.long_jumps):
                return None
            if not self.leg_ok(home, a, b):
                return None
        if self.foreign_rule == "pass_through" and end in self.foreign(self.seat):
            return None
        return names[0] + names[-1]

    def refusal(self, text: str) -> str:
        """Why the seat to act may not play two ends, or `pass`, that are no legal move."""
        if text == "pass":
            return "pass_not_allowed"
        ends = re.fullmatch(r"([a-z]\d+)([a-z]\d+)", text)
        if not ends:
            return "syntax"
        if ends[1] not in self.star.hole or ends[2] not in self.star.hole:
            return "off_board"
        start, end = self.star.hole[ends[1]], self.star.hole[ends[2]]
        if self.owner.get(self.pieces.get(start, "")) != self.seat:
            return "not_your_piece"
        home = self.pieces[start]
        if start == end:
            return "null_move"
        if end in self.pieces:
            return "occupied"
        if self.locked and start in self.target(home) and end not in self.target(home):
            return "locked_in_goal"
        if self.foreign_rule != "free" and end in self.foreign(self.seat):
            return "zone_closed"
        return "unreachable"

    # -- playing -----------------------------------------------------------------------

    def apply(self, seat: int, text: str) -> None:
        """Plays a move, which is taken to be legal."""
        assert seat == self.seat
        if text != "pass":
            ends = re.fullmatch(r"([a-z]\d+)([a-z]\d+)", text)
            assert ends
            start, end = self.star.hole[ends[1]], self.star.hole[ends[2]]
            moved, exchanged = self.pieces.pop(start), self.pieces.get(end)
            self.pieces[end] = moved
            if exchanged:
                self.pieces[start] = exchanged
        self.end_turn()

    def won(self, home: str) -> bool:
        """Whether the set's target is won."""
        there = [self.pieces.get(hole) for hole in self.target(home)]
        if self.anti_block == "filled_any_own":
            return None not in there and home in there
        return all(piece == home for piece in there)

    def own_sets(self, seat: int) -> list[str]:
        """The homes of the seat's sets."""
        return [home for home in self.sets if self.owner[home] == seat]

    def passive(self, seat: int) -> bool:
        """A piece in that piece's own home at the end of a turn not before the deadline."""
        return (
            self.anti_block == "passive_loss"
            and self.round >= self.home_deadline
            and any(
                self.pieces.get(hole) == home
                for home in self.own_sets(seat)
                for hole in self.camp[home]
            )
        )

    def end_turn(self) -> None:
        """Finish or passive loss of the seat that moved, then the next seat or the end."""
        seat = self.seat
        if all(self.won(home) for home in self.own_sets(seat)):
            self.finished.append((seat, self.round))
        elif self.passive(seat):
            self.out.add(seat)
            if self.players > 2:
                self.pieces = {h: s for h, s in self.pieces.items() if self.owner[s] != seat}
        self.seat += 1
        if self.seat == self.players:
            self.seat, self.round = 0, self.round + 1
        after = (self.seat, self.round)
        if not self.movers():
            self.ended = self.judge(capped=False)
            return
        while self.seat not in self.movers():
            self.seat += 1
            if self.seat == self.players:
                self.seat, self.round = 0, self.round + 1
        if self.round > self.max_turns:
            self.ended = self.judge(capped=True)
            self.seat, self.round = after

    # -- the end -----------------------------------------------------------------------

    def judge(self, capped: bool) -> Outcome:
        """Places and termination of a game that ends now."""
        tiers = [set(group.members) for group in self.groups()]
        rest = set(self.still_playing())
        first_group_stands = self.finish_rule == "first_only" and bool(tiers)
        if first_group_stands or not capped:
            tiers.append(rest)
        else:
            tiers += self.cap_tiers(rest)
        tiers.append(self.out)
        place: dict[int, int] = {}
        for tier in tiers:
            place.update(dict.fromkeys(tier, 1 + len(place)))
        places = tuple(place[seat] for seat in range(self.players))
        if capped and not first_group_stands:
            termination = "turn_cap"
        elif places.count(1) > 1:
            termination = "late_finish"
        else:
            termination = "goal_filled" if self.finished else "passive_loss"
        return Outcome(termination, places)

    def cap_tiers(self, seats: set[int]) -> list[set[int]]:
        """Unfinished seats at the cap, best first, by `cap_result`."""
        value = {seat: self.cap_value(seat) for seat in seats}
        return [{s for s in seats if value[s] == v} for v in sorted(set(value.values()))]

    def cap_value(self, seat: int) -> int:
        """Less is better."""
        own = [(hole, home) for hole, home in self.pieces.items() if self.owner[home] == seat]
        if self.cap_result == "pieces_home":
            return -sum(hole in self.target(home) for hole, home in own)
        if self.cap_result == "distance":
            return sum(distance(hole, self.star.outermost[OPPOSITE[home]]) for hole, home in own)
        return 0

    # -- texts -------------------------------------------------------------------------

    def holes_of(self, home: str) -> list[str]:
        """The set's holes by letter, then number."""
        names = [self.star.name[hole] for hole, piece in self.pieces.items() if piece == home]
        return sorted(names, key=lambda name: (name[0], int(name[1:])))

    def setup(self) -> str:
        """The position as one line."""
        words = [f"{home}={','.join(self.holes_of(home)) or '-'}" for home in self.sets]
        words += [f"seat={self.seat}", f"round={self.round}"]
        if self.finished:
            words.append("finished=" + ",".join(f"{s}@{turn}" for s, turn in self.finished))
        if self.out:
            words.append("out=" + ",".join(map(str, sorted(self.out))))
        return " ".join(words)

    def load(self, text: str) -> None:
        """Takes over a position in which the game goes on."""
        words = dict(word.split("=") for word in text.split())
        self.pieces = {
            self.star.hole[name]: home
            for home in self.sets
            for name in words[home].split(",")
            if name != "-"
        }
        self.seat, self.round = int(words["seat"]), int(words["round"])
        pairs = [word.split("@") for word in words.get("finished", "").split(",") if word]
        self.finished = [(int(seat), int(turn)) for seat, turn in pairs]
        self.out = {int(seat) for seat in words.get("out", "").split(",") if seat}
        self.ended = None

    def observation(self) -> dict[str, object]:
        """What everybody sees, as the page describes it."""
        place: dict[int, int] = {}
        for group in self.groups():
            shared = 1 + len(place)
            place.update(dict.fromkeys(group.members, shared))
        return {
            "board": self.board,
            "seat_to_act": None if self.ended else self.seat,
            "round": self.round,
            "sets": [
                {
                    "home": home,
                    "target": OPPOSITE[home],
                    "seat": self.owner[home],
                    "holes": self.holes_of(home),
                }
                for home in self.sets
            ],
            "finished": [{"seat": s, "turn": t, "place": place[s]} for s, t in self.finished],
            "out": sorted(self.out),
            "may_join": self.may_join(),
        }
