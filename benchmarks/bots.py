"""What the arena adds to bots that think nothing: games a second, and time a move.

    python -m benchmarks.bots

Games: a C++ bot (the template with `free_point.cpp` for its choice; it is built below build/, and
needs CMake and gRPC's C++ plugin), 64 at once from two processes, as two workers of a sweep would,
Gomoku to the end, every move checked, every game a whole result. Time: one game at a time, from a turn's being handed over to its answer's being
there, for that bot and for one of the Python SDK.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles

import arena
from arena.conformance.positions import positions
from arena.conformance.probe import Probe
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.runner import MatchRunner
from arena.players.grpc_client import GrpcPlayer
from arena.players.spec import EngineSpec
from benchmarks.figure import Figure, show
from benchmarks.grpc_moves import OPENING, PYTHON_BOT, bot, requests

_HERE = Path(__file__).resolve().parent
_BUILD = _HERE.parent / "build" / "free_point"
_RULEBOOK = "gomoku/freestyle15"
GAMES = 235
"""Games a second: half of what c-gomoku-cli does through pipes on two cores."""

PARALLEL, WORKERS = 64, 2

HALF_MS, MOST_MS = 0.6, 2.0
"""Bars of the median and of the 99th percentile."""


def build() -> tuple[str, ...]:
    """The command of the C++ bot. Raises CalledProcessError or OSError."""
    shutil.rmtree(_BUILD / "bot", ignore_errors=True)
    new = [sys.executable, "-m", "arena", "bot", "new", "cpp", str(_BUILD / "bot")]
    subprocess.run(new, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(_HERE / "free_point.cpp", _BUILD / "bot" / "choose.cpp")
    made = _BUILD / "made"
    for command in (
        ["cmake", "-S", str(_BUILD / "bot"), "-B", str(made)],
        ["cmake", "--build", str(made), "--parallel", str(os.cpu_count() or 1)],
    ):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return (str(made / "bot"),)


def play(address: str, worker: int, seconds: float) -> tuple[float, float]:
    """Games and moves a second of one worker."""
    games, moves = 0, 0
    with MatchRunner(MatchPolicy(), PARALLEL // WORKERS) as runner:
        list(runner.play(requests(_RULEBOOK, address, worker << 32, PARALLEL)))  # warm
        began = time.perf_counter()
        # More games than end in time; what still goes on at the bell is not counted.
        batch = requests(_RULEBOOK, address, (worker << 32) + PARALLEL, round(seconds * 1_000))
        for result in runner.play(batch):
            assert isinstance(result, GameResult), result
            assert result.culprit is None, result
            games += 1
            moves += result.plies - OPENING
            if time.perf_counter() - began > seconds:
                break
        lasted = time.perf_counter() - began
    return games / lasted, moves / lasted


def pace(words: tuple[str, ...], seconds: float) -> tuple[float, float]:
    """Games and moves a second of the workers together."""
    with (
        bot(words) as (address, _),
        ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as workers,
    ):
        done = [workers.submit(play, address, number, seconds) for number in range(WORKERS)]
        games, moves = zip(*(one.result() for one in done), strict=True)
    return sum(games), sum(moves)


def times_ms(words: tuple[str, ...], seconds: float) -> list[float]:
    """What each of the moves took that are asked for one after the other."""

    async def ask() -> list[float]:
        put = itertools.cycle(positions(arena.game(_RULEBOOK), seed=1))
        times: list[float] = []
        with bot(words) as (address, _):
            player = GrpcPlayer(EngineSpec.parse(f"grpc://{address}"), MatchPolicy().limits())
            await player.open()
            loop = asyncio.get_running_loop()
            until = loop.time() + seconds
            while loop.time() < until:
                answered = asyncio.Event()
                probe = Probe(next(put), f"{len(times)}", answered.set)
                player.ask(probe.turn(1_000))
                await answered.wait()
                assert not probe.trouble, probe.trouble
                times.append(probe.spent_ms)
                probe.end(player)
            await player.close()
        return times[len(times) // 10 :]  # the first ones warm up

    return asyncio.run(ask())


def run(seconds: float) -> list[Figure]:
    """`seconds` of each side of a figure."""
    cpp = build()
    games, moves = pace(cpp, seconds)
    figures = [
        Figure("C++ bot, 64 games", games, "games/s", "half of the pipes' figure", GAMES, bar=1.0),
        Figure("C++ bot, 64 games", moves, "moves/s", "", moves),
    ]
    for name, words in (("C++", cpp), ("Python", PYTHON_BOT)):
        cut = quantiles(times_ms(words, seconds), n=100)
        figures += [
            Figure(f"{name} bot, a move: {what}", value, "ms", "at most", most, 1.0, less=True)
            for what, value, most in (("median", cut[49], HALF_MS), ("99 %", cut[98], MOST_MS))
        ]
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of each side of a figure")
    sys.exit(show(run(parser.parse_args().seconds)))
