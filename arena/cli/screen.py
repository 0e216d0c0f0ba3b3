"""How commands print: tables for people, one JSON document for programs, two languages."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.games import Names

if TYPE_CHECKING:
    from rich.console import Console

LEAST_WIDTH = 12
"""Columns of a table's cell whose text may be broken."""

LONGEST_WORD = 28
"""Columns of the longest word that a table keeps in one piece, such as an engine's name."""

GAP = 3
"""Columns between two of a table's."""

PIPE_WIDTH = 140
"""Columns of a table when the output is no terminal and COLUMNS says nothing."""


class Lang(StrEnum):
    """Language of headings."""

    EN = "en"
    ZH = "zh"


def system_lang() -> Lang:
    """Chinese where the locale's variables say so, otherwise English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return Lang.ZH if value.lower().startswith("zh") else Lang.EN
    return Lang.EN


JsonOption = Annotated[
    bool, typer.Option("--json", help="One JSON document on standard output instead of tables.")
]
LangOption = Annotated[
    Lang | None,
    typer.Option(
        "--lang", help="Language of headings; the locale's if not given.", metavar="en|zh"
    ),
]


def clean(text: str) -> str:
    """Text from outside, safe for a terminal: control and format characters are shown as codes."""
    return "".join(
        c if c.isprintable() else f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}"
        for c in text
    )


def jsonable(value: Any) -> Any:
    """A value as JSON knows it: records as objects, enums by name, no infinite numbers."""
    if isinstance(value, Enum):
        return value.value if isinstance(value, str) else value.name
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: jsonable(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): jsonable(each) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(each) for each in value]
    return str(value) if isinstance(value, Path) else value


class Screen:
    """Where one command prints to."""

    def __init__(self, lang: Lang | None, as_json: bool = False) -> None:
        """`lang` None means the locale's language."""
        self.lang = lang or system_lang()
        self.as_json = as_json

    @property
    def zh(self) -> bool:
        """Whether headings are Chinese."""
        return self.lang is Lang.ZH

    def say(self, en: str, zh: str) -> str:
        """The text in the screen's language."""
        return zh if self.zh else en

    def name(self, names: Names) -> str:
        """A name in the screen's language."""
        return names.zh if self.zh else names.en

    def console(self, stderr: bool = False) -> Console:
        """A rich console that takes no markup from the text it prints."""
        from rich.console import Console

        stream = sys.stderr if stderr else sys.stdout
        wide = None if stream.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH
        return Console(file=stream, width=wide, markup=False, emoji=False, highlight=False)

    def document(self, value: Any) -> None:
        """Print the one JSON document of `--json`."""
        print(json.dumps(jsonable(value), ensure_ascii=False, indent=2, allow_nan=False))

    def line(self, text: str = "") -> None:
        """Print a line as it is."""
        print(text)

    def paragraph(self, text: str, indent: int = 0) -> None:
        """Print text broken at the width of the screen."""
        from rich.padding import Padding
        from rich.text import Text

        self.console().print(Padding(Text(clean(text)), (0, 0, 0, indent), expand=False))

    def note(self, text: str) -> None:
        """Say something beside the result, on standard error."""
        print(text, file=sys.stderr)

    def table(
        self,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        right: Sequence[int] = (),
        whole: Sequence[int] = (0,),
    ) -> None:
        """Print a table; columns whose index is in `right` hold numbers.

        Numbers are never broken, nor are columns in `whole`, which hold what a reader copies.
        """
        from rich import box
        from rich.cells import cell_len
        from rich.table import Table
        from rich.text import Text

        kept = {*right, *whole}
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        least = 0
        for index, column in enumerate(columns):
            cells = (column, *(row[index] for row in rows))
            width = max(map(cell_len, cells))
            if index not in kept:
                word = max((cell_len(w) for cell in cells for w in cell.split()), default=0)
                width = min(width, max(LEAST_WIDTH, min(word, LONGEST_WORD)))
            least += width + GAP
            table.add_column(
                Text(column),
                justify="right" if index in right else "left",
                no_wrap=index in kept,
                min_width=width,
                overflow="fold",
            )
        for row in rows:
            table.add_row(
                *(Text("\n".join(clean(part) for part in cell.split("\n"))) for cell in row)
            )
        if title:
            self.line(clean(title))
        # Better a table wider than the window than one whose columns have vanished.
        console = self.console()
        console.width = max(console.width, least)
        console.print(table, crop=False)
