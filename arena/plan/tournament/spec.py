"""An event file as typed values: what an organiser wrote."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from arena.match.clock import TimeControl
from arena.plan.spec import FileSpec, Setting, Table


class Format(StrEnum):
    """Who meets whom in one stage of an event."""

    ROUND_ROBIN = "round_robin"
    """Everybody meets everybody, `legs` times."""

    GAUNTLET = "gauntlet"
    """The hero meets everybody else, `legs` times."""

    SWISS = "swiss"
    """`rounds` rounds, each between entrants that stand alike and have not met."""

    GROUPS = "groups"
    """Round robins in groups of `size`; `advance` of each go on."""

    KNOCKOUT = "knockout"
    """Who loses is out."""

    DOUBLE_ELIMINATION = "double_elimination"
    """Who loses twice is out."""

    TABLES = "tables"
    """Tables of up to `size` at one board; the winner of each goes on, until one is left."""


class System(StrEnum):
    """How a Swiss stage pairs."""

    DUTCH = "dutch"
    """Upper half against lower half of a score group, colours balanced."""

    NEIGHBOURS = "neighbours"
    """First against second, third against fourth, by the table so far."""


class Draw(StrEnum):
    """How a knock-out, groups or tables are drawn."""

    LOT = "lot"
    """By lot, once."""

    EACH_ROUND = "each_round"
    """By lot, anew for each round."""

    SEEDS = "seeds"
    """By number: the strongest meet last."""


class Score(StrEnum):
    """What a table adds up."""

    GAMES = "games"
    """The points of every game."""

    MATCH = "match"
    """Points for the match, whatever the number of games."""

    BOARDS = "boards"
    """Points for every board that a team won."""


class Decision(StrEnum):
    """When a match is over."""

    FIXED = "fixed"
    """After `games` games; it may be drawn where no winner is needed."""

    LEAD = "lead"
    """After `games` games, else with the next game that leaves one side ahead."""

    WIN_AND_DRAW = "win_and_draw"
    """As `lead`, but one game each gives one more game, and draws give two."""

    FIRST_TO = "first_to"
    """As soon as one side has `target` points."""


class First(StrEnum):
    """Who has the first seat in a game."""

    PAIRING = "pairing"
    """As the format pairs: Berger's tables, balanced colours; by lot in a knock-out."""

    LOT = "lot"
    NUMBER = "number"
    """The lower number."""


class ExtraFirst(StrEnum):
    """Who has the first seat in the first game beyond `games`."""

    ALTERNATE = "alternate"
    LOT = "lot"


class Change(StrEnum):
    """Who has the first seat in the next game of a match."""

    EACH_GAME = "each_game"
    """The other one than in the last game."""

    LOSER_BEGINS = "loser_begins"
    """Who lost the last game; after a draw the other one than in it."""


class Final(StrEnum):
    """What decides a match that is level after `most` games and needs a winner."""

    LOTS = "lots"
    SUDDEN_DEATH = "sudden_death"
    """One more game, first seat by lot; a draw is a win for the other seat."""

    NUMBER = "number"
    """The lower number goes on."""


class Boards(StrEnum):
    """Which boards of two teams meet."""

    ORDER = "order"
    LOT = "lot"


class TieBreak(StrEnum):
    """What is compared, in this order, between entrants of equal points."""

    DIRECT = "direct"
    """Points among those that are level, where all of them have met."""

    WINS = "wins"
    WINS_SECOND = "wins_second"
    """Wins in matches begun from the second seat."""

    SECONDS = "seconds"
    """Matches begun from the second seat: more is harder."""

    BUCHHOLZ = "buchholz"
    """Sum of the opponents' points."""

    BUCHHOLZ_CUT_1 = "buchholz_cut_1"
    """Without the least."""

    BUCHHOLZ_MEDIAN = "buchholz_median"
    """Without the least and the greatest."""

    SONNEBORN_BERGER = "sonneborn_berger"
    """Each opponent's points times the points won from it."""

    KOYA = "koya"
    """Points against those with half of the points or more."""

    PROGRESSIVE = "progressive"
    """Sum of the points after each round."""

    DIFFERENCE = "difference"
    """Small points for less small points against."""

    TOTAL = "total"
    """Small points for."""

    ROUND_POINTS = "round_points"
    """Points of the last round."""

    ROUND_DIFFERENCE = "round_difference"
    ROUND_TOTAL = "round_total"
    NUMBER = "number"
    LOT = "lot"


class Small(StrEnum):
    """What small points are."""

    GAMES = "games"
    """Points of single games."""

    LEVELS = "levels"
    """Steps up the ladder of a card game with levels."""


class Unreachable(StrEnum):
    """What becomes of a game whose engine cannot be reached."""

    WAIT = "wait"
    """The event stops there; the same command tries again."""

    FORFEIT = "forfeit"
    """The other side wins it, and it stays so."""


class GameTable(Table):
    """The ``[game]`` table: what is played."""

    rulebook: str
    settings: dict[str, Setting] = Field(default_factory=dict)
    opening_plies: int = Field(default=0, ge=0)
    """Random legal moves before the engines start."""

    each_chair: bool = False
    """In games of four chairs and more: everybody for itself, not two sides of partners."""


class EntrantEntry(Table):
    """One ``[entrants.NAME]`` table."""

    engines: tuple[str, ...] = ()
    """One engine, or partners by chair."""

    boards: tuple[tuple[str, ...], ...] = ()
    """For a team: the engines of each board."""

    absent: tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Rounds, counted from 1 through the event, that it does not play."""


class Phase(Table):
    """Games of a match that have a clock of their own."""

    clock: TimeControl
    games: int | None = Field(default=None, ge=1)
    """How many; the last phase has all the rest."""


class Series(Table):
    """The games of one match."""

    games: int = Field(default=1, ge=1, le=10_000)
    """Games of a match, or the fewest where it goes on until it is decided."""

    decided: Decision = Decision.FIXED
    target: float | None = Field(default=None, gt=0)
    """Game points that end it, under `decided` = first_to."""

    most: int = Field(default=10, ge=1, le=10_000)
    """Games after which `final` decides."""

    first: First = First.PAIRING
    change: Change = Change.EACH_GAME
    extra_first: ExtraFirst = ExtraFirst.ALTERNATE
    final: Final = Final.LOTS
    phases: tuple[Phase, ...] = ()

    @property
    def stops(self) -> bool:
        """Whether results decide how many games are played."""
        return self.decided is not Decision.FIXED


class Points(Table):
    """What results are worth."""

    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    bye: float | None = None
    """Default: a win."""

    forfeit: float | None = None
    """For who does not play. Default: a loss."""

    forfeit_small: tuple[float, float] | None = None
    """Small points of a match that was not played: for the present side, for the other."""


class Stage(Table):
    """One ``[[stages]]`` table. Who advances plays the next one."""

    format: Format
    legs: int = Field(default=1, ge=1, le=100)
    rounds: int = Field(default=5, ge=1, le=1000)
    system: System = System.DUTCH
    hero: str | None = None
    size: int = Field(default=4, ge=2, le=64)
    advance: int | None = Field(default=None, ge=1)
    """How many go on: of each group, or of the whole stage. A knock-out ends with so many."""

    draw: Draw = Draw.LOT
    third_place: bool = False
    score: Score = Score.GAMES
    small: Small = Small.GAMES
    boards: Boards = Boards.ORDER
    tiebreaks: tuple[TieBreak, ...] | None = None
    place_points: tuple[float, ...] = ()
    """Points for the first, second, … place of the final table."""

    points: Points = Points()
    series: Series | None = None
    """Instead of the event's."""

    settings: dict[str, Setting] = Field(default_factory=dict)
    """Rules that differ from those of ``[game]``: a final with another target."""


class EventSpec(FileSpec):
    """A whole event file."""

    game: GameTable
    entrants: dict[str, EntrantEntry] = Field(default_factory=dict)
    """Default: every engine for itself."""

    series: Series = Series()
    stages: tuple[Stage, ...] = Field(min_length=1)
    unreachable: Unreachable = Unreachable.WAIT

    @property
    def stops(self) -> bool:
        """Whether results decide how many games some match has: win rates are biased then."""
        return any(
            (stage.series or self.series).stops or stage.format is Format.TABLES
            for stage in self.stages
        )


KNOCKED_OUT = frozenset({Format.KNOCKOUT, Format.DOUBLE_ELIMINATION, Format.TABLES})
"""Formats whose matches need a winner."""

_COMMON = frozenset({"format", "advance", "points", "series", "settings"})
_TABLE = _COMMON | {"score", "small", "boards", "tiebreaks", "place_points"}

READS: dict[Format, frozenset[str]] = {
    Format.ROUND_ROBIN: _TABLE | {"legs"},
    Format.GAUNTLET: _TABLE | {"legs", "hero"},
    Format.SWISS: _TABLE | {"rounds", "system"},
    Format.GROUPS: _TABLE | {"legs", "size", "draw"},
    Format.KNOCKOUT: frozenset(
        {"format", "advance", "draw", "third_place", "series", "settings", "boards"}
    ),
    Format.DOUBLE_ELIMINATION: frozenset({"format", "draw", "series", "settings", "boards"}),
    Format.TABLES: frozenset({"format", "size", "draw", "series", "settings"}),
}
"""The settings of a stage that its format reads; any other has no effect and is refused."""

TIEBREAKS: dict[Format, tuple[TieBreak, ...]] = {
    Format.ROUND_ROBIN: (TieBreak.DIRECT, TieBreak.WINS, TieBreak.SONNEBORN_BERGER),
    Format.GAUNTLET: (TieBreak.WINS,),
    Format.SWISS: (TieBreak.BUCHHOLZ_CUT_1, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER),
    Format.GROUPS: (TieBreak.DIRECT, TieBreak.WINS, TieBreak.SONNEBORN_BERGER),
}
"""Where a stage names none."""
