"""A program in a container image plays as any other, under limits, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.match.runner import MatchRunner
from arena.players.fault import Unavailable
from arena.players.sandbox import Sandbox
from arena.players.spec import EngineKind, EngineSpec, EngineSpecError
from tests.players.test_sandbox import opened, rooms

ROOT = Path(__file__).parents[2]
BOT = ROOT / "build" / "go" / "src" / "bot" / "bot"
NAME = "localhost/arena-test-bot:1"
# For machines with the kernel's older groups, no system service to ask for a place in them, and limits
# of their own below those that podman would set.
SETTINGS = """
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "none"
[containers]
default_ulimits = ["nproc=1024:1024", "nofile=1024:1024"]
"""

CAN_PACK = pytest.mark.skipif(
    shutil.which("podman") is None or not BOT.exists(),
    reason="needs podman, and the bot of Go that tools/bots.sh builds",
)


def podman(*words: str) -> str:
    return subprocess.run(["podman", *words], check=True, capture_output=True, text=True).stdout


def libraries(program: str) -> set[str]:
    told = subprocess.run(["ldd", program], check=False, capture_output=True, text=True).stdout
    return set(re.findall(r"(/\S+)", told))


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An image of a shell, two tools, and a bot."""
    folder = tmp_path_factory.mktemp("image")
    (folder / "containers.conf").write_text(SETTINGS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONTAINERS_CONF", str(folder / "containers.conf"))
        tools = [f"/bin/{name}" for name in ("sh", "cat", "dd", "sleep")]
        files = {*tools, *(library for tool in (*tools, str(BOT)) for library in libraries(tool))}
        with tarfile.open(folder / "root.tar", "w", dereference=True) as archive:
            archive.add(BOT, "bot")
            for file in files:
                archive.add(file)
        podman("import", str(folder / "root.tar"), NAME)
        try:
            podman("run", "--rm", "--network=none", NAME, "/bin/sleep", "0")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"podman cannot start a container here: {error.stderr.strip()}")
        yield NAME
        podman("rmi", "--force", NAME)


def spec_of(command: str, **limits: object) -> EngineSpec:
    spec = EngineSpec.parse(f"command:{command}", "packed")
    sandbox = replace(Sandbox(), **limits) if limits else None  # type: ignore[arg-type]
    return replace(spec, sandbox=sandbox)


def containers() -> list[str]:
    return podman("ps", "--all", "--format", "{{.Names}}").split()


def until_none() -> None:
    deadline = time.monotonic() + 20
    while containers() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not containers()


@CAN_PACK
def test_it_plays_as_any_other(image: str) -> None:
    before = rooms()
    bot = spec_of(f"image://{image} /bot")
    game = arena.game("gomoku/freestyle15")
    requests = [
        GameRequest(f"{i:032x}", "s", "c", i, 0, game, (bot, bot), i, i, opening_plies=4)
        for i in range(6)
    ]
    with MatchRunner(MatchPolicy(connect_ms=30_000)) as runner:
        played = list(runner.play(requests))
        assert len(containers()) == 1
    assert len(played) == 6
    for result in played:
        assert not isinstance(result, NotPlayed), result
        assert result.culprit is None
    until_none()
    assert rooms() == before


@CAN_PACK
@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("cat /etc/passwd", "No such file"),
        ("echo x > /here", "Read-only file system"),
        ("dd if=/dev/zero of=/tmp/much bs=1M count=64", "No space left on device"),
        ("ulimit -n 100000", "Operation not permitted"),
        ("dd if=/dev/zero of=/dev/null bs=400M count=1 || echo too much", "too much"),
        ("echo $ARENA_SECRET$HOME$PATH", ""),
    ],
)
def test_it_can_do_no_harm(
    script: str, told: str, image: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ARENA_SECRET", "swordfish")
    command = f"image://{image} /bin/sh -c '{{ {script}; }} >&2; exit 3'"
    error = opened(spec_of(command, disk_mib=16, memory_mib=128))
    assert "exit code 3" in str(error) and told in str(error)
    assert "swordfish" not in str(error)
    until_none()
    assert not list(tmp_path.iterdir())


@CAN_PACK
def test_an_image_that_is_not_here_is_not_fetched(image: str) -> None:
    error = opened(spec_of("image://localhost/no-such-bot:1"))
    assert "exit code 125" in str(error) and "no-such-bot" in str(error)


def test_it_needs_a_name() -> None:
    with pytest.raises(EngineSpecError, match="must be image://NAME, a container image"):
        EngineSpec.parse("image:// --fast")
    spec = EngineSpec.parse("image://localhost/bot:1")
    assert (spec.kind, spec.target) == (EngineKind.COMMAND, "image://localhost/bot:1")


def test_it_is_not_started_without_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    error = opened(spec_of("image://localhost/bot:1"))
    assert error.cause is Unavailable.UNFIT
    assert "needs podman or docker, and this machine has neither" in str(error)


@CAN_PACK
def test_who_started_it_may_be_killed(image: str) -> None:
    script = f"""
import asyncio, sys
from arena.match.policy import MatchPolicy
from arena.players.command import CommandPlayer
from arena.players.spec import EngineKind, EngineSpec, EngineSpecError
async def stay():
    spec = EngineSpec.parse("command:image://{image} /bot", "packed")
    await CommandPlayer(spec, MatchPolicy(connect_ms=30_000).limits()).open()
    print("up", flush=True)
    await asyncio.sleep(60)
asyncio.run(stay())
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        assert len(containers()) == 1
        os.kill(process.pid, signal.SIGKILL)
    until_none()
