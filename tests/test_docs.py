"""The documents keep their word: their Python runs, their links lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import arena

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_examples_run(page: Path) -> None:
    """The ```python blocks of a page run in order, as one program.

    A block whose first line is a comment beginning with "# not run" is for reading only.
    """
    blocks = re.findall(
        r"^```python\n(.*?)^```", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    program = "\n".join(block for block in blocks if not block.startswith("# not run"))
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, f"{page.name}:\n{program}\n{run.stderr}"


def test_set_ups_of_played_examples_can_be_read() -> None:
    found = 0
    for page in PAGES:
        text = page.read_text("utf-8").replace("\\\n", " ")
        for book, setup in re.findall(r'^arena play (\S+) .*--setup "([^"]+)"', text, re.MULTILINE):
            state = arena.game(book).new_state(setup=setup)
            assert state.seats_to_act(), f"{page.name}: {setup}"
            found += 1
    assert found >= 4
