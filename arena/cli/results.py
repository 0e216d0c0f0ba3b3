"""`arena leaderboard`: the ratings of a ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import CommandError
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import LedgerArgument, SweepOption, open_ledger, pick_sweep

if TYPE_CHECKING:
    from collections.abc import Sequence

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
                    print_detail(screen, found)
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


def print_simulated(screen: Screen, board: Leaderboard, errors: Sequence[SimulatedError]) -> None:
    """The errors of ratings by setup beside those by simulation."""
    from arena.report.text import number

    if not errors:
        return
    screen.table(
        screen.say(
            f"{board.family}: standard errors in Elo, by setup and by simulation of single games",
            f"{board.family}：等级分标准误（按开局聚类；按单局模拟）",
        ),
        (
            screen.say("Engine", "引擎"),
            screen.say("By setup", "按开局"),
            screen.say("Simulated", "模拟"),
            screen.say("Ratio", "比值"),
            screen.say("Bias", "偏差"),
        ),
        [
            (
                each.engine,
                number(each.error, 1),
                number(each.simulated, 1),
                number(each.error / each.simulated, 2) if each.simulated else "–",
                number(each.bias, 1, sign=True),
            )
            for each in errors
        ],
        right=(1, 2, 3, 4),
    )


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


def print_board(screen: Screen, board: Leaderboard) -> None:
    """The table of one leaderboard, and what moving first is worth."""
    if any(len(group) > 1 for group in board.groups):
        _print_ratings(screen, board)
    else:  # self-play: a table of engines at 0 with endless intervals says nothing
        screen.line(
            screen.say(
                f"{board.family}: {board.games:,} games in which no two engines met: no ratings",
                f"{board.family}：共 {board.games:,} 局，没有两个引擎相遇，无等级分",
            )
        )
    if board.first_seat:
        _print_first_seats(screen, board)
    for note in board.notes:
        screen.line(clean(note))


def _print_first_seats(screen: Screen, board: Leaderboard) -> None:
    """What moving first is worth under each rulebook, and at each strength where these are told apart."""
    from arena.report.text import chance, elo, elo_range, number, plain_interval

    leveled = any(first.level for first in board.first_seat)
    every = screen.say("all strengths", "各种棋力")
    screen.table(
        screen.say(
            f"{board.family}: what moving first is worth, strength fitted away",
            f"{board.family}：先手价值（已扣除棋力）",
        ),
        (
            screen.say("Rulebook", "规则集"),
            *((screen.say("Strength", "棋力"),) if leveled else ()),
            screen.say("Elo of seat 0", "先手等级分"),
            screen.say("Interval", "区间"),
            screen.say("Games", "对局"),
        ),
        [
            (
                first.rulebook,
                *((first.level or every,) if leveled else ()),
                elo(first.advantage.value),
                elo_range(first.advantage.low, first.advantage.high),
                number(first.games),
            )
            for first in board.first_seat
        ],
        right=(2, 3, 4) if leveled else (1, 2, 3),
    )
    if board.between is not None:
        p, apart = chance(board.between.p_value), plain_interval(board.between.spread, 0)
        screen.line(
            screen.say(
                f"one first seat for all strengths of a rulebook: p {p} (small: it depends on "
                f"strength); strengths are {apart} Elo apart (standard deviation)",
                f"同一规则集各种棋力的先手价值是否相同：p {p}（越小越说明随棋力而变）；"
                f"各棋力之间的标准差为 {apart} 等级分",
            )
        )


def _print_ratings(screen: Screen, board: Leaderboard) -> None:
    """Engines with their ratings, and which of them can be compared."""
    from arena.report.text import elo, elo_range, number, percent

    screen.table(
        screen.say(
            f"{board.family}: ratings of {board.games:,} games, 95 % intervals by block",
            f"{board.family}：等级分（{board.games:,} 局，95 % 区间以组为单位）",
        ),
        (
            screen.say("Rank", "名次"),
            screen.say("Engine", "引擎"),
            screen.say("Elo", "等级分"),
            screen.say("Interval", "区间"),
            screen.say("Games", "对局"),
            screen.say("Score", "得分率"),
            screen.say("Draws", "和棋"),
        ),
        [
            (
                str(entry.rank),
                entry.engine,
                elo(entry.elo),
                elo_range(entry.low, entry.high),
                number(entry.games),
                percent(entry.score),
                percent(entry.draws),
            )
            for entry in board.entries
        ],
        right=(0, 2, 3, 4, 5, 6),
    )
    screen.line(clean(board.anchor))
    if len(board.groups) > 1:
        for group in board.groups:
            screen.line(
                screen.say("compares only within: ", "仅在组内可比：")
                + ", ".join(clean(engine) for engine in group)
            )


def print_sides(screen: Screen, tables: Sequence[tuple[str, GameTable]], by_role: bool) -> None:
    """Ratings by whole sides, and what each seat or role is worth."""
    from arena.ratings.choice import Effects, strengths
    from arena.report.text import elo, elo_range

    found = [
        (
            family,
            strengths(table, by_role=by_role, effects=Effects.ROLE if by_role else Effects.SEAT),
        )
        for family, table in tables
        if len(table)
    ]
    if screen.as_json:
        screen.document(
            [
                {
                    "family": family,
                    "players": {name: fitted.rating(name) for name in fitted.players},
                    "effects": fitted.effects,
                    "draws": fitted.draws,
                    "setups": fitted.setups,
                }
                for family, fitted in found
            ]
        )
        return
    head = (screen.say("Elo", "等级分"), screen.say("Interval", "区间"))
    for family, fitted in found:
        ratings = sorted(
            ((fitted.rating(name), name) for name in fitted.players),
            key=lambda each: (-each[0].value, each[1]),
        )
        screen.table(
            screen.say(
                f"{family}: ratings by whole sides, {fitted.setups:,} setups",
                f"{family}：按整方计算的等级分（{fitted.setups:,} 个开局）",
            ),
            (screen.say("Engine", "引擎"), *head),
            [(name, elo(r.value), elo_range(r.low, r.high)) for r, name in ratings],
            right=(1, 2),
        )
        screen.table(
            screen.say("what a seat or role is worth over the others", "座位或角色相对其余的价值"),
            (screen.say("Rulebook", "规则集"), screen.say("Seat or role", "座位或角色"), *head),
            [
                (w.rulebook, w.name, elo(w.elo.value), elo_range(w.elo.low, w.elo.high))
                for w in fitted.effects
            ],
            right=(2, 3),
        )


def print_detail(screen: Screen, found: Detail) -> None:
    """How sure the order is, every pairing, and what a line of strengths leaves out."""
    from arena.report.text import number, percent, share_interval

    screen.table(
        screen.say(f"{found.family}: how sure the order is", f"{found.family}：名次的把握"),
        (
            screen.say("Engine", "引擎"),
            screen.say("Ranks", "名次区间"),
            screen.say("First", "居首"),
            screen.say("Top three", "前三"),
            screen.say("Nash share", "纳什份额"),
            screen.say("alpha-Rank", "alpha-Rank"),
        ),
        [
            (
                view.engine,
                str(view.best) if view.best == view.worst else f"{view.best}–{view.worst}",
                percent(view.first),
                percent(view.top_three),
                number(found.nash.get(view.engine, 0.0), 3),
                number(found.alpha_rank.get(view.engine, 0.0), 3),
            )
            for view in found.ranks
        ],
        right=(1, 2, 3, 4, 5),
    )
    screen.table(
        screen.say("Every pairing, 95 % by setup", "各对引擎（95 % 区间以开局为单位）"),
        (
            screen.say("Engine", "引擎"),
            screen.say("Opponent", "对手"),
            screen.say("Games", "对局"),
            screen.say("Score", "得分率"),
        ),
        [
            (each.engine, each.opponent, number(each.games), share_interval(each.score))
            for each in found.cross_table
            if each.engine < each.opponent
        ],
        right=(2, 3),
        whole=(0, 1),
    )
    if found.one_line == found.one_line:
        screen.line(
            screen.say(
                f"one line of strengths for all pairings: p = {number(found.one_line, 3)} "
                "(small: some engine's strength depends on whom it meets)",
                f"一条强弱序能否解释全部对局：p = {number(found.one_line, 3)}（越小越说明相生相克）",
            )
        )


def print_opponents(screen: Screen, board: Leaderboard, engine: str) -> None:
    """Where one engine's rating comes from: points made and points expected."""
    from arena.report.text import elo, elo_range, number, percent

    entry = next(entry for entry in board.entries if entry.engine == engine)
    screen.table(
        f"{board.family}: {engine} {elo(entry.elo)} [{elo_range(entry.low, entry.high)}]",
        (
            screen.say("Opponent", "对手"),
            screen.say("Games", "对局"),
            screen.say("Points", "得分率"),
            screen.say("Expected", "预期"),
            screen.say("Difference", "差值"),
        ),
        [
            (
                met.opponent,
                number(met.games),
                percent(met.score),
                percent(met.expected),
                number(100 * (met.score - met.expected), 1, sign=True),
            )
            for met in entry.opponents
        ],
        right=(1, 2, 3, 4),
    )
