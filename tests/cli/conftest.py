from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str


Arena = Callable[..., Ran]


@pytest.fixture
def arena(tmp_path: Path) -> Arena:
    """Runs the command in an empty folder, as a user's shell does."""

    def run(*words: str, stdin: str = "", env: dict[str, str] | None = None) -> Ran:
        return run_arena(words, tmp_path, stdin, env)

    return run


def run_arena(
    words: Sequence[str], cwd: Path, stdin: str = "", env: dict[str, str] | None = None
) -> Ran:
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "ARENA"))}
    settings |= {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "LANG": "C.UTF-8", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        env=settings | (env or {}),
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
