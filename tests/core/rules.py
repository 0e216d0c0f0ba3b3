"""Writes sets of rules, one a line, for the core's sanitizer run.

    python tests/core/rules.py [VARIANTS [FAMILY]]

Every rulebook, then so many random variants of each family; with FAMILY only so many random
variants of that one, without engines. A line is the family, its engines and every setting; texts
are quoted, so that a setting which is the text "2" is no number.
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

MOST = {("siguo", "solver"): "solver:worlds=2,width=2,depth=2"}
"""Engines that a smaller budget alone does not make quick."""

TRIES = 1_000
"""Random variants that the rules may refuse before one has to be valid."""


def line(game: arena.Game, *, engines: bool = True) -> str:
    of = game.family.id
    specs = [MOST.get((of, spec.partition(":")[0]), spec) for spec in game.family.rungs]
    # Budgets small enough for a sanitizer's pace.
    small = {"nodes": 20, "playouts": 20, "worlds": 2}
    small_specs = "|".join(
        re.sub(r"(nodes|playouts|worlds)=\d+", lambda m: f"{m[1]}={small[m[1]]}", spec)
        for spec in (specs if engines else ())
    )
    words = {"engines": small_specs, **game.rules.settings()}
    return " ".join([game.family.id, *(f"{key}={quoted(value)}" for key, value in words.items())])


def quoted(value: bool | int | str | None) -> str:
    text = json.dumps(value, ensure_ascii=False)
    # The reader knows no other escapes.
    assert "\\" not in text.replace('\\"', "").replace("\\\\", ""), text
    return text


def variants(found: Family, count: int, rng: random.Random) -> Iterator[arena.Game]:
    """Rulebooks with a few settings changed to any that the rules allow."""
    books = list(found.rulebooks)
    schema = found.rules.model_json_schema()
    used = [book.rules.settings() for book in found.rulebooks.values()]
    known = {name: sorted({settings[name] for settings in used}, key=repr) for name in used[0]}

    def value(name: str) -> Any:
        """Any that the schema names, or that some rulebook has."""
        named = values(schema["properties"][name], schema.get("$defs", {}), rng)
        return rng.choice([*named, *known[name]])

    for _ in range(count):
        for _ in range(TRIES):
            book = rng.choice(books)
            names = rng.sample(list(known), rng.randint(1, 8))
            try:
                yield arena.game(f"{found.id}/{book}", **{name: value(name) for name in names})
                break
            except RulesError:
                continue
        else:
            raise RuntimeError(f"{found.id}: no valid variant in {TRIES} tries")


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
    rng = random.Random("rules")
    if len(sys.argv) > 2:
        for game in variants(family(sys.argv[2]), count, rng):
            print(line(game, engines=False))
        return
    for name in arena.rulebooks():
        print(line(arena.game(name)))
    for family_id in family_ids():
        for game in variants(family(family_id), count, rng):
            print(line(game))


if __name__ == "__main__":
    main()
