"""How many blocks a question takes, from the spread of block scores of a pilot or a guess.

Normal theory with the bounds of `arena.ratings.blocks` kept in mind: no number here is less
than what the unseen-block bound needs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arena.ledger.rows import CellRow
from arena.ledger.table import GameTable
from arena.ratings.blocks import CONFIDENCE, share_of
from arena.ratings.sequential import Hypotheses, Scale
from arena.ratings.stopping import operation


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be found out about a score near 1/2."""

    half_width: float
    """Half of the 95 % interval of the score, as a share (0.01 is 1 %)."""

    effect: float
    """A difference in Elo that is to be seen."""

    margin: float
    """Scores within this of 1/2 are balanced; the question is whether an even variant is
    shown to be."""

    power: float = 0.8
    """Chance to see the effect, or to show the balance, where it is there."""

    claims: int = 2
    """One-sided tests that share the 5 %: seats times variants judged together."""

    def __post_init__(self) -> None:
        """Raise ValueError for questions without a finite answer."""
        if not 0 < self.half_width < 0.5:
            raise ValueError(f"half-width {self.half_width} must be over 0 and under 0.5")
        if not 0 < self.margin < 0.5:
            raise ValueError(f"margin {self.margin} must be over 0 and under 0.5")
        if not 0 < abs(self.effect) <= 4000:
            raise ValueError(f"effect {self.effect:g} must be some Elo other than 0, at most 4000")
        if not 0 < self.power < 1:
            raise ValueError(f"power {self.power} must be over 0 and under 1")
        if self.claims < 1:
            raise ValueError(f"claims {self.claims}: at least 1")


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks that each question takes."""

    for_half_width: int
    for_effect: int
    """One-sided test at 5 % / claims: of two, the usual two-sided one."""

    for_balance: int
    """Two one-sided tests at 5 % / claims."""

    by_sequential: int
    """Mean length of a sequential test of 0 against the effect (5 % and 1 - power), where
    the effect is there; infinite patience, one test."""


def blocks_for(sd: float, question: Question) -> Blocks:
    """Blocks needed where block scores have a standard deviation of `sd`.

    Raises ValueError for a deviation that scores between 0 and 1 cannot have.
    """
    if not 0 <= sd <= 0.5:
        raise ValueError(f"standard deviation {sd} of a block's score must lie in 0 to 0.5")
    alpha = (1 - CONFIDENCE) / question.claims
    shift = abs(share_of(question.effect) - 0.5)
    seen = _normal(1 - alpha) + _normal(question.power)
    # Both one-sided tests must succeed, so that each may fail half as often.
    within = _normal(1 - alpha) + _normal((1 + question.power) / 2)
    return Blocks(
        for_half_width=_most(
            (_normal((1 + CONFIDENCE) / 2) * sd / question.half_width) ** 2,
            _unseen(question.half_width, (1 - CONFIDENCE) / 2),
        ),
        for_effect=_most((seen * sd / shift) ** 2, _unseen(shift, alpha)),
        for_balance=_most((within * sd / question.margin) ** 2, _unseen(question.margin, alpha)),
        by_sequential=_most(_sequential(sd, question), _unseen(shift, alpha) if sd == 0 else 0),
    )


def _sequential(sd: float, question: Question) -> float:
    if sd == 0:
        return 0.0
    elo, beta = abs(question.effect), min(0.49, 1 - question.power)
    test = Hypotheses(0, elo, Scale.LOGISTIC, beta=beta)
    return operation(test, elo, 1, sd).blocks


@dataclass(frozen=True, slots=True)
class Pilot:
    """How much the block scores of one cell vary."""

    cell: CellRow
    blocks: int
    games: int
    """Of a block."""

    sd: float
    """Standard deviation of a block's mean score, of the seat where it is largest."""

    unpaired: float
    """The same if the games of a block were independent: what pairing them gains is the
    square of this over `sd`."""


def pilots(table: GameTable) -> list[Pilot]:
    """The spread of every cell that has two blocks or more."""
    found = []
    for part in table.by_cell():
        blocks, games, _ = part.scores.shape
        if blocks < 2:
            continue
        by_block = part.scores.mean(axis=1).std(axis=0, ddof=1)
        by_game = np.sqrt(part.scores.var(axis=0, ddof=1).mean(axis=0) / games)
        seat = int(by_block.argmax())
        # Scores in 0 to 1 cannot vary more; a small sample's estimate can.
        sd, unpaired = (min(0.5, float(each[seat])) for each in (by_block, by_game))
        found.append(Pilot(part.cell, blocks, games, sd, unpaired))
    return found


def _normal(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))


def _unseen(width: float, alpha: float) -> float:
    """Blocks after which unseen ones move a score of 1/2 by no more than `width`."""
    return math.log(alpha) / math.log1p(-2 * width)


def _most(*counts: float) -> int:
    # Two blocks are the least that have a spread.
    return max(2, *(math.ceil(count - 1e-9) for count in counts))
