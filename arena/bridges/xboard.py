"""Xiangqi programs that speak the xboard (CECP) protocol, such as HoiXiangqi."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import ClassVar

import arena
from arena.bridges.bridge import Pace
from arena.bridges.program import Program, ProgramError
from arena.games.xiangqi.notation import from_zero_based, ucci
from arena.sdk import Decision, Turn

_QUIET_S = 0.2
"""A program that says nothing of its features for so long has none to tell."""


class Xboard:
    """Move by move from the usual position, ranks from 0. The protocol cannot begin elsewhere."""

    goodbye: ClassVar[str] = "quit"

    def __init__(self, pace: Pace, options: Sequence[tuple[str, str]]) -> None:
        """Options go out as commands: name, a space, value. Raises ValueError for nodes."""
        if pace.nodes is not None:
            raise ValueError("the xboard protocol has no word for nodes: give a depth or a time")
        self._pace = pace
        self._options = options

    @classmethod
    def rulebooks(cls) -> tuple[str, ...]:
        """All of Xiangqi: where rulebooks differ, repetitions and limits, the arena judges."""
        return tuple(name for name in arena.rulebooks() if name.startswith("xiangqi/"))

    def start(self, program: Program, until: float) -> str:
        """Greets, and passes over what the program says of itself."""
        program.tell("xboard", "protover 2")
        while True:
            try:
                line = program.hear(min(time.monotonic() + _QUIET_S, until))
            except ProgramError:
                if program.alive:
                    return ""
                raise
            if "done=1" in line:
                return ""

    def think(self, program: Program, turn: Turn, fresh: bool, until: float) -> Decision:
        """Tells the moves that the program has not seen, and has it go."""
        told = [event for event in turn.events if event.kind == "move"]
        if fresh:
            if turn.ply != len(told):
                raise ProgramError("the program cannot begin in the middle of a game")
            program.tell("new", "easy", "nopost", "force", *self._level(turn))
            program.tell(*(f"{name} {value}".strip() for name, value in self._options))
        else:
            told = [event for event in told if event.seat != turn.seat]
        program.tell("force", *(f"usermove {ucci(event.text)}" for event in told), "go")
        while True:
            word, *rest = program.hear(until).split()
            if word == "move" and rest:
                try:
                    return Decision(from_zero_based(rest[0]))
                except ValueError as error:
                    raise ProgramError(str(error)) from None
            if word in ("1-0", "0-1", "resign"):
                return Decision(resign=True, comment=word)
            if word in ("Illegal", "Error"):
                raise ProgramError(" ".join((word, *rest)))

    def _level(self, turn: Turn) -> tuple[str, ...]:
        if self._pace.depth is not None:
            return (f"sd {self._pace.depth}",)
        if self._pace.movetime_ms is None and not turn.clocks:
            return ()  # its own level
        return (f"st {max(self._pace.think_ms(turn) // 1000, 1)}",)
