"""Every row of the tables of docs/endings.md, played through the referee."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena._core import Engine, Termination
from arena.games import Game
from arena.ledger.result import GameResult
from arena.match.policy import MatchPolicy
from arena.match.referee import Table
from arena.match.request import NotPlayed
from arena.players.base import Answer, Ask
from arena.players.fault import EngineUnavailable, Fault, FaultKind, Unavailable
from tests.match.table_kit import Puppet, request_for

PAGE = (Path(__file__).parents[2] / "docs" / "endings.md").read_text("utf-8")
ILLEGAL = "play nonsense"
COUNTS = {"five times": 5}
CAUSES = {
    "timeout": "silent",
    "disconnect": "gone",
    "crash": "crashes",
    "illegal_move": "illegal",
    "protocol_error": "empty",
    "resignation": "resigns",
}


def rows(section: str) -> list[tuple[str, ...]]:
    """The rows of the table of a section, without its head and the lines between groups."""
    text = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    (part,) = (each for each in text if each.startswith(section))
    cells = [
        tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
        for line in part.splitlines()
        if line.startswith("| `")
    ]
    assert cells
    return cells


def made(text: str) -> Game:
    name, *overrides = text.split()
    settings = dict(pair.split("=") for pair in overrides)
    return arena.game(name, **{k: int(v) if v.isdigit() else v for k, v in settings.items()})


@dataclass(frozen=True)
class Standing:
    termination: str
    scores: tuple[Fraction, ...]
    places: tuple[int, ...]

    @classmethod
    def read(cls, termination: str, scores: str, places: str) -> Standing:
        return cls(
            termination,
            tuple(Fraction(one) for one in scores.split()),
            tuple(int(one) for one in places.split()),
        )


class Script:
    """A table whose seats play on, but for what a script says."""

    def __init__(self, game: Game, policy: MatchPolicy) -> None:
        self.puppet = Puppet()
        self.results: list[GameResult | NotPlayed] = []
        self.table = Table(
            request_for(game),
            policy,
            [self.puppet] * game.seats,
            lambda _, r: self.results.append(r),
        )
        self.policy = policy
        self.greedy: Engine = game.core.engine("greedy")
        self.greedy.new_game(1)
        self.hurries: int | None = None
        self.table.start()

    def owed(self, seat: int | None = None) -> Ask | None:
        """The turn that is due, of a seat or of any."""
        for ask in self.puppet.asked:
            if not ask.done and seat in (None, ask.seat):
                return ask
        return None

    def say(self, ask: Ask, answer: Answer) -> None:
        self.table.answered(ask, answer, 1.0, 0.0)

    def plain(self, ask: Ask) -> str:
        """A move that keeps the game going."""
        state = self.table.state
        if ask.seat == self.hurries:
            return str(self.greedy.choose(state, ask.seat)[0])
        if self.table.game.family.id == "tuolaji":
            # Somebody has to name trumps.
            calls = [text for m in state.moves(ask.seat) if (text := str(m)).startswith("call")]
            if calls:
                return calls[-1]
        return str(state.stand_in(ask.seat))

    def move_on(self) -> None:
        ask = self.owed()
        assert ask is not None, "the game has ended too early"
        self.say(ask, Answer(move=self.plain(ask)))

    def until(self, seat: int) -> Ask:
        for _ in range(2_000):
            ask = self.owed(seat)
            if ask is not None:
                return ask
            self.move_on()
        raise AssertionError(f"seat {seat} is never asked")

    def run(self, events: str) -> None:
        for event in events.split(", "):
            if event == "first lead":
                while '"phase":"play"' not in self.table.state.observe(arena.SPECTATOR):
                    self.move_on()
                continue
            who, what, *often = event.split(" ", 2)
            for _ in range(COUNTS[often[0]] if often else 1):
                self.act(int(who), what)

    def act(self, seat: int, what: str) -> None:
        table = self.table
        if what == "finishes":
            self.hurries = seat
            while seat not in self.finishers():
                self.move_on()
            self.hurries = None
            return
        if what == "unreachable":
            table.abort(EngineUnavailable("e", Unavailable.UNREACHABLE, "not there"))
            return
        ask = self.until(seat)
        match what:
            case "silent":
                # A player says when its turn began; puppets have not.
                ask.started_ns = ask.asked_ns
                late = self.policy.move_ms + self.policy.margin_ms
                late += self.policy.network_allowance_ms + 1
                table.due(ask.asked_ns + late * 1_000_000)
            case "gone":
                table.failed(ask, Fault(FaultKind.DISCONNECT, "lost"))
            case "crashes":
                self.say(ask, Answer(failure="broken"))
            case "illegal":
                self.say(ask, Answer(move=ILLEGAL))
            case "empty":
                self.say(ask, Answer())
            case "resigns":
                self.say(ask, Answer(resign=True))
            case "moves":
                self.say(ask, Answer(move=self.plain(ask)))
            case "offers":
                self.say(ask, Answer(move=self.plain(ask), offer_draw=True))
            case "accepts":
                self.say(ask, Answer(move=self.plain(ask), accept_draw=True))
            case "despairs":
                self.say(ask, Answer(move=self.plain(ask), value=0.05))
            case _:
                raise AssertionError(f"no such event: {what}")

    def finishers(self) -> list[int]:
        seen = json.loads(self.table.state.observe(arena.SPECTATOR))
        return [one["seat"] for one in seen["finished"]]

    @property
    def standing(self) -> Standing:
        (result,) = self.results
        assert isinstance(result, GameResult)
        return Standing(
            result.termination.name,
            tuple(Fraction(score).limit_denominator(100) for score in result.scores),
            result.places,
        )


def resigning_only_leaves(game: Game) -> bool:
    """Whether who resigns leaves a game that goes on, as the second table has it."""
    return game.family.id == "siguo" and '"phase":"play"' in game.new_state(0).observe(0)


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("row", rows("It ends the game"), ids=lambda row: f"{row[0]}:{row[1]}")
def test_a_fault_ends_the_game(row: tuple[str, ...], cause: str) -> None:
    name, culprit, scores, places = row
    game = made(name)
    assert cause != "resignation" or not resigning_only_leaves(game)
    script = Script(game, MatchPolicy())
    script.act(int(culprit), CAUSES[cause])
    assert script.standing == Standing.read(cause, scores, places)
    (result,) = script.results
    assert isinstance(result, GameResult) and result.culprit == int(culprit)
    assert sum(result.scores[seat] for seat in range(game.seats)) > 0
    assert not any(not ask.done for ask in script.puppet.asked), "nothing is owed any more"
    told = {ending.termination for _, ending in script.puppet.endings}
    assert told == {cause}


@pytest.mark.parametrize("row", rows("The game goes on"), ids=lambda row: f"{row[0]}:{row[2]}")
def test_where_the_rules_or_the_policy_say_otherwise(row: tuple[str, ...]) -> None:
    name, policy, events, then, scores, places = row
    script = Script(made(name), MatchPolicy(**tomllib.loads(policy.strip("`"))))
    *before, last = events.split(", ")
    if before:
        script.run(", ".join(before))
        assert not script.results, "only the last event ends it"
    script.run(last)
    if then == "goes on":
        assert not script.results
        assert script.table.state.seats_to_act()
        script.move_on()
        assert scores == places == ""
    elif then == "not played":
        assert isinstance(script.results[0], NotPlayed)
    else:
        assert script.standing == Standing.read(then, scores, places)


def test_every_cause_that_is_not_of_the_rules_is_there() -> None:
    causes = {row[0] for row in rows("The causes")}
    assert causes == set(CAUSES) >= {kind.value for kind in FaultKind}
    played = {row[3] for row in rows("The game goes on")} | causes
    referees = list(Termination)[: list(Termination).index(Termination.move_limit) + 1]
    assert {cause.name for cause in referees} - played == {"interrupted"}


def test_every_family_and_number_of_seats_is_there() -> None:
    games = [made(row[0]) for row in rows("It ends the game")]
    assert {game.family.id for game in games} == set(arena.games.family_ids())
    for name in arena.games.family_ids():
        seats = {game.seats for game in games if game.family.id == name}
        assert seats == set(arena.games.family(name).seats)


def test_sides_share_their_fate_and_scores_are_what_places_say() -> None:
    for row in [*rows("It ends the game"), *rows("The game goes on")]:
        if not row[-1]:
            continue
        scores = [Fraction(one) for one in row[-2].split()]
        places = [int(one) for one in row[-1].split()]
        assert len(scores) == len(places) == made(row[0]).seats
        for mine, place in zip(scores, places, strict=True):
            for other, behind in zip(scores, places, strict=True):
                assert (mine > other) == (place < behind)
