"""Tuolaji: hands a second inside the core, the check of a play from Python, a sweep of all rulebooks.

    python -m benchmarks.tuolaji [--seconds 3]

No other program plays these rules, so every figure stands beside what a sweep wants. The sweep
is examples/tuolaji-all.toml with `greedy` alone and 1,000 blocks for each rulebook, on two Ray
workers, timed from nothing to the last result at rest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

import arena
from arena._core import PlayTask
from arena.cluster import run_sweep
from arena.ledger import Ledger
from arena.plan import SweepSpec, load_sweep, make_plan
from benchmarks.figure import Figure, show

RATES = [
    ("r10_qq_two_deck", "random", 8_000),
    ("r10_qq_two_deck", "greedy", 3_000),
    ("r03_four_deck_3_to_7", "greedy", 1_000),
    ("r15_six_deck", "greedy", 500),
]
"""Rulebook, engine, and hands a second that are asked for."""

CHECK_BOOK = "r03_four_deck_3_to_7"
CHECK_MOST = 5.0
"""Microseconds."""

ASKED = "what a sweep wants"
EXAMPLE = Path(__file__).resolve().parent.parent / "examples/tuolaji-all.toml"
BLOCKS = 1_000
WORKERS = 2
SWEEP_MOST = 120.0
"""Seconds."""

BATCH = 200


def hands_per_second(book: str, engine: str, seconds: float) -> float:
    """Whole hands inside the core, by the time of its one processor; the best of some batches."""
    game = arena.game(f"tuolaji/{book}")
    best, spent = 0.0, 0.0
    for batch in count():
        tasks = [
            PlayTask([engine] * game.seats, seed, seed)
            for seed in range(batch * BATCH, (batch + 1) * BATCH)
        ]
        began = time.process_time()
        game.core.play(tasks)
        took = time.process_time() - began
        spent += took
        best = max(best, BATCH / took)
        if spent >= seconds:
            break
    return best


def microseconds_of_a_check(hands: int) -> float:
    """The median over the follows of some hands, each asked about once, the clock's own time in it."""
    game = arena.game(f"tuolaji/{CHECK_BOOK}")
    clock = time.perf_counter_ns
    found: list[float] = []
    for seed in range(hands):
        engine = game.core.engine("greedy")
        engine.new_game(seed)
        state = game.new_state(seed)
        follows = 0
        while seats := state.seats_to_act():
            (seat,) = seats
            move, _ = engine.choose(state, seat)
            text = str(move)
            if text.startswith("play "):
                if follows % game.seats:
                    began = clock()
                    state.check(seat, text)
                    found.append((clock() - began) / 1000)
                follows += 1
            state.apply(seat, move)
    return statistics.median(found)


def seconds_of_a_sweep(blocks: int) -> tuple[int, float]:
    """Games, and seconds from nothing to the last result at rest."""
    example = load_sweep(EXAMPLE)
    # Self-play, which is what one engine alone can do: the sides are the dealer's and the others.
    spec = SweepSpec(
        name="tuolaji-greedy",
        seed=example.seed,
        blocks=blocks,
        records=example.records,
        games=example.games,
        engines={name: one for name, one in example.engines.items() if name == "greedy"},
    )
    plan = make_plan(spec)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Ledger.open(Path(folder) / "a.db") as ledger:
            summary = run_sweep(plan, ledger, workers=WORKERS)
        took = time.perf_counter() - began
    assert summary.complete
    return plan.games, took


def run(seconds: float) -> list[Figure]:
    """`seconds` of each rate; the sweep takes what it takes."""
    figures = [
        Figure(
            f"tuolaji/{book}, {engine}, in the core",
            hands_per_second(book, engine, seconds),
            "hands/s",
            ASKED,
            least,
            bar=1.0,
        )
        for book, engine, least in RATES
    ]
    median = microseconds_of_a_check(max(2, round(4 * seconds)))
    what = f"tuolaji/{CHECK_BOOK}, check of a follow, Python"
    figures.append(Figure(what, median, "us", ASKED, CHECK_MOST, bar=1.0, less=True))
    games, took = seconds_of_a_sweep(BLOCKS)
    what = f"every rulebook of Tuolaji, {BLOCKS:,} blocks each, {games:,} games, {WORKERS} workers"
    figures.append(Figure(what, took, "s", ASKED, SWEEP_MOST, bar=1.0, less=True))
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each rate")
    sys.exit(show(run(parser.parse_args().seconds)))
