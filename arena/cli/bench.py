"""`arena bench`: how fast this machine plays a rulebook inside the core."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from arena.cli.rules import SetOption, settings_of
from arena.cli.screen import JsonOption, LangOption, Screen

BATCH_SECONDS = 0.2
"""Aim of one call into the core: long enough to cost nothing, short enough to stop on time."""


def bench(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="Such as gomoku/renju_rif; see `arena games`.")
    ],
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", help="Engine of every seat, such as search:nodes=400; repeat."),
    ] = None,
    setting: SetOption = None,
    seconds: Annotated[
        float, typer.Option(min=0.05, max=3600, help="How long to play each engine.")
    ] = 3.0,
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="Seed of the first game.")] = 1,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Measure games, moves and searched nodes a second on one core of this machine."""
    from arena import _core
    from arena.games import game

    screen = Screen(lang, as_json)
    made = game(rulebook, **settings_of(setting))
    rows = []
    for spec in engine or ["random"]:
        games = plies = nodes = 0
        batch = 1
        begun = now = time.perf_counter()
        while now - begun < seconds:
            tasks = [
                _core.PlayTask([spec] * made.seats, deal_seed=seed + i, engine_seed=seed + i)
                for i in range(games, games + batch)
            ]
            for played in made.core.play(tasks):
                games += 1
                plies += played.plies
                nodes += sum(played.nodes)
            spent, now = time.perf_counter() - now, time.perf_counter()
            batch = max(1, min(batch * 4, int(batch * BATCH_SECONDS / max(spent, 1e-6))))
        elapsed = now - begun
        rows.append(
            {
                "rulebook": made.label,
                "engine": spec,
                "games": games,
                "seconds": round(elapsed, 3),
                "games_per_second": round(games / elapsed, 1),
                "moves_per_second": round(plies / elapsed, 1),
                "moves_per_game": round(plies / games, 1),
                "nodes_per_second": round(nodes / elapsed, 1),
            }
        )
    if screen.as_json:
        screen.document(rows)
        return
    screen.table(
        made.label,
        (
            screen.say("Engine", "引擎"),
            screen.say("Games", "局数"),
            screen.say("Seconds", "秒"),
            screen.say("Games/s", "局/秒"),
            screen.say("Moves/s", "着/秒"),
            screen.say("Moves/game", "着/局"),
            screen.say("Nodes/s", "节点/秒"),
        ),
        [
            (
                str(row["engine"]),
                f"{row['games']:,}",
                f"{row['seconds']:.2f}",
                f"{row['games_per_second']:,.1f}",
                f"{row['moves_per_second']:,.0f}",
                f"{row['moves_per_game']:.1f}",
                f"{row['nodes_per_second']:,.0f}",
            )
            for row in rows
        ],
        right=(1, 2, 3, 4, 5, 6),
    )
