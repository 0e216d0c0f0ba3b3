"""The leaderboard of one family."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arena.games import Names
from arena.ledger.rows import UNENDING, CellRow
from arena.ledger.table import CellGames, GameTable
from arena.ratings.blocks import ELO, Interval, normal_cdf, t_quantile
from arena.ratings.counts import CellCounts, counted, setups
from arena.ratings.design import FirstSeatTerms
from arena.ratings.draw_laws import DrawLaw
from arena.ratings.fitting import Fit, fit
from arena.ratings.history import Step, steps

_FEW = 0.5
"""An engine with a smaller share of its planned seats is flagged."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What one engine did against one other."""

    opponent: str
    games: int
    """With more than two seats: pairs of seats compared."""

    score: float
    """Share of points won."""

    expected: float
    """The share that the fitted model expects: a large difference is a residual to explain."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a leaderboard."""

    rank: int
    """From 1 in each group."""

    engine: str
    elo: float
    low: float
    high: float
    """95 % interval by setup of the rating against the anchor; infinite for an engine that
    met no other."""

    games: int
    """Seats taken: a game of self-play counts once for each of its seats."""

    blocks: int
    """Different setups: a block number under the same rules is the same deal or opening for
    every line-up, and counts once."""

    score: float
    """Share of points against others; NaN for an engine that met none."""

    draws: float
    """Share of draws, likewise."""

    opponents: tuple[Meeting, ...]
    """By name, itself left out."""


@dataclass(frozen=True, slots=True)
class FirstSeat:
    """What moving first is worth under one rulebook, strength fitted away."""

    rulebook: str
    level: str
    """The strength, as the tables of balance call it; empty for the rulebook at every strength."""

    advantage: Interval
    """Elo of seat 0 over the mean of the others, on the scale of this rulebook's draws."""

    draw: float
    """The law's draw parameter: under Davidson's, equals draw nu / (2 + nu) of their games;
    under Rao and Kupper's, "drawelo" in Elo."""

    games: int
    blocks: int


@dataclass(frozen=True, slots=True)
class BetweenStrengths:
    """Whether what moving first is worth depends on strength."""

    spread: Interval
    """Standard deviation in Elo between the strengths of a rulebook, the errors of their estimates
    taken off."""

    p_value: float
    """Of "one worth for all strengths of a rulebook"."""


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Ratings of one family with what was fitted together with them."""

    family: str
    entries: tuple[Entry, ...]
    """The largest group first, the strongest first within each."""

    first_seat: tuple[FirstSeat, ...]
    """By rulebook, and by strength where it was asked for."""

    first_seat_terms: FirstSeatTerms
    """Of what the worth of moving first may depend."""

    between: BetweenStrengths | None
    """How the strengths' first seats differ; None where they were not told apart."""

    groups: tuple[tuple[str, ...], ...]
    """Engines that met, directly or through others. Ratings compare only within a group."""

    anchor: Names
    """What zero means."""

    law: DrawLaw
    """How draws came into the fit."""

    scale: float
    """Elo points here per point of the law's own scale: its slope at equality (2 / (2 + nu)
    under Davidson's), meaned over the games between different engines, so that a small
    difference scores as on the usual Elo curve."""

    games: int
    blocks: int
    """Different setups."""

    notes: tuple[Names, ...]
    covariance: tuple[tuple[float, ...], ...]
    """Of the ratings (Elo squared), in the order of `entries`, clustered by setup."""

    def difference(self, a: str, b: str) -> Interval:
        """Elo of engine `a` over engine `b` with its 95 % interval.

        Unbounded where the two are in different groups. Raises KeyError for an engine that
        is not on the board.
        """
        i, j = self._row(a), self._row(b)
        value = self.entries[i].elo - self.entries[j].elo
        blocks = min(self.entries[i].blocks, self.entries[j].blocks)
        half = t_quantile(blocks - 1) * self._deviation(i, j) if i != j else 0.0
        return Interval(value, value - half, value + half)

    def superiority(self, a: str, b: str) -> float:
        """Likelihood of superiority (LOS): probability, by the normal law, that a > b.

        One half where the two are in different groups. Raises KeyError as above.
        """
        i, j = self._row(a), self._row(b)
        deviation = self._deviation(i, j)
        if i == j or math.isinf(deviation):
            return 0.5
        return normal_cdf((self.entries[i].elo - self.entries[j].elo) / deviation)

    def _row(self, engine: str) -> int:
        for row, entry in enumerate(self.entries):
            if entry.engine == engine:
                return row
        raise KeyError(f"no engine '{engine}' on the {self.family} leaderboard")

    def _deviation(self, i: int, j: int) -> float:
        if not any({self.entries[i].engine, self.entries[j].engine} <= set(g) for g in self.groups):
            return math.inf
        c = self.covariance
        return math.sqrt(max(0.0, c[i][i] + c[j][j] - c[i][j] - c[j][i]))


def leaderboard(
    table: GameTable,
    family: str,
    *,
    anchor: str | None = None,
    law: DrawLaw = DrawLaw.DAVIDSON,
    drift: float | None = None,
    first_seat: FirstSeatTerms = FirstSeatTerms.POOLED,
) -> Leaderboard:
    """Rate the engines of one family. `anchor` is the engine at 0; else the mean is 0.

    With `drift` the versions of an engine (name@version) are rated by their whole history:
    beforehand one differs from the next by a normal step of so many Elo. `first_seat` says of what
    the worth of moving first depends on. Raises ValueError for an anchor that played no game of
    this family, for a drift that is not over 0, and for more strengths than can be told apart.
    """
    if drift is not None and not 0 < drift < math.inf:
        raise ValueError(f"drift {drift}: Elo from one version to the next, over 0")
    games = [part for part in table.by_cell() if part.cell.family == family]
    planned = _seats_planned([cell for cell in table.cells if cell.family == family])
    if not games:
        _check_anchor(anchor, [])
        notes = (Names("no complete block yet", "尚无完整的组"),)
        zero = _anchor_text(anchor, 0)
        return Leaderboard(family, (), (), first_seat, None, (), zero, law, 1.0, 0, 0, notes, ())
    counts = counted(games)
    found = fit(counts, law, terms=first_seat)
    _check_anchor(anchor, found.engines)
    history = steps(found.engines) if drift is not None else []
    scale = _scale(counts, found)
    if drift is not None and history:
        found = fit(counts, law, history, (drift / (ELO * scale)) ** 2, first_seat)
        scale = _scale(counts, found)
    groups = _groups(counts, history)
    rated = _Rated(found, scale, groups, anchor)
    seats, blocks = _taken(games)
    meetings = _meetings(counts, found)

    entries: list[Entry] = []
    order: list[int] = []
    for group in groups:
        ranked = sorted(group, key=lambda engine: (-rated.elo[engine], engine))
        for rank, engine in enumerate(ranked, start=1):
            met = meetings.get(engine, {})
            pairs = sum(m.games for m in met.values())
            half = rated.half(engine, blocks[engine], alone=len(group) == 1)
            elo = rated.elo[engine]
            entries.append(
                Entry(
                    rank=rank,
                    engine=engine,
                    elo=elo,
                    low=elo - half,
                    high=elo + half,
                    games=seats[engine],
                    blocks=blocks[engine],
                    score=sum(m.points for m in met.values()) / pairs if pairs else math.nan,
                    draws=sum(m.draws for m in met.values()) / pairs if pairs else math.nan,
                    opponents=tuple(
                        Meeting(name, m.games, m.points / m.games, m.expected / m.games)
                        for name, m in sorted(met.items())
                    ),
                )
            )
            order.append(found.engines.index(engine))
    return Leaderboard(
        family=family,
        entries=tuple(entries),
        first_seat=_first_seats(found, games),
        first_seat_terms=first_seat,
        between=_between(found, scale),
        groups=groups,
        anchor=_anchor_text(anchor, len(groups)),
        law=law,
        scale=scale,
        games=sum(part.plies.size for part in games),
        blocks=setups(games),
        notes=(
            *_history_note(drift, history),
            *_first_seat_note(first_seat, found),
            *_stop_note(games),
            *_notes(entries, groups, planned, seats),
        ),
        covariance=tuple(
            tuple(float(x) for x in row) for row in rated.covariance[np.ix_(order, order)]
        ),
    )


class _Rated:
    """Ratings in Elo, each group moved so that its zero is the mean or the anchor."""

    def __init__(
        self, found: Fit, scale: float, groups: Sequence[tuple[str, ...]], anchor: str | None
    ) -> None:
        n = len(found.engines)
        self._row = {engine: i for i, engine in enumerate(found.engines)}
        move = np.eye(n)
        for group in groups:
            rows = [self._row[engine] for engine in group]
            zero = [self._row[anchor]] if anchor in group and anchor is not None else rows
            move[np.ix_(rows, zero)] -= 1 / len(zero)
        elo = ELO * scale * (move @ found.strength)
        self.elo = {engine: float(elo[i]) + 0.0 for engine, i in self._row.items()}
        self.covariance = (ELO * scale) ** 2 * (move @ found.covariance @ move.T)

    def half(self, engine: str, blocks: int, *, alone: bool) -> float:
        """Half the width of the interval of a rating."""
        if alone:
            return math.inf
        i = self._row[engine]
        deviation = math.sqrt(max(0.0, float(self.covariance[i, i])))
        return t_quantile(blocks - 1) * deviation if deviation > 0 else 0.0


def _scale(counts: Sequence[CellCounts], found: Fit) -> float:
    games = {rulebook: 0.0 for rulebook in found.rulebooks}
    for cell in counts:
        apart = np.array([one != other for one, other in cell.engines], dtype=bool)
        games[cell.games.cell.rulebook] += float(cell.total[apart].sum())
    total = sum(games.values())
    if not total:
        return 1.0
    slopes = zip(games.values(), found.draw, strict=True)
    return sum(n * found.law.slope(float(t)) for n, t in slopes) / total


@dataclass(slots=True)
class _Met:
    games: int = 0
    points: float = 0.0
    draws: float = 0.0
    expected: float = 0.0


def _meetings(counts: Sequence[CellCounts], found: Fit) -> dict[str, dict[str, _Met]]:
    """Every engine's record against every other, and what the fit expects of it."""
    strength = dict(zip(found.engines, found.strength.tolist(), strict=True))
    books = {name: r for r, name in enumerate(found.rulebooks)}
    met: dict[str, dict[str, _Met]] = {}
    compared: list[tuple[CellCounts, int]] = []
    leads, draws = [], []
    for cell in counts:
        r = books[cell.games.cell.rulebook]
        seat = found.seat(found.layout.term_of(cell.games.cell))
        for k, ((one, other), (a, b)) in enumerate(zip(cell.engines, cell.pairs, strict=True)):
            if one != other:
                compared.append((cell, k))
                leads.append(strength[one] + seat[a] - strength[other] - seat[b])
                draws.append(found.draw[r])
    chances = found.law.chances(np.array(leads), np.array(draws)).T.tolist() if leads else []
    for (cell, k), (win, draw, loss) in zip(compared, chances, strict=True):
        one, other = cell.engines[k]
        won, drawn, lost = float(cell.wins[k]), float(cell.draws[k]), float(cell.losses[k])
        n = round(won + drawn + lost)
        for me, you, points, chance in (
            (one, other, won + drawn / 2, win + draw / 2),
            (other, one, lost + drawn / 2, loss + draw / 2),
        ):
            if n:
                record = met.setdefault(me, {}).setdefault(you, _Met())
                record.games += n
                record.points += points
                record.draws += drawn
                record.expected += n * chance
    return met


def _groups(counts: Sequence[CellCounts], near: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
    """Engines connected by games or as versions: the largest group first, then by name."""
    group = {engine: {engine} for cell in counts for pair in cell.engines for engine in pair}
    met = [pair for cell in counts for k, pair in enumerate(cell.engines) if cell.total[k]]
    for one, other in (*met, *near):
        if group[one] is not group[other]:
            merged = group[one] | group[other]
            for engine in merged:
                group[engine] = merged
    found = {tuple(sorted(members)) for members in group.values()}
    return tuple(sorted(found, key=lambda members: (-len(members), members)))


def _taken(games: Sequence[CellGames]) -> tuple[dict[str, int], dict[str, int]]:
    """Seats taken and setups played by engine."""
    seats: dict[str, int] = {}
    played: dict[str, list[CellGames]] = {}
    for part in games:
        for engine in (engine for seating in part.cell.seatings for engine in seating):
            seats[engine] = seats.get(engine, 0) + len(part.block)
        for engine in {engine for seating in part.cell.seatings for engine in seating}:
            played.setdefault(engine, []).append(part)
    return seats, {engine: setups(parts) for engine, parts in played.items()}


def _seats_planned(cells: Sequence[CellRow]) -> dict[str, int]:
    planned: dict[str, int] = {}
    for cell in cells:
        if cell.planned_blocks == UNENDING:
            continue
        for engine in (engine for seating in cell.seatings for engine in seating):
            planned[engine] = planned.get(engine, 0) + cell.planned_blocks
    return planned


def _first_seats(found: Fit, games: Sequence[CellGames]) -> tuple[FirstSeat, ...]:
    rows = []
    for i, (rulebook, level) in enumerate(found.layout.terms):
        own = [
            part
            for part in games
            if (found.layout.term_of(part.cell) == i if level else part.cell.rulebook == rulebook)
        ]
        blocks = setups(own)
        freedom = blocks - 1
        if found.levels is not None and not level:  # what strengths scatter around
            freedom = min(freedom, found.levels.freedom)
        r = found.rulebooks.index(rulebook)
        unit = ELO * found.law.slope(float(found.draw[r]))
        value = unit * float(found.first[i]) + 0.0
        deviation = math.sqrt(max(0.0, float(found.first_variance[i])))
        half = t_quantile(freedom) * unit * deviation
        rows.append(
            FirstSeat(
                rulebook,
                level,
                Interval(value, value - half, value + half),
                found.law.parameter(float(found.draw[r])),
                sum(part.plies.size for part in own),
                blocks,
            )
        )
    return tuple(rows)


def _between(found: Fit, scale: float) -> BetweenStrengths | None:
    if found.levels is None:
        return None
    unit, found_spread = ELO * scale, found.levels.spread
    low, high = unit * found_spread.low, unit * found_spread.high
    return BetweenStrengths(Interval(unit * found_spread.value, low, high), found.levels.p_value)


def _check_anchor(anchor: str | None, engines: Sequence[str]) -> None:
    if anchor is not None and anchor not in engines:
        there = ", ".join(engines) or "none"
        raise ValueError(f"anchor '{anchor}' played no game here; engines: {there}")


def _anchor_text(anchor: str | None, groups: int) -> Names:
    mean, zh = "the mean of the engines is 0", "引擎的平均值为 0"
    if anchor is None:
        return Names(f"{mean} in each group", f"各组{zh}") if groups > 1 else Names(mean, zh)
    if groups > 1:
        return Names(f"{anchor} is 0; in other groups {mean}", f"{anchor} 为 0；其他组{zh}")
    return Names(f"{anchor} is 0", f"{anchor} 为 0")


def _first_seat_note(wanted: FirstSeatTerms, found: Fit) -> tuple[Names, ...]:
    if wanted is FirstSeatTerms.POOLED or found.levels is not None:
        return ()
    return (
        Names(
            "no rulebook was met at two strengths: its first seat is what it is at the one",
            "没有规则集有两种棋力的对局：先手价值即唯一棋力下的价值",
        ),
    )


def _history_note(drift: float | None, history: Sequence[Step]) -> tuple[Names, ...]:
    if drift is None:
        return ()
    if not history:
        return (
            Names(
                "no engine has two versions here: there is no history to rate by",
                "没有引擎有两个版本，无版本历史可循",
            ),
        )
    return (
        Names(
            f"versions are rated by their history: {drift:g} Elo or so from one to the next",
            f"各版本按全程历史估计：相邻版本约差 {drift:g} 等级分",
        ),
    )


def _stop_note(games: Sequence[CellGames]) -> tuple[Names, ...]:
    """A warning where what was played hangs on what came out."""
    met = [part.cell for part in games if len(set(part.cell.lineup)) > 1]
    stopped = sum(bool(cell.stop) for cell in met)
    if not stopped:
        return ()
    tests = "; ".join(sorted({cell.stop for cell in met if cell.stop.startswith("test of ")}))
    return (
        Names(
            f"{stopped} of {len(met)} line-ups were stopped by their own results: ratings lean towards "
            f"what stopped them and intervals are too narrow{'; ' * bool(tests)}{tests}",
            f"{len(met)} 种阵容中有 {stopped} 种按自身结果停止：等级分偏向促成停止的一方，区间偏窄"
            f"{'；' * bool(tests)}{tests}",
        ),
    )


def _notes(
    entries: Sequence[Entry],
    groups: Sequence[tuple[str, ...]],
    planned: Mapping[str, int],
    taken: Mapping[str, int],
) -> Iterator[Names]:
    if len(groups) > 1:
        yield Names(
            f"{len(groups)} groups of engines never met: ratings compare only within a group",
            f"{len(groups)} 组引擎互未交手：等级分只在组内可比",
        )
    for engine, entry in ((entry.engine, entry) for entry in entries):
        if not entry.opponents:
            yield Names(
                f"{engine} met no other engine: it has no rating",
                f"{engine} 未与其他引擎交手：无等级分",
            )
        elif entry.score in (0.0, 1.0):
            kind, zh = ("won", "全胜") if entry.score else ("lost", "全败")
            yield Names(
                f"{engine} {kind} every game: its rating rests on the prior and is a bound",
                f"{engine} {zh}：其等级分取决于先验，只是一个界限",
            )
        if entry.blocks < 2:
            yield Names(
                f"{engine} has one block: too few for an interval",
                f"{engine} 只有一组：不足以给出区间",
            )
    for engine, wanted in sorted(planned.items()):
        done = taken.get(engine, 0)
        if wanted and done < _FEW * wanted:
            yield Names(
                f"{engine} has taken {done:,} of its {wanted:,} planned seats",
                f"{engine} 只完成了计划 {wanted:,} 席中的 {done:,} 席",
            )
