"""Swiss pairings: entrants that stand alike and have not met.

A round is a perfect matching of least cost. Costs are integers whose digits are the criteria
in falling order, so the first criterion is met as well as it can be before the second
counts. The order of the criteria follows the Dutch system of the FIDE Handbook (C.04.3);
where that system looks one score group ahead only, this one weighs all groups together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

FULL = 40
"""Up to so many entrants every pair is considered."""

REACH = 12
"""Beyond that, places around the ideal opponent, and entrants that may change score group."""


@dataclass(slots=True)
class Player:
    """What a Swiss pairing knows of an entrant."""

    number: int
    rank: int
    """Place in the order of pairing, 0 the best."""

    points: float
    opponents: set[int] = field(default_factory=set)
    firsts: list[bool] = field(default_factory=list)
    """For each match played, whether it had the first seat."""

    floats: list[int] = field(default_factory=list)
    """For each round: 1 paired below its score group, -1 above, 0 neither."""

    had_bye: bool = False

    @property
    def balance(self) -> int:
        """First seats less second seats."""
        return sum(1 if first else -1 for first in self.firsts)

    @property
    def wish(self) -> bool | None:
        """Whether it should have the first seat next; None where it does not matter."""
        if self.balance:
            return self.balance < 0
        return not self.firsts[-1] if self.firsts else None

    @property
    def strength(self) -> int:
        """How much that matters: 3 must, 2 strong, 1 mild, 0 not at all."""
        if abs(self.balance) > 1 or (len(self.firsts) > 1 and self.firsts[-1] == self.firsts[-2]):
            return 3
        return 2 if self.balance else 1 if self.firsts else 0

    @property
    def owed(self) -> bool | None:
        """The seat that it must have: twice the same in a row wants the other."""
        if self.strength < 3:
            return None
        if abs(self.balance) > 1:
            return self.balance < 0
        return not self.firsts[-1]


@dataclass(frozen=True, slots=True)
class Round:
    """Who meets whom; the one in front has the first seat."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None = None
    repeats: int = 0
    """Pairs that have met before: 0 wherever it can be."""


def seat_pair(a: Player, b: Player, coin: bool) -> tuple[int, int]:
    """Who of two has the first seat: `coin` is for the better placed where nothing tells."""
    better, other = (a, b) if a.rank < b.rank else (b, a)
    first = _first(better, other, coin)
    return (better.number, other.number) if first else (other.number, better.number)


def _first(better: Player, other: Player, coin: bool) -> bool:
    """Whether the better placed has the first seat."""
    mine, theirs = _wish(better), _wish(other)
    if mine is None and theirs is None:
        return coin
    if mine is None or theirs is None:
        return mine if mine is not None else not theirs
    if mine != theirs:
        return mine
    if better.strength != other.strength:
        return mine if better.strength > other.strength else not mine
    if abs(better.balance) != abs(other.balance):
        return mine if abs(better.balance) > abs(other.balance) else not mine
    # Alternate from the last round in which they differed.
    for was, had in zip(reversed(better.firsts), reversed(other.firsts), strict=False):
        if was != had:
            return not was
    return mine


def _wish(player: Player) -> bool | None:
    return player.owed if player.strength == 3 else player.wish


def neighbours(players: Sequence[Player], coin: Callable[[int], bool]) -> Round:
    """First against second, third against fourth, the next where they have met.

    An odd one is free: the last who was not yet. `coin` gives the better placed of the pair at
    a table the first seat where nothing else tells.
    """
    order = sorted(players, key=lambda player: player.rank)
    bye = _bye(order)
    left = [player for player in order if player is not bye]
    found = _next_not_met(left)
    repeats = 0
    if found is None:  # everybody left has met: as few repeats as can be
        found, repeats = _matched(left, _neighbour_cost, len(left))
    pairs = tuple(seat_pair(a, b, coin(at)) for at, (a, b) in enumerate(found))
    return Round(pairs, bye.number if bye else None, repeats)


def _bye(order: Sequence[Player]) -> Player | None:
    if len(order) % 2 == 0:
        return None
    return next((player for player in reversed(order) if not player.had_bye), order[-1])


def _next_not_met(order: Sequence[Player]) -> list[tuple[Player, Player]] | None:
    """The best placed with the next it has not met, and so on; None where that cannot be."""
    dead: set[frozenset[int]] = set()
    budget = 20_000

    def pair(left: tuple[Player, ...]) -> list[tuple[Player, Player]] | None:
        nonlocal budget
        if not left:
            return []
        key = frozenset(player.number for player in left)
        budget -= 1
        if key in dead or budget < 0:
            return None
        top = left[0]
        for at in range(1, len(left)):
            if left[at].number not in top.opponents:
                rest = pair(left[1:at] + left[at + 1 :])
                if rest is not None:
                    return [(top, left[at]), *rest]
        dead.add(key)
        return None

    return pair(tuple(order))


def _neighbour_cost(a: Player, b: Player) -> int:
    return (b.rank - a.rank) ** 2


def dutch(players: Sequence[Player], coin: bool, last: bool = False) -> Round:
    """The upper half of each score group against its lower half, seats balanced.

    In order: nobody meets again, nobody has a second bye, nobody must have the same seat three
    times in a row or three more of one than of the other (but for leaders in the `last`
    round); the bye goes down; few leave their score group, and not far; seats that are due;
    nobody floats twice running; then the order within the group. `coin` is the first seat of
    the top place in the first round.
    """
    order = sorted(players, key=lambda player: player.rank)
    if all(not player.opponents and player.points == order[0].points for player in order):
        return _first_round(order, coin)
    for wide, seats, again in ((False, True, False), (True, True, False), (True, False, False)):
        if not wide and len(order) <= FULL:
            continue
        found = _best(order, wide, seats, again, last)
        if found is not None:
            break
    else:
        found = _best(order, True, False, True, last)
    assert found is not None  # with repeats allowed every pairing is
    pairs, bye = found
    # Tables by the better of the two, then by the other.
    pairs.sort(key=lambda pair: (-max(pair[0].points, pair[1].points), pair[0].rank))
    return Round(
        tuple(seat_pair(a, b, coin) for a, b in pairs),
        bye.number if bye else None,
        sum(b.number in a.opponents for a, b in pairs),
    )


def _first_round(order: Sequence[Player], coin: bool) -> Round:
    """Upper half against lower half, the first seat alternating from table to table."""
    bye = _bye(order)
    left = [player for player in order if player is not bye]
    half = len(left) // 2
    pairs = tuple(
        (a.number, b.number) if (at % 2 == 0) == coin else (b.number, a.number)
        for at, (a, b) in enumerate(zip(left[:half], left[half:], strict=True))
    )
    return Round(pairs, bye.number if bye else None)


def _best(
    order: Sequence[Player], wide: bool, seats: bool, again: bool, last: bool
) -> tuple[list[tuple[Player, Player]], Player | None] | None:
    """The cheapest pairing of everybody, or None where there is none under these terms."""
    costs = _Costs(order, last)
    matched = _cheapest(order, costs, wide, seats, again)
    if matched is None:
        return None
    joined = [0] * len(costs.size)
    for i, j in matched:
        if j < len(order) and costs.group[i] != costs.group[j]:
            joined[costs.group[j]] += 1
    if joined != costs.joined:  # halves were counted without knowing who comes from above
        matched = _cheapest(order, _Costs(order, last, joined), wide, seats, again) or matched
    bye = next((order[i] for i, j in matched if j == len(order)), None)
    return [(order[i], order[j]) for i, j in matched if j < len(order)], bye


def _cheapest(
    order: Sequence[Player], costs: _Costs, wide: bool, seats: bool, again: bool
) -> list[tuple[int, int]] | None:
    """Pairs of places; the place beyond the last is the bye."""
    edges: list[tuple[int, int, int]] = []
    for i, a in enumerate(order):
        for j in range(i + 1, len(order)):
            met = order[j].number in a.opponents
            if met and not again:
                continue
            if seats and costs.clash(i, j):
                continue
            if not wide and not costs.near(i, j):
                continue
            edges.append((i, j, costs.pair(i, j) + (costs.again if met else 0)))
    if len(order) % 2:
        for i, a in enumerate(order):
            if not a.had_bye or again:
                cost = costs.bye(i) + (costs.again if a.had_bye else 0)
                edges.append((i, len(order), cost))
    return perfect_matching(len(order) + len(order) % 2, edges)


class _Digit(IntEnum):
    """The criteria of one score group, the weightiest first."""

    LEAVES = 0
    """Pairs made below the group."""

    FAR = 1
    """How far below."""

    NEXT_LEAVES = 2
    NEXT_FAR = 3
    """The same of the next group: the group above gives up other wishes for it."""

    SEATS = 4
    """Pairs whose entrants both wish for the same seat."""

    STRONG = 5
    """Of those, where both wishes are strong."""

    DOWN = 6
    UP = 7
    """Entrants that float as they did in the round before."""

    DOWN_BEFORE = 8
    UP_BEFORE = 9
    JOINED = 10
    """Places of those who meet somebody from above: the better the better."""

    JOINED_ORDER = 11
    """The best of those from above meets the best of those."""

    EXCHANGED = 12
    """Entrants of the upper half that are not paired with the lower one."""

    ORDER = 13
    """From here on: the place of the first's opponent, of the second's, …."""


class _Costs:
    """Costs of pairs of places, as integers with a digit for each criterion of each group."""

    def __init__(
        self, order: Sequence[Player], last: bool, joined: Sequence[int] | None = None
    ) -> None:
        """`joined` says how many come into each group from above; estimated without."""
        self.order = order
        points = sorted({player.points for player in order}, reverse=True)
        self.group = [points.index(player.points) for player in order]
        self.size = [self.group.count(group) for group in range(len(points))]
        starts = [sum(self.size[:group]) for group in range(len(points))]
        self.place = [at - starts[self.group[at]] for at in range(len(order))]
        self.joined = list(joined) if joined is not None else self._estimate()
        self.half = [
            above + (size - above) // 2 for size, above in zip(self.size, self.joined, strict=True)
        ]
        self.bits = max(4, (len(order) ** 3).bit_length())
        # From the last group up: each group's digits stand above all of the next one's.
        self.base = [0] * len(points)
        self.top = 0
        for group in range(len(points) - 1, -1, -1):
            self.base[group] = self.top
            self.top += self.bits * (_Digit.ORDER + self.size[group])
        rounds = max((len(player.firsts) for player in order), default=0)
        self.leaders = {at for at, p in enumerate(order) if last and p.points > rounds / 2}

    def _estimate(self) -> list[int]:
        """Of an odd number one leaves."""
        joined, above = [], 0
        for size in self.size:
            joined.append(above)
            above = (size + above) % 2
        return joined

    @property
    def again(self) -> int:
        """Of a meeting that was before, or a second bye: above everything else."""
        return 1 << (self.top + 2 * self.bits)

    def clash(self, i: int, j: int) -> bool:
        """Whether both must have the same seat."""
        if i in self.leaders and j in self.leaders:
            return False
        a, b = self.order[i].owed, self.order[j].owed
        return a is not None and a == b

    def near(self, i: int, j: int) -> bool:
        """Whether a pair is considered in a large field."""
        group, other = self.group[i], self.group[j]
        if group == other:
            return abs(self.place[j] - self.place[i] - self.size[group] // 2) <= REACH
        below = self.size[group] - self.place[i]
        return other - group == 1 and below <= REACH and self.place[j] <= REACH

    def bye(self, i: int) -> int:
        """The bye goes to the lowest score; there it is as leaving the group."""
        group = self.group[i]
        cost = (len(self.size) - group) << self.top
        cost += self._digit(group, _Digit.EXCHANGED, int(self.place[i] < self.half[group]))
        return cost + self._ordered(i, self.size[group])

    def pair(self, i: int, j: int) -> int:
        """Of a pair of places, i the better."""
        a, b = self.order[i], self.order[j]
        group, other = self.group[i], self.group[j]
        same = a.strength > 0 and b.strength > 0 and _wish(a) == _wish(b)
        # A pair is made in the lower of its groups.
        cost = self._digit(other, _Digit.SEATS, int(same))
        cost += self._digit(other, _Digit.STRONG, int(same and a.strength > 1 and b.strength > 1))
        half = self.half[group]
        if group == other:
            crossed = self.place[i] < half <= self.place[j]
            cost += self._digit(group, _Digit.EXCHANGED, int(not crossed))
            return cost + self._ordered(i, self.place[j])
        leaving = ((_Digit.LEAVES, 1), (_Digit.FAR, other - group))
        for digit, value in leaving:
            cost += self._digit(group, digit, value)
            if group:
                cost += self._digit(group - 1, _Digit(digit + 2), value)
        cost += self._digit(group, _Digit.DOWN, int(a.floats[-1:] == [1]))
        cost += self._digit(other, _Digit.UP, int(b.floats[-1:] == [-1]))
        cost += self._digit(group, _Digit.DOWN_BEFORE, int(a.floats[-2:-1] == [1]))
        cost += self._digit(other, _Digit.UP_BEFORE, int(b.floats[-2:-1] == [-1]))
        cost += self._digit(group, _Digit.EXCHANGED, int(self.place[i] < half))
        cost += self._digit(other, _Digit.JOINED, self.place[j])
        cost += self._digit(other, _Digit.JOINED_ORDER, (len(self.order) - i) * self.place[j])
        return cost + self._ordered(i, self.size[group])

    def _ordered(self, i: int, opponent: int) -> int:
        """The place of a place's opponent, or one behind them all for who leaves the group."""
        group = self.group[i]
        behind = self.size[group] - 1 - self.place[i]
        return opponent << (self.base[group] + self.bits * behind)

    def _digit(self, group: int, digit: _Digit, value: int) -> int:
        """A value at a criterion of a group."""
        below = self.size[group] + _Digit.ORDER - 1 - digit
        return value << (self.base[group] + self.bits * below)


def _matched(
    left: Sequence[Player], cost: Callable[[Player, Player], int], scale: int
) -> tuple[list[tuple[Player, Player]], int]:
    """The pairing of least cost in which as few as can be meet again; how many do."""
    again = (scale + 1) ** 3
    edges = [
        (i, j, cost(left[i], left[j]) + (again if left[j].number in left[i].opponents else 0))
        for i in range(len(left))
        for j in range(i + 1, len(left))
    ]
    matched = perfect_matching(len(left), edges)
    pairs = [(left[i], left[j]) for i, j in matched or ()]
    return pairs, sum(b.number in a.opponents for a, b in pairs)


def perfect_matching(
    count: int, edges: Sequence[tuple[int, int, int]]
) -> list[tuple[int, int]] | None:
    """The pairing of all of 0 … count - 1 of least cost, sorted; None where there is none."""
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(count))
    most = max((cost for _, _, cost in edges), default=0)
    for i, j, cost in edges:
        graph.add_edge(i, j, weight=most + 1 - cost)
    matching = networkx.max_weight_matching(graph, maxcardinality=True)
    if 2 * len(matching) < count:
        return None
    return sorted((min(pair), max(pair)) for pair in matching)
