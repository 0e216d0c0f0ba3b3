"""Import time and memory beside OpenSpiel's.

python -m benchmarks.imports
"""

from __future__ import annotations

import statistics
import subprocess
import sys

from benchmarks.figure import Figure, show

PROGRAM = """
import resource, time
start = time.perf_counter()
{statement}
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure(statement: str, times: int = 7) -> tuple[float, float]:
    """Median milliseconds of an import in a fresh interpreter, and peak MiB."""
    seconds, memory = [], []
    for _ in range(times):
        out = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(statement=statement)],
            capture_output=True,
            text=True,
            check=True,
        )
        spent, peak = out.stdout.split()
        seconds.append(float(spent))
        memory.append(int(peak) / 1024)
    return 1000 * statistics.median(seconds), statistics.median(memory)


def run(seconds: float) -> list[Figure]:
    """`seconds` is of no use here: an import takes as long as it takes."""
    ours, mebibytes = measure("import arena")
    with_games, _ = measure("import arena; arena.game")
    theirs, their_mebibytes = measure("import pyspiel")
    peer = "ms, import pyspiel"
    return [
        Figure("import arena", ours, "ms", peer, theirs, bar=1.0, less=True),
        Figure(
            "import arena, memory",
            mebibytes,
            "MiB",
            "MiB, import pyspiel",
            their_mebibytes,
            bar=1.0,
            less=True,
        ),
        Figure("import arena and its games", with_games, "ms", peer, theirs, less=True),
    ]


if __name__ == "__main__":
    sys.exit(show(run(0.0)))
