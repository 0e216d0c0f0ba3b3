"""Events: who meets whom next, as a pure function of the file, the seed and the results so far.

``load_event("event.toml")`` reads the file; an `Event` says what is to be played next and what
came of it. docs/tournaments.md describes file and formats.
"""

from arena.plan.tournament.event import Event, StageStory
from arena.plan.tournament.load import BIASED, event_of, is_event, load_event, stopping_warning
from arena.plan.tournament.plan import EventPlan, Programme
from arena.plan.tournament.spec import EventSpec

__all__ = [
    "BIASED",
    "Event",
    "EventPlan",
    "EventSpec",
    "Programme",
    "StageStory",
    "event_of",
    "is_event",
    "load_event",
    "stopping_warning",
]
