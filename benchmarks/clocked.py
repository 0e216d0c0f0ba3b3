"""Twenty thousand games of bots that think nothing, a second a move, four times as many at once as
there are cores: nobody may run out of time, no game may hang, no place may be lost.

    python -m benchmarks.clocked [--games 20000]

All games are whole (Gomoku, rules, observations, moves, results). A place that were lost would be
missing at the end, when as many games as there are places begin at once and have to end together.
Exits with 1 where anything of that does not hold.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter

from arena._core import Termination
from arena.ledger.result import GameResult
from arena.match.clock import PerMove
from arena.match.policy import MatchPolicy
from arena.match.runner import MatchRunner
from benchmarks.bot_soak import Use
from benchmarks.grpc_moves import bot, requests

RULEBOOK = "gomoku/freestyle15"
MOVE_MS = 1_000
PER_CORE = 4
LAST_S = 10.0
"""As many games as there are places take less together, or some of the places are gone."""

BY_RULES = (Termination.five, Termination.board_full)


def play(games: int) -> list[str]:
    """What went wrong."""
    parallel = PER_CORE * (os.cpu_count() or 1)
    policy = MatchPolicy(clock=PerMove(kind="per_move", move_ms=MOVE_MS))
    causes: Counter[str] = Counter()
    wrong: list[str] = []
    early: Use | None = None
    began = time.monotonic()
    with bot() as (address, _), MatchRunner(policy, parallel) as runner:
        for start, count in ((0, games), (games, parallel)):
            batch, since = 0, time.monotonic()
            for result in runner.play(requests(RULEBOOK, address, start, count)):
                batch += 1
                if isinstance(result, GameResult):
                    causes[result.termination.name] += 1
                    if result.termination not in BY_RULES:
                        wrong.append(f"{result.game_id}: {result.termination.name} {result.notes}")
                else:
                    wrong.append(f"{result.request.game_id}: not played: {result.message}")
                if early is None and batch > games // 5:
                    early = Use()
            if batch != count:
                wrong.append(f"{batch} results of {count} games")
        if time.monotonic() - since > LAST_S:
            wrong.append(f"the last {parallel} games took {time.monotonic() - since:.1f} s")
        late = Use()
    print(
        f"{games} games, {parallel} at once, {MOVE_MS} ms a move, in "
        f"{time.monotonic() - began:.0f} s: {dict(causes)}"
    )
    print(f"after a fifth of them {early}; at the end {late}")
    return wrong


def main() -> int:
    """Prints what was played and what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    wrong = play(parser.parse_args().games)
    for line in wrong[:20]:
        print(f"WRONG  {line}")
    print(f"{len(wrong)} things wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
