from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.cli import main

ROOT = Path(__file__).parents[2]
SETTINGS = {"COLUMNS": "100", "LANG": "C.UTF-8", "NO_COLOR": "1"}


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Arena = Callable[..., Ran]


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Arena:
    """Runs the command in an empty folder, within this process."""
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "ARENA_DEBUG"):
        monkeypatch.delenv(name, raising=False)

    def run(*words: str, stdin: str = "", env: dict[str, str] | None = None) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        for name, value in (SETTINGS | (env or {})).items():
            monkeypatch.setenv(name, value)
        capsys.readouterr()
        code = main(words)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def spawn_arena(words: Sequence[str], cwd: Path) -> Ran:
    """Runs the command as a user's shell does."""
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "ARENA_"))}
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env=settings | SETTINGS | {"PYTHONPATH": str(ROOT)},
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
