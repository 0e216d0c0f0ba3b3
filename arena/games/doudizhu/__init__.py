"""Dou Dizhu: rules record, rulebooks, notation, picture."""

from arena.games.contract import Family, Measure, Names
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
    measures={
        "landlord_points": Measure(Names("the landlord's points", "地主得分"), even=0.0),
        "peasant_points": Measure(Names("points of each peasant", "每位农民得分"), even=0.0),
        "base": Measure(Names("base: the bid that stood", "底分")),
        "stake": Measure(Names("stake: base times multiplier", "输赢分：底分乘倍数")),
        "spring": Measure(Names("springs and anti-springs", "春天与反春率"), share=True),
        "redeals": Measure(Names("redeals", "重新发牌次数")),
    },
)
