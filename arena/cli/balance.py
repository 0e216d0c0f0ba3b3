"""`arena balance`: what each variant gives to seats and sides, and a family's own numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

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
    from collections.abc import Sequence

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
        screen.line(clean(note))


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


def print_balance(screen: Screen, cells: list[CellBalance]) -> None:
    """The tables of balance: two seats in one, more seats in another."""
    from arena.report.text import (
        elo_interval,
        family_names,
        number,
        percent,
        plain_interval,
        share_interval,
        verdict_names,
    )

    two = [cell for cell in cells if cell.seats == 2]
    teams = [cell for cell in cells if cell.by_party]
    many = [cell for cell in cells if cell.seats > 2 and not cell.by_party]
    if two:
        screen.table(
            screen.say(
                "Balance of two seats, 95 % intervals by block",
                "两人对局的平衡性（95 % 区间以组为单位）",
            ),
            (
                screen.say("Rulebook", "规则集"),
                screen.say("Strength", "棋力"),
                screen.say("Games", "对局"),
                screen.say("Points of seat 0", "先手得分率"),
                screen.say("Elo", "等级分"),
                screen.say("Draws", "和棋"),
                screen.say("Moves", "着数"),
                screen.say("Verdict", "判定"),
            ),
            [
                (
                    cell.rulebook,
                    cell.level,
                    number(cell.games),
                    share_interval(cell.by_seat[0].score),
                    elo_interval(cell.advantage) if cell.advantage else "–",
                    percent(cell.draw.value) if cell.draw else "–",
                    number(cell.plies.value, 1),
                    screen.name(verdict_names(cell.verdict)),
                )
                for cell in two
            ],
            right=(2, 3, 4, 5, 6),
        )
    if many:
        screen.table(
            screen.say(
                "Balance of more than two seats: wins and expected place by seat",
                "多人对局的平衡性：各座位胜率与期望名次",
            ),
            (
                screen.say("Rulebook", "规则集"),
                screen.say("Strength", "棋力"),
                screen.say("Games", "对局"),
                screen.say("Seat", "座位"),
                screen.say("Wins", "胜率"),
                screen.say("Place", "期望名次"),
                screen.say("Moves", "着数"),
                screen.say("Verdict", "判定"),
            ),
            [
                (
                    cell.rulebook if seat.seat == 0 else "",
                    cell.level if seat.seat == 0 else "",
                    number(cell.games) if seat.seat == 0 else "",
                    str(seat.seat),
                    share_interval(seat.wins),
                    plain_interval(seat.place, 2),
                    number(cell.plies.value, 1) if seat.seat == 0 else "",
                    screen.name(verdict_names(cell.verdict)) if seat.seat == 0 else "",
                )
                for cell in many
                for seat in cell.by_seat
            ],
            right=(2, 3, 4, 5, 6),
        )
    if teams:
        _print_parties(screen, teams)
    _print_measures(screen, cells)
    _print_pairing(screen, cells)
    for family in dict.fromkeys(cell.family for cell in cells):
        judged = next(cell.verdict for cell in cells if cell.family == family)
        screen.line(f"{family}: {screen.name(family_names(judged))}")
    if not cells:
        screen.line(screen.say("no complete block yet", "尚无完整的组"))
    noted: dict[str, list[CellBalance]] = {}
    for cell in cells:
        for note in cell.notes:
            noted.setdefault(note, []).append(cell)
    for note, where in noted.items():
        first = clean(f"{where[0].rulebook}, {where[0].level}")
        more = screen.say(f" and {len(where) - 1} more", f" 等 {len(where)} 个单元")
        screen.line(f"{clean(note)}: {first}{more if len(where) > 1 else ''}")


def _print_parties(screen: Screen, cells: Sequence[CellBalance]) -> None:
    """Cells whose seats have partners: a row for each party."""
    from arena.report.text import number, party_names, share_interval, verdict_names

    screen.table(
        screen.say(
            "Balance of sides: points of those who win together, 95 % intervals by block",
            "各方的平衡性：同胜同负者的得分率（95 % 区间以组为单位）",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Games", "对局"),
            screen.say("Side", "一方"),
            screen.say("Points", "得分率"),
            screen.say("Moves", "着数"),
            screen.say("Verdict", "判定"),
        ),
        [
            (
                cell.rulebook if rank == 0 else "",
                cell.level if rank == 0 else "",
                number(party.games),
                screen.name(party_names(party.roles)),
                share_interval(party.score),
                number(cell.plies.value, 1) if rank == 0 else "",
                screen.name(verdict_names(cell.verdict)) if rank == 0 else "",
            )
            for cell in cells
            for rank, party in enumerate(cell.by_party)
        ],
        right=(2, 4, 5),
    )


def _print_measures(screen: Screen, cells: Sequence[CellBalance]) -> None:
    """One table a measure, so that variants stand under each other."""
    from arena.report.text import measure_of, number

    names = dict.fromkeys((cell.family, each.name) for cell in cells for each in cell.measures)
    for family, name in names:
        shown = measure_of(family, name)
        rows = [
            (cell, each)
            for cell in cells
            if cell.family == family
            for each in cell.measures
            if each.name == name
        ]
        spread = () if shown.share else ("5 %", "25 %", "50 %", "75 %", "95 %")
        screen.table(
            f"{family}: {screen.name(shown.names)}"
            + (" %" if shown.share else "")
            + screen.say(
                ", mean with its 95 % interval by block"
                + ("" if shown.share else "; quantiles of single games"),
                "：均值与 95 % 区间（以组为单位）" + ("" if shown.share else "；单局分位数"),
            ),
            (
                screen.say("Rulebook", "规则集"),
                screen.say("Strength", "棋力"),
                screen.say("Games", "对局"),
                screen.say("Mean", "均值"),
                *spread,
            ),
            [
                (
                    cell.rulebook,
                    cell.level,
                    number(each.games),
                    shown.text(each.mean),
                    *(number(q, shown.digits) for q in each.quantiles[: len(spread)]),
                )
                for cell, each in rows
            ],
            right=tuple(range(2, 4 + len(spread))),
        )


def _print_pairing(screen: Screen, cells: Sequence[CellBalance]) -> None:
    """What replaying deals gained, where engines met."""
    from arena.report.text import number, plain_interval

    paired = [(cell, cell.pairing) for cell in cells if cell.pairing]
    if not paired:
        return
    screen.table(
        screen.say(
            "What replaying each start with exchanged sides gains: variance of a block's mean "
            "score, and of as many games each with a start of its own",
            "换座重打的收益：每组平均得分的方差，对比同样局数各用不同开局的方差",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Engine", "引擎"),
            screen.say("Paired", "换座"),
            screen.say("Unpaired", "不换座"),
            screen.say("Gain", "倍数"),
        ),
        [
            (
                cell.rulebook,
                cell.level,
                gain.engine,
                number(gain.paired, 4),
                number(gain.unpaired, 4),
                plain_interval(gain.gain, 2),
            )
            for cell, gain in paired
        ],
        right=(3, 4, 5),
    )
