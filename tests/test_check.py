"""`./check` with programs that only pretend: what it leaves behind where a step fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = ("python", "pip", "ruff", "buf", "git", "clang-format", "gofmt", "rustfmt", "pyright")


def program(path: Path, text: str = "exit 0") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_type_checkers_end_where_another_step_fails(tmp_path: Path) -> None:
    shutil.copy(ROOT / "check", tmp_path)
    for name in TOOLS:
        program(tmp_path / ".venv" / "bin" / name)
    program(tmp_path / "tools" / "ccache.sh", ":")
    # A child, as pyright has one; the step that fails waits until it is there.
    pids = tmp_path / "pids"
    program(tmp_path / ".venv" / "bin" / "mypy", f"sleep 60 & echo $$ $! >{pids}; wait")
    waiting = f"while [ ! -s {pids} ]; do sleep 0.01; done; echo broken; exit 7"
    program(tmp_path / "tools" / "bots.sh", waiting)
    ran = subprocess.run(
        [tmp_path / "check", "--quick"], capture_output=True, text=True, timeout=30, check=False
    )
    assert ran.returncode == 7 and "broken" in ran.stdout
    assert "== types" not in ran.stdout
    for pid in map(int, pids.read_text().split()):
        deadline = time.monotonic() + 5
        while alive(pid):
            assert time.monotonic() < deadline, f"process {pid} runs on"
            time.sleep(0.01)


def alive(pid: int) -> bool:
    """Whether a process runs: it exists, and is no zombie that nobody has waited for."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    said = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
    return said.stdout.strip() != b"" and not said.stdout.startswith(b"Z")
