"""An event through the command line: tables, brackets, interruption, the same end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.conftest import ROOT, SETTINGS, Arena

EVENT = """
name = "cup"
seed = 4

[game]
rulebook = "gomoku/freestyle15"
settings = { size = 9 }
opening_plies = 2

[engines]
ann = "search:nodes=40"
bob = "greedy"
cy = "greedy:noise=40"
dee = "search:nodes=20"
eve = "random"

[series]
games = 2

[[stages]]
format = "groups"
size = 3
advance = 2

[[stages]]
format = "knockout"
third_place = true
series = { games = 2, decided = "lead", most = 4 }
"""


def test_an_event_from_file_to_ranking(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(EVENT)
    ran = arena("tournament", "cup.toml", "--show")
    assert ran.code == 0 and "to be played" in ran.out and "Group B" in ran.out
    assert not (tmp_path / "runs").exists(), "looking writes nothing"
    ran = arena("tournament", "cup.toml", "--workers", "0", env={"COLUMNS": "80"})
    assert ran.code == 0, ran.err
    assert "Stage 1: Groups" in ran.out and "Stage 2: Knock-out" in ran.out
    assert "(third place)" in ran.out and "┐" in ran.out
    assert "Final ranking" in ran.out
    assert "Beware: matches of this event went on until they were decided" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    again = arena("tournament", "cup.toml", "--workers", "0", "--lang", "zh")
    assert "淘汰赛" in again.out and "最终名次" in again.out and "有偏" in again.out
    assert "本次下了 0 局" in again.out
    document = json.loads(arena("tournament", "cup.toml", "--json", "--show").out)
    assert document["complete"] is True and len(document["warnings"]) == 1
    assert [stage["format"] for stage in document["stages"]] == ["groups", "knockout"]
    assert document["ranking"][0]["place"] == 1
    assert sorted(each["entrant"] for each in document["ranking"]) == [
        "ann",
        "bob",
        "cy",
        "dee",
        "eve",
    ]
    games = [
        game
        for stage in document["stages"]
        for played in stage["rounds"]
        for match in played
        for board in match["boards"]
        for game in board["games"]
    ]
    assert len(games) == document["games"]
    # Its games are in the ledger as those of a sweep are.
    replayed = json.loads(arena("replay", games[0]["game_id"], "--json").out)
    assert replayed["game_id"] == games[0]["game_id"]
    for where in ("runs/cup.db", "cup.toml"):
        board = arena("leaderboard", where)
        assert board.code == 0 and "ann@" in board.out
        assert "Beware: matches of this event" in board.out
    assert "Beware" in arena("balance").out
    assert "warnings" in json.loads(arena("leaderboard", "--json").out)[0]
    assert arena("report", "--out", "pages").code == 0
    for page in ("index.html", "leaderboard-gomoku.html", "balance-gomoku.html"):
        assert "Beware: matches of this event" in (tmp_path / "pages" / page).read_text("utf-8")


def test_a_fixed_number_of_games_needs_no_warning(arena: Arena, tmp_path: Path) -> None:
    text = EVENT.split("[[stages]]")[0] + '[[stages]]\nformat = "round_robin"\n'
    (tmp_path / "cup.toml").write_text(text)
    ran = arena("tournament", "cup.toml", "--workers", "0")
    assert ran.code == 0 and "Beware" not in ran.out
    assert "Beware" not in arena("leaderboard").out
    assert arena("report", "--out", "pages").code == 0
    assert "Beware" not in (tmp_path / "pages" / "index.html").read_text("utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_longest_row_of_tie_breaks_fits_eighty_columns(
    arena: Arena, tmp_path: Path, lang: str
) -> None:
    text = EVENT.split("[[stages]]")[0].replace("games = 2", "games = 1")
    text += """
[[stages]]
format = "swiss"
system = "neighbours"
rounds = 2
score = "match"
points = { win = 3, draw = 1 }
tiebreaks = ["round_points", "round_difference", "round_total", "difference", "total", "lot"]
"""
    (tmp_path / "cup.toml").write_text(text)
    ran = arena("tournament", "cup.toml", "--workers", "0", "--lang", lang, env={"COLUMNS": "80"})
    assert ran.code == 0, ran.err
    assert max(map(cell_len, ran.out.splitlines())) <= 80
    (row,) = [line for line in ran.out.splitlines() if line.split()[:1] == ["1"] and "-" in line]
    assert len(row.split()) == 10


@pytest.mark.parametrize(
    ("find", "put", "says"),
    [
        ('format = "groups"', 'format = "group"', ":21: stages.0.format: must be 'round_robin'"),
        ("advance = 2", "advanc = 2", ":23: stages.0.advanc: no such setting; did you mean"),
        ("advance = 2", "", "stages.0.advance: is missing: how many play the next stage"),
        (
            "size = 3\n",
            "size = 3\nrounds = 3\n",
            "stages.0.rounds: has no effect under format = groups",
        ),
        ('"gomoku/freestyle15"', '"gomoku/freestile"', ":6: game.rulebook: no rulebook"),
        ("{ size = 9 }", "{ sizes = 9 }", ":7: game.settings: gomoku/freestyle15"),
        ('bob = "greedy"', 'bob = "gredy"', ":12: engines.bob.use: gomoku/freestyle15"),
        ("games = 2\n", 'games = 2\nfinal = "coin"\n', ":19: series.final: must be 'lots'"),
        ("games = 2\n", "games = 2\nmost = 4\n", ":19: series.most: has no effect"),
        (
            "third_place = true",
            'hero = "ann"',
            "stages.1.hero: has no effect under format = knockout",
        ),
        (
            "seed = 4",
            'seed = 4\npreset = "doc001/chess"',
            ":4: preset: no such preset; did you mean",
        ),
        ("[series]", '[entrants]\nred = "anne"\n[series]', "no engine 'anne'; did you mean 'ann'"),
        ("[series]", '[entrants]\nred = "ann"\n[series]', "'bob' plays for no entrant"),
        ("[series]", '[entrants]\nx = "ann"\ny = "ann"\n[series]', "'ann' plays for 'x' already"),
        (
            'format = "groups"\nsize = 3',
            'format = "swiss"\nrounds = 7',
            "must be at most 5: 5 entrants",
        ),
        ("most = 4 }", "most = 1 }", "stages.1.series.most: must be at least games = 2"),
        (
            'format = "groups"\nsize = 3\nadvance = 2',
            'format = "knockout"\nadvance = 3',
            ":22: stages.0.advance: must be 2, 4, 8, …: a bracket halves (got 3)",
        ),
        ("advance = 2", "advance = 2\nsettings = { size = 99 }", ":24: stages.0.settings: gomoku"),
        ("advance = 2", "advance = 2\npoints = { win = nan }", "stages.0.points.win: "),
        ("advance = 2", "advance = 2\nplace_points = [3, inf]", "stages.0.place_points.1: "),
        ("advance = 2", 'advance = 2\nscore = "boards"', "score: needs entrants with boards"),
        ("advance = 2", 'advance = 2\nsmall = "levels"', "gomoku/freestyle15 has no levels"),
        ("advance = 2", "advance = 3", ":23: stages.0.advance: must be at most 2: 5 entrants make"),
        (
            'format = "groups"\nsize = 3\nadvance = 2',
            'format = "round_robin"\nadvance = 6',
            ":22: stages.0.advance: must be at most 5: 5 entrants begin",
        ),
        (
            'format = "groups"\nsize = 3\nadvance = 2',
            'format = "knockout"\ndraw = "each_round"\nadvance = 4',
            ":23: stages.0.advance: must be one of 3, 2, 1: so many are left of 5",
        ),
        (
            "advance = 2",
            'advance = 2\ntiebreaks = ["direct", "wins", "direct"]',
            ":24: stages.0.tiebreaks: names 'direct' twice",
        ),
        (
            "[series]",
            '[match]\non_timeout = "skip"\n[series]',
            ":18: match.on_timeout: has no effect: gomoku/freestyle15 lets no turn pass",
        ),
        (
            "third_place = true",
            'small = "games"',
            "stages.1.small: has no effect under format = knockout",
        ),
    ],
)
def test_errors_name_the_place(
    arena: Arena, tmp_path: Path, find: str, put: str, says: str
) -> None:
    assert find in EVENT
    (tmp_path / "cup.toml").write_text(EVENT.replace(find, put, 1))
    ran = arena("tournament", "cup.toml", "--workers", "0")
    assert ran.code == 1
    assert ran.err.startswith("arena: cup.toml:")
    assert says in ran.err
    assert not (tmp_path / "runs").exists()


LONG = EVENT.replace("games = 2\n", "games = 24\n").replace("size = 9", "size = 15")


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_event_comes_to_the_same_end(
    arena: Arena, tmp_path: Path, how: signal.Signals
) -> None:
    (tmp_path / "cup.toml").write_text(LONG)
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "tournament", "cup.toml", "--workers", "0"],
        cwd=tmp_path,
        env=os.environ | SETTINGS | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_for_games(tmp_path / "runs" / "cup.db", process)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    if how is signal.SIGINT:
        assert process.returncode == 130, err
        assert "the same command goes on" in err and "Traceback" not in err
    ran = arena("tournament", "cup.toml", "--workers", "0", "--json")
    assert ran.code == 0, ran.err
    resumed = json.loads(ran.out)
    assert 0 < resumed["games_played"] < resumed["games"]
    whole = arena("tournament", "cup.toml", "--workers", "0", "--ledger", "whole.db", "--json")
    undisturbed = json.loads(whole.out)
    for document in (resumed, undisturbed):
        del document["ledger"], document["games_played"]
    assert json.dumps(resumed) == json.dumps(undisturbed)
    shown = [
        arena("tournament", "cup.toml", "--show", "--ledger", w).out.rsplit("\n", 2)[0]
        for w in ("runs/cup.db", "whole.db")
    ]
    assert shown[0] == shown[1]


def wait_for_games(path: Path, process: subprocess.Popen[str]) -> None:
    from arena.ledger import Ledger, LedgerError

    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the event ended before it could be interrupted"
        if path.exists():
            try:
                with Ledger.open(path, create=False) as ledger:
                    if ledger.sweeps() and len(ledger.table()) > 0:
                        return
            except LedgerError:
                pass  # not made yet
        time.sleep(0.02)
    raise AssertionError("no game within a minute")


def test_the_example_plays(arena: Arena) -> None:
    ran = arena(
        "tournament", str(ROOT / "examples" / "tournament.toml"), "--workers", "0", "--json"
    )
    assert ran.code == 0, ran.err
    document = json.loads(ran.out)
    assert document["complete"] and len(document["ranking"]) == 8
    assert document["ranking"][0]["entrant"] in ("shallow", "patient", "deep")


def test_a_sweep_given_to_tournament_is_called_one(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nrungs = [1]\n[[games]]\nrulebooks = "gomoku/doc001"\n'
    )
    ran = arena("tournament", "mine.toml")
    assert ran.code == 1
    assert "mine.toml:3: games: makes this a sweep: `arena sweep` plays it" in ran.err
