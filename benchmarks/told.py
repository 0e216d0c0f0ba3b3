"""What a log of all that is told costs: turns written with it beside turns without.

    python -m benchmarks.told [--seconds 2]

Turns of games in their middle, as text and serialized as they go out. Processor time, so that
neighbours do not count; the two take turns, so that what slows one slows the other.
"""

from __future__ import annotations

import argparse
import sys
import time

import arena
from arena._core import Events, Rng
from arena.conformance.positions import Position
from arena.conformance.probe import Probe
from arena.games import Seat
from arena.players.base import Ask
from arena.players.messages import TurnWriter
from arena.players.told import SeatLog
from benchmarks.figure import Figure, show

GAMES = (("gomoku/doc001", 60), ("tuolaji/r10_qq_two_deck", 60), ("siguo/doc001", 60))
TURNS = 64


def asks(name: str, plies: int) -> list[Ask]:
    """Turns that are due, each in a game of its own."""
    game = arena.game(name)
    due: list[Ask] = []
    for number in range(TURNS):
        state, lot = game.new_state(number), Rng(number)
        events: list[Events] = []
        while state.plies < plies and state.seats_to_act():
            seat = min(state.seats_to_act())
            events.append(state.apply(seat, state.sample_move(seat, lot)))
        if state.seats_to_act():
            seat = min(state.seats_to_act())
            since = tuple(events[-game.seats :])
            position = Position(game, Seat(seat), state, since, "", (), 0)
            due.append(Probe(position, f"game-{number}").turn(1_000))
    return due


def measure(due: list[Ask], seconds: float) -> tuple[float, float]:
    """Turns a second of processor time, with a log and without."""
    writer = TurnWriter()
    spent = [0.0, 0.0]
    written = 0
    revision = 0
    while min(spent) < seconds:
        written += len(due)
        for logged in (True, False):
            for ask in due:
                revision += 1
                ask.revision = revision
                ask.log = SeatLog() if logged else None
            begun = time.process_time()
            writer.request(due).SerializeToString()
            spent[not logged] += time.process_time() - begun
    return written / spent[0], written / spent[1]


def run(seconds: float) -> list[Figure]:
    """A figure for each game."""
    figures = []
    for name, plies in GAMES:
        logged, plain = measure(asks(name, plies), seconds)
        what = f"turns with a log, {name}"
        figures.append(Figure(what, logged, "turns/s", "turns/s without", plain))
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    sys.exit(show(run(parser.parse_args().seconds)))
