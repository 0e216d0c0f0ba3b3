"""Writes sets of rules, one a line, for the core's sanitizer run.

    python tests/core/rules.py [VARIANTS [SEED]]

Every rulebook, then so many random variants of each family. A line is the family, its engines
and every setting; texts are quoted, so that a setting which is the text "2" is no number.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Iterator
from typing import Any

import arena
from arena.games import RulesError, family, family_ids
from arena.games.contract import Family

NO_RUNGS = {"tuolaji": ("solver:worlds=10",)}
"""Engines of the core that are on no ladder."""

TRIES = 1_000
"""Random variants that the rules may refuse before one has to be valid."""


def line(game: arena.Game) -> str:
    specs = (*game.family.rungs, *NO_RUNGS.get(game.family.id, ()))
    # Budgets small enough for a sanitizer's pace.
    small = {"nodes": 20, "playouts": 20, "worlds": 2}
    engines = "|".join(
        re.sub(r"(nodes|playouts|worlds)=\d+", lambda m: f"{m[1]}={small[m[1]]}", spec)
        for spec in specs
    )
    words = {"engines": engines, **game.rules.settings()}
    return " ".join([game.family.id, *(f"{key}={quoted(value)}" for key, value in words.items())])


def quoted(value: bool | int | str | None) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # The reader knows no other escapes.
    assert "\\" not in text.replace('\\"', "").replace("\\\\", ""), text
    return text


def variants(found: Family, count: int, rng: random.Random) -> Iterator[arena.Game]:
    """Rulebooks with a few settings changed to any that the rules allow."""
    books = list(found.rulebooks)
    for _ in range(count):
        for _ in range(TRIES):
            book = rng.choice(books)
            names = rng.sample(list(found.rules.model_fields), rng.randint(1, 8))
            try:
                changed = {name: value(found, name, rng) for name in names}
                yield arena.game(f"{found.id}/{book}", **changed)
                break
            except RulesError:
                continue
        else:
            raise RuntimeError(f"{found.id}: no valid variant in {TRIES} tries")


def value(found: Family, name: str, rng: random.Random) -> Any:
    """A value of a setting: any that its schema names, or that some rulebook has."""
    schema = found.rules.model_json_schema()
    named = list(values(schema["properties"][name], schema.get("$defs", {}), rng))
    used = {book.rules.settings()[name] for book in found.rulebooks.values()}
    return rng.choice([*named, *sorted(used, key=repr)])


def values(spec: dict[str, Any], defs: dict[str, Any], rng: random.Random) -> Iterator[Any]:
    for each in (*spec.get("anyOf", ()), *spec.get("allOf", ())):
        yield from values(each, defs, rng)
    if "$ref" in spec:
        yield from values(defs[spec["$ref"].rpartition("/")[2]], defs, rng)
    yield from spec.get("enum", ())
    if "const" in spec:
        yield spec["const"]
    match spec.get("type"):
        case "boolean":
            yield from (True, False)
        case "null":
            yield None
        case "integer" if "minimum" in spec and "maximum" in spec:
            low, high = spec["minimum"], spec["maximum"]
            yield from (low, high, rng.randint(low, high), rng.randint(low, min(high, low + 9)))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    rng = random.Random(sys.argv[2] if len(sys.argv) > 2 else "rules")
    for name in arena.rulebooks():
        print(line(arena.game(name)))
    for family_id in family_ids():
        for game in variants(family(family_id), count, rng):
            print(line(game))


if __name__ == "__main__":
    main()
