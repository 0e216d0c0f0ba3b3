from __future__ import annotations

import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from arena._core import Termination
from arena.games import Seat
from arena.ledger import GameTable, Ledger, LedgerError, OpenBlock, Told, VoidBlock
from arena.ledger.connect import connect
from tests.ledger.samples import SWEEP, cell, result, two_cells, with_worker


def table_bytes(table: GameTable) -> bytes:
    columns = [getattr(table, field.name) for field in fields(GameTable)]
    return b"|".join(
        c.tobytes() if isinstance(c, np.ndarray) else repr(c).encode() for c in columns
    )


def filled(ledger: Ledger) -> Ledger:
    cells, results = two_cells()
    ledger.register(SWEEP, cells)
    assert ledger.put(results) == len(results)
    return ledger


def test_what_goes_in_comes_out(ledger: Ledger) -> None:
    cells, results = two_cells()
    filled(ledger)
    assert ledger.sweeps() == [SWEEP]
    assert ledger.cells(SWEEP.sweep_id) == cells
    assert list(ledger.results(SWEEP.sweep_id)) == sorted(
        results, key=lambda r: (r.cell_id != cells[0].cell_id, r.block, r.permutation)
    )
    with_record = [r for r in results if r.record]
    assert len(with_record) == 4
    assert list(ledger.records(SWEEP.sweep_id)) == with_record
    assert list(ledger.records(SWEEP.sweep_id, limit=3)) == with_record[:3]
    assert list(ledger.records(SWEEP.sweep_id, cell_id=cells[1].cell_id)) == []
    for one in results:
        assert ledger.result(one.game_id) == one
    assert ledger.result("0" * 32) is None
    assert ledger.result("no hex") is None


def test_measures_stand_beside_their_games(ledger: Ledger) -> None:
    filled(ledger)
    table = ledger.table(SWEEP.sweep_id)
    assert list(table.measures) == ["late", "points"]
    duel, mirror = table.by_cell()
    assert list(duel.measures) == ["late", "points"] and not mirror.measures
    points, late = duel.measures["points"], duel.measures["late"]
    for row, block in enumerate(duel.block):
        there = block % 3 > 0
        assert points[row].tolist() == pytest.approx(
            [2.5 * block] * 2 if there else [math.nan] * 2, nan_ok=True
        )
        assert late[row].tolist() == pytest.approx(
            [0, 1] if block % 3 == 2 else [math.nan] * 2, nan_ok=True
        )


@pytest.mark.parametrize("number", [math.inf, math.nan])
def test_a_measure_that_is_no_number_is_refused(ledger: Ledger, number: float) -> None:
    (only,) = cells = [cell(0, blocks=1)]
    ledger.register(SWEEP, cells)
    bad = result(only, 0, 0, (0, 1), measures=[("points", number)])
    with pytest.raises(LedgerError, match="finite"):
        ledger.put([bad])
    twice = result(only, 0, 0, (0, 1), measures=[("points", 1), ("points", 2)])
    with pytest.raises(LedgerError, match="a name once"):
        ledger.put([twice])
    assert len(ledger.table()) == 0


def test_a_fault_without_a_record_keeps_its_notes_and_culprit(ledger: Ledger) -> None:
    (only,) = cells = [cell(0, blocks=1)]
    ledger.register(SWEEP, cells)
    fault = replace(
        result(only, 0, 1, (0, 1)),
        termination=Termination.crash,
        culprit=Seat(0),
        notes=("segfault 段错误 \x00 \ud800",),
    )
    ledger.put([fault])
    assert ledger.result(fault.game_id) == fault
    assert list(ledger.records(SWEEP.sweep_id)) == []


def test_how_games_ended_is_counted_for_a_sweep_and_for_a_cell(ledger: Ledger) -> None:
    first, second = cell(0), cell(1, ("a@1", "a@1"))
    ledger.register(SWEEP, [first, second])
    lost, usual = (0.0, 1.0), Termination.five
    crash = result(first, 1, 0, lost, termination=Termination.crash)
    others = [result(first, 0, turn, lost) for turn in (0, 1)]
    ledger.put([*others, crash, result(second, 0, 0, lost)])
    assert ledger.terminations(SWEEP.sweep_id) == {usual: 3, Termination.crash: 1}
    assert ledger.terminations(SWEEP.sweep_id, cell_id=first.cell_id) == {
        usual: 2,
        Termination.crash: 1,
    }
    assert ledger.terminations(SWEEP.sweep_id, cell_id=second.cell_id) == {usual: 1}


def test_doubled_and_late_results_change_nothing(ledger: Ledger) -> None:
    _, results = two_cells()
    filled(ledger)
    before = table_bytes(ledger.table())
    assert ledger.put(results) == 0
    late = replace(results[0], scores=(0.0, 1.0), places=(2, 1), record=None, worker="w9")
    assert ledger.put([late, late]) == 0
    assert ledger.result(results[0].game_id) == results[0]
    assert table_bytes(ledger.table()) == before


def test_lost_acknowledgements_leave_totals_exact(ledger: Ledger) -> None:
    """A worker that hears nothing sends again, alone or among others (R30)."""
    cells, results = two_cells()
    ledger.register(SWEEP, cells)
    rng = random.Random(3)
    waiting, new = list(results), 0
    while waiting:
        batch = rng.sample(waiting, min(len(waiting), 7))
        new += ledger.put(batch)
        acknowledged = [r for r in batch if rng.random() > 0.2]
        waiting = [r for r in waiting if r not in acknowledged]
    assert new == len(results)
    assert len(ledger.table()) == len(results)


def test_a_batch_may_hold_a_game_twice(ledger: Ledger) -> None:
    cells, results = two_cells()
    ledger.register(SWEEP, cells)
    assert ledger.put([*results, *results[:5]]) == len(results)


def test_half_finished_blocks_are_kept_listed_and_not_counted(ledger: Ledger) -> None:
    (duel,) = cells = [cell(0, blocks=4)]
    ledger.register(SWEEP, cells)
    ledger.put([result(duel, 2, p, (1, 0)) for p in (0, 1)])
    ledger.put([result(duel, 3, 1, (1, 0))])
    assert ledger.complete_blocks(SWEEP.sweep_id)[duel.cell_id].tolist() == [0, 0, 1, 0]
    assert ledger.open_blocks(SWEEP.sweep_id) == [OpenBlock(duel.cell_id, 3, 1, 2)]
    table = ledger.table(SWEEP.sweep_id)
    assert table.block.tolist() == [2, 2]
    assert len(list(ledger.results(SWEEP.sweep_id))) == 3
    ledger.put([result(duel, 3, 0, (1, 0))])
    assert ledger.open_blocks(SWEEP.sweep_id) == []
    assert ledger.table(SWEEP.sweep_id).block.tolist() == [2, 2, 3, 3]


def test_void_blocks_are_out_until_the_void_is_taken_back(ledger: Ledger) -> None:
    cells, results = two_cells()
    filled(ledger)
    duel = cells[0].cell_id
    before = table_bytes(ledger.table())
    ledger.void(SWEEP.sweep_id, duel, 4, "wrong")
    ledger.void(SWEEP.sweep_id, duel, 4, "worker w3: its engine was miscompiled")
    ledger.void(SWEEP.sweep_id, duel, 1, "poisoned")
    assert ledger.voided(SWEEP.sweep_id) == [
        VoidBlock(duel, 1, "poisoned"),
        VoidBlock(duel, 4, "worker w3: its engine was miscompiled"),
    ]
    done = ledger.complete_blocks(SWEEP.sweep_id)
    assert np.flatnonzero(~done[duel]).tolist() == [1, 4]
    assert done[cells[1].cell_id].all()
    assert len(ledger.table()) == len(results) - 4
    for block in (1, 4):
        ledger.unvoid(SWEEP.sweep_id, duel, block)
    assert table_bytes(ledger.table()) == before
    with pytest.raises(LedgerError, match=r"block 10 of cell .* has blocks 0 to 9"):
        ledger.void(SWEEP.sweep_id, duel, 10, "")


def test_a_block_that_is_to_be_played_again_loses_its_results(ledger: Ledger) -> None:
    """An outlier: void, then queued again; what was wrong does not come back (R42, R43)."""
    cells, results = two_cells()
    filled(ledger)
    duel = cells[0].cell_id
    ledger.void(SWEEP.sweep_id, duel, 0, "w0 lost every game on time")
    why = "w0 lost every game on time: played again"
    assert ledger.replay(SWEEP.sweep_id, [(duel, 0), (duel, 0)], why) == 2
    assert ledger.voided(SWEEP.sweep_id) == []
    assert not ledger.complete_blocks(SWEEP.sweep_id)[duel][0]
    assert all(r.block != 0 for r in ledger.records(SWEEP.sweep_id))
    again = [replace(r, scores=(0.5, 0.5), places=(1, 1)) for r in results[:3] if r.block == 0]
    again = [r for r in again if r.cell_id == duel]
    assert ledger.put(again) == 2
    assert ledger.result(again[0].game_id) == again[0]
    # What was done can be seen, every time; a block without results leaves nothing to see.
    assert ledger.replay(SWEEP.sweep_id, [(duel, 0)], "once more") == 2
    assert ledger.replay(SWEEP.sweep_id, [(duel, 0)], "nothing there") == 0
    first, second = ledger.replayed(SWEEP.sweep_id)
    assert (first.cell_id, first.block, first.time, first.reason) == (duel, 0, 1, why)
    assert (second.time, second.reason, second.games) == (2, "once more", 2)
    assert set(first.workers) == {r.worker for r in results if (r.cell_id, r.block) == (duel, 0)}


def test_engines_may_be_called_anything(ledger: Ledger) -> None:
    """Spaces, " vs ", commas, quotes, line ends, other alphabets, half a character (R29)."""
    names = ("A vs X@1", "say \"hi\", 'you';--@1", "两 行\n字@1", "a@b@\ud800")
    table = cell(0, names, blocks=1, rulebook="chinese_checkers/four")
    ledger.register(SWEEP, [table])
    results = [result(table, 0, p, (1, 2 / 3, 1 / 3, 0)) for p in range(4)]
    ledger.put(results)
    assert ledger.cells(SWEEP.sweep_id) == [table]
    assert list(ledger.results(SWEEP.sweep_id)) == results


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(order=st.permutations(range(30)), cuts=st.sets(st.integers(1, 29)))
def test_the_table_does_not_know_the_order_of_arrival(
    order: list[int], cuts: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    cells, results = two_cells()
    folder = tmp_path_factory.mktemp("order")
    with Ledger.open(folder / "straight") as straight, Ledger.open(folder / "mixed") as mixed:
        filled(straight)
        mixed.register(SWEEP, cells[::-1])
        edges = [0, *sorted(cuts), 30]
        for low, high in pairwise(edges):
            mixed.put([with_worker(results[i], f"w{i}") for i in order[low:high]])
        assert table_bytes(mixed.table()) == table_bytes(straight.table())


def test_table_columns_and_filters(ledger: Ledger) -> None:
    filled(ledger)
    other = replace(SWEEP, sweep_id="0" * 16)
    six = cell(
        0,
        [f"e{i}@1" for i in range(6)],
        blocks=1,
        rulebook="chinese_checkers/d3",
        sweep_id=other.sweep_id,
    )
    ledger.register(other, [six])
    ledger.put([result(six, 0, p, (1, 0.8, 0.6, 0.3, 0.3, 0)) for p in range(6)])
    whole = ledger.table()
    assert whole.cells[0] == six and len(whole) == 36
    assert whole.scores.shape == (36, 6)
    assert np.isnan(whole.scores[6:, 2:]).all() and not np.isnan(whole.scores[:6]).any()
    assert whole.places[0].tolist() == [1, 2, 3, 4, 4, 6]
    assert whole.places[6].tolist() == [1, 2, 0, 0, 0, 0]
    assert (whole.roles[6:, 2:] == -1).all() and (whole.sides[6:, 2:] == -1).all()
    assert [whole.role_names[r] for r in whole.roles[0]] == [f"role{i}" for i in range(6)]
    assert {whole.termination_names[t] for t in whole.termination} == {"five"}
    assert (whole.culprit == -1).all()
    shapes = [games.scores.shape for games in whole.by_cell()]
    assert shapes == [(1, 6, 6), (10, 2, 2), (10, 1, 2)]
    assert len(ledger.table(SWEEP.sweep_id)) == 30
    assert len(ledger.table(family="chinese_checkers")) == 6
    narrow = ledger.table(rulebooks="gomoku/doc*")
    assert len(narrow) == 20 and narrow.scores.shape == (20, 2)
    assert len(ledger.table(rulebooks="xiangqi/*")) == 0


def test_registering_twice_is_harmless_and_another_plan_is_refused(ledger: Ledger) -> None:
    cells, _ = two_cells()
    ledger.register(SWEEP, cells)
    ledger.register(replace(SWEEP, created="2027-01-01T00:00:00Z"), cells[::-1])
    assert ledger.sweeps() == [SWEEP]
    more = [replace(cells[0], planned_blocks=20), cells[1]]
    with pytest.raises(LedgerError, match=r"planned_blocks of cell 0 \(gomoku/doc001\) is 10, now"):
        ledger.register(SWEEP, more)
    with pytest.raises(LedgerError, match="it has 2 cells, now 1"):
        ledger.register(SWEEP, cells[:1])
    with pytest.raises(LedgerError, match=r"its seed is .*, now 3"):
        ledger.register(replace(SWEEP, seed=3), cells)
    with pytest.raises(LedgerError, match="its plan digest is d1, now d2"):
        ledger.register(replace(SWEEP, plan_digest="d2"), cells)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"block": 10}, "block 10; planned are 0 to 9"),
        ({"block": -1}, "block -1"),
        ({"permutation": 2}, "permutation 2; planned are 0 to 1"),
        ({"engines": ("a@1", "b@2")}, "engines .*b@2.*planned .*b@1"),
        ({"rules_digest": "beef"}, "rules beef, planned"),
        ({"cell_id": "nowhere"}, "cell 'nowhere' of sweep .* is not registered"),
        ({"scores": (1.0, 0.0, 0.0)}, "scores has 3 values; the cell has 2 seats"),
        ({"scores": (float("nan"), 0.0)}, "must lie in"),
        ({"places": (0, 1)}, "places .* must lie in 1 to 2"),
        ({"culprit": Seat(2)}, "culprit 2 is no seat"),
        ({"game_id": "xyz"}, "'xyz' must be 32 hex digits"),
        ({"game_id": "0" * 32}, "is game .* already, not 0000"),
    ],
)
def test_results_that_no_plan_asked_for_are_refused_whole(
    ledger: Ledger, change: dict[str, object], message: str
) -> None:
    cells, results = two_cells()
    ledger.register(SWEEP, cells)
    ledger.put(results[:1])
    bad = replace(results[0], **change)  # type: ignore[arg-type]  # fields by name
    with pytest.raises(LedgerError, match=message) as caught:
        ledger.put([results[1], bad])
    assert ledger.name in str(caught.value)
    assert len(list(ledger.results(SWEEP.sweep_id))) == 1
    assert ledger.put(results[:2]) == 1


def test_unknown_sweeps_are_named_with_those_there_are(ledger: Ledger) -> None:
    filled(ledger)
    for ask in (ledger.table, ledger.cells, ledger.complete_blocks, ledger.voided):
        with pytest.raises(LedgerError, match=f"no sweep 'nope'; there are: {SWEEP.sweep_id}"):
            ask("nope")


# -- opening -------------------------------------------------------------------------


def test_a_ledger_opens_again(where: str) -> None:
    with Ledger.open(where) as ledger:
        filled(ledger)
        before = table_bytes(ledger.table())
    with Ledger.open(where, create=False) as ledger:
        assert table_bytes(ledger.table()) == before


def as_schema_3(where: str) -> None:
    """Makes of a ledger what the version before made."""
    engine, _ = connect(where, False)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE records DROP COLUMN told")
        connection.exec_driver_sql("UPDATE ledger_meta SET value = '3' WHERE key = 'schema'")
    engine.dispose()


@pytest.mark.parametrize("create", [True, False])
def test_a_ledger_of_the_schema_before_is_brought_up(where: str, create: bool) -> None:
    with Ledger.open(where) as ledger:
        filled(ledger)
        before = list(ledger.results(SWEEP.sweep_id))
    as_schema_3(where)
    for _ in range(2):
        with Ledger.open(where, create=create) as ledger:
            assert list(ledger.results(SWEEP.sweep_id)) == before
    cells, _ = two_cells()
    told = (Told((0, 2), "00" * 8, "ab" * 32), None)
    late = replace(result(cells[0], 9, 0, (1, 0), record=True), told=told)
    with Ledger.open(where) as ledger:
        ledger.replay(SWEEP.sweep_id, [(cells[0].cell_id, 9)], "to write it anew")
        assert ledger.put([late]) == 1
        assert ledger.result(late.game_id) == late


def test_what_is_no_ledger_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"missing\.db: no such ledger"):
        Ledger.open(tmp_path / "missing.db", create=False)
    assert not (tmp_path / "missing.db").exists()
    with pytest.raises(LedgerError, match="is a folder"):
        Ledger.open(tmp_path)
    text = tmp_path / "sweep.toml"
    text.write_text("seed = 1 # a text that is longer than the magic")
    with pytest.raises(LedgerError, match=r"sweep\.toml: is no ledger"):
        Ledger.open(text)
    assert text.read_text().startswith("seed")
    torn = tmp_path / "torn.db"
    torn.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises(LedgerError, match=r"torn\.db: .*no ledger"):
        Ledger.open(torn)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    with pytest.raises(LedgerError, match="has a table 'songs' but is no ledger"):
        Ledger.open(foreign)
    with pytest.raises(LedgerError, match="is no ledger"):
        Ledger.open(foreign, create=False)
    with pytest.raises(LedgerError, match=r"no such kind of ledger.*postgresql://"):
        Ledger.open("mysql://root:secret@host/db")
    with pytest.raises(LedgerError) as caught:
        Ledger.open("postgresql://arena:secret@127.0.0.1:1/x")
    assert "secret" not in str(caught.value) and "127.0.0.1:1/x" in str(caught.value)


def test_a_ledger_of_another_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    Ledger.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE ledger_meta SET value = '99'")
    connection.close()
    with pytest.raises(LedgerError, match=r"old\.db: is a ledger of schema 99.*reads schema 4"):
        Ledger.open(path)


# -- failures ------------------------------------------------------------------------


def test_a_full_disk_writes_nothing_and_the_same_put_works_later(tmp_path: Path) -> None:
    cells, results = two_cells()
    with Ledger.open(tmp_path / "full.db") as ledger:
        ledger.register(SWEEP, cells)
        ledger.put(results[:3])
        with ledger._engine.connect() as connection:  # the pool hands this one out again
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        stuffed = [replace(r, notes=("x" * 50_000,)) for r in results[3:]]
        with pytest.raises(LedgerError, match=r"full\.db: .*full; free some space"):
            ledger.put(stuffed)
        assert len(list(ledger.results(SWEEP.sweep_id))) == 3
        with ledger._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        assert ledger.put(stuffed) == len(stuffed)
        assert [r.notes for r in ledger.results(SWEEP.sweep_id) if r.notes] != []


def test_a_ledger_is_read_where_nothing_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a #1%.db"
    with Ledger.open(path) as ledger:
        filled(ledger)
    _, results = two_cells()
    monkeypatch.setattr(os, "access", lambda *_: False)
    path.chmod(0o444)
    tmp_path.chmod(0o555)
    with Ledger.open(path, create=False) as ledger:
        assert [row.sweep_id for row in ledger.sweeps()] == [SWEEP.sweep_id]
        assert len(list(ledger.results(SWEEP.sweep_id))) == len(results)
        assert list(tmp_path.iterdir()) == [path]
        with pytest.raises(LedgerError, match="readonly"):
            ledger.put(results)
    tmp_path.chmod(0o755)


def test_a_second_writer_is_told_so(tmp_path: Path) -> None:
    cells, results = two_cells()
    path = tmp_path / "busy.db"
    with Ledger.open(path) as ledger:
        ledger.register(SWEEP, cells)
        with ledger._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA busy_timeout=50")
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerError, match=r"busy\.db: .*locked; another process is writing"):
            ledger.put(results)
        other.execute("ROLLBACK")
        other.close()
        assert ledger.put(results) == len(results)


def test_a_server_that_goes_away_is_an_error_and_its_return_a_resume(
    postgres_server: Callable[[str], str],
) -> None:
    import psycopg

    cells, results = two_cells()
    url = postgres_server("going_away")
    with Ledger.open(url) as ledger:
        ledger.register(SWEEP, cells)
        ledger.put(results[:3])
        admin = psycopg.connect(url.replace("going_away", "postgres"), autocommit=True)
        admin.execute("ALTER DATABASE going_away ALLOW_CONNECTIONS false")
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'going_away'"
        )
        with pytest.raises(LedgerError, match="going_away"):
            ledger.put(results)
        admin.execute("ALTER DATABASE going_away ALLOW_CONNECTIONS true")
        admin.close()
        assert ledger.put(results) == len(results) - 3
        assert len(ledger.table()) == len(results)


_WRITER = """
import sys
from arena.ledger import Ledger
from tests.ledger.samples import SWEEP, cell, result
with Ledger.open(sys.argv[1]) as ledger:
    duel = cell(0, blocks=100_000)
    ledger.register(SWEEP, [duel])
    for block in range(100_000):
        ledger.put([result(duel, block, p, (1, 0), record=True) for p in (0, 1)])
        print(block, flush=True)
"""


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "killed.db"
    rng = random.Random(1)
    for _ in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged = -1
        for _ in range(rng.randrange(20, 120)):
            acknowledged = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])
        writer.wait()
        writer.stdout.close()
        with Ledger.open(path, create=False) as ledger:
            done = ledger.complete_blocks(SWEEP.sweep_id)
            (bitmap,) = done.values()
            assert bitmap[: acknowledged + 1].all()
            assert ledger.open_blocks(SWEEP.sweep_id) == []  # a put is whole or absent


def test_a_sweep_is_extended_cell_by_cell(ledger: Ledger) -> None:
    ledger.register(SWEEP, [], grows=True)
    first, second = cell(0), cell(1, ("a@1", "c@1"))
    ledger.extend(SWEEP, [first])
    one, two = (result(each, 0, 0, (1.0, 0.0)) for each in (first, second))
    assert ledger.put([one]) == 1
    ledger.extend(SWEEP, [first, second])
    ledger.extend(SWEEP, [second])
    assert ledger.put([two, one]) == 1
    assert ledger.cells(SWEEP.sweep_id) == [first, second]
    with pytest.raises(LedgerError, match="another cell's"):
        ledger.extend(SWEEP, [cell(1, ("a@1", "d@1"))])
    with pytest.raises(LedgerError, match="another cell's"):
        ledger.extend(SWEEP, [replace(second, index=2)])
    assert ledger.cells(SWEEP.sweep_id) == [first, second]


def test_a_new_file_waits_where_sqlite_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes that make one file may find it locked at once, whatever their patience is."""
    asked: list[str] = []
    ask = Connection.exec_driver_sql

    def twice_locked(self: Connection, statement: str) -> object:
        if "journal_mode" in statement:
            asked.append(statement)
            if len(asked) < 3:
                raise OperationalError(
                    statement, None, sqlite3.OperationalError("database is locked")
                )
        return ask(self, statement)

    monkeypatch.setattr(Connection, "exec_driver_sql", twice_locked)
    Ledger.open(tmp_path / "a.db").close()
    assert len(asked) == 3
    monkeypatch.setattr("arena.ledger.connect._PATIENCE_S", 0)
    asked.clear()
    with pytest.raises(LedgerError, match="locked; another process is writing to it"):
        Ledger.open(tmp_path / "b.db")
