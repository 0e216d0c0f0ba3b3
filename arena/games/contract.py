"""The contract every game keeps, as Python sees it.

The moving parts (`State`, `Move`, `Illegal`, `Event`, `Outcome`) are compiled and come
from `arena._core`; this module adds what a person writes and reads: the typed rules
record, the rulebook, the game and the record of a play.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NewType, Protocol

from pydantic import BaseModel, ConfigDict

from arena._core import MAX_SEATS, IllegalMove, SetupError, State
from arena._core import SPECTATOR as CORE_SPECTATOR
from arena._core import game as core_game
from arena.games.suggest import nearest, plain

if TYPE_CHECKING:
    from arena._core import Events
    from arena._core import Game as CoreGame

RESIGN = "resign"
"""The ruling that takes a seat which gives up out of a game that goes on without it."""

FOUL = "fine foul"
"""The ruling that books a technical foul, where the rules count them."""

RULINGS = ("fine ", RESIGN)
"""How a referee's rulings begin among the moves of a record."""

Seat = NewType("Seat", int)
"""A chair at the table, 0-based."""

SPECTATOR = Seat(CORE_SPECTATOR)
"""The observer that sees only what everybody may see."""


class RulesError(ValueError):
    """A rulebook, setting or value that does not exist or makes no sense together."""


@dataclass(frozen=True, slots=True)
class Names:
    """A name in both languages of the users."""

    en: str
    zh: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of `Outcome.measures`, as tables show it."""

    names: Names
    share: bool = False
    """Whether it lies between 0 and 1 and is shown as per cent."""

    digits: int = 2

    even: float | None = None
    """The mean at which nobody is ahead; None where it says nothing of that."""


class Rules(BaseModel):
    """Settings of one family: typed, frozen, compared by value.

    Subclasses declare one field a setting. Each field carries its meaning in
    ``description`` (English) and ``json_schema_extra={"zh": …}`` (Chinese); cross-field
    sense is checked by validators whose errors name the fields.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_enum_values=False)

    family_id: ClassVar[str]

    def settings(self) -> dict[str, bool | int | str | None]:
        """The settings as plain values, in the order of declaration."""
        return self.model_dump(mode="json")

    def canonical(self) -> str:
        """Canonical JSON of the family and every setting: equal rules, equal text."""
        body = {"game": self.family_id, **self.settings()}
        return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @cached_property
    def digest(self) -> str:
        """Sixteen hex digits of SHA-256 over `canonical`: the identity of the rules."""
        return hashlib.sha256(self.canonical().encode()).hexdigest()[:16]

    def seat_count(self) -> int:
        """How many seats a game under these rules has."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Rulebook:
    """A named set of rules with its source."""

    id: str
    names: Names
    source: str
    note: str
    settings: Mapping[str, Any]
    """Only what differs from the family's defaults, inherited books included."""

    rules: Rules

    sources: Mapping[str, str] = field(default_factory=dict)
    """Setting name to the sentence or reference of its value, where one is known."""


class DrawText(Protocol):
    """Draws a position for a terminal."""

    def __call__(self, game: Game, state: State, viewer: Seat | None = None) -> str:
        """As a seat may see it; with no viewer, the whole truth."""
        ...


@dataclass(frozen=True, slots=True)
class Family:
    """A family of rules: what the registry knows of a game."""

    id: str
    names: Names
    rules: type[Rules]
    rulebooks: Mapping[str, Rulebook]
    full_information: bool
    seats: tuple[int, ...]
    """Possible numbers of seats."""

    draw_text: DrawText
    """A position for a terminal."""

    draw_svg: Callable[[Game, State], str]
    """A position as a self-contained SVG picture."""

    describe_move: Callable[[Game, str, bool], str]
    """(game, canonical move, Chinese?) to what a person would say."""

    rungs: tuple[str, ...]
    """Reference engine specs, weakest first; each beats the one before clearly."""

    measures: Mapping[str, Measure] = field(default_factory=dict)
    """What `Outcome.measures` holds, in the order of tables; empty where there is nothing."""

    fines: Callable[[Game, State, Seat, str, bool], tuple[str, ...] | None] | None = None
    """(game, state, seat, illegal answer, again on this turn?) to the rulings of the rulebook, for
    `State.rule`; None, or no function: the rules name no fine for it."""

    settled: Callable[[State], tuple[int, ...]] | None = None
    """How seats stand that take no more part in a game that goes on, by seat: 1, 2 … finished in
    that order; -1, -2 … out in that order, so that -1 is last of all; 0: still playing."""

    fine_kinds: frozenset[str] = frozenset()
    """Fines that a match policy may order under any rulebook: "points", "levels"."""


@dataclass(frozen=True, slots=True)
class Record:
    """Everything needed to play a game again: rules, where it began, what was played."""

    game: str
    """Rulebook name, such as "gomoku/doc001"."""

    rules: Mapping[str, bool | int | str | None]
    """Every setting, so that a record outlives later changes of a rulebook."""

    setup: str
    moves: tuple[tuple[Seat, str], ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready dict; `from_json` reads it back."""
        return {
            "game": self.game,
            "rules": dict(self.rules),
            "setup": self.setup,
            "moves": [[seat, move] for seat, move in self.moves],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Record:
        """Read a record. Raises RulesError naming the part that is missing or wrong."""
        for key in data:
            if key not in _PARTS:
                raise RulesError(f"{key}: is no part of a record{nearest(key, _PARTS)}")
        rules = _record_part(data, "rules", Mapping, "an object of settings")
        for name, value in rules.items():
            if not isinstance(value, _PLAIN):
                raise RulesError(
                    f"rules: {name}: must be a number, text, true, false or null, "
                    f"not {_shown(value)}"
                )
        moves = _record_part(data, "moves", list, "a list of [seat, text]")
        return cls(
            _record_part(data, "game", str, "a rulebook's name"),
            dict(rules),
            _record_part(data, "setup", str, "text"),
            tuple(_record_move(number, entry) for number, entry in enumerate(moves, start=1)),
        )


class Game:
    """One family under one set of rules. Immutable; makes states."""

    def __init__(self, family: Family, rulebook: str, rules: Rules) -> None:
        """Build the core game. Raises RulesError where the core refuses the rules."""
        self.family = family
        self.rulebook = rulebook
        self.rules = rules
        try:
            self.core: CoreGame = core_game(family.id, rules.settings())
        except ValueError as error:
            raise RulesError(f"{family.id}/{rulebook}: {error}") from None

    @property
    def name(self) -> str:
        """Family and rulebook, "gomoku/doc001"; overrides show in `rules` and `label`."""
        return f"{self.family.id}/{self.rulebook}"

    @property
    def overrides(self) -> dict[str, bool | int | str | None]:
        """Settings that differ from those of the named rulebook."""
        base = self.family.rulebooks[self.rulebook].rules.settings()
        return {k: v for k, v in self.rules.settings().items() if v != base[k]}

    @property
    def label(self) -> str:
        """The name and, in brackets, every override: "gomoku/doc001[size=19]"."""
        changed = ",".join(f"{k}={plain(v)}" for k, v in self.overrides.items())
        return f"{self.name}[{changed}]" if changed else self.name

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.core.seats

    def new_state(self, seed: int = 0, setup: str | None = None) -> State:
        """A fresh game: from a seed, or from the text of any position or deal.

        Raises SetupError, with what is wrong and what would be right, for a bad setup.
        """
        if setup is not None:
            return self.core.from_setup(setup)
        return self.core.new_state(seed & 0xFFFF_FFFF_FFFF_FFFF)

    def restore(self, snapshot: bytes) -> State:
        """A state from `State.snapshot()` bytes. Raises SetupError for anything else."""
        try:
            return self.core.from_setup(snapshot.decode())
        except UnicodeDecodeError:
            raise SetupError("snapshot: not UTF-8 text, so not a snapshot") from None

    def record(self, start: str, moves: Sequence[tuple[int, str]]) -> Record:
        """A record of moves played from the setup text `start`."""
        played = tuple((Seat(seat), move) for seat, move in moves)
        return Record(self.name, self.rules.settings(), start, played)

    def replay(self, record: Record) -> State:
        """The state at the end of a record.

        Raises IllegalMove or SetupError where the record does not fit these rules.
        """
        state = self.new_state(setup=record.setup)
        for seat, move in record.moves:
            play_recorded(state, seat, move)
        return state

    def __repr__(self) -> str:
        """`arena.game(...)` form."""
        return f"<Game {self.label}>"


_PARTS = ("game", "rules", "setup", "moves")
_PLAIN = (bool, int, str, type(None))


def _record_part(data: Mapping[str, Any], name: str, kind: type, words: str) -> Any:
    if name not in data:
        raise RulesError(f"{name}: is missing; a record has {', '.join(_PARTS)}")
    if not isinstance(data[name], kind):
        raise RulesError(f"{name}: must be {words}, not {_shown(data[name])}")
    return data[name]


def _record_move(number: int, entry: Any) -> tuple[Seat, str]:
    if not isinstance(entry, list | tuple) or len(entry) != 2:
        raise RulesError(f"moves: number {number} must be [seat, text], not {_shown(entry)}")
    seat, move = entry
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < MAX_SEATS:
        raise RulesError(
            f"moves: number {number}: seat {_shown(seat)}; seats are numbers from 0, "
            f"at most {MAX_SEATS - 1}"
        )
    if not isinstance(move, str):
        raise RulesError(f"moves: number {number}: the move must be text, not {_shown(move)}")
    return Seat(seat), move


def _shown(value: Any) -> str:
    """The beginning of a value, for an error message."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except ValueError:  # an integer too long to be written
        text = f"a number of {value.bit_length()} bits" if isinstance(value, int) else "?"
    return text if len(text) <= 60 else f"{text[:57]}..."


def play_recorded(state: State, seat: int, move: str) -> Events:
    """Play one entry of a record: a seat's move, or a referee's ruling against the seat.

    Raises IllegalMove where it does not fit.
    """
    if move.startswith(RULINGS):
        return state.rule(seat, move)
    return state.apply(seat, move)


__all__ = [
    "FOUL",
    "RESIGN",
    "SPECTATOR",
    "Family",
    "Game",
    "IllegalMove",
    "Measure",
    "Names",
    "Record",
    "Rulebook",
    "Rules",
    "RulesError",
    "Seat",
    "SetupError",
    "State",
    "play_recorded",
]
