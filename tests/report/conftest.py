"""One small sweep, played once, and ledgers that got its results in one order or another."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from arena.cluster.driver import cell_row, sweep_row
from arena.ledger import CellRow, GameResult, Ledger, SweepRow
from arena.match.request import NotPlayed
from arena.match.runner import MatchRunner
from arena.plan import load_sweep, make_plan
from arena.sdk import Bot, Turn

SCRIPT = "<script>alert(1)</script>"
FOUL = 'a vs b, "c" 奕秋 & co'

SWEEP = f"""
name = "<img src=x onerror=alert(2)>"
seed = 5
blocks = 4
pairing = ["self_play", "round_robin"]

[[games]]
rulebooks = ["gomoku/freestyle15"]
grid.size = [9]

[[games]]
rulebooks = ["chinese_checkers/west10_3"]
grid.board = ["star37"]
grid.pegs = [3]
grid.max_turns = [30]

[engines.'{SCRIPT}']
use = "greedy:noise=40"

[engines.'../../up']
use = "random"

[engines.'{FOUL}']
use = "python:tests.report.conftest:Foul"
version = "1"
games = "gomoku/*"
"""


class Foul(Bot):
    """Plays nonsense from its fourth move on."""

    def choose(self, turn: Turn) -> str:
        return "nonsense" if turn.ply > 6 else turn.legal[0]


@dataclass(frozen=True)
class PlayedSweep:
    sweep: SweepRow
    cells: tuple[CellRow, ...]
    results: tuple[GameResult, ...]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedSweep:
    """The whole sweep but for two blocks: one half-finished, one not begun."""
    path = tmp_path_factory.mktemp("sweep") / "sweep.toml"
    path.write_text(SWEEP, "utf-8")
    plan = make_plan(load_sweep(path))
    results: list[GameResult] = []
    with MatchRunner(plan.spec.match) as runner:
        for cell in plan.cells:
            for result in runner.play(plan.requests(cell, range(cell.blocks))):
                assert not isinstance(result, NotPlayed), result.message
                results.append(result)
    cells = tuple(cell_row(plan, cell) for cell in plan.cells)
    last = next(cell for cell in reversed(cells) if len(cell.seatings) > 1)
    kept = [
        result
        for result in results
        if result.cell_id != last.cell_id
        or result.block < 2
        or (result.block, result.permutation) == (2, 0)
    ]
    return PlayedSweep(sweep_row(plan), cells, tuple(kept))


Fill = Callable[..., Ledger]


@pytest.fixture(scope="session")
def fill(played: PlayedSweep, tmp_path_factory: pytest.TempPathFactory) -> Fill:
    """Makes a ledger of the sweep; `seed` shuffles arrival, workers, times and batches."""

    def make(seed: int | None = None) -> Ledger:
        results = list(played.results)
        created = played.sweep.created
        if seed is not None:
            rng = random.Random(seed)
            rng.shuffle(results)
            results = [
                replace(r, worker=f"worker-{rng.randrange(9)}", seconds=rng.random())
                for r in results
            ]
            created = "1999-01-01T00:00:00Z"
        ledger = Ledger.open(tmp_path_factory.mktemp("ledger") / "made.db")
        ledger.register(replace(played.sweep, created=created), played.cells)
        while results:
            size = len(results) if seed is None else rng.randrange(1, 20)
            ledger.put(results[:size])
            del results[:size]
        ledger.void(played.sweep.sweep_id, played.cells[0].cell_id, 1, "a <b>bad</b> clock")
        return ledger

    return make
