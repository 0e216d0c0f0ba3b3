"""Playing an event: what is due goes to the workers as a plan, what came of it decides what is next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from arena.cluster.driver import faults_in
from arena.cluster.lease import LeaseTerms
from arena.cluster.progress import STARTING, ParkedBlock, Progress, SweepSummary
from arena.plan.tournament import EventPlan, EventSpec, Programme
from arena.plan.tournament.spec import Small, Unreachable
from arena.plan.tournament.values import Fixture, FixtureResult, GameScore

if TYPE_CHECKING:
    from arena.cluster.ray_crew import StandingCrew
    from arena.ledger import GameResult, Ledger

_ABSENT = "absent: "
"""Begins the reason of games that are lost because an engine could not be had; it stays so."""


@dataclass(frozen=True, slots=True)
class EventRun:
    """How far an event is after a run."""

    programme: Programme
    sweep_id: str
    games: int
    """Of the event so far."""

    games_played: int
    """In this run."""

    faults: Mapping[str, int]
    parked: tuple[ParkedBlock, ...]
    """What could not be played: the event waits for it."""

    voided: tuple[str, ...]
    """Fixtures that somebody took out by hand: the event waits for those too."""

    interrupted: bool

    @property
    def complete(self) -> bool:
        """Whether the event is over."""
        return self.programme.finished


def run_event(
    spec: EventSpec,
    ledger: Ledger,
    *,
    address: str | None = None,
    workers: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    terms: LeaseTerms | None = None,
    show_seconds: float = 0.5,
    play: bool = True,
    on_wait: Callable[[str], None] | None = None,
) -> EventRun:
    """Play what the ledger lacks of an event; arguments as of `run_sweep`.

    The event may be interrupted or killed at any time: the same call goes on where it ended,
    and comes to the same end, because lots and pairings follow from the seed and the results
    alone. Without `play` it only counts what is there.
    """
    conductor = _Conductor(
        spec, ledger, address, workers, on_progress, terms, show_seconds, on_wait
    )
    return conductor.run(play)


class _Conductor:
    def __init__(
        self,
        spec: EventSpec,
        ledger: Ledger,
        address: str | None,
        workers: int | None,
        on_progress: Callable[[Progress], None] | None,
        terms: LeaseTerms | None,
        show_seconds: float,
        on_wait: Callable[[str], None] | None,
    ) -> None:
        self.spec, self.ledger, self.on_wait = spec, ledger, on_wait
        self.address, self.workers = address, workers
        self.show, self.terms, self.show_seconds = on_progress, terms, show_seconds
        self.programme = Programme(spec)
        self.levels = any(stage.small is Small.LEVELS for stage in spec.stages)
        self.counted: dict[str, FixtureResult] = {}
        self.by_hand: dict[str, str] = {}
        self.played = self.rounds = 0
        self.parked: tuple[ParkedBlock, ...] = ()

    def run(self, play: bool) -> EventRun:
        interrupted = False
        with ExitStack() as stack:
            crew: StandingCrew | None = None
            while self.programme.due and not interrupted:
                self._read()
                waits = [f for f in self.programme.due if f.id not in self.counted]
                if waits:
                    if not play or any(f.id in self.by_hand for f in waits):
                        break
                    if crew is None and self.workers != 0:
                        from arena.cluster.ray_crew import StandingCrew

                        crew = stack.enter_context(
                            closing(StandingCrew(self.address, self.workers))
                        )
                    interrupted = self._play(crew)
                    self._read()
                    if any(f.id not in self.counted for f in self.programme.due):
                        break
                self.programme.send(self.counted)
        self._partly()
        plan = self.programme.plan(self.programme.due)
        return EventRun(
            programme=self.programme,
            sweep_id=plan.sweep_id,
            games=sum(len(result.games) for result in self.counted.values()),
            games_played=self.played,
            faults=faults_in(self.ledger, plan.sweep_id) if self._registered(plan) else {},
            parked=self.parked,
            voided=tuple(
                f"{fixture.id}: {self.by_hand[fixture.id]}"
                for fixture in self.programme.due
                if fixture.id in self.by_hand
            ),
            interrupted=interrupted and not self.programme.finished,
        )

    def _partly(self) -> None:
        """Count a round that is not over yet, for those who look."""
        self.programme.event.recount()

    def _play(self, crew: StandingCrew | None) -> bool:
        """Play what is due, one clock after the other; whether it was interrupted."""
        from arena.cluster import run_sweep

        before: list[Fixture] = []
        for fixtures in self.programme.clocks():
            before += fixtures
            plan = self.programme.plan(before)
            summary = run_sweep(
                plan,
                self.ledger,
                workers=self.workers,
                on_progress=self._progress if self.show else None,
                terms=self.terms,
                on_wait=self.on_wait,
                show_seconds=self.show_seconds,
                crew=crew.hire if crew else None,
            )
            self._account(plan, summary)
            if summary.stopped:
                return True
        return False

    def _progress(self, progress: Progress) -> None:
        """Pass a report on; workers that stay up are not started again for each round."""
        assert self.show is not None
        if self.rounds:
            messages = tuple(m for m in progress.messages if m != STARTING)
            progress = replace(progress, messages=messages)
        self.show(progress)

    def _account(self, plan: EventPlan, summary: SweepSummary) -> None:
        self.rounds += 1
        self.played += summary.games_played
        kept: list[ParkedBlock] = []
        for parked in summary.parked:
            if self.spec.unreachable is Unreachable.FORFEIT and parked.engine is not None:
                for block in range(parked.start, parked.stop):
                    reason = f"{_ABSENT}{parked.engine}"
                    self.ledger.void(plan.sweep_id, parked.cell_id, block, reason)
            else:
                kept.append(parked)
        self.parked = tuple(kept)

    def _registered(self, plan: EventPlan) -> bool:
        return plan.sweep_id in {row.sweep_id for row in self.ledger.sweeps()}

    def _read(self) -> None:
        """What the ledger has of the fixtures so far, and who was absent."""
        plan = self.programme.plan(self.programme.due)
        if not self._registered(plan):
            return
        wanted = {
            cell.id: fixture
            for cell, fixture in zip(plan.cells, plan.fixtures, strict=True)
            if fixture.id not in self.counted
        }
        engines = {engine.id: name for name, engine in self.programme.cast.engines.items()}
        void: set[str] = set()
        for block in self.ledger.voided(plan.sweep_id):
            fixture = wanted.get(block.cell_id)
            if fixture is None:
                continue
            void.add(fixture.id)
            if block.reason.startswith(_ABSENT):
                name = engines[block.reason.removeprefix(_ABSENT)]
                away = frozenset(
                    fixture.owners[at] for at, n in enumerate(fixture.lineup) if n == name
                )
                known = self.counted.get(fixture.id, FixtureResult())
                self.counted[fixture.id] = FixtureResult((), known.missing | away)
            elif not block.reason.startswith("parked: "):
                self.by_hand[fixture.id] = block.reason
        found: dict[str, list[GameResult]] = defaultdict(list)
        for result in self.ledger.results(plan.sweep_id):
            if result.cell_id in wanted:
                found[result.cell_id].append(result)
        for cell_id, results in found.items():
            fixture = wanted[cell_id]
            if fixture.id not in void and len(results) == fixture.games:
                results.sort(key=lambda result: (result.block, result.permutation))
                self.counted[fixture.id] = FixtureResult(
                    tuple(self._score(fixture, result) for result in results)
                )

    def _score(self, fixture: Fixture, result: GameResult) -> GameScore:
        """A game by entrant of its match."""
        seating = fixture.seatings[result.permutation]
        owner = [fixture.owners[member] for member in seating]
        seats = [
            [seat for seat, whose in enumerate(owner) if whose == at] for at in range(fixture.width)
        ]
        climbed = self._climbed(fixture, result) if self.levels else {}
        return GameScore(
            game_id=result.game_id,
            scores=tuple(
                sum(result.scores[s] for s in mine) / len(mine) if mine else 0.0 for mine in seats
            ),
            places=tuple(
                min((result.places[s] for s in mine), default=len(owner)) for mine in seats
            ),
            small=tuple(climbed.get(result.sides[mine[0]], 0.0) if mine else 0.0 for mine in seats),
            ending=result.termination.name,
            first=owner[0],
        )

    def _climbed(self, fixture: Fixture, result: GameResult) -> dict[int, float]:
        """Levels by side, read from the end of the record; none where a fault ended the game."""
        if result.record is None:
            return {}
        from arena.games.tuolaji.observation import climbed

        game = self.programme.cast.game_of(fixture)
        state = game.replay(result.record)
        return dict(enumerate(map(float, climbed(game, state)))) if state.outcome() else {}
