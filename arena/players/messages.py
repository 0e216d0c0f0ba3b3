"""Turns as protocol messages, and answers out of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from arena.games import Game
from arena.players.base import Answer, Ask, Ending, Verdict
from arena.players.told import view
from arena.protocol.convert import move_text, rules_message, type_observation
from arena.protocol.v1 import bot_pb2, types_pb2

REASONS = {
    Verdict.STALE: bot_pb2.REFUSAL_REASON_STALE_REVISION,
    Verdict.DUPLICATE: bot_pb2.REFUSAL_REASON_DUPLICATE,
    Verdict.GAME_OVER: bot_pb2.REFUSAL_REASON_GAME_OVER,
    Verdict.ILLEGAL: bot_pb2.REFUSAL_REASON_ILLEGAL_MOVE,
    Verdict.MALFORMED: bot_pb2.REFUSAL_REASON_MALFORMED,
    Verdict.NOTHING_TO_CLAIM: bot_pb2.REFUSAL_REASON_NOTHING_TO_CLAIM,
}

_MOVE_CHARS = 4_096


class TurnWriter:
    """Writes turns in the form that one bot wants them in."""

    def __init__(
        self,
        form: bot_pb2.ObservationForm.ValueType = bot_pb2.OBSERVATION_FORM_TEXT,
        legal_moves: bool = False,
    ) -> None:
        """`form` and `legal_moves` as in the bot's description."""
        self._text = form != bot_pb2.OBSERVATION_FORM_TYPED
        self._typed = form != bot_pb2.OBSERVATION_FORM_TEXT
        self._legal_moves = legal_moves
        self._rules: dict[Game, types_pb2.Rules] = {}

    def rules(self, game: Game) -> types_pb2.Rules:
        """The rules message of a game, made once."""
        found = self._rules.get(game)
        if found is None:
            found = self._rules[game] = rules_message(game)
        return found

    def request(self, asks: Iterable[Ask]) -> bot_pb2.PlayRequest:
        """One message that holds these turns and their rules."""
        request = bot_pb2.PlayRequest()
        indices: dict[Game, int] = {}
        add = request.turns.add
        for ask in asks:
            game = ask.table.game
            index = indices.get(game)
            if index is None:
                index = indices[game] = len(indices)
                request.rules.append(self.rules(game))
            self._write(add, ask, game, index)
        return request

    def _write(self, add: Callable[..., bot_pb2.Turn], ask: Ask, game: Game, index: int) -> None:
        full = game.family.full_information
        told = view(ask.table.state, ask.seat, full, ask.events, self._legal_moves)
        if ask.log is not None:
            ask.log.add(ask.revision, told, ask.draw_offers, ask.refused, ask.refused_answer)
        turn = add(
            game=ask.table.game_id,
            revision=ask.revision,
            seat=ask.seat,
            rules=index,
            ply=told.ply,
            limit_ms=ask.limit_ms,
            observation=told.observation if self._text else "",
            position=told.position,
            requirements=told.requirements,
            seed=ask.seed,
        )
        for kind, who, text in told.events:
            turn.events.add(kind=kind, seat=who, text=text)
        if ask.clocks:
            for clock in ask.clocks:
                turn.clocks.add(
                    main_ms=clock.main_ms,
                    bank_ms=clock.bank_ms,
                    moves_left=clock.moves_left,
                    periods_left=clock.periods_left,
                    period_ms=clock.period_ms,
                )
        if ask.draw_offers:
            turn.draw_offers.extend(ask.draw_offers)
        if ask.refused:
            turn.refused = ask.refused
        if told.moves is not None:
            turn.legal_moves.moves.extend(told.moves)
            turn.legal_moves.complete = told.complete
        if self._typed:
            type_observation(turn, game.family.id, told.observation)


def answer_of(decision: bot_pb2.Decision) -> Answer:
    """A decision message as the referee takes it."""
    return Answer(
        move=(decision.move or move_text(decision))[:_MOVE_CHARS],
        resign=decision.resign,
        offer_draw=decision.offer_draw,
        accept_draw=decision.accept_draw,
        claim=decision.claim,
        value=_share(decision.value) if decision.HasField("value") else None,
        comment=decision.comment,
        law=_law(decision) if decision.drawn else (),
        failure=decision.failure,
    )


def game_over_of(ending: Ending, seats: Iterable[int]) -> bot_pb2.GameOver:
    """How a game ended, as a message to the bot in these seats."""
    return bot_pb2.GameOver(
        game=ending.game_id,
        seats=seats,
        termination=ending.termination,
        scores=ending.scores,
        places=ending.places,
        culprit=ending.culprit,
        message=ending.message,
    )


def _law(decision: bot_pb2.Decision) -> tuple[tuple[str, float], ...]:
    """The chances of moves, made to add up to 1; empty where they are no chances."""
    chances: dict[str, float] = {}
    for each in decision.policy:
        if not 0.0 <= each.probability < math.inf:  # NaN too
            return ()
        move = each.move[:_MOVE_CHARS]
        chances[move] = chances.get(move, 0.0) + each.probability
    total = sum(chances.values())
    if not 0.0 < total < math.inf:
        return ()
    return tuple((move, chance / total) for move, chance in chances.items() if chance)


def _share(value: float) -> float | None:
    """A value in [0, 1]; anything else (NaN too) says nothing."""
    return value if 0.0 <= value <= 1.0 else None
