"""One model for duels, tables of many, teams and one against two: places as choices.

A game ranks *sides*. The strength of a side is the sum over its seats of what the engine
there is worth (by role, if asked) and of what the seat or role is worth. First place is a
choice among all sides, the next among those that are left (Plackett-Luce); sides that tie
are chosen together, a tied set weighing the geometric mean of its members times a draw
parameter for its size (Davidson-Luce). Two sides make it Davidson's model, and sums of
strengths the team Bradley-Terry model: the same likelihood, a softmax linear in its
parameters and so concave.

The fit reads counts of distinct choices; one pass over the games clusters the errors by
setup. Sources: R. L. Plackett 1975; R. D. Luce 1959; R. R. Davidson 1970; H. Turner, J. van
Etten, D. Firth and I. Kosmidis 2020 (ties); T.-K. Huang, R. C. Weng and C.-J. Lin 2006 (teams).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.ledger.table import CellGames, GameTable
from arena.ratings.blocks import ELO, Interval, normal_cdf, t_quantile

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_ROUNDS = 200
_TOLERANCE = 1e-10


class Effects(StrEnum):
    """What a game gives to a side beside its engines."""

    SEAT = "seat"
    ROLE = "role"

    NONE = "none"
    """Nothing: for results that do not say who sat where."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What a side's seats, or its roles, are worth to it under one rulebook."""

    rulebook: str
    name: str
    """"seat 0", or the role; of partners all of them, as "seat 0 + seat 2"."""

    elo: Interval
    """Over the mean of the sides that it met, every engine of mean strength."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Estimates on the Elo scale (400 points are odds of ten) with their covariance."""

    players: tuple[str, ...]
    """Engine ids; "engine as role" where strengths were fitted by role."""

    elo: Floats
    """(players,); the mean is 0, of each role where there are roles."""

    covariance: Floats
    """(players, players), clustered by setup."""

    effects: tuple[Worth, ...]
    draws: tuple[tuple[str, int, float], ...]
    """(Rulebook, sides that tie, draw parameter) of every size of tie that occurred."""

    setups: int

    def rating(self, player: str) -> Interval:
        """Elo over the mean (of the role) with its 95 % interval. Raises KeyError likewise."""
        i = self._row(player)
        half = t_quantile(self.setups - 1) * math.sqrt(max(0.0, float(self.covariance[i, i])))
        value = float(self.elo[i])
        return Interval(value, value - half, value + half)

    def difference(self, a: str, b: str) -> Interval:
        """Elo of `a` over `b` with its 95 % interval. Raises KeyError for unknown players."""
        i, j = (self._row(name) for name in (a, b))
        value = float(self.elo[i] - self.elo[j])
        half = t_quantile(self.setups - 1) * self._deviation(i, j) if i != j else 0.0
        return Interval(value, value - half, value + half)

    def superiority(self, a: str, b: str) -> float:
        """Probability, by the normal law, that `a` is the stronger. Raises KeyError likewise."""
        i, j = (self._row(name) for name in (a, b))
        deviation = self._deviation(i, j)
        return normal_cdf(float(self.elo[i] - self.elo[j]) / deviation) if deviation else 0.5

    def _row(self, name: str) -> int:
        if name not in self.players:
            raise KeyError(f"no player '{name}'; there are {', '.join(self.players)}")
        return self.players.index(name)

    def _deviation(self, i: int, j: int) -> float:
        c = self.covariance
        return math.sqrt(max(0.0, float(c[i, i] + c[j, j] - 2 * c[i, j])))


def strengths(
    table: GameTable,
    *,
    effects: Effects = Effects.SEAT,
    by_role: bool = False,
    prior: float = 1.0,
) -> Strengths:
    """Fit every engine of a table. `prior` is the virtual drawn games of each parameter.

    `by_role` gives each engine a strength in each role, as for a landlord and the peasants.
    Raises ValueError for a table without games, or a prior that is not positive.
    """
    if not prior > 0:
        raise ValueError(f"prior {prior}: some virtual games, or perfect scores have no rating")
    parts = list(table.by_cell())
    if not parts:
        raise ValueError("no complete block: nothing to rate")
    return _Model(parts, table.role_names, effects, by_role, prior).strengths()


class _Event(NamedTuple):
    """One way in which a game of a cell may have gone."""

    rulebook: str
    seating: tuple[str, ...]
    sides: tuple[int, ...]
    roles: tuple[int, ...]
    places: tuple[int, ...]


class _Kind(NamedTuple):
    """Sides that only their engines tell apart."""

    rulebook: str
    seats: tuple[tuple[str, tuple[str, ...]], ...]
    """Of each seat its effect, and its role where strengths are by role."""


class _Menu(NamedTuple):
    """Sides, each the columns of its seats, one of which (or several, tied) come next."""

    rulebook: str
    sides: tuple[tuple[int, ...], ...]


class _Model:
    def __init__(
        self,
        parts: Sequence[CellGames],
        role_names: Sequence[str],
        effects: Effects,
        by_role: bool,
        prior: float,
    ) -> None:
        self.parts, self.role_names = parts, role_names
        self.effects, self.by_role, self.prior = effects, by_role, prior
        self.columns: dict[tuple[str, ...], int] = {}
        events: dict[_Event, int] = {}
        self.of_game = [self._events(part, events) for part in parts]
        self.events = list(events)
        self.ties = self._tie_sizes()
        self._fill_columns()
        menus: dict[_Menu, int] = {}
        stages = [list(self._stages(event, menus)) for event in self.events]
        self._lay_out(list(menus), stages)

    def _events(self, part: CellGames, events: dict[_Event, int]) -> Ints:
        """(blocks, permutations) which event each game is."""
        blocks, permutations, seats = part.scores.shape
        wide = np.concatenate([part.sides, part.roles, part.places], axis=2)
        found = np.empty((blocks, permutations), dtype=np.int64)
        for p in range(permutations):
            rows, which = np.unique(wide[:, p], axis=0, return_inverse=True)
            names = [
                _Event(
                    part.cell.rulebook,
                    part.cell.seatings[p],
                    tuple(row[:seats]),
                    tuple(row[seats : 2 * seats]),
                    tuple(row[2 * seats :]),
                )
                for row in rows.tolist()
            ]
            numbers = np.array([events.setdefault(e, len(events)) for e in names], dtype=np.int64)
            found[:, p] = numbers[which.reshape(-1)]
        return found

    @staticmethod
    def _order(event: _Event) -> list[tuple[int, int]]:
        """(place, side) of every side, best first."""
        best: dict[int, int] = {}
        for side, place in zip(event.sides, event.places, strict=True):
            best[side] = min(place, best.get(side, place))
        return sorted((place, side) for side, place in best.items())

    def _tie_sizes(self) -> dict[str, list[int]]:
        sizes: dict[str, set[int]] = {event.rulebook: set() for event in self.events}
        for event in self.events:
            order = [place for place, _ in self._order(event)]
            sizes[event.rulebook] |= {n for n in map(order.count, order) if n > 1}
        return {rulebook: sorted(found) for rulebook, found in sorted(sizes.items())}

    def _seat_columns(self, event: _Event, seat: int) -> list[tuple[str, ...]]:
        role = self.role_names[event.roles[seat]]
        player = (event.seating[seat], role) if self.by_role else (event.seating[seat],)
        if self.effects is Effects.NONE:
            return [("player", *player)]
        effect = role if self.effects is Effects.ROLE else str(seat)
        return [("player", *player), ("effect", event.rulebook, effect)]

    def _fill_columns(self) -> None:
        found = {
            column
            for event in self.events
            for seat in range(len(event.seating))
            for column in self._seat_columns(event, seat)
        }
        players = sorted(c for c in found if c[0] == "player")
        worths = sorted(c for c in found if c[0] == "effect")
        ties = [("tie", rulebook, str(n)) for rulebook, ns in self.ties.items() for n in ns]
        self.columns = {column: i for i, column in enumerate([*players, *worths, *ties])}
        self.centre = np.zeros(len(self.columns))
        for column, i in self.columns.items():
            if column[0] == "tie":
                # Half a draw in one game of equals, as in the model of two seats.
                self.centre[i] = math.log(2)

    def _stages(self, event: _Event, menus: dict[_Menu, int]) -> Iterator[tuple[int, set[int]]]:
        """(menu, which of its sides were taken) of every choice that an event consists of."""
        order = self._order(event)
        at: dict[int, list[int]] = {side: [] for _, side in order}
        for seat, side in enumerate(event.sides):
            at[side] += (self.columns[c] for c in self._seat_columns(event, seat))
        while len(order) > 1:
            left = sorted((tuple(sorted(at[side])), place) for place, side in order)
            number = menus.setdefault(
                _Menu(event.rulebook, tuple(columns for columns, _ in left)), len(menus)
            )
            first = order[0][0]
            yield number, {i for i, (_, place) in enumerate(left) if place == first}
            order = [entry for entry in order if entry[0] != first]

    def _lay_out(self, menus: list[_Menu], stages: list[list[tuple[int, set[int]]]]) -> None:
        """The options of all menus one under the other, and what each event chose of them."""
        from scipy.sparse import csr_array

        rows: list[int] = []
        columns: list[int] = []
        values: list[float] = []
        starts: list[int] = []
        option: dict[tuple[int, frozenset[int]], int] = {}
        for number, menu in enumerate(menus):
            starts.append(len(option))
            for size in [1, *(n for n in self.ties[menu.rulebook] if n <= len(menu.sides))]:
                for chosen in combinations(range(len(menu.sides)), size):
                    row = option.setdefault((number, frozenset(chosen)), len(option))
                    for side in chosen:
                        for column in menu.sides[side]:
                            rows.append(row)
                            columns.append(column)
                            values.append(1 / size)
                    if size > 1:
                        rows.append(row)
                        columns.append(self.columns["tie", menu.rulebook, str(size)])
                        values.append(1.0)
        shape = (len(option), len(self.columns))
        self.design: csr_array[np.float64] = csr_array((values, (rows, columns)), shape=shape)
        self.starts = np.array(starts, dtype=np.int64)
        self.menu_of = np.repeat(np.arange(len(menus)), np.diff([*starts, len(option)]))
        chosen_at = [
            (e, option[number, frozenset(taken)], number)
            for e, own in enumerate(stages)
            for number, taken in own
        ]
        event_rows, picked, menu_rows = (
            np.array(part, dtype=np.int64) for part in zip(*chosen_at, strict=True)
        )
        ones = np.ones(len(picked))
        self.picked = csr_array((ones, (event_rows, picked)), shape=(len(self.events), len(option)))
        self.offered = csr_array(
            (ones, (event_rows, menu_rows)), shape=(len(self.events), len(menus))
        )
        games = np.bincount(
            np.concatenate([part.ravel() for part in self.of_game]), minlength=len(self.events)
        ).astype(np.float64)
        self.taken: Floats = np.asarray(self.picked.T @ games)
        self.faced: Floats = np.asarray(self.offered.T @ games)

    def chances(self, x: Floats) -> Floats:
        logits: Floats = np.asarray(self.design @ x)
        top = np.maximum.reduceat(logits, self.starts)
        weights = np.exp(logits - top[self.menu_of])
        found: Floats = weights / np.add.reduceat(weights, self.starts)[self.menu_of]
        return found

    def value(self, x: Floats) -> float:
        virtual = x - self.centre
        barrier = np.logaddexp(0, virtual) + np.logaddexp(0, -virtual)
        likelihood = float(self.taken @ np.log(np.maximum(self.chances(x), 1e-300)))
        return likelihood - self.prior * float(barrier.sum()) / 2

    def slope_and_information(self, x: Floats) -> tuple[Floats, Floats]:
        from scipy.sparse import diags_array

        p = self.chances(x)
        expected = p * self.faced[self.menu_of]
        high = 1 / (1 + np.exp(self.centre - x))
        slope = self.design.T @ (self.taken - expected) + self.prior * (0.5 - high)
        means = self._means(p)
        spread = self.design.T @ diags_array(expected) @ self.design
        centre = means.T @ diags_array(self.faced) @ means
        information = (spread - centre).toarray() + np.diag(self.prior * high * (1 - high))
        return slope, information

    def _means(self, p: Floats) -> csr_array[np.float64]:
        """(menus, parameters) what is expected of each menu."""
        from scipy.sparse import csr_array

        return self._chance_rows(p, csr_array) @ self.design

    def _chance_rows(self, p: Floats, kind: type[csr_array[np.float64]]) -> csr_array[np.float64]:
        return kind((p, (self.menu_of, np.arange(len(p)))), shape=(len(self.starts), len(p)))

    def climb(self) -> tuple[Floats, Floats]:
        """The maximum by Newton's method with step halving, and the information there."""
        x = self.centre.copy()
        value = self.value(x)
        for _ in range(_ROUNDS):
            slope, information = self.slope_and_information(x)
            step = np.linalg.solve(information, slope)
            gain, scale = float(slope @ step), 1.0
            if gain < _TOLERANCE:
                return x, information
            while (trial := self.value(x + scale * step)) <= value + 1e-4 * scale * gain:
                scale /= 2
                if scale < 1e-9:
                    return x, information  # no better value in floating point
            x, value = x + scale * step, trial
        raise ArithmeticError("ratings: the fit did not settle; this is a defect of the program")

    def scatter(self, x: Floats) -> tuple[Floats, int]:
        """Sum over setups of the products of their scores, and how many setups there are.

        Virtual games are in it: a perfect score would otherwise have almost no error.
        """
        from scipy.sparse import csr_array

        p = self.chances(x)
        by_event = self.picked @ self.design - self.offered @ self._means(p)
        setups: dict[str, int] = {}
        for part in self.parts:
            last = int(part.block[-1]) + 1
            setups[part.cell.rules_digest] = max(last, setups.get(part.cell.rules_digest, 0))
        starts, total = {}, 0
        for digest, blocks in sorted(setups.items()):
            starts[digest], total = total, total + blocks
        setup = np.concatenate(
            [
                np.repeat(part.block + starts[part.cell.rules_digest], part.scores.shape[1])
                for part in self.parts
            ]
        )
        event = np.concatenate([part.ravel() for part in self.of_game])
        counts = csr_array((np.ones(len(event)), (setup, event)), shape=(total, len(self.events)))
        scores = counts @ by_event
        n = len(np.unique(setup))
        high = 1 / (1 + np.exp(self.centre - x))
        virtual = self.prior * (high**2 + (1 - high) ** 2) / 2
        found: Floats = (scores.T @ scores).toarray() * (n / max(1, n - 1)) + np.diag(virtual)
        return found, n

    def strengths(self) -> Strengths:
        x, information = self.climb()
        scatter, setups = self.scatter(x)
        bread = np.linalg.inv(information)
        covariance = bread @ scatter @ bread
        names = list(self.columns)
        players = [i for i, name in enumerate(names) if name[0] == "player"]
        # Only differences within a role mean anything: take the mean of each role off.
        roles = [names[i][2:] for i in players]
        centred = np.eye(len(players))
        for i, role in enumerate(roles):
            alike = [j for j, other in enumerate(roles) if other == role]
            centred[i, alike] -= 1 / len(alike)
        own = centred @ (ELO * x[players])
        spread = centred @ (ELO * ELO * covariance[np.ix_(players, players)]) @ centred.T
        return Strengths(
            players=tuple(" as ".join(names[i][1:]) for i in players),
            elo=own,
            covariance=(spread + spread.T) / 2,
            effects=tuple(self._worths(x, covariance, setups)),
            draws=tuple(
                (name[1], int(name[2]), math.exp(float(x[i])))
                for i, name in enumerate(names)
                if name[0] == "tie"
            ),
            setups=setups,
        )

    def _worths(self, x: Floats, covariance: Floats, setups: int) -> Iterator[Worth]:
        """What each kind of side is worth, between engines of mean strength: of that alone games tell.

        By how much partners share in it they do not say.
        """
        if self.effects is Effects.NONE:
            return
        met: dict[_Kind, dict[_Kind, None]] = {}
        for event in self.events:
            kinds = [self._kind(event, side) for side in sorted(set(event.sides))]
            for own in kinds:
                met.setdefault(own, {}).update({other: None for other in kinds if other != own})
        for own, others in sorted(met.items()):
            if not others:
                continue
            weights = self._weights(own)
            for other in others:
                weights -= self._weights(other) / len(others)
            value = ELO * float(weights @ x)
            deviation = ELO * math.sqrt(max(0.0, float(weights @ covariance @ weights)))
            half = t_quantile(setups - 1) * deviation
            names = dict.fromkeys(
                f"seat {name}" if self.effects is Effects.SEAT else name for name, _ in own.seats
            )
            elo = Interval(value, value - half, value + half)
            yield Worth(own.rulebook, " + ".join(names), elo)

    def _kind(self, event: _Event, side: int) -> _Kind:
        seats = []
        for seat, own in enumerate(event.sides):
            if own == side:
                player, effect = self._seat_columns(event, seat)
                seats.append((effect[2], player[2:]))
        return _Kind(event.rulebook, tuple(sorted(seats)))

    def _weights(self, kind: _Kind) -> Floats:
        """Of each parameter in what a side of this kind is worth."""
        found = np.zeros(len(self.columns))
        for effect, role in kind.seats:
            found[self.columns["effect", kind.rulebook, effect]] += 1
            alike = [i for c, i in self.columns.items() if c[0] == "player" and c[2:] == role]
            found[alike] += 1 / len(alike)
        return found
