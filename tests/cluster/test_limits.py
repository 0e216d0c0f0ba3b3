"""A bot at an address that several workers reach: never more games at once than it declares."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.cluster import LeaseTerms, run_sweep
from arena.cluster.lease import Lease, Slice
from arena.cluster.work import LeasePlayer
from arena.ledger import Ledger
from tests.cluster.sweeps import plan_of

ROOT = Path(__file__).parents[2]

BOT = """
import sys, time
from arena.sdk import Bot, serve

class Counts(Bot):
    games = ("*",)
    max_parallel_games = int(sys.argv.pop())
    most = 0

    def load(self):
        self.going = set()

    def choose(self, turn):
        self.going.add(turn.game_id)
        if len(self.going) > self.most:
            self.most = len(self.going)
            print("at once:", self.most, file=sys.stderr, flush=True)
        time.sleep(0.001)
        return turn.legal[turn.seed % len(turn.legal)]

    def game_over(self, over):
        self.going.discard(over.game)

serve(Counts())
"""


@contextmanager
def counting(declared: int, log: Path) -> Iterator[str]:
    """The address of a bot that declares so many games, and writes down how many it has."""
    with log.open("w") as words:
        bot = subprocess.Popen(
            [sys.executable, "-c", BOT, str(declared)],
            stdout=subprocess.PIPE,
            stderr=words,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        try:
            assert bot.stdout is not None
            yield f"127.0.0.1:{bot.stdout.readline().strip().removeprefix('ARENA_BOT_PORT=')}"
        finally:
            bot.terminate()
            bot.wait(10)


def engines(address: str) -> str:
    return f'bot = {{use = "grpc://{address}", version = "1"}}\nb = "random"'


def test_two_workers_do_not_have_more_games_than_a_bot_declares(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with counting(1, log) as address:
        plan = plan_of(tmp_path, blocks=12, engines=engines(address))
        with Ledger.open(tmp_path / "a.db") as ledger:
            terms = LeaseTerms(target_seconds=0.2)
            assert run_sweep(plan, ledger, workers=2, terms=terms).complete
            workers = {
                result.worker
                for result in ledger.results(plan.sweep_id)
                if "bot@1" in result.engines
            }
    assert log.read_text() == "at once: 1\n"
    assert workers


@pytest.mark.parametrize(("declared", "known"), [(0, {"bot@1"}), (3, set())])
def test_a_worker_tells_which_engines_take_any_number(
    declared: int, known: set[str], tmp_path: Path
) -> None:
    with counting(declared, tmp_path / "log") as address:
        plan = plan_of(tmp_path, engines=engines(address))
        player = LeasePlayer("w", plan)
        try:
            (cell,) = (
                cell.index
                for cell in plan.cells
                if cell.game.rulebook == "small37" and len(cell.engines) == 2
            )
            report = player.play(Lease(1, "w", (Slice(cell, 0, 2),)))
        finally:
            player.close()
    assert len(report.played) == 2
    assert report.unlimited == known
