"""The settings of Gomoku: every rule in which its rulebooks differ."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules


class FiveRule(StrEnum):
    """Which row wins."""

    EXACT = "exact"
    AT_LEAST = "at_least"


class Overline(StrEnum):
    """What six or more in a row of black's are."""

    FORBIDDEN = "forbidden"
    NEUTRAL = "neutral"
    WIN = "win"


class Shape(StrEnum):
    """Whether a side may make a double-three or a double-four."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"


class ThreeTest(StrEnum):
    """When a three counts towards a double-three."""

    RIF_RECURSIVE = "rif_recursive"
    RIF_9_3A = "rif_9_3a"
    NAIVE = "naive"


class Enforcement(StrEnum):
    """What happens to a forbidden move."""

    ILLEGAL = "illegal"
    AUTO_LOSS = "auto_loss"
    CLAIM_OR_LAPSE = "claim_or_lapse"


class FalseClaim(StrEnum):
    """What a wrong claim costs."""

    NONE = "none"
    LOSE_MOVE = "lose_move"
    TECHNICAL_FOUL = "technical_foul"
    LOSS = "loss"


class FirstStone(StrEnum):
    """Where the first stone goes."""

    FREE = "free"
    CENTRE = "centre"


class Passes(StrEnum):
    """Whether a side may pass."""

    NO = "no"
    YES_TWO_PASSES_DRAW = "yes_two_passes_draw"


class Opening(StrEnum):
    """The opening protocol; docs/games/gomoku.md has the steps of each."""

    FREE = "free"
    PRO = "pro"
    LONG_PRO = "long_pro"
    SWAP = "swap"
    SWAP1 = "swap1"
    SWAP2 = "swap2"
    RENJU_SWAP = "renju_swap"
    RIF = "rif"
    CHINESE_NATIONAL = "chinese_national"
    YAMAGUCHI = "yamaguchi"
    SOOSORV = "soosorv"
    TARAGUCHI = "taraguchi"
    SUPER_TARAGUCHI = "super_taraguchi"
    SUPER_SAKATA = "super_sakata"
    BOOK = "book"


CENTRE_OPENINGS = frozenset(
    {
        Opening.PRO,
        Opening.LONG_PRO,
        Opening.RENJU_SWAP,
        Opening.RIF,
        Opening.CHINESE_NATIONAL,
        Opening.YAMAGUCHI,
        Opening.SOOSORV,
        Opening.TARAGUCHI,
        Opening.SUPER_TARAGUCHI,
        Opening.SUPER_SAKATA,
    }
)
"""Protocols that themselves put the first stone on the centre."""

NUMBERED_OPENINGS = frozenset(
    {
        Opening.RENJU_SWAP,
        Opening.RIF,
        Opening.CHINESE_NATIONAL,
        Opening.YAMAGUCHI,
        Opening.SOOSORV,
        Opening.TARAGUCHI,
        Opening.SUPER_TARAGUCHI,
        Opening.SUPER_SAKATA,
    }
)
"""Protocols that have a number: `opening_n`."""


class GomokuRules(Rules):
    """Settings of Gomoku and Renju. The defaults are the board rules of Renju."""

    family_id: ClassVar[str] = "gomoku"

    size: int = Field(
        default=15,
        ge=9,
        le=22,
        description="Points on a side of the board.",
        json_schema_extra={"zh": "棋盘每边的点数。"},
    )
    first_stone: FirstStone = Field(
        default=FirstStone.FREE,
        description="Where the first stone of the game must go.",
        json_schema_extra={"zh": "第一子的位置：任意，或必须落在天元。"},
    )
    five_black: FiveRule = Field(
        default=FiveRule.EXACT,
        description="Black wins with exactly five in a row, or with at least five.",
        json_schema_extra={"zh": "黑棋恰好五连获胜，或五连及以上获胜。"},
    )
    five_white: FiveRule = Field(
        default=FiveRule.AT_LEAST,
        description="White wins with exactly five in a row, or with at least five.",
        json_schema_extra={"zh": "白棋恰好五连获胜，或五连及以上获胜。"},
    )
    both_ends_block: bool = Field(
        default=False,
        description="Caro: a five with a rival stone at both of its ends does not win.",
        json_schema_extra={"zh": "两端均被对方棋子封堵的五连不算胜（caro）。"},
    )
    overline_black: Overline = Field(
        default=Overline.FORBIDDEN,
        description="Six or more in a row of black's: forbidden, of no effect, or a win.",
        json_schema_extra={"zh": "黑棋长连：禁手、无效，或获胜。"},
    )
    double_three_black: Shape = Field(
        default=Shape.FORBIDDEN,
        description="Whether a double-three is forbidden to black.",
        json_schema_extra={"zh": "黑棋三三是否为禁手。"},
    )
    double_four_black: Shape = Field(
        default=Shape.FORBIDDEN,
        description="Whether a double-four is forbidden to black.",
        json_schema_extra={"zh": "黑棋四四是否为禁手。"},
    )
    double_three_white: Shape = Field(
        default=Shape.ALLOWED,
        description="Whether a double-three is forbidden to white.",
        json_schema_extra={"zh": "白棋三三是否为禁手。"},
    )
    double_four_white: Shape = Field(
        default=Shape.ALLOWED,
        description="Whether a double-four is forbidden to white.",
        json_schema_extra={"zh": "白棋四四是否为禁手。"},
    )
    three_test: ThreeTest = Field(
        default=ThreeTest.RIF_RECURSIVE,
        description=(
            "When a three counts: only if it can become a straight four without an overline, a "
            "double-four or (recursively) a double-three; the same without the recursion; or "
            "by the shape of its line alone."
        ),
        json_schema_extra={
            "zh": "三的认定：须能不经长连、四四及（递归）三三禁手成为活四；不递归；或只看棋形。"
        },
    )
    forbidden_enforcement: Enforcement = Field(
        default=Enforcement.AUTO_LOSS,
        description=(
            "A forbidden move cannot be played, or loses at once, or loses only if the rival "
            "claims it with its very next move and lapses otherwise."
        ),
        json_schema_extra={"zh": "禁手处理：不可落子、立即判负，或须对方立即指出，否则失效。"},
    )
    false_claim: FalseClaim = Field(
        default=FalseClaim.NONE,
        description="What a wrong claim costs: nothing, the move, a technical foul, the game.",
        json_schema_extra={"zh": "误指禁手的代价：无、失去一次着子权、技术犯规一次、判负。"},
    )
    false_claim_limit: int = Field(
        default=3,
        ge=1,
        le=9,
        description="With false_claim = technical_foul: this many in one game lose it.",
        json_schema_extra={"zh": "误指计技术犯规时，一局中累计多少次判负。"},
    )
    five_beats_forbidden: bool = Field(
        default=True,
        description="A stone that makes five and a forbidden shape at once wins.",
        json_schema_extra={"zh": "五连与禁手同时形成时判胜。"},
    )
    opening: Opening = Field(
        default=Opening.FREE,
        description="The opening protocol.",
        json_schema_extra={"zh": "开局规则。"},
    )
    opening_n: int | None = Field(
        default=None,
        ge=1,
        le=12,
        description=(
            "The number of the protocol: fifth moves offered, the most that may be declared "
            "(Yamaguchi, Soosõrv), or the most rounds of adding (Super Sakata). Null: the "
            "protocol's usual one."
        ),
        json_schema_extra={
            "zh": "开局规则中的数：五手打点数、可宣布的上限，或加子轮数；空为通行值。"
        },
    )
    pro_second_adjacent: bool = Field(
        default=False,
        description="Pro openings: white's first stone must touch the centre (the older text).",
        json_schema_extra={"zh": "职业开局中白棋第一子须与天元相邻（旧规则）。"},
    )
    passes: Passes = Field(
        default=Passes.NO,
        description="Whether a side may pass; two passes in a row are a draw.",
        json_schema_extra={"zh": "可否停一手；连续两次停着为和棋。"},
    )
    max_moves: int | None = Field(
        default=None,
        ge=10,
        le=1000,
        description="Draw after this many stones and passes. Null: when the board is full.",
        json_schema_extra={"zh": "总手数（含停着）上限，达到为和棋；空为下满棋盘。"},
    )

    def seat_count(self) -> int:
        """Two."""
        return 2

    @model_validator(mode="after")
    def _together(self) -> Self:
        at_least = self.five_black is FiveRule.AT_LEAST
        if (self.overline_black is Overline.WIN) != at_least:
            raise ValueError(
                "overline_black: 'win' goes with five_black = 'at_least' and only with it"
            )
        if self.both_ends_block and FiveRule.AT_LEAST in (self.five_black, self.five_white):
            raise ValueError("both_ends_block: needs five_black and five_white = 'exact'")
        if self.opening in CENTRE_OPENINGS and self.first_stone is not FirstStone.CENTRE:
            raise ValueError(
                f"opening: '{self.opening}' begins on the centre; set first_stone = 'centre'"
            )
        if self.opening is Opening.BOOK and self.first_stone is FirstStone.FREE:
            raise ValueError(
                "opening: 'book' openings begin on the centre; set first_stone = 'centre'"
            )
        if self.opening_n is not None and self.opening not in NUMBERED_OPENINGS:
            raise ValueError(f"opening_n: '{self.opening}' has no number; leave it null")
        if self.pro_second_adjacent and self.opening not in (Opening.PRO, Opening.LONG_PRO):
            raise ValueError("pro_second_adjacent: belongs to opening = 'pro' or 'long_pro'")
        return self
