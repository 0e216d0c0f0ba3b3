"""Sweeps that stop when they know enough: the same blocks whatever came in first."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import numpy as np
import pytest

from arena.balance import balance
from arena.cluster import LeaseTerms, Progress, run_sweep
from arena.cluster.prefix import CellStop
from arena.cluster.stopper import Stopper
from arena.ledger import GameResult, Ledger, LedgerError, VoidBlock
from arena.plan import Plan
from arena.ratings.anytime import anytime_interval, narrow_after
from arena.ratings.sequential import Hypotheses, Method, Scale
from arena.ratings.stopping import Decision, decide, schedule
from tests.cluster.sweeps import contents, plan_of, report

QUICK = LeaseTerms(target_seconds=0.02)
WIDTH = "[stop]\nhalf_width = 0.1\nbatch = 10\n"
TEST = """
[stop]
batch = 4
[stop.sprt]
engine = "strong"
elo0 = 0
elo1 = 60
"""
DUEL = 'strong = "greedy:noise=30"\nweak = "greedy:noise=60"'


def width_plan(tmp_path: Path) -> Plan:
    return plan_of(tmp_path, blocks=400, rulebooks='"chinese_checkers/small37"', more=WIDTH)


def duel_plan(tmp_path: Path) -> Plan:
    return plan_of(
        tmp_path, blocks=300, rulebooks='"chinese_checkers/small37"', engines=DUEL, more=TEST
    )


ALLOTTED = "[stop]\ntotal = 300\nfloor = 0.4\nbatch = 10\n"


def allotted_plan(tmp_path: Path) -> Plan:
    """A cell that is nearly sure (a strong engine at a weak one), and two that are not."""
    return plan_of(
        tmp_path, blocks=200, rulebooks='"chinese_checkers/small37"', engines=DUEL, more=ALLOTTED
    )


def stop_of(plan: Plan, results: list[GameResult], order: random.Random | None) -> list[CellStop]:
    """What a stopper says of a whole sweep that comes in by an order."""
    assert plan.stop is not None
    stopper = Stopper(plan, plan.stop)
    blocks: dict[tuple[str, int], list[GameResult]] = {}
    for result in results:
        blocks.setdefault((result.cell_id, result.block), []).append(result)
    index = {cell.id: cell.index for cell in plan.cells}
    coming = list(blocks)
    if order is not None:
        order.shuffle(coming)
    found: list[CellStop] = []
    for cell_id, block in coming:
        stopper.add(index[cell_id], block, blocks[cell_id, block])
        found += stopper.decisions()
    return sorted(found, key=lambda stop: stop.cell)


@pytest.mark.parametrize(
    "make", [width_plan, duel_plan, allotted_plan], ids=["width", "test", "total"]
)
def test_the_order_of_arrival_decides_nothing(tmp_path: Path, make: object) -> None:
    assert callable(make)
    plan = make(tmp_path)
    # Everything is played first: a stopper that looked ahead would have something to see.
    whole = plan_of(
        tmp_path,
        blocks=plan.cells[0].blocks,
        rulebooks='"chinese_checkers/small37"',
        engines=DUEL
        if make is not width_plan
        else 'a = "random"\nb = {use = "random", version = "2"}',
    )
    with Ledger.open(tmp_path / "a.db") as ledger:
        assert run_sweep(whole, ledger, workers=0).complete
        results = list(ledger.results(whole.sweep_id))
    planned = stop_of(plan, results, None)
    assert any(stop.blocks < plan.cells[stop.cell].blocks for stop in planned)
    for seed in range(5):
        assert stop_of(plan, results, random.Random(seed)) == planned


def test_a_narrow_cell_ends_and_the_ledger_holds_no_more(tmp_path: Path) -> None:
    plan = width_plan(tmp_path)
    shown: list[Progress] = []
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(
            plan, ledger, workers=0, on_progress=shown.append, terms=QUICK, show_seconds=0.0
        )
        table = ledger.table(plan.sweep_id)
        rows = ledger.cells(plan.sweep_id)
        again = run_sweep(plan, ledger, workers=0)
    assert summary.complete
    assert summary.games_spared > 0
    assert again.complete
    assert again.games_played == 0
    assert again.games_spared == summary.games_spared
    for progress in shown:
        parts = progress.done + progress.leased + progress.queued + progress.void
        assert progress.planned == parts + progress.spared == plan.blocks
    stopped = [row for row in rows if row.stop]
    assert stopped
    for part in table.by_cell():
        values = part.scores[:, :, 0].mean(axis=1)
        assert len(values) == part.cell.planned_blocks
        if part.cell in stopped:
            assert part.cell.planned_blocks % 10 == 0
            # The first whole batch behind the block that was narrow enough.
            narrow = narrow_after(values, 0.1)
            assert narrow is not None
            assert part.cell.planned_blocks - 10 < narrow <= part.cell.planned_blocks
    for cell in balance(table):
        row = next(row for row in rows if row.cell_id == cell.cell_id)
        assert any("stopped after" in note.en for note in cell.notes) == bool(row.stop)
        if row.stop:
            part = next(p for p in table.by_cell() if p.cell.cell_id == cell.cell_id)
            wanted = anytime_interval(part.scores[:, :, 0].mean(axis=1))
            assert cell.by_seat[0].score == wanted


def test_a_test_ends_its_cells_where_the_statistics_would(tmp_path: Path) -> None:
    plan = duel_plan(tmp_path)
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
        table = ledger.table(plan.sweep_id)
        rows = {row.index: row for row in ledger.cells(plan.sweep_id)}
    assert summary.complete
    (duel,) = [cell for cell in plan.cells if len(cell.engines) == 2]
    verdict = decide(schedule(table, f"{duel.engines[0].id}"), Hypotheses(0, 60), 4)
    assert verdict.decision is Decision.ACCEPT_H1
    assert rows[duel.index].planned_blocks == verdict.blocks < duel.blocks
    assert all(not row.stop for index, row in rows.items() if index != duel.index)
    (note,) = [note for note in summary.notes if note.startswith("test of strong")]
    assert f"H1 after {verdict.blocks} blocks" in note
    # What is to be quoted stays in the ledger, with the cell.
    assert verdict.estimate is not None
    value = f"; median-unbiased normalised Elo {verdict.estimate.value:+.1f} ["
    assert value in note and value in rows[duel.index].stop


@pytest.mark.parametrize(
    ("rulebook", "games"), [("chinese_checkers/west10_4", 8), ("doudizhu/douzero", 6)]
)
def test_a_test_of_more_seats_takes_both_line_ups_of_a_deal(
    tmp_path: Path, rulebook: str, games: int
) -> None:
    """One against the others, the others against one: the same deals, one datum each."""
    plan = plan_of(
        tmp_path,
        blocks=60,
        rulebooks=f'"{rulebook}"',
        engines='strong = "greedy"\nweak = "random"',
        more=TEST,
    )
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
        table = ledger.table(plan.sweep_id)
        rows = {row.index: row for row in ledger.cells(plan.sweep_id)}
    prefix = schedule(table, next(e.id for e in plan.engines if e.name == "strong"))
    assert prefix.games == games
    verdict = decide(prefix, Hypotheses(0, 60, Scale.LOGISTIC), 4, Method.E_PROCESS)
    assert verdict.decision is Decision.ACCEPT_H1
    met = [cell for cell in plan.cells if len(cell.engines) == 2]
    assert len(met) == 2
    for cell in met:
        assert rows[cell.index].planned_blocks == verdict.blocks < cell.blocks
    (note,) = [note for note in summary.notes if note.startswith("test of strong (e-process)")]
    assert f"H1 after {verdict.blocks} deals, log e-value {verdict.llr:.2f} (-3.00 to 3.00)" in note


@pytest.mark.parametrize(
    "make", [width_plan, duel_plan, allotted_plan], ids=["width", "test", "total"]
)
def test_interrupted_and_resumed_stops_at_the_same_blocks(tmp_path: Path, make: object) -> None:
    assert callable(make)
    plan = make(tmp_path)
    with Ledger.open(tmp_path / "whole.db") as ledger:
        assert run_sweep(plan, ledger, workers=0, terms=LeaseTerms(target_seconds=0.5)).complete
        wanted = contents(plan, ledger)
    runs = done = 0
    with Ledger.open(tmp_path / "a.db") as ledger:
        while True:
            runs += 1
            sent: list[int] = []
            enough = done + len(wanted) // 8

            def interrupt(progress: Progress, enough: int = enough, sent: list[int] = sent) -> None:
                if progress.games_done > enough and not sent:
                    sent.append(progress.games_done)
                    os.kill(os.getpid(), signal.SIGINT)

            summary = run_sweep(
                plan, ledger, workers=0, on_progress=interrupt, terms=QUICK, show_seconds=0.0
            )
            if not summary.interrupted:
                break
            done = summary.games_done
        assert runs >= 2
        assert summary.complete
        assert contents(plan, ledger) == wanted
    assert report(plan, tmp_path / "a.db") == report(plan, tmp_path / "whole.db")


def test_blocks_taken_out_by_hand_are_passed_over(tmp_path: Path) -> None:
    plan = width_plan(tmp_path)
    cell = plan.cells[0]
    with Ledger.open(tmp_path / "a.db") as ledger:
        run_sweep(plan, ledger, workers=0, terms=QUICK)
        first = ledger.cells(plan.sweep_id)[0].planned_blocks
    with Ledger.open(tmp_path / "b.db") as ledger:
        from arena.cluster.driver import cell_row, sweep_row

        ledger.register(sweep_row(plan), [cell_row(plan, each) for each in plan.cells])
        ledger.void(plan.sweep_id, cell.id, 0, "by hand")
        assert run_sweep(plan, ledger, workers=0, terms=QUICK).complete
        row = ledger.cells(plan.sweep_id)[0]
        assert row.stop
        assert abs(row.planned_blocks - first) <= 11
        assert ledger.voided(plan.sweep_id) == [VoidBlock(cell.id, 0, "by hand")]
        (part,) = [p for p in ledger.table(plan.sweep_id).by_cell() if p.cell.cell_id == cell.id]
        assert np.array_equal(part.block, np.arange(1, row.planned_blocks))


def test_a_ledger_keeps_one_stop_of_a_cell(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, blocks=6)
    with Ledger.open(tmp_path / "a.db") as ledger:
        run_sweep(plan, ledger, workers=0)
        cell = plan.cells[0]
        ledger.stop(plan.sweep_id, cell.id, 4, "enough")
        ledger.stop(plan.sweep_id, cell.id, 4, "enough")
        assert max(r.block for r in ledger.results(plan.sweep_id, cell_id=cell.id)) == 3
        with pytest.raises(LedgerError, match="cannot stop after 5 blocks: it has 4"):
            ledger.stop(plan.sweep_id, cell.id, 5, "more")
        with pytest.raises(LedgerError, match="cannot stop after 7 blocks: it has 6"):
            ledger.stop(plan.sweep_id, plan.cells[1].id, 7, "more")


def test_blocks_go_where_least_is_known(tmp_path: Path) -> None:
    plan = allotted_plan(tmp_path)
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=QUICK)
        table = ledger.table(plan.sweep_id)
        rows = ledger.cells(plan.sweep_id)
        again = run_sweep(plan, ledger, workers=0)
    assert summary.complete
    assert again.games_played == 0
    assert all("of 300 blocks in all allotted" in row.stop for row in rows)
    given = {row.index: row.planned_blocks for row in rows}
    assert sum(given.values()) == 300
    # The floor: 0.4 of 100 blocks each.
    assert min(given.values()) >= 40
    widths = {
        part.cell.index: anytime_interval(part.scores[:, :, 0].mean(axis=1))
        for part in table.by_cell()
    }
    (duel,) = [cell.index for cell in plan.cells if len(cell.engines) == 2]
    # Its blocks are of two games and mostly won: as narrow with fewer of them.
    assert given[duel] == min(given.values())
    assert all(len(part.block) == given[part.cell.index] for part in table.by_cell())
    others = [widths[index].high - widths[index].low for index in given if index != duel]
    assert max(others) < 1.25 * min(others)
    (note,) = [note for note in summary.notes if "blocks allotted" in note]
    assert note.startswith("300 of 300 blocks allotted: most, ")


def test_narrow_cells_leave_their_blocks_to_others(tmp_path: Path) -> None:
    plan = plan_of(
        tmp_path,
        blocks=400,
        rulebooks='"chinese_checkers/small37"',
        engines=DUEL,
        more="[stop]\ntotal = 900\nhalf_width = 0.14\nbatch = 10\n",
    )
    with Ledger.open(tmp_path / "a.db") as ledger:
        assert run_sweep(plan, ledger, workers=0, terms=QUICK).complete
        rows = ledger.cells(plan.sweep_id)
    assert all(row.stop.startswith("half-width 0.14 reached") for row in rows)
    assert sum(row.planned_blocks for row in rows) < 900


def test_a_run_ends_where_what_comes_next_waits_for_an_engine_that_is_away(tmp_path: Path) -> None:
    engines = 'here = "random"\naway = {command = ["no_such_program"], version = "1"}'
    plan = plan_of(
        tmp_path,
        blocks=60,
        rulebooks='"chinese_checkers/small37"',
        engines=engines,
        more="[stop]\ntotal = 120\nbatch = 10\n",
    )
    with Ledger.open(tmp_path / "a.db") as ledger:
        summary = run_sweep(plan, ledger, workers=0, terms=LeaseTerms(tries=1))
        table = ledger.table(plan.sweep_id)
        rows = ledger.cells(plan.sweep_id)
    assert not summary.complete
    assert any("waits for parked blocks" in parked.cause for parked in summary.parked)
    # Two rounds of a batch a cell were allotted, and could be played by who was there.
    (part,) = table.by_cell()
    assert len(part.block) == 20
    assert not any(row.stop for row in rows)
