"""Whether a kept game's seats were told what its rules say, and nothing of what is hidden.

The record is played again. Before each move that a seat was asked for, what its engine should
have been told is made anew and compared with the log, digest by digest; and it is made once more
in other worlds that the seat cannot tell from the true one, where it has to come out the same,
byte by byte: else it holds something that the seat may not know.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from arena._core import Events, IllegalMove, Rng, State
from arena.games import Game, Record, SetupError, play_recorded
from arena.games.contract import RULINGS
from arena.ledger.result import LINK_BYTES, GameResult, Told
from arena.players.told import View, text_of, view
from arena.sdk.receipt import linked


class Trouble(StrEnum):
    """What can be wrong with a kept game."""

    RECORD = "record"
    """The record does not fit its rules, or does not end as the result says."""

    LOG = "log"
    """The log of a seat does not fit the record: entries are missing, or make no sense."""

    TOLD = "told"
    """A seat was told something else than the record gives."""

    LEAK = "leak"
    """What a seat was told holds something that it may not know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong, and where."""

    trouble: Trouble
    seat: int | None
    turn: int | None
    """Number of the seat's turn, from 1."""

    ply: int
    """Moves of the record before it."""

    message: str


@dataclass(slots=True)
class SeatAudit:
    """One seat of a game."""

    seat: int
    head: str = ""
    """The digest of everything it was told, as the log has it; empty: it was told nothing."""

    turns: int = 0
    worlds: int = 0
    """Other worlds in which what it was told came out the same; 0 where it sees everything."""

    event_worlds: int = 0
    """Other worlds in which a move was played that left it seeing the same, and told it the same."""

    refusals: int = 0
    """Refused answers whose reason was compared in other worlds."""


@dataclass(slots=True)
class Audit:
    """What was found, and how much was looked at."""

    seats: list[SeatAudit]
    findings: list[Finding] = field(default_factory=list)


def audit(game: Game, result: GameResult, worlds: int = 4, seed: int = 0) -> Audit:
    """Audits one game with its record. `worlds` are tried a turn of a seat that has secrets to learn."""
    record = result.record
    assert record is not None
    logs = result.told or (None,) * game.seats
    found = Audit([SeatAudit(seat) for seat in range(game.seats)])
    if len(logs) != game.seats:
        message = f"logs of {len(logs)} seats; {game.label} has {game.seats}"
        found.findings.append(Finding(Trouble.LOG, None, None, 0, message))
        return found
    try:
        state = game.new_state(setup=record.setup)
    except SetupError as error:
        found.findings.append(Finding(Trouble.RECORD, None, None, 0, f"setup: {error}"))
        return found
    watched = [
        _Watched(game, found, seat, log, worlds, Rng(seed + seat))
        for seat, log in enumerate(logs)
        if log is not None
    ]
    try:
        for ply, (seat, move) in enumerate(record.moves):
            for one in watched:
                one.turns(state, ply)
                one.before(state, seat, move, ply)
            try:
                events = play_recorded(state, seat, move)
            except (IllegalMove, ValueError) as error:
                message = f"move {ply + 1}, '{move}' of seat {seat}: {error}"
                found.findings.append(Finding(Trouble.RECORD, seat, None, ply, message))
                return found
            for one in watched:
                one.after(state, seat, move, events)
        for one in watched:
            one.turns(state, len(record.moves))
            one.end(len(record.moves))
    finally:
        found.findings.sort(key=lambda each: each.ply)
    found.findings += _ending(state, result, record)
    return found


def _ending(state: State, result: GameResult, record: Record) -> Iterator[Finding]:
    outcome = state.outcome()
    if outcome is None:
        return
    said = (result.termination, result.scores, result.places, result.sides)
    played = (outcome.termination, outcome.scores, outcome.places, outcome.sides)
    if said != played:
        message = (
            f"the record ends by {outcome.termination.name} with scores "
            f"{_numbers(outcome.scores)}; the result says {result.termination.name}, "
            f"{_numbers(result.scores)}"
        )
        yield Finding(Trouble.RECORD, None, None, len(record.moves), message)


def _numbers(scores: tuple[float, ...]) -> str:
    return " ".join(f"{score:g}" for score in scores)


class _Watched:
    """One seat, from turn to turn."""

    def __init__(
        self,
        game: Game,
        audit: Audit,
        seat: int,
        log: Told,
        worlds: int,
        rng: Rng,
    ) -> None:
        self._full = game.family.full_information
        self._audit = audit
        self._seat = seat
        self._log = log
        self._words = {number: (offers, why, said) for number, offers, why, said in log.words}
        self._links = bytes.fromhex(log.links)
        self._head = b""
        self._number = 0
        self._events: list[Events] = []
        self._moved = -1
        self._worlds = 0 if self._full else worlds
        self._rng = rng
        self._others: list[State] = []
        self._others_at = -1
        self._leaked = ""
        self._whole = True
        self._told = audit.seats[seat]
        self._told.head = log.head
        self._told.turns = len(log.plies)
        if len(self._links) != LINK_BYTES * len(log.plies) or not log.plies:
            self._find(Trouble.LOG, 0, f"{len(log.plies)} turns with {len(self._links)} bytes")

    def _find(self, trouble: Trouble, ply: int, message: str, *, at_turn: bool = True) -> None:
        """Notes the first thing that is wrong with the seat; what comes after follows from it."""
        if self._whole:
            self._whole = False
            turn = self._number + 1 if at_turn else None
            self._audit.findings.append(Finding(trouble, self._seat, turn, ply, message))

    # The turns of the log.

    def turns(self, state: State, ply: int) -> None:
        """The turns that the log has before a move."""
        plies = self._log.plies
        while self._whole and self._number < len(plies) and plies[self._number] <= ply:
            if plies[self._number] < ply:
                self._find(Trouble.LOG, ply, f"told of move {plies[self._number]} out of order")
            elif self._seat not in state.seats_to_act():
                self._find(Trouble.LOG, ply, "told of a turn that was not the seat's")
            else:
                self._turn(state, ply)
                self._number += 1

    def _turn(self, state: State, ply: int) -> None:
        listed = self._log.lists_moves(self._number)
        told = view(state, self._seat, self._full, self._events, listed)
        offers, why, _ = self._words.get(self._number, ((), "", ""))
        at = self._number * LINK_BYTES
        self._head = linked(self._head, text_of(told, offers, why))
        if self._head[:LINK_BYTES] != self._links[at : at + LINK_BYTES]:
            self._find(Trouble.TOLD, ply, "was told something else than the record gives")
            return
        self._events = []
        if self._leaked:
            self._find(Trouble.LEAK, ply, self._leaked)
            return
        for other in self._other_worlds(state, ply):
            part = _difference(told, view(other, self._seat, self._full, (), listed))
            if part:
                self._find(Trouble.LEAK, ply, f"{part} in another world that it may be")
                return
            self._told.worlds += 1
        self._compare_refusal(state, ply)

    def _other_worlds(self, state: State, ply: int) -> list[State]:
        """Worlds that the seat cannot tell from this one; the same ones until a move is played."""
        if self._others_at != ply:
            self._others_at = ply
            self._others = [state.resample(self._seat, self._rng) for _ in range(self._worlds)]
        return self._others

    def _compare_refusal(self, state: State, ply: int) -> None:
        """The answer that will be refused to this turn, if any: its reason must be no news."""
        _, why, said = self._words.get(self._number + 1, ((), "", ""))
        if not why or not said:
            return
        if not _refuses(state, self._seat, said, why):
            self._find(Trouble.TOLD, ply, f"'{said}' was refused for another reason: {why}")
        for other in self._other_worlds(state, ply):
            if not _refuses(other, self._seat, said, why):
                message = f"'{said}' is not refused so in another world that it may be: {why}"
                self._find(Trouble.LEAK, ply, message)
            self._told.refusals += 1

    # The moves of the record.

    def before(self, state: State, seat: int, move: str, ply: int) -> None:
        """A move is about to be played."""
        self._other_worlds(state, ply)
        if seat == self._seat and not move.startswith(RULINGS):
            plies = self._log.plies
            asked = self._number > 0 and plies[self._number - 1] > self._moved
            opening = self._number == 0 and bool(plies)
            if not asked and not opening:
                self._find(Trouble.LOG, ply, "moved without having been told of its turn")
            self._moved = ply

    def after(self, state: State, seat: int, move: str, events: Events) -> None:
        """A move has been played; it is played in the other worlds, too.

        Where the seat then sees the same, it has to be told the same.
        """
        self._events.append(events)
        if not self._others or self._leaked:
            return
        told = view(state, self._seat, self._full, (events,), False)
        # What the seat may not read, it cannot miss: another move of the kind does there.
        hidden = seat != self._seat and not move.startswith(RULINGS)
        hidden = hidden and any(event.seen_by(self._seat) != event.text for event in events)
        for other in self._others:
            try:
                if hidden:
                    choice = str(other.sample_move(seat, self._rng))
                    happened = other.apply(seat, choice)
                else:
                    happened = play_recorded(other, seat, move)
            except (IllegalMove, ValueError):
                continue  # not there
            there = view(other, self._seat, self._full, (happened,), False)
            if there.observation == told.observation:
                self._told.event_worlds += 1
                if there.events != told.events:
                    self._leaked = (
                        f"events of move {self._others_at + 1} are others in another world that it "
                        f"may be: {_shown(told)}, {_shown(there)}"
                    )
                    return

    def end(self, ply: int) -> None:
        """The record is over."""
        if self._whole and self._number < len(self._log.plies):
            self._find(Trouble.LOG, ply, f"told of move {self._log.plies[self._number]}: no such")
        elif self._whole and self._head.hex() != self._log.head:
            message = "the digest of all turns is not what the digests of each come to"
            self._find(Trouble.LOG, ply, message, at_turn=False)


def _refuses(state: State, seat: int, answer: str, why: str) -> bool:
    """Whether an answer is refused in these words; a ruling may stand behind them."""
    illegal = state.check(seat, answer)
    return illegal is not None and why.startswith(illegal.message)


def _shown(told: View) -> str:
    text = "; ".join(text for _, _, text in told.events) or "nothing"
    return f"'{text[:60]}'"


def _difference(told: View, other: View) -> str:
    """What of a view is not the same in another world; events aside."""
    for part in View._fields:
        mine, theirs = getattr(told, part), getattr(other, part)
        # A world begins at its own move 0.
        if part in ("ply", "events") or mine == theirs:
            continue
        if isinstance(mine, str) and isinstance(theirs, str):
            at = next(
                (i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b),
                min(len(mine), len(theirs)),
            )
            return f"{part} at character {at}, …{mine[max(0, at - 30) : at + 30]}…, is another"
        return f"{part} are others"
    return ""
