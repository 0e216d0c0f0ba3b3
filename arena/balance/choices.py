"""What engines that draw their moves by chance leave to say: the luck of the draw, taken off.

An engine may send the chances by which it drew a move (`Decision.drawn`). Any number of the position
after that move, less its mean over all moves that might have been drawn, is zero on average, whatever
else happens: such numbers, added up over a game, are control variates whose mean is known to be 0. It is
AIVAT's correction for decisions (N. Burch, M. Schmid, M. Moravcik, D. Morrill and M. Bowling, AAAI
2018), with a value estimate whose weights are fitted on other blocks.

Nothing of that holds for an engine that does not draw as it says. A move outside of its law is refused
here; and over many moves those drawn must be as likely as was said, on average.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from arena._core import State
from arena.balance.deals import doudizhu_numbers
from arena.games import Names, Seat, play_recorded
from arena.games.registry import game_from_rules
from arena.ledger.result import GameResult

Floats = NDArray[np.float64]

_ODD = 4.5
"""Standard deviations off what an engine says of itself, from which it is not believed."""


_MANY = 100
"""Moves of an engine below which nothing is said of it: the normal law does not hold yet."""


class NotDrawn(ValueError):
    """An engine's moves are not drawn from what it sends."""

    def __init__(self, why: Names) -> None:
        """Say why."""
        super().__init__(why.en)
        self.why = why


class Position(Protocol):
    """Numbers of a game as it goes."""

    def ready(self, state: State) -> bool:
        """Whether the parties are known, so that the numbers may be read for one of them."""
        ...

    def after(self, seat: int, move: str) -> Floats:
        """The numbers, for the first party, if a seat plays a move."""
        ...

    def play(self, seat: int, move: str) -> None:
        """Go on."""
        ...


class _Doudizhu:
    """Hands as they shrink: for the landlord."""

    def __init__(self, setup: Mapping[str, str]) -> None:
        self._hands = setup["hands"].split("/")
        self._kitty = setup["kitty"]
        landlord = setup.get("landlord", "-")
        self._landlord = int(landlord) if landlord.isdigit() else None
        self._leader: int | None = None

    def ready(self, state: State) -> bool:
        if self._landlord is None and "landlord" in state.roles():
            self._landlord = state.roles().index("landlord")
            self._hands[self._landlord] += self._kitty
        return self._landlord is not None

    def after(self, seat: int, move: str) -> Floats:
        assert self._landlord is not None
        hands, leader = list(self._hands), self._leader
        if _cards(move):
            hands[seat], leader = _less(hands[seat], _cards(move)), seat
        return np.array(doudizhu_numbers(hands, self._landlord, leader == self._landlord))

    def play(self, seat: int, move: str) -> None:
        if cards := _cards(move):
            self._hands[seat] = _less(self._hands[seat], cards)
            self._leader = seat


def _cards(move: str) -> str:
    """The cards of "play 3334", nothing for a pass, a bid or a double."""
    words = move.split()
    return words[1] if len(words) > 1 and words[0] == "play" else ""


def _less(hand: str, cards: str) -> str:
    for card in cards:
        hand = hand.replace(card, "", 1)
    return hand


POSITIONS = {"doudizhu": _Doudizhu}
"""By family: how to follow its games."""


@dataclass(slots=True)
class Draws:
    """The luck of the draws of some games, by game id, and whether they were drawn as said."""

    luck: dict[str, Floats] = field(default_factory=dict)
    moves: int = 0
    """Moves whose chances are known and could be read."""

    _seen: dict[str, list[float]] = field(default_factory=dict)
    """By engine: sum of (chance of the move drawn, less its mean), the variance, and moves."""

    def add(self, result: GameResult) -> None:
        """A game with its record. Raises NotDrawn for a move that was not in its law."""
        record = result.record
        follow = POSITIONS.get(result.rulebook.partition("/")[0])
        if record is None or not result.policies or follow is None:
            return
        laws = dict(result.policies)
        game = game_from_rules(record.game, record.rules)
        state = game.new_state(setup=record.setup)
        position: Position = follow(dict(w.split("=", 1) for w in state.setup().split(" ")))
        total: Floats | None = None
        for number, (seat, move) in enumerate(record.moves):
            law = laws.get(number, ())
            if law:
                self._check(result.engines[seat], move, law)
            if position.ready(state) and len(law) > 1:
                mean = sum(chance * position.after(seat, other) for other, chance in law)
                here = position.after(seat, move) - mean
                total = here if total is None else total + here
                self.moves += 1
            position.play(seat, move)
            play_recorded(state, Seat(seat), move)
        if total is not None:
            self.luck[result.game_id] = total

    def _check(self, engine: str, move: str, law: tuple[tuple[str, float], ...]) -> None:
        chances = dict(law)
        if move not in chances:
            raise NotDrawn(
                Names(
                    f"{engine} played '{move}', which it did not say it might",
                    f"{engine} 走了“{move}”，但事先未声明会走",
                )
            )
        mean = sum(p * p for p in chances.values())
        seen = self._seen.setdefault(engine, [0.0, 0.0, 0.0])
        seen[0] += chances[move] - mean
        seen[1] += sum(p * p * p for p in chances.values()) - mean * mean
        seen[2] += 1

    def check(self) -> None:
        """Raise NotDrawn where an engine plays its likely moves more, or less, often than it says."""
        for engine, (off, variance, moves) in sorted(self._seen.items()):
            if moves >= _MANY and abs(off) > _ODD * math.sqrt(variance) + 1e-6:
                often, zh = ("too often", "过多") if off > 0 else ("too seldom", "过少")
                raise NotDrawn(
                    Names(
                        f"{engine} does not draw as it says: its likely moves come {often}",
                        f"{engine} 并未按所报的概率抽取：可能的着法出现{zh}",
                    )
                )


def draws_of(results: Iterable[GameResult]) -> Draws:
    """The luck of the draws of games with their records. Raises NotDrawn, see `Draws`."""
    found = Draws()
    for result in results:
        found.add(result)
    found.check()
    return found
