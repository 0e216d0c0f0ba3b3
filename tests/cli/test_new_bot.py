"""`arena bot new`: what it writes plays, in every game."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from arena.cli.new_bot import protos
from arena.plan import load_sweep
from tests.cli.conftest import ROOT, Arena

# Both kinds of information, many phases, seats that move at the same time.
GAMES = ("gomoku/renju_rif", "doudizhu/doc003", "siguo/doc001")
NPM = ROOT / "build" / "javascript" / "node_modules"
# Where tools/bots.sh builds a new bot, and the program that it makes of it.
BUILT = {
    "cpp": (ROOT / "build/cpp/bot", "build"),
    "go": (ROOT / "build/go/src/bot", "bot"),
    "rust": (ROOT / "build/rust/bot", "target"),
}
COMMANDS = {
    "python": "{python} bot.py",
    "javascript": "node bot.js",
    "cpp": "build/bot",
    "go": "./bot",
    "rust": "target/debug/bot",
}


def check(arena: Arena, language: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    games = [word for game in GAMES for word in ("--games", game)]
    # A busy machine is not the bot's fault: time enough for a move.
    words = ["bot", "check", COMMANDS[language], "--json", "--move-ms", "5000", *games]
    ran = arena(*words, env={"PYTHONPATH": str(ROOT)})
    findings = json.loads(ran.out)["findings"]
    assert [f for f in findings if f["outcome"] == "failed"] == []
    assert (ran.code, ran.err) == (0, "")
    assert sum(f["check"] == "moves" for f in findings) == len(GAMES)
    assert f"{folder.name} 1:" in findings[1]["detail"]


@pytest.mark.parametrize("language", COMMANDS)
def test_a_new_bot_is_complete_and_named_after_its_folder(
    language: str, arena: Arena, tmp_path: Path
) -> None:
    ran = arena("bot", "new", language, "我的 bot-1", "--json")
    assert (ran.code, ran.err) == (0, "")
    written = {Path(path) for path in json.loads(ran.out)["files"]}
    assert written == {p for p in Path("我的 bot-1").rglob("*") if p.is_file()}
    assert not any(re.search(r"\{\{\w+\}\}", path.read_text("utf-8")) for path in written)
    spec = load_sweep(Path("我的 bot-1") / "sweep.toml")
    assert spec.name == "我的 bot-1"
    again = arena("bot", "new", language, "我的 bot-1")
    assert (again.code, again.out) == (1, "")
    assert "is there already" in again.err


def test_the_python_bot_passes_the_check(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert arena("bot", "new", "python", "mine").code == 0
    check(arena, "python", tmp_path / "mine", monkeypatch)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node (Node.js 20 or newer)")
@pytest.mark.skipif(not NPM.is_dir(), reason="needs npm's packages: run tools/bots.sh")
def test_the_javascript_bot_passes_the_check(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert arena("bot", "new", "javascript", "mine").code == 0
    (tmp_path / "mine" / "node_modules").symlink_to(NPM)
    check(arena, "javascript", tmp_path / "mine", monkeypatch)


@pytest.mark.parametrize("language", BUILT)
def test_a_bot_that_is_built_passes_the_check(
    language: str, arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built, made = BUILT[language]
    if not (built / COMMANDS[language]).is_file():
        word = " rust" if language == "rust" else ""
        pytest.skip(f"not built: run tools/bots.sh{word}; CONTRIBUTING.md says what it needs")
    ran = arena("bot", "new", language, "bot", "--json")
    assert ran.code == 0
    for name in json.loads(ran.out)["files"]:
        path = Path(name).relative_to("bot")
        assert (built / path).read_bytes() == Path(name).read_bytes(), "stale: run tools/bots.sh"
    (tmp_path / "bot" / made).symlink_to(built / made)
    check(arena, language, tmp_path / "bot", monkeypatch)


@pytest.mark.parametrize("language", ["javascript", "cpp", "go", "rust"])
def test_the_bot_has_the_protocol_as_it_is(language: str, arena: Arena) -> None:
    assert arena("bot", "new", language, "mine").code == 0
    mine = Path("mine/proto/arena/v1")
    for path in mine.iterdir():
        assert path.read_bytes() == (protos() / "arena" / "v1" / path.name).read_bytes()
    imported = [
        line.split('"')[1]
        for path in mine.iterdir()
        for line in path.read_text("utf-8").splitlines()
        if line.startswith('import "arena/')
    ]
    assert all(Path("mine/proto", name).is_file() for name in imported)
    assert "arena/v1/types.proto" in imported
    assert (mine / "arena.proto").exists() == (language == "go")  # it can dial in
