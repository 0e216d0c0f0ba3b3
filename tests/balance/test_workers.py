"""A worker that spoils a sweep is found; honest ones are left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arena._core import Termination
from arena.balance.workers import worker_quality
from arena.games import Seat
from arena.ledger import GameResult
from tests.ledger.samples import cell
from tests.ratings.tables import simulated_duel


def sweep(seed: int, workers: int = 5, blocks: int = 500) -> list[GameResult]:
    """Two cells; a block is played by one worker."""
    rng = np.random.default_rng(seed)
    found = []
    for i in range(2):
        pair = cell(i, ("a@1", "b@1"), blocks=blocks, rulebook=f"gomoku/v{i}")
        results = simulated_duel(rng, pair, {"a@1": 100, "b@1": 0}, first=80 * i)
        who = rng.integers(workers, size=blocks)
        found += [replace(r, worker=f"w{who[r.block]}", seconds=0.5) for r in results]
    return found


def test_honest_workers_are_left_alone() -> None:
    wrong = sum(any(w.outlier for w in worker_quality(sweep(seed))) for seed in range(30))
    assert wrong <= 5
    found = worker_quality(sweep(1))
    assert [w.worker for w in found] == [f"w{i}" for i in range(5)]
    assert sum(w.games for w in found) == 2000
    assert all(w.seconds_ratio == 1 and w.blocks == () for w in found if not w.outlier)


def test_time_losses_of_one_worker() -> None:
    """As on a real cluster once: one machine loses most of its games on time."""
    rng = np.random.default_rng(2)
    spoiled = [
        replace(
            r, termination=Termination.timeout, culprit=Seat(0), scores=(0.0, 1.0), places=(2, 1)
        )
        if r.worker == "w3" and rng.random() < 0.9
        else r
        for r in sweep(2)
    ]
    found = {w.worker: w for w in worker_quality(spoiled)}
    assert [name for name, w in found.items() if w.outlier] == ["w3"]
    bad = found["w3"]
    assert bad.faults > 2 * bad.faults_expected and bad.faults_p < 1e-9
    assert (bad.time_losses, bad.time_losses_expected) == (bad.faults, bad.faults_expected)
    assert bad.time_losses_p < 1e-9
    # Crashes are faults, and no losses on time.
    crashed = [
        replace(r, termination=Termination.crash) if r.termination is Termination.timeout else r
        for r in spoiled
    ]
    crashing = {w.worker: w for w in worker_quality(crashed)}["w3"]
    assert (crashing.faults, crashing.time_losses) == (bad.faults, 0)
    assert crashing.time_losses_p == 1
    assert len(bad.blocks) == bad.games / 2


def test_wrong_results_of_one_worker() -> None:
    """A poisoned cache: the stronger engine loses most of its games there."""
    spoiled = [
        replace(r, scores=r.scores[::-1], places=r.places[::-1]) if r.worker == "w1" else r
        for r in sweep(3)
    ]
    found = worker_quality(spoiled)
    assert [w.worker for w in found if w.outlier] == ["w1"]
    assert found[1].results_p < 1e-4 and found[1].faults == 0


def test_slow_machines_show_and_little_data_says_nothing() -> None:
    slow = [replace(r, seconds=2.0) if r.worker == "w0" else r for r in sweep(4)]
    found = worker_quality(slow)
    assert found[0].seconds_ratio > 2 and found[1].seconds_ratio < 1
    few = worker_quality(sweep(5)[:6])
    assert all(w.results_p == 1 and not w.outlier for w in few)
    (alone,) = worker_quality(sweep(6, workers=1))
    assert (alone.results_p, alone.faults_p, alone.outlier) == (1, 1, False)
    assert worker_quality([]) == []


def test_a_machine_that_grows_slow() -> None:
    """One heats up: its games take longer and longer; a cell of long games is no drift."""
    rng = np.random.default_rng(7)
    first = sweep(7)[0].cell_id
    spoiled = []
    for r in sweep(7):
        seconds = float(np.exp(rng.normal(0, 0.5))) * (1 if r.cell_id == first else 8)
        slower = 1 + r.block / 500 if r.worker == "w2" else 1
        spoiled.append(replace(r, seconds=seconds * slower))
    found = {w.worker: w for w in worker_quality(spoiled)}
    assert [name for name, w in found.items() if w.drift_p < 0.01] == ["w2"]
    # Of 1 to 2: the later half is about 1.75 / 1.25.
    assert 1.25 < found["w2"].drift < 1.55
    assert all(0.85 < w.drift < 1.15 for name, w in found.items() if name != "w2")
    assert all((w.drift, w.drift_p) == (1, 1) for w in worker_quality(spoiled[:30]))
