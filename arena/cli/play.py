"""`arena play`: one game between engines, or a person at the terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError
from arena.cli.rules import SetOption, settings_of
from arena.cli.screen import JsonOption, LangOption, Screen, clean

if TYPE_CHECKING:
    from arena._core import Engine, Outcome, State
    from arena.games import Game

HUMAN = "human"
"""The engine text of a person at the terminal."""

SHOWN_MOVES = 40
"""Legal moves that `?` lists at most."""

SeatOption = Annotated[
    str | None,
    typer.Option(
        metavar="ENGINE", help="human, or an engine such as search:nodes=400 or grpc://host:port."
    ),
]


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
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deal and of the engines.")] = 0,
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
    table = _Table(screen, made, texts, seed, setup, quiet)
    outcome = table.play()
    record = made.record(table.start, table.state.history())
    if save is not None:
        save.write_text(json.dumps(record.to_json(), ensure_ascii=False) + "\n", "utf-8")
    if screen.as_json:
        screen.document(
            {
                "record": record.to_json(),
                "engines": texts,
                "finished": outcome is not None,
                "scores": outcome.scores if outcome else None,
                "places": outcome.places if outcome else None,
                "roles": table.state.roles(),
                "termination": outcome.termination if outcome else None,
                "plies": table.state.plies,
            }
        )
        return
    _print_outcome(screen, table, outcome)


def _print_outcome(screen: Screen, table: _Table, outcome: Outcome | None) -> None:
    from arena.report.replay import ending_of

    if outcome is None:
        screen.line(screen.say("left unfinished", "未下完"))
        return
    screen.line(screen.name(ending_of(outcome.termination, None, table.state.plies)))
    for seat, text in enumerate(table.texts):
        who = screen.say(f"seat {seat}", f"座位 {seat}")
        role = outcome.roles[seat]
        place = screen.say(f"place {outcome.places[seat]}", f"第 {outcome.places[seat]} 名")
        screen.line(f"{who} {role} {clean(text)}: {outcome.scores[seat]:g}, {place}")


class _Table:
    """A board with its players."""

    def __init__(
        self,
        screen: Screen,
        game: Game,
        texts: Sequence[str],
        seed: int,
        setup: str | None,
        quiet: bool,
    ) -> None:
        from arena._core import derive_seed

        self.screen, self.game, self.texts, self.quiet = screen, game, texts, quiet
        # With --json the standard output holds one document: what a person needs goes beside.
        self.stream = sys.stderr if screen.as_json else sys.stdout
        self.state: State = game.new_state(seed, setup)
        self.start = self.state.setup()
        self.engines: list[Engine | None] = []
        for seat, text in enumerate(texts):
            engine = None if text == HUMAN else _builtin(game, text)
            if engine is not None:
                engine.new_game(derive_seed(seed, seat))
            self.engines.append(engine)

    def play(self) -> Outcome | None:
        """Play to the end; None where a person left."""
        while seats := self.state.seats_to_act():
            seat = min(seats)
            engine = self.engines[seat]
            if engine is None:
                if not self.quiet or self.state.plies == 0:
                    self.draw()
                move = self.ask(seat)
                if move is None:
                    return None
            else:
                chosen, _ = engine.choose(self.state, seat)
                move = str(chosen)
            self.state.apply(seat, move)
            if not self.quiet:
                self.say(self.told(seat, move))
                if HUMAN not in self.texts:
                    self.draw()
        if self.quiet or HUMAN in self.texts:
            self.draw()
        return self.state.outcome()

    def told(self, seat: int, move: str) -> str:
        """A move in words, with its number."""
        words = self.game.family.describe_move(self.game, move, self.screen.zh)
        who = self.screen.say(f"seat {seat}", f"座位 {seat}")
        return f"{self.state.plies}. {who} ({clean(self.texts[seat])}): {words}"

    def ask(self, seat: int) -> str | None:
        """A legal move of the person in a seat; None at the end of input or for `quit`."""
        say = self.screen.say
        prompt = say(f"seat {seat}, your move (? for help): ", f"座位 {seat}，请走棋（? 求助）：")
        while True:
            print(prompt, end="", file=self.stream, flush=True)
            line = sys.stdin.readline()
            text = line.strip()
            if not line or text in ("quit", "exit"):
                self.say("")
                return None
            if text in ("?", "help"):
                self.say(self.hints(seat))
            elif text:
                refused = self.state.check(seat, text)
                if refused is None:
                    return text
                self.say(refused.message)

    def hints(self, seat: int) -> str:
        """Some legal moves, in canonical text."""
        moves = self.state.moves(seat)
        shown = [str(moves[index]) for index in range(min(len(moves), SHOWN_MOVES))]
        more = " …" if len(moves) > len(shown) else ""
        say = self.screen.say
        return say("moves: ", "可走：") + ", ".join(shown) + more + say("; quit", "；quit 退出")

    def draw(self) -> None:
        """The board, in text."""
        self.say(self.game.family.draw_text(self.game, self.state))

    def say(self, text: str) -> None:
        """A line to the person, or nothing where only the document is wanted."""
        if not self.screen.as_json or HUMAN in self.texts:
            print(text, file=self.stream, flush=True)


def _builtin(game: Game, text: str) -> Engine:
    from arena.players.spec import EngineKind, EngineSpec

    spec = EngineSpec.parse(text)
    if spec.kind is not EngineKind.BUILTIN:
        raise CommandError(f"'{text}': not a built-in engine")
    return game.core.engine(spec.target)
