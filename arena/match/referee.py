"""One game: who owes a move, what an answer is worth, how it all ends.

A `Table` does no input or output and reads no clock of its own: turns go out through
`Player.ask`, answers come back through `answered`, time comes in as numbers. So every rule
of it can be tested without an engine, and thousands of games share one event loop without a
task or timer for each move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from arena._core import Events, IllegalMove, Rng, State, Termination, derive_seed
from arena.games import FOUL, RESIGN, Game, Record, Seat
from arena.ledger.result import GameResult
from arena.match.adjudication import DrawTracker, ResignTracker
from arena.match.forfeit import Standing, forfeited, level
from arena.match.late import instead_of
from arena.match.penalty import rulings
from arena.match.policy import MatchPolicy
from arena.match.request import GameRequest, NotPlayed
from arena.players.awake import awake_ns
from arena.players.base import Answer, Ask, Ending, Player, Verdict
from arena.players.fault import EngineUnavailable, Fault, FaultKind
from arena.players.spec import EngineKind
from arena.players.told import SeatLog

_TERMINATIONS = {
    FaultKind.TIMEOUT: Termination.timeout,
    FaultKind.DISCONNECT: Termination.disconnect,
    FaultKind.CRASH: Termination.crash,
    FaultKind.ILLEGAL_MOVE: Termination.illegal_move,
    FaultKind.PROTOCOL_ERROR: Termination.protocol_error,
}
# Notes travel with every result: an engine must not be able to blow them up.
_NOTE_CHARS = 4_000
_NOTES = 200
_COMMENT_CHARS = 1_024
_OPENING_STREAM = 1


class Table:
    """The referee of one game, from its request to its result."""

    def __init__(
        self,
        request: GameRequest,
        policy: MatchPolicy,
        players: Sequence[Player],
        on_end: Callable[[Table, GameResult | NotPlayed], None],
        worker: str = "",
    ) -> None:
        """`players` by seat. `on_end` is called once, when the game is over."""
        self._request = request
        self.game_id: str = request.game_id
        self.game: Game = request.game
        self.state: State = request.game.new_state(request.deal_seed)
        self._policy = policy
        self._players = players
        self._on_end = on_end
        self._worker = worker
        self._seats = request.game.seats
        self._revision = 0
        self._owed: dict[int, Ask] = {}
        self._held: dict[int, tuple[Answer, int, int]] = {}
        self._log: list[Events] = []
        self._seen = [0] * self._seats
        self._timed = policy.clock.kind != "none"
        self._clocks = [policy.clock.start() for _ in range(self._seats)]
        self._illegal_left = [policy.illegal_retries] * self._seats
        self._fined: set[int] = set()
        """Seats that were fined for the turn they owe."""
        self._owing: set[int] = set()
        """Seats for which the least that is asked for is played."""
        self._offered_by: int | None = None
        self._accepted: set[int] = set()
        self._offers = [0] * self._seats
        """Moves in a row with which each seat has offered a draw."""
        two = self._seats == 2
        self._draws = (
            DrawTracker(policy.adjudicate_draw) if two and policy.adjudicate_draw else None
        )
        self._resigns = (
            ResignTracker(policy.adjudicate_resign) if two and policy.adjudicate_resign else None
        )
        self._setup = self.state.setup() if request.keep_record else ""
        self._moves_ms: list[tuple[int, int]] = []
        self._policies: list[tuple[int, tuple[tuple[str, float], ...]]] = []
        self._notes: list[str] = []
        self._logs = [SeatLog() for _ in players] if request.keep_record else []
        self._seeds = [_seed(request, seat) for seat in range(self._seats)]
        self._started_ns = 0
        self._over = False

    # The game's course.

    def start(self) -> None:
        """Plays the random opening and asks for the first move."""
        self._started_ns = awake_ns()
        opening = Rng(derive_seed(self._request.deal_seed, _OPENING_STREAM))
        while self.state.plies < self._request.opening_plies and not self._stopped():
            seat = min(self.state.seats_to_act())
            self._log.append(self.state.apply(seat, self.state.sample_move(seat, opening)))
            if self._request.keep_record:
                self._moves_ms.append((0, 0))
        self._ask()

    def _stopped(self) -> bool:
        limit = self._policy.max_plies
        return not self.state.seats_to_act() or (limit > 0 and self.state.plies >= limit)

    def _ask(self, only: int | None = None, refused: str = "", answer: str = "") -> None:
        """Asks every seat that owes a move, or one of them again: why its `answer` was refused."""
        acting = self.state.seats_to_act()
        if not acting:
            self._end_by_rules()
            return
        if 0 < self._policy.max_plies <= self.state.plies:
            self._end(Termination.move_limit, level(self._seats))
            return
        self._revision += 1
        now = awake_ns()
        seats = (only,) if only is not None else acting if len(acting) == 1 else sorted(acting)
        asks = [self._make_ask(seat, refused, answer, now) for seat in seats]
        for ask in asks:
            self._owed[ask.seat] = ask
        for ask in asks:
            self._players[ask.seat].ask(ask)

    def _make_ask(self, seat: int, refused: str, answer: str, now: int) -> Ask:
        seen = self._seen[seat]
        self._seen[seat] = len(self._log)
        limit = self._clocks[seat].limit_ms if self._timed else None
        cap = self._policy.move_ms
        return Ask(
            table=self,
            seat=seat,
            revision=self._revision,
            limit_ms=cap if limit is None else min(limit, cap),
            clocks=tuple(self._clocks) if self._timed else (),
            events=self._log[seen:],
            draw_offers=() if self._offered_by in (None, seat) else (self._offered_by,),
            seed=self._seeds[seat],
            refused=refused,
            asked_ns=now,
            log=self._logs[seat] if self._logs else None,
            refused_answer=answer,
        )

    # What players say (the Judge protocol).

    def answered(
        self, ask: Ask, answer: Answer, spent_ms: float, network_ms: float
    ) -> tuple[Verdict, str]:
        """Takes an answer: what became of it, and a sentence about it."""
        if self._over:
            return Verdict.GAME_OVER, "the game is over"
        seat = ask.seat
        if ask.done or self._owed.get(seat) is not ask:
            return (Verdict.DUPLICATE if ask.done else Verdict.STALE), "already answered"
        network = min(network_ms, self._policy.network_allowance_ms)
        charged = max(0, round(spent_ms - network))
        if self._out_of_time(seat, charged):
            passed = self._overstepped(ask, f"answered after {charged} ms")
            return (
                (Verdict.STALE, f"out of time: {charged} ms; the turn has passed")
                if passed
                else (Verdict.GAME_OVER, f"out of time: {charged} ms")
            )
        if answer.failure:
            self._fault(seat, FaultKind.CRASH, answer.failure)
            return Verdict.ACCEPTED, ""
        if answer.comment and self._request.keep_record:
            self.remark(f"seat {seat}, ply {self.state.plies}: {answer.comment[:_COMMENT_CHARS]}")
        if answer.resign and self._policy.resignations:
            self._resign(ask, charged, round(min(network, spent_ms)))
            return Verdict.ACCEPTED, ""
        if answer.accept_draw and self._agree(seat):
            return Verdict.ACCEPTED, ""
        if not answer.move:
            self._fault(seat, FaultKind.PROTOCOL_ERROR, "an answer without a move")
            return Verdict.MALFORMED, "a decision holds a move, or resigns"
        return self._take(ask, answer, charged, round(min(network, spent_ms)))

    def failed(self, ask: Ask, fault: Fault) -> None:
        """Ends the game by a fault of the asked seat."""
        if not self._over and self._owed.get(ask.seat) is ask:
            self._fault(ask.seat, fault.kind, fault.detail)

    def abort(self, reason: EngineUnavailable) -> None:
        """Gives the game up without a result."""
        if not self._over:
            self._close()
            self._tell(Termination.interrupted, level(self._seats), None, reason.message)
            self._on_end(
                self, NotPlayed(self._request, reason.engine, reason.cause, reason.message)
            )

    def remark(self, text: str) -> None:
        """Adds a line to the record's notes."""
        if len(self._notes) < _NOTES:
            self._notes.append(text[-_NOTE_CHARS:])

    def due(self, now_ns: int) -> None:
        """Ends the game where a silent seat has run out of time. Called again and again."""
        waited = self._policy.network_allowance_ms
        for seat, ask in list(self._owed.items()):
            if ask.done or not ask.started_ns:
                continue
            spent = round((now_ns - ask.started_ns) / 1e6) - waited
            if self._out_of_time(seat, spent):
                if not self._overstepped(ask, f"no answer after {spent + waited} ms"):
                    return
                continue
            if now_ns - self._started_ns > self._policy.game_ms * 1_000_000:
                self._fault(seat, FaultKind.TIMEOUT, f"game longer than {self._policy.game_ms} ms")
                return

    # Moves.

    def _out_of_time(self, seat: int, spent_ms: int) -> bool:
        margin = self._policy.margin_ms
        return spent_ms > self._policy.move_ms + margin or (
            self._timed and self._clocks[seat].flag_fell(spent_ms, margin)
        )

    def _overstepped(self, ask: Ask, detail: str) -> bool:
        """Ends the turn of a seat that ran out of time: True; or the game by it: False."""
        seat = ask.seat
        move = instead_of(self.state, seat, self._policy, self._request.engine_seed)
        if move is None:
            self._fault(seat, FaultKind.TIMEOUT, detail)
            return False
        self.remark(f"seat {seat}, ply {self.state.plies}: {move} instead: {detail}")
        self._players[seat].withdraw(ask)
        # All that the move could take is gone; what comes after a move comes after this one.
        self._take(ask, Answer(move=move), ask.limit_ms, 0)
        return True

    def _resign(self, ask: Ask, charged: int, network: int) -> None:
        """Takes the seat out of the game where the rules let the others go on, else ends it."""
        seat = ask.seat
        try:
            events = self.state.rule(seat, RESIGN)
        except IllegalMove:
            self._forfeit(seat, Termination.resignation)
            return
        ask.done = True
        del self._owed[seat]
        self._played(seat, events, Answer(move=RESIGN), charged, network)
        if not self._over:
            self._ask()

    def _take(self, ask: Ask, answer: Answer, charged: int, network: int) -> tuple[Verdict, str]:
        seat = ask.seat
        if len(self._owed) == 1:
            try:
                events = self.state.apply(seat, answer.move)
            except IllegalMove as error:
                return self._illegal(ask, answer.move, charged, error.args[0])
            ask.done = True
            del self._owed[seat]
            self._played(seat, events, answer, charged, network)
            if not self._over:
                self._ask()
        else:
            illegal = self.state.check(seat, answer.move)
            if illegal is not None:
                return self._illegal(ask, answer.move, charged, illegal.message)
            ask.done = True
            self._held[seat] = (answer, charged, network)
            if len(self._held) == len(self._owed):
                self._reveal()
        if answer.claim:
            return Verdict.NOTHING_TO_CLAIM, f"no claim '{answer.claim[:40]}' in this game"
        if answer.accept_draw and seat not in self._accepted:
            return Verdict.NOTHING_TO_CLAIM, "no offer of a draw stands; the move was played"
        return Verdict.ACCEPTED, ""

    def _reveal(self) -> None:
        """Plays the answers of a simultaneous phase, in order of seats."""
        held = sorted(self._held.items())
        self._owed.clear()
        self._held.clear()
        for seat, (answer, charged, network) in held:
            # A move of an earlier seat may have ended the phase: the rest is void.
            if self._over or self._stopped() or self.state.check(seat, answer.move) is not None:
                break
            events = self.state.apply(seat, answer.move)
            self._played(seat, events, answer, charged, network)
        if not self._over:
            self._ask()

    def _played(
        self, seat: int, events: Events, answer: Answer, charged: int, network: int
    ) -> None:
        self._log.append(events)
        self._fined.discard(seat)
        if self._request.keep_record:
            if answer.law:
                self._policies.append((len(self._moves_ms), answer.law))
            self._moves_ms.append((charged, network))
        if self._timed:
            clock = self._clocks[seat]
            self._clocks[seat] = self._policy.clock.after_move(clock, charged)
        if seat not in self._accepted:
            # Moving on without accepting turns the offer down; so does the offerer's next move.
            self._offered_by = None
            self._accepted.clear()
        if not self.state.seats_to_act():
            return  # a move that ends the game stands before any offer or adjudication
        if answer.offer_draw and self._policy.draw_offers:
            self._offer(seat)
        else:
            self._offers[seat] = 0
        if not self.state.seats_to_act():
            return
        if self._draws is not None:
            self._draws.update(seat, answer.value, self.state.plies)
            if self._draws.drawn():
                self._end(Termination.adjudicated, level(self._seats))
                return
        if self._resigns is not None:
            self._resigns.update(seat, answer.value)
            loser = self._resigns.loser()
            if loser is not None:
                self._forfeit(loser, Termination.adjudicated)

    def _illegal(self, ask: Ask, move: str, charged: int, message: str) -> tuple[Verdict, str]:
        seat = ask.seat
        self._illegal_left[seat] -= 1
        told = message
        if self._illegal_left[seat] < 0:
            fined = self._rule(seat, move)
            if fined is None:
                self._fault(seat, FaultKind.ILLEGAL_MOVE, message)
                return Verdict.ILLEGAL, message
            told = f"{message} ({', '.join(fined) or 'a move is played instead'})"
        how = "taken back" if self._illegal_left[seat] >= 0 else "ruled on"
        self.remark(f"seat {seat}, ply {self.state.plies}: illegal move {how}: {told}")
        ask.done = True
        self._owed.pop(seat)
        if self._timed:
            # The clock runs on: what was used is gone, and nothing is granted for it.
            self._clocks[seat] = self._clocks[seat].after_refusal(charged)
        if self._illegal_left[seat] >= 0:
            self._ask(only=seat, refused=message, answer=move)
        else:
            self._go_on_after_ruling(ask, told, move)
        return Verdict.ILLEGAL, told

    def _rule(self, seat: int, move: str) -> tuple[str, ...] | None:
        """Rules against a seat; None where it is to lose the game."""
        again = seat in self._fined
        self._fined.discard(seat)
        found = rulings(self._policy.illegal, self.game, self.state, Seat(seat), move, again)
        # Of the answers to a simultaneous phase some are held already: nothing may change under them.
        if found is None or (found and len(self._owed) > 1):
            return None
        for number, text in enumerate(found):
            try:
                events = self.state.rule(seat, text)
            except IllegalMove:
                if number == 0:
                    return None  # a game, or a phase of it, that knows no such fine
                continue
            self._log.append(events)
            if self._request.keep_record:
                self._moves_ms.append((0, 0))
            if any(event.kind != "fine" for event in events):
                return found[: number + 1]  # the turn is over, and with it perhaps the game
        # Fined, the seat gets one more chance; else the move is made for it.
        if found and not again:
            self._fined.add(seat)
        else:
            self._owing.add(seat)
        return found

    def _go_on_after_ruling(self, ask: Ask, told: str, move: str) -> None:
        seat = ask.seat
        if seat in self._fined:
            self._ask(only=seat, refused=told, answer=move)
        elif seat in self._owing:
            self._owing.discard(seat)
            self._owed[seat] = ask
            self._take(ask, Answer(move=str(self.state.stand_in(seat))), 0, 0)
        elif self.state.seats_to_act() == {seat}:
            self._ask(only=seat, refused=told, answer=move)
        else:
            self._ask()

    def _offer(self, seat: int) -> None:
        """Passes an offer of a draw on, or books it where there were too many in a row."""
        self._offers[seat] += 1
        if not 0 < self._policy.draw_offers_in_a_row < self._offers[seat]:
            self._offered_by = seat
            return
        self.remark(f"seat {seat}, ply {self.state.plies}: one offer of a draw after another")
        try:
            self._log.append(self.state.rule(seat, FOUL))
        except IllegalMove:
            return  # rules that count no fouls
        if self._request.keep_record:
            self._moves_ms.append((0, 0))

    def _agree(self, seat: int) -> bool:
        """Takes an acceptance; whether an offer stood that the seat could accept."""
        if self._offered_by is None or self._offered_by == seat:
            return False
        self._accepted.add(seat)
        if len(self._accepted) == self._seats - 1:
            self._end(Termination.agreement, level(self._seats))
            return True
        # More than two seats: an acceptance comes with the seat's move, play goes on until
        # everybody has spoken. Only the last one needed ends the game.
        return False

    # Endings.

    def _end_by_rules(self) -> None:
        outcome = self.state.outcome()
        assert outcome is not None
        self._finish(
            outcome.termination,
            (outcome.scores, outcome.places),
            outcome.sides,
            outcome.roles,
            culprit=None,
            measures=tuple(outcome.measures.items()),
        )

    def _fault(self, seat: int, kind: FaultKind, detail: str) -> None:
        self.remark(f"seat {seat}, ply {self.state.plies}: {kind.value}: {detail}")
        self._forfeit(seat, _TERMINATIONS[kind], detail)

    def _forfeit(self, seat: int, termination: Termination, message: str = "") -> None:
        settled = self.game.family.settled
        places = settled(self.state) if settled else ()
        self._end(termination, forfeited(self.state.sides(), seat, places), seat, message)

    def _end(
        self,
        termination: Termination,
        standing: Standing,
        culprit: int | None = None,
        message: str = "",
    ) -> None:
        sides, roles = self.state.sides(), self.state.roles()
        self._finish(termination, standing, sides, roles, culprit, message)

    def _finish(
        self,
        termination: Termination,
        standing: Standing,
        sides: tuple[int, ...],
        roles: tuple[str, ...],
        culprit: int | None,
        message: str = "",
        measures: tuple[tuple[str, float], ...] = (),
    ) -> None:
        self._close()
        request = self._request
        told = tuple(log.told() for log in self._logs)
        scores, places = standing
        record: Record | None = None
        if request.keep_record:
            record = self.game.record(self._setup, self.state.history())
        result = GameResult(
            game_id=request.game_id,
            sweep_id=request.sweep_id,
            cell_id=request.cell_id,
            block=request.block,
            permutation=request.permutation,
            rulebook=self.game.label,
            rules_digest=self.game.rules.digest,
            engines=tuple(spec.id for spec in request.engines),
            scores=scores,
            places=places,
            sides=sides,
            roles=roles,
            termination=termination,
            culprit=None if culprit is None else Seat(culprit),
            plies=self.state.plies,
            measures=measures,
            worker=self._worker,
            seconds=(awake_ns() - self._started_ns) / 1e9,
            record=record,
            moves_ms=tuple(self._moves_ms),
            notes=tuple(self._notes),
            policies=tuple(self._policies),
            told=told if any(told) else (),
        )
        self._tell(termination, standing, culprit, message)
        self._on_end(self, result)

    def _tell(
        self, termination: Termination, standing: Standing, culprit: int | None, message: str
    ) -> None:
        """Pushes the end of the game to every player, once each."""
        scores, places = standing
        ending = Ending(
            self.game_id, termination.name, scores, places, culprit, message[:_NOTE_CHARS]
        )
        for player in dict.fromkeys(self._players):
            seats = [seat for seat, other in enumerate(self._players) if other is player]
            player.game_over(self.game, seats, ending)

    def _close(self) -> None:
        self._over = True
        for ask in self._owed.values():
            if not ask.done:
                ask.done = True
                self._players[ask.seat].withdraw(ask)
        self._owed.clear()


def _seed(request: GameRequest, seat: int) -> int:
    """The randomness of the engine in a seat.

    Derived seeds lead back to what they were derived from, and so to the deal: programs are told a
    digest, from which no way leads back. Engines of the core have the seed that they have there.
    """
    seed = derive_seed(request.engine_seed, seat)
    if request.engines[seat].kind is EngineKind.BUILTIN:
        return seed
    return int.from_bytes(sha256(seed.to_bytes(8, "big")).digest()[:8], "big")
