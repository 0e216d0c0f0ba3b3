"""Perft of Xiangqi from the start beside Fairy-Stockfish, which Debian has as a package.

    python -m benchmarks.perft [--seconds 3]

Both sides use one core, count the last ply in bulk, and take turns; time is processor time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import time
from typing import IO

import arena
from benchmarks.figure import Figure, show

DEPTHS = (4, 5)


class Peer:
    """Fairy-Stockfish, spoken to by its own protocol."""

    def __init__(self, program: str) -> None:
        """Starts it and sets the variant."""
        self._process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._ask("uci", "uciok")
        self._ask("setoption name UCI_Variant value xiangqi\nisready", "readyok")
        self._ask("position startpos\nisready", "readyok")

    def perft(self, depth: int) -> tuple[int, float]:
        """Leaves, and the seconds of processor time that they took."""
        before = self._spent()
        line = self._ask(f"go perft {depth}", "Nodes searched")
        return int(line.split()[-1]), self._spent() - before

    def close(self) -> None:
        """Ends it."""
        self._process.kill()
        self._process.wait()

    def _ask(self, words: str, last: str) -> str:
        ours, theirs = self._process.stdin, self._process.stdout
        assert ours is not None
        assert theirs is not None
        print(words, file=ours, flush=True)
        return _until(theirs, last)

    def _spent(self) -> float:
        """Seconds of user and system time of all its threads, by hundredths."""
        with open(f"/proc/{self._process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _until(stream: IO[str], last: str) -> str:
    for line in stream:
        if last in line:
            return line
    raise RuntimeError(f"the program ended before it said '{last}'")


def run(seconds: float) -> list[Figure]:
    """Nodes a second at each depth. Raises RuntimeError where the peer is not installed."""
    program = shutil.which("fairy-stockfish") or shutil.which("/usr/games/fairy-stockfish")
    if program is None:
        raise RuntimeError("the peer is missing: apt-get install fairy-stockfish")
    made = arena.game("xiangqi/openspiel", max_plies=None)
    start = made.new_state()
    peer = Peer(program)
    figures = []
    try:
        for depth in DEPTHS:
            engine = made.core.engine(f"perft:depth={depth}")
            ours = theirs = 0.0
            rounds = leaves = 0
            while rounds == 0 or min(ours, theirs) < seconds / 10:
                begun = time.process_time()
                leaves = engine.choose(start, 0)[1].nodes
                ours += time.process_time() - begun
                found, spent = peer.perft(depth)
                if found != leaves:
                    raise RuntimeError(f"perft {depth}: {leaves} here, {found} there")
                theirs += spent
                rounds += 1
            what = f"xiangqi perft {depth}, {leaves:,} leaves"
            speed = rounds * leaves
            figures.append(
                Figure(what, speed / ours, "leaves/s", "Fairy-Stockfish", speed / theirs, bar=2.0)
            )
    finally:
        peer.close()
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="tenfold of each side's least")
    sys.exit(show(run(parser.parse_args().seconds)))
