"""Events without games: results are made up, so that only the pairing is under test."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from arena.plan.tournament import EventSpec, Programme
from arena.plan.tournament.load import spelled_out
from arena.plan.tournament.values import Fixture, FixtureResult, GameScore, Match

Decide = Callable[[Fixture, int, tuple[int, ...]], Sequence[float]]
"""Scores by entrant of a match, given a fixture, which of its games, and who sits where."""


def spec_of(**tables: Any) -> EventSpec:
    """An event of tables, with Gomoku and what else a file must have."""
    full: dict[str, Any] = {
        "name": "trial",
        "seed": 5,
        "game": {"rulebook": "gomoku/freestyle15"},
        **tables,
    }
    return EventSpec.model_validate_json(json.dumps(spelled_out(full)))


def engines(count: int) -> dict[str, str]:
    """So many engines, a, b, c, … or e1, e2, …."""
    names = [chr(97 + at) for at in range(count)] if count < 27 else [f"e{n}" for n in range(count)]
    return dict.fromkeys(names, "random")


def event(stages: list[dict[str, Any]] | dict[str, Any], count: int, **tables: Any) -> EventSpec:
    """An event of one stage or several between so many engines."""
    listed = stages if isinstance(stages, list) else [stages]
    return spec_of(stages=listed, engines=engines(count), **tables)


def play(
    spec: EventSpec,
    decide: Decide | None = None,
    missing: Callable[[Fixture], frozenset[int]] = lambda _: frozenset(),
) -> Programme:
    """Play an event to its end; without `decide` the engine with the longer spec … wins."""
    programme = Programme(spec)
    waves = 0
    while programme.due:
        waves += 1
        assert waves < 2_000, "the event has no end"
        programme.send({f.id: result(f, decide or stronger, missing(f)) for f in programme.due})
    programme.event.recount()
    return programme


def result(fixture: Fixture, decide: Decide, missing: frozenset[int]) -> FixtureResult:
    """What came of a fixture."""
    if missing:
        return FixtureResult((), missing)
    games = []
    for number in range(fixture.games):
        seating = fixture.seatings[number % len(fixture.seatings)]
        owner = tuple(fixture.owners[member] for member in seating)
        scores = tuple(map(float, decide(fixture, number, owner)))
        games.append(
            GameScore(
                game_id=f"{fixture.id}#{number}",
                scores=scores,
                places=tuple(1 + sum(other > mine for other in scores) for mine in scores),
                small=(0.0,) * fixture.width,
                ending="five",
                first=owner[0],
            )
        )
    return FixtureResult(tuple(games))


def stronger(fixture: Fixture, _: int, __: tuple[int, ...]) -> Sequence[float]:
    """Whose engine comes first in the alphabet wins."""
    best = min(fixture.lineup)
    winner = fixture.owners[fixture.lineup.index(best)]
    return [1.0 if at == winner else 0.0 for at in range(fixture.width)]


def winner_of(fixture: Fixture, at: int) -> Sequence[float]:
    """Scores of a game that one entrant of the match won."""
    return [float(other == at) for other in range(fixture.width)]


def names(programme: Programme) -> dict[int, str]:
    """Names by number."""
    return {entrant.number: entrant.name for entrant in programme.event.entrants.values()}


def ranking(programme: Programme) -> list[tuple[int, str]]:
    """(place, name) of everybody."""
    name = names(programme)
    return [(place, name[number]) for place, number in programme.event.ranking]


def matches(programme: Programme, stage: int = 0) -> list[Match]:
    """Every match of a stage."""
    return programme.event.stages[stage].matches
