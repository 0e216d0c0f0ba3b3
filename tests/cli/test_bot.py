"""`arena bot`, as an author runs it."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree

from arena.sdk import Bot, Turn
from tests.cli.conftest import ROOT, Arena

# It serves the protocol but not the health service.
RAW = shlex.join([sys.executable, "-m", "tests.bots.raw", "plain"])


def test_check_prints_each_finding_and_answers_by_its_exit_code(
    arena: Arena, tmp_path: Path
) -> None:
    words = ["bot", "check", RAW, "--games", "gomoku/freestyle15", "--check", "moves"]
    here = {"PYTHONPATH": str(ROOT)}
    ran = arena(*words, env=here)
    assert (ran.code, ran.err) == (0, "")
    names = [line.split()[:2] for line in ran.out.splitlines()[:-1]]
    assert names == [["ok", "ready"], ["ok", "describe"], ["skip", "new_game"], ["ok", "moves"]]
    assert ran.out.splitlines()[-1].startswith("3 passed, 0 failed, 1 skipped in ")
    junit = tmp_path / "findings.xml"
    ran = arena(*words, "--check", "health", "--json", "--junit", str(junit), env=here)
    assert (ran.code, ran.err) == (3, "")
    told = json.loads(ran.out)
    assert told["passed"] is False
    (failed,) = (each for each in told["findings"] if each["outcome"] == "failed")
    assert failed["check"] == "health" and "UNIMPLEMENTED" in failed["detail"]
    assert len(told["findings"]) == len(ElementTree.parse(junit).findall(".//testcase")) == 5


class First(Bot):
    def choose(self, turn: Turn) -> str:
        return turn.legal[0]


class Wild(Bot):
    def choose(self, turn: Turn) -> str:
        return turn.legal[0] if turn.ply < 4 else "z99"


HERE = "python:tests.cli.test_bot"


def test_play_seats_the_bot_among_reference_engines_and_draws_the_board(arena: Arena) -> None:
    words = ("bot", "play", f"{HERE}:First", "gomoku/freestyle15", "--seat", "1")
    ran = arena(*words, "--against", "search:nodes=50", "--save", "game.json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("1. seat 0 (search:nodes=50): ")
    assert f"\n2. seat 1 ({HERE}:First): A1" in ran.out
    assert "15 . . ." in ran.out
    assert f"{HERE}:First: 0, place 2" in ran.out.splitlines()[-1]
    moves = json.loads(Path("game.json").read_text("utf-8"))["moves"]
    assert moves[1] == [1, "a1"]
    found = json.loads(arena(*words, "--json").out)
    assert found["engines"] == ["random", f"{HERE}:First"]


def test_play_says_where_a_bot_has_failed(arena: Arena) -> None:
    ran = arena("bot", "play", f"{HERE}:Wild", "gomoku/freestyle15", "--quiet")
    assert ran.code == 3 and "z99" in ran.out
    ran = arena("bot", "play", "localhost:1", "gomoku/freestyle15", "--seat", "2")
    assert (ran.code, ran.out) == (1, "") and "--seat 2: gomoku/freestyle15 has seats" in ran.err


def test_replay_asks_for_every_turn_of_a_seat_again(arena: Arena) -> None:
    arena("play", "gomoku/swap2", "--seat0", f"{HERE}:First", "--save", "game.json", "--quiet")
    ran = arena("bot", "replay", "game.json", f"{HERE}:First", "--seat", "0")
    assert (ran.code, ran.err) == (0, "")
    *turns, last = ran.out.splitlines()
    assert turns[0].startswith("0. seat 0: a1 | a1  same  ")
    assert all("  same  " in turn for turn in turns)
    assert last == f"{len(turns)} turns, {len(turns)} answered as recorded"


def test_replay_of_one_ply_shows_the_board_and_says_what_is_wrong(arena: Arena) -> None:
    arena("play", "gomoku/freestyle15", "--seat0", f"{HERE}:First", "--save", "game.json")
    ran = arena("bot", "replay", "game.json", f"{HERE}:Wild", "--ply", "4")
    assert ran.code == 3
    assert "15 . . ." in ran.out and "| z99  illegal move: 'z99'" in ran.out
    ran = arena("bot", "replay", "game.json", f"{HERE}:Wild", "--ply", "2", "--ply", "4", "--json")
    assert ran.code == 3
    good, bad = json.loads(ran.out)["turns"]
    assert (good["ply"], good["same"], good["trouble"]) == (2, True, "")
    assert (bad["ply"], bad["same"], bad["answer"]["move"]) == (4, False, "z99")
    assert "z99" in bad["trouble"] and '"board"' in bad["observation"]


def test_replay_says_where_there_is_no_such_turn(arena: Arena) -> None:
    arena("play", "gomoku/freestyle15", "--save", "game.json", "--quiet")
    for words, says in (
        (["--seat", "2"], "has seats 0 to 1"),
        (["--ply", "999"], "--ply 999: the game has"),
    ):
        ran = arena("bot", "replay", "game.json", "random", *words)
        assert (ran.code, ran.out) == (1, "")
        assert says in ran.err
