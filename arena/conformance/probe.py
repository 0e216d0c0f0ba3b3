"""One position put to a player: a referee that takes one answer and goes no further."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena._core import State, Termination
from arena.conformance.positions import Position
from arena.games import Game
from arena.match.forfeit import level
from arena.players.awake import awake_ns
from arena.players.base import Answer, Ask, ClockReading, Ending, Player, Verdict
from arena.players.fault import EngineUnavailable, Fault


class Probe:
    """A `Judge` whose game ends with the first answer, right or wrong."""

    def __init__(
        self,
        position: Position,
        game_id: str,
        changed: Callable[[], None] = lambda: None,
        allowance_ms: int = 0,
    ) -> None:
        """`changed` is called when an answer, or the lack of one, is certain.

        `allowance_ms` is forgiven beyond a turn's limit.
        """
        self.position = position
        self.game_id = game_id
        self.game: Game = position.game
        self.state: State = position.state
        self.answer: Answer | None = None
        self.spent_ms = 0.0
        self.trouble = ""
        """What is wrong with the answer, or why there is none; empty: nothing."""

        self._changed = changed
        self._allowance_ms = allowance_ms

    @property
    def settled(self) -> bool:
        """Whether there is an answer, or never will be."""
        return self.answer is not None or bool(self.trouble)

    def turn(
        self,
        limit_ms: int,
        revision: int = 1,
        clocks: Sequence[ClockReading] = (),
        draw_offers: Sequence[int] = (),
        refused: str = "",
        seed: int | None = None,
    ) -> Ask:
        """The turn to hand to a player; a new one for each time it is asked."""
        self.answer, self.trouble = None, ""
        return Ask(
            table=self,
            seat=self.position.seat,
            revision=revision,
            limit_ms=limit_ms,
            clocks=clocks,
            events=self.position.events,
            draw_offers=draw_offers,
            seed=revision if seed is None else seed,
            refused=refused,
            asked_ns=awake_ns(),
        )

    def end(self, player: Player) -> None:
        """Tells the player that the game is over."""
        seats = self.game.seats
        scores, places = level(seats)
        name = Termination.interrupted.name
        ending = Ending(self.game_id, name, scores, places, None, "one position, no game")
        player.game_over(self.game, [self.position.seat], ending)

    # What players say (the Judge protocol).

    def answered(
        self, ask: Ask, answer: Answer, spent_ms: float, network_ms: float
    ) -> tuple[Verdict, str]:
        """Takes an answer and says what is wrong with it."""
        if ask.done:
            return Verdict.DUPLICATE, "already answered"
        ask.done = True
        self.answer = answer
        self.spent_ms = spent_ms
        verdict = self._judge(ask, answer)
        if verdict is Verdict.ACCEPTED and spent_ms > ask.limit_ms + self._allowance_ms:
            self.trouble = f"answered after {spent_ms:.0f} ms; the limit was {ask.limit_ms} ms"
        self._changed()
        return verdict, self.trouble

    def _judge(self, ask: Ask, answer: Answer) -> Verdict:
        if answer.failure:
            self.trouble = f"gave the turn up: {answer.failure}"
        elif answer.resign or (answer.accept_draw and ask.draw_offers):
            return Verdict.ACCEPTED
        elif not answer.move:
            self.trouble = "an answer without a move: a decision holds a move, or resigns"
            return Verdict.MALFORMED
        elif (illegal := self.state.check(ask.seat, answer.move)) is not None:
            self.trouble = f"illegal move: {illegal.message}"
            return Verdict.ILLEGAL
        return Verdict.ACCEPTED

    def failed(self, ask: Ask, fault: Fault) -> None:
        """There will be no answer."""
        if not ask.done:
            ask.done = True
            self.trouble = f"{fault.kind.value}: {fault.detail}"
            self._changed()

    def abort(self, reason: EngineUnavailable) -> None:
        """There will be no answer from this engine any more."""
        self.trouble = self.trouble or reason.message
        self._changed()

    def remark(self, text: str) -> None:
        """Nothing: whoever asks sees for itself what becomes of the connection."""
