"""A sweep on Ray with two workers, beside the same blocks in two plain processes.

    python -m benchmarks.sweep_throughput [--seconds 90]

Both are timed from nothing to the last result: interpreter, Ray and ledger included. The
plain processes play one half of the blocks before the sweep and the other half after it, so
that a machine that warms up or gets busy meets both alike. They write no ledger.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import tempfile
import time
from pathlib import Path

from arena.cluster import run_sweep
from arena.ledger import Ledger
from arena.match.runner import MatchRunner
from arena.plan import Plan, SweepSpec, make_plan

BAR = 0.9
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


def plain(blocks: int, share: int, shares: int) -> None:
    """Every `shares`-th block of each cell, in one process."""
    plan = plan_of(blocks)
    with MatchRunner(plan.spec.match) as runner:
        for cell in plan.cells:
            requests = [
                request
                for block in range(share, cell.blocks, shares)
                for request in plan.requests(cell, range(block, block + 1))
            ]
            for _ in runner.play(requests):
                pass


def two_processes(blocks: int, half: int) -> float:
    began = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=plain, args=(blocks, half + 2 * worker, 2 * WORKERS))
        for worker in range(WORKERS)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0, help="about how long each side runs")
    seconds: float = parser.parse_args().seconds

    trial = 40
    blocks = max(trial, round(trial * seconds / (2 * two_processes(trial, 0))))
    plan = plan_of(blocks)
    print(f"{plan.games:,} games in {plan.blocks:,} blocks, {WORKERS} processes each side")

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
        swept = time.perf_counter() - began
    assert summary.complete
    after = two_processes(blocks, 1)

    plain_seconds = before + after
    print(f"two plain processes: {plain_seconds:7.1f} s  {plan.games / plain_seconds:8.1f} games/s")
    print(f"sweep on Ray:        {swept:7.1f} s  {plan.games / swept:8.1f} games/s")
    print(f"  of that, until the first worker was ready: {started[0] - began:.1f} s")
    ratio = plain_seconds / swept
    print(f"ratio {ratio:.3f} (bar {BAR}): {'met' if ratio >= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
