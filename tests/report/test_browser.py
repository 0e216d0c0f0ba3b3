"""The pages in a real browser: charts draw, replays step, languages switch."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.report import build_report
from tests.report.conftest import Fill

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no chromium on this machine")


@pytest.fixture(scope="module")
def folder(fill: Fill, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with fill() as ledger:
        return build_report(ledger, tmp_path_factory.mktemp("browser") / "report").folder


def rendered(page: Path, tail: str, tmp_path: Path) -> str:
    """The page's elements after its scripts have run."""
    done = subprocess.run(
        [
            str(BROWSER),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=8000",
            "--dump-dom",
            page.resolve().as_uri() + tail,
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    return done.stdout


def test_a_replay_steps_to_the_move_that_is_asked_for(folder: Path, tmp_path: Path) -> None:
    page = next(
        path
        for path in sorted((folder / "replays").iterdir())
        if "gomoku" in path.read_text("utf-8").split("</h1>")[1][:200]
    )
    boards = {}
    for ply in (0, 3, 4):
        html = rendered(page, f"#{ply}", tmp_path)
        total = re.search(rf"<output>{ply} / (\d+)</output>", html)
        assert total and int(total[1]) >= 4
        assert re.search(rf'<a href="#{ply}" aria-current="step">', html)
        boards[ply] = html.split('<div class="board">')[1].split("</svg>")[0]
    assert "<svg" in boards[0]
    # Gomoku's picture puts one more stone on the board with every move.
    stones = {ply: len(re.findall(r"<circle[^>]*url\(#", board)) for ply, board in boards.items()}
    assert stones[3] - stones[0] == 3 and stones[4] - stones[3] == 1


def test_charts_are_drawn_and_nothing_runs_that_a_bot_wrote(folder: Path, tmp_path: Path) -> None:
    html = rendered(folder / "balance-gomoku.html", "?lang=zh&theme=dark", tmp_path)
    assert re.search(r'<html[^>]*data-lang="zh"', html)
    assert re.search(r'<html[^>]*data-theme="dark"', html)
    assert "main-svg" in html  # plotly's own drawing
    assert "<script>alert" not in html
