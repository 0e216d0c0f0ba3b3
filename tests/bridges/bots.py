"""A bridge to one of the small programs, as a class that the arena can make."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.bridges import DIALECTS, Bridge, Pace, Terms

WORDS = "BRIDGED_PROGRAM"
"""Environment variable: the words after the program's file."""


class Bridged(Bridge):
    """Plays what the program says."""

    games = ("gomoku/*", "xiangqi/*")

    def __init__(self) -> None:
        """The protocol is the first of the words."""
        words = os.environ[WORDS].split()
        program = [sys.executable, str(Path(__file__).with_name("programs.py")), *words]
        super().__init__(program, DIALECTS[words[0]], Terms(Pace(movetime_ms=50)), 1)
