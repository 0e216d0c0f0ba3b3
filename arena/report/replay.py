"""A kept record as something to step through: pictures, moves in words, who sat where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from arena import _core
from arena.games import Game, Names, Record, Seat, game_from_rules, play_recorded
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


def replay_of(result: GameResult, pages: Mapping[str, str] | None = None) -> Replay:
    """The replay of a result that has a record; `pages` maps engine ids to their pages.

    Raises ValueError for a result without a record, and what the rules raise (RulesError,
    SetupError, IllegalMove) for a record that does not fit them.
    """
    if result.record is None:
        raise ValueError(f"game {result.game_id}: no record was kept")
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
    ending = ending_of(result.termination, result.culprit, result.plies)
    return _replay(result.record, result.game_id, players, ending)


def replay_of_record(record: Record, name: str) -> Replay:
    """The replay of a record without a result, such as one from a file called `name`.

    Raises what the rules raise for a record that does not fit them.
    """
    state = (game := game_of(record)).replay(record)
    outcome = state.outcome()
    players = tuple(
        ReplayPlayer(
            seat=Seat(seat),
            engine="",
            role=state.roles()[seat],
            score=f"{outcome.scores[seat]:g}" if outcome else "",
            page="",
        )
        for seat in range(game.seats)
    )
    if outcome is None:
        ending = Names(f"unfinished, {state.plies} moves", f"未完，共 {state.plies} 着")
    else:
        ending = ending_of(outcome.termination, None, state.plies)
    return _replay(record, name, players, ending)


def _replay(
    record: Record, identity: str, players: tuple[ReplayPlayer, ...], ending: Names
) -> Replay:
    game = game_of(record)
    pictures, moves = play_through(game, record)
    return Replay(
        names=game.family.rulebooks[game.rulebook].names,
        label=game.label,
        identity=identity,
        setup=record.setup,
        players=players,
        ending=ending,
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
        play_recorded(state, seat, move)
        pictures.append(draw(game, state))
        names = Names(describe(game, move, False), describe(game, move, True))
        moves.append(ReplayMove(seat, move, names))
    return pictures, tuple(moves)


def ending_of(termination: _core.Termination, culprit: Seat | None, plies: int) -> Names:
    """How a game ended, in a short sentence."""
    who_en = who_zh = ""
    if culprit is not None:
        who_en, who_zh = f"seat {culprit}: ", f"座位 {culprit}："
    return Names(
        f"{who_en}{_core.label(termination)}, {plies} moves",
        f"{who_zh}{_core.label(termination, zh=True)}，共 {plies} 着",
    )
