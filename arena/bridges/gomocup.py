"""Gomoku programs of the Gomocup tournament (`pbrain-*`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any, ClassVar

import arena
from arena.bridges.bridge import Pace
from arena.bridges.program import Program, ProgramError
from arena.sdk import Decision, Turn

_ABOUT = re.compile(r'name="([^"]*)"')
_POINTS = re.compile(r"\d+,\d+( \d+,\d+)*")
_COLUMNS = "abcdefghijklmnopqrstuvwxyz"
_ASIDE = ("DEBUG", "MESSAGE", "INFO", "SUGGEST")
"""Words that begin lines which are no answer."""

_NO_END = 2_147_483_647
"""Milliseconds of a match without a clock, as the protocol writes it."""

_OPENINGS = ("free", "book", "swap2")


class Rule(IntEnum):
    """What `INFO rule` may say."""

    FREESTYLE = 0
    EXACT_FIVE = 1
    RENJU = 4
    CARO = 8


def rule_of(settings: Mapping[str, object]) -> Rule | None:
    """What the protocol calls the rules of a game of Gomoku; None where it has no word for them."""
    fouls = [
        settings[f"{foul}_black"] == "forbidden"
        for foul in ("overline", "double_three", "double_four")
    ]
    fives = (settings["five_black"], settings["five_white"])
    if settings["opening"] not in _OPENINGS:
        return None
    if all(fouls):
        return Rule.RENJU
    if any(fouls):
        return None
    if fives == ("exact", "exact"):
        return Rule.CARO if settings["both_ends_block"] else Rule.EXACT_FIVE
    return Rule.FREESTYLE if fives == ("at_least", "at_least") else None


class Gomocup:
    """The protocol's second version: whole positions, a time for each move, Swap2."""

    goodbye: ClassVar[str] = "END"

    def __init__(self, pace: Pace, options: Sequence[tuple[str, str]]) -> None:
        """Options go out as `INFO` lines. Raises ValueError for a pace that is no time."""
        if pace.nodes is not None or pace.depth is not None:
            raise ValueError("Gomocup programs think by time: neither nodes nor depth can be given")
        self._pace = pace
        self._options = options
        self._plan: list[str] = []
        """Moves of the opening that were answered ahead of their turns."""

    @classmethod
    def rulebooks(cls) -> tuple[str, ...]:
        """Those whose rules and opening the protocol has words for."""
        return tuple(
            name
            for name in arena.rulebooks()
            if name.startswith("gomoku/") and rule_of(arena.game(name).rules.settings()) is not None
        )

    def start(self, program: Program, until: float) -> str:
        """Asks what the program is; the board comes with the first game."""
        program.tell("ABOUT")
        found = _ABOUT.search(_answer(program, until))
        return found[1] if found else ""

    def think(self, program: Program, turn: Turn, fresh: bool, until: float) -> Decision:
        """Sends the position and waits for a point."""
        seen = turn.observation
        if fresh:
            self._plan = []
            self._begin(program, turn, seen, until)
        if self._plan:
            return Decision(self._plan.pop(0))
        if len(turn.legal) == 1:  # the first stone goes on the centre: nothing to ask
            return Decision(turn.legal[0])
        left = turn.clocks[turn.seat].main_ms if turn.clocks else _NO_END
        program.tell(f"INFO timeout_turn {self._pace.think_ms(turn)}", f"INFO time_left {left}")
        if turn.settings["opening"] == "swap2" and seen["phase"] in ("place", "choose"):
            return self._open(program, seen, until)
        stones = _stones(seen["board"])
        if stones:
            own = "b" if seen["colour"] == "black" else "w"
            lines = [f"{at},{1 if colour == own else 2}" for colour, at in stones]
            program.tell("BOARD", *lines, "DONE")
        else:
            program.tell("BEGIN")
        return Decision(_move(_points(_answer(program, until))[0], seen["size"]))

    def _begin(self, program: Program, turn: Turn, seen: dict[str, Any], until: float) -> None:
        program.tell(f"START {seen['size']}")
        answer = _answer(program, until)
        if not answer.startswith("OK"):
            raise ProgramError(f"START {seen['size']}: {answer}")
        rule = rule_of(turn.settings)
        if rule is None:
            raise ProgramError(f"{turn.rulebook}: the protocol has no word for these rules")
        program.tell(
            f"INFO rule {rule:d}",
            "INFO game_type 1",
            f"INFO timeout_match {0 if not turn.clocks else turn.clocks[turn.seat].main_ms}",
            *(f"INFO {name} {value}" for name, value in self._options),
        )

    def _open(self, program: Program, seen: dict[str, Any], until: float) -> Decision:
        """Swap2: three stones; a colour, with a stone or two for it; a colour."""
        size = seen["size"]
        program.tell("SWAP2BOARD", *(at for _, at in _stones(seen["board"])), "DONE")
        answer = _answer(program, until)
        if answer == "SWAP":
            return Decision("black")
        self._plan = [_move(at, size) for at in _points(answer)]
        if seen["phase"] == "place":
            return Decision(self._plan.pop(0))
        # The next stone is White's: who names it has taken White.
        return Decision("add" if len(self._plan) == 2 else "white")


def _answer(program: Program, until: float) -> str:
    while (line := program.hear(until)).split()[0].upper() in _ASIDE:
        pass
    if line.startswith(("ERROR", "UNKNOWN")):
        raise ProgramError(f"{program.command[0]}: {line}")
    return line


def _points(answer: str) -> list[str]:
    if not _POINTS.fullmatch(answer):
        raise ProgramError(f"'{answer[:80]}' is no point such as 7,7")
    return answer.split()


def _move(at: str, size: int) -> str:
    """Columns count from 0 and rows from 0 at the top; ours from 1 at the bottom."""
    x, y = (int(part) for part in at.split(","))
    if x >= size or y >= size:
        raise ProgramError(f"{at} is not on a board of {size} by {size}")
    return f"{_COLUMNS[x]}{size - y}"


def _stones(board: str) -> list[tuple[str, str]]:
    """Colour letter and point of every stone, colours in turn as if played so."""
    black, white = (
        [
            (colour, f"{x},{y}")
            for y, row in enumerate(board.split("/"))
            for x, cell in enumerate(row)
            if cell == colour
        ]
        for colour in "bw"
    )
    rest = black[len(white) :] + white[len(black) :]
    return [stone for pair in zip(black, white, strict=False) for stone in pair] + rest
