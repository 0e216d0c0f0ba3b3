"""The main job through the command line: a sweep file in, tables, pages and files out."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, SETTINGS, Arena

TINY = """
name = "tiny"
seed = 3
blocks = 6
pairing = ["self_play", "round_robin"]

[[games]]
rulebooks = ["gomoku/freestyle15"]
grid.size = [9, 11]

[[games]]
rulebooks = ["chinese_checkers/small37"]
grid.max_turns = [30]

[engines]
weak = "random"
strong = "greedy"
"""

FOUL = """
name = "foul"
seed = 3
blocks = 2
pairing = "round_robin"

[[games]]
rulebooks = ["gomoku/freestyle15"]

[engines]
weak = "random"
bad = {use = "python:tests.report.conftest:Foul", version = "1"}
"""


def test_a_sweep_from_file_to_pages(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    plan = json.loads(arena("plan", "tiny.toml", "--json").out)
    assert (plan["games"], plan["blocks"], len(plan["cells"])) == (72, 54, 9)
    assert plan["core_seconds"] > 0
    assert "72 games in 54 blocks" in arena("plan", "tiny.toml", "--no-estimate").out

    ran = arena("sweep", "tiny.toml", "--workers", "0", "--report", "pages")
    assert ran.code == 0, ran.err
    assert "72 of 72 games are in runs/tiny.db" in ran.out
    assert "strong@" in ran.out and "Balance of two seats" in ran.out
    assert (tmp_path / "pages" / "index.html").is_file()

    # The ledger is found by itself, by its path, and by the sweep file.
    boards = [
        json.loads(arena("leaderboard", *words, "--json").out)
        for words in ([], ["runs/tiny.db"], ["tiny.toml"], ["--sweep", "tiny"])
    ]
    assert boards[0] == boards[1] == boards[2] == boards[3]
    by_family = {board["family"]: board for board in boards[0]}
    assert set(by_family) == {"gomoku", "chinese_checkers"}
    assert [e["engine"].split("@")[0] for e in by_family["gomoku"]["entries"]] == ["strong", "weak"]
    one = json.loads(arena("leaderboard", "--game", "gomoku", "--json").out)
    assert one == [by_family["gomoku"]]
    strong = by_family["gomoku"]["entries"][0]["engine"]
    why = arena("leaderboard", "--engine", strong)
    assert why.out.count("Opponent") == 2 and "Expected" in why.out
    ran = arena("leaderboard", "--engine", "nobody")
    assert ran.code == 1 and "no engine 'nobody'" in ran.err
    assert "等级分" in arena("leaderboard", "--lang", "zh").out

    cells = json.loads(arena("balance", "--json").out)
    assert len(cells) == 9 and sum(cell["games"] for cell in cells) == 72
    some = json.loads(arena("balance", "--rulebooks", "gomoku/*size=9*", "--json").out)
    assert {cell["rulebook"] for cell in some} == {"gomoku/freestyle15[size=9]"}

    detailed = json.loads(arena("leaderboard", "--detail", "--json").out)
    assert all(len(board["detail"]["cross_table"]) == 2 for board in detailed)
    assert "how sure the order is" in arena("leaderboard", "--detail").out
    by_sides = json.loads(arena("leaderboard", "--sides", "--json").out)
    assert [board["family"] for board in by_sides] == ["chinese_checkers", "gomoku"]
    assert all(len(board["players"]) == 2 and len(board["effects"]) >= 2 for board in by_sides)
    assert "by whole sides" in arena("leaderboard", "--sides", "--by-role").out
    assert {cell["verdict"]["family"] for cell in cells} == {
        sum(c["family"] == family for c in cells) for family in by_family
    }
    assert "Verdicts: balanced is 40.0 % to 60.0 %" in arena("balance", "--margin", "10").out
    explained = json.loads(arena("effects", "--json").out)
    assert any(
        effect["setting"].startswith("size") for table in explained for effect in table["effects"]
    )
    assert "closest to balance 1" in arena("effects").out
    assert json.loads(arena("power", "--json").out)[0]["blocks"]["for_half_width"] > 100
    judged = json.loads(arena("workers", "--json").out)
    assert sum(worker["games"] for worker in judged) == 72

    made = json.loads(arena("report", "--out", "again", "--json").out)
    assert made["replays"] > 9
    assert digest(tmp_path / "again") == digest(tmp_path / "pages")

    rows = json.loads(arena("export", "--out", "games.jsonl", "--json").out)
    assert rows["results"] == 72
    lines = [json.loads(line) for line in (tmp_path / "games.jsonl").read_text().splitlines()]
    assert len(lines) == 72
    assert json.loads(arena("export", "--out", "games.parquet", "--json").out)["results"] == 72

    game = lines[0]
    replayed = json.loads(arena("replay", game["game_id"], "--json").out)
    assert replayed["record"] == game["record"] and replayed["scores"] == game["scores"]
    (tmp_path / "one.json").write_text(json.dumps(game))
    assert json.loads(arena("replay", "one.json", "--json").out)["record"] == game["record"]
    assert arena("replay", "f" * 32).err.startswith("arena: no game ffff")

    again = arena("sweep", "tiny.toml", "--workers", "0", "--json")
    summary = json.loads(again.out)
    assert again.code == 0 and summary["complete"] is True
    assert summary["summary"]["games_played"] == 0
    assert summary["plan_digest"] == plan["digest"]
    assert summary["leaderboards"] == boards[0]


def test_faults_are_said_and_show_in_the_exit_code(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "foul.toml").write_text(FOUL)
    ran = arena("sweep", "foul.toml", "--workers", "0", "--ledger", "other/place.db")
    assert ran.code == 3, ran.err
    assert "4 of 4 games are in other/place.db" in ran.out
    assert "fault: illegal_move 4" in ran.out


def test_a_ledger_of_two_sweeps_wants_a_name_where_one_is_needed(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "one.toml").write_text(
        FOUL.replace("foul", "one").replace("blocks = 2", "blocks = 1")
    )
    (tmp_path / "two.toml").write_text(
        FOUL.replace("foul", "two").replace("blocks = 2", "blocks = 1")
    )
    for name in ("one", "two"):
        arena("sweep", f"{name}.toml", "--workers", "0", "--ledger", "both.db")
    ran = arena("export", "both.db", "--out", "x.jsonl")
    assert ran.code == 1 and "--sweep" in ran.err and "one (" in ran.err and "two (" in ran.err
    assert arena("export", "both.db", "--out", "x.jsonl", "--sweep", "two").code == 0
    ran = arena("leaderboard", "both.db", "--sweep", "three")
    assert ran.code == 1 and "no sweep 'three'" in ran.err
    assert json.loads(arena("leaderboard", "both.db", "--json").out)[0]["games"] == 4


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupted_sweep_goes_on_and_its_report_is_the_same(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "long.toml").write_text(
        TINY.replace("blocks = 6", "blocks = 100")
        .replace("tiny", "long")
        .replace("[engines]", "[records]\nkeep = 0.03\n[engines]")
    )
    command = [sys.executable, "-m", "arena", "sweep", "long.toml", "--workers", "0"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | SETTINGS | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        _wait_for_games(tmp_path / "runs" / "long.db", process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert "the same command goes on" in err and "Traceback" not in err
    ran = arena("sweep", "long.toml", "--workers", "0", "--report", "pages", "--json")
    summary = json.loads(ran.out)["summary"]
    assert ran.code == 0
    assert 0 < summary["games_played"] < summary["games_done"] == 1200

    arena("sweep", "long.toml", "--workers", "0", "--report", "whole", "--ledger", "whole.db")
    assert digest(tmp_path / "pages") == digest(tmp_path / "whole")


def _wait_for_games(path: Path, process: subprocess.Popen[str]) -> None:
    from arena.ledger import Ledger, LedgerError

    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the sweep ended before it could be interrupted"
        if path.exists():
            try:
                with Ledger.open(path, create=False) as ledger:
                    if ledger.sweeps() and len(ledger.table()) > 0:
                        return
            except LedgerError:
                pass  # not made yet
        time.sleep(0.05)
    raise AssertionError("no game within a minute")


def digest(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
