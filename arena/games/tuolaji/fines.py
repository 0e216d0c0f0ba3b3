"""The documents' own fines, as rulings for a seat that answered illegally.

An arena refuses a wrong card at once, so that every offence is the one that the documents call a
wrong card, put right within its trick: points for each card, the play that replaces it dead, or
levels to the other side. A seat that does it again when asked once more is holding cards back,
which is a revoke. A bury of wrong cards is a bad bury; an answer out of place while calling loses
the right to call where the document says so. Misdeals and late arrivals cannot happen here.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from arena.games.tuolaji.rules import TuolajiRules
from arena.games.tuolaji.words import OpenCall

if TYPE_CHECKING:
    from arena._core import State
    from arena.games.contract import Game, Seat


def fines(game: Game, state: State, seat: Seat, text: str, again: bool) -> tuple[str, ...] | None:
    """Rulings against a seat for an illegal answer; None where the rulebook names no fine for it.

    `again`: the seat was fined for this very turn already.
    """
    rules = game.rules
    assert isinstance(rules, TuolajiRules)
    phase = json.loads(state.observe(seat))["phase"]
    match phase:
        case "play":
            return _wrong_card(rules, text, again)
        case "bury":
            return _bad_bury(rules.penalty_bad_bury, again)
        case "draw" | "rekitty" if rules.penalty_open_call is OpenCall.LOSES_RIGHT:
            return ("fine silent",)
        case _:
            return None


def _wrong_card(rules: TuolajiRules, text: str, again: bool) -> tuple[str, ...] | None:
    if again:
        return (
            (f"fine levels {rules.penalty_revoke_levels}",) if rules.penalty_revoke_levels else ()
        )
    if rules.penalty_levels:
        return (f"fine levels {rules.penalty_levels}",)
    found = []
    if rules.penalty_points:
        found.append(f"fine points {rules.penalty_points * named_cards(text)}")
    if rules.penalty_dead:
        found.append("fine dead")
    return tuple(found) or None


def _bad_bury(fine: str, again: bool) -> tuple[str, ...] | None:
    if fine == "none":
        return None
    if again:
        return ()
    return (f"fine {fine.replace(':', ' ')}",)


def named_cards(text: str) -> int:
    """Cards that an answer names, at least 1 and at most 60, whatever the answer is."""
    return min(60, max(1, len(text.partition(" as ")[0].split()) - 1))
