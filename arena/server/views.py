"""What callers are shown: rows of the service as messages of the protocol."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from arena.games import game_from_rules
from arena.ledger import GameResult
from arena.match.request import GameRequest
from arena.protocol.convert import rules_message
from arena.protocol.v1 import arena_pb2, types_pb2
from arena.ratings import Entry
from arena.server.division import Division, Phase
from arena.server.engines import EngineRow, EngineState
from arena.server.tokens import Token

STATES = {
    EngineState.SUBMITTED: arena_pb2.ENGINE_STATE_SUBMITTED,
    EngineState.REJECTED: arena_pb2.ENGINE_STATE_REJECTED,
    EngineState.PLAYING: arena_pb2.ENGINE_STATE_PLAYING,
    EngineState.QUARANTINED: arena_pb2.ENGINE_STATE_QUARANTINED,
    EngineState.WITHDRAWN: arena_pb2.ENGINE_STATE_WITHDRAWN,
}
"""Ours to the protocol's."""

_PHASES = {
    Phase.QUALIFYING: arena_pb2.PHASE_QUALIFYING,
    Phase.PLAYING: arena_pb2.PHASE_PLAYING,
    Phase.PLACED: arena_pb2.PHASE_PLACED,
}
_SEAT = re.compile(r"seat (\d+)\b")

STATES_BACK = {message: state for state, message in STATES.items()}


def engine_message(row: EngineRow, viewer: Token, *, online: bool) -> arena_pb2.Engine:
    """An engine as the viewer may see it: addresses and commands are its owner's business."""
    message = arena_pb2.Engine(
        id=row.engine_id,
        name=row.name,
        version=row.version,
        account=row.account,
        description=row.description,
        access=row.access,
        state=STATES[row.state],
        reason=row.reason,
        online=online,
    )
    message.submitted.FromSeconds(row.submitted)
    if row.account != viewer.account and not viewer.may():
        if message.access.HasField("address"):
            message.access.address = ""
        elif message.access.HasField("command"):
            message.access.command.Clear()
            message.access.command.SetInParent()
    return message


def standings(divisions: Iterable[Division], engine: str) -> Iterator[arena_pb2.Standing]:
    """How far an engine is in each division that it is in."""
    for division in divisions:
        entrant = division.entrants.get(engine)
        if entrant is not None:
            yield arena_pb2.Standing(
                rulebook=division.game.label,
                phase=_PHASES[division.phase(entrant)],
                blocks=entrant.blocks,
                elo=division.elo(entrant),
                half_width=division.half_width(entrant),
            )


def named(engine: str) -> types_pb2.NameAndVersion:
    """An engine id, name@version, in its two parts."""
    name, _, version = engine.rpartition("@")
    return types_pb2.NameAndVersion(name=name, version=version)


def game_message(request: GameRequest) -> arena_pb2.Game:
    """A game that begins."""
    return arena_pb2.Game(
        id=request.game_id,
        rulebook=request.game.label,
        players=[named(spec.id) for spec in request.engines],
    )


def result_message(result: GameResult) -> arena_pb2.GameResult:
    """A game that has ended, without its moves."""
    return arena_pb2.GameResult(
        game=arena_pb2.Game(
            id=result.game_id,
            rulebook=result.rulebook,
            players=[named(engine) for engine in result.engines],
        ),
        termination=result.termination.name,
        scores=result.scores,
        places=result.places,
        culprit=result.culprit,
        plies=result.plies,
    )


def board_row(entry: Entry, group: int) -> arena_pb2.LeaderboardRow:
    """A line of a leaderboard."""
    return arena_pb2.LeaderboardRow(
        rank=entry.rank,
        group=group,
        engine=named(entry.engine),
        elo=entry.elo,
        elo_low=entry.low,
        elo_high=entry.high,
        games=entry.games,
        blocks=entry.blocks,
        score=entry.score,
        draws=entry.draws,
    )


def record_message(
    result: GameResult, mine: Collection[str], *, everything: bool
) -> arena_pb2.GetRecordResponse:
    """A whole game; of the notes, those on seats of the engines in `mine`, or all of them."""
    message = arena_pb2.GetRecordResponse(result=result_message(result))
    if result.record is not None:
        record = result.record
        message.rules.CopyFrom(rules_message(game_from_rules(record.game, record.rules)))
        message.setup = record.setup
        for at, (seat, move) in enumerate(record.moves):
            charged, network = result.moves_ms[at] if at < len(result.moves_ms) else (0, 0)
            message.moves.add(seat=seat, move=move, charged_ms=charged, network_ms=network)
    message.told.extend(log.head if log else "" for log in result.told)
    for note in result.notes:
        seat_of = _SEAT.match(note)
        # What a bot wrote before it crashed is its author's business.
        if everything or (seat_of and result.engines[int(seat_of[1])] in mine):
            message.notes.append(note)
    return message
