"""Naive rules of Siguo Junqi (四国军棋): whole games, from the text of the rules alone.

Slow and plain on purpose: the compiled core is fuzzed against it. Who knows what is in
`siguo_views`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from tests.oracles.siguo_board import Board, board

COUNT = {
    "commander": 1,
    "general": 1,
    "division": 2,
    "brigade": 2,
    "regiment": 2,
    "battalion": 2,
    "company": 3,
    "platoon": 3,
    "engineer": 3,
    "bomb": 2,
    "mine": 3,
    "flag": 1,
}
"""The 25 pieces of a side: 司令 军长 师长 旅长 团长 营长 连长 排长 工兵 炸弹 地雷 军旗."""

RANKS = tuple(COUNT)
STRENGTH = {rank: 9 - i for i, rank in enumerate(RANKS[:9])}
"""司令>军长>师长>旅长>团长>营长>连长>排长>工兵."""

IMMOBILE = frozenset({"mine", "flag"})
SEATS = {2: "SN", 3: "SEN", 4: "SENW"}
"""The homes of seats 0, 1, …"""

ORDER = {"ccw": "SENW", "cw": "SWNE"}
ALLY = {"S": "N", "N": "S", "E": "W", "W": "E"}


def line_up_errors(where: Board, home: str, line_up: Mapping[str, str]) -> set[str]:
    """What is wrong with the pieces of one side, point to rank."""
    errors: set[str] = set()
    if Counter(line_up.values()) != Counter(COUNT):
        errors.add("wrong pieces")
    if set(line_up) != where.home(home) - where.camps:
        errors.add("wrong points")
    for point, rank in line_up.items():
        if point[0] != home or rank not in allowed_at(where, point):
            errors.add(f"{rank} on {point}")
    return errors


def allowed_at(where: Board, point: str) -> set[str]:
    """Ranks that may stand on a point of their home at the start.

    "炸弹不能放在第一行，地雷只能放在最后两行，军棋只能放在司令部"; camps are empty.
    """
    if point in where.camps:
        return set()
    ranks = set(RANKS)
    row = int(point[1])
    if row == 1:
        ranks.discard("bomb")
    if row < 5:
        ranks.discard("mine")
    if point not in where.headquarters:
        ranks.discard("flag")
    return ranks


@dataclass(frozen=True)
class Fight:
    """Who is left of an attacker and a defender, and whether a flag was taken."""

    attacker: bool
    defender: bool
    flag: bool = False


def fight(attacker: str, defender: str, settings: Mapping[str, object]) -> Fight:
    """Two ranks meet; the attacker is one that can move."""
    if defender == "flag":
        if attacker == "bomb" and settings["bomb_vs_flag"] == "bomb_lost":
            return Fight(attacker=False, defender=True)
        return Fight(attacker=attacker != "bomb", defender=False, flag=True)
    if "bomb" in (attacker, defender):
        return Fight(attacker=False, defender=False)
    if defender == "mine":
        if attacker == "engineer":
            return Fight(attacker=True, defender=False)
        return Fight(attacker=False, defender=settings["mine_vs_piece"] == "mine_survives")
    mine, other = STRENGTH[attacker], STRENGTH[defender]
    return Fight(attacker=mine > other, defender=mine < other)


@dataclass(frozen=True)
class Unit:
    """One piece: whose it was at the start and where, and what has become of it."""

    home: str
    origin: str
    rank: str
    at: str | None
    """None when it has left the board."""

    owner: str
    moves: int = 0


@dataclass(frozen=True)
class Battle:
    """What everybody sees of a fight; turns count from 1."""

    ply: int
    at: str
    attacker: int
    defender: int
    result: Fight
    shown: frozenset[str]
    """Homes whose flag becomes public, as their commander died."""


@dataclass(frozen=True)
class Outcome:
    """Why a game ended, and the place and score of every home."""

    termination: str
    places: Mapping[str, int]
    scores: Mapping[str, float]


@dataclass
class Learnt:
    """What anybody can work out from a fight or a turn: limits that hold for good."""

    cannot_be: dict[int, frozenset[str]] = field(default_factory=dict)
    """Ranks ruled out for a unit, by how it moved or did not."""

    pairs: list[tuple[int, int, set[tuple[str, str]]]] = field(default_factory=list)
    """Attacker, defender, and the pairs of ranks that explain their fight."""

    def rule_out(self, unit: int, ranks: frozenset[str]) -> None:
        self.cannot_be[unit] = self.cannot_be.get(unit, frozenset()) | ranks


class Siguo:
    """One game in progress, from the pieces of all sides, home to point to rank."""

    def __init__(
        self, settings: Mapping[str, object], line_ups: Mapping[str, Mapping[str, str]]
    ) -> None:
        self.settings = settings
        self.board = board(str(settings["board"]))
        self.seats = SEATS[int(str(settings["seats"]))]
        self.closed = {p for p in self.board.at if p[0] not in f"{self.seats}C"}
        """Points of homes without a seat: nothing enters or passes them."""

        self.order = [home for home in ORDER[str(settings["turn_order"])] if home in self.seats]
        self.units = {
            25 * seat + place: Unit(home, point, rank, point, home)
            for seat, home in enumerate(self.seats)
            for place, (point, rank) in enumerate(sorted(line_ups[home].items()))
        }
        self.turn = self.order[0]
        self.out: dict[str, str] = {}
        """Fallen homes and why, first to fall first."""

        self.shown: set[str] = set()
        self.timeouts = dict.fromkeys(self.seats, 0)
        self.ply = self.quiet = 0
        self.battles: list[Battle] = []
        self.log: list[tuple[str, str]] = []
        self.ended: Outcome | None = None
        self.learnt = Learnt()
        self.knowers = {i: self.friends_of(unit.home) for i, unit in self.units.items()}
        """Homes that have been shown the rank of a unit; "*" is everybody."""

        self.go_on(self.order)

    def clone(self) -> Siguo:
        """An independent copy."""
        other = copy(self)
        other.units, other.out = dict(self.units), dict(self.out)
        other.shown, other.timeouts = set(self.shown), dict(self.timeouts)
        other.battles, other.log = list(self.battles), list(self.log)
        other.learnt = Learnt(dict(self.learnt.cannot_be), list(self.learnt.pairs))
        other.knowers = {i: set(homes) for i, homes in self.knowers.items()}
        return other

    # -- sides -------------------------------------------------------------------------

    def side(self, home: str) -> set[str]:
        """The homes that win together with this one."""
        if self.settings["teams"] == "opposite" and len(self.seats) == 4:
            return {home, ALLY[home]}
        return {home}

    def friends_of(self, home: str) -> set[str]:
        """Who sees the pieces that a home owns."""
        visibility = self.settings["visibility"]
        if visibility == "bright":
            return {"*"}
        return self.side(home) if visibility == "double_bright" else {home}

    def alive(self) -> list[str]:
        """Homes still in play, in the order of play."""
        return [home for home in self.order if home not in self.out]

    def after(self, home: str) -> list[str]:
        """All homes in the order of play, the given one last."""
        i = self.order.index(home) + 1
        return [*self.order[i:], *self.order[:i]]

    # -- moves -------------------------------------------------------------------------

    def standing(self, at: str) -> int | None:
        """The unit on a point."""
        return next((i for i, unit in self.units.items() if unit.at == at), None)

    def occupied(self, home: str) -> tuple[set[str], set[str]]:
        """Points that block a home's pieces, and points that they may attack."""
        side, friends = self.side(home), set(self.closed)
        enemies: set[str] = set()
        for unit in self.units.values():
            if unit.at is not None:
                (friends if unit.owner in side else enemies).add(unit.at)
        return friends, enemies

    def locked(self, unit: Unit) -> bool:
        """Of units in headquarters: "进入任何司令部的棋子不能再移动"."""
        if unit.at not in self.board.headquarters:
            return False
        locks = self.settings["hq_locks"]
        return locks == "any" or (locks == "own_only" and unit.at[0] == unit.owner)

    def destinations(self, unit: Unit, rank: str) -> set[str]:
        """Where a unit could go if it were of this rank."""
        if unit.at is None or rank in IMMOBILE or self.locked(unit):
            return set()
        friends, enemies = self.occupied(unit.owner)
        return self.board.destinations(unit.at, rank == "engineer", friends, enemies)

    def moves(self, home: str) -> set[tuple[str, str]]:
        """All moves of a home as from and to, whether or not it is its turn."""
        if home in self.out:
            return set()
        found: set[tuple[str, str]] = set()
        friends, enemies = self.occupied(home)
        for unit in self.units.values():
            if unit.at is None or unit.owner != home or unit.rank in IMMOBILE:
                continue
            if not self.locked(unit):
                engineer = unit.rank == "engineer"
                ends = self.board.destinations(unit.at, engineer, friends, enemies)
                found |= {(unit.at, end) for end in ends}
        return found

    def could_move(self, home: str) -> list[int]:
        """Units that have somewhere to go if they are neither mine nor flag; all can see that."""
        friends, enemies = self.occupied(home)
        return [
            i
            for i, unit in self.units.items()
            if unit.at is not None
            and unit.owner == home
            and not self.locked(unit)
            and self.board.destinations(unit.at, False, friends, enemies)
        ]

    def refusal(self, start: str, end: str) -> str:
        """Why the seat to act may not play from and to, two points that are no legal move."""
        if start in self.closed or end in self.closed:
            return "off_board"
        mover, target = self.standing(start), self.standing(end)
        if mover is None or self.units[mover].owner != self.turn:
            return "not_your_piece"
        unit = self.units[mover]
        if unit.rank in IMMOBILE or self.locked(unit):
            return "immobile"
        if target is not None and self.units[target].owner in self.side(self.turn):
            return "occupied"
        return "in_camp" if target is not None and end in self.board.camps else "unreachable"

    def at_sight(self, unit: int) -> frozenset[str]:
        """What everybody sees that a unit can be, before anything is worked out from it."""
        if self.ended or "*" in self.knowers[unit]:
            return frozenset({self.units[unit].rank})
        origin = self.units[unit].origin
        began = allowed_at(self.board, origin) if origin else set(RANKS)
        return frozenset(began - self.learnt.cannot_be.get(unit, frozenset()))

    # -- playing -----------------------------------------------------------------------

    def play(self, start: str, end: str) -> None:
        """The seat to act makes a move, which is taken to be legal."""
        self.log.append((self.turn, f"{start}-{end}"))
        mover, target = self.standing(start), self.standing(end)
        assert mover is not None
        unit = self.units[mover]
        self.learnt.rule_out(mover, IMMOBILE)
        if end not in self.destinations(unit, "platoon"):
            self.learnt.rule_out(mover, frozenset(RANKS) - {"engineer"})
        self.units[mover] = replace(unit, at=end, moves=unit.moves + 1)
        self.quiet += 1
        if target is not None:
            self.quiet = 0
            self.attack(mover, target, end)
        self.end_turn()

    def attack(self, mover: int, target: int, at: str) -> None:
        """Two units meet on a point; what is left of them, and what is learnt."""
        a, d = self.units[mover], self.units[target]
        flags = {unit.home for unit in self.units.values() if unit.rank == "flag" and unit.at}
        result, shown = self.what_is_seen((a, a.rank), (d, d.rank), flags)
        explain = {
            (x, y)
            for x in set(RANKS) - IMMOBILE
            for y in RANKS
            if self.what_is_seen((a, x), (d, y), flags) == (result, shown)
        }
        self.learnt.pairs.append((mover, target, explain))
        self.battles.append(Battle(self.ply + 1, at, mover, target, result, shown))
        if self.settings["combat_disclosure"] == "ranks":
            self.knowers[mover].add("*")
            self.knowers[target].add("*")
        if self.settings["visibility"] == "half_bright":
            self.knowers[target].add("*")
        if not result.attacker:
            self.units[mover] = replace(a, at=None)
        if not result.defender:
            self.units[target] = replace(d, at=None)
        self.shown |= shown
        for i, unit in self.units.items():
            if unit.rank == "flag" and unit.home in shown:
                self.knowers[i].add("*")
        if result.flag and d.owner not in self.out:
            self.fall(d.owner, "flag_captured", captor=a.owner)

    def what_is_seen(
        self, attacker: tuple[Unit, str], defender: tuple[Unit, str], flags: set[str]
    ) -> tuple[Fight, frozenset[str]]:
        """Who would be left, and whose flag of those that stand shown, if these were the ranks."""
        result = fight(attacker[1], defender[1], self.settings)
        if not self.settings["commander_reveals_flag"]:
            return result, frozenset()
        dead = [attacker] if not result.attacker else []
        dead += [defender] if not result.defender else []
        lost = {unit.home for unit, rank in dead if rank == "commander"}
        return result, frozenset(lost & flags)

    def time_out(self) -> None:
        """The seat to act lets its turn pass; with the last one it is out."""
        self.log.append((self.turn, "timeout"))
        self.timeouts[self.turn] += 1
        if self.timeouts[self.turn] == self.settings["timeout_limit"]:
            self.fall(self.turn, "timeout_limit")
        self.end_turn()

    def resign(self) -> None:
        """The seat to act gives up: it is out, and its ally plays on."""
        self.log.append((self.turn, "resign"))
        self.fall(self.turn, "resignation")
        self.end_turn()

    def fall(self, home: str, why: str, captor: str | None = None) -> None:
        """A home is out; its pieces leave, or stay where they are, or go over."""
        self.out[home] = why
        fate = self.settings["eliminated_pieces"]
        for i, unit in self.units.items():
            if unit.owner != home or unit.at is None or fate == "stay":
                continue
            if fate == "to_captor" and captor is not None:
                self.units[i] = replace(unit, owner=captor)
                self.knowers[i] |= self.friends_of(captor)
            else:
                self.units[i] = replace(unit, at=None)
                if self.settings["quiet_reset"] == "any_removal":
                    self.quiet = 0

    def end_turn(self) -> None:
        """The end of the game, or the next seat that can move."""
        self.ply += 1
        if self.one_side_left():
            return
        cap = self.settings["turn_cap"]
        if self.quiet_over():
            self.end("quiet_limit")
        elif cap is not None and self.ply >= int(str(cap)) * len(self.seats):
            self.end("turn_cap")
        else:
            self.go_on(self.after(self.turn))

    def go_on(self, following: list[str]) -> None:
        """The turn goes to the first of these that is in and can move; the others fall or pass."""
        for home in following:
            if home in self.out:
                continue
            room = self.could_move(home)
            if self.moves(home):
                self.turn = home
                able = [i for i in room if not self.at_sight(i) <= IMMOBILE]
                if len(able) == 1:
                    self.learnt.rule_out(able[0], IMMOBILE)
                return
            for i in room:
                self.learnt.rule_out(i, frozenset(RANKS) - IMMOBILE)
            if self.settings["no_move"] == "eliminated":
                self.fall(home, "no_move")
                if self.one_side_left():
                    return
                if self.quiet_over():
                    self.end("quiet_limit")
                    return
        self.end("no_move")

    def one_side_left(self) -> bool:
        """Ends the game where all that are in win together."""
        alive = self.alive()
        if all(home in self.side(alive[0]) for home in alive):
            self.end(list(self.out.values())[-1])
        return self.ended is not None

    def quiet_over(self) -> bool:
        """Whether the limit is reached; in rounds it sinks when a home falls."""
        limit = self.settings["quiet_limit"]
        if limit is None:
            return False
        times = len(self.alive()) if self.settings["quiet_unit"] == "round" else 1
        return self.quiet >= int(str(limit)) * times

    def end(self, termination: str) -> None:
        """Who is left shares the first place with the fallen of its side; others follow.

        Sides that are wholly out are ordered by when their last home fell, the later the better.
        """
        fell = {home: i for i, home in enumerate(self.out)}
        last = {home: max(fell.get(m, 99) for m in self.side(home)) for home in self.seats}
        places = {home: 1 + sum(last[o] > last[home] for o in self.seats) for home in self.seats}
        scores = {home: self.score(home, last) for home in self.seats}
        least = self.settings["short_game"]
        if least is not None and self.ply < int(str(least)):
            places, scores = dict.fromkeys(self.seats, 1), dict.fromkeys(self.seats, 0.5)
        self.ended = Outcome(termination, places, scores)

    def score(self, home: str, last: Mapping[str, int]) -> float:
        """The share of opponents beaten, a tie counting one half."""
        others = [o for o in self.seats if o not in self.side(home)]
        beaten = [1.0 if last[o] < last[home] else 0.5 for o in others if last[o] <= last[home]]
        return sum(beaten) / len(others)
