"""Plans on their way to workers: rebuilt from text, never sent as objects."""

from __future__ import annotations

import json

from arena.plan.expand import make_plan
from arena.plan.plan import Plan
from arena.plan.spec import SweepSpec


def rebuilt(portable: str) -> Plan:
    """The plan of a `Plan.portable` text."""
    data = json.loads(portable)
    if "event" in data:
        from arena.plan.tournament.plan import event_plan

        return event_plan(data)
    return make_plan(SweepSpec.model_validate_json(data["sweep"]))
