"""A sweep on Ray with two workers, beside the same blocks in two plain processes.

    python -m benchmarks.sweep_throughput [--seconds 90]

The plain processes are given every advantage: only their playing is timed, without start-up
and without waiting for the slower one, and they write no ledger. The sweep is timed from
nothing to the last result at rest, the start of Ray included. The plain processes play one
half of the blocks before the sweep and the other half after it, so that a machine that gets
busy meets both alike; on a machine that does other work the ratio means little all the same.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path

from arena.cluster import run_sweep
from arena.ledger import Ledger
from arena.match.runner import MatchRunner
from arena.plan import Plan, SweepSpec, make_plan
from benchmarks.figure import Figure, show

BAR = 0.9
LONG = 60.0
"""Seconds from which the bar holds with the start of Ray in it."""

WORKERS = 2


def spec(blocks: int) -> str:
    return json.dumps(
        {
            "name": "throughput",
            "seed": 1,
            "blocks": blocks,
            "pairing": ["self_play", "round_robin"],
            "records": {"keep": 0.1},
            "games": [
                {"rulebooks": ["gomoku/doc001", "gomoku/swap2", "chinese_checkers/doc001"]},
            ],
            "engines": {
                "greedy": {"use": "greedy"},
                "search": {"use": "search:nodes=300"},
            },
        }
    )


def plan_of(blocks: int) -> Plan:
    return make_plan(SweepSpec.model_validate_json(spec(blocks)))


def plain(blocks: int, share: int, shares: int, took: multiprocessing.Queue[float]) -> None:
    """Every `shares`-th block of each cell, in one process."""
    plan = plan_of(blocks)
    began = time.perf_counter()
    with MatchRunner(plan.spec.match) as runner:
        for cell in plan.cells:
            requests = [
                request
                for block in range(share, cell.blocks, shares)
                for request in plan.requests(cell, range(block, block + 1))
            ]
            for _ in runner.play(requests):
                pass
    took.put(time.perf_counter() - began)


def two_processes(blocks: int, half: int) -> float:
    """Seconds of playing, the mean of both."""
    context = multiprocessing.get_context("spawn")
    took: multiprocessing.Queue[float] = context.Queue()
    processes = [
        context.Process(target=plain, args=(blocks, half + 2 * worker, 2 * WORKERS, took))
        for worker in range(WORKERS)
    ]
    for process in processes:
        process.start()
    seconds = [took.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(seconds) / len(seconds)


def run(seconds: float) -> list[Figure]:
    """`seconds` that each side plays, about."""
    trial = 40
    blocks = max(trial, round(trial * seconds / (2 * two_processes(trial, 0))))
    plan = plan_of(blocks)
    before = two_processes(blocks, 0)
    with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "a.db") as ledger:
        began = time.perf_counter()
        started: list[float] = []
        summary = run_sweep(
            plan,
            ledger,
            workers=WORKERS,
            on_progress=lambda p: started.append(time.perf_counter()) if p.workers else None,
        )
        ended = time.perf_counter()
    assert summary.complete
    plain_seconds = before + two_processes(blocks, 1)

    def figure(what: str, took: float, bar: float | None) -> Figure:
        what = f"sweep on Ray, {WORKERS} workers, {plan.games:,} games, {what}"
        ours, peer = plan.games / took, plan.games / plain_seconds
        return Figure(what, ours, "games/s", f"{WORKERS} plain processes", peer, bar)

    # A short sweep is mostly the start of Ray, which costs the same whatever is played.
    return [
        figure("start included", ended - began, BAR if seconds >= LONG else None),
        figure("from the first worker on", ended - started[0], BAR),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0, help="about how long each side runs")
    sys.exit(show(run(parser.parse_args().seconds)))
