"""Tables: points, and what is compared in turn between those of equal points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.plan.tournament.spec import Points, Score, Small, TieBreak
from arena.plan.tournament.values import Lots, Match

ROUNDING = 9
"""Decimals that points are compared to."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One round of one entrant."""

    round: int
    opponent: int | None
    """None: a bye, a round missed, or a table of more than two."""

    points: float
    worth: float
    """Part of the most that the match could give: what Sonneborn-Berger multiplies."""

    won: bool
    drawn: bool
    first: bool | None
    """Whether it had the first seat in the first game; None where nothing was played."""

    small: float = 0.0
    against: float = 0.0

    @property
    def played(self) -> bool:
        """Whether there was a game."""
        return self.first is not None


@dataclass(slots=True)
class Row:
    """One entrant in a table."""

    entrant: int
    points: float = 0.0
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    byes: int = 0
    missed: int = 0
    total: float = 0.0
    """Small points for."""

    against: float = 0.0
    tiebreaks: dict[TieBreak, float | None] = field(default_factory=dict)
    """What was compared; None where it could not be."""

    place: int = 0
    """Entrants that stay level share the better place."""

    place_points: float = 0.0
    meetings: list[Meeting] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Counting:
    """How a stage counts."""

    score: Score
    small: Small
    points: Points
    tiebreaks: tuple[TieBreak, ...]
    games: int
    """Of a match, as planned: what a bye is worth where games are counted."""

    boards: int = 1
    place_points: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table, best first."""

    rows: tuple[Row, ...]
    tiebreaks: tuple[TieBreak, ...]

    @property
    def order(self) -> list[int]:
        """Entrant numbers, best first; lots order those that share a place."""
        return [row.entrant for row in self.rows]


def table_of(
    entrants: Sequence[int], matches: Sequence[Match], counting: Counting, lots: Lots, what: str
) -> Table:
    """The table after `matches`; `what` names it to the lots.

    Entrants that stay level share a place unless `lot` is among the tie-breaks; lots order
    them in the list all the same.
    """
    rows = {number: Row(number) for number in entrants}
    for match in sorted((m for m in matches if m.over), key=lambda m: m.round):
        _enter(rows, match, counting)
    for row in rows.values():
        _sum_up(row)
    ranked = _Ranking(rows, counting, lots, what).groups()
    place = 1
    ordered: list[Row] = []
    for group in ranked:
        shared = counting.place_points[place - 1 : place - 1 + len(group)]
        for row in group:
            row.place = place
            row.place_points = sum(shared) / len(group)
            ordered.append(row)
        place += len(group)
    return Table(tuple(ordered), counting.tiebreaks)


def _enter(rows: dict[int, Row], match: Match, counting: Counting) -> None:
    """Enter a match into the rows of its entrants."""
    points = counting.points
    most = counting.games * counting.boards if counting.score is Score.GAMES else 1
    if counting.score is Score.BOARDS:
        most = counting.boards
    if match.bye:
        (number,) = match.entrants
        value = points.win * most if points.bye is None else points.bye
        mine, against = points.forfeit_small or (0.0, 0.0)
        rows[number].meetings.append(
            Meeting(match.round, None, value, 1.0, True, False, None, mine, against)
        )
        return
    for at, number in enumerate(match.entrants):
        others = [n for n in match.entrants if n != number]
        won = match.winner == number
        drawn = match.winner is None and match.missing != set(match.entrants)
        first: bool | None = None
        for board in match.boards:
            if board.games:
                first = board.games[0].first == at
                break
        if number in match.missing:
            value = points.loss * most if points.forfeit is None else points.forfeit
            won = drawn = False
        elif counting.score is Score.MATCH:
            value = points.win if won else points.draw if drawn else points.loss
        elif counting.score is Score.BOARDS:
            value = 0.0
            for board in match.boards:
                drawn_board = board.winner is None and not board.missing
                value += points.win if board.winner == at else 0.0
                value += points.draw if drawn_board else 0.0
                value += points.loss if board.winner != at and not drawn_board else 0.0
        else:
            value = _game_points(match, at, counting)
        given = bool(match.missing) and points.forfeit_small is not None
        small = match.small if given or counting.small is Small.LEVELS else match.scores
        rows[number].meetings.append(
            Meeting(
                match.round,
                others[0] if len(others) == 1 else None,
                value,
                _worth(match, at, counting),
                won,
                drawn,
                first,
                small[at],
                sum(small) - small[at],
            )
        )


def _game_points(match: Match, at: int, counting: Counting) -> float:
    """Every game for itself; games that were not played go to who was there."""
    points = counting.points
    value = 0.0
    for board in match.boards:
        if board.missing:
            value += counting.games * (points.loss if at in board.missing else points.win)
            continue
        for game in board.games:
            score = game.scores[at]
            if len(match.entrants) > 2:
                value += score
            else:
                value += points.win if score > 0.5 else points.draw if score == 0.5 else points.loss
    return value


def _worth(match: Match, at: int, counting: Counting) -> float:
    if counting.score is Score.MATCH:
        winner = match.winner
        return 0.5 if winner is None else 1.0 if winner == match.entrants[at] else 0.0
    scores = match.won if counting.score is Score.BOARDS else match.scores
    return scores[at]


def _sum_up(row: Row) -> None:
    for meeting in row.meetings:
        row.points += meeting.points
        row.total += meeting.small
        row.against += meeting.against
        if meeting.opponent is None and meeting.first is None and meeting.won:
            row.byes += 1
        elif not meeting.played and not meeting.won:
            row.missed += 1
        else:
            row.played += 1
            row.won += meeting.won
            row.drawn += meeting.drawn
            row.lost += not meeting.won and not meeting.drawn


class _Ranking:
    """Splits entrants into groups of equals, one tie-break after the other."""

    def __init__(self, rows: dict[int, Row], counting: Counting, lots: Lots, what: str) -> None:
        self.rows, self.lots, self.what = rows, lots, what
        self.counting = counting
        self.last = max((m.round for row in rows.values() for m in row.meetings), default=0)

    def groups(self) -> list[list[Row]]:
        """Best first. A group shares a place, and is listed in an order drawn by lot."""
        groups = _split(list(self.rows.values()), {n: row.points for n, row in self.rows.items()})
        for tiebreak in self.counting.tiebreaks:
            split: list[list[Row]] = []
            for group in groups:
                values = self._values(tiebreak, group)
                for row in group:
                    row.tiebreaks[tiebreak] = values[row.entrant]
                split += _split(group, values)
            groups = split
        order = {
            number: index
            for index, number in enumerate(self.lots.order(f"{self.what}/table", list(self.rows)))
        }
        return [sorted(group, key=lambda row: order[row.entrant]) for group in groups]

    def _values(self, tiebreak: TieBreak, group: Sequence[Row]) -> dict[int, float | None]:
        if tiebreak is TieBreak.DIRECT:
            return self._direct(group)
        if tiebreak is TieBreak.LOT and len(group) == 1:
            return {group[0].entrant: None}
        if tiebreak is TieBreak.LOT:
            drawn = self.lots.order(f"{self.what}/lot", [row.entrant for row in group])
            return {number: float(len(drawn) - at) for at, number in enumerate(drawn)}
        return {row.entrant: self._value(tiebreak, row) for row in group}

    def _direct(self, group: Sequence[Row]) -> dict[int, float | None]:
        """Points among the group, where each has met each of the others."""
        members = {row.entrant for row in group}
        values: dict[int, float | None] = {}
        for row in group:
            met = [m for m in row.meetings if m.opponent in members]
            if {m.opponent for m in met} != members - {row.entrant} or len(members) == 1:
                return dict.fromkeys(members)
            values[row.entrant] = sum(m.points for m in met)
        return values

    def _value(self, tiebreak: TieBreak, row: Row) -> float:
        meetings = row.meetings
        last = [m for m in meetings if m.round == self.last]
        match tiebreak:
            case TieBreak.WINS:
                return sum(m.won and m.played for m in meetings)
            case TieBreak.WINS_SECOND:
                return sum(m.won and m.first is False for m in meetings)
            case TieBreak.SECONDS:
                return sum(m.first is False for m in meetings)
            case TieBreak.BUCHHOLZ:
                return sum(self._opponents(row))
            case TieBreak.BUCHHOLZ_CUT_1:
                return sum(sorted(self._opponents(row))[1:])
            case TieBreak.BUCHHOLZ_MEDIAN:
                return sum(sorted(self._opponents(row))[1:-1])
            case TieBreak.SONNEBORN_BERGER:
                return sum(m.worth * self._points_of(m, row) for m in meetings)
            case TieBreak.KOYA:
                half = self._half()
                return sum(
                    m.points
                    for m in meetings
                    if m.opponent is not None and self.rows[m.opponent].points >= half
                )
            case TieBreak.PROGRESSIVE:
                rounds = [m.points for m in meetings]
                return sum(sum(rounds[: at + 1]) for at in range(len(rounds)))
            case TieBreak.DIFFERENCE:
                return row.total - row.against
            case TieBreak.TOTAL:
                return row.total
            case TieBreak.ROUND_POINTS:
                return sum(m.points for m in last)
            case TieBreak.ROUND_DIFFERENCE:
                return sum(m.small - m.against for m in last)
            case TieBreak.ROUND_TOTAL:
                return sum(m.small for m in last)
            case _:
                return -float(row.entrant)

    def _opponents(self, row: Row) -> list[float]:
        return [self._points_of(meeting, row) for meeting in row.meetings]

    def _points_of(self, meeting: Meeting, row: Row) -> float:
        """The opponent's points; an unplayed round counts as one against an equal."""
        if meeting.opponent is None or not meeting.played:
            return row.points
        return self.rows[meeting.opponent].points

    def _half(self) -> float:
        """Half of what a winner of all its matches would have."""
        points = self.counting.points
        per = {
            Score.GAMES: self.counting.games * self.counting.boards,
            Score.MATCH: 1,
            Score.BOARDS: self.counting.boards,
        }[self.counting.score]
        rounds = max((len(row.meetings) for row in self.rows.values()), default=0)
        return points.win * per * rounds / 2


def _split(group: Sequence[Row], values: Mapping[int, float | None]) -> list[list[Row]]:
    """A group as groups of equal values, the greatest first."""
    by_value: dict[float, list[Row]] = defaultdict(list)
    for row in group:
        by_value[round(values[row.entrant] or 0.0, ROUNDING)].append(row)
    return [by_value[key] for key in sorted(by_value, reverse=True)]
