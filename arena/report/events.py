"""The page of an event: its brackets, rounds and tables, counted again from the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.games import Names
from arena.games.contract import RulesError
from arena.plan.errors import SweepError
from arena.plan.tournament import Event, StageStory, event_of
from arena.plan.tournament.double import GRAND_FINAL, LOWER, SECOND_FINAL, UPPER
from arena.plan.tournament.spec import Draw, Format
from arena.plan.tournament.values import THIRD_PLACE, Match
from arena.report.collect import Collected
from arena.report.event_text import DECIDED, FORMATS, LABELS, TIEBREAKS, points
from arena.report.names import page_name

if TYPE_CHECKING:
    from arena.ledger import Ledger


@dataclass(frozen=True, slots=True)
class EventPage:
    """An event as far as the ledger knows it."""

    name: str
    sweep_id: str
    event: Event
    complete: bool

    @property
    def page(self) -> str:
        """Where it stands in the folder."""
        return f"events/{page_name(f'{self.name} {self.sweep_id}')}.html"

    @property
    def entrants(self) -> Mapping[int, str]:
        """Name by number."""
        return {number: entrant.name for number, entrant in self.event.entrants.items()}

    @property
    def game(self) -> Names:
        """The family's names."""
        return self.event.cast.game.family.names


@dataclass(frozen=True, slots=True)
class Bracket:
    """Rounds drawn side by side; `heading` is None where there is one bracket only."""

    heading: Names | None
    rounds: tuple[tuple[Match, ...], ...]


def event_pages(ledger: Ledger, counted: Collected) -> list[EventPage]:
    """The events among the sweeps of a ledger; those of another version are left out."""
    from arena.cluster.event import run_event

    found = []
    for count in counted.sweeps:
        try:
            spec = event_of(count.sweep.spec)
            run = run_event(spec, ledger, workers=0, play=False) if spec is not None else None
        except (SweepError, RulesError):  # rules or engines that this version does not have
            continue
        if run is not None and run.sweep_id == count.sweep.sweep_id:
            name = count.sweep.name
            found.append(EventPage(name, run.sweep_id, run.programme.event, run.complete))
    return found


def brackets(story: StageStory) -> list[Bracket]:
    """A stage as brackets: none where its rounds do not follow from places."""
    stage = story.stage

    def of(heading: Names | None, *labels: str) -> Bracket:
        rounds = [tuple(m for m in matches if m.label in labels) for matches in story.rounds]
        return Bracket(heading, tuple(each for each in rounds if each))

    if stage.format is Format.KNOCKOUT and stage.draw is not Draw.EACH_ROUND:
        return [of(None, "")]
    if stage.format is Format.DOUBLE_ELIMINATION:
        return [of(LABELS[UPPER], UPPER, GRAND_FINAL, SECOND_FINAL), of(LABELS[LOWER], LOWER)]
    return []


def places(match: Match) -> tuple[int, ...]:
    """Entrants from top to bottom: as the bracket has them, else the first seat in front."""
    return match.bracket or match.entrants


def result_of(match: Match) -> Names:
    """What came of a match: "1½ : ½ (3:1), by lot"."""
    if match.bye:
        return Names("bye", "轮空")
    if not match.over:
        return Names("to be played", "待赛")
    score = " : ".join(points(value) for value in match.scores)
    if any(match.small):
        score += " (" + ":".join(points(value) for value in match.small) + ")"
    how = DECIDED.get(match.by)
    return Names(f"{score}, {how.en}", f"{score}，{how.zh}") if how else Names(score, score)


def label_of(match: Match) -> Names | None:
    """Its place in the stage, where it has one: the third place, a group, the grand final."""
    if match.label in LABELS:
        return LABELS[match.label]
    return Names(f"group {match.label}", f"{match.label} 组") if match.label else None


WORDS = {
    "brackets": brackets,
    "places": places,
    "result_of": result_of,
    "label_of": label_of,
    "points": points,
    "FORMATS": FORMATS,
    "TIEBREAKS": TIEBREAKS,
    "THIRD_PLACE": THIRD_PLACE,
}
"""What the template of the page calls."""
