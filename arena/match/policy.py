"""What the referee goes by beside the rules: clocks, limits, fouls, draws."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from arena.match.clock import (
    Count,
    Milliseconds,
    PositiveMilliseconds,
    TimeControl,
    Untimed,
)
from arena.players.base import Limits

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class DrawAdjudication(_Part):
    """Two seats that both think the game level for long enough draw it."""

    after_plies: Annotated[int, Field(ge=0)] = 0
    """Moves of the whole game before any of it counts."""

    moves: Count = 10
    """Moves in a row of each seat whose value was level."""

    window: Share = 0.02
    """A value is level when it lies within this distance of one half."""


class ResignAdjudication(_Part):
    """A seat that itself thinks the game lost for long enough loses it."""

    moves: Count = 4
    """Moves in a row of the seat with a value at or below `value`."""

    value: Share = 0.02
    both_sides: bool = True
    """Whether the other seat must have thought so too: its last value >= 1 - `value`."""


class Cost(StrEnum):
    """What an illegal move costs."""

    RULES = "rules"
    """The fines that the rulebook names for it; the game, where it names none."""

    FORFEIT = "forfeit"
    """The game."""

    POINTS = "points"
    """Points for every card of it."""

    LEVELS = "levels"
    """The hand, and levels to the other side."""

    SUBSTITUTE = "substitute"
    """Nothing: the least that the rules ask for is played instead."""


class IllegalMoves(_Part):
    """What an illegal move costs once the take-backs of `illegal_retries` are used up.

    After a fine the seat is asked once more; if it errs again, the least that the rules ask for
    is played for it. A game that knows no such fine (`points` and `levels` are Tuolaji's) is
    lost instead.
    """

    cost: Cost = Field(default=Cost.RULES, strict=False)
    points: Annotated[int, Field(ge=1, le=100)] = 10
    """A card, with `points`."""

    levels: Annotated[int, Field(ge=1, le=20)] = 3
    """With `levels`."""


class MatchPolicy(_Part):
    """One policy for all games of a sweep: the ``[match]`` table of a sweep file.

    All times are milliseconds. The defaults suit unclocked games between programs on one
    machine or a good network.
    """

    clock: TimeControl = Untimed()
    """Time control: none, per_move, increment, periods, bank or byoyomi."""

    margin_ms: Milliseconds = 50
    """Forgiven on each move before a flag falls."""

    on_timeout: Literal["forfeit", "skip", "random"] = "forfeit"
    """What running out of time on a move costs: the game; the turn, where the rules let one
    pass (Siguo Junqi with a `timeout_limit`, which counts and puts the seat out); or the choice,
    a random move being played."""

    network_allowance_ms: Milliseconds = 50
    """Most that is taken off a move for its way over the network (measured round trip)."""

    connect_ms: PositiveMilliseconds = 5_000
    """To reach an engine and read its description; for a command, to start and announce."""

    ready_ms: PositiveMilliseconds = 10_000
    """For an engine to say that it is ready, counted again from each "still loading"."""

    ready_cap_ms: PositiveMilliseconds = 300_000
    """For all of its loading together."""

    new_game_ms: PositiveMilliseconds = 10_000
    """To get ready for a game, for engines that ask to be told of one beforehand."""

    move_ms: PositiveMilliseconds = 600_000
    """Hard cap of one move, also where no clock runs."""

    game_ms: PositiveMilliseconds = 7_200_000
    """Hard cap of one game, counted from its first turn: the seat to move is out of time."""

    ping_ms: PositiveMilliseconds = 1_000
    """Silence after which an engine is asked whether it lives, and time to answer that."""

    disconnect_grace_ms: Milliseconds = 10_000
    """To come back after a lost connection. The clock of the seat to move runs on."""

    reconnects: Annotated[int, Field(ge=0, le=1_000)] = 3
    """How often a connection may be lost over one and the same turn."""

    crashes: Count = 3
    """Failures in a row, without a move between, after which an engine is quarantined: crashes,
    turns given up, streams that broke over one turn until the game was lost, or stayed away."""

    illegal_retries: Annotated[int, Field(ge=0, le=1_000)] = 0
    """Illegal moves a seat may take back in one game; the next ones cost what `illegal` says."""

    illegal: IllegalMoves = IllegalMoves()
    """Forfeit, fine points or levels, play a substitute, or what the rulebook says (default)."""

    max_plies: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Longer games are drawn as `move_limit`; 0: as long as the rules allow."""

    resignations: bool = True
    draw_offers: bool = True
    """Whether seats may resign, or agree on a draw. Where not, the wish is ignored."""

    draw_offers_in_a_row: Annotated[int, Field(ge=0, le=1_000)] = 0
    """Moves in a row with which a seat may offer a draw; 0: any number. Further offers are not
    passed on, and are technical fouls where the rulebook counts such (Xiangqi)."""

    adjudicate_draw: DrawAdjudication | None = None
    adjudicate_resign: ResignAdjudication | None = None
    """By reported values; two-seat games only."""

    max_message_kib: Annotated[int, Field(ge=64, le=65_536)] = 4_096
    """Largest protocol message taken from an engine."""

    def limits(self) -> Limits:
        """What the players have to know of it."""
        return Limits(
            connect_ms=self.connect_ms,
            ready_ms=self.ready_ms,
            ready_cap_ms=self.ready_cap_ms,
            new_game_ms=self.new_game_ms,
            ping_ms=self.ping_ms,
            disconnect_grace_ms=self.disconnect_grace_ms,
            network_allowance_ms=self.network_allowance_ms,
            reconnects=self.reconnects,
            crashes=self.crashes,
            max_message_bytes=self.max_message_kib * 1024,
        )

    @property
    def watches_moves(self) -> bool:
        """Whether anything here must be looked at between the moves of a game."""
        return (
            self.clock.kind != "none"
            or self.adjudicate_draw is not None
            or self.adjudicate_resign is not None
        )
