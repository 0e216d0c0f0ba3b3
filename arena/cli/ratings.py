"""The tables of `arena leaderboard`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.cli.screen import Screen, clean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.ledger import GameTable
    from arena.ratings import Leaderboard
    from arena.ratings.simulation import SimulatedError
    from arena.ratings.views import Detail


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
        screen.line(clean(screen.name(note)))


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
    screen.line(clean(screen.name(board.anchor)))
    if len(board.groups) > 1:
        for group in board.groups:
            screen.line(
                screen.say("compares only within: ", "仅在组内可比：")
                + ", ".join(clean(engine) for engine in group)
            )


def print_sides(screen: Screen, tables: Sequence[tuple[str, GameTable]], by_role: bool) -> None:
    """Ratings by whole sides, and what each seat or role is worth."""
    from arena.ratings.choice import Effects, strengths
    from arena.report.text import elo, elo_range, party_names

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
            screen.say(
                "what its seats or roles are worth to a side, between engines of mean strength",
                "座位或角色给一方带来的价值（双方棋力均为平均）",
            ),
            (screen.say("Rulebook", "规则集"), screen.say("Side", "一方"), *head),
            [
                (
                    w.rulebook,
                    screen.name(party_names(w.name.split(" + "))),
                    elo(w.elo.value),
                    elo_range(w.elo.low, w.elo.high),
                )
                for w in fitted.effects
            ],
            right=(2, 3),
        )


def print_detail(screen: Screen, board: Leaderboard, found: Detail) -> None:
    """The law's own scale, how sure the order is, every pairing, and what a line of strengths leaves out."""
    from arena.report.text import chance, law_names, number, percent, share_interval

    law, scale = screen.name(law_names(board.law)), number(board.scale, 3)
    screen.line(
        screen.say(
            f"{law}: ratings are points of its own scale times {scale}",
            f"{law}：等级分为其自身刻度乘以 {scale}",
        )
    )
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
                f"one line of strengths for all pairings: p {chance(found.one_line)} "
                "(small: some engine's strength depends on whom it meets)",
                f"一条强弱序能否解释全部对局：p {chance(found.one_line)}（越小越说明相生相克）",
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
