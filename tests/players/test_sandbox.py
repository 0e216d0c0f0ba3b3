"""A boxed program plays as any other, and can do no harm."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.command import CommandPlayer
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineSpec

ROOT = Path(__file__).parents[2]


def can_box() -> bool:
    """Whether bubblewrap is here, and may make namespaces."""
    trial = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    if shutil.which("bwrap") is None:
        return False
    return subprocess.run(trial, check=False).returncode == 0


BOXED = pytest.mark.skipif(not can_box(), reason="needs bubblewrap, and leave to use it")


def boxed(command: str, **limits: object) -> EngineSpec:
    spec = EngineSpec.parse(f"command:{command}", "boxed")
    return replace(spec, sandbox=replace(Sandbox(), **limits))  # type: ignore[arg-type]


def opened(spec: EngineSpec) -> EngineUnavailable:
    async def fails() -> EngineUnavailable:
        player = CommandPlayer(spec, MatchPolicy(connect_ms=20_000).limits())
        with pytest.raises(EngineUnavailable) as caught:
            await player.open()
        await player.close()
        return caught.value

    return asyncio.run(fails())


def rooms() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("arena-bot-*"))


@BOXED
def test_it_can_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    shutil.copy(ROOT / "tests" / "bots" / "prisoner.py", tmp_path / "folder")
    (tmp_path / "treasure").write_text("gold")
    monkeypatch.chdir(tmp_path / "folder")
    monkeypatch.setenv("ARENA_SECRET", "swordfish")
    before = rooms()
    with socket.create_server(("127.0.0.1", 0)) as outside:
        command = f"{{python}} prisoner.py {tmp_path}/treasure {outside.getsockname()[1]}"
        told = str(opened(boxed(command, memory_mib=200, files=64, disk_mib=16)))
    assert "exit code 3" in told
    assert json.loads(told.partition("it wrote:\n")[2]) == {
        "read a file outside": "FileNotFoundError",
        "write beside itself": "OSError",  # a read-only file system
        "call out": "ConnectionRefusedError",
        "fill the disk": "OSError",
        "fill the memory": "MemoryError",
        "open many files": "OSError",
        "secret": None,
        "processes": 3,  # bubblewrap's own, the warden, and itself
    }
    assert not (tmp_path / "folder" / "mark").exists()
    assert rooms() == before


@BOXED
def test_what_it_may_see_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "treasure").write_text("gold")
    monkeypatch.chdir(tmp_path / "folder")
    shutil.copy(ROOT / "tests" / "bots" / "prisoner.py", tmp_path / "folder")
    spec = boxed(f"{{python}} prisoner.py {tmp_path}/treasure 1", see=(f"{tmp_path}/treasure",))
    assert '"read a file outside": "did it: gold"' in str(opened(spec))


@BOXED
def test_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    before = rooms()
    free = EngineSpec.parse("command:{python} examples/bots/first_move.py", "free")
    own = boxed("{python} examples/bots/first_move.py")
    game = arena.game("gomoku/freestyle15")
    requests = [
        GameRequest(f"{i:032x}", "s", "c", i, 0, game, (engine, engine), i, i, opening_plies=4)
        for i, engine in enumerate((own, free) * 3)
    ]
    with MatchRunner(MatchPolicy(connect_ms=20_000)) as runner:
        played = list(runner.play(requests))
    assert not any(isinstance(result, NotPlayed) for result in played)
    assert {result.culprit for result in played if not isinstance(result, NotPlayed)} == {None}
    assert rooms() == before


@BOXED
def test_it_is_told_to_stop_and_has_a_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('goodbye', file=sys.stderr), sys.exit(0)))\n"
        "print('ARENA_BOT_PORT=1', flush=True)\n"
        "time.sleep(60)\n"
    )
    (tmp_path / "stop.py").write_text(script)

    async def stopped() -> tuple[int | None, str]:
        player = CommandPlayer(boxed("{python} stop.py"), MatchPolicy().limits())
        await player.reach()
        process = player._process
        assert process is not None
        await player.close()
        return process.returncode, player.last_words(100)

    code, words = asyncio.run(stopped())
    assert code == 0
    assert "goodbye" in words


def test_without_a_box_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    error = opened(boxed("{python} examples/bots/first_move.py"))
    assert error.cause is Unavailable.UNFIT
    assert "needs bubblewrap" in str(error)


@BOXED
def test_what_is_to_be_seen_must_be_there() -> None:
    assert "no file or folder '/nowhere/at/all'" in str(
        opened(boxed("x", see=("/nowhere/at/all",)))
    )
