"""A sweep on Ray with two workers, beside the same blocks in two plain processes.

    python -m benchmarks.sweep_throughput [--seconds 90]

Two figures, each of like beside like. Whole runs: from nothing until the command is done, the
start and the end of Ray in it, beside plain processes from their start until both have ended.
Playing: from the first worker on until the last result is at rest, beside the mean time that
the plain processes play. The plain processes have the advantage in both: they write no ledger.
They play one half of the blocks before the sweep and the other half after it (their start is
counted once), and all times are as they would be on a machine of steady speed; on a machine that
does other work the ratio means little all the same.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from arena.cluster import Progress, run_sweep
from arena.ledger import Ledger
from arena.match.runner import MatchRunner
from arena.plan import Plan, SweepSpec, make_plan
from benchmarks.figure import Figure, show
from benchmarks.metronome import metronome

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


@dataclass(frozen=True)
class Took:
    """Moments of two plain processes, and how long they played."""

    began: float
    ended: float
    playing: float
    """The mean of both."""

    @property
    def whole(self) -> float:
        """Seconds from nothing until both have ended."""
        return self.ended - self.began


def two_processes(blocks: int, half: int) -> Took:
    """Half of the blocks, in two processes."""
    began = time.perf_counter()
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
    return Took(began, time.perf_counter(), sum(seconds) / len(seconds))


def run(seconds: float) -> list[Figure]:
    """`seconds` that each side plays, about."""
    trial = 40
    blocks = max(trial, round(trial * seconds / (2 * two_processes(trial, 0).playing)))
    plan = plan_of(blocks)
    once = two_processes(1, 0)
    started: list[float] = []
    rested: list[float] = []

    def look(progress: Progress) -> None:
        if progress.workers:
            started.append(time.perf_counter())
        if progress.games_done == plan.games:
            rested.append(time.perf_counter())

    with metronome() as noted:
        halves = [two_processes(blocks, 0)]
        with tempfile.TemporaryDirectory() as folder, Ledger.open(Path(folder) / "a.db") as ledger:
            began = time.perf_counter()
            summary = run_sweep(plan, ledger, workers=WORKERS, on_progress=look)
            ended = time.perf_counter()
        assert summary.complete
        halves.append(two_processes(blocks, 1))
    beats = noted[0]
    raw = (sum(half.playing for half in halves), rested[0] - started[0])
    print(f"by the clock on the wall: plain {raw[0]:.1f} s, sweep {raw[1]:.1f} s", file=sys.stderr)
    speeds = [beats.speed(half.began, half.ended) for half in halves]
    speed = beats.speed(started[0], rested[0])

    def figure(what: str, took: float, plain_took: float, bar: float | None) -> Figure:
        what = f"sweep on Ray, {WORKERS} workers, {plan.games:,} games, {what}"
        ours, peer = plan.games / took, plan.games / plain_took
        return Figure(what, ours, "games/s", f"{WORKERS} plain processes", peer, bar)

    def steady(seconds: list[float]) -> float:
        return sum(took * speed for took, speed in zip(seconds, speeds, strict=True))

    # A short sweep is mostly the start of Ray, which costs the same whatever is played.
    bar = BAR if seconds >= LONG else None
    whole = steady([half.whole for half in halves]) - (once.whole - once.playing)
    playing = steady([half.playing for half in halves])
    return [
        figure("whole runs", (ended - began) * speed, whole, bar),
        figure("playing", (rested[0] - started[0]) * speed, playing, BAR),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0, help="about how long each side runs")
    sys.exit(show(run(parser.parse_args().seconds)))
