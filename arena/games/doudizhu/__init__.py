"""Dou Dizhu: rules record, rulebooks, notation, picture."""

from arena.games.contract import Family, Names
from arena.games.doudizhu.notation import describe_move
from arena.games.doudizhu.picture import draw_svg, draw_text
from arena.games.doudizhu.rules import DoudizhuRules
from arena.games.registry import load_rulebooks

FAMILY = Family(
    id="doudizhu",
    names=Names("Dou Dizhu (Fight the Landlord)", "斗地主"),
    rules=DoudizhuRules,
    rulebooks=load_rulebooks("arena.games.doudizhu", DoudizhuRules),
    full_information=False,
    seats=(3,),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    rungs=("random", "greedy", "solver:worlds=8"),
)
