"""A worker that spoils a sweep is found; honest ones are left alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from arena._core import Termination
from arena.balance.workers import WorkerQuality, quality
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


def worker_quality(results: Iterable[GameResult]) -> list[WorkerQuality]:
    return quality(results).workers


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
    assert (alone.results_p, alone.residual_p, alone.faults_p, alone.outlier) == (1, 1, 1, False)
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


def test_machines_are_judged_by_all_of_their_workers() -> None:
    """Twenty workers on five machines: one machine's clock is wrong, a little at each of its workers."""
    rng, spoiled = np.random.default_rng(8), []
    for r in sweep(8, workers=20):
        number = int(r.worker[1:])
        late = number % 5 == 2 and rng.random() < 0.05
        spoiled.append(
            replace(
                r,
                worker=f"worker-{number}@node-{number % 5}",
                termination=Termination.timeout if late or rng.random() < 0.02 else r.termination,
                seconds=1.0 if number % 5 == 3 else 0.5,
            )
        )
    found = quality(spoiled)
    assert len(found.workers) == 20 and not any(w.outlier for w in found.workers)
    assert [w.worker for w in found.hosts] == [f"node-{n}" for n in range(5)]
    assert [w.worker for w in found.hosts if w.outlier] == ["node-2"]
    bad, slow = found.hosts[2:4]
    assert bad.time_losses == sum(w.time_losses for w in found.workers if "node-2" in w.worker)
    assert bad.games == sum(w.games for w in found.workers if "node-2" in w.worker)
    assert slow.seconds_ratio > 1.5
    touched = {(r.cell_id, r.block) for r in spoiled if r.worker.endswith("@node-2")}
    assert set(bad.blocks) == touched
    # Names of older ledgers tell no machine.
    assert quality(sweep(1)).hosts == []


def coupled(seed: int, workers: int = 5, blocks: int = 400) -> list[GameResult]:
    """The opening decides: who has the better seat of a block wins one game and loses the other,
    but for one block in ten, which the stronger engine wins twice."""
    rng, found = np.random.default_rng(seed), []
    pair = cell(0, ("a@1", "b@1"), blocks=blocks)
    results = simulated_duel(rng, pair, {"a@1": 0, "b@1": 0})
    luck, twice = rng.random(blocks) < 0.5, rng.random(blocks) < 0.1
    who = rng.integers(workers, size=blocks)
    for r in results:
        first = r.engines[0] == "a@1" if twice[r.block] else bool(luck[r.block])
        scores, places = ((1.0, 0.0), (1, 2)) if first else ((0.0, 1.0), (2, 1))
        found.append(replace(r, scores=scores, places=places, worker=f"w{who[r.block]}"))
    return found


def test_block_scores_are_the_datum_of_the_residual_test() -> None:
    """Honest workers are suspected as seldom as the test says, where openings decide the games."""
    runs = [worker_quality(coupled(seed)) for seed in range(40)]
    assert sum(min(w.residual_p for w in found) <= 0.05 for found in runs) <= 5
    squares = [w.residual**2 for found in runs for w in found]
    assert 0.7 < sum(squares) / len(squares) < 1.3


def test_a_shift_that_openings_hide_from_single_games() -> None:
    """One worker's engine loses a game of every other block: little for the games, plain for the blocks."""
    spoiled = [
        replace(r, scores=(0.0, 1.0), places=(2, 1))
        if r.worker == "w4" and r.engines[0] == "a@1" and r.block % 2 == 0
        else r
        for r in coupled(3)
    ]
    found = {w.worker: w for w in worker_quality(spoiled)}
    assert [name for name, w in found.items() if w.outlier] == ["w4"]
    assert found["w4"].residual_p < 0.001 < found["w4"].results_p
    # A block with a fault in it says nothing of strength.
    faulty = [
        replace(r, termination=Termination.crash) if r.worker == "w4" and r.block % 2 == 0 else r
        for r in spoiled
    ]
    assert {w.worker: w for w in worker_quality(faulty)}["w4"].residual_p > 0.001
