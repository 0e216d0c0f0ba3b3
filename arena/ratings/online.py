"""Skills updated game by game, for a live board of any game: sides, tables of many, ties.

Everybody is N(mu, sigma^2); a game moves both. The rules differ in how a ranking comes about:
Weng and Lin's closed updates of Plackett-Luce, of Bradley-Terry and of Thurstone-Mosteller
over all pairs of sides, and expectation propagation over the sides in their order (TrueSkill's
model). All of them depend on the order of the games and forget; the rating is that of the
leaderboard, which is fitted to the whole ledger.

Sources: R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", JMLR 12
(2011); R. Herbrich, T. Minka and T. Graepel, "TrueSkill: a Bayesian skill rating system", NIPS
2006. TrueSkill is a trademark, and was patented, of Microsoft: ask before a service uses it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arena.ledger.table import GameTable
from arena.ratings.blocks import normal_cdf

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
"""Deviation of a performance about the skill."""

TAU = MU / 300
"""Deviation by which a skill may drift from game to game."""

_LEAST_SHARE = 1e-4
"""Of a variance that one game leaves at least."""

_DRAW_MARGIN = 0.1
"""Of the Thurstone-Mosteller rule, as published."""

_DRAWS = 0.1
"""Share of draws that sets the margin of expectation propagation."""

_SETTLED = 1e-10
_ROUNDS = 500


@dataclass(frozen=True, slots=True)
class Skill:
    """What is thought of one player."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def sure(self) -> float:
        """mu - 3 sigma: what the player is worth almost surely; boards are sorted by it."""
        return self.mu - 3 * self.sigma


class Rule(StrEnum):
    """How a ranking of sides comes about."""

    PLACKETT_LUCE = "plackett-luce"
    BRADLEY_TERRY = "bradley-terry"
    THURSTONE = "thurstone"
    PROPAGATION = "propagation"


@dataclass(frozen=True, slots=True)
class _Side:
    mu: float
    variance: float
    place: int
    players: int


def update(
    sides: Sequence[Sequence[Skill]], places: Sequence[int], rule: Rule = Rule.PLACKETT_LUCE
) -> list[list[Skill]]:
    """The skills of all sides after one game; equal places tie, the smallest is best.

    Raises ValueError for fewer than two sides, an empty one, or places that do not fit.
    """
    if len(sides) < 2 or len(places) != len(sides) or not all(sides):
        raise ValueError(
            f"{len(places)} places of {len(sides)} sides: expected a place for each of "
            "two sides or more, and a player in each"
        )
    drifted = [[Skill(p.mu, math.hypot(p.sigma, TAU)) for p in side] for side in sides]
    table = [
        _Side(sum(p.mu for p in side), sum(p.sigma**2 for p in side), place, len(side))
        for side, place in zip(drifted, places, strict=True)
    ]
    if rule is Rule.PROPAGATION:
        return _propagate(drifted, table)
    shift = {
        Rule.PLACKETT_LUCE: _plackett_luce,
        Rule.BRADLEY_TERRY: _bradley_terry,
        Rule.THURSTONE: _thurstone,
    }[rule]
    found = []
    for i, side in enumerate(drifted):
        mean, shrink = shift(table, i)
        found.append(
            [
                Skill(
                    p.mu + p.sigma**2 * mean,
                    p.sigma * math.sqrt(max(_LEAST_SHARE, 1 - p.sigma**2 * shrink)),
                )
                for p in side
            ]
        )
    return found


def _plackett_luce(table: Sequence[_Side], i: int) -> tuple[float, float]:
    """By how much a unit of variance moves the mean of side i, and shrinks."""
    c = math.sqrt(sum(side.variance + BETA**2 for side in table))
    weights = [math.exp(side.mu / c) for side in table]
    mean = shrink = 0.0
    for q, choice in enumerate(table):
        if choice.place > table[i].place:
            continue
        left = sum(w for w, s in zip(weights, table, strict=True) if s.place >= choice.place)
        tied = sum(side.place == choice.place for side in table)
        p = weights[i] / left
        mean += ((q == i) - p) / tied
        shrink += p * (1 - p) / tied
    return mean / c, shrink * math.sqrt(table[i].variance) / c**3


def _pairs(table: Sequence[_Side], i: int) -> Iterator[tuple[_Side, float]]:
    for q, other in enumerate(table):
        if q != i:
            yield other, math.sqrt(table[i].variance + other.variance + 2 * BETA**2)


def _bradley_terry(table: Sequence[_Side], i: int) -> tuple[float, float]:
    me, mean, shrink = table[i], 0.0, 0.0
    for other, c in _pairs(table, i):
        p = 1 / (1 + math.exp((other.mu - me.mu) / c))
        mean += (_won(me, other) - p) / c
        shrink += p * (1 - p) * math.sqrt(me.variance) / c**3
    return mean, shrink


def _thurstone(table: Sequence[_Side], i: int) -> tuple[float, float]:
    me, mean, shrink = table[i], 0.0, 0.0
    for other, c in _pairs(table, i):
        v, w = _truncated((me.mu - other.mu) / c, _DRAW_MARGIN / c, _won(me, other))
        mean += v / c
        shrink += w * math.sqrt(me.variance) / c**3
    return mean, shrink


def _won(me: _Side, other: _Side) -> float:
    return 0.5 + 0.5 * ((me.place < other.place) - (me.place > other.place))


def _density(x: float) -> float:
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def _truncated(lead: float, margin: float, won: float) -> tuple[float, float]:
    """What seeing a win, draw or loss adds to the mean of a unit normal at `lead`, and takes
    from its variance."""
    if won == 0.5:
        low, high = -margin - lead, margin - lead
        mass = normal_cdf(high) - normal_cdf(low)
        if mass < 1e-12:  # far out all of it lies at the nearer edge
            return (high if lead > 0 else low), 1.0
        v = (_density(low) - _density(high)) / mass
        return v, v * v + (high * _density(high) - low * _density(low)) / mass
    sign = 1.0 if won else -1.0
    at = sign * lead - margin
    if at < -30:  # far out density over mass is the distance itself
        return -sign * at, 1.0
    v = _density(at) / normal_cdf(at)
    return sign * v, v * (v + at)


class _Normal:
    """A normal law, or a message, by its precision and precision times mean."""

    __slots__ = ("pull", "weight")

    def __init__(self, weight: float = 0.0, pull: float = 0.0) -> None:
        self.weight, self.pull = weight, pull

    @classmethod
    def of(cls, mean: float, variance: float) -> _Normal:
        return cls(1 / variance, mean / variance)

    def __mul__(self, other: _Normal) -> _Normal:
        return _Normal(self.weight + other.weight, self.pull + other.pull)

    @property
    def mean(self) -> float:
        return self.pull / self.weight

    def wider(self, variance: float, shift: float) -> _Normal:
        """Of what lies `shift` away, give or take; nothing where nothing is known."""
        if self.weight <= 0:
            return _Normal()
        return _Normal.of(self.mean + shift, 1 / self.weight + variance)


def _propagate(sides: Sequence[Sequence[Skill]], table: Sequence[_Side]) -> list[list[Skill]]:
    order = sorted(range(len(table)), key=lambda i: table[i].place)
    noise = [side.variance + side.players * BETA**2 for side in table]
    prior = [_Normal.of(table[i].mu, noise[i]) for i in order]
    # Of the lead of each over the next: what it says of the one before, and of the one behind.
    before = [_Normal() for _ in prior]
    behind = [_Normal() for _ in prior]
    for _ in range(_ROUNDS):
        moved = 0.0
        for k in [*range(len(prior) - 1), *range(len(prior) - 3, -1, -1)]:
            ahead, after = table[order[k]], table[order[k + 1]]
            first = prior[k] * (behind[k - 1] if k else _Normal())
            second = prior[k + 1] * before[k + 1]
            variance = 1 / first.weight + 1 / second.weight
            lead, sd = first.mean - second.mean, math.sqrt(variance)
            margin = _margin(ahead.players + after.players)
            v, w = _truncated(lead / sd, margin / sd, _won(ahead, after))
            seen = _Normal.of(lead + sd * v, variance * max(_LEAST_SHARE, 1 - w))
            said = _Normal(seen.weight - 1 / variance, seen.pull - lead / variance)
            news = (
                said.wider(1 / second.weight, second.mean),
                _Normal(said.weight, -said.pull).wider(1 / first.weight, first.mean),
            )
            moved = max(
                moved, abs(news[0].pull - before[k].pull), abs(news[1].pull - behind[k].pull)
            )
            before[k], behind[k] = news
        if moved < _SETTLED:
            break
    found: list[list[Skill]] = [[] for _ in sides]
    for k, i in enumerate(order):
        told = before[k] * (behind[k - 1] if k else _Normal())
        for player in sides[i]:
            own = _Normal.of(player.mu, player.sigma**2)
            others = noise[i] - player.sigma**2
            posterior = own * told.wider(others, player.mu - table[i].mu)
            found[i].append(Skill(posterior.mean, 1 / math.sqrt(posterior.weight)))
    return found


def _margin(players: int) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + _DRAWS) / 2)) * math.sqrt(players) * BETA


def even_chance(one: Sequence[Skill], other: Sequence[Skill]) -> float:
    """How even a game of two sides is: the density of a draw over that of sure equals."""
    noise = (len(one) + len(other)) * BETA**2
    spread = noise + sum(p.sigma**2 for p in (*one, *other))
    lead = sum(p.mu for p in one) - sum(p.mu for p in other)
    return math.sqrt(noise / spread) * math.exp(-(lead**2) / (2 * spread))


def running_skill(table: GameTable, rule: Rule = Rule.PLACKETT_LUCE) -> dict[str, Skill]:
    """Skills of all engines after a table's games in planned order: block by block.

    An engine that holds several chairs is updated by each of them. It depends on the order of
    the plan and forgets: a live board, not a rating.
    """
    skills = {name: Skill() for cell in table.cells for name in cell.lineup}
    for row in np.lexsort((table.permutation, table.cell, table.block)).tolist():
        cell = table.cells[int(table.cell[row])]
        seating = cell.seatings[int(table.permutation[row])]
        if len(set(seating)) < 2:
            continue
        chairs: dict[int, list[int]] = {}
        for seat, side in enumerate(table.sides[row, : cell.seats].tolist()):
            chairs.setdefault(side, []).append(seat)
        sides = list(chairs.values())
        if len(sides) < 2:
            continue
        places = [int(table.places[row, seats].min()) for seats in sides]
        before = [[skills[seating[seat]] for seat in seats] for seats in sides]
        after = update(before, places, rule)
        changes: dict[str, list[tuple[Skill, Skill]]] = {}
        for seats, old, new in zip(sides, before, after, strict=True):
            for seat, a, b in zip(seats, old, new, strict=True):
                changes.setdefault(seating[seat], []).append((a, b))
        for name, own in changes.items():
            a = own[0][0]
            shrunk = math.prod(b.sigma / a.sigma for _, b in own)
            skills[name] = Skill(a.mu + sum(b.mu - a.mu for _, b in own), a.sigma * shrunk)
    return skills
