"""A match whose arena is stopped and goes on: its bot is asked, stops the arena, and answers.

``python -m tests.bots.paused SECONDS`` plays the match; it starts itself once more as the bot.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from arena import game
from arena.ledger.result import GameResult
from arena.match.clock import PerMove
from arena.match.policy import MatchPolicy
from arena.match.runner import MatchRunner
from arena.sdk import Bot, Turn, serve
from tests.match.table_kit import request_for

SECONDS = "PAUSED_SECONDS"
CONTINUED = "import os, signal, sys, time; time.sleep(float(sys.argv[1])); os.kill(int(sys.argv[2]), signal.SIGCONT)"


class Stopper(Bot):
    """Its fifth answer comes while the arena, which started it, stands still."""

    def choose(self, turn: Turn) -> str:
        if turn.ply in (8, 9):
            arena = os.getppid()
            os.kill(arena, signal.SIGSTOP)
            seconds = os.environ[SECONDS]
            subprocess.Popen([sys.executable, "-c", CONTINUED, seconds, str(arena)])
            time.sleep(0.1)
        return turn.legal[-1]


def main() -> None:
    if len(sys.argv) == 1:
        serve(Stopper())
        return
    os.environ[SECONDS] = sys.argv[1]
    bot = f"{sys.executable} -m tests.bots.paused"
    policy = MatchPolicy(clock=PerMove(move_ms=1000), margin_ms=100)
    request = request_for(game("gomoku/standard15", size=9), (bot, "random"))
    with MatchRunner(policy) as runner:
        (result,) = runner.play([request])
    assert isinstance(result, GameResult), result
    print(result.termination.name, result.culprit, f"{result.seconds:.1f}")


if __name__ == "__main__":
    main()
