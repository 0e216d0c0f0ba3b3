"""Deals over stacked packs, and what is called in them."""

from __future__ import annotations

from typing import Any

import arena
from arena import SPECTATOR
from arena._core import State
from arena.games.tuolaji.observation import Observation
from tests.games.tuolaji.tables import cards

A, B, C, D = range(4)
Hands = dict[int, str]


def stacked(
    book: str,
    wanted: Hands,
    *,
    setup: str = "",
    kitty: str = "",
    level: str = "",
    **settings: Any,
) -> State:
    """A deal in which each seat draws its wanted cards first, and the kitty holds what is given.

    The rest of the pack is dealt so that nobody else draws a card of the calling rank, a joker
    or a token before those of `wanted` are out: they go to the end of the pack.
    """
    game = arena.game(f"tuolaji/{book}", **settings)
    decks = int(str(game.rules.settings()["decks"]))
    ranks = ("4", "5", "6", "7", "8", "9", "10", "Jk", "Q", "K", "A", "3", "2")
    pack = [*(f"{s}{r}" for s in "SHCD" for r in ranks), "SJ", "BJ"]
    stock = [card for card in pack for _ in range(decks)]
    hands = {seat: cards(text) for seat, text in wanted.items()}
    tail = cards(kitty)
    for card in [*tail, *(card for hand in hands.values() for card in hand)]:
        stock.remove(card)
    level = level or str(game.rules.settings()["levels"])[0]
    special = [c for c in stock if c[1:] in (level, "2") or c in ("SJ", "BJ")]
    plain = [c for c in stock if c not in special]
    size = game.rules.kitty_size  # type: ignore[attr-defined]  # the family's own record
    rest = len(stock) + sum(map(len, hands.values())) + len(tail)
    assert rest == 54 * decks
    order: list[str] = []
    queues = {seat: list(hands.get(seat, [])) for seat in range(game.seats)}
    fill = [*plain[: len(plain)], *special]
    # The kitty takes specials first where it is not given, so that they call for nothing.
    under = tail + [fill.pop() for _ in range(size - len(tail))]
    for place in range(54 * decks - size):
        queue = queues[place % game.seats]
        order.append(queue.pop(0) if queue else fill.pop(0))
    assert not any(queues.values())
    opening = setup or "contested=1 opening=1 dealer=-"
    levels = f"levels={level}:{level} " if "levels=" not in opening else ""
    return game.new_state(setup=f"phase=draw {levels}{opening} pack={','.join(order + under)}")


def seen(state: State, viewer: int = SPECTATOR) -> Observation:
    return Observation.from_json(state.observe(viewer))


def run(state: State, script: list[tuple[int, str]]) -> None:
    """Plays a script of (seat, call); everybody else passes. A call marked ! must be refused
    whenever its seat is asked, and is then given up for the next one."""
    steps = list(script)
    while state.seats_to_act() and seen(state).phase == "draw":
        seat = min(state.seats_to_act())
        while steps and steps[0][1].startswith("!") and steps[0][0] == seat:
            refusal = state.check(seat, steps[0][1][1:])
            assert refusal is not None, steps[0]
            assert refusal.reason.name == "not_a_call"
            steps.pop(0)
        if steps and steps[0][0] == seat and state.check(seat, steps[0][1]) is None:
            state.apply(seat, steps.pop(0)[1])
        else:
            state.apply(seat, "pass")
    # A refused call whose seat was never asked could not have been made either.
    assert not [step for step in steps if not step[1].startswith("!")], steps


def call(text: str) -> str:
    return "call " + " ".join(cards(text))


LATER = "contested=0 opening=0 dealer=0"
"""A hand after the opening one: the dealer is given."""
