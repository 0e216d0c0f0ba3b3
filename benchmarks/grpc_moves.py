"""Moves a second between this process and a zero-think Python bot in another, over gRPC.

    python -m benchmarks.grpc_moves

All turns are whole (rules, observation, position, events), all moves are checked by the rules.
The bot fills both seats. CPU time is given beside, because wall time suffers from neighbours.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import arena
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec
from benchmarks.figure import Figure, show

_ROOT = Path(__file__).resolve().parent.parent
PYTHON_BOT = (sys.executable, str(_ROOT / "examples" / "bots" / "first_move.py"))
BAR = 25_000
RATIO = 10
ROUNDS = 4
OPENING = 6


@contextmanager
def bot(words: Sequence[str] = PYTHON_BOT) -> Iterator[tuple[str, int]]:
    """Address and process id of a bot that is started. Raises RuntimeError with its last words."""
    path = os.pathsep.join(filter(None, [str(_ROOT), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            [*words, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline().strip()
            if not line.startswith("ARENA_BOT_PORT="):
                code = process.wait(10)
                said.seek(0)
                raise RuntimeError(f"{words[-1]} ended with code {code}: {said.read().strip()}")
            yield f"127.0.0.1:{line.removeprefix('ARENA_BOT_PORT=')}", process.pid
        finally:
            process.terminate()
            process.wait()


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def requests(rulebook: str, address: str, start: int, count: int) -> list[GameRequest]:
    game = arena.game(rulebook)
    spec = EngineSpec.parse(f"grpc://{address}", name="first")
    return [
        GameRequest(
            game_id=f"{start + i:032x}",
            sweep_id="bench",
            cell_id="bench",
            block=start + i,
            permutation=0,
            game=game,
            engines=(spec,) * game.seats,
            deal_seed=start + i,
            engine_seed=start + i,
            opening_plies=OPENING,
        )
        for i in range(count)
    ]


def moves_per_second(rulebook: str, parallel: int, seconds: float) -> float:
    """The best of a few rounds: a neighbour can only make a round slower."""
    rates: list[float] = []
    with bot() as (address, pid), MatchRunner(MatchPolicy(), parallel) as runner:
        list(runner.play(requests(rulebook, address, 0, parallel)))  # warm
        start = parallel
        own, other, moves = time.process_time(), cpu_seconds(pid), 0
        for _ in range(ROUNDS):
            began, played = time.perf_counter(), 0
            # More games than end in time; what still goes on at the bell is not counted.
            batch = requests(rulebook, address, start, parallel * 60)
            start += len(batch)
            for result in runner.play(batch):
                assert isinstance(result, GameResult), result
                assert result.culprit is None, result
                played += result.plies - OPENING
                if time.perf_counter() - began > seconds:
                    break
            rates.append(played / (time.perf_counter() - began))
            moves += played
        own, other = time.process_time() - own, cpu_seconds(pid) - other
    shown = ", ".join(f"{rate:,.0f}" for rate in rates)
    print(
        f"{rulebook}, {parallel} games: {shown} moves/s; CPU a move: "
        f"worker {own / moves * 1e6:.1f} us, bot {other / moves * 1e6:.1f} us",
        file=sys.stderr,
        flush=True,
    )
    return max(rates)


def run(seconds: float, rulebook: str = "gomoku/freestyle15") -> list[Figure]:
    """`seconds` of a round."""
    many = moves_per_second(rulebook, 64, seconds)
    one = moves_per_second(rulebook, 1, seconds)
    return [
        Figure("gRPC, 64 games", many, "moves/s", "the least that is asked", BAR, bar=1.0),
        Figure("gRPC, 64 games", many, "moves/s", "one game", one, bar=RATIO),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rulebook", default="gomoku/freestyle15")
    parser.add_argument("--seconds", type=float, default=4.0, help="of a round")
    given = parser.parse_args()
    sys.exit(show(run(given.seconds, given.rulebook)))
