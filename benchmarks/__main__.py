"""Every speed figure in one table: ours, the peer's, their ratio, and the bar.

    python -m benchmarks [--only WORD] [--seconds 2]

Takes about six minutes on two cores that do nothing else; each part run alone
(`python -m benchmarks.games`) measures longer. Exits with 1 where a bar is not reached or a
part cannot be measured, such as for want of OpenSpiel (`pip install '.[bench]'`) or of Debian's
fairy-stockfish.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import traceback

from benchmarks.figure import Figure, show

PARTS = {"imports": 0.2, "games": 1.0, "perft": 1.0, "grpc_moves": 1.0, "ledger_million": 1.0}
PARTS |= {"told": 0.5, "ratings_million": 1.0, "efficiency": 1.0}
PARTS |= {"tuolaji": 1.0, "sweep_throughput": 10.0, "sweep_flat": 45.0}
"""Modules with `run(seconds)`, and the share of the seconds that each figure of theirs takes."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", default="", help="parts whose name holds this word")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each side of a figure")
    asked = parser.parse_args()
    chosen = [name for name in PARTS if asked.only in name]
    if not chosen:
        parser.error(f"--only {asked.only}: there are {', '.join(PARTS)}")
    figures: list[Figure] = []
    failed: list[str] = []
    for name in chosen:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        try:
            figures += importlib.import_module(f"benchmarks.{name}").run(
                PARTS[name] * asked.seconds
            )
        except Exception as error:  # noqa: BLE001 - the other parts are measured all the same
            traceback.print_exc()
            failed.append(f"{name}: {type(error).__name__}: {error}")
    code = show(figures)
    for line in failed:
        print(f"NOT MEASURED  {line}")
    return code or int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
