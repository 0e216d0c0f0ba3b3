"""The games of one match: how many, who begins, and when it is decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import permutations

from arena.plan.tournament.spec import Boards, Change, Decision, ExtraFirst, Final, First, Series
from arena.plan.tournament.values import (
    By,
    Entrant,
    Fixture,
    FixtureResult,
    GameScore,
    Lots,
    Match,
    Play,
    SeriesResult,
    together,
)

DEALS = 10_000
"""Deals set apart for one round or leg."""

_ALL_ORDERS = 3
"""Up to so many entrants at a table meet in every order, more of them in rotations."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the matches of one stage are played by."""

    series: Series
    series_of: int
    """The stage whose series it is; -1 for the event's."""

    stage: int
    seats: int
    entrants: dict[int, Entrant]
    lots: Lots
    needs_winner: bool
    boards: Boards = Boards.ORDER
    forfeit_small: tuple[float, float] | None = None


def play_match(match: Match, terms: Terms, deals: int) -> Play[Match]:
    """Play a match of two on all boards; `deals` numbers its first deal.

    Fills and returns the match. Where somebody is absent the other side wins without a game.
    """
    if match.bye:
        return match
    sides = [terms.entrants[number] for number in match.entrants]
    away = frozenset(at for at, side in enumerate(sides) if match.round in side.absent)
    boards = list(range(len(sides[0].boards)))
    others = boards
    if terms.boards is Boards.LOT:
        others = terms.lots.order(f"{match.id}/boards", boards)
    plays = [
        _Board(
            f"{match.id}/{board + 1}",
            match.entrants,
            (sides[0].boards[board], sides[1].boards[other]),
            terms,
            deals,
            board % 2,
        ).play(away)
        for board, other in zip(boards, others, strict=True)
    ]
    results = yield from together(plays)
    match.boards = tuple(results)
    if terms.needs_winner and match.winner is None:
        match.lot = terms.lots.order(f"{match.id}/match", match.entrants)[0]
    return match


@dataclass(slots=True)
class _Board:
    """One board of a match of two."""

    id: str
    numbers: tuple[int, ...]
    lineups: tuple[tuple[str, ...], tuple[str, ...]]
    terms: Terms
    deals: int
    turned: int
    """1: the entrants change over for the first seat, as on every second board of a team."""

    games: list[GameScore] = field(default_factory=list)
    next_first: int = 0

    def play(self, away: frozenset[int]) -> Play[SeriesResult]:
        spec, lots = self.terms.series, self.terms.lots
        if away:
            return self._forfeit(away)
        self.next_first = {
            First.PAIRING: self.turned,
            First.LOT: lots.coin(f"{self.id}/first"),
            First.NUMBER: self.numbers.index(min(self.numbers)),
        }[spec.first]
        if spec.decided is Decision.FIRST_TO:
            target = spec.target or 1.0
            while max(self._scores()) < target and len(self.games) < spec.most:
                missing = yield from self._stretch(1)
                if missing:
                    return self._forfeit(missing)
        else:
            missing = yield from self._stretch(spec.games)
            if missing:
                return self._forfeit(missing)
        extra = 0
        while spec.stops and self._level() and len(self.games) < spec.most:
            count = self._more()
            if spec.extra_first is ExtraFirst.LOT and (count == 2 or extra % 2 == 0):
                self.next_first = lots.coin(f"{self.id}/g{len(self.games) + 1}")
            missing = yield from self._stretch(min(count, spec.most - len(self.games)))
            if missing:
                return self._forfeit(missing)
            extra += 1
        if self._level() and (spec.stops or self.terms.needs_winner):
            return (yield from self._final())
        return self._result(self._leader(), By.GAMES)

    def _more(self) -> int:
        """Games that a level match goes on by."""
        spec = self.terms.series
        if spec.decided is not Decision.WIN_AND_DRAW:
            return 1
        first = len(self.games) == spec.games
        shared = first and any(game.scores[0] != 0.5 for game in self.games)
        return 1 if shared else 2

    def _final(self) -> Play[SeriesResult]:
        spec, lots = self.terms.series, self.terms.lots
        if spec.final is Final.NUMBER:
            return self._result(self.numbers.index(min(self.numbers)), By.NUMBER)
        if spec.final is Final.SUDDEN_DEATH:
            first = self.next_first = lots.coin(f"{self.id}/final")
            before = len(self.games)
            missing = yield from self._stretch(1)
            if missing:
                return self._forfeit(missing)
            won = self.games[before].scores[first] > 0.5
            return self._result(first if won else 1 - first, By.SUDDEN_DEATH)
        winner = lots.order(f"{self.id}/lots", self.numbers)[0]
        return self._result(self.numbers.index(winner), By.LOTS)

    def _stretch(self, count: int) -> Play[frozenset[int]]:
        """Play the next games; who was not there, if anybody."""
        one_by_one = self.terms.series.change is Change.LOSER_BEGINS
        for _ in range(count if one_by_one else 1):
            fixtures = list(self._fixtures(1 if one_by_one else count))
            results = yield fixtures
            for fixture in fixtures:
                result = results[fixture.id]
                if result.missing:
                    return result.missing
                self.games += result.games
            a, b = self.games[-1].scores[:2]
            if one_by_one and a != b:
                self.next_first = int(b < a)
        return frozenset()

    def _fixtures(self, count: int) -> Sequence[Fixture]:
        """First seats alternate. Two games of one deal belong together; an odd one stands alone."""
        made = []
        number = len(self.games)
        end = number + count
        while number < end:
            phase, stop = self._phase(number)
            here = min(stop, end) - number
            pairs = here // 2
            size = 2 * pairs or 1
            orders = (self.next_first, 1 - self.next_first)[: 2 if pairs else 1]
            made.append(self._fixture(number, orders, pairs or 1, phase))
            if not pairs:
                self.next_first = 1 - self.next_first
            number += size
        return made

    def _fixture(self, number: int, firsts: Sequence[int], blocks: int, phase: int) -> Fixture:
        seats = self.terms.seats
        owners = tuple(seat % 2 for seat in range(seats))
        chairs = [line * (seats // 2) if len(line) == 1 else line for line in self.lineups]
        turned = tuple((seat + 1) % seats for seat in range(seats))
        return Fixture(
            id=f"{self.id}/g{number + 1}",
            lineup=tuple(chairs[seat % 2][seat // 2] for seat in range(seats)),
            owners=owners,
            width=2,
            seatings=tuple(turned if first else tuple(range(seats)) for first in firsts),
            blocks=blocks,
            first_deal=self.deals + number,
            phase=phase,
            stage=self.terms.stage,
            series=self.terms.series_of,
        )

    def _phase(self, number: int) -> tuple[int, int]:
        """The clock of a game, by number from 0, and the number of the first beyond it."""
        end = 0
        for index, phase in enumerate(self.terms.series.phases):
            if phase.games is None:
                return index, 1 << 30
            end += phase.games
            if number < end:
                return index, end
        return max(0, len(self.terms.series.phases) - 1), 1 << 30

    def _scores(self) -> tuple[float, float]:
        sums = [sum(_points(game.scores[at]) for game in self.games) for at in (0, 1)]
        return sums[0], sums[1]

    def _level(self) -> bool:
        a, b = self._scores()
        return a == b

    def _leader(self) -> int | None:
        a, b = self._scores()
        return None if a == b else int(b > a)

    def _result(self, winner: int | None, by: By) -> SeriesResult:
        small = tuple(float(sum(game.small[at] for game in self.games)) for at in (0, 1))
        return SeriesResult(self._scores(), small, winner, by, tuple(self.games))

    def _forfeit(self, away: frozenset[int]) -> SeriesResult:
        """All games to who is there; to nobody where nobody is, but lots send one on."""
        present = [at for at in (0, 1) if at not in away]
        scores, small = [0.0, 0.0], [0.0, 0.0]
        winner, by = None, By.FORFEIT
        if present:
            (winner,) = present
            scores[winner] = float(self.terms.series.games)
            if self.terms.forfeit_small:
                small[winner], small[1 - winner] = self.terms.forfeit_small
        elif self.terms.needs_winner:
            drawn = self.terms.lots.order(f"{self.id}/lots", self.numbers)[0]
            winner = self.numbers.index(drawn)
        return SeriesResult(tuple(scores), tuple(small), winner, by, tuple(self.games), away)


def play_table(match: Match, terms: Terms, deals: int) -> Play[Match]:
    """Play a table of up to as many entrants as there are chairs, until one has won.

    The chairs are those of the match; each further game moves everybody on by one, and games
    beyond the number of chairs come in whole rounds of them. Who is level in front plays
    again, without the others, chairs by lot.
    """
    if match.bye:
        return match
    spec, lots = terms.series, terms.lots
    width = len(match.entrants)
    away = {at for at, n in enumerate(match.entrants) if match.round in terms.entrants[n].absent}
    left = [at for at in range(width) if at not in away]
    games: list[GameScore] = []
    by, again = By.GAMES, 0
    while len(left) > 1 and len(games) < spec.most:
        count = 1 if again else spec.games
        fixture = Fixture(
            id=f"{match.id}/1/g{len(games) + again + 1}",
            lineup=tuple(_single(terms, match.entrants[at]) for at in left),
            owners=tuple(left),
            width=width,
            seatings=_rotations(len(left))[: min(count, len(left))],
            blocks=-(-count // len(left)),
            first_deal=deals + len(games) + again,
            stage=terms.stage,
            series=terms.series_of,
        )
        result: FixtureResult = (yield [fixture])[fixture.id]
        again += 1
        if result.missing:
            away |= result.missing
            left = [at for at in left if at not in away]
            continue
        games += result.games
        sums = {at: sum(game.scores[at] for game in result.games) for at in left}
        level = [at for at in left if sums[at] == max(sums.values())]
        order = lots.order(f"{match.id}/chairs{again}", [match.entrants[at] for at in level])
        left = [match.entrants.index(number) for number in order]
    if len(left) != 1:  # level to the end, or nobody came
        level = [match.entrants[at] for at in left or range(width)]
        left, by = [match.entrants.index(lots.order(f"{match.id}/lots", level)[0])], By.LOTS
    elif not games:
        by = By.FORFEIT
    scores = tuple(float(sum(game.scores[at] for game in games)) for at in range(width))
    none = (0.0,) * width
    match.boards = (SeriesResult(scores, none, left[0], by, tuple(games), frozenset(away)),)
    return match


def play_many(match: Match, terms: Terms, deals: int) -> Play[Match]:
    """Games of one entrant a chair, each deal in every order (or rotation) of the chairs."""
    width = len(match.entrants)
    orders = chair_orders(width)
    fixture = Fixture(
        id=f"{match.id}/1/g1",
        lineup=tuple(_single(terms, number) for number in match.entrants),
        owners=tuple(range(width)),
        width=width,
        seatings=orders,
        blocks=terms.series.games // len(orders),
        first_deal=deals,
        series=terms.series_of,
    )
    result = (yield [fixture])[fixture.id]
    scores = tuple(float(sum(game.scores[at] for game in result.games)) for at in range(width))
    small = tuple(float(sum(game.small[at] for game in result.games)) for at in range(width))
    best = [at for at in range(width) if scores[at] == max(scores)]
    by = By.FORFEIT if result.missing else By.GAMES
    winner = best[0] if len(best) == 1 and not result.missing else None
    match.boards = (SeriesResult(scores, small, winner, by, result.games, result.missing),)
    return match


def chair_orders(width: int) -> tuple[tuple[int, ...], ...]:
    """The orders in which so many entrants play one deal."""
    if width <= _ALL_ORDERS:
        return tuple(permutations(range(width)))
    return _rotations(width)


def _rotations(width: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple((at + turn) % width for at in range(width)) for turn in range(width))


def _single(terms: Terms, number: int) -> str:
    return terms.entrants[number].boards[0][0]


def _points(score: float) -> float:
    """A win 1, a draw one half, a loss 0."""
    return 1.0 if score > 0.5 else 0.5 if score == 0.5 else 0.0
