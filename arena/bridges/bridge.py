"""A bot that has a program of another protocol think for it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from arena.bridges.program import Limits, Program, ProgramError
from arena.protocol.v1 import bot_pb2
from arena.sdk import Bot, Decision, Turn

_USUAL_MS = 1_000
"""Of a move, where neither a clock nor the caller says how long."""

_MOVES_TO_GO = 25
"""How many moves the rest of a clock is spread over that does not say."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long the program thinks: to a number of nodes or a depth, or for a time."""

    nodes: int | None = None
    depth: int | None = None
    movetime_ms: int | None = None
    margin_ms: int = 100
    """Kept back of the time for a move: what pipes and the bridge take."""

    def think_ms(self, turn: Turn) -> int:
        """Time for this turn, within what its clock gives."""
        most = max(turn.limit_ms - self.margin_ms, 1)
        if self.movetime_ms is not None:
            return min(self.movetime_ms, most)
        if not turn.clocks:
            return min(_USUAL_MS, most)
        clock = turn.clocks[turn.seat]
        share = clock.main_ms // (clock.moves_left or _MOVES_TO_GO)
        return max(min(share + clock.period_ms, most), 1)


class Dialect(Protocol):
    """One protocol. It has one instance for each program and forgets nothing between its turns."""

    goodbye: ClassVar[str]
    """The line that asks a program to end."""

    def __init__(self, pace: Pace, options: Sequence[tuple[str, str]]) -> None:
        """`options` are name and value of what is set once after the start."""
        ...

    @classmethod
    def rulebooks(cls) -> tuple[str, ...]:
        """The rulebooks that the protocol can speak about."""
        ...

    def start(self, program: Program, until: float) -> str:
        """Shakes hands; the name that the program gives itself, or nothing."""
        ...

    def think(self, program: Program, turn: Turn, fresh: bool, until: float) -> Decision:
        """The program's answer to a turn.

        `fresh` where it knows nothing of the game yet: at its start, or after a restart.
        """
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """How a program is treated."""

    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    options: tuple[tuple[str, str], ...] = ()
    """Name and value of what is set once after its start."""


class _Slot:
    """A place for one running program."""

    def __init__(self, command: Sequence[str], dialect: type[Dialect], terms: Terms) -> None:
        self._command, self._dialect, self._terms = command, dialect, terms
        self._program: Program | None = None
        self._speaker: Dialect | None = None
        self._game = ""
        self._over = False

    def fresh(self) -> _Slot:
        """Another one like it."""
        return _Slot(self._command, self._dialect, self._terms)

    def start(self) -> str:
        """Starts the program afresh; the name that it gives itself."""
        self.close()
        limits = self._terms.limits
        self._program = Program(self._command, limits)
        self._speaker = self._dialect(self._terms.pace, self._terms.options)
        self._game = ""
        return self._speaker.start(self._program, time.monotonic() + limits.start_s)

    def think(self, turn: Turn) -> Decision:
        """Its answer; a program that dies over it is started again, once."""
        try:
            return self._answer(turn, time.monotonic() + turn.limit_ms / 1000)
        finally:
            if self._over:
                self.close()

    def _answer(self, turn: Turn, until: float) -> Decision:
        if self._program is None or not self._program.alive:
            self.start()
        try:
            return self._ask(turn, until)
        except ProgramError:
            again = self._program is not None and not self._program.alive and not self._over
            self.close()
            if not again:  # it may still be thinking: whatever it says now is no answer
                raise
        self.start()
        return self._ask(turn, until)

    def _ask(self, turn: Turn, until: float) -> Decision:
        assert self._program is not None
        assert self._speaker is not None
        fresh, self._game = turn.game_id != self._game, turn.game_id
        return self._speaker.think(self._program, turn, fresh, until)

    def close(self) -> None:
        if self._program is not None:
            self._program.close(self._dialect.goodbye)
            self._program = None

    def give_up(self) -> None:
        """Ends a program that thinks in another thread, for good."""
        self._over = True
        if (program := self._program) is not None:
            program.kill()


class Bridge(Bot):
    """Plays what a program answers, one program for each game at a time."""

    def __init__(
        self, command: Sequence[str], dialect: type[Dialect], terms: Terms, parallel: int
    ) -> None:
        """Nothing is started yet."""
        self._slots = [_Slot(command, dialect, terms) for _ in range(parallel)]
        self._free = list(self._slots)
        self._playing: dict[str, _Slot] = {}
        self._thinking: dict[str, asyncio.Lock] = {}

    def load(self) -> None:
        """Starts one program, to know that it can be done."""
        self._slots[0].start()

    async def choose(self, turn: Turn) -> Decision:
        """Asks the program of this game. Raises ProgramError where it has no answer."""
        slot = self._playing.get(turn.game_id)
        if slot is None:
            if not self._free:
                raise ProgramError(f"more than {len(self._slots)} games at once: --parallel")
            slot = self._playing[turn.game_id] = self._free.pop(0)
        async with self._thinking.setdefault(turn.game_id, asyncio.Lock()):
            return await asyncio.to_thread(slot.think, turn)

    def game_over(self, over: bot_pb2.GameOver) -> None:
        """The program is free for another game; one that still thinks makes room for another."""
        lock = self._thinking.pop(over.game, None)
        if slot := self._playing.pop(over.game, None):
            if lock is not None and lock.locked():
                slot.give_up()
                self._slots.remove(slot)
                slot = slot.fresh()
                self._slots.append(slot)
            self._free.append(slot)

    def close(self) -> None:
        """Ends every program."""
        for slot in self._slots:
            slot.close()


def bridge_bot(
    command: Sequence[str],
    dialect: type[Dialect],
    *,
    name: str,
    version: str = "1",
    terms: Terms,
    games: Sequence[str] = (),
    parallel: int = 1,
) -> Bridge:
    """A program as a bot, ready to be served.

    `games` narrows down the rulebooks of the dialect; `parallel` programs run at once. Raises
    ValueError where the dialect cannot speak about one of the `games`.
    """
    known = dialect.rulebooks()
    for wanted in games:
        if wanted not in known:
            raise ValueError(f"{wanted}: not among {', '.join(known)}")
    bot_name, bot_version, bot_games = name, version, tuple(games) or known

    class Served(Bridge):
        name = bot_name
        version = bot_version
        games = bot_games
        max_parallel_games = parallel
        threads = parallel

    return Served(command, dialect, terms, parallel)
