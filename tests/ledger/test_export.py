from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.games import Record
from arena.ledger import Ledger, LedgerError, export_jsonl, export_parquet
from tests.ledger.samples import SWEEP, two_cells


@pytest.fixture
def full(tmp_path: Path) -> Ledger:
    cells, results = two_cells()
    ledger = Ledger.open(tmp_path / "ledger.db")
    ledger.register(SWEEP, cells)
    ledger.put(results[:-1])
    ledger.put(results[:1])
    ledger.void(SWEEP.sweep_id, cells[0].cell_id, 3, "poisoned")
    return ledger


def test_json_lines_hold_everything(full: Ledger, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    assert export_jsonl(full, SWEEP.sweep_id, path) == 29
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line, result in zip(lines, full.results(SWEEP.sweep_id), strict=True):
        assert line["game_id"] == result.game_id
        assert tuple(line["scores"]) == result.scores
        assert line["termination"] == result.termination.name
        assert line["measures"] == dict(result.measures)
        record = Record.from_json(line["record"]) if line["record"] else None
        assert record == result.record
    void = [line["block"] for line in lines if not line["counted"]]
    assert void == [3, 3]


def test_parquet_reads_back(full: Ledger, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = tmp_path / "out.parquet"
    assert export_parquet(full, SWEEP.sweep_id, path) == 29
    rows = pq.read_table(path).to_pylist()
    for row, result in zip(rows, full.results(SWEEP.sweep_id), strict=True):
        assert row["game_id"] == result.game_id
        assert tuple(row["engines"]) == result.engines
        assert tuple(row["roles"]) == result.roles
        assert row["culprit"] is None and row["plies"] == result.plies
        assert tuple(row["measures"]) == result.measures
    assert sum(not row["counted"] for row in rows) == 2


def test_a_file_that_cannot_be_written_is_named_and_not_left_half(
    full: Ledger, tmp_path: Path
) -> None:
    for export in (export_jsonl, export_parquet):
        with pytest.raises(LedgerError, match=r"nowhere/out: cannot write"):
            export(full, SWEEP.sweep_id, tmp_path / "nowhere" / "out")
        with pytest.raises(LedgerError, match="no sweep 'x'"):
            export(full, "x", tmp_path / "out")
    assert not list(tmp_path.glob("out*"))


def test_a_link_is_written_through_and_stays_a_link(full: Ledger, tmp_path: Path) -> None:
    link, target = tmp_path / "stdout", tmp_path / "target"
    target.write_text("old")
    link.symlink_to(target)
    assert export_jsonl(full, SWEEP.sweep_id, link) == 29
    assert link.is_symlink() and target.read_text().count("\n") == 29
