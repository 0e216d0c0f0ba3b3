"""How many games blocks and what is known of the luck save, where two engines of cards meet.

    python -m benchmarks.efficiency [--blocks 4000]

`greedy` meets a handicapped `greedy` (it plays any legal move with so many per cent's chance) in
Dou Dizhu, one against two, and in Tuolaji R10, two against two. The figure is how many times the
games would be needed for the same half-width if each had a deal of its own: the variance of
unpaired deals over that of blocks, times what control variates from the cards take off besides.
The bar is 2 at the slight handicap, where many games are needed; a large one adds noise of its own
that no exchange of seats cancels, and shows without so many. Exits with 1 where the bar is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from arena.balance.control import controlled
from arena.balance.measures import pairing_gain
from arena.cluster import run_sweep
from arena.ledger import Ledger
from arena.plan import SweepSpec, make_plan
from benchmarks.figure import Figure, show

BAR = 2.0
HANDICAPS = (5, 10, 20)
RULEBOOKS = ("doudizhu/douzero", "tuolaji/r10_qq_two_deck")


def run(seconds: float, blocks: int = 4000) -> list[Figure]:
    """`seconds` is of no use here: the figure is of so many blocks."""
    return [
        figure
        for rulebook in RULEBOOKS
        for handicap in HANDICAPS
        for figure in measure(rulebook, handicap, blocks)
    ]


def measure(rulebook: str, handicap: int, blocks: int) -> list[Figure]:
    """One figure a line-up."""
    text = json.dumps(
        {
            "name": "efficiency",
            "seed": 1,
            "blocks": blocks,
            "pairing": ["round_robin"],
            "seating": "alternate" if rulebook.startswith("tuolaji") else "one_vs_rest",
            "records": {"keep": "none"},
            "games": [{"rulebooks": [rulebook]}],
            "engines": {"greedy": {"use": "greedy"}, "less": {"use": f"greedy:noise={handicap}"}},
        }
    )
    plan = make_plan(SweepSpec.model_validate_json(text))
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0)
        assert summary.complete, summary
        table = ledger.table()
        (sweep,) = ledger.sweeps()
    less_luck = {each.level: each.gain.value for each in controlled(table, sweep)}
    found = []
    for part in table.by_cell():
        paired = pairing_gain(part)
        assert paired is not None
        # Where the deal's cards say no more than the block does, the plain mean is taken.
        cards = max(1.0, less_luck[part.cell.level])
        names = "-".join(name.partition("@")[0] for name in part.cell.lineup)
        what = (
            f"{rulebook}, handicap {handicap} %, {names}: blocks {paired.gain.value:.2f} "
            f"[{paired.gain.low:.2f} … {paired.gain.high:.2f}] x cards {cards:.2f}"
        )
        bar = BAR if handicap == min(HANDICAPS) else None
        found.append(Figure(what, paired.gain.value * cards, "times", "unpaired", 1.0, bar))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, default=4000)
    return show(run(0.0, parser.parse_args().blocks))


if __name__ == "__main__":
    sys.exit(main())
