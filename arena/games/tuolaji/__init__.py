"""Tuolaji (Shengji): tractors and levels, one to six packs, four or six seats."""

from __future__ import annotations

from arena.games.contract import Family, Names
from arena.games.registry import load_rulebooks
from arena.games.tuolaji.fines import fines
from arena.games.tuolaji.measures import MEASURES
from arena.games.tuolaji.notation import describe_move
from arena.games.tuolaji.picture import draw_svg, draw_text
from arena.games.tuolaji.rules import TuolajiRules

FAMILY = Family(
    id="tuolaji",
    names=Names("Tuolaji (Shengji)", "拖拉机（升级）"),
    rules=TuolajiRules,
    rulebooks=load_rulebooks("arena.games.tuolaji", TuolajiRules),
    full_information=False,
    seats=(4, 6),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    rungs=("random", "greedy:noise=40", "greedy", "solver:worlds=24"),
    measures=MEASURES,
    fines=fines,
    fine_kinds=frozenset({"points", "levels"}),
)
