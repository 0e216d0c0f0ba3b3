"""A million results in a ledger: how long until ratings and balance of every cell are known.

    python -m benchmarks.ledger_million [--games 1000000] [--url postgresql://…]

Fills a ledger with made-up results over 100 cells (duels, self-play, tables of six) as a
driver would, in batches of 2,000 that mix the cells, and takes the rate of the first and the
last tenth. Then a fresh process opens it, computes the leaderboards and balances of all cells,
and reports its wall time and peak memory. The bar: 10 s and 1 GiB; and, so that nobody
adds an index that makes puts dearer as the ledger grows, the last tenth of the puts at 75 % of
the first by processor time (the first goes into nearly empty trees). Exits with 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.figure import Figure, show

SECONDS, MEBIBYTES, FLAT = 10.0, 1024.0, 0.75
BATCH = 2000


def run(seconds: float, games: int = 1_000_000, url: str | None = None) -> list[Figure]:
    """`seconds` is of no use here: the figure is of so many results."""
    with TemporaryDirectory() as folder:
        where = url or str(Path(folder) / "million.ledger")
        first, last, count = fill(where, games)
        if not url:
            size = sum(p.stat().st_size for p in Path(folder).iterdir()) / 2**20
            print(f"size on disk       {size:8.1f} MiB", file=sys.stderr)
        for name, rate in (("first", first), ("last", last)):
            print(
                f"put, {name} tenth".ljust(18),
                f"{rate.wall:8.0f} results/s by the clock,",
                f"{rate.processor:8.0f} by the processor",
                file=sys.stderr,
            )
        child = subprocess.run(
            [sys.executable, __file__, "--measure", where],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
    found = json.loads(child.stdout)
    assert found["games"] == count, f"{found['games']} games read, {count} written"
    for name in ("import", "read", "ratings", "balance", "total"):
        print(f"{name:18s} {found[name]:8.2f} s", file=sys.stderr)
    what = f"{count:,} results, {found['cells']} cells: "
    return [
        Figure(
            f"{what}ratings and balance", found["total"], "s", "the most", SECONDS, 1.0, less=True
        ),
        Figure(f"{what}memory", found["mebibytes"], "MiB", "the most", MEBIBYTES, 1.0, less=True),
        Figure(
            f"{what}last tenth of the puts",
            last.processor,
            "results/s",
            "first tenth",
            first.processor,
            FLAT,
        ),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--url", help="a PostgreSQL ledger to fill instead of a temporary file")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
        return 0
    return show(run(0.0, arguments.games, arguments.url))


@dataclass(frozen=True)
class Rate:
    """Results a second of put()."""

    wall: float
    processor: float


def fill(where: str, games: int) -> tuple[Rate, Rate, int]:
    """The rates of the first and last tenth of the puts, and the number of results written."""
    from arena.ledger import CellRow, GameResult, Ledger, SweepRow

    def cell(index: int) -> CellRow:
        family, seats = ("chinese_checkers", 6) if index % 10 == 9 else ("gomoku", 2)
        names = [f"search{index % 5}@1", f"search{(index + 1 + index // 10) % 6}@1"]
        lineup = [names[seat % 2] for seat in range(seats)]
        own = names[0] == names[1] or index % 3 == 0
        lineup = lineup[:1] * seats if own else lineup
        seatings = [lineup] if own else [lineup, lineup[1:] + lineup[:1]]
        share = games // 100
        return CellRow(
            cell_id=f"{index:016x}",
            sweep_id="million",
            index=index,
            rulebook=f"{family}/variant{index % 50}",
            family=family,
            rules_digest=f"{index % 50:016x}",
            settings={"size": 15},
            seats=seats,
            lineup=tuple(lineup),
            seatings=tuple(tuple(s) for s in seatings),
            planned_blocks=share // len(seatings),
        )

    def outcomes(cell: CellRow, rng: random.Random) -> tuple[tuple[float, ...], tuple[int, ...]]:
        if cell.seats == 2:
            score = rng.choices((1.0, 0.5, 0.0), (5, 1, 4))[0]
            return (score, 1 - score), ((1, 1) if score == 0.5 else (1, 2) if score else (2, 1))
        places = list(range(1, cell.seats + 1))
        rng.shuffle(places)
        return tuple((cell.seats - p) / (cell.seats - 1) for p in places), tuple(places)

    from arena._core import Termination

    cells = [cell(i) for i in range(100)]

    def results() -> Iterator[GameResult]:
        rng = random.Random(1)
        left = [(c, iter(range(c.planned_blocks))) for c in cells]
        while left:
            at = rng.randrange(len(left))
            own, blocks = left[at]
            lease = list(islice(blocks, 20))
            if not lease:
                left.pop(at)
            for block in lease:
                for permutation, seating in enumerate(own.seatings):
                    scores, places = outcomes(own, rng)
                    yield GameResult(
                        game_id=f"{rng.getrandbits(128):032x}",
                        sweep_id="million",
                        cell_id=own.cell_id,
                        block=block,
                        permutation=permutation,
                        rulebook=own.rulebook,
                        rules_digest=own.rules_digest,
                        engines=seating,
                        scores=scores,
                        places=places,
                        sides=tuple(range(own.seats)),
                        roles=("black", "white") if own.seats == 2 else ("any",) * 6,
                        termination=Termination.five,
                        culprit=None,
                        plies=rng.randrange(20, 120),
                        worker=f"worker{rng.randrange(8)}",
                        seconds=rng.random(),
                    )

    stream, rates, count = results(), [], 0
    with Ledger.open(where) as ledger:
        ledger.register(SweepRow("million", "million", "", 1, "", "2026-01-01T00:00:00Z"), cells)
        while batch := list(islice(stream, BATCH)):
            wall, processor = time.perf_counter(), time.process_time()
            new = ledger.put(batch)
            rates.append((new, time.perf_counter() - wall, time.process_time() - processor))
            count += new
    tenth = max(1, len(rates) // 10)

    def rate(part: list[tuple[int, float, float]]) -> Rate:
        n, wall, processor = (sum(column) for column in zip(*part, strict=True))
        return Rate(n / wall, n / processor)

    return rate(rates[:tenth]), rate(rates[-tenth:]), count


def measure(where: str) -> dict[str, float]:
    """Wall seconds of each step in this fresh process, and its peak memory."""
    start, processor = time.perf_counter(), time.process_time()
    from arena.balance import balance
    from arena.ledger import Ledger
    from arena.ratings import leaderboard

    marks = [time.perf_counter()]
    with Ledger.open(where, create=False) as ledger:
        table = ledger.table()
    marks.append(time.perf_counter())
    boards = [leaderboard(table, family) for family in sorted({c.family for c in table.cells})]
    marks.append(time.perf_counter())
    cells = balance(table)
    marks.append(time.perf_counter())
    assert sum(board.games for board in boards) == len(table) == sum(c.games for c in cells)
    return {
        "games": len(table),
        "cells": len(cells),
        "import": marks[0] - start,
        "read": marks[1] - marks[0],
        "ratings": marks[2] - marks[1],
        "balance": marks[3] - marks[2],
        "total": marks[3] - start,
        "processor": time.process_time() - processor,
        "mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


if __name__ == "__main__":
    sys.exit(main())
