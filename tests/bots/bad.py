"""Bots that misbehave, each in one way: ``python bad.py MODE [PLY]``.

From ply PLY on they do what MODE says; before that they play the first legal move.
"""

from __future__ import annotations

import os
import signal
import sys
import time

from arena.sdk import Bot, Decision, Turn, serve

MODE = sys.argv[1]
PLY = int(sys.argv[2]) if len(sys.argv) > 2 else 0


class Bad(Bot):
    """Plays along until its time has come."""

    games = ("chinese_checkers/*",) if MODE == "other_game" else ("*",)

    def load(self) -> None:
        if MODE == "bad_load":
            raise OSError("no weights")
        if MODE == "slow_load":
            time.sleep(2.5)

    def choose(self, turn: Turn) -> str | Decision:
        if turn.ply < PLY:
            return turn.legal[0]
        match MODE:
            case "raise":
                raise ValueError("no idea what to do")
            case "crash":
                sys.stderr.write("about to divide by zero\n")
                sys.stderr.flush()
                os._exit(7)
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "stall":
                time.sleep(60)
            case "freeze":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "nonsense":
                return "I think I am winning"
            case "illegal":
                return turn.events[-1].text if turn.events else "h8"
            case "empty":
                return Decision()
            case "wrong_type":
                return 42  # type: ignore[return-value]  # what is tested
            case "huge":
                return Decision(turn.legal[0], comment="x" * 9_000_000)
            case "flood":
                line = b"thinking hard\n" * 5_000
                for _ in range(300):  # 20 MB a move
                    os.write(2, line)
        return turn.legal[0]


if __name__ == "__main__":
    # The SDK reads the command line, too; the mode is not for it.
    del sys.argv[1:]
    serve(Bad())
