"""`arena balance`: what each variant gives to seats and sides, and a family's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.balance_tables import print_balance
from arena.cli.errors import CommandError
from arena.cli.results import (
    GameOption,
    RulebooksOption,
    families_of,
    stopped_by_result,
    sweep_id_of,
    warn,
)
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import LedgerArgument, SweepOption, open_ledger, pick_sweep

if TYPE_CHECKING:
    from arena.balance import CellBalance, Correction
    from arena.ledger import Ledger


def balance(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    game: GameOption = None,
    rulebooks: RulebooksOption = "*",
    margin: Annotated[
        float,
        typer.Option(
            help="How far from 50 % of the points is still balanced, in per cent.",
            metavar="PERCENT",
        ),
    ] = 5.0,
    correction: Annotated[
        str,
        typer.Option(
            help="How judging many variants is paid for: holm, max-t, bh or by.",
            metavar="holm|max-t|bh|by",
        ),
    ] = "holm",
    trend: Annotated[
        bool,
        typer.Option(
            "--trend",
            help="Show instead how the first seat's points change as engines grow stronger.",
        ),
    ] = False,
    deals: Annotated[
        bool,
        typer.Option(
            "--deals",
            help="Show instead means less what the deals' cards predict, and what that gains.",
        ),
    ] = False,
    replay: Annotated[
        int | None,
        typer.Option(
            "--replay",
            help="Show instead how many moves there were to choose from, and how often the lead "
            "changed: of so many blocks a cell whose records were kept, played again.",
            metavar="BLOCKS",
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Say what each variant gives to each seat, and which variants are balanced."""
    from arena.balance import Correction

    screen = Screen(lang, as_json)
    if trend + deals + (replay is not None) > 1:
        raise CommandError("give one of --trend, --deals and --replay")
    if replay is not None:
        _show_courses(screen, ledger, sweep, game, rulebooks, replay)
        return
    if deals:
        _show_deals(screen, ledger, sweep, game, rulebooks)
        return
    if trend:
        _show_trends(screen, ledger, sweep, game, rulebooks)
        return
    if not 0 < margin < 50:
        raise CommandError(f"margin {margin:g}: per cent of points, over 0 and under 50")
    if correction not in list(Correction):
        raise CommandError(f"correction '{correction}': there are {', '.join(Correction)}")
    with open_ledger(ledger) as opened:
        cells = weigh(
            opened,
            sweep_id_of(opened, sweep),
            game,
            rulebooks,
            margin=margin / 100,
            correction=Correction(correction),
        )
        biased = stopped_by_result(opened, sweep_id_of(opened, sweep))
    warn(screen, biased)
    if screen.as_json:
        screen.document(cells)
        return
    print_balance(screen, cells)


def _show_deals(
    screen: Screen, where: str | None, sweep: str | None, game: str | None, rulebooks: str
) -> None:
    from arena.balance.control import controlled
    from arena.report.text import number, party_names, plain_interval, share_interval

    with open_ledger(where) as opened:
        wanted = pick_sweep(opened, sweep)
        found = [
            each
            for row in ([wanted] if wanted else opened.sweeps())
            for family in families_of(opened, row.sweep_id, game, rulebooks)
            for each in controlled(
                opened.table(row.sweep_id, family=family, rulebooks=rulebooks),
                row,
                opened.drawn(row.sweep_id),
            )
        ]
    if screen.as_json:
        screen.document(found)
        return
    if not found:
        screen.line(
            screen.say(
                "no deals to read: it takes 50 blocks or more of Dou Dizhu or Tuolaji in a sweep",
                "没有可读的牌局：需要一次循环中至少 50 组斗地主或拖拉机",
            )
        )
        return
    screen.table(
        screen.say(
            "Points less the luck of the deal (control variates fitted on other blocks), 95 % by block",
            "扣除牌运后的得分率（控制变量由其余各组拟合），95 % 区间以组为单位",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Of", "一方"),
            screen.say("Blocks", "组数"),
            screen.say("Points", "得分率"),
            screen.say("Less luck", "扣除牌运"),
            screen.say("Gain", "倍数"),
            screen.say("Draws", "抽着"),
        ),
        [
            (
                each.rulebook,
                each.level,
                screen.name(party_names(each.of.split(" + "))),
                number(each.blocks),
                share_interval(each.plain),
                share_interval(each.controlled),
                plain_interval(each.gain, 2),
                number(each.moves),
            )
            for each in found
        ],
        right=(3, 4, 5, 6, 7),
    )
    for note in dict.fromkeys(each.note for each in found if each.note):
        screen.line(clean(screen.name(note)))


def _show_courses(
    screen: Screen,
    where: str | None,
    sweep: str | None,
    game: str | None,
    rulebooks: str,
    most: int,
) -> None:
    from arena.balance.course import courses
    from arena.report.text import number, plain_interval

    if most < 1:
        raise CommandError(f"--replay {most}: at least 1 block")
    with open_ledger(where) as opened:
        wanted = pick_sweep(opened, sweep)
        found = [
            each
            for row in ([wanted] if wanted else opened.sweeps())
            for family in families_of(opened, row.sweep_id, game, rulebooks)
            for part in opened.table(row.sweep_id, family=family, rulebooks=rulebooks).by_cell()
            if (
                each := courses(part, opened.records(row.sweep_id, cell_id=part.cell.cell_id), most)
            )
        ]
    if screen.as_json:
        screen.document(found)
        return
    if not found:
        screen.line(
            screen.say(
                "no records to play again: no finished block has them all",
                "没有可重放的对局记录：没有一组的记录是完整的",
            )
        )
        return
    screen.table(
        screen.say(
            "How games go, from records played again, 95 % by block",
            "对局过程（由重放记录得出），95 % 区间以组为单位",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Blocks", "组数"),
            screen.say("Moves to choose from", "可选着数"),
            screen.say("Lead changes", "领先易手"),
        ),
        [
            (
                each.rulebook,
                each.level,
                number(each.blocks),
                plain_interval(each.branching, 1) if each.branching else "",
                plain_interval(each.lead_changes, 2) if each.lead_changes else "",
            )
            for each in found
        ],
        right=(2, 3, 4),
    )


def _show_trends(
    screen: Screen, where: str | None, sweep: str | None, game: str | None, rulebooks: str
) -> None:
    from arena.balance.trend import trends
    from arena.report.text import MINUS, elo, number, party_names, plain_interval, share_interval

    with open_ledger(where) as opened:
        sweep_id = sweep_id_of(opened, sweep)
        biased = stopped_by_result(opened, sweep_id)
        found = [
            each
            for family in families_of(opened, sweep_id, game, rulebooks)
            for each in trends(opened.table(sweep_id, family=family, rulebooks=rulebooks))
        ]
    warn(screen, biased)
    if screen.as_json:
        screen.document(found)
        return
    if not found:
        screen.line(
            screen.say(
                "no trend: it takes self-play of three engines or more, and games between them",
                "无法给出趋势：至少需要三个引擎的自对弈以及它们之间的对局",
            )
        )
    for each in found:
        of = screen.name(party_names(each.of.split(" + ")))
        screen.table(
            screen.say(
                f"{each.rulebook}: points of {of} over strength",
                f"{each.rulebook}：{of}得分率与棋力",
            ),
            (
                screen.say("Engine", "引擎"),
                screen.say("Rating", "等级分"),
                screen.say("Blocks", "组数"),
                screen.say("Points", "得分率"),
            ),
            [
                (p.engine, elo(p.rating), number(p.blocks), share_interval(p.score))
                for p in each.points
            ],
            right=(1, 2, 3),
        )
        slope = plain_interval(each.slope, 1).replace("-", MINUS)
        ahead = share_interval(each.ahead)
        off = number(each.scatter, 1)
        screen.line(
            screen.say(
                f"100 Elo stronger: {slope} Elo for {of}; at {elo(each.beyond)}, whether the trend "
                f"goes on or ends: {ahead}; off the line by {off} of their errors",
                f"每强 100 等级分：{of}优势变化 {slope}；在 {elo(each.beyond)} 处（趋势延续或停止）："
                f"{ahead}；偏离直线 {off} 倍误差",
            )
        )
        screen.line()


def weigh(
    ledger: Ledger,
    sweep_id: str | None = None,
    game: str | None = None,
    rulebooks: str = "*",
    margin: float | None = None,
    correction: Correction | None = None,
) -> list[CellBalance]:
    """The balance of every cell of a ledger that has games, judged game by game."""
    from arena import balance as statistics

    return [
        cell
        for each in families_of(ledger, sweep_id, game, rulebooks)
        for cell in statistics.balance(
            ledger.table(sweep_id, family=each, rulebooks=rulebooks),
            margin or statistics.MARGIN,
            correction or statistics.Correction.HOLM,
        )
    ]
