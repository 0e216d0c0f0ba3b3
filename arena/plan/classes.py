"""Whether the classes of a plan are there. A plan does not need them; those who look at one do."""

from __future__ import annotations

from arena.plan.plan import Plan
from arena.players.spec import EngineKind


def require_classes(plan: Plan) -> None:
    """Imports the class of each `python:` engine. Raises SweepError, with its line, for none."""
    found = [engine for engine in plan.engines if engine.kind is EngineKind.PYTHON]
    if not found:
        return
    from arena.players.python_class import class_of  # with the SDK: not for other plans

    for engine in found:
        try:
            class_of(engine.target)
        except ValueError as error:
            place = ("engines", engine.name, "use")
            raise plan.spec.error(place, str(error), engine.target) from None
