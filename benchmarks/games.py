"""Random games beside OpenSpiel's, inside the core and move by move from Python.

    python -m benchmarks.games [--seconds 3]

Both sides use one core and take turns, so a slow moment of the machine hits both. OpenSpiel
knows neither forbidden moves nor whole-turn moves, no four with two and fewer kickers: our side
plays *more* rules. Inside the core our card games also deal anew for every game, its rollouts do
not.
"""

from __future__ import annotations

import argparse
import sys

import pyspiel

import arena
from benchmarks.figure import Figure, show
from benchmarks.playing import (
    core_step,
    dealt_step,
    rates,
    sample_step,
    spiel_core_step,
    spiel_dealt_step,
    spiel_python_step,
    view_step,
)

EVERY_KICKER = {
    "quad_singles": "any",
    "quad_pairs": "any",
    "kicker_repeat": 4,
    "kicker_both_jokers": True,
}
"""Dou Dizhu's widest reading of what may be attached."""


def run(seconds: float) -> list[Figure]:
    figures = []
    peer = pyspiel.load_game("gomoku(size=15)")
    for book in ("renju_free", "renju_illegal"):
        renju = arena.game(f"gomoku/{book}")
        got = rates({"ours": core_step(renju, 2000), "peer": spiel_core_step(peer, 1000)}, seconds)
        figures.append(
            Figure(
                f"gomoku/{book}, in the core",
                got["ours"][0],
                "games/s",
                "OpenSpiel rollouts",
                got["peer"][0],
                bar=10.0,
            )
        )
        got = rates({"ours": view_step(renju, 20), "peer": spiel_python_step(peer, 20)}, seconds)
        figures.append(
            Figure(
                f"gomoku/{book}, Python, legal view",
                got["ours"][1],
                "moves/s",
                "OpenSpiel loop",
                got["peer"][1],
                bar=2.0,
            )
        )
    checkers = arena.game("chinese_checkers/openspiel_2")
    peer = pyspiel.load_game("chinese_checkers(players=2)")
    got = rates({"ours": core_step(checkers, 200), "peer": spiel_core_step(peer, 100)}, seconds)
    figures.append(
        Figure(
            "chinese_checkers/openspiel_2, in the core",
            got["ours"][0],
            "games/s",
            "OpenSpiel rollouts",
            got["peer"][0],
            bar=5.0,
        )
    )
    got = rates(
        {
            "view": view_step(checkers, 4),
            "sample": sample_step(checkers, 4),
            "peer": spiel_python_step(peer, 2),
        },
        seconds,
    )
    for how, words in (("view", "legal view"), ("sample", "sampled moves")):
        figures.append(
            Figure(
                f"chinese_checkers/openspiel_2, Python, {words}",
                got[how][0],
                "games/s",
                "OpenSpiel loop",
                got["peer"][0],
                bar=3.0,
            )
        )
    peer = pyspiel.load_game("dou_dizhu")
    for landlord, what, bars in (
        (arena.game("doudizhu/openspiel"), "doudizhu/openspiel", (1.0, 1.0)),
        (arena.game("doudizhu/openspiel", **EVERY_KICKER), "doudizhu, every kicker", (2.0, 1.5)),
    ):
        got = rates(
            {"ours": core_step(landlord, 2000), "peer": spiel_core_step(peer, 1000)}, seconds
        )
        figures.append(
            Figure(
                f"{what}, in the core",
                got["ours"][0],
                "games/s",
                "OpenSpiel rollouts",
                got["peer"][0],
                bar=bars[0],
            )
        )
        got = rates({"ours": dealt_step(landlord, 50), "peer": spiel_dealt_step(peer, 50)}, seconds)
        figures.append(
            Figure(
                f"{what}, Python, legal view, dealt before",
                got["ours"][1],
                "moves/s",
                "OpenSpiel loop",
                got["peer"][1],
                bar=bars[1],
            )
        )
    xiangqi = arena.game("xiangqi/openspiel")
    peer = pyspiel.load_game("xiangqi")
    got = rates({"ours": view_step(xiangqi, 5), "peer": spiel_python_step(peer, 1)}, seconds)
    figures.append(
        Figure(
            "xiangqi/openspiel, Python, legal view",
            got["ours"][1],
            "moves/s",
            "OpenSpiel loop",
            got["peer"][1],
            bar=5.0,
        )
    )
    siguo = arena.game("siguo/doc001")
    got = rates({"ours": core_step(siguo, 200)}, seconds)
    figures.append(
        Figure(
            "siguo/doc001, in the core",
            got["ours"][0],
            "games/s",
            "no peer: what a sweep wants",
            2000.0,
            bar=1.0,
        )
    )
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each side of each figure")
    sys.exit(show(run(parser.parse_args().seconds)))
