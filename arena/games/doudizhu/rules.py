"""Settings of Dou Dizhu. docs/games/doudizhu.md gives every rule in full."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules


class Calling(StrEnum):
    """How the landlord is found."""

    BID123_ONCE = "bid123_once"
    BID123_ROUNDS = "bid123_rounds"
    CALL_GRAB = "call_grab"
    FIXED = "fixed"


class FirstCaller(StrEnum):
    """Who is asked first."""

    ROTATE = "rotate"
    LOT = "lot"
    FACE_UP_CARD = "face_up_card"
    LAST_WINNER = "last_winner"


class AllPass(StrEnum):
    """What happens when nobody wants to be landlord."""

    REDEAL = "redeal"
    FIRST_CALLER = "first_caller"
    DRAW = "draw"


class QuadSingles(StrEnum):
    """Which two single cards a four may carry."""

    NONE = "none"
    DIFFERENT = "different"
    PAIR = "pair"
    ANY = "any"


class QuadPairs(StrEnum):
    """Which two pairs a four may carry."""

    NONE = "none"
    DIFFERENT = "different"
    ANY = "any"


class DoudizhuRules(Rules):
    """One set of rules of Dou Dizhu."""

    family_id: ClassVar[str] = "doudizhu"

    call: Calling = Field(
        Calling.BID123_ONCE,
        description="How the landlord is found: bids of 1 to 3, each once or in rounds; "
        "call and grab; or seat 0 always.",
        json_schema_extra={"zh": "叫牌方式：每人一次叫分、轮流叫分、叫抢地主、固定地主"},
    )
    first_caller: FirstCaller = Field(
        FirstCaller.ROTATE,
        description="Who calls first: by lot, or by a card dealt face up; after a redeal the next "
        "seat (rotate), a new lot, or the same seat (last_winner).",
        json_schema_extra={"zh": "谁先叫牌：抽签后轮流、每次抽签、明牌、上局赢家"},
    )
    all_pass: AllPass = Field(
        AllPass.REDEAL,
        description="Nobody calls: a new deal, the first caller must take it at 1, or a draw.",
        json_schema_extra={"zh": "都不叫：重新发牌、首家以 1 分当地主、和局"},
    )
    max_redeals: int = Field(
        3,
        ge=0,
        le=20,
        description="Redeals after which the first caller must take the deal at 1.",
        json_schema_extra={"zh": "最多重发次数，之后首家以 1 分当地主"},
    )
    trio_single: bool = Field(
        True,
        description="Whether a triple may carry a single card.",
        json_schema_extra={"zh": "三带一单"},
    )
    trio_pair: bool = Field(
        True,
        description="Whether a triple may carry a pair.",
        json_schema_extra={"zh": "三带一对"},
    )
    plane_singles: bool = Field(
        True,
        description="Whether a chain of triples may carry as many single cards.",
        json_schema_extra={"zh": "飞机带单"},
    )
    plane_pairs: bool = Field(
        True,
        description="Whether a chain of triples may carry as many pairs of different ranks.",
        json_schema_extra={"zh": "飞机带对"},
    )
    quad_singles: QuadSingles = Field(
        QuadSingles.ANY,
        description="Two cards that a four carries: none, two different ranks, a pair alone, or "
        "any two.",
        json_schema_extra={"zh": "四带两单：不可、须不同、仅一对、可为一对"},
    )
    quad_pairs: QuadPairs = Field(
        QuadPairs.DIFFERENT,
        description="Pairs that a four carries: none, two different ranks, or any (33334444).",
        json_schema_extra={"zh": "四带两对：不可、须不同、可为四张"},
    )
    kicker_repeat: int = Field(
        3,
        ge=1,
        le=4,
        description="Most kickers of one rank in a plane with single cards.",
        json_schema_extra={"zh": "飞机带单时同点牌最多几张"},
    )
    kicker_adjacent_triple: bool = Field(
        False,
        description="Whether three equal kickers may be neighbours of the plane.",
        json_schema_extra={"zh": "所带三张可否与飞机相连"},
    )
    kicker_both_jokers: bool = Field(
        False,
        description="Whether both jokers may be kickers of one play.",
        json_schema_extra={"zh": "可否同时带大小王"},
    )
    bomb_doubles: int = Field(
        2,
        ge=1,
        le=4,
        description="Factor of every bomb played.",
        json_schema_extra={"zh": "每个炸弹的倍数"},
    )
    rocket_doubles: int = Field(
        2,
        ge=1,
        le=4,
        description="Factor of the rocket.",
        json_schema_extra={"zh": "火箭的倍数"},
    )
    grab_doubles: int = Field(
        2,
        ge=1,
        le=4,
        description="Factor of every grab in call_grab.",
        json_schema_extra={"zh": "每次抢地主的倍数"},
    )
    spring: int = Field(
        2,
        ge=1,
        le=4,
        description="Factor when the peasants never played, or the landlord played once; 1: off.",
        json_schema_extra={"zh": "春天与反春的倍数"},
    )
    cap: int | None = Field(
        None,
        ge=1,
        le=1_000_000,
        description="Most that base times multiplier comes to; null for no limit.",
        json_schema_extra={"zh": "封顶：底分乘倍数的上限"},
    )
    unplayed_bombs_count: bool = Field(
        False,
        description="Whether bombs and the rocket left in hands multiply too.",
        json_schema_extra={"zh": "留在手中的炸弹是否计倍"},
    )

    @model_validator(mode="after")
    def _neighbours(self) -> Self:
        if self.kicker_adjacent_triple and self.kicker_repeat < 3:
            raise ValueError(
                f"kicker_adjacent_triple: needs kicker_repeat 3 or 4, not {self.kicker_repeat}"
            )
        return self

    def seat_count(self) -> int:
        """Always three."""
        return 3
