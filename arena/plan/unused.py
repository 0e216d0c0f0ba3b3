"""Settings of a sweep or an event that change nothing: refused, so that nobody counts on them.

Limits (of time, of size, of faults) may stand though nobody reaches them: they hold for whoever
plays.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from arena.games import Game
from arena.games.suggest import nearest
from arena.match.policy import Cost
from arena.plan.plan import Cell, Plan
from arena.plan.spec import LEAST_GAP, FileSpec, Pairing, Stop, StopTest, SweepSpec, TestMethod


def no_twice(spec: FileSpec, place: tuple[str | int, ...], values: Sequence[Hashable]) -> None:
    """Raises SweepError where a list names a value a second time."""
    seen: set[tuple[type, Hashable]] = set()
    for value in values:
        key = (type(value), value)  # true is no 1
        if key in seen:
            shown = f"'{value}'" if isinstance(value, str) else str(value).lower()
            raise spec.error(place, f"names {shown} twice; once is enough", value)
        seen.add(key)


def check_match(spec: FileSpec, games: Iterable[Game]) -> None:
    """Raises SweepError for a setting of ``[match]`` that none of the games knows."""
    match, games = spec.match, list(games)
    given = match.model_fields_set
    cost = match.illegal.cost
    if cost in (Cost.POINTS, Cost.LEVELS) and not any(cost in g.family.fine_kinds for g in games):
        raise spec.error(
            ("match", "illegal", "cost"),
            f"has no effect: {games[0].name} knows no fine in {cost}; 'rules', 'forfeit' and "
            "'substitute' are for every game",
            str(cost),
        )
    for name in ("points", "levels"):
        if name in match.illegal.model_fields_set and cost != name:
            raise spec.error(("match", "illegal", name), f'has no effect without cost = "{name}"')
    if match.on_timeout == "skip" and not any(_lets_pass(g) for g in games):
        raise spec.error(
            ("match", "on_timeout"),
            f"has no effect: {games[0].name} lets no turn pass; a rulebook of siguo with a "
            "timeout_limit does",
            "skip",
        )
    if match.draw_offers_in_a_row and not match.draw_offers:
        raise spec.error(
            ("match", "draw_offers_in_a_row"), "has no effect with draw_offers = false"
        )
    for name in ("adjudicate_draw", "adjudicate_resign"):
        if name in given and getattr(match, name) and all(g.seats > 2 for g in games):
            raise spec.error(("match", name), "has no effect: it is for games of two seats")


def _lets_pass(game: Game) -> bool:
    """Whether a turn may be skipped for a seat that is out of time."""
    return game.rules.settings().get("timeout_limit") is not None


def refuse_unused(spec: SweepSpec, plan: Plan) -> None:
    """Raises SweepError for a setting of a sweep that changes nothing of its plan."""
    check_match(spec, [cell.game for cell in plan.cells])
    _refuse_doubles(spec)
    given = spec.model_fields_set
    most_seats = max(cell.game.seats for cell in plan.cells)
    pairs = any(pairing is not Pairing.SELF_PLAY for pairing in spec.pairing)
    if spec.hero is not None and Pairing.GAUNTLET not in spec.pairing:
        raise spec.error(("hero",), 'is used by pairing = "gauntlet" only', spec.hero)
    if "seating" in given and not (pairs and most_seats > 2):
        raise spec.error(
            ("seating",),
            "has no effect: it seats two engines or more in games of more than two seats",
            str(spec.seating),
        )
    if "permutations" in given and not (pairs and most_seats > 2):
        raise spec.error(
            ("permutations",),
            "has no effect: two engines always swap seats, self-play never does",
            str(spec.permutations),
        )
    if spec.stop is not None:
        _check_stop(spec, spec.stop, plan)
        _check_looks(spec, spec.stop, plan)
    if "blocks" in given and all(entry.blocks for entry in spec.games):
        raise spec.error(("blocks",), "has no effect: every [[games]] has its own", spec.blocks)


def _check_stop(spec: SweepSpec, stop: Stop, plan: Plan) -> None:
    """A rule to stop by that can never be met is an error too."""
    by_width = stop.half_width is not None or stop.total is not None
    if by_width == (stop.sprt is not None):
        raise spec.error(
            ("stop",), "takes half_width = …, total = … or both of them, or else [stop.sprt]"
        )
    if stop.total is not None:
        least = stop.batch * len(plan.cells)
        if stop.total < least:
            raise spec.error(
                ("stop", "total"),
                f"at least {least:,}: a batch of {stop.batch} for each of {len(plan.cells)} cells",
                stop.total,
            )
        if stop.total >= plan.blocks:
            raise spec.error(
                ("stop", "total"), f"has no effect: the plan has {plan.blocks:,} blocks", stop.total
            )
    elif "floor" in stop.model_fields_set:
        raise spec.error(("stop", "floor"), "has no effect without total = …", stop.floor)
    if stop.sprt is None:
        return
    test = stop.sprt
    if not test.elo0 + LEAST_GAP <= test.elo1:
        raise spec.error(
            ("stop", "sprt", "elo0"),
            f"must be {LEAST_GAP:g} or more below elo1, {test.elo1:g}",
            test.elo0,
        )
    names = [engine.name for engine in plan.engines]
    for key, name in (("engine", test.engine), ("against", test.against)):
        if name is not None and name not in names:
            raise spec.error(
                ("stop", "sprt", key), f"no engine '{name}' plays here{nearest(name, names)}", name
            )
    groups = cells_of_test(test, plan)
    versus = f" '{test.against}'" if test.against else " others"
    if not groups:
        raise spec.error(
            ("stop", "sprt"), f"has no effect: '{test.engine}' never meets{versus}", test.engine
        )
    shapes = {
        (
            sum(len(cell.seatings) for cell in cells),
            sum(sum(c) * (len(c) - sum(c)) for cell in cells for c in chairs(test, cell)),
        )
        for cells in groups
    }
    if len(shapes) > 1 or any(len({cell.blocks for cell in cells}) > 1 for cells in groups):
        raise spec.error(
            ("stop", "sprt"),
            f"'{test.engine}' meets{versus} in deals of different numbers of games, seats or "
            "blocks; test them in sweeps of their own",
            test.engine,
        )
    if method_of(test, plan) == "e-process" and test.scale == "normalised":
        key = "method" if test.method else "scale"
        raise spec.error(
            ("stop", "sprt", key),
            'an e-process is of the mean score: scale = "logistic", or else method = "gsprt"',
            getattr(test, key),
        )


def _check_looks(spec: SweepSpec, stop: Stop, plan: Plan) -> None:
    """A rule that first looks when all is played stops nothing."""
    if stop.sprt is None:
        most = max(cell.blocks for cell in plan.cells)
    else:
        most = sum(cells[0].blocks for cells in cells_of_test(stop.sprt, plan))
    if stop.batch >= most:
        raise spec.error(
            ("stop", "batch"),
            f"must be less than {most:,}, the blocks there are: the first look is after "
            f"{stop.batch:,}, when nothing is left to stop",
            stop.batch,
        )


def _refuse_doubles(spec: SweepSpec) -> None:
    no_twice(spec, ("pairing",), spec.pairing)
    if spec.rungs != "all":
        no_twice(spec, ("rungs",), spec.rungs)
    for name, engine in spec.engines.items():
        no_twice(spec, ("engines", name, "games"), engine.games)
    for at, entry in enumerate(spec.games):
        no_twice(spec, ("games", at, "rulebooks"), entry.rulebooks)
        for key, values in entry.grid.items():
            no_twice(spec, ("games", at, "grid", key), values)
        if entry.skip_invalid and not entry.grid:
            raise spec.error(
                ("games", at, "skip_invalid"), "has no effect without a grid of settings", True
            )


def cells_of_test(test: StopTest, plan: Plan) -> list[list[Cell]]:
    """The cells whose blocks a sequential test looks at, in plan order.

    Those of the same rules are together: they meet the same deals, block by block.
    """
    found: dict[str, list[Cell]] = {}
    for cell in plan.cells:
        names = {engine.name for engine in cell.lineup}
        if {test.engine} < names and (test.against is None or names == {test.engine, test.against}):
            found.setdefault(cell.game.rules.digest, []).append(cell)
    return list(found.values())


def method_of(test: StopTest, plan: Plan) -> TestMethod:
    """As the test says, or by whether all its games are duels."""
    if test.method is not None:
        return test.method
    cells = [cell for cells in cells_of_test(test, plan) for cell in cells]
    duels = all(len(seating) == 2 for cell in cells for seating in cell.seatings)
    return "gsprt" if duels else "e-process"


def chairs(test: StopTest, cell: Cell) -> list[list[bool]]:
    """Of each game of a block, where the tested engine sits."""
    return [[cell.lineup[member].name == test.engine for member in s] for s in cell.seatings]
