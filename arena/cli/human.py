"""A person at the terminal as a player: asked for moves, told why one is refused."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from arena.cli.screen import Screen, clean
from arena.games.contract import RESIGN, Seat
from arena.players.base import Answer, Ask, Limits
from arena.players.local import LocalPlayer

if TYPE_CHECKING:
    from arena._core import State
    from arena.games import Game
    from arena.players.fault import Fault
    from arena.players.spec import EngineSpec

SHOWN_MOVES = 40
"""Legal moves that `?` lists at most."""


class Terminal:
    """Asks a person for moves of one game."""

    def __init__(self, game: Game, screen: Screen, stream: TextIO) -> None:
        """`stream` is where questions and boards go."""
        self.game, self.screen, self.stream = game, screen, stream

    def ask(self, state: State, seat: int) -> str | None:
        """A legal move for a seat, or `RESIGN`; None at the end of input or for `quit`."""
        say = self.screen.say
        self.draw(state, seat)
        prompt = say(f"seat {seat}, your move (? for help): ", f"座位 {seat}，请走棋（? 求助）：")
        while True:
            print(prompt, end="", file=self.stream, flush=True)
            line = sys.stdin.readline()
            text = line.strip()
            if not line or text in ("quit", "exit"):
                self.tell("")
                return None
            if text == RESIGN:
                return RESIGN
            if text in ("?", "help"):
                self.tell(self._hints(state, seat))
            elif text:
                refused = state.check(seat, text)
                if refused is None:
                    return text
                self.tell(clean(refused.message))

    def draw(self, state: State, viewer: int | None = None) -> None:
        """The board, in text, as a seat may see it; with no viewer, the whole truth."""
        seat = None if viewer is None else Seat(viewer)
        self.tell(self.game.family.draw_text(self.game, state, seat))

    def tell(self, text: str) -> None:
        """A line to the person."""
        print(text, file=self.stream, flush=True)

    def _hints(self, state: State, seat: int) -> str:
        moves = state.moves(seat)
        shown = [str(moves[index]) for index in range(min(len(moves), SHOWN_MOVES))]
        say = self.screen.say
        more = ""
        if len(moves) > len(shown):
            more = say(
                f" … ({len(shown)} of {len(moves):,})", f" …（{len(moves):,} 中的 {len(shown)}）"
            )
        if not moves.complete:
            more += say(", and others", "，另有其他着法")
        return (
            say("moves: ", "可走：")
            + ", ".join(shown)
            + more
            + say("; resign; quit", "；resign 认输；quit 退出")
        )


class Person(LocalPlayer):
    """The person as a player, for games that the referee plays: leaving is resigning.

    Made here and not by a bot's class, because the board is drawn from the whole state, even
    where a seat sees only a part of it.
    """

    def __init__(self, spec: EngineSpec, limits: Limits, screen: Screen) -> None:
        """Asked on standard error, in the screen's language."""
        super().__init__(spec, limits)
        self._screen = screen

    def load(self) -> None:
        """Nothing: they are there."""

    def capacity(self, clocked: bool) -> int | None:
        """One game at a time."""
        return 1

    def think(self, asks: Sequence[Ask]) -> Sequence[Answer | Fault]:
        """What they type."""
        return [self._choose(ask) for ask in asks]

    def _choose(self, ask: Ask) -> Answer:
        move = Terminal(ask.table.game, self._screen, sys.stderr).ask(ask.table.state, ask.seat)
        return Answer(resign=True) if move in (None, RESIGN) else Answer(move)
