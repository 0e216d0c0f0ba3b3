"""A folder of pages: templates in, files out, everything the pages need beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

STATIC = ("style.css", "page.js", "replay.js")
PLOTLY = "plotly.min.js"


class Site:
    """Writes pages into one folder."""

    def __init__(self, folder: Path, links: list[Mapping[str, str]]) -> None:
        """`links` are the pages of the menu: href, en, zh."""
        self.folder = folder
        self.links = links
        self.pages: list[str] = []
        self._templates = Environment(
            loader=PackageLoader("arena.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self._templates.filters["script_json"] = script_json

    def write_static(self) -> None:
        """The style sheet, the scripts and plotly, so that no page needs the network."""
        import plotly.offline

        for name in STATIC:
            text = files("arena.report").joinpath("static", name).read_text("utf-8")
            self._write(f"static/{name}", text)
        self._write(f"static/{PLOTLY}", plotly.offline.get_plotlyjs())

    def page(self, href: str, template: str, title: str, **values: Any) -> None:
        """Render one page. `href` is its place in the folder, with forward slashes."""
        up = "../" * href.count("/")
        text = self._templates.get_template(template).render(
            site=self, here=href, up=up, title=title, **values
        )
        self._write(href, text)
        self.pages.append(href)

    def _write(self, href: str, text: str) -> None:
        path = self.folder / href
        path.parent.mkdir(parents=True, exist_ok=True)
        # A lone surrogate in a bot's name has no bytes; it is shown as a question mark.
        path.write_bytes(text.encode("utf-8", "replace"))


def script_json(value: Any) -> Markup:
    """JSON that is safe inside a ``<script>`` element: nothing in it can close the element.

    >>> print(script_json({"name": "</script>"}))
    {"name":"\\u003c/script\\u003e"}
    """
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    text = json.dumps(
        plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)
