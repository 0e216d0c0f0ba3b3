"""Settings of Chinese checkers. docs/games/chinese-checkers.md gives every rule in full."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules


class Board(StrEnum):
    """Size of the star, by its number of holes."""

    STAR121 = "star121"
    STAR73 = "star73"
    STAR37 = "star37"

    @property
    def side(self) -> int:
        """Rows of one tip."""
        return {"star121": 4, "star73": 3, "star37": 2}[self.value]


class Jump(StrEnum):
    """Which pieces may be hopped over."""

    ADJACENT = "adjacent"
    EQUIDISTANT = "equidistant"


class ForeignTriangles(StrEnum):
    """What a piece may do in tips that are neither home nor target."""

    FREE = "free"
    PASS_THROUGH = "pass_through"
    CLOSED = "closed"


class AntiBlock(StrEnum):
    """The cure for pieces that stay in somebody's target."""

    NONE = "none"
    FILLED_ANY_OWN = "filled_any_own"
    SWAP = "swap"
    PASSIVE_LOSS = "passive_loss"


class LateFinish(StrEnum):
    """Until when a later mover may still draw."""

    NONE = "none"
    SAME_ROUND_DRAW = "same_round_draw"
    ONE_MORE_ROUND_DRAW = "one_more_round_draw"


class Finish(StrEnum):
    """When a game is over."""

    FIRST_ONLY = "first_only"
    RANK_ALL = "rank_all"


class CapResult(StrEnum):
    """What the turn cap makes of the unfinished."""

    DRAW = "draw"
    PIECES_HOME = "pieces_home"
    DISTANCE = "distance"


MOST_SETS = {2: 3, 3: 2, 4: 1, 5: 1, 6: 1}
"""Players to the most sets that each may have."""


class CheckersRules(Rules):
    """One set of rules of Chinese checkers."""

    family_id: ClassVar[str] = "chinese_checkers"

    players: int = Field(
        2,
        ge=2,
        le=6,
        description="Seats at the table.",
        json_schema_extra={"zh": "人数"},
    )
    board: Board = Field(
        Board.STAR121,
        description="Size of the star: 121, 73 or 37 holes (tips of 10, 6 or 3).",
        json_schema_extra={"zh": "棋盘：121、73 或 37 孔"},
    )
    pegs: int = Field(
        10,
        ge=1,
        le=15,
        description=(
            "Pieces of a set, which are the holes of its camp: the tip without its innermost row "
            "(6, 3, 1), the tip (10, 6, 3), or the tip and the next row (15, 10, 6)."
        ),
        json_schema_extra={"zh": "每组棋子数"},
    )
    sets_per_player: int = Field(
        1,
        ge=1,
        le=3,
        description="Sets (colours) that each player runs: 1 to 3 for two players, 1 to 2 for 3.",
        json_schema_extra={"zh": "每人棋子组数"},
    )
    jump: Jump = Field(
        Jump.ADJACENT,
        description=(
            "adjacent: hop over the next piece only; equidistant: also over one piece at any "
            "distance, to the mirror point."
        ),
        json_schema_extra={"zh": "跳法：只隔一子，或可等距隔空跳"},
    )
    foreign_triangles: ForeignTriangles = Field(
        ForeignTriangles.FREE,
        description="Tips that are neither home nor target: free, pass_through only, or closed.",
        json_schema_extra={"zh": "他人三角区：可停、只可经过、不可进入"},
    )
    leave_target: bool = Field(
        False,
        description="Whether a piece may leave its target again.",
        json_schema_extra={"zh": "进入目标营地后可否离开"},
    )
    anti_block: AntiBlock = Field(
        AntiBlock.NONE,
        description=(
            "Cure for blocked targets: none; filled_any_own (full with one own piece is won); "
            "swap (change places with the blocker); passive_loss (see home_deadline)."
        ),
        json_schema_extra={"zh": "防占营办法"},
    )
    home_deadline: int = Field(
        40,
        ge=1,
        le=10000,
        description=(
            "Under anti_block = passive_loss: from this own turn on, a piece at home loses. "
            "Read under that setting only."
        ),
        json_schema_extra={"zh": "离营期限（步）"},
    )
    late_finish: LateFinish = Field(
        LateFinish.NONE,
        description=(
            "Whether a later mover draws with a finisher: none; same_round_draw (as many turns); "
            "one_more_round_draw (one round later at most)."
        ),
        json_schema_extra={"zh": "后走方晚到判和"},
    )
    finish: Finish = Field(
        Finish.FIRST_ONLY,
        description="first_only: the first place decides; rank_all: play on for all places.",
        json_schema_extra={"zh": "终局：只取第一，或排出全部名次"},
    )
    max_turns: int = Field(
        500,
        ge=1,
        le=10000,
        description="Turns of each seat after which the game is stopped.",
        json_schema_extra={"zh": "每人步数上限"},
    )
    cap_result: CapResult = Field(
        CapResult.DRAW,
        description=(
            "Rank of the unfinished at the cap: draw, by pieces_home (in the target), or by "
            "distance left."
        ),
        json_schema_extra={"zh": "到步数上限时的名次"},
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        side = self.board.side
        sizes = [rows * (rows + 1) // 2 for rows in (side - 1, side, side + 1)]
        if self.pegs not in sizes:
            raise ValueError(
                f"pegs: {self.pegs} do not fit board {self.board.value}; it takes "
                f"{sizes[0]}, {sizes[1]} or {sizes[2]}"
            )
        most = MOST_SETS[self.players]
        if self.sets_per_player > most:
            raise ValueError(
                f"sets_per_player: {self.sets_per_player} with players {self.players}; "
                f"at most {most} there"
            )
        if self.pegs == sizes[2] and self.players * self.sets_per_player > 2:
            raise ValueError(
                f"pegs: {self.pegs} on board {self.board.value} reach into the hexagon and need "
                "players 2 and sets_per_player 1"
            )
        return self

    def seat_count(self) -> int:
        """One seat a player."""
        return self.players
