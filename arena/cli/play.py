"""`arena play`: one game between engines, or a person at the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError, ExitCode, write
from arena.cli.rules import SetOption, settings_of
from arena.cli.screen import JsonOption, LangOption, Screen, clean

if TYPE_CHECKING:
    from arena._core import Events, State, Termination
    from arena.games import Game, Record, Seat
    from arena.players.base import Limits, Player
    from arena.players.spec import EngineSpec

HUMAN = "human"
"""The engine text of a person at the terminal."""

A_DAY_MS = 24 * 3600 * 1000
"""A person may think for as long as it takes."""

SeatOption = Annotated[
    str | None,
    typer.Option(
        metavar="ENGINE",
        help="human, search:nodes=400, python:module:Class, grpc://host:port or a command.",
    ),
]


@dataclass(frozen=True, slots=True)
class Played:
    """A game as it was left: over, or given up by the person."""

    record: Record
    finished: bool
    scores: tuple[float, ...] | None
    places: tuple[int, ...] | None
    roles: tuple[str, ...]
    termination: Termination | None
    culprit: Seat | None
    plies: int
    notes: tuple[str, ...] = ()


def play(
    rulebook: Annotated[
        str, typer.Argument(metavar="RULEBOOK", help="Such as gomoku/renju_rif; see `arena games`.")
    ],
    seat0: SeatOption = None,
    seat1: SeatOption = None,
    seat2: SeatOption = None,
    seat3: SeatOption = None,
    seat4: SeatOption = None,
    seat5: SeatOption = None,
    setting: SetOption = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Seed of the deal and of the engines.")
    ] = 0,
    setup: Annotated[
        str | None, typer.Option(help="Begin from this position (setup text).")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write the record as JSON.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Draw the last position only.")] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Play one game. Seats that are not named get the weakest reference engine."""
    from arena.games import game

    screen = Screen(lang, as_json)
    made = game(rulebook, **settings_of(setting))
    given = (seat0, seat1, seat2, seat3, seat4, seat5)
    for seat, text in enumerate(given):
        if text is not None and seat >= made.seats:
            raise CommandError(
                f"--seat{seat}: {made.label} has {made.seats} seats, 0 to {made.seats - 1}"
            )
    texts = [text or made.family.rungs[0] for text in given[: made.seats]]
    play_and_show(screen, made, texts, seed, setup, save, quiet)


def play_and_show(
    screen: Screen,
    made: Game,
    texts: Sequence[str],
    seed: int,
    setup: str | None,
    save: Path | None,
    quiet: bool,
) -> None:
    """One game between engines, by seat, from the first move to what is kept of it.

    Exits with code 3 where a fault ends it.
    """
    from arena.players.fault import is_fault

    engines = [_engine(text) for text in texts]
    table = _Table(screen, made, texts, engines, seed, setup, quiet)
    played = table.play_here() if table.local else table.play_refereed()
    if save is not None:
        write(save, json.dumps(played.record.to_json(), ensure_ascii=False) + "\n")
    if screen.as_json:
        from dataclasses import fields

        body = {f.name: getattr(played, f.name) for f in fields(played)}
        screen.document(body | {"record": played.record.to_json(), "engines": texts})
    else:
        _print_outcome(screen, texts, played)
    if played.termination is not None and is_fault(played.termination):
        raise typer.Exit(ExitCode.FAULTS)


def _engine(text: str) -> EngineSpec:
    from arena.players.spec import EngineKind, EngineSpec

    if text == HUMAN:
        return EngineSpec(HUMAN, "1", EngineKind.PYTHON, "arena.cli.human:Person")
    return EngineSpec.parse(text)


def _print_outcome(screen: Screen, texts: Sequence[str], played: Played) -> None:
    from arena.report.replay import ending_of

    if played.termination is None or played.scores is None or played.places is None:
        screen.line(screen.say("left unfinished", "未下完"))
        return
    screen.line(screen.name(ending_of(played.termination, played.culprit, played.plies)))
    for seat, text in enumerate(texts):
        who = screen.say(f"seat {seat}", f"座位 {seat}")
        place = screen.say(f"place {played.places[seat]}", f"第 {played.places[seat]} 名")
        screen.line(f"{who} {played.roles[seat]} {clean(text)}: {played.scores[seat]:g}, {place}")
    for note in played.notes:  # a bot's traceback is lines
        for line in note.splitlines():
            screen.line(clean(line))


class _Table:
    """A board with its players."""

    def __init__(
        self,
        screen: Screen,
        game: Game,
        texts: Sequence[str],
        engines: Sequence[EngineSpec],
        seed: int,
        setup: str | None,
        quiet: bool,
    ) -> None:
        from arena import SPECTATOR
        from arena.games import Seat
        from arena.players.spec import EngineKind

        self.screen, self.game, self.texts, self.engines = screen, game, texts, engines
        self.seed, self.setup, self.quiet = seed, setup, quiet
        self.human = HUMAN in texts
        people = [Seat(seat) for seat, text in enumerate(texts) if text == HUMAN]
        self.viewer = people[0] if len(people) == 1 else SPECTATOR
        """Who is told of the moves where people play: one of several must not see the others'."""

        self.local = all(e.kind is EngineKind.BUILTIN or e.name == HUMAN for e in engines)
        """Whether everybody sits in this process, so that each move is seen as it is made."""

    def play_here(self) -> Played:
        """Play in this process, showing every move as it comes."""
        from arena._core import IllegalMove, derive_seed
        from arena.cli.human import Terminal
        from arena.games import RESIGN, Seat

        # With --json the standard output holds one document: what a person needs goes beside.
        stream = sys.stderr if self.screen.as_json else sys.stdout
        terminal = Terminal(self.game, self.screen, stream)
        show = self.human or not self.screen.as_json
        players = [
            None if spec.name == HUMAN else self.game.core.engine(spec.target)
            for spec in self.engines
        ]
        for seat, player in enumerate(players):
            if player is not None:
                player.new_game(derive_seed(self.seed, seat))
        state = self.game.new_state(self.seed, self.setup)
        start = state.setup()
        left = False
        resigned: Seat | None = None
        while seats := state.seats_to_act():
            seat = min(seats)
            player = players[seat]
            move = terminal.ask(state, seat) if player is None else player.choose(state, seat)[0]
            if move is None:
                left = True
                break
            text = str(move)
            if player is None and text == RESIGN:
                try:  # rules by which the others go on
                    events = state.rule(seat, RESIGN)
                except IllegalMove:
                    resigned = Seat(seat)
                    break
            else:
                events = state.apply(seat, move)
            if show and not self.quiet:
                terminal.tell(self._told(state.plies, seat, text, self._seen(events, seat, text)))
                if not self.human:
                    terminal.draw(state)
        if show and (self.quiet or self.human) and not left:
            terminal.draw(state)
        return self._played(state, start, resigned)

    def _played(self, state: State, start: str, resigned: Seat | None) -> Played:
        from arena._core import Termination
        from arena.match.forfeit import Standing, forfeited

        outcome = state.outcome()
        standing: Standing | tuple[None, None] = (
            (outcome.scores, outcome.places) if outcome else (None, None)
        )
        termination = outcome.termination if outcome else None
        if resigned is not None:
            settled = self.game.family.settled
            places = settled(state) if settled else ()
            standing = forfeited(state.sides(), resigned, places)
            termination = Termination.resignation
        return Played(
            record=self.game.record(start, state.history()),
            finished=termination is not None,
            scores=standing[0],
            places=standing[1],
            roles=state.roles(),
            termination=termination,
            culprit=resigned,
            plies=state.plies,
        )

    def play_refereed(self) -> Played:
        """Play through the referee: engines outside, their faults and their clocks."""
        from arena.match.policy import MatchPolicy
        from arena.match.request import GameRequest, NotPlayed
        from arena.match.runner import MatchRunner

        if self.setup is not None:
            raise CommandError("--setup: only for built-in engines and people")
        policy = MatchPolicy(move_ms=A_DAY_MS, game_ms=A_DAY_MS) if self.human else MatchPolicy()
        request = GameRequest(
            game_id="0" * 32,
            sweep_id="play",
            cell_id="play",
            block=0,
            permutation=0,
            game=self.game,
            engines=tuple(self.engines),
            deal_seed=self.seed,
            engine_seed=self.seed,
            keep_record=True,
        )
        with MatchRunner(policy, make_player=self._player) as runner:
            result = next(iter(runner.play([request])))
        if isinstance(result, NotPlayed):
            raise CommandError(f"not played ({result.cause}): {result.message}")
        assert result.record is not None
        if not self.screen.as_json:
            self._show_record(result.record, result.moves_ms)
        return Played(
            record=result.record,
            finished=True,
            scores=result.scores,
            places=result.places,
            roles=result.roles,
            termination=result.termination,
            culprit=result.culprit,
            plies=result.plies,
            notes=result.notes,
        )

    def _player(self, spec: EngineSpec, limits: Limits) -> Player:
        from arena.cli.human import Person
        from arena.players.build import player_for

        return Person(spec, limits, self.screen) if spec.name == HUMAN else player_for(spec, limits)

    def _show_record(self, record: Record, moves_ms: Sequence[tuple[int, int]]) -> None:
        from arena.games import play_recorded

        state = self.game.new_state(setup=record.setup)
        for (seat, move), (spent_ms, _) in zip(record.moves, moves_ms, strict=True):
            play_recorded(state, seat, move)
            if not self.quiet:
                self.screen.line(f"{self._told(state.plies, seat, move)}  {spent_ms} ms")
                if not self.human:
                    self.screen.line(self.game.family.draw_text(self.game, state))
        if self.quiet or self.human:
            self.screen.line(self.game.family.draw_text(self.game, state))

    def _seen(self, events: Events, seat: int, move: str) -> str | None:
        """What people are told in place of a move that they may not see; None where they may."""
        if not self.human:
            return None
        told = [event.seen_by(self.viewer) for event in events if event.seat == seat]
        return None if move in told else next(filter(None, told), self.screen.say("…", "……"))

    def _told(self, ply: int, seat: int, move: str, instead: str | None = None) -> str:
        words = instead or self.game.family.describe_move(self.game, move, self.screen.zh)
        who = self.screen.say(f"seat {seat}", f"座位 {seat}")
        return f"{ply}. {who} ({clean(self.texts[seat])}): {words}"
