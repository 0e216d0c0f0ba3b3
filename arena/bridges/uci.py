"""Xiangqi programs that speak UCI with variants, or UCCI."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import arena
from arena.bridges.bridge import Pace
from arena.bridges.program import Program, ProgramError
from arena.games.xiangqi.notation import from_zero_based, ucci
from arena.sdk import Decision, Turn


class Uci:
    """UCI as Fairy-Stockfish speaks it: ranks from 1, the game by `UCI_Variant`."""

    goodbye: ClassVar[str] = "quit"
    _hello: ClassVar[str] = "uci"
    _welcome: ClassVar[str] = "uciok"
    _new_game: ClassVar[tuple[str, ...]] = ("ucinewgame",)
    _usual: ClassVar[tuple[tuple[str, str], ...]] = (("UCI_Variant", "xiangqi"),)

    def __init__(self, pace: Pace, options: Sequence[tuple[str, str]]) -> None:
        """Options go out as `setoption`."""
        self._pace = pace
        self._options = options

    @classmethod
    def rulebooks(cls) -> tuple[str, ...]:
        """All of Xiangqi: where rulebooks differ, repetitions and limits, the arena judges."""
        return tuple(name for name in arena.rulebooks() if name.startswith("xiangqi/"))

    def start(self, program: Program, until: float) -> str:
        """Waits for the welcome, sets the options, and waits until it is ready."""
        program.tell(self._hello)
        name = ""
        while (line := program.hear(until)) != self._welcome:
            if line.startswith("id name "):
                name = line.removeprefix("id name ")
        program.tell(*(self._set(key, value) for key, value in (*self._usual, *self._options)))
        self._settle(program, until)
        return name

    def think(self, program: Program, turn: Turn, fresh: bool, until: float) -> Decision:
        """Sends the position with its moves and waits for `bestmove`."""
        if fresh and self._new_game:
            program.tell(*self._new_game)
            self._settle(program, until)
        program.tell(self._position(turn), self._go(turn))
        nodes, value = 0, None
        while True:
            word, *rest = program.hear(until).split()
            if word == "info":
                nodes, value = _number_after(rest, "nodes", nodes), _value(rest, value)
            elif word == "nobestmove" or (word == "bestmove" and not _is_move(rest)):
                return Decision(resign=True, comment="no move")
            elif word == "bestmove":
                return Decision(self._from(rest[0]), nodes=nodes, value=value)

    def _settle(self, program: Program, until: float) -> None:
        program.tell("isready")
        while program.hear(until) != "readyok":
            pass

    def _set(self, key: str, value: str) -> str:
        return f"setoption name {key} value {value}"

    def _position(self, turn: Turn) -> str:
        # A setup is a FEN and, in words of their own, what a FEN does not hold.
        words = turn.position.split()
        moves = next((w.removeprefix("moves=") for w in words if w.startswith("moves=")), "")
        shown = [self._to(move) for move in moves.split(",") if move not in ("", "claim")]
        fen = " ".join(words[:6])
        return f"position fen {fen}" + (f" moves {' '.join(shown)}" if shown else "")

    def _go(self, turn: Turn) -> str:
        if self._pace.nodes is not None:
            return f"go nodes {self._pace.nodes}"
        if self._pace.depth is not None:
            return f"go depth {self._pace.depth}"
        return f"go movetime {self._pace.think_ms(turn)}"

    def _to(self, move: str) -> str:
        return move

    def _from(self, move: str) -> str:
        return move


class Ucci(Uci):
    """UCCI, the Chinese relative: ranks from 0, `go time` in milliseconds."""

    _hello: ClassVar[str] = "ucci"
    _welcome: ClassVar[str] = "ucciok"
    _new_game: ClassVar[tuple[str, ...]] = ("setoption newgame",)
    _usual: ClassVar[tuple[tuple[str, str], ...]] = (("usemillisec", "true"),)

    def _set(self, key: str, value: str) -> str:
        return f"setoption {key} {value}"

    def _go(self, turn: Turn) -> str:
        if self._pace.nodes is not None or self._pace.depth is not None:
            return super()._go(turn)
        # The whole of the time is for this move.
        return f"go time {self._pace.think_ms(turn)} movestogo 1"

    def _to(self, move: str) -> str:
        return ucci(move)

    def _from(self, move: str) -> str:
        try:
            return from_zero_based(move)
        except ValueError as error:
            raise ProgramError(str(error)) from None


def _is_move(rest: Sequence[str]) -> bool:
    return bool(rest) and rest[0] not in ("(none)", "0000", "a0a0")


def _number_after(words: Sequence[str], name: str, last: int) -> int:
    at = words.index(name) + 1 if name in words else len(words)
    return int(words[at]) if at < len(words) and words[at].isdecimal() else last


def _value(words: Sequence[str], last: float | None) -> float | None:
    """An expected score from `score cp`, by the logistic curve that is usual for chess programs."""
    if "cp" not in words:
        return last
    at = words.index("cp") + 1
    try:
        return float(1.0 / (1.0 + 10.0 ** (-float(words[at]) / 400.0)))
    except (IndexError, ValueError, OverflowError):
        return last
