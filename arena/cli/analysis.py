"""`arena effects`, `arena power` and `arena workers`: questions to put to a ledger beyond its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError
from arena.cli.results import GameOption, RulebooksOption, families_of, fit, sweep_id_of
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import LedgerArgument, SweepOption, open_ledger, pick_sweep
from arena.games import Names
from arena.games.suggest import nearest

if TYPE_CHECKING:
    from arena.balance.effects import EffectTable
    from arena.balance.workers import WorkerQuality
    from arena.ledger import Ledger, SweepRow
    from arena.ratings.power import Pilot

_REACH = {
    "PLAYED": Names("played", "已对局"),
    "COMBINED": Names("not played yet", "尚未对局"),
    "BETWEEN": Names("between values met", "介于已测值之间"),
    "BEYOND": Names("extrapolation: beyond the values met", "外推：超出已测值"),
}
"""By the name of `Reach`."""

DRIFTS = 0.05
"""P-value from which a drift is marked."""


def effects(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    game: GameOption = None,
    rulebooks: RulebooksOption = "*",
    seat: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="The seat whose points are explained; without any of the three the first side "
            "of partners, or seat 0.",
        ),
    ] = None,
    role: Annotated[
        str | None, typer.Option(help="The role whose side's points are explained, as dealer.")
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option(help="The game's own number that is explained, as dealer_levels."),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Say what each setting adds to a seat's points, a side's, or a measure; what is balanced."""
    from arena.balance.effects import effects as explain

    screen = Screen(lang, as_json)
    if sum(given is not None for given in (seat, role, measure)) > 1:
        raise CommandError("give one of --seat, --role and --measure")
    with open_ledger(ledger) as opened:
        sweep_id = sweep_id_of(opened, sweep)
        tables = [
            table
            for family in families_of(opened, sweep_id, game, rulebooks)
            for table in explain(
                opened.table(sweep_id, family=family, rulebooks=rulebooks), seat, role, measure
            )
        ]
    if screen.as_json:
        screen.document(tables)
        return
    if not tables:
        screen.line(
            screen.say(
                "no setting varies between cells of one strength: nothing to compare",
                "同一棋力的单元之间没有不同的设置，无从比较",
            )
        )
    for table in tables:
        _print_effects(screen, table)


def _print_effects(screen: Screen, table: EffectTable) -> None:
    from arena.report.text import (
        gain_interval,
        measure_of,
        number,
        plain_interval,
        share_interval,
    )

    if not table.cells:
        where = screen.say(
            f"{table.family}, {table.seats} seats, {table.level}: ",
            f"{table.family}，{table.seats} 座，{table.level}：",
        )
        screen.line(clean(where + "; ".join(map(screen.name, table.notes))))
        screen.line()
        return
    shown = measure_of(table.family, table.of)
    # Seats and sides have no measure's name: their points are shares.
    share = shown.share or table.even == 0.5
    explained = screen.name(shown.names)
    screen.table(
        screen.say(
            f"{table.family}, {table.seats} seats, {table.level}: what a setting adds to "
            f"{'the points of ' if table.even == 0.5 else ''}{explained} ({table.cells} cells, "
            f"{table.blocks:,} blocks)",
            f"{table.family}，{table.seats} 座，{table.level}：各设置对 {explained}"
            f"{' 得分率' if table.even == 0.5 else ''}的影响（{table.cells} 个单元，"
            f"{table.blocks:,} 组）",
        ),
        (
            screen.say("Setting", "设置"),
            screen.say("Value", "取值"),
            screen.say("Against", "对照"),
            screen.say("Where", "条件"),
            screen.say("Adds", "影响"),
            screen.say("p (Holm)", "p（Holm）"),
        ),
        [
            (
                effect.setting,
                effect.value,
                effect.against,
                effect.where,
                gain_interval(effect.effect)
                if share
                else plain_interval(effect.effect, shown.digits),
                "< 0.001" if effect.p_value < 0.001 else number(effect.p_value, 3),
            )
            for effect in table.effects
        ],
        right=(4, 5),
    )
    closest = screen.say("closest to balance", "最接近平衡")
    untried = screen.say("worth a try", "值得一试")
    for heading, proposals in ((closest, table.closest), (untried, table.search)):
        for rank, proposal in enumerate(proposals, start=1):
            named = ", ".join(f"{name} = {value}" for name, value in proposal.settings)
            score = (
                share_interval(proposal.score)
                if share
                else plain_interval(proposal.score, shown.digits)
            )
            how = screen.name(_REACH[proposal.reach.name])
            screen.line(clean(f"{heading} {rank}: {named}: {score} ({how})"))
    for note in table.notes:
        screen.line(clean(screen.name(note)))
    screen.line()


def workers(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    void: Annotated[
        str | None,
        typer.Option(
            help="Take every block that this worker, or machine, touched out.",
            metavar="WORKER|HOST",
        ),
    ] = None,
    again: Annotated[
        str | None,
        typer.Option(
            help="Drop every block that this worker, or machine, touched; `arena sweep` plays them "
            "again.",
            metavar="WORKER|HOST",
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why: it stays in the ledger and in reports.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Say whether some worker's or machine's results, faults or speed differ from the others'."""
    from arena.balance.workers import quality

    screen = Screen(lang, as_json)
    if (void is not None) + (again is not None) != (reason is not None) or (void and again):
        raise CommandError("give --reason with one of --void and --again")
    with open_ledger(ledger) as opened:
        wanted = pick_sweep(opened, sweep)
        rows = [wanted] if wanted else opened.sweeps()
        if reason is not None:
            _take_out(
                screen, opened, rows, void or again or "", reason, play_again=again is not None
            )
            return
        found = quality(result for row in rows for result in opened.results(row.sweep_id))
    if screen.as_json:
        screen.document(found)
        return
    _print_quality(screen, screen.say("Workers", "工作进程"), found.workers)
    if len(found.hosts) > 1:
        _print_quality(screen, screen.say("Machines", "主机"), found.hosts)
    if any(each.drift_p <= DRIFTS for each in (*found.workers, *found.hosts)):
        screen.line(
            screen.say(
                "! games took longer, or shorter, as the sweep went on",
                "! 随循环进行，每局用时有变化",
            )
        )


def _print_quality(screen: Screen, who: str, found: Sequence[WorkerQuality]) -> None:
    """A table of workers, or of machines."""
    from arena.report.text import number

    screen.table(
        screen.say(
            f"{who} against the rest, p-values adjusted (Holm)", f"{who}与其余的比较（Holm）"
        ),
        (
            who,
            screen.say("Games", "对局"),
            screen.say("Faults", "故障"),
            screen.say("Expected", "预期"),
            "p",
            screen.say("On time", "超时"),
            "p",
            screen.say("Results: p", "结果：p"),
            screen.say("Blocks: p", "每组得分：p"),
            screen.say("Time", "用时"),
            screen.say("Drift", "漂移"),
            "",
        ),
        [
            (
                each.worker,
                number(each.games),
                number(each.faults),
                number(each.faults_expected, 1),
                number(each.faults_p, 3),
                number(each.time_losses),
                number(each.time_losses_p, 3),
                number(each.results_p, 3),
                number(each.residual_p, 3),
                f"× {number(each.seconds_ratio, 2)}",
                f"× {number(each.drift, 2)}" + ("!" if each.drift_p <= DRIFTS else ""),
                screen.say("outlier", "异常") if each.outlier else "",
            )
            for each in found
        ],
        right=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    )


def _take_out(
    screen: Screen,
    ledger: Ledger,
    sweeps: Sequence[SweepRow],
    worker: str,
    reason: str,
    *,
    play_again: bool,
) -> None:
    """Void, or drop, all that one worker, or machine, had a part in: what it did well too, or the choice of
    what to take out would be a choice of results."""
    from arena.ledger.result import host_of
    from arena.plan.tournament import is_event

    before = _ratings(ledger, sweeps)
    blocks = games = 0
    names: set[str] = set()
    for row in sweeps:
        touched: set[tuple[str, int]] = set()
        for result in ledger.results(row.sweep_id):
            own = {result.worker, host_of(result.worker)} - {""}
            names |= own
            if worker in own:
                touched.add((result.cell_id, result.block))
        if touched and play_again and is_event(row.spec):
            raise CommandError(
                f"{row.name}: an event's rounds follow from its results; its games stay"
            )
        blocks += len(touched)
        if play_again:
            games += ledger.replay(row.sweep_id, touched, reason)
        else:
            for cell_id, block in sorted(touched):
                ledger.void(row.sweep_id, cell_id, block, reason)
    if not blocks:
        raise CommandError(f"no worker or machine '{worker}'{nearest(worker, sorted(names))}")
    after = _ratings(ledger, sweeps)
    if screen.as_json:
        screen.document(
            {
                "worker": worker,
                "blocks": blocks,
                "dropped_games": games,
                "ratings": [
                    {"family": family, "engine": engine, "before": elo, "after": after.get(key)}
                    for key, elo in before.items()
                    for family, engine in [key]
                ],
            }
        )
        return
    if play_again:
        screen.line(
            screen.say(
                f"{games:,} games of {blocks:,} blocks dropped: the sweep's command plays them again",
                f"已撤下 {blocks:,} 组共 {games:,} 局：重复循环命令即可重下",
            )
        )
    else:
        screen.line(screen.say(f"{blocks:,} blocks void", f"{blocks:,} 组作废"))
    _print_change(screen, before, after)


_Ratings = dict[tuple[str, str], float]
"""Elo by game and engine, of those that met another."""


def _ratings(ledger: Ledger, sweeps: Sequence[SweepRow]) -> _Ratings:
    sweep_id = sweeps[0].sweep_id if len(sweeps) == 1 else None
    return {
        (board.family, entry.engine): entry.elo
        for board in fit(ledger, sweep_id)
        for entry in board.entries
        if entry.opponents
    }


def _print_change(screen: Screen, before: _Ratings, after: _Ratings) -> None:
    """What the ratings were with the games that are out, and are without."""
    from arena.report.text import elo

    if not before:
        return
    screen.table(
        screen.say("Ratings with these games and without", "剔除前后的等级分"),
        (
            screen.say("Engine", "引擎"),
            screen.say("Game", "游戏"),
            screen.say("Before", "剔除前"),
            screen.say("Now", "现在"),
        ),
        [
            (engine, family, elo(was), elo(after[key]) if key in after else "–")
            for key, was in before.items()
            for family, engine in [key]
        ],
        right=(2, 3),
    )


def power(
    ledger: LedgerArgument = None,
    sweep: SweepOption = None,
    game: GameOption = None,
    rulebooks: RulebooksOption = "*",
    sd: Annotated[
        float | None,
        typer.Option(
            help="Standard deviation of a block's mean score, 0 to 0.5, instead of a pilot "
            "ledger: 0.5 for single games without draws, 0.2 to 0.35 for most pairs.",
            metavar="SHARE",
        ),
    ] = None,
    half_width: Annotated[
        float, typer.Option(help="Half of the 95 % interval, in per cent.", metavar="PERCENT")
    ] = 1.0,
    effect: Annotated[
        float, typer.Option(help="A difference that is to be seen.", metavar="ELO")
    ] = 10.0,
    margin: Annotated[
        float,
        typer.Option(help="What counts as balanced, as of `arena balance`.", metavar="PERCENT"),
    ] = 5.0,
    chance: Annotated[
        float, typer.Option(help="How surely it is to be seen, in per cent.", metavar="PERCENT")
    ] = 80.0,
    family: Annotated[
        int | None,
        typer.Option(help="Variants judged together. Default: those of the pilot.", metavar="N"),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Say how many blocks a question takes, from the spread of a pilot's blocks."""
    from arena.ratings.power import Question, blocks_for

    screen = Screen(lang, as_json)
    for what, share, most in (
        ("half-width", half_width, 50),
        ("margin", margin, 50),
        ("chance", chance, 100),
    ):
        if not 0.0001 <= share < most:
            raise CommandError(f"{what} {share:g}: per cent, at least 0.0001 and under {most}")
    if family is not None and family < 1:
        raise CommandError(f"family {family}: variants judged together, at least 1")
    found = [] if sd is not None else _pilots(ledger, sweep, game, rulebooks)
    if sd is None and not found:
        raise CommandError("no cell has two blocks yet; give --sd instead of a pilot")
    rows: list[tuple[Pilot | None, float, int]] = (
        [(None, sd, 2)] if sd is not None else [(each, each.sd, each.cell.seats) for each in found]
    )
    answers = []
    for pilot, deviation, seats in rows:
        question = Question(
            half_width=half_width / 100,
            effect=effect,
            margin=margin / 100,
            power=chance / 100,
            claims=seats * (family or len(rows)),
        )
        answers.append((pilot, deviation, blocks_for(deviation, question)))
    if screen.as_json:
        screen.document(
            [
                {
                    "rulebook": pilot.cell.rulebook if pilot else None,
                    "level": pilot.cell.level if pilot else None,
                    "games_per_block": pilot.games if pilot else None,
                    "pilot_blocks": pilot.blocks if pilot else None,
                    "sd": deviation,
                    "pairing_gain": _gain(pilot),
                    "blocks": blocks,
                }
                for pilot, deviation, blocks in answers
            ]
        )
        return
    from arena.report.text import number

    screen.table(
        screen.say(
            f"Blocks for: ±{half_width:g} % of the points; {effect:g} Elo seen with "
            f"{chance:g} %; an even variant shown to be within ±{margin:g} %",
            f"所需组数：得分率 ±{half_width:g} %；以 {chance:g} % 的把握发现 {effect:g} 等级分；"
            f"证明平衡变体在 ±{margin:g} % 之内",
        ),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Strength", "棋力"),
            screen.say("Games a block", "每组局数"),
            screen.say("Blocks so far", "已有组数"),
            screen.say("Spread", "标准差"),
            screen.say("Half-width", "半宽"),
            screen.say("Effect", "差异"),
            screen.say("Sequential", "序贯检验"),
            screen.say("Balance", "平衡"),
        ),
        [
            (
                pilot.cell.rulebook if pilot else "–",
                pilot.cell.level if pilot else "–",
                number(pilot.games) if pilot else "–",
                number(pilot.blocks) if pilot else "–",
                number(deviation, 3),
                number(blocks.for_half_width),
                number(blocks.for_effect),
                number(blocks.by_sequential),
                number(blocks.for_balance),
            )
            for pilot, deviation, blocks in answers
        ],
        right=(2, 3, 4, 5, 6, 7, 8),
    )


def _gain(pilot: Pilot | None) -> float | None:
    return None if pilot is None or pilot.sd == 0 else (pilot.unpaired / pilot.sd) ** 2


def _pilots(where: str | None, sweep: str | None, game: str | None, rulebooks: str) -> list[Pilot]:
    from arena.ratings.power import pilots

    with open_ledger(where) as opened:
        sweep_id = sweep_id_of(opened, sweep)
        return [
            pilot
            for family in families_of(opened, sweep_id, game, rulebooks)
            for pilot in pilots(opened.table(sweep_id, family=family, rulebooks=rulebooks))
        ]
