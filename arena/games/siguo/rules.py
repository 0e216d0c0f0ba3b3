"""Settings of Siguo Junqi. docs/games/siguo.md gives every rule in full."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Self

from pydantic import Field, model_validator

from arena.games.contract import Rules


class Board(StrEnum):
    """Which board, by its number of points."""

    SIGUO129 = "siguo129"
    LUZHANQI60 = "luzhanqi60"


class Teams(StrEnum):
    """Who plays with whom."""

    OPPOSITE = "opposite"
    FFA = "ffa"


class Visibility(StrEnum):
    """Whose units a seat sees."""

    DARK = "dark"
    DOUBLE_BRIGHT = "double_bright"
    HALF_BRIGHT = "half_bright"
    BRIGHT = "bright"


class TurnOrder(StrEnum):
    """Which way the turn goes."""

    CCW = "ccw"
    CW = "cw"


class MineVsPiece(StrEnum):
    """What a mine does to what runs into it."""

    MINE_SURVIVES = "mine_survives"
    BOTH_DIE = "both_die"


class BombVsFlag(StrEnum):
    """What a bomb does to a flag."""

    BOTH_AND_OUT = "both_and_out"
    BOMB_LOST = "bomb_lost"


class CombatDisclosure(StrEnum):
    """What everybody learns of a fight."""

    RESULT_ONLY = "result_only"
    RANKS = "ranks"


class EliminatedPieces(StrEnum):
    """What becomes of the units of a seat that is out."""

    REMOVE = "remove"
    STAY = "stay"
    TO_CAPTOR = "to_captor"


class NoMove(StrEnum):
    """What becomes of a seat without a legal move."""

    ELIMINATED = "eliminated"
    PASS = "pass"


class QuietUnit(StrEnum):
    """In what the quiet limit counts."""

    PLY = "ply"
    ROUND = "round"


class QuietReset(StrEnum):
    """What begins the count anew."""

    FIGHT = "fight"
    ANY_REMOVAL = "any_removal"


class LayoutSource(StrEnum):
    """Who places the units."""

    PLAYER = "player"
    RANDOM = "random"
    BOOK = "book"


class HqLocks(StrEnum):
    """Which headquarters hold what enters them."""

    ANY = "any"
    OWN_ONLY = "own_only"
    NONE = "none"


class SiguoRules(Rules):
    """One set of rules of Siguo Junqi or of its two-player form."""

    family_id: ClassVar[str] = "siguo"

    board: Board = Field(
        Board.SIGUO129,
        description="Board of four homes and a centre (129 points), or of two homes (60).",
        json_schema_extra={"zh": "棋盘：四国 129 点，或陆战棋 60 点"},
    )
    seats: int = Field(
        4,
        ge=2,
        le=4,
        description="Seats at the table; homes without a seat are closed.",
        json_schema_extra={"zh": "人数；无人的阵地不可进入"},
    )
    teams: Teams = Field(
        Teams.OPPOSITE,
        description="Opposite seats are allies, or everybody is alone.",
        json_schema_extra={"zh": "对家结盟，或各自为战"},
    )
    visibility: Visibility = Field(
        Visibility.DARK,
        description="dark: own units only; double_bright: the ally's too; half_bright: dark, but "
        "what is attacked is shown to all; bright: everything.",
        json_schema_extra={"zh": "四暗、双明、半明（被攻之子亮明）、全明"},
    )
    turn_order: TurnOrder = Field(
        TurnOrder.CCW,
        description="South, east, north, west, or the other way.",
        json_schema_extra={"zh": "行棋次序：逆时针或顺时针"},
    )
    mine_vs_piece: MineVsPiece = Field(
        MineVsPiece.MINE_SURVIVES,
        description="Whether a mine survives what runs into it, engineers and bombs apart.",
        json_schema_extra={"zh": "撞雷：地雷留下，或同归于尽"},
    )
    bomb_vs_flag: BombVsFlag = Field(
        BombVsFlag.BOTH_AND_OUT,
        description="A bomb takes a flag along, or is lost without effect.",
        json_schema_extra={"zh": "炸弹碰军旗：同归于尽并出局，或炸弹白送"},
    )
    commander_reveals_flag: bool = Field(
        True,
        description="Whether the loss of a commander shows the flag of its army to all.",
        json_schema_extra={"zh": "司令阵亡是否亮军旗"},
    )
    combat_disclosure: CombatDisclosure = Field(
        CombatDisclosure.RESULT_ONLY,
        description="What all learn of a fight: who was lost, or both ranks too.",
        json_schema_extra={"zh": "交战后公开：仅胜负，或双方军衔"},
    )
    eliminated_pieces: EliminatedPieces = Field(
        EliminatedPieces.REMOVE,
        description="Units of a seat that is out leave the board, stay where they stand, or pass "
        "to the seat that took the flag.",
        json_schema_extra={"zh": "出局方棋子：离场、留在原地、归夺旗者"},
    )
    no_move: NoMove = Field(
        NoMove.ELIMINATED,
        description="A seat without a legal move on its turn is out, or its turn is passed over.",
        json_schema_extra={"zh": "无棋可走：出局，或跳过"},
    )
    quiet_limit: int | None = Field(
        70,
        ge=1,
        le=10_000,
        description="Moves in a row without a fight that make a draw; null for no limit.",
        json_schema_extra={"zh": "连续多少步无交战判和"},
    )
    quiet_unit: QuietUnit = Field(
        QuietUnit.PLY,
        description="A move of one seat, or as many as seats are still in.",
        json_schema_extra={"zh": "一步的单位：一方一手，或一轮"},
    )
    quiet_reset: QuietReset = Field(
        QuietReset.FIGHT,
        description="What begins the count anew: a fight, or any removal of units.",
        json_schema_extra={"zh": "重新计步的条件：交战，或任何棋子离场"},
    )
    timeout_limit: int | None = Field(
        None,
        ge=1,
        le=100,
        description="Time-outs that put a seat out, the turn being lost each time; null: the rules "
        "know none, and a seat that runs out of time is the referee's.",
        json_schema_extra={"zh": "超时几次判负（每次超时跳过一手）；null 为不计"},
    )
    turn_cap: int | None = Field(
        None,
        ge=1,
        le=10_000,
        description="Moves for each seat after which the game is drawn; null for no cap.",
        json_schema_extra={"zh": "每方步数上限，到则判和"},
    )
    short_game: int | None = Field(
        None,
        ge=1,
        le=10_000,
        description="A game that ends in fewer turns than this counts for nobody; null: every "
        "game counts.",
        json_schema_extra={"zh": "不足多少步的对局不计分；null 为都计"},
    )
    layout_source: LayoutSource = Field(
        LayoutSource.PLAYER,
        description="Line-ups are the players', drawn at random, or drawn from a book.",
        json_schema_extra={"zh": "布阵：自布、随机、阵谱"},
    )
    hq_locks: HqLocks = Field(
        HqLocks.ANY,
        description="What stands in a headquarters is held there: in any, in one's own, in none.",
        json_schema_extra={"zh": "进大本营不可再动：任何、仅己方、无"},
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.board == Board.LUZHANQI60 and self.seats != 2:
            raise ValueError(f"seats: {self.seats}; board luzhanqi60 is for 2")
        if self.teams == Teams.OPPOSITE and self.seats != 4:
            raise ValueError(f"teams: opposite needs seats 4, not {self.seats}; else ffa")
        if self.visibility == Visibility.DOUBLE_BRIGHT and self.teams != Teams.OPPOSITE:
            raise ValueError("visibility: double_bright needs teams opposite")
        if self.quiet_limit is None and self.turn_cap is None:
            raise ValueError("quiet_limit: null needs a turn_cap, or games need not end")
        return self

    def seat_count(self) -> int:
        """As the setting says."""
        return self.seats
