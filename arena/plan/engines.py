"""The engines of a sweep: parsed, checked against the games, each one used."""

from __future__ import annotations

import shlex
from dataclasses import replace
from fnmatch import fnmatchcase

import arena
from arena.games import Game, family
from arena.games.suggest import nearest
from arena.plan.spec import EngineEntry, FileSpec, Pairing, SweepSpec
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineKind, EngineSpec, EngineSpecError


class Roster:
    """Which engines play which game. Raises SweepError for engines that cannot or do not."""

    def __init__(self, spec: SweepSpec, games: list[Game]) -> None:
        """Check every engine against the games of the plan."""
        self._spec = spec
        self._entries = [
            (entry, engine_of(spec, name, entry)) for name, entry in spec.engines.items()
        ]
        if not self._entries and not spec.rungs:
            raise spec.error((), "names no engine; give [engines.NAME] tables or rungs")
        self._rungs: dict[str, list[EngineSpec]] = {
            family_id: _rungs(spec, family_id)
            for family_id in dict.fromkeys(found.family.id for found in games)
        }
        for name, entry in spec.engines.items():
            if not any(_plays(entry, found) for found in games):
                raise spec.error(
                    ("engines", name, "games"), f"'{name}' plays none of the sweep's games"
                )
        self._check_hero()
        for found in games:
            for engine in self.for_game(found):
                self._check(engine, found)

    def for_game(self, found: Game) -> list[EngineSpec]:
        """The engines that play a game: the file's own first, then the ladder."""
        named = [engine for entry, engine in self._entries if _plays(entry, found)]
        return named + self._rungs[found.family.id]

    def _check(self, engine: EngineSpec, found: Game) -> None:
        if engine.kind is not EngineKind.BUILTIN:
            return
        try:
            found.core.engine(engine.target)
        except ValueError as error:
            place = (
                ("engines", engine.name, "use") if engine.name in self._spec.engines else ("rungs",)
            )
            raise self._spec.error(place, f"{found.name}: {error}", engine.target) from None

    def _check_hero(self) -> None:
        spec = self._spec
        if Pairing.GAUNTLET not in spec.pairing:
            return
        names = [engine.name for _, engine in self._entries]
        names += [engine.name for rungs in self._rungs.values() for engine in rungs]
        if spec.hero is None:
            raise spec.error(("hero",), "is missing; a gauntlet needs hero = one of the engines")
        if spec.hero not in names:
            raise spec.error(("hero",), f"no engine '{spec.hero}'{nearest(spec.hero, names)}")


def _plays(entry: EngineEntry, found: Game) -> bool:
    return any(fnmatchcase(found.name, pattern) for pattern in entry.games)


def engine_of(spec: FileSpec, name: str, entry: EngineEntry) -> EngineSpec:
    """The engine of an ``[engines.NAME]`` table. Raises SweepError for one that is none."""
    place: tuple[str | int, ...] = ("engines", name)
    if (entry.use is None) == (entry.command is None):
        raise spec.error(place, "needs either use or command")
    if any("\0" in word for word in entry.command or ()):
        raise spec.error(
            (*place, "command"), "holds a NUL character, which no program can be given"
        )
    text = entry.use if entry.use is not None else f"command:{shlex.join(entry.command or ())}"
    try:
        engine = EngineSpec.parse(text, name, entry.version or arena.__version__)
    except EngineSpecError as error:
        raise spec.error(
            (*place, "use" if entry.command is None else "command"), str(error), text
        ) from None
    if entry.version is None and engine.kind is not EngineKind.BUILTIN:
        raise spec.error(
            (*place, "version"), "is missing: results of different versions must never mix"
        )
    for setting in ("cpus", "gpus", "sandbox"):
        if setting in entry.model_fields_set and engine.kind is not EngineKind.COMMAND:
            raise spec.error((*place, setting), "has no effect: only a command is started here")
    if entry.sandbox is not None:
        return replace(engine, sandbox=Sandbox(**entry.sandbox.model_dump()))
    return engine


def _rungs(spec: SweepSpec, family_id: str) -> list[EngineSpec]:
    """Steps of a family's ladder; their name is their spec, the same wherever it is used."""
    ladder = family(family_id).rungs
    steps = range(1, len(ladder) + 1) if spec.rungs == "all" else spec.rungs
    engines = []
    for step in dict.fromkeys(steps):
        if step > len(ladder):
            raise spec.error(
                ("rungs",), f"{family_id} has {len(ladder)} rungs: 1 to {len(ladder)}", step
            )
        engines.append(EngineSpec.parse(ladder[step - 1], version=arena.__version__))
    return engines
