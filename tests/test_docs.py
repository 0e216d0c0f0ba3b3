"""The documents keep their word: their Python runs, their links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S)
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_python_examples_run(page: Path) -> None:
    """The ```python blocks of a page run in order, as one program.

    A block whose first line is a comment beginning with "# not run" is for reading only.
    """
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), flags=re.S | re.M)
    namespace: dict[str, object] = {"__name__": "example"}
    for block in blocks:
        if not block.startswith("# not run"):
            exec(compile(block, page.name, "exec"), namespace)
