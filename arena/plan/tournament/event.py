"""An event as it goes: stages one after the other, what is next, what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from arena.games import Names
from arena.plan.tournament.check import Cast
from arena.plan.tournament.double import double_elimination
from arena.plan.tournament.knockout import paired, seeded, table_sizes
from arena.plan.tournament.round_robin import berger, gauntlet
from arena.plan.tournament.series import DEALS, Terms, play_many, play_match, play_table
from arena.plan.tournament.spec import (
    KNOCKED_OUT,
    TIEBREAKS,
    Draw,
    Format,
    Stage,
    System,
    TieBreak,
)
from arena.plan.tournament.standings import Counting, Table, table_of
from arena.plan.tournament.swiss import Player, Round, dutch, neighbours
from arena.plan.tournament.values import (
    THIRD_PLACE,
    By,
    Entrant,
    Lots,
    Match,
    Play,
    SeriesResult,
    together,
)

_STAGE = 1_000
"""Rounds and legs whose deals are set apart for one stage."""


@dataclass(slots=True)
class StageStory:
    """One stage: what was and is played, and its table or bracket so far."""

    number: int
    """From 1."""

    stage: Stage
    seeds: list[int]
    """Entrant numbers, the best seeded first."""

    groups: list[list[int]] = field(default_factory=list)
    """One group for all where the format has none."""

    rounds: list[list[Match]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    """The table of each group."""

    ranking: list[tuple[int, int]] = field(default_factory=list)
    """(place, entrant number) once the stage is over; equal places are shared."""

    notes: list[Names] = field(default_factory=list)

    @property
    def matches(self) -> list[Match]:
        """Of all rounds."""
        return [match for matches in self.rounds for match in matches]


class Event:
    """An event of a cast. `play` is its course; `stages` fill as it goes."""

    def __init__(self, cast: Cast) -> None:
        """Nothing is played yet."""
        self.cast = cast
        self.lots = Lots(cast.spec.seed)
        self.stages: list[StageStory] = []
        self.ranking: list[tuple[int, int]] = []
        """(place, entrant number) of everybody once the event is over."""

        self._round = 0

    @property
    def entrants(self) -> dict[int, Entrant]:
        """By number."""
        return self.cast.entrants

    def play(self) -> Play[None]:
        """Ask for fixtures, wave by wave, until the event is over."""
        field = list(self.entrants)
        for at, stage in enumerate(self.cast.spec.stages):
            story = StageStory(at + 1, stage, list(field))
            self.stages.append(story)
            course = {
                Format.ROUND_ROBIN: self._round_robin,
                Format.GAUNTLET: self._round_robin,
                Format.GROUPS: self._groups,
                Format.SWISS: self._swiss,
                Format.KNOCKOUT: self._knockout,
                Format.DOUBLE_ELIMINATION: self._double_elimination,
                Format.TABLES: self._tables,
            }[stage.format]
            field = yield from course(story)
        self.ranking = self._final_ranking()

    # --- everybody against everybody ---------------------------------------------------

    def _round_robin(self, story: StageStory) -> Play[list[int]]:
        story.groups = [story.seeds]
        yield from self._all_rounds(story)
        table = story.tables[0]
        story.ranking = [(row.place, row.entrant) for row in table.rows]
        return table.order[: story.stage.advance]

    def _groups(self, story: StageStory) -> Play[list[int]]:
        stage = story.stage
        sizes = table_sizes(len(story.seeds), stage.size)
        story.groups = self._drawn(story, sizes, "groups")
        yield from self._all_rounds(story)
        count = stage.advance or 1
        onward: list[int] = []
        for place in range(max(sizes)):
            # Who is first in a group stands before all seconds.
            here = [table.rows[place] for table in story.tables if place < len(table.rows)]
            story.ranking += [(place + 1, row.entrant) for row in here]
            if place < count:
                onward += [row.entrant for row in here]
        return onward

    def _all_rounds(self, story: StageStory) -> Play[None]:
        """Every match of every group at once: no result changes who meets whom."""
        stage = story.stage
        begin = self._round
        plays: list[Play[Match]] = []
        longest = 0
        for at, group in enumerate(story.groups):
            rounds, per_leg = self._schedule(stage, group)
            longest = max(longest, len(rounds))
            name = chr(ord("A") + at) if len(story.groups) > 1 else ""
            for number, pairs in enumerate(rounds):
                while len(story.rounds) <= number:
                    story.rounds.append([])
                for pair in pairs:
                    match = self._match(story, begin + number + 1, len(story.rounds[number]), pair)
                    match.label = name
                    story.rounds[number].append(match)
                    leg = number // per_leg
                    play = play_match if len(pair) == 2 else play_many
                    plays.append(play(match, self._terms(story), self._deals(story, leg)))
        self._round = begin + longest
        story.tables = self._count(story)
        yield from self._counted(story, together(plays))

    def _schedule(
        self, stage: Stage, group: Sequence[int]
    ) -> tuple[Sequence[Sequence[tuple[int, ...]]], int]:
        """Rounds of a group, and how many make a leg."""
        if self.cast.at_board > 2:
            width = self.cast.at_board
            rounds: list[list[tuple[int, ...]]] = [
                [chosen] for chosen in combinations(group, width)
            ]
            return rounds * stage.legs, len(rounds)
        if stage.format is Format.GAUNTLET:
            hero = next(n for n in group if self.entrants[n].name == stage.hero)
            others = [number for number in group if number != hero]
            return gauntlet(hero, others, stage.legs), len(others)
        made = berger(group, stage.legs)
        return made, max(1, len(made) // stage.legs)

    # --- Swiss -------------------------------------------------------------------------

    def _swiss(self, story: StageStory) -> Play[list[int]]:
        stage = story.stage
        story.groups = [story.seeds]
        story.tables = self._count(story)
        players = {number: Player(number, at, 0.0) for at, number in enumerate(story.seeds)}
        for number in range(stage.rounds):
            self._round += 1
            table = story.tables[0]
            here = self._ranked(story, players, table)
            last = number == stage.rounds - 1
            paired_up = self._pair(story, here, number, last)
            if paired_up.repeats:
                again = paired_up.repeats
                story.notes.append(
                    Names(
                        f"round {number + 1}: {again} pairs meet again, for want of others",
                        f"第 {number + 1} 轮：有 {again} 对再次相遇（已无其他对手）",
                    )
                )
            matches = [
                self._match(story, self._round, at, pair) for at, pair in enumerate(paired_up.pairs)
            ]
            plays = [
                play_match(match, self._terms(story), self._deals(story, number))
                for match in matches
            ]
            if paired_up.bye is not None:
                matches.append(self._bye(story, len(matches), paired_up.bye))
            for missing in story.seeds:
                if self._round in self.entrants[missing].absent:
                    matches.append(self._missed(story, len(matches), missing))
            story.rounds.append(matches)
            yield from self._counted(story, together(plays))
            _remember(players, matches)
        table = story.tables[0]
        story.ranking = [(row.place, row.entrant) for row in table.rows]
        return table.order[: stage.advance]

    def _ranked(self, story: StageStory, players: dict[int, Player], table: Table) -> list[Player]:
        """Who is there this round, in the order that pairs them."""
        points = {row.entrant: row.points for row in table.rows}
        order = table.order
        if story.stage.system is System.DUTCH:
            order = sorted(story.seeds, key=lambda n: (-points[n], story.seeds.index(n)))
        here = [n for n in order if self._round not in self.entrants[n].absent]
        for rank, number in enumerate(here):
            players[number].rank = rank
            players[number].points = points[number]
        return [players[number] for number in here]

    def _pair(self, story: StageStory, here: list[Player], number: int, last: bool) -> Round:
        what = f"{story.number}/{number + 1}"
        if len(here) < 2:
            return Round((), here[0].number if here else None)
        if story.stage.system is System.DUTCH:
            return dutch(here, bool(self.lots.coin(f"{story.number}/first")), last)
        if number == 0:  # the first round by lot
            drawn = self.lots.order(f"{what}/draw", [player.number for player in here])
            for player in here:
                player.rank = drawn.index(player.number)
        return neighbours(here, lambda at: bool(self.lots.coin(f"{what}/{at}/first")))

    # --- who loses is out ----------------------------------------------------------------

    def _knockout(self, story: StageStory) -> Play[list[int]]:
        stage = story.stage
        story.groups = [story.seeds]
        left: list[int | None] = list(story.seeds)
        if stage.draw is Draw.LOT:
            left = seeded(self.lots.order(f"{story.number}/draw", story.seeds))
        elif stage.draw is Draw.SEEDS:
            left = seeded(story.seeds)
        out: list[list[int]] = []
        free: set[int] = set()
        while len(left) > (stage.advance or 1):
            self._round += 1
            number = len(story.rounds)
            if stage.draw is Draw.EACH_ROUND:
                order = [n for n in left if n is not None]
                order = self.lots.order(f"{story.number}/{number + 1}/draw", order)
                pairs, bye = paired(order, frozenset(free))
                left = [n for pair in pairs for n in pair]
                left += [bye, None] if bye is not None else []
            matches: list[Match] = []
            for at in range(0, len(left), 2):
                matches.append(self._tie(story, len(matches), left[at], left[at + 1]))
            free |= {match.entrants[0] for match in matches if match.bye}
            final = len(left) == 2
            if final and stage.third_place and out and len(out[-1]) == 2:
                third = self._tie(story, 1, *out[-1])
                third.label = THIRD_PLACE
                matches.append(third)
            story.rounds.append(matches)
            terms, deals = self._terms(story), self._deals(story, number)
            yield from together(
                [play_match(match, terms, deals) for match in matches if not match.bye]
            )
            ties = [match for match in matches if match.label != THIRD_PLACE]
            left = [match.winner for match in ties]
            lost = [[n for n in match.entrants if n != match.winner] for match in ties]
            out.append([number for losers in lost for number in losers])
        onward = [number for number in left if number is not None]
        story.ranking = _places(_with_third(story, [onward, *out[::-1]]))
        return onward

    def _double_elimination(self, story: StageStory) -> Play[list[int]]:
        story.groups = [story.seeds]
        order = story.seeds
        if story.stage.draw is not Draw.SEEDS:
            order = self.lots.order(f"{story.number}/draw", order)
        course = double_elimination(seeded(order))
        meetings = next(course)
        while True:
            self._round += 1
            number = len(story.rounds)
            matches: list[Match] = []
            for label, a, b in meetings:
                matches.append(self._tie(story, len(matches), a, b))
                matches[-1].label = label
            story.rounds.append(matches)
            terms, deals = self._terms(story), self._deals(story, number)
            yield from together(
                [play_match(match, terms, deals) for match in matches if not match.bye]
            )
            won = [match.winner for match in matches if match.winner is not None]
            try:
                meetings = course.send(won)
            except StopIteration as end:
                ranked: list[list[int]] = end.value
                story.ranking = _places(ranked)
                return ranked[0]

    def _tie(self, story: StageStory, table: int, a: int | None, b: int | None) -> Match:
        if a is None or b is None:
            there = a if a is not None else b
            assert there is not None  # no more than every second place of a bracket is empty
            return self._bye(story, table, there)
        match = self._match(story, self._round, table, (a, b))
        match.bracket = (a, b)
        if self.lots.coin(f"{match.id}/seats"):
            match.entrants = (b, a)
        return match

    def _tables(self, story: StageStory) -> Play[list[int]]:
        story.groups = [story.seeds]
        left = list(story.seeds)
        out: list[list[int]] = []
        while len(left) > 1:
            self._round += 1
            number = len(story.rounds)
            sizes = table_sizes(len(left), story.stage.size)
            tables = self._drawn(story, sizes, f"{number + 1}/tables", left)
            matches = [
                self._bye(story, at, table[0])
                if len(table) == 1
                else self._match(story, self._round, at, tuple(table))
                for at, table in enumerate(tables)
            ]
            story.rounds.append(matches)
            terms, deals = self._terms(story), self._deals(story, number)
            yield from together(
                [play_table(match, terms, deals) for match in matches if not match.bye]
            )
            left = [match.winner for match in matches if match.winner is not None]
            lost = [number for m in matches for number in m.entrants if number != m.winner]
            if len(matches) == 1:  # the final ranks everybody at its table
                scores = dict(zip(matches[0].entrants, matches[0].scores, strict=True))
                for score in sorted({scores[number] for number in lost}):
                    out.append([number for number in lost if scores[number] == score])
            else:
                out.append(lost)
        story.ranking = _places([left, *out[::-1]])
        return left

    # --- what all of them use --------------------------------------------------------------

    def _drawn(
        self, story: StageStory, sizes: Sequence[int], what: str, of: Sequence[int] | None = None
    ) -> list[list[int]]:
        """Entrants in groups of these sizes: by lot, or snaking down the seeds."""
        field = list(story.seeds if of is None else of)
        groups: list[list[int]] = [[] for _ in sizes]
        if story.stage.draw is Draw.SEEDS:
            at, step = 0, 1
            for number in field:
                while len(groups[at]) >= sizes[at]:
                    at, step = _snake(at, step, len(sizes))
                groups[at].append(number)
                at, step = _snake(at, step, len(sizes))
            return groups
        drawn = self.lots.order(f"{story.number}/{what}", field)
        for group, size in zip(groups, sizes, strict=True):
            group += drawn[:size]
            del drawn[:size]
        return groups

    def _match(
        self, story: StageStory, round_: int, table: int, entrants: tuple[int, ...]
    ) -> Match:
        return Match(f"{story.number}/{round_}/{table + 1}", round_, table + 1, entrants)

    def _bye(self, story: StageStory, table: int, number: int) -> Match:
        match = self._match(story, self._round, table, (number,))
        match.bye = True
        return match

    def _missed(self, story: StageStory, table: int, number: int) -> Match:
        """A round of a Swiss that somebody is not there for."""
        match = self._match(story, self._round, table, (number,))
        nothing = (0.0,)
        match.boards = (SeriesResult(nothing, nothing, None, By.FORFEIT, (), frozenset({0})),)
        return match

    def _terms(self, story: StageStory) -> Terms:
        stage, spec = story.stage, self.cast.spec
        return Terms(
            series=stage.series or spec.series,
            series_of=-1 if stage.series is None else story.number - 1,
            stage=story.number - 1,
            seats=self.cast.game.seats,
            entrants=self.entrants,
            lots=self.lots,
            needs_winner=stage.format in KNOCKED_OUT,
            boards=stage.boards,
            forfeit_small=stage.points.forfeit_small,
        )

    def _deals(self, story: StageStory, number: int) -> int:
        """The first deal of a round or leg: every match of it has the same."""
        return ((story.number - 1) * _STAGE + number) * DEALS

    def _counted(self, story: StageStory, play: Play[list[Match]]) -> Play[None]:
        """Play, and then count the tables."""
        yield from play
        story.tables = self._count(story)

    def _count(self, story: StageStory) -> list[Table]:
        return [
            table_of(
                group,
                [match for match in story.matches if match.entrants[0] in group],
                self._counting(story),
                self.lots,
                f"{story.number}/{at}",
            )
            for at, group in enumerate(story.groups)
        ]

    def recount(self) -> None:
        """Count the tables again, with the matches that are over in a round that is not."""
        for story in self.stages:
            if story.stage.format not in KNOCKED_OUT:
                story.tables = self._count(story)

    def _counting(self, story: StageStory) -> Counting:
        stage = story.stage
        tiebreaks = stage.tiebreaks
        if tiebreaks is None:
            many = self.cast.at_board > 2
            tiebreaks = (TieBreak.WINS,) if many else TIEBREAKS[stage.format]
        return Counting(
            score=stage.score,
            small=stage.small,
            points=stage.points,
            tiebreaks=tiebreaks,
            games=(stage.series or self.cast.spec.series).games,
            boards=len(self.entrants[story.seeds[0]].boards),
            place_points=stage.place_points,
        )

    def _final_ranking(self) -> list[tuple[int, int]]:
        """Everybody: the last stage, then who did not reach it, by the stage before."""
        ranking: list[tuple[int, int]] = []
        seen: set[int] = set()
        for story in reversed(self.stages):
            rest = [(place, number) for place, number in story.ranking if number not in seen]
            groups: dict[int, list[int]] = {}
            for place, number in rest:
                groups.setdefault(place, []).append(number)
            before = len(ranking)
            ranking += [(before + p, n) for p, n in _places([groups[k] for k in sorted(groups)])]
            seen |= {number for _, number in rest}
        return ranking


def _remember(players: dict[int, Player], matches: Sequence[Match]) -> None:
    """What a round means for the pairings to come."""
    for match in matches:
        mine = [players[number] for number in match.entrants]
        played = any(board.games for board in match.boards)
        for at, player in enumerate(mine):
            others = [other for other in mine if other is not player]
            if match.bye or (not played and match.winner == player.number):
                player.had_bye = True
            if played and others:
                (other,) = others
                player.opponents.add(other.number)
                first = next(board.games[0].first for board in match.boards if board.games)
                player.firsts.append(first == at)
                drop = player.points - other.points
                player.floats.append(1 if drop > 0 else -1 if drop < 0 else 0)
            else:
                player.floats.append(1 if match.bye else 0)


def _with_third(story: StageStory, ranked: list[list[int]]) -> list[list[int]]:
    """The losers of the semi-finals as their match put them."""
    third = next((match for match in story.matches if match.label == THIRD_PLACE), None)
    if third is None or third.winner is None:
        return ranked
    split = [[third.winner], [n for n in third.entrants if n != third.winner]]
    made: list[list[int]] = []
    for group in ranked:
        made += split if set(group) == set(third.entrants) else [group]
    return made


def _places(groups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Groups, best first, as places; equals share the better one."""
    places: list[tuple[int, int]] = []
    for group in groups:
        place = len(places) + 1
        places += [(place, number) for number in sorted(group)]
    return places


def _snake(at: int, step: int, count: int) -> tuple[int, int]:
    """The next group of a snake: 0, 1, 2, 2, 1, 0, 0, …."""
    after = at + step
    return (after, step) if 0 <= after < count else (at, -step)


__all__ = ["Event", "StageStory"]
