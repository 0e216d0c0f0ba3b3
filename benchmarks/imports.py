"""Import time and memory beside OpenSpiel's.

python -m benchmarks.imports
"""

from __future__ import annotations

import statistics
import subprocess
import sys

PROGRAM = """
import resource, time
start = time.perf_counter()
{statement}
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def measure(statement: str, times: int = 7) -> tuple[float, float]:
    """Median seconds of an import in a fresh interpreter, and peak MiB."""
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
    return statistics.median(seconds), statistics.median(memory)


if __name__ == "__main__":
    for statement in (
        "import arena",
        "import arena._core",
        "import arena; arena.game",
        "import pyspiel",
    ):
        spent, peak = measure(statement)
        print(f"{statement}: {spent:.3f} s, {peak:.0f} MiB peak")
