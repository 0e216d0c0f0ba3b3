"""Gomoku with forbidden moves (五子棋), Renju and their opening rules."""

from __future__ import annotations

from arena.games.contract import Family, Names
from arena.games.gomoku.notation import describe_move
from arena.games.gomoku.picture import draw_svg, draw_text
from arena.games.gomoku.rules import GomokuRules
from arena.games.registry import load_rulebooks

FAMILY = Family(
    id="gomoku",
    names=Names("Gomoku", "五子棋"),
    rules=GomokuRules,
    rulebooks=load_rulebooks(__name__, GomokuRules),
    full_information=True,
    seats=(2,),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    rungs=(
        "random",
        "greedy:noise=30",
        "greedy",
        "search:nodes=200",
        "search:nodes=1000",
        "search:nodes=5000",
    ),
)

__all__ = ["FAMILY"]
