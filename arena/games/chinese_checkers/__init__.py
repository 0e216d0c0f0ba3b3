"""Chinese checkers: the star board for two to six seats."""

from __future__ import annotations

from arena.games.chinese_checkers.notation import describe_move
from arena.games.chinese_checkers.picture import draw_svg, draw_text
from arena.games.chinese_checkers.rules import CheckersRules
from arena.games.chinese_checkers.settled import settled
from arena.games.contract import Family, Names
from arena.games.registry import load_rulebooks

FAMILY = Family(
    id="chinese_checkers",
    names=Names("Chinese checkers", "跳棋"),
    rules=CheckersRules,
    rulebooks=load_rulebooks("arena.games.chinese_checkers", CheckersRules),
    full_information=True,
    seats=(2, 3, 4, 5, 6),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    rungs=("random", "greedy:noise=40", "greedy", "search:nodes=1000"),
    settled=settled,
)
