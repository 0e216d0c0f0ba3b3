"""`arena leaderboard`: the ratings of a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import CommandError
from arena.cli.ratings import (
    print_board,
    print_detail,
    print_opponents,
    print_sides,
    print_simulated,
)
from arena.cli.screen import JsonOption, LangOption, Screen
from arena.cli.where import LedgerArgument, SweepOption, open_ledger, pick_sweep

if TYPE_CHECKING:
    from arena.games import Names
    from arena.ledger import GameTable, Ledger
    from arena.ratings import DrawLaw, FirstSeatTerms, Leaderboard
    from arena.ratings.simulation import SimulatedError
    from arena.ratings.views import Detail

GameOption = Annotated[
    str | None, typer.Option("--game", help="Only this game, such as gomoku.", metavar="GAME")
]
RulebooksOption = Annotated[
    str, typer.Option("--rulebooks", help="Only rulebooks that match a pattern.", metavar="PATTERN")
]


def leaderboard(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    game: GameOption = None,
    rulebooks: RulebooksOption = "*",
    anchor: Annotated[
        str | None, typer.Option(help="Engine whose rating is 0; the mean without it.")
    ] = None,
    engine: Annotated[
        str | None, typer.Option(help="Explain this engine's rating, opponent by opponent.")
    ] = None,
    draws: Annotated[
        str, typer.Option(help="The law of draws: davidson or rao-kupper.", metavar="LAW")
    ] = "davidson",
    first_seat: Annotated[
        str,
        typer.Option(
            help="What moving first is worth: one number for a rulebook (pooled), one for each "
            "strength at it (strength), or strengths that differ around their rulebook (both).",
            metavar="pooled|strength|both",
        ),
    ] = "pooled",
    drift: Annotated[
        float | None,
        typer.Option(
            help="Rate versions of an engine by their whole history: the Elo by which one may "
            "well differ from the next.",
            metavar="ELO",
        ),
    ] = None,
    sides: Annotated[
        bool,
        typer.Option(
            "--sides",
            help="Rate by whole sides: partners add up, places are choices. For teams, one "
            "against two and tables of many.",
        ),
    ] = False,
    by_role: Annotated[
        bool, typer.Option("--by-role", help="With --sides: a strength for each role.")
    ] = False,
    detail: Annotated[
        bool, typer.Option("--detail", help="How sure the order is, who beats whom, cycles.")
    ] = False,
    simulate: Annotated[
        int | None,
        typer.Option(
            help="Check the errors: let the fitted model play the schedule so many times, and rate "
            "each anew. For games of two seats.",
            metavar="ROUNDS",
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Rate the engines: Elo with intervals by block, first-seat advantage, one table a game."""
    screen = Screen(lang, as_json)
    if by_role and not sides:
        raise CommandError("--by-role goes with --sides")
    from arena.ratings import DrawLaw, FirstSeatTerms

    if draws not in list(DrawLaw):
        raise CommandError(f"draws '{draws}': there are {', '.join(DrawLaw)}")
    if first_seat not in list(FirstSeatTerms):
        raise CommandError(f"first-seat '{first_seat}': there are {', '.join(FirstSeatTerms)}")
    law, terms = DrawLaw(draws), FirstSeatTerms(first_seat)
    other = detail or anchor or engine or drift or simulate is not None
    if sides and (other or law is not DrawLaw.DAVIDSON or terms is not FirstSeatTerms.POOLED):
        raise CommandError(
            "--sides goes with none of --detail, --anchor, --engine, --draws, --first-seat, --drift, "
            "--simulate"
        )
    if simulate is not None and (engine or drift):
        raise CommandError("--simulate goes with neither --engine nor --drift")
    if drift is not None and not 0 < drift < 10_000:
        raise CommandError(f"drift {drift:g}: Elo, over 0 and under 10000")
    with open_ledger(ledger) as opened:
        sweep_id = sweep_id_of(opened, sweep)
        biased = stopped_by_result(opened, sweep_id)
        if sides:
            print_sides(
                screen,
                [
                    (family, opened.table(sweep_id, family=family, rulebooks=rulebooks))
                    for family in families_of(opened, sweep_id, game, rulebooks)
                ],
                by_role,
            )
            warn(screen, biased)
            return
        boards = fit(opened, sweep_id, game, rulebooks, anchor, law, drift, terms)
        details = [
            detail_of(board, opened.table(sweep_id, family=board.family, rulebooks=rulebooks))
            for board in boards
            if detail
        ]
        errors = [
            simulated_of(board, opened, sweep_id, rulebooks, simulate, anchor)
            for board in boards
            if simulate is not None
        ]
    if engine is not None:
        boards = [board for board in boards if any(e.engine == engine for e in board.entries)]
        if not boards:
            raise CommandError(
                f"no engine '{engine}' in the ledger; `arena leaderboard` lists them"
            )
    if screen.as_json:
        documents = [board_document(board) for board in boards]
        for document, found in zip(documents, details, strict=False):
            document["detail"] = found
        for document, simulated in zip(documents, errors, strict=False):
            document["simulated_errors"] = simulated
        if biased is not None:
            for document in documents:
                document["warnings"] = [biased.en]
        screen.document(documents)
        return
    for i, board in enumerate(boards):
        if engine is None:
            print_board(screen, board)
            if errors:
                print_simulated(screen, board, errors[i])
            for found in details:
                if found.family == board.family:
                    print_detail(screen, board, found)
        else:
            print_opponents(screen, board, engine)
    warn(screen, biased)


def sweep_id_of(ledger: Ledger, wanted: str | None) -> str | None:
    """The id of the sweep that is asked for; None means all. Raises CommandError."""
    found = pick_sweep(ledger, wanted)
    return found.sweep_id if found else None


def stopped_by_result(ledger: Ledger, sweep_id: str | None) -> Names | None:
    """What is to be said where an event's results decided how much was played."""
    from arena.plan.tournament import stopping_warning

    return stopping_warning(row.spec for row in ledger.sweeps() if sweep_id in (None, row.sweep_id))


def warn(screen: Screen, warning: Names | None) -> None:
    """Say it: beside a JSON document on standard error."""
    if warning is not None:
        (screen.note if screen.as_json else screen.paragraph)(screen.name(warning))


def simulated_of(
    board: Leaderboard,
    ledger: Ledger,
    sweep_id: str | None,
    rulebooks: str,
    rounds: int,
    anchor: str | None,
) -> tuple[SimulatedError, ...]:
    """The errors of a board by simulation. Raises CommandError where they cannot be had."""
    from arena.ratings.simulation import simulate

    table = ledger.table(sweep_id, family=board.family, rulebooks=rulebooks)
    try:
        return simulate(table, board, rounds, anchor=anchor)
    except ValueError as error:
        raise CommandError(str(error)) from None


def detail_of(board: Leaderboard, table: GameTable) -> Detail:
    """Everything of a leaderboard beyond its numbers."""
    from arena.ratings import views

    return views.detail(board, table)


def families_of(
    ledger: Ledger, sweep_id: str | None, game: str | None, rulebooks: str = "*"
) -> list[str]:
    """The games of a ledger that are asked for. Raises CommandError where there is none."""
    from fnmatch import fnmatchcase

    from arena.games import family_named
    from arena.games.suggest import nearest

    cells = [
        cell
        for row in ledger.sweeps()
        if sweep_id in (None, row.sweep_id)
        for cell in ledger.cells(row.sweep_id)
    ]
    if not cells:
        raise CommandError("the ledger holds no sweep yet")
    families = sorted({cell.family for cell in cells})
    named = None if game is None else family_named(game)
    game = game if named is None else named.id
    if game is not None and game not in families:
        raise CommandError(f"no game '{game}' in the ledger; there are {', '.join(families)}")
    own = [cell for cell in cells if game in (None, cell.family)]
    found = {cell.family for cell in own if fnmatchcase(cell.rulebook, rulebooks)}
    if not found:
        labels = [cell.rulebook for cell in own]
        raise CommandError(
            f"--rulebooks {rulebooks}: matches none in the ledger{nearest(rulebooks, labels)}"
        )
    return sorted(found)


def fit(
    ledger: Ledger,
    sweep_id: str | None = None,
    game: str | None = None,
    rulebooks: str = "*",
    anchor: str | None = None,
    law: DrawLaw | None = None,
    drift: float | None = None,
    first_seat: FirstSeatTerms | None = None,
) -> list[Leaderboard]:
    """The leaderboards of a ledger, one a game."""
    from arena import ratings

    return [
        ratings.leaderboard(
            ledger.table(sweep_id, family=each, rulebooks=rulebooks),
            each,
            anchor=anchor,
            law=law or ratings.DrawLaw.DAVIDSON,
            drift=drift,
            first_seat=first_seat or ratings.FirstSeatTerms.POOLED,
        )
        for each in families_of(ledger, sweep_id, game, rulebooks)
    ]


def board_document(board: Leaderboard) -> dict[str, Any]:
    """A leaderboard for `--json`: everything but the covariance matrix."""
    from dataclasses import fields

    return {f.name: getattr(board, f.name) for f in fields(board) if f.name != "covariance"}
