"""A sweep file as typed values: what a researcher wrote, before anything is expanded."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from arena.match.policy import MatchPolicy
from arena.plan.errors import SweepError
from arena.plan.toml_lines import TomlLines
from arena.players.sandbox import Sandbox

Setting = bool | int | str
"""A rule setting's value in TOML; the word "null" stands for nothing."""

MOST_OPENING_PLIES = 1_000
"""A game that is over before its engines start tells nothing."""

MOST_BLOCKS = 10_000_000
"""Of a cell: what is left to play is held as a list of them."""


MOST_ELO = 1_000
"""Of a hypothesis: beyond that, nearly every game has the same winner."""

LEAST_GAP = 0.1
"""Elo between two hypotheses: for less no sweep is long enough."""

MOST_CPUS = 100_000


class Pairing(StrEnum):
    """Who meets whom within one game of the sweep."""

    SELF_PLAY = "self_play"
    """Every engine against itself: what the seats are worth."""

    ROUND_ROBIN = "round_robin"
    """Every pair of engines (or every combination, see `Seating`)."""

    GAUNTLET = "gauntlet"
    """The hero against each of the others."""


class Seating(StrEnum):
    """How two engines or more fill the chairs of a game with more than two of them."""

    ONE_VS_REST = "one_vs_rest"
    """A against B B …, and B against A A …."""

    ALTERNATE = "alternate"
    """A B A B …: the natural one for games with two sides."""

    MIXED = "mixed"
    """A different engine in every chair: every combination of them."""


class Permutations(StrEnum):
    """Which seatings of a line-up are the games of one block."""

    ROTATIONS = "rotations"
    """The line-up moved on chair by chair: every engine has every chair equally often."""

    ALL = "all"
    """Every distinct order of the line-up."""


class Table(BaseModel):
    """A table of a file: frozen, no unknown settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Records(Table):
    """How many full records (moves, clocks) to keep; results are always kept."""

    keep: Literal["all", "none"] | Annotated[float, Field(ge=0, le=1)] = "all"
    """"all", "none", or the share of blocks whose games are kept whole."""


TestMethod = Literal["gsprt", "e-process"]


class StopTest(Table):
    """``[stop.sprt]``: is an engine's lead `elo0` or less, or `elo1` or more?"""

    engine: str
    against: str | None = None
    """Only the blocks against this engine; all in which it meets others, if left out."""

    elo0: float = Field(ge=-MOST_ELO, le=MOST_ELO)
    elo1: float = Field(ge=-MOST_ELO, le=MOST_ELO)
    """At least `LEAST_GAP` more than `elo0`."""

    method: TestMethod | None = None
    """By a likelihood ratio, as duels are tested if nothing is said, or by bets, as all others
    are (`arena.ratings.sequential.Method`)."""

    scale: Literal["logistic", "normalised"] | None = None
    """Left out: normalised with a likelihood ratio, logistic with bets, which know no other."""

    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    """Chance to take a lead of `elo0` for one of `elo1`; `beta` is the other error's."""

    beta: float = Field(default=0.05, gt=0, lt=0.5)


class Stop(Table):
    """``[stop]``: when blocks need not be played although they are planned.

    Decided on blocks in planned order, up to the first that is missing, in whole batches:
    never on what happened to arrive first.
    """

    half_width: float | None = Field(default=None, gt=0, lt=0.5)
    """A cell stops when the interval of each of its scores is as narrow. The intervals hold
    at every block at once (`arena.ratings.anytime`), so that stopping does not spoil them."""

    sprt: StopTest | None = None
    """The cells of a test stop when it accepts a hypothesis."""

    total: int | None = Field(default=None, ge=1)
    """Blocks of all cells together: the next ones go to the cell whose scores are known
    least. Decided in rounds of about a batch a cell."""

    floor: float = Field(default=0.5, ge=0, le=1)
    """With `total`: every cell gets at least this part of an even share, as long as it needs
    any."""

    batch: int = Field(default=20, ge=1)
    """Blocks between two looks."""


class GamesEntry(Table):
    """One ``[[games]]`` table: rulebooks by name or glob, crossed with a grid of settings."""

    rulebooks: tuple[str, ...] = Field(min_length=1)
    grid: dict[str, tuple[Setting, ...]] = {}
    """Setting to its values; the cross product is played."""

    opening_plies: int = Field(default=0, ge=0, le=MOST_OPENING_PLIES)
    """Random legal moves before the engines start, the same for all games of a block."""

    blocks: int | None = Field(default=None, ge=1, le=MOST_BLOCKS)
    """Blocks a cell, where these games need another number than the sweep's."""

    skip_invalid: bool = False
    """Leave out combinations that the rules refuse (the plan lists them)."""


class SandboxEntry(Table):
    """``[engines.NAME.sandbox]``: what a started program may use; see `Sandbox`."""

    memory_mib: int = Field(default=Sandbox().memory_mib, ge=16, le=2**30)
    """Memory that each of its processes may fill."""

    processes: int = Field(default=Sandbox().processes, ge=1, le=2**20)
    """Its processes and threads together; the kernel does not hold root to it."""

    files: int = Field(default=Sandbox().files, ge=16, le=2**20)
    """Files and connections that each of its processes may have open."""

    disk_mib: int = Field(default=Sandbox().disk_mib, ge=1, le=2**20)
    """What it may write to /tmp, which is empty at first and gone with it."""

    see: tuple[str, ...] = ()
    """What it may read beside the system's programs and the folder the sweep runs in."""


class EngineEntry(Table):
    """One ``[engines.NAME]`` table: how the engine is reached, and its version."""

    use: str | None = None
    """"search:nodes=400", "python:module:Class" or "grpc://host:port"."""

    command: tuple[str, ...] | None = Field(default=None, min_length=1)
    """A program that each worker starts beside itself and talks gRPC to."""

    version: str | None = Field(default=None, min_length=1)
    """Part of every game's identity. Built-in engines have that of this package."""

    games: tuple[str, ...] = ("*",)
    """Rulebooks, by name or glob, that the engine plays."""

    cpus: float = Field(default=1, ge=0, le=MOST_CPUS)
    """Cores that one copy of a `command` keeps busy; no more of them play at once than fit."""

    gpus: float = Field(default=0, ge=0, le=MOST_CPUS)
    """The same of GPUs; a share, such as 0.5, where copies share one."""

    sandbox: SandboxEntry | None = None
    """A box for a `command`: no network, no environment, nothing to see but what it needs."""


class PlacedTable(Table):
    """A whole file, which knows where its settings stand, for errors found later."""

    _file: str = PrivateAttr(default="")
    _text: str = PrivateAttr(default="")
    _lines: TomlLines | None = PrivateAttr(default=None)

    def placed(self, file: str, text: str) -> Self:
        """The same settings, as they stand in a file."""
        copy = self.model_copy()
        copy._file, copy._text, copy._lines = file, text, TomlLines(text)
        return copy

    def error(self, path: tuple[str | int, ...], message: str, value: object = None) -> SweepError:
        """A SweepError about the setting at a path such as ("games", 0, "grid")."""
        return SweepError(
            message,
            file=self._file,
            line=self._lines.line(path) if self._lines else None,
            field=".".join(map(str, path)),
            value=value,
        )


class FileSpec(PlacedTable):
    """What sweep files and event files have in common."""

    name: str = Field(min_length=1)
    seed: int = Field(ge=0, lt=2**63)
    match: MatchPolicy = MatchPolicy()
    records: Records = Records()
    engines: dict[str, EngineEntry] = {}

    def portable(self) -> str:
        """What was set, as JSON: the same file where ``model_validate_json`` reads it."""
        return self.model_dump_json(exclude_unset=True)

    @property
    def text(self) -> str:
        """The file as it was written, or the settings as JSON where there is none."""
        return self._text or self.portable()


class SweepSpec(FileSpec):
    """A whole sweep file."""

    blocks: int = Field(default=100, ge=1, le=MOST_BLOCKS)
    """Blocks a cell."""

    pairing: tuple[Pairing, ...] = Field(default=(Pairing.SELF_PLAY,), min_length=1)
    hero: str | None = None
    seating: Seating = Seating.ONE_VS_REST
    permutations: Permutations = Permutations.ROTATIONS
    rungs: Literal["all"] | tuple[Annotated[int, Field(ge=1)], ...] = ()
    """Steps of each family's ladder of reference engines, 1 the weakest, as engines."""

    stop: Stop | None = None
    games: tuple[GamesEntry, ...] = Field(min_length=1)
