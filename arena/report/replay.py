"""A kept record as something to step through: pictures, moves in words, who sat where."""

from __future__ import annotations

from dataclasses import dataclass

from arena import _core
from arena.games import Game, Names, Record, Seat, game_from_rules
from arena.ledger.result import GameResult
from arena.report.film import Film, film_of


@dataclass(frozen=True, slots=True)
class ReplayMove:
    """One move, in the notation of people."""

    seat: Seat
    text: str
    """Canonical text."""

    names: Names


@dataclass(frozen=True, slots=True)
class ReplayPlayer:
    """Who sat in a seat and what came of it."""

    seat: Seat
    engine: str
    role: str
    score: str
    page: str
    """Page of the engine relative to the report's folder; "" where there is none."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game ready to be shown."""

    names: Names
    """The rulebook's."""

    label: str
    identity: str
    setup: str
    players: tuple[ReplayPlayer, ...]
    ending: Names
    moves: tuple[ReplayMove, ...]
    film: Film
    picture: str
    """The last picture: what is seen without JavaScript and on paper."""


def game_of(record: Record) -> Game:
    """The game of a record, under the rules it was played by. Raises RulesError."""
    return game_from_rules(record.game, record.rules)


def replay_of(result: GameResult, pages: dict[str, str] | None = None) -> Replay:
    """The replay of a result that has a record; `pages` maps engine ids to their pages.

    Raises ValueError for a result without a record, and what the rules raise (RulesError,
    SetupError, IllegalMove) for a record that does not fit them.
    """
    record = result.record
    if record is None:
        raise ValueError(f"game {result.game_id}: no record was kept")
    game = game_of(record)
    pictures, moves = play_through(game, record)
    players = tuple(
        ReplayPlayer(
            seat=Seat(seat),
            engine=engine,
            role=result.roles[seat] if seat < len(result.roles) else "",
            score=f"{result.scores[seat]:g}",
            page=(pages or {}).get(engine, ""),
        )
        for seat, engine in enumerate(result.engines)
    )
    return Replay(
        names=game.family.rulebooks[game.rulebook].names,
        label=game.label,
        identity=result.game_id,
        setup=record.setup,
        players=players,
        ending=ending_of(result),
        moves=moves,
        film=film_of(pictures),
        picture=pictures[-1],
    )


def play_through(game: Game, record: Record) -> tuple[list[str], tuple[ReplayMove, ...]]:
    """The pictures of a record, setup first, and its moves in words."""
    state = game.new_state(setup=record.setup)
    draw, describe = game.family.draw_svg, game.family.describe_move
    pictures = [draw(game, state)]
    moves = []
    for seat, move in record.moves:
        state.apply(seat, move)
        pictures.append(draw(game, state))
        names = Names(describe(game, move, False), describe(game, move, True))
        moves.append(ReplayMove(seat, move, names))
    return pictures, tuple(moves)


def ending_of(result: GameResult) -> Names:
    """How the game ended, in a short sentence."""
    who_en = who_zh = ""
    if result.culprit is not None:
        who_en, who_zh = f"seat {result.culprit + 1}: ", f"座位 {result.culprit + 1}："
    return Names(
        f"{who_en}{_core.label(result.termination)}, {result.plies} moves",
        f"{who_zh}{_core.label(result.termination, zh=True)}，共 {result.plies} 着",
    )
