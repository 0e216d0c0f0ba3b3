"""A long sweep costs as much at its end as at its beginning.

    python -m benchmarks.sweep_flat [--games 100000]

Plays quick games on two Ray workers and prints, for each tenth of the sweep, games a second
of wall time, the driver's processor time a game, and the driver's memory, together with the
speed of the machine in that tenth. Speed and cost are compared as they would be on a machine of
steady speed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from arena.cluster import Progress, run_sweep
from arena.ledger import Ledger
from arena.plan import SweepSpec, make_plan
from benchmarks.figure import Figure, show
from benchmarks.metronome import metronome

BAR = 0.9
MEMORY_BAR = 0.1
GAMES_A_SECOND = 1_000
"""About, of two cores."""


@dataclass(frozen=True)
class Mark:
    games: int
    wall: float
    cpu: float
    memory: float
    """MiB resident, without the pages of Ray's object store, which all processes share."""


def resident() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no RssAnon in /proc/self/status")


def run(seconds: float) -> list[Figure]:
    """A sweep of about so many seconds."""
    return measure(round(GAMES_A_SECOND * seconds))


def measure(games: int) -> list[Figure]:
    """A sweep of so many games: its last tenth beside its first."""
    text = json.dumps(
        {
            "name": "flat",
            "seed": 1,
            "blocks": games,
            "records": {"keep": 0.05},
            # One cell: cells of unequal cost end at unequal times, which is no slowing down.
            "games": [{"rulebooks": ["chinese_checkers/west10_2"], "opening_plies": 4}],
            # A lease is two seconds of play: a tenth of the sweep must be many of them.
            "engines": {"shallow": {"use": "search:nodes=20"}},
        }
    )
    plan = make_plan(SweepSpec.model_validate_json(text))
    marks: list[Mark] = []

    def look(progress: Progress) -> None:
        marks.append(
            Mark(progress.games_done, time.perf_counter(), time.process_time(), resident())
        )

    with (
        tempfile.TemporaryDirectory() as folder,
        Ledger.open(Path(folder) / "a.db") as ledger,
        metronome() as noted,
    ):
        summary = run_sweep(plan, ledger, workers=2, on_progress=look, show_seconds=0.0)
        assert summary.complete
        size = (Path(folder) / "a.db").stat().st_size / 2**20
    print(
        f"{plan.games:,} games in {summary.seconds:.0f} s, ledger {size:.0f} MiB", file=sys.stderr
    )

    beats = noted[0]
    print("from game   to game   games/s   driver ms/game   driver MiB   speed", file=sys.stderr)
    rows = []
    # The first twentieth is warming up: leases still grow there.
    edges = [
        next(mark for mark in marks if mark.games >= games * part // 20) for part in range(1, 21, 2)
    ]
    for a, b in pairwise(edges):
        count = b.games - a.games
        rate, cost = count / (b.wall - a.wall), 1000 * (b.cpu - a.cpu) / count
        speed = beats.speed(a.wall, b.wall)
        rows.append((rate / speed, cost * speed, b.memory))
        print(
            f"{a.games:9,} {b.games:9,} {rate:9.0f} {cost:16.3f} {b.memory:12.1f} {speed:7.2f}",
            file=sys.stderr,
        )
    (rate, cost, memory), (last_rate, last_cost, last_memory) = rows[0], rows[-1]
    what, peer = f"sweep of {games:,} games, last tenth", "first tenth"
    return [
        Figure(f"{what}: speed", last_rate, "games/s", peer, rate, bar=BAR),
        Figure(f"{what}: driver", last_cost, "ms/game", peer, cost, bar=BAR, less=True),
        Figure(
            f"{what}: memory", last_memory, "MiB", peer, memory, bar=1 / (1 + MEMORY_BAR), less=True
        ),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    sys.exit(show(measure(parser.parse_args().games)))
