"""What an illegal answer costs: the match policy's word, or the rulebook's own."""

from __future__ import annotations

from arena._core import State
from arena.games import Game, Seat
from arena.match.policy import Cost, IllegalMoves

_MOST_CARDS = 60


def rulings(
    policy: IllegalMoves, game: Game, state: State, seat: Seat, text: str, again: bool
) -> tuple[str, ...] | None:
    """Rulings against a seat whose answer was illegal; None: it loses the game.

    `again`: it was fined for this very turn already, so that a fine of the policy is paid and
    the move is made for it.
    """
    match policy.cost:
        case Cost.RULES:
            return game.family.fines(game, state, seat, text, again) if game.family.fines else None
        case Cost.SUBSTITUTE:
            return ()
        case Cost.POINTS:
            items = min(_MOST_CARDS, max(1, len(text.partition(" as ")[0].split()) - 1))
            return () if again else (f"fine points {policy.points * items}",)
        case Cost.LEVELS:
            return () if again else (f"fine levels {policy.levels}",)
        case Cost.FORFEIT:
            return None
