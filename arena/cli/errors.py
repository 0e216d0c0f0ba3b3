"""What a command answers: exit codes, and the mistakes that are its own to name."""

from __future__ import annotations

from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """What the `arena` command answers to its shell."""

    OK = 0
    INPUT = 1
    """A file, rulebook, setting, ledger or record is wrong or missing."""

    USAGE = 2
    """The command line is wrong."""

    FAULTS = 3
    """A sweep ran to its end, but with faults, parked or missing games; or a bot did not pass."""

    DEFECT = 70
    """A defect of this program (EX_SOFTWARE of BSD's sysexits)."""

    INTERRUPTED = 130
    """Ctrl-C; a sweep resumes with the same command."""


class CommandError(ValueError):
    """What a command itself finds wrong in its input."""


def write(path: Path, text: str) -> None:
    """Writes a file that was asked for. Raises OSError that names it: a full disk does not."""
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        error.filename = str(path)
        raise
