"""A worker that is killed takes the programs it started with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WORKER = """
import time
import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest
from arena.match.runner import MatchRunner
from arena.players.spec import EngineSpec

bot = EngineSpec.parse("command:{python} examples/bots/first_move.py", "bot")
game = arena.game("gomoku/freestyle15")
request = GameRequest("0" * 32, "s", "c", 0, 0, game, (bot, bot), 1, 2)
runner = MatchRunner(MatchPolicy())
print(len(list(runner.play([request]))), flush=True)
time.sleep(60)
"""


def running(pid: str) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z"


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs util-linux's setpriv")
def test_no_program_outlives_a_killed_worker() -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    with worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "1\n"
        threads = Path(f"/proc/{worker.pid}/task").iterdir()
        bots = {pid for thread in threads for pid in (thread / "children").read_text().split()}
        assert bots
        assert all(running(pid) for pid in bots)
        worker.kill()
    deadline = time.monotonic() + 10
    while any(running(pid) for pid in bots) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in bots if running(pid)]
