"""Settings of Xiangqi. docs/games/xiangqi.md gives every rule in full."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules


class Stalemate(StrEnum):
    """What becomes of a side that has no legal move and is not in check."""

    LOSS = "loss"
    DRAW = "draw"


class RepetitionCode(StrEnum):
    """Who judges positions that come again, and how."""

    DRAW = "draw"
    BAN_THIRD_MOVE = "ban_third_move"
    PERPETUAL_CHECK_ONLY = "perpetual_check_only"
    UCCI_LEAGUE = "ucci_league"
    AXF = "axf"
    CXA = "cxa"


class SameMove(StrEnum):
    """How "the same move three times in a row" is read."""

    POSITION = "position"
    LITERAL = "literal"


class LimitMode(StrEnum):
    """Who notices the natural move limit."""

    AUTO = "auto"
    CLAIM = "claim"


class Material(StrEnum):
    """When nobody can win any more."""

    OFF = "off"
    NO_ATTACKERS = "no_attackers"
    ENGINE_TABLE = "engine_table"


class XiangqiRules(Rules):
    """Every setting of the family, with the defaults of most programs."""

    family_id: ClassVar[str] = "xiangqi"

    flying_general: bool = Field(
        True,
        description="Whether facing generals attack each other, so that no move may bare them.",
        json_schema_extra={"zh": "将帅不可照面"},
    )
    stalemate: Stalemate = Field(
        Stalemate.LOSS,
        description="A side without a legal move that is not in check: loses or draws.",
        json_schema_extra={"zh": "困毙：判负或判和"},
    )
    repetition_code: RepetitionCode = Field(
        RepetitionCode.AXF,
        description=(
            "draw: every repetition is a draw; ban_third_move: repetition_count stands for "
            "same_move_limit and no judge is called (read literally: draw); "
            "perpetual_check_only: one-sided perpetual check loses; ucci_league: also a chase by "
            "the league's list; axf: also a perpetual chase of an unprotected man; cxa: also "
            "perpetual threats of mate and mixtures."
        ),
        json_schema_extra={"zh": "循环局面的裁决（棋例）"},
    )
    repetition_count: int | None = Field(
        3,
        ge=2,
        le=10,
        description=(
            "Occurrence of a position that calls the judge; null: positions may come again for "
            "ever."
        ),
        json_schema_extra={"zh": "局面第几次出现时裁决"},
    )
    same_move_limit: int | None = Field(
        None,
        ge=2,
        le=10,
        description=(
            "n: the same move is illegal from its n-th time on, beside any code; null: never. A "
            "side that has no other move left loses. The judge comes first, so that only a limit "
            "below repetition_count is felt."
        ),
        json_schema_extra={"zh": "同一步棋从第几次起不许再走"},
    )
    same_move_mode: SameMove = Field(
        SameMove.POSITION,
        description=(
            "Which moves are the same. position: from-to in the same position; literal: from-to "
            "in consecutive turns of a side, which legal play never comes to."
        ),
        json_schema_extra={"zh": "“同一步棋”的理解：同局面同着法，或字面"},
    )
    natural_limit_rounds: int | None = Field(
        60,
        ge=1,
        le=500,
        description="Rounds without a capture that make a draw; null: no limit.",
        json_schema_extra={"zh": "自然限着（回合）"},
    )
    check_cap: int | None = Field(
        10,
        ge=0,
        le=100,
        description="A side's checks beyond this number do not count to the natural limit.",
        json_schema_extra={"zh": "自然限着中计入的将军次数上限"},
    )
    natural_limit_mode: LimitMode = Field(
        LimitMode.AUTO,
        description="auto: the limit ends the game; claim: a side has to claim it.",
        json_schema_extra={"zh": "自然限着：自动判和或由一方提出"},
    )
    technical_foul_limit: int | None = Field(
        None,
        ge=1,
        le=9,
        description=(
            "So many technical fouls of one side lose: false claims, illegal moves, and what else "
            "a referee books; null: false claims cost nothing, an illegal move what the match "
            "policy says."
        ),
        json_schema_extra={"zh": "技术犯规几次判负"},
    )
    insufficient_material: Material = Field(
        Material.NO_ATTACKERS,
        description=(
            "no_attackers: drawn when no chariot, horse, cannon or soldier is left; engine_table: "
            "also with cannons that have too few men to use as screens, unless the side to move "
            "mates at once."
        ),
        json_schema_extra={"zh": "双方均无取胜可能时判和"},
    )
    max_plies: int | None = Field(
        None,
        ge=2,
        le=2000,
        description="Plies after which the game is drawn; null: no limit.",
        json_schema_extra={"zh": "总着数上限（半回合）"},
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        claims = self.natural_limit_mode is LimitMode.CLAIM
        if claims and self.natural_limit_rounds is None:
            raise ValueError("natural_limit_mode: 'claim' needs natural_limit_rounds")
        if self.repetition_code is RepetitionCode.BAN_THIRD_MOVE:
            if self.repetition_count is None:
                raise ValueError(
                    "repetition_count: null with ban_third_move bans nothing; say draw"
                )
            if self.same_move_limit is not None:
                raise ValueError(
                    "same_move_limit: ban_third_move sets it to repetition_count already; "
                    "leave it null or say draw"
                )
        return self

    def seat_count(self) -> int:
        """Red and Black."""
        return 2
