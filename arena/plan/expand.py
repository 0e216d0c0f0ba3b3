"""Expands a sweep: globs and grids to games, engines to line-ups, both to cells."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from arena.games import Game, RulesError, family, family_ids, game, no_rulebook, rulebooks
from arena.games.suggest import nearest, valid_values
from arena.plan.engines import Roster
from arena.plan.plan import (
    Cell,
    Plan,
    cell_id,
    distinct_seatings,
    pair_lineups,
    rotations,
)
from arena.plan.spec import (
    GamesEntry,
    Pairing,
    Permutations,
    Seating,
    Setting,
    SweepSpec,
)
from arena.plan.unused import refuse_unused
from arena.players.spec import EngineSpec

Lineup = tuple[EngineSpec, ...]


def make_plan(spec: SweepSpec) -> Plan:
    """The plan of a sweep: the same file and seed give the same plan, everywhere.

    Raises SweepError, naming the line, for rulebooks, settings, values and engines that
    do not exist, combinations that the rules refuse, and settings that have no effect.
    """
    skipped: list[str] = []
    merged: list[str] = []
    games = list(_games(spec, skipped, merged))
    roster = Roster(spec, [found for found, _ in games])
    cells: list[Cell] = []
    for found, entry in games:
        engines = roster.for_game(found)
        for pairing in dict.fromkeys(spec.pairing):
            for lineup in _lineups(spec, pairing, found, engines):
                seatings = _seatings(spec, pairing, lineup)
                cells.append(
                    Cell(
                        index=len(cells),
                        id=cell_id(found, lineup, seatings, entry.opening_plies),
                        game=found,
                        pairing=pairing,
                        lineup=lineup,
                        seatings=seatings,
                        blocks=entry.blocks or spec.blocks,
                        opening_plies=entry.opening_plies,
                    )
                )
    plan = Plan(spec, tuple(cells), tuple(skipped), tuple(merged))
    refuse_unused(spec, plan)
    return plan


def _games(
    spec: SweepSpec, skipped: list[str], merged: list[str]
) -> Iterator[tuple[Game, GamesEntry]]:
    """Every game once, in the order of the file; equal rules are played once."""
    seen: dict[tuple[str, int], str] = {}
    for index, entry in enumerate(spec.games):
        played = 0
        for name in _matching(spec, index, entry):
            for settings in _combinations(spec, index, name, entry):
                try:
                    found = game(name, **settings)
                except RulesError as error:
                    if not entry.skip_invalid:
                        raise spec.error(
                            ("games", index, "grid"),
                            f"{name}{_brackets(settings)}: {_reason(name, error)}. "
                            "Take the combination out, or set skip_invalid = true "
                            "to leave out what the rules refuse",
                            settings,
                        ) from None
                    skipped.append(f"{name}{_brackets(settings)}: {_reason(name, error)}")
                    continue
                played += 1
                key = (found.rules.digest, entry.opening_plies)
                if key in seen:
                    merged.append(f"{found.label} has the rules of {seen[key]}")
                    continue
                seen[key] = found.label
                yield found, entry
        if not played:
            raise spec.error(("games", index), "the rules refuse every combination of this grid")


def _brackets(settings: Mapping[str, Setting | None]) -> str:
    return "[" + ",".join(f"{key}={value}" for key, value in settings.items()) + "]"


def _reason(name: str, error: RulesError) -> str:
    return str(error).removeprefix(f"{name}: ").removeprefix("Value error, ")


def _matching(spec: SweepSpec, index: int, entry: GamesEntry) -> list[str]:
    names: dict[str, None] = {}
    for pattern in entry.rulebooks:
        found = [name for name in rulebooks() if fnmatchcase(name, pattern)]
        if not found:
            every = f"; '{pattern}/*' is all of them" if pattern in family_ids() else ""
            raise spec.error(
                ("games", index, "rulebooks"), f"{no_rulebook(pattern)}{every}", pattern
            )
        names.update(dict.fromkeys(found))
    return list(names)


def _combinations(
    spec: SweepSpec, index: int, name: str, entry: GamesEntry
) -> Iterator[Mapping[str, Setting | None]]:
    rules = family(name.partition("/")[0]).rules
    axes: list[list[tuple[str, Setting | None]]] = []
    for key, values in entry.grid.items():
        place = ("games", index, "grid", key)
        if key not in rules.model_fields:
            raise spec.error(place, f"{name} has no such setting{nearest(key, rules.model_fields)}")
        if not values:
            raise spec.error(place, "needs at least one value", values)
        field = rules.model_fields[key]
        check = _value_check(field)
        for value in values:
            try:
                check.validate_json(json.dumps(_null(value)), strict=True)
            except ValidationError as error:
                schema = rules.model_json_schema()
                valid = valid_values(schema["properties"][key], schema.get("$defs", {}))
                said = f"must be {valid}" if valid else error.errors(include_url=False)[0]["msg"]
                raise spec.error(place, f"{said} (got {value!r})", value) from None
        axes.append([(key, _null(value)) for value in dict.fromkeys(values)])
    for combination in itertools.product(*axes):
        yield dict(combination)


def _value_check(field: FieldInfo) -> TypeAdapter[Any]:
    """Checks one value of one setting, apart from its sense beside the others."""
    form: Any = field.annotation
    if field.metadata:
        form = Annotated[form, *field.metadata]
    return TypeAdapter(form)


def _null(value: Setting) -> Setting | None:
    """TOML has no null; the word stands for it."""
    return None if value == "null" else value


def _lineups(
    spec: SweepSpec, pairing: Pairing, found: Game, engines: list[EngineSpec]
) -> Iterator[Lineup]:
    seats = found.seats
    if pairing is Pairing.SELF_PLAY:
        if not engines:
            raise spec.error(("engines",), f"no engine plays {found.name}")
        for engine in engines:
            yield (engine,) * seats
        return
    mixed = seats > 2 and spec.seating is Seating.MIXED
    size = seats if mixed else 2
    if len(engines) < size:
        names = ", ".join(e.name for e in engines) or "none"
        raise spec.error(
            ("pairing",),
            f"{pairing} needs {size} engines that play {found.name}; there are: {names}",
        )
    for group in itertools.combinations(engines, size):
        if pairing is Pairing.GAUNTLET:
            if spec.hero not in [engine.name for engine in group]:
                continue
            group = tuple(sorted(group, key=lambda engine: engine.name != spec.hero))
        if mixed:
            yield group
        else:
            alternate = spec.seating is Seating.ALTERNATE
            yield from pair_lineups(seats, *group, alternate=alternate)


def _seatings(spec: SweepSpec, pairing: Pairing, lineup: Lineup) -> tuple[tuple[int, ...], ...]:
    """The games of a block. Equal engines need no change of seats: one game."""
    first = tuple(range(len(lineup)))
    if pairing is Pairing.SELF_PLAY:
        return (first,)
    if spec.permutations is Permutations.ALL:
        return distinct_seatings(lineup, list(itertools.permutations(first)))
    return rotations(lineup)
