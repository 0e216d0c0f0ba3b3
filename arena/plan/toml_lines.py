"""Where a key of a TOML file stands, so that an error can name the line.

``tomllib`` gives values without places. This index reads only headers and keys, which is
enough to point at a setting; the values are left to the real parser.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*(\[\[?)\s*(.+?)\s*\]\]?\s*(?:#.*)?$")
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:\.|$)""")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_.\s-])+?)\s*=(.*)$""")

Path = tuple[str | int, ...]


class TomlLines:
    """Maps the path of a setting to its 1-based line."""

    def __init__(self, text: str) -> None:
        """Index a TOML document that the real parser has accepted."""
        self._lines: dict[Path, int] = {(): 1}
        table: Path = ()
        open_brackets = 0
        for number, line in enumerate(text.splitlines(), start=1):
            if open_brackets > 0:  # inside an array over several lines: no keys there
                open_brackets += _balance(line)
                continue
            if header := _HEADER.match(line):
                path = self._resolve(_parts(header[2]))
                if header[1] == "[[":
                    path = (*path, self._next_item(path))
                self._note(path, number)
                table = path
            elif key := _KEY.match(line):
                self._note((*table, *_parts(key[1])), number)
                open_brackets = max(0, _balance(key[2]))

    def line(self, path: Path) -> int:
        """The line of a setting, or of the nearest thing around it that has one."""
        while path not in self._lines:
            path = path[:-1]
        return self._lines[path]

    def _note(self, path: Path, number: int) -> None:
        for length in range(1, len(path) + 1):
            self._lines.setdefault(path[:length], number)

    def _next_item(self, path: Path) -> int:
        index = 0
        while (*path, index) in self._lines:
            index += 1
        return index

    def _resolve(self, parts: list[str]) -> Path:
        """A header inside an array of tables, ``[games.grid]``, means its last item."""
        path: Path = ()
        for position, part in enumerate(parts):
            path = (*path, part)
            if position < len(parts) - 1 and (*path, 0) in self._lines:
                path = (*path, self._next_item(path) - 1)
        return path


def _parts(dotted: str) -> list[str]:
    return [a or b or c for a, b, c in _PART.findall(dotted)]


def _balance(text: str) -> int:
    """Brackets opened less brackets closed, outside of strings and comments."""
    plain = re.sub(r'"(?:\\.|[^"\\])*"|\'[^\']*\'', "", text).split("#")[0]
    return plain.count("[") + plain.count("{") - plain.count("]") - plain.count("}")
