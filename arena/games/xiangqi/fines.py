"""Technical fouls, as rulings for a seat that answered illegally.

Document 000: 一方多走一步或棋子走往不能去的位置 is a technical foul, and three in one game lose. The
rules count them beside false claims; the seat moves again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.contract import FOUL, Game, Seat
from arena.games.xiangqi.rules import XiangqiRules

if TYPE_CHECKING:
    from arena._core import State


def fines(game: Game, state: State, seat: Seat, text: str, again: bool) -> tuple[str, ...] | None:
    """A foul where the rulebook counts them; None where it does not."""
    del state, seat, text, again  # whatever the answer was
    assert isinstance(game.rules, XiangqiRules)
    return None if game.rules.technical_foul_limit is None else (FOUL,)
