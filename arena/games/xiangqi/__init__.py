"""Xiangqi (象棋), with the codes that judge repetition."""

from __future__ import annotations

from arena.games.contract import Family, Names
from arena.games.registry import load_rulebooks
from arena.games.xiangqi.fines import fines
from arena.games.xiangqi.notation import describe_move
from arena.games.xiangqi.picture import draw_svg, draw_text
from arena.games.xiangqi.rules import XiangqiRules

FAMILY = Family(
    id="xiangqi",
    names=Names("Xiangqi", "象棋"),
    rules=XiangqiRules,
    rulebooks=load_rulebooks(__name__, XiangqiRules),
    full_information=True,
    seats=(2,),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    fines=fines,
    rungs=(
        "random",
        "greedy:noise=40",
        "greedy",
        "search:nodes=3000",
        "search:nodes=2000000",  # about a second a move
    ),
)

__all__ = ["FAMILY"]
