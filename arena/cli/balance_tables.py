"""The tables of `arena balance`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.screen import Screen, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.balance import CellBalance
    from arena.games import Names


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
    noted: dict[Names, list[CellBalance]] = {}
    for cell in cells:
        for note in cell.notes:
            noted.setdefault(note, []).append(cell)
    for note, where in noted.items():
        first = clean(f"{where[0].rulebook}, {where[0].level}")
        more = screen.say(f" and {len(where) - 1} more", f" 等 {len(where)} 个单元")
        screen.line(f"{clean(screen.name(note))}: {first}{more if len(where) > 1 else ''}")


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
