"""Sweeps in this process: the driver's loop without Ray, with every kind of trouble."""

from __future__ import annotations

import os
import platform
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from arena.cluster import LeaseTerms, Progress, run_sweep
from arena.ledger import GameResult, Ledger, LedgerError
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from tests.cluster.sweeps import contents, plan_of, report, undisturbed

QUICK = LeaseTerms(target_seconds=0.02, backoff_seconds=0.01)


def test_plays_the_plan_exactly_and_then_nothing(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    shown: list[Progress] = []
    with Ledger.open(tmp_path / "a.db") as ledger:
        first = run_sweep(plan, ledger, workers=0, on_progress=shown.append, terms=QUICK)
        assert first.complete
        assert first.games_played == first.games_done == plan.games
        assert len(contents(plan, ledger)) == plan.games
        players = {result.worker for result in ledger.results(plan.sweep_id)}
        assert players == {f"inline@{platform.node()}"}
        table = ledger.table(plan.sweep_id)
        assert sum(cell.planned for cell in shown[-1].cells) == plan.blocks
        again = run_sweep(plan, ledger, workers=0)
        assert again.complete
        assert again.games_played == 0
        assert table is not None
    for progress in shown:
        parts = progress.done + progress.leased + progress.queued + progress.void
        assert progress.planned == parts == plan.blocks


def test_interrupted_and_resumed_is_the_same_as_undisturbed(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, blocks=150)
    wanted = undisturbed(plan, tmp_path)
    runs = done = 0
    with Ledger.open(tmp_path / "a.db") as ledger:
        while True:
            runs += 1
            enough = done + plan.games // 5
            sent: list[int] = []

            def interrupt(progress: Progress, enough: int = enough, sent: list[int] = sent) -> None:
                if progress.games_done > enough and not sent:
                    sent.append(progress.games_done)
                    os.kill(os.getpid(), signal.SIGINT)

            summary = run_sweep(
                plan, ledger, workers=0, on_progress=interrupt, terms=QUICK, show_seconds=0.0
            )
            if not summary.interrupted:
                break
            assert done < summary.games_done < plan.games
            done = summary.games_done
            assert not summary.complete
        assert summary.complete
        assert runs >= 3
        assert contents(plan, ledger) == wanted
    assert report(plan, tmp_path / "a.db") == report(plan, tmp_path / "undisturbed.db")


class Trouble(MatchRunner):
    """A match runner in whose hands some blocks and engines go wrong."""

    poisoned: frozenset[int] = frozenset()
    away: str = ""
    cause: Unavailable = Unavailable.UNREACHABLE
    tried: ClassVar[Counter[tuple[str, int]]] = Counter()

    def play(self, requests: Iterable[GameRequest]) -> Iterator[GameResult | NotPlayed]:
        for request in requests:
            self.tried[request.cell_id, request.block] += request.permutation == 0
            if request.block in self.poisoned:
                raise RuntimeError(f"block {request.block} is poisoned")
            gone = [engine.id for engine in request.engines if engine.id == self.away]
            if gone:
                yield NotPlayed(request, gone[0], self.cause, "nobody answers")
            else:
                yield from super().play([request])


@pytest.fixture
def trouble(monkeypatch: pytest.MonkeyPatch) -> type[Trouble]:
    class Fresh(Trouble):
        tried: ClassVar[Counter[tuple[str, int]]] = Counter()

    monkeypatch.setattr("arena.cluster.work.MatchRunner", Fresh)
    return Fresh


def test_poisoned_blocks_are_parked_with_their_cause_and_tried_again_by_the_next_run(
    tmp_path: Path, trouble: type[Trouble]
) -> None:
    plan = plan_of(tmp_path)
    trouble.poisoned = frozenset({7, 30})
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
        assert not summary.complete
        assert sum(parked.blocks for parked in summary.parked) == 2 * len(plan.cells)
        assert all("block 7 is poisoned" in p.cause for p in summary.parked if p.start == 7)
        assert {p.start for p in summary.parked} == {7, 30}
        assert len(ledger.voided(plan.sweep_id)) == 2 * len(plan.cells)
        tries = [trouble.tried[cell.id, 7] for cell in plan.cells]
        assert all(QUICK.tries <= n <= QUICK.tries + 1 for n in tries)
        trouble.poisoned = frozenset()
        assert run_sweep(plan, ledger, workers=0, terms=QUICK).complete
        assert not ledger.voided(plan.sweep_id)
        assert contents(plan, ledger) == undisturbed(plan, tmp_path)


@pytest.mark.parametrize("cause", list(Unavailable))
def test_an_engine_that_is_away_parks_its_cells_and_the_others_are_played(
    tmp_path: Path, trouble: type[Trouble], cause: Unavailable
) -> None:
    plan = plan_of(tmp_path)
    trouble.away = "b@2"
    trouble.cause = cause
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
        with_b = [cell for cell in plan.cells if "b@2" in [e.id for e in cell.engines]]
        assert sum(parked.blocks for parked in summary.parked) == sum(c.blocks for c in with_b)
        assert {parked.cause for parked in summary.parked} == {"nobody answers"}
        assert summary.games_done == plan.games - sum(cell.games for cell in with_b)
        assert not summary.complete
        trouble.away = ""
        assert run_sweep(plan, ledger, workers=0, terms=QUICK).complete


def test_a_program_that_is_not_there_parks_its_cells(tmp_path: Path) -> None:
    missing = 'b = {command = ["no-such-program"], version = "2", cpus = 4096, gpus = 7}'
    plan = plan_of(tmp_path, blocks=5, engines=f'a = "random"\n{missing}')
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
    assert not summary.complete
    assert summary.games_done == sum(c.games for c in plan.cells if len(c.engines) == 1) // 2
    assert all("no-such-program" in parked.cause for parked in summary.parked)
    assert any("4097 cores" in note for note in summary.notes)


def test_blocks_voided_by_hand_stay_void(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    cell = plan.cells[2]
    with Ledger.open(tmp_path / "a.db") as ledger:
        run_sweep(plan, ledger, workers=0)
        ledger.void(plan.sweep_id, cell.id, 5, "the room was too hot")
        summary = run_sweep(plan, ledger, workers=0)
        assert summary.complete
        assert summary.games_void == len(cell.seatings)
        assert [void.reason for void in ledger.voided(plan.sweep_id)] == ["the room was too hot"]


def test_a_ledger_that_fails_stops_the_sweep_with_its_own_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(tmp_path)
    with Ledger.open(tmp_path / "a.db") as ledger:
        put = ledger.put
        calls = 0

        def full(results: list[GameResult]) -> int:
            nonlocal calls
            calls += 1
            if calls == 4:
                raise LedgerError("disk full")
            return put(results)

        monkeypatch.setattr(ledger, "put", full)
        with pytest.raises(LedgerError, match="disk full"):
            run_sweep(plan, ledger, workers=0, terms=QUICK)
        assert 0 < len(contents(plan, ledger)) < plan.games
        assert run_sweep(plan, ledger, workers=0, terms=QUICK).complete
        assert contents(plan, ledger) == undisturbed(plan, tmp_path)
