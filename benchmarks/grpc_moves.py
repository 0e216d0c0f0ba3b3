"""Moves a second between this process and a zero-think Python bot in another, over gRPC.

    python -m benchmarks.grpc_moves

All turns are whole (rules, observation, position, events), all moves are checked by the rules.
The bot fills both seats. CPU time is given beside, because wall time suffers from neighbours.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import arena
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec
from benchmarks.figure import Figure

_BOT = Path(__file__).resolve().parent.parent / "examples" / "bots" / "first_move.py"
BAR = 25_000
RATIO = 10


@contextmanager
def bot() -> Iterator[tuple[str, int]]:
    """Address and process id of the example bot."""
    process = subprocess.Popen(
        [sys.executable, str(_BOT), "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        port = process.stdout.readline().strip().removeprefix("ARENA_BOT_PORT=")
        yield f"127.0.0.1:{port}", process.pid
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
            opening_plies=6,
        )
        for i in range(count)
    ]


def moves_per_second(rulebook: str, parallel: int, seconds: float) -> float:
    with bot() as (address, pid), MatchRunner(MatchPolicy(), parallel) as runner:
        list(runner.play(requests(rulebook, address, 0, parallel)))  # warm
        start, moves = parallel, 0
        usage = resource.getrusage(resource.RUSAGE_SELF)
        own, other = usage.ru_utime + usage.ru_stime, cpu_seconds(pid)
        began = perf_counter()
        while perf_counter() - began < seconds:
            batch = requests(rulebook, address, start, parallel * 8)
            start += len(batch)
            for result in runner.play(batch):
                assert isinstance(result, GameResult), result
                assert result.culprit is None, result
                moves += result.plies - 6
        wall = perf_counter() - began
        usage = resource.getrusage(resource.RUSAGE_SELF)
        own = usage.ru_utime + usage.ru_stime - own
        other = cpu_seconds(pid) - other
        print(
            f"{rulebook}, {parallel} games: {moves / wall:,.0f} moves/s; CPU a move: "
            f"worker {own / moves * 1e6:.1f} us, bot {other / moves * 1e6:.1f} us",
            flush=True,
        )
        return moves / wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rulebook", default="gomoku/freestyle15")
    parser.add_argument("--seconds", type=float, default=8.0)
    given = parser.parse_args()
    many = moves_per_second(given.rulebook, 64, given.seconds)
    one = moves_per_second(given.rulebook, 1, given.seconds)
    print(Figure("gRPC, 64 games", many, "moves/s", "the bar", BAR, 1).row())
    print(Figure("gRPC, 64 games", many, "moves/s", "one game", one, RATIO).row())


if __name__ == "__main__":
    main()
