"""Statistics of a million games: fits, refits, and many variants judged together.

    python -m benchmarks.ratings_million [--games 1000000] [--engines 200]

A made-up round robin of 200 engines (19,900 pairings over shared openings) is rated with all
covariances; one pairing gets new results and the board is fitted again from the counts that are
there; 100 variants of six seats are judged by max-T over 1,000 resamples of their setups. Bars:
5 s, 1 s and 10 s, by processor time, so that other programs of the machine do not count. Exits
with 1 where one is missed.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import combinations

import numpy as np

from arena.balance.verdict import RESAMPLES, Correction, SeatMeans, verdicts
from arena.ledger import GameTable
from arena.ratings import leaderboard
from arena.ratings.counts import count, counted
from arena.ratings.fitting import fit
from benchmarks.coverage import cell_row, davidson, table_of
from benchmarks.figure import Figure, show

FIT, REFIT, FAMILY = 5.0, 1.0, 10.0


def round_robin(games: int, engines: int) -> GameTable:
    """Every pair over the same openings, seats exchanged, by Davidson's law."""
    rng = np.random.default_rng(1)
    names = [f"engine{i:03}@1" for i in range(engines)]
    worth = rng.normal(0, 150, engines)
    pairs = list(combinations(range(engines), 2))
    blocks = max(1, games // (2 * len(pairs)))
    luck = rng.normal(0, 50, blocks)
    cells, places = [], []
    for at, (i, j) in enumerate(pairs):
        seatings = [(names[i], names[j]), (names[j], names[i])]
        cells.append(cell_row(at, "duel/x", seatings, blocks))
        lead = worth[i] - worth[j]
        win, draw = davidson(np.stack([lead + 30 + luck, 30 + luck - lead], axis=1), 0.5)
        u = rng.random(win.shape)
        first = np.where(u < win, 1, np.where(u < win + draw, 0, -1))
        places.append(np.stack([1 + (first < 0), 1 + (first > 0)], axis=2))
    return table_of(cells, places, (0, 1))


def run(seconds: float, games: int = 1_000_000, engines: int = 200) -> list[Figure]:
    """`seconds` is of no use here: the figure is of so many games."""
    import scipy.sparse.linalg  # noqa: F401 - its import is measured in `imports`

    table = round_robin(games, engines)
    start = time.process_time()
    board = leaderboard(table, "duel")
    whole = time.process_time() - start
    assert len(board.covariance) == engines

    parts = list(table.by_cell())
    counts = counted(parts)
    start = time.process_time()
    counts[0] = count(parts[0])
    fit(counts)
    again = time.process_time() - start

    rng = np.random.default_rng(2)
    variants = [
        SeatMeans(f"variant{i}", np.arange(1000), 3 * rng.dirichlet(np.ones(6), 1000))
        for i in range(100)
    ]
    start = time.process_time()
    verdicts(variants, 0.05, Correction.MAX_T)
    family = time.process_time() - start

    what = f"{len(table):,} games, {engines} engines: "
    most = "the most"
    return [
        Figure(f"{what}fit with covariance", whole, "s", most, FIT, 1.0, less=True),
        Figure(f"{what}refit from counts", again, "s", most, REFIT, 1.0, less=True),
        Figure(
            f"100 variants x 6 seats, {RESAMPLES:,} resamples",
            family,
            "s",
            most,
            FAMILY,
            1.0,
            less=True,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--engines", type=int, default=200)
    arguments = parser.parse_args()
    return show(run(0.0, arguments.games, arguments.engines))


if __name__ == "__main__":
    sys.exit(main())
