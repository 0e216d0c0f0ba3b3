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

from arena.cli.where import default_ledger
from arena.ledger import Ledger
from arena.plan import load_sweep, make_plan
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
    # Self-play only: what the first move is worth.
    first_moves = ran.out.partition("Balance of two seats")[2]
    assert " vs " not in first_moves
    assert "3 line-ups of different engines: arena balance runs/tiny.db" in ran.out
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
    for command in ("leaderboard", "balance", "effects", "power"):
        ran = arena(command, "--rulebooks", "gomoku/freestile*")
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert "--rulebooks gomoku/freestile*: matches none" in ran.err
        assert "gomoku/freestyle15[size=9]" in ran.err

    detailed = json.loads(arena("leaderboard", "--detail", "--json").out)
    assert all(len(board["detail"]["cross_table"]) == 2 for board in detailed)
    assert "how sure the order is" in arena("leaderboard", "--detail").out
    simulating = ("leaderboard", "--game", "gomoku", "--simulate")
    (checked,) = json.loads(arena(*simulating, "60", "--json").out)
    assert [e["engine"] for e in checked["simulated_errors"]] == [
        e["engine"] for e in by_family["gomoku"]["entries"]
    ]
    assert all(e["simulated"] > 0 < e["error"] for e in checked["simulated_errors"])
    assert "by setup and by simulation" in arena(*simulating, "60").out
    for words, said in (
        (["3"], "3 simulations: at least 50"),
        (["60", "--engine", strong], "--simulate goes with neither --engine nor --drift"),
        (["60", "--sides"], "--sides goes with none of"),
    ):
        ran = arena(*simulating, *words)
        assert (ran.code, ran.out) == (1, "") and said in ran.err
    by_sides = json.loads(arena("leaderboard", "--sides", "--json").out)
    assert [board["family"] for board in by_sides] == ["chinese_checkers", "gomoku"]
    assert all(len(board["players"]) == 2 and len(board["effects"]) >= 2 for board in by_sides)
    assert "by whole sides" in arena("leaderboard", "--sides", "--by-role").out
    assert {cell["verdict"]["family"] for cell in cells} == {
        sum(c["family"] == family and c["verdict"]["balance"] != "hidden" for c in cells)
        for family in by_family
    }
    assert "Verdicts: balanced is 40.0 % to 60.0 %" in arena("balance", "--margin", "10").out
    assert "no trend: it takes self-play of three" in arena("balance", "--trend").out
    explained = json.loads(arena("effects", "--json").out)
    assert any(
        effect["setting"].startswith("size") for table in explained for effect in table["effects"]
    )
    assert "closest to balance 1" in arena("effects").out
    blacks = json.loads(arena("effects", "--game", "gomoku", "--role", "black", "--json").out)
    assert {table["of"] for table in blacks} == {"black"}
    for options, said in (
        (("--role", "king"), "role 'king'"),
        (("--measure", "points"), "measure 'points': there are none"),
        (("--seat", "0", "--role", "black"), "give one of --seat, --role and --measure"),
    ):
        ran = arena("effects", "--game", "gomoku", *options)
        assert (ran.code, ran.out) == (1, "") and said in ran.err
    assert json.loads(arena("power", "--json").out)[0]["blocks"]["for_half_width"] > 100
    quality = json.loads(arena("workers", "--json").out)
    judged = quality["workers"]
    (machine,) = quality["hosts"]
    assert machine["games"] == 72 and judged[0]["worker"].endswith(f"@{machine['worker']}")
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

    # What a machine spoiled is dropped as a whole, with a reason that stays, and played again.
    for options, said in (
        (("--again", "nobody", "--reason", "hot"), "no worker or machine 'nobody'"),
        (("--again", judged[0]["worker"]), "give --reason with one of --void and --again"),
    ):
        ran = arena("workers", *options)
        assert (ran.code, ran.out) == (1, "") and said in ran.err
    dropped = arena("workers", "--again", judged[0]["worker"], "--reason", "the room was hot")
    assert f"{judged[0]['games']} games of" in dropped.out
    assert "Ratings with these games and without" in dropped.out
    mended = json.loads(arena("sweep", "tiny.toml", "--workers", "0", "--json").out)
    assert mended["summary"]["games_played"] == judged[0]["games"]
    assert mended["leaderboards"] == boards[0]
    arena("report", "--out", "mended")
    assert "the room was hot" in (tmp_path / "mended" / "index.html").read_text("utf-8")
    # A machine takes all of its workers along; what the ratings were stands beside what is left.
    voided = arena("workers", "--void", machine["worker"], "--reason", "nobody knows", "--json")
    out = json.loads(voided.out)
    assert out["dropped_games"] == 0
    rated = {
        (board["family"], entry["engine"]): entry["elo"]
        for board in boards[0]
        for entry in board["entries"]
    }
    assert {(r["family"], r["engine"]): r["before"] for r in out["ratings"]} == rated
    assert all(r["after"] is None for r in out["ratings"])
    assert json.loads(arena("balance", "--json").out) == []


def test_faults_are_said_and_show_in_the_exit_code(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "foul.toml").write_text(FOUL)
    ran = arena("sweep", "foul.toml", "--workers", "0", "--ledger", "other/place.db")
    assert ran.code == 3, ran.err
    assert "4 of 4 games are in other/place.db" in ran.out
    assert "fault: illegal_move 4" in ran.out
    again = arena("sweep", "foul.toml", "--workers", "0", "--ledger", "other/place.db")
    assert "0 played now" in again.out and "fault: illegal_move 4" in again.out
    assert again.code == 3, "a repeated command does not make the faults good"


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
    process = start(["sweep", "long.toml", "--workers", "0"], tmp_path)
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


def start(words: list[str], folder: Path, limit: int | None = None) -> subprocess.Popen[str]:
    """The command in a process of its own, whose files may have `limit` bytes at most."""
    import resource

    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        cwd=folder,
        env=os.environ | SETTINGS | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if limit is not None:
        # Not by preexec_fn: where gRPC has been at work, a process that runs Python between fork
        # and exec may abort.
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
    return process


def test_a_disk_that_gets_full_stops_a_sweep_which_then_goes_on(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "long.toml").write_text(TINY.replace("blocks = 6", "blocks = 60"))
    words = ["sweep", "long.toml", "--workers", "0", "--ledger", "a.db"]
    process = start(words, tmp_path, limit=150_000)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, ""), err
    (line,) = [line for line in err.splitlines() if line.startswith("arena: ")]
    assert line.startswith("arena: a.db: ") and "the disk may be full" in line
    assert "Traceback" not in err
    ran = arena(*words, "--report", "pages", "--json")
    summary = json.loads(ran.out)["summary"]
    assert ran.code == 0
    assert 0 < summary["games_played"] < summary["games_done"] == 720
    arena("sweep", "long.toml", "--workers", "0", "--report", "whole", "--ledger", "whole.db")
    assert digest(tmp_path / "pages") == digest(tmp_path / "whole")


@pytest.mark.parametrize("where", ["/proc/none/a.db", "/proc/a.db", "/sys/a.db"])
def test_a_ledger_where_nobody_may_write(where: str, arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    ran = arena("sweep", "tiny.toml", "--workers", "0", "--ledger", where)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"arena: {where}: ") and ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "says"),
    [
        ("--ledger", "", "--ledger: must be a path or a postgresql:// URL"),
        ("--ledger", " ", "--ledger: must be a path or a postgresql:// URL"),
        ("--ledger", "/dev/null", "/dev/null: is no file (a device or a pipe); a ledger is"),
        ("--workers", "99999", "99,999 workers: at most"),
    ],
)
def test_an_option_that_cannot_be_meant(
    option: str, value: str, says: str, arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    ran = arena("sweep", "tiny.toml", option, value)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[-1].startswith(f"arena: {says}")


def test_names_that_differ_in_odd_letters_have_ledgers_of_their_own() -> None:
    names = ["a:b", "a?b", "a_b", "跳棋", "..", "", "a/b", "棋" * 500, "棋" * 501]
    paths = [default_ledger(name) for name in names]
    assert len(set(paths)) == len(names)
    assert paths[2:4] == [Path("runs/a_b.db"), Path("runs/跳棋.db")]
    assert all(path.parent == Path("runs") for path in paths)
    assert all(len(f"{path.name}-journal".encode()) <= 255 for path in paths)


def test_who_comes_second_says_that_it_waits(tmp_path: Path) -> None:
    (tmp_path / "tiny.toml").write_text(TINY)
    made = make_plan(load_sweep(tmp_path / "tiny.toml"))
    with Ledger.open(tmp_path / "a.db") as ledger, ledger.playing(made.sweep_id):
        process = start(["sweep", "tiny.toml", "--workers", "0", "--ledger", "a.db"], tmp_path)
        assert process.stderr is not None
        line = process.stderr.readline()
    out, err = process.communicate(timeout=60)
    assert f"another run (process {os.getpid()}) is playing this sweep; this one goes on" in line
    assert process.returncode == 0, err
    assert "72 of 72 games" in out


def test_the_second_interrupt_ends_a_sweep_at_once(tmp_path: Path) -> None:
    slow = TINY.replace('"greedy"', '"search:nodes=100000"').replace("[9, 11]", "[15]")
    (tmp_path / "tiny.toml").write_text(slow.replace("blocks = 6", "blocks = 600"))
    process = start(["sweep", "tiny.toml", "--workers", "1"], tmp_path)
    try:
        assert process.stderr is not None
        _wait_for_games(tmp_path / "runs" / "tiny.db", process)
        process.send_signal(signal.SIGINT)
        while "waiting for the games" not in (line := process.stderr.readline()):
            assert line, "ended too early"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, ""), err
    assert err.splitlines()[-1] == "arena: interrupted"
    assert "Traceback" not in err


@pytest.mark.parametrize("same", [True, False])
def test_two_sweeps_at_once_on_one_ledger(same: bool, arena: Arena, tmp_path: Path) -> None:
    text = TINY.replace("blocks = 6", "blocks = 40")
    (tmp_path / "one.toml").write_text(text)
    (tmp_path / "two.toml").write_text(text if same else text.replace("seed = 3", "seed = 4"))
    both = [
        start(["sweep", f"{name}.toml", "--workers", "0", "--ledger", "a.db", "--json"], tmp_path)
        for name in ("one", "two")
    ]
    sweeps = set()
    for process in both:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        found = json.loads(out)
        assert found["complete"] and found["summary"]["games_done"] == 480
        sweeps.add(found["summary"]["sweep_id"])
    assert len(sweeps) == (1 if same else 2)
    for sweep_id in sweeps:
        arena("report", "a.db", "--sweep", sweep_id, "--out", f"{sweep_id}.pages")
    for name in ("one", "two"):
        arena("sweep", f"{name}.toml", "--workers", "0", "--ledger", f"{name}.db")
        made = json.loads(arena("plan", f"{name}.toml", "--no-estimate", "--json").out)
        arena("report", f"{name}.db", "--out", f"{name}.pages")
        assert digest(tmp_path / f"{name}.pages") == digest(tmp_path / f"{made['sweep_id']}.pages")


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
