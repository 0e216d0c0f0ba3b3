"""What is wrong with a sweep file, and where."""

from __future__ import annotations


class SweepError(ValueError):
    """A sweep file that cannot be planned: file, line, field, value, what would be right."""

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        line: int | None = None,
        field: str = "",
        value: object = None,
    ) -> None:
        """`message` says what is wrong and what would be right; the rest says where."""
        place = f"{file}:{line}: " if file and line is not None else f"{file}: " if file else ""
        super().__init__(f"{place}{field + ': ' if field else ''}{message}")
        self.message = message
        self.file = file
        self.line = line
        self.field = field
        self.value = value
