"""What to play: sweep files, and the plans that follow from them.

``make_plan(load_sweep("sweep.toml"))`` gives the exact list of games, lazily enumerated.
docs/researchers.md describes the file.
"""

from arena.plan.classes import require_classes
from arena.plan.errors import SweepError
from arena.plan.expand import make_plan
from arena.plan.load import load_sweep, parse_sweep
from arena.plan.plan import Cell, Plan
from arena.plan.rebuild import rebuilt
from arena.plan.spec import Pairing, Permutations, Seating, SweepSpec

__all__ = [
    "Cell",
    "Pairing",
    "Permutations",
    "Plan",
    "Seating",
    "SweepError",
    "SweepSpec",
    "load_sweep",
    "make_plan",
    "parse_sweep",
    "rebuilt",
    "require_classes",
]
