"""Siguo Junqi: rules record, rulebooks, notation, picture."""

from arena.games.contract import Family, Names
from arena.games.registry import load_rulebooks
from arena.games.siguo.notation import describe_move
from arena.games.siguo.picture import draw_svg, draw_text
from arena.games.siguo.rules import SiguoRules
from arena.games.siguo.settled import settled

FAMILY = Family(
    id="siguo",
    names=Names("Siguo Junqi (four-country army chess)", "四国军棋"),
    rules=SiguoRules,
    rulebooks=load_rulebooks("arena.games.siguo", SiguoRules),
    full_information=False,
    seats=(2, 3, 4),
    draw_text=draw_text,
    draw_svg=draw_svg,
    describe_move=describe_move,
    rungs=("random", "greedy", "rule", "solver:worlds=4"),
    settled=settled,
)
