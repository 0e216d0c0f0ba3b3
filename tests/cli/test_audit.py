"""`arena audit`, on games of a ledger and on lines of an export."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

import arena as package
from arena.ledger import CellRow, GameResult, Ledger, SweepRow
from tests.cli.conftest import Arena
from tests.match.test_audit import NOTED, played

SWEEP = SweepRow("5eed" * 4, "audited", "", 1, "d", "2026-01-01T00:00:00Z")


def kept(path: Path, name: str, *engines: str) -> GameResult:
    """A ledger of one game."""
    result = played(name, *engines, seed=11)
    assert result.record is not None
    cell = CellRow(
        cell_id="c" * 16,
        sweep_id=SWEEP.sweep_id,
        index=0,
        rulebook=result.rulebook,
        family=name.partition("/")[0],
        rules_digest=result.rules_digest,
        settings=package.game(name).rules.settings(),
        seats=len(result.engines),
        lineup=result.engines,
        seatings=(result.engines,),
        planned_blocks=1,
    )
    result = replace(result, sweep_id=SWEEP.sweep_id, cell_id=cell.cell_id, block=0)
    with Ledger.open(path) as ledger:
        ledger.register(SWEEP, [cell])
        ledger.put([result])
    return result


def changed(path: Path, column: str, value: object) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"UPDATE records SET {column} = ?", (json.dumps(value),))
    connection.close()


@pytest.mark.parametrize("name", ["doudizhu/doc003", "gomoku/doc001"])
def test_a_good_game(arena: Arena, tmp_path: Path, name: str) -> None:
    result = kept(tmp_path / "runs" / "one.db", name)
    ran = arena("audit", result.game_id)
    assert (ran.code, ran.err) == (0, "")
    *seats, last = ran.out.splitlines()
    assert last == "every seat was told what the record gives, and nothing else"
    assert len(seats) == len(result.engines)
    for seat, line in enumerate(seats):
        log = result.told[seat]
        assert log is not None
        assert line.startswith(f"ok    seat {seat} ({result.engines[seat]}): ")
        assert f"{len(log.plies)} turns" in line and log.head[:16] in line
        assert ("other worlds" in line) == (name == "doudizhu/doc003")
        assert ("sees everything" in line) == (name == "gomoku/doc001")
    told = json.loads(arena("audit", result.game_id, "--worlds", "7", "--json").out)
    assert told["passed"] is True and told["findings"] == []
    assert told["game_id"] == result.game_id and told["game"] == name
    for seat, log in zip(told["seats"], result.told, strict=True):
        assert log is not None
        assert seat["digest"] == log.head and seat["turns"] == len(log.plies)
        assert seat["worlds"] == (7 * seat["turns"] if name == "doudizhu/doc003" else 0)
    assert "与棋谱相符" in arena("audit", result.game_id, "--lang", "zh").out


def test_a_line_of_an_export_does_without_its_ledger(arena: Arena, tmp_path: Path) -> None:
    result = kept(tmp_path / "runs" / "one.db", "siguo/doc001")
    arena("export", "--out", "all.jsonl")
    before = arena("audit", result.game_id)
    (tmp_path / "runs" / "one.db").unlink()
    assert arena("audit", "all.jsonl") == before
    line = json.loads((tmp_path / "all.jsonl").read_text("utf-8"))
    del line["scores"]
    (tmp_path / "bad.json").write_text(json.dumps(line), "utf-8")
    ran = arena("audit", "bad.json")
    assert ran.code == 1
    assert (
        ran.err == "arena: bad.json: is no line of `arena export`: scores is missing or unknown\n"
    )
    line["told"] = "nonsense"
    (tmp_path / "bad.json").write_text(json.dumps({**line, "scores": [0, 0]}), "utf-8")
    ran = arena("audit", "bad.json")
    assert ran.code == 1 and "told: by seat null or [plies," in ran.err


def test_a_changed_record_is_found(arena: Arena, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "one.db"
    result = kept(path, "gomoku/freestyle15")
    assert result.record is not None
    moves = [[seat, move] for seat, move in result.record.moves]
    free = next(f"{c}1" for c in "abcdefghijklmno" if f"{c}1" not in {m for _, m in moves})
    changed(path, "moves", [*moves[:6], [moves[6][0], free], *moves[7:]])
    ran = arena("audit", result.game_id)
    assert ran.code == 3
    assert ran.out.splitlines()[0].startswith("FAIL  seat 0")
    assert (
        "told: seat 1, turn 4, after move 7: was told something else than the record gives"
        in ran.out.splitlines()
    )
    told = json.loads(arena("audit", result.game_id, "--json").out)
    assert told["passed"] is False
    assert {"trouble": "told", "seat": 1, "turn": 4, "ply": 7} in [
        {key: finding[key] for key in ("trouble", "seat", "turn", "ply")}
        for finding in told["findings"]
    ]


def test_a_changed_log_is_found(arena: Arena, tmp_path: Path) -> None:
    path = tmp_path / "runs" / "one.db"
    result = kept(path, "doudizhu/doc003")
    logs = [[one.plies, one.links, one.head, one.flips, one.words] for one in result.told if one]
    links = str(logs[2][1])
    logs[2][1] = f"{links[:16]}{'0' if links[16] != '0' else '1'}{links[17:]}"
    changed(path, "told", logs)
    ran = arena("audit", result.game_id, "--lang", "zh")
    assert ran.code == 3
    assert ran.out.splitlines()[-1].startswith("told: 座位 2, 第 3 次着手, 第 ")


def test_a_seat_of_the_arena_s_own(arena: Arena, tmp_path: Path) -> None:
    result = kept(tmp_path / "runs" / "one.db", "gomoku/freestyle15", "greedy", NOTED)
    ran = arena("audit", result.game_id)
    assert ran.code == 0
    assert ran.out.splitlines()[0] == (
        f"seat 0 ({result.engines[0]}): told nothing over the protocol: an engine of the arena's own"
    )


def test_what_cannot_be_audited(arena: Arena, tmp_path: Path) -> None:
    result = kept(tmp_path / "runs" / "one.db", "gomoku/freestyle15", "greedy", "random")
    ran = arena("audit", result.game_id)
    assert ran.code == 1
    assert ran.err.startswith(f"arena: {result.game_id}: no log of what its seats were told: all")
    assert arena("audit", "f" * 32).err == f"arena: no game {'f' * 32} in the ledger\n"
    arena("play", "gomoku/freestyle15", "--save", "game.json", "--quiet")
    ran = arena("audit", "game.json")
    assert ran.code == 1 and "is no line of `arena export`: game_id is missing" in ran.err
    assert arena("audit", result.game_id, "--worlds", "0").code == 2
