"""What importing costs: heavy libraries are loaded where they are used, not before."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"ray", "grpc", "sqlalchemy", "scipy", "plotly", "pyarrow", "typer", "rich", "jinja2"}


def loaded_by(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in out.stdout.split()}


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import arena", set()),
        ("import arena._core", set()),
        ("import arena; arena.game('gomoku/doc001').new_state()", set()),
        ("import arena; arena.game('chinese_checkers/doc001').new_state()", set()),
        ("import arena.match.request, arena.players.spec, arena.ledger.result", set()),
        ("import arena.plan", set()),
        ("import arena.sdk", {"grpc"}),
    ],
)
def test_nothing_heavy_is_loaded(code: str, allowed: set[str]) -> None:
    assert not (loaded_by(code) & HEAVY) - allowed


def test_the_core_needs_no_other_library() -> None:
    assert not loaded_by("import arena._core") & {"pydantic", "numpy", "google"}
