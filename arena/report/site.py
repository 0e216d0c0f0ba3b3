"""A folder of pages: templates in, files out, everything the pages need beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena import _core
from arena.games import Names
from arena.report import text
from arena.report.names import page_name

STATIC = ("style.css", "page.js", "replay.js")
PLOTLY = "plotly.min.js"


class Site:
    """Writes pages into one folder."""

    def __init__(
        self, folder: Path, links: Sequence[Mapping[str, str]], warning: Names | None = None
    ) -> None:
        """`links` are the pages of the menu: href, en, zh. `warning` stands on every page."""
        self.folder = folder
        self.warning = warning
        self.links = links
        self.pages: list[str] = []
        self._templates = _environment()

    def write_static(self) -> None:
        """The style sheet, the scripts and plotly, so that no page needs the network."""
        for name in STATIC:
            self.write(f"static/{name}", static(name))
        self.write(f"static/{PLOTLY}", import_module("plotly.offline").get_plotlyjs())

    def page(self, href: str, template: str, title: str, **values: Any) -> None:
        """Render one page. `href` is its place in the folder, with forward slashes."""
        up = "../" * href.count("/")
        html = self._templates.get_template(template).render(
            links=self.links,
            inline=None,
            here=href,
            up=up,
            title=title,
            warning=self.warning,
            **values,
        )
        self.write(href, html)
        self.pages.append(href)

    def write(self, href: str, body: str) -> None:
        """Write a file of the folder; `href` as of `page`."""
        path = self.folder / href
        path.parent.mkdir(parents=True, exist_ok=True)
        # A lone surrogate in a bot's name has no bytes; it is shown as a question mark.
        path.write_bytes(body.encode("utf-8", "replace"))


def single_page(template: str, title: str, **values: Any) -> str:
    """One page that stands alone: styles and scripts inside, no menu."""
    inline = {name: Markup(static(name)) for name in STATIC}
    return (
        _environment()
        .get_template(template)
        .render(links=(), inline=inline, here="", up="", title=title, warning=None, **values)
    )


def static(name: str) -> str:
    """The text of a style sheet or script of this package."""
    return files("arena.report").joinpath("static", name).read_text("utf-8")


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("arena.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters["script_json"] = script_json
    made.globals.update(
        number=text.number,
        percent=text.percent,
        elo=text.elo,
        elo_range=text.elo_range,
        elo_interval=text.elo_interval,
        share_interval=text.share_interval,
        plain_interval=text.plain_interval,
        role_names=text.role_names,
        party_names=text.party_names,
        verdict_names=text.verdict_names,
        ending=ending,
        page_name=page_name,
    )
    return made


def ending(termination: str) -> Names:
    """A termination's name in both languages; an unknown one as it is."""
    known = getattr(_core.Termination, termination, None)
    if known is None:
        return Names(termination, termination)
    return Names(_core.label(known), _core.label(known, zh=True))


def script_json(value: Any) -> Markup:
    """JSON that is safe inside a ``<script>`` element: nothing in it can close the element.

    >>> print(script_json({"name": "</script>"}))
    {"name":"\\u003c/script\\u003e"}
    """
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    written = json.dumps(
        plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )
    for char in "<>&\u2028\u2029":
        written = written.replace(char, f"\\u{ord(char):04x}")
    return Markup(written)
