"""The turns of a recorded game, put to a player again: would it move as it did?"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass

from arena._core import Events
from arena.conformance.positions import Position, look
from arena.conformance.probe import Probe
from arena.games import Game, Record, Seat, play_recorded
from arena.games.contract import RULINGS
from arena.match.policy import MatchPolicy
from arena.players.awake import awake_ns
from arena.players.base import Answer
from arena.players.build import player_for
from arena.players.fault import EngineUnavailable, Unavailable
from arena.players.spec import EngineSpec

_TICK_S = 0.05


@dataclass(frozen=True, slots=True)
class Again:
    """One turn of a record and what a player answers to it now."""

    ply: int
    """Moves before it."""

    recorded: str
    position: Position
    answer: Answer | None
    spent_ms: float
    trouble: str
    """What is wrong with the answer, or why there is none; empty: nothing."""

    @property
    def same(self) -> bool:
        """Whether the answer is the recorded move, however it is spelled."""
        if self.answer is None or self.trouble or not self.answer.move:
            return False
        tried = self.position.state.clone()
        tried.apply(self.position.seat, self.answer.move)
        return tried.history()[-1][1] == self.recorded


def turns(game: Game, record: Record) -> Iterator[tuple[int, str, Position]]:
    """Every move of a record with the position as its seat saw it: ply, move, position.

    Rulings of the referee are no turns. Raises IllegalMove where the record does not fit.
    """
    state = game.new_state(setup=record.setup)
    log: list[Events] = []
    seen = [0] * game.seats
    together = state.clone()
    waiting: set[int] = set()
    until = 0
    for ply, (seat, move) in enumerate(record.moves):
        if not move.startswith(RULINGS):
            if seat not in waiting:
                # Seats that move at the same time see none of each other's moves.
                together, waiting = state.clone(), set(state.seats_to_act())
                until = len(log)
            waiting.discard(seat)
            phase, kinds, size = look(together, seat)
            events = tuple(log[seen[seat] : until])
            seen[seat] = until
            yield ply, move, Position(game, Seat(seat), together, events, phase, kinds, size)
        log.append(play_recorded(state, seat, move))
        if move.startswith(RULINGS):
            waiting.clear()


async def replay(
    spec: EngineSpec,
    game: Game,
    record: Record,
    seats: Collection[int],
    plies: Collection[int],
    policy: MatchPolicy,
    seed: int = 0,
) -> AsyncIterator[Again]:
    """Puts the turns of some seats and plies (empty: all) to an engine, one after the other.

    Raises EngineUnavailable where there is no such engine, or it does not play these rules.
    """
    player = player_for(spec, policy.limits())
    changed = asyncio.Event()
    ticking: asyncio.Task[None] | None = None

    async def tick() -> None:
        while True:
            player.tick(awake_ns())
            await asyncio.sleep(_TICK_S)

    try:
        await player.open()
        reason = player.unfit(game)
        if reason is not None:
            raise EngineUnavailable(spec.id, Unavailable.UNFIT, reason)
        ticking = asyncio.get_running_loop().create_task(tick())
        for ply, recorded, position in turns(game, record):
            if (seats and position.seat not in seats) or (plies and ply not in plies):
                continue
            changed.clear()
            probe = Probe(position, f"replay-{ply}", changed.set, policy.margin_ms)
            ask = probe.turn(policy.move_ms, revision=ply + 1, seed=seed)
            player.ask(ask)
            try:
                async with asyncio.timeout((policy.move_ms + policy.margin_ms) / 1000):
                    while not probe.settled:
                        changed.clear()
                        await changed.wait()
            except TimeoutError:
                ask.done = True
                player.withdraw(ask)
                probe.trouble = f"no answer within {policy.move_ms} ms"
            probe.end(player)
            yield Again(ply, recorded, position, probe.answer, probe.spent_ms, probe.trouble)
    finally:
        if ticking is not None:
            ticking.cancel()
            await asyncio.gather(ticking, return_exceptions=True)
        await player.close()
