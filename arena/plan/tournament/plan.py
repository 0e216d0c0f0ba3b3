"""An event on the way to the workers: its fixtures so far as one plan that grows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from arena.match.policy import MatchPolicy
from arena.plan.plan import Cell, Plan, digest_of
from arena.plan.tournament.check import Cast, check_event
from arena.plan.tournament.event import Event
from arena.plan.tournament.spec import EventSpec
from arena.plan.tournament.values import Fixture, Results


@dataclass(frozen=True)
class EventPlan(Plan):
    """All fixtures so far, each a cell; what the referee goes by is that of the last."""

    fixtures: tuple[Fixture, ...]
    cast: Cast
    policy: MatchPolicy

    @property
    def sweep_id(self) -> str:
        """16 hex digits over what decides the event: all of the file but who is absent."""
        return self._event_id

    @cached_property
    def _event_id(self) -> str:
        told = self.cast.spec.model_dump(mode="json", exclude={"entrants": {"__all__": {"absent"}}})
        engines = [engine.id for engine in self.cast.engines.values()]
        rules = [[game.rules.digest for game in games.values()] for games in self.cast.games]
        return digest_of("event", told, engines, rules)

    @property
    def grows(self) -> bool:
        """The next round follows from the results of this one."""
        return True

    @property
    def match(self) -> MatchPolicy:
        """What the referee goes by in the games that are due."""
        return self.policy

    def portable(self) -> str:
        """Spec and fixtures, for `event_plan`."""
        fixtures = [asdict(fixture) for fixture in self.fixtures]
        return json.dumps({"event": self.spec.portable(), "fixtures": fixtures})


class Programme:
    """An event with its fixtures: what is due, and where it goes in the ledger."""

    def __init__(self, spec: EventSpec) -> None:
        """Begin an event. Raises SweepError where the file cannot be played."""
        self.cast = check_event(spec)
        self.event = Event(self.cast)
        self.fixtures: list[Fixture] = []
        self.due: list[Fixture] = []
        """What is to be played now; empty once the event is over."""

        self._play = self.event.play()
        self._begin()

    def send(self, results: Results) -> None:
        """Go on with the results of all that was due."""
        self.fixtures += self.due
        while True:
            try:
                self.due = self._play.send(results)
            except StopIteration:
                self.due = []
                return
            if self.due:
                return
            results = {}

    def clocks(self) -> list[list[Fixture]]:
        """What is due, by the clock that it is played with."""
        kinds: dict[tuple[int, int], list[Fixture]] = {}
        for fixture in self.due:
            kinds.setdefault((fixture.series, fixture.phase), []).append(fixture)
        return [kinds[key] for key in sorted(kinds)]

    def plan(self, due: Sequence[Fixture] = ()) -> EventPlan:
        """The plan of everything before, and of some of what is due."""
        return plan_of(self.cast, [*self.fixtures, *due])

    @property
    def finished(self) -> bool:
        """Whether nothing is left to play."""
        return not self.due

    def _begin(self) -> None:
        try:
            self.due = next(self._play)
        except StopIteration:
            return
        if not self.due:
            self.send({})


def plan_of(cast: Cast, fixtures: Sequence[Fixture]) -> EventPlan:
    """The plan of fixtures of an event."""
    spec = cast.spec
    cells = []
    for index, fixture in enumerate(fixtures):
        lineup = tuple(cast.engines[name] for name in fixture.lineup)
        game = cast.game_of(fixture)
        cells.append(
            Cell(
                index=index,
                id=digest_of(
                    game.rules.digest,
                    [engine.id for engine in lineup],
                    fixture.seatings,
                    spec.game.opening_plies,
                    fixture.id,
                ),
                game=game,
                pairing=None,
                lineup=lineup,
                seatings=fixture.seatings,
                blocks=fixture.blocks,
                opening_plies=spec.game.opening_plies,
                first_deal=fixture.first_deal,
            )
        )
    return EventPlan(spec, tuple(cells), (), (), tuple(fixtures), cast, _policy(spec, fixtures))


def event_plan(data: dict[str, Any]) -> EventPlan:
    """The plan of an `EventPlan.portable` text, read as JSON."""
    spec = EventSpec.model_validate_json(data["event"])
    return plan_of(check_event(spec), [_fixture(each) for each in data["fixtures"]])


def _policy(spec: EventSpec, fixtures: Sequence[Fixture]) -> MatchPolicy:
    """The event's policy with the clock of the last fixture's games."""
    if not fixtures:
        return spec.match
    last = fixtures[-1]
    series = spec.stages[last.series].series if last.series >= 0 else spec.series
    if series is None or not series.phases:
        return spec.match
    return spec.match.model_copy(update={"clock": series.phases[last.phase].clock})


def _fixture(data: dict[str, Any]) -> Fixture:
    return Fixture(
        id=data["id"],
        lineup=tuple(data["lineup"]),
        owners=tuple(data["owners"]),
        width=data["width"],
        seatings=tuple(tuple(seating) for seating in data["seatings"]),
        blocks=data["blocks"],
        first_deal=data["first_deal"],
        phase=data["phase"],
        stage=data["stage"],
        series=data["series"],
    )
