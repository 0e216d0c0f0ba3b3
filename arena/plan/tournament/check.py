"""Whether an event file can be played: engines, entrants, and settings that fit together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from arena.games import Game, RulesError, game, no_rulebook, rulebooks
from arena.games.suggest import nearest
from arena.plan.engines import engine_of
from arena.plan.spec import Setting
from arena.plan.tournament.knockout import table_sizes
from arena.plan.tournament.series import chair_orders
from arena.plan.tournament.spec import (
    READS,
    Change,
    Decision,
    Draw,
    EventSpec,
    Format,
    Score,
    Series,
    Small,
    Stage,
    TieBreak,
)
from arena.plan.tournament.values import Entrant, Fixture
from arena.plan.unused import check_match, no_twice
from arena.players.spec import EngineKind, EngineSpec

_MANY = frozenset({TieBreak.WINS, TieBreak.NUMBER, TieBreak.LOT, TieBreak.TOTAL})
"""Tie-breaks that mean something where more than two meet."""


@dataclass(frozen=True)
class Cast:
    """The game, engines and entrants of an event."""

    spec: EventSpec
    engines: dict[str, EngineSpec]
    entrants: dict[int, Entrant]
    games: tuple[dict[int, Game], ...]
    """By stage and number of seats: one, but for tables of several sizes."""

    at_board: int
    """Entrants at one board: 2, or one a chair."""

    def game_of(self, fixture: Fixture) -> Game:
        """What a fixture plays."""
        return self.games[fixture.stage][len(fixture.lineup)]

    @cached_property
    def game(self) -> Game:
        """The game of the file."""
        return _game(self.spec)


def check_event(spec: EventSpec) -> Cast:
    """What an event needs. Raises SweepError, naming the line, where it cannot be played."""
    found = _game(spec)
    engines = {name: engine_of(spec, name, entry) for name, entry in spec.engines.items()}
    for name, entry in spec.engines.items():
        if "games" in entry.model_fields_set:
            raise spec.error(("engines", name, "games"), "has no effect: an event has one game")
    at_board = _at_board(spec, found)
    entrants = _entrants(spec, found, at_board)
    games = tuple(
        _games_of(spec, at, stage, found, len(entrants)) for at, stage in enumerate(spec.stages)
    )
    for name, engine in engines.items():
        if engine.kind is EngineKind.BUILTIN:
            for each in (made for stage in games for made in stage.values()):
                try:
                    each.core.engine(engine.target)
                except ValueError as error:
                    raise spec.error(
                        ("engines", name, "use"), f"{each.name}: {error}", engine.target
                    ) from None
    users = {stage.format for stage in spec.stages if stage.series is None}
    _check_series(spec, ("series",), spec.series, users)
    check_match(spec, [found])
    if "clock" in spec.match.model_fields_set and all(
        (stage.series or spec.series).phases for stage in spec.stages
    ):
        raise spec.error(("match", "clock"), "has no effect: every game is in one of the phases")
    field = len(entrants)
    for at, stage in enumerate(spec.stages):
        _check_stage(spec, at, stage, entrants, at_board)
        field = _advancing(spec, at, stage, field)
    if "series" in spec.model_fields_set and all(stage.series for stage in spec.stages):
        raise spec.error(("series",), "has no effect: every stage has its own")
    return Cast(spec, engines, entrants, games, at_board)


def null(value: Setting) -> Setting | None:
    """TOML has no null; the word stands for it."""
    return None if value == "null" else value


def _game(
    spec: EventSpec, settings: Mapping[str, Setting] | None = None, at: int | None = None
) -> Game:
    """The game of the file, or of a stage with settings of its own."""
    if spec.game.rulebook not in rulebooks():
        raise spec.error(
            ("game", "rulebook"),
            no_rulebook(spec.game.rulebook),
            spec.game.rulebook,
        )
    full = {**spec.game.settings, **(settings or {})}
    try:
        return game(spec.game.rulebook, **{key: null(value) for key, value in full.items()})
    except RulesError as error:
        place: tuple[str | int, ...] = ("game",) if at is None else ("stages", at)
        raise spec.error((*place, "settings"), str(error), full) from None


def _at_board(spec: EventSpec, found: Game) -> int:
    """How many entrants one game has."""
    formats = {stage.format for stage in spec.stages}
    if Format.TABLES in formats:
        return found.seats
    if found.seats % 2 == 0 and not spec.game.each_chair:
        return 2
    many = formats - {Format.ROUND_ROBIN, Format.GROUPS}
    if many:
        raise spec.error(
            ("stages",),
            f"{min(many)} needs two sides; {found.label} has {found.seats} chairs of their own: "
            "round_robin, groups and tables can be",
        )
    return found.seats


def _entrants(spec: EventSpec, found: Game, at_board: int) -> dict[int, Entrant]:
    if not spec.engines:
        raise spec.error(("engines",), "is missing; give [engines.NAME] tables")
    partners = found.seats // at_board
    entrants: dict[int, Entrant] = {}
    if not spec.entrants:
        for number, name in enumerate(spec.engines, start=1):
            entrants[number] = Entrant(number, name, ((name,),))
    owner: dict[str, str] = {}
    for number, (name, entry) in enumerate(spec.entrants.items(), start=1):
        place: tuple[str | int, ...] = ("entrants", name)
        if bool(entry.engines) == bool(entry.boards):
            raise spec.error(place, "needs either engines or boards")
        boards = entry.boards or (entry.engines,)
        for line in boards:
            if len(line) not in (1, partners):
                raise spec.error(
                    place,
                    f"{len(line)} engines at one board; {found.label} takes "
                    + ("1" if partners == 1 else f"1 or {partners}"),
                    line,
                )
            for engine in line:
                if engine not in spec.engines:
                    raise spec.error(place, f"no engine '{engine}'{nearest(engine, spec.engines)}")
                if owner.setdefault(engine, name) != name:
                    raise spec.error(
                        place,
                        f"'{engine}' plays for '{owner[engine]}' already; give the same program "
                        "another [engines.NAME] with a name of its own",
                        engine,
                    )
        names = [engine for line in boards for engine in set(line)]
        if len(names) != len(set(names)):
            raise spec.error(place, "an engine sits at one board only", names)
        no_twice(spec, (*place, "absent"), entry.absent)
        entrants[number] = Entrant(number, name, boards, frozenset(entry.absent))
    if spec.entrants and (idle := sorted(set(spec.engines) - set(owner))):
        raise spec.error(("engines", idle[0]), f"'{idle[0]}' plays for no entrant")
    sizes = {len(entrant.boards) for entrant in entrants.values()}
    if len(sizes) > 1:
        raise spec.error(("entrants",), f"every team needs as many boards; there are {sizes}")
    if len(entrants) < max(2, at_board if Format.TABLES not in _formats(spec) else 2):
        raise spec.error(("entrants",), f"an event needs more than {len(entrants)} entrants")
    return entrants


def _formats(spec: EventSpec) -> set[Format]:
    return {stage.format for stage in spec.stages}


def _games_of(spec: EventSpec, at: int, stage: Stage, found: Game, count: int) -> dict[int, Game]:
    """The game of a stage for every number of chairs that may be wanted."""
    own = _game(spec, stage.settings, at)
    if own.seats != found.seats:
        raise spec.error(
            ("stages", at, "settings"), f"have {own.seats} seats; {found.label} has {found.seats}"
        )
    if stage.format is not Format.TABLES:
        return {own.seats: own}
    most = min(stage.size, count)
    if "players" not in type(own.rules).model_fields:
        if most == 2 == own.seats:
            return {2: own}
        raise spec.error(
            ("game", "rulebook"),
            f"tables need a game for several numbers of players; {own.name} has {own.seats} seats",
        )
    return {
        players: _game(spec, {**stage.settings, "players": players}, at)
        for players in range(2, most + 1)
    }


def _check_series(
    spec: EventSpec, place: tuple[str | int, ...], series: Series, users: set[Format]
) -> None:
    """`users` are the formats of the stages that play it."""
    given = series.model_fields_set
    if (series.target is None) == (series.decided is Decision.FIRST_TO):
        message = (
            "is missing; give target = game points that end a match"
            if series.target is None
            else "is used by decided = first_to only"
        )
        raise spec.error((*place, "target"), message, series.target)
    if series.decided is Decision.FIRST_TO and "games" in given:
        raise spec.error((*place, "games"), "has no effect under decided = first_to", series.games)
    if series.stops and series.decided is not Decision.FIRST_TO and series.most < series.games:
        raise spec.error(
            (*place, "most"), f"must be at least games = {series.games} (got {series.most})"
        )
    if users == {Format.TABLES}:
        for name in sorted(given - {"games", "most"}):
            raise spec.error((*place, name), "has no effect at tables: games and most are read")
    if not series.stops:
        for name in ("most", "extra_first"):
            if name in given and Format.TABLES not in users:
                raise spec.error(
                    (*place, name), "has no effect: decided = fixed plays games and no more"
                )
    if series.change is Change.LOSER_BEGINS and series.games == 1 and not series.stops:
        raise spec.error((*place, "change"), "has no effect: a match is one game", series.change)
    for at, phase in enumerate(series.phases[:-1]):
        if phase.games is None:
            raise spec.error(
                (*place, "phases", at, "games"), "is missing: only the last phase has all the rest"
            )


def _check_stage(
    spec: EventSpec, at: int, stage: Stage, entrants: dict[int, Entrant], at_board: int
) -> None:
    place: tuple[str | int, ...] = ("stages", at)
    idle = stage.model_fields_set - READS[stage.format]
    if idle:
        name = min(idle)
        raise spec.error(
            (*place, name),
            f"has no effect under format = {stage.format}, which reads "
            + ", ".join(sorted(READS[stage.format] - {"format"})),
        )
    last = at == len(spec.stages) - 1
    if stage.advance is None and not last:
        if stage.format is Format.TABLES:
            raise spec.error((*place, "format"), "tables leave one: they must come last")
        if stage.format is Format.DOUBLE_ELIMINATION:
            raise spec.error((*place, "format"), "leaves one: it must come last")
        raise spec.error((*place, "advance"), "is missing: how many play the next stage")
    if stage.advance is not None and last:
        raise spec.error((*place, "advance"), "has no effect: no stage follows", stage.advance)
    if stage.format is Format.KNOCKOUT and stage.advance is not None:
        if stage.advance & (stage.advance - 1) and stage.draw is not Draw.EACH_ROUND:
            raise spec.error(
                (*place, "advance"), f"must be 2, 4, 8, …: a bracket halves (got {stage.advance})"
            )
        if stage.third_place:
            raise spec.error((*place, "third_place"), "has no effect: the final is not here", True)
    if stage.series is not None:
        _check_series(spec, (*place, "series"), stage.series, {stage.format})
    series = stage.series or spec.series
    no_twice(spec, (*place, "tiebreaks"), stage.tiebreaks or ())
    names = [entrant.name for entrant in entrants.values()]
    if stage.format is Format.GAUNTLET and stage.hero not in names:
        message = (
            "is missing; a gauntlet needs hero = one of the entrants"
            if stage.hero is None
            else f"no entrant '{stage.hero}'{nearest(stage.hero, names)}"
        )
        raise spec.error((*place, "hero"), message, stage.hero)
    if at == 0 and stage.format is Format.SWISS:
        most = len(entrants) - 1 + len(entrants) % 2
        if stage.rounds > most:
            raise spec.error(
                (*place, "rounds"),
                f"must be at most {most}: {len(entrants)} entrants meet once (got {stage.rounds})",
                stage.rounds,
            )
    if stage.draw is Draw.EACH_ROUND and stage.format is not Format.KNOCKOUT:
        raise spec.error(
            (*place, "draw"), f"must be lot or seeds in {stage.format} (got 'each_round')"
        )
    if stage.third_place and stage.draw is Draw.EACH_ROUND:
        raise spec.error((*place, "third_place"), "needs a bracket: draw = lot or seeds", True)
    if stage.small is Small.LEVELS:
        _check_levels(spec, place)
    teams = len(entrants[1].boards) > 1
    for name in ("boards", "score"):
        if (
            not teams
            and name in stage.model_fields_set
            and getattr(stage, name) in ("boards", "lot")
        ):
            raise spec.error(
                (*place, name), "needs entrants with boards", str(getattr(stage, name))
            )
    if teams and stage.format is Format.TABLES:
        raise spec.error((*place, "format"), "tables seat single entrants, no teams")
    if at_board > 2 and stage.format is not Format.TABLES:
        _check_many(spec, place, stage, series, at_board)


def _advancing(spec: EventSpec, at: int, stage: Stage, field: int) -> int:
    """How many of `field` entrants play the next stage. Raises SweepError for too many."""
    advance = stage.advance
    if advance is None:
        return 0
    place = ("stages", at, "advance")
    if stage.format is Format.GROUPS:
        sizes = table_sizes(field, stage.size)
        if advance > min(sizes):
            raise spec.error(
                place,
                f"must be at most {min(sizes)}: {field} entrants make groups of "
                + ", ".join(map(str, sizes)),
                advance,
            )
        return advance * len(sizes)
    if advance > field or (stage.format is Format.KNOCKOUT and advance == field):
        most = field - (stage.format is Format.KNOCKOUT)
        raise spec.error(
            place, f"must be at most {most}: {field} entrants begin this stage", advance
        )
    if stage.format is Format.KNOCKOUT and stage.draw is Draw.EACH_ROUND:
        left, steps = field, []
        while left > 1:
            left = (left + 1) // 2
            steps.append(left)
        if advance not in steps:
            raise spec.error(
                place,
                f"must be one of {', '.join(map(str, steps))}: so many are left of {field} after "
                f"each round (got {advance})",
                advance,
            )
    return advance


def _check_levels(spec: EventSpec, place: tuple[str | int, ...]) -> None:
    found = _game(spec)
    if "levels" not in type(found.rules).model_fields:
        raise spec.error((*place, "small"), f"{found.name} has no levels; games it is", "levels")
    if spec.records.keep != "all":
        raise spec.error(
            ("records", "keep"),
            "must be 'all': levels are read from the records",
            spec.records.keep,
        )


def _check_many(
    spec: EventSpec, place: tuple[str | int, ...], stage: Stage, series: Series, width: int
) -> None:
    """A round robin whose games have more than two sides."""
    if stage.score is not Score.GAMES:
        raise spec.error((*place, "score"), f"must be games with {width} at a table")
    if series.stops:
        raise spec.error(("series", "decided"), f"must be fixed with {width} at a table")
    if series.change is not Change.EACH_GAME:
        raise spec.error(("series", "change"), f"must be each_game with {width} at a table")
    orders = len(chair_orders(width))
    if series.games % orders:
        raise spec.error(
            ("series", "games"),
            f"must be a multiple of {orders}, the orders of {width} chairs (got {series.games})",
            series.games,
        )
    for name in stage.tiebreaks or ():
        if name not in _MANY:
            raise spec.error(
                (*place, "tiebreaks"),
                f"'{name}' compares matches of two; with {width} at a table there are "
                + ", ".join(sorted(_MANY)),
                str(name),
            )


__all__ = ["Cast", "check_event", "null"]
