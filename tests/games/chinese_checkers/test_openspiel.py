"""Whole turns against OpenSpiel's micro-moves, on random positions in the middle of games."""

from __future__ import annotations

from typing import Any

import pytest

from arena._core import Rng
from arena.games.chinese_checkers.notation import star_of
from tests.games.chinese_checkers.positions import checkers, look, moves

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

PASS = 726


def turns(state: Any, names: list[str]) -> dict[str, list[int]]:
    """Every whole turn of OpenSpiel's mover: our text of it, and its actions."""
    found: dict[str, list[int]] = {}
    mover = state.current_player()

    def walk(now: Any, actions: list[int], start: str, seen: set[str]) -> None:
        for action in now.legal_actions():
            if action == PASS:
                continue
            text = now.action_to_string(mover, action)
            hop = "=>" in text
            at, end = (names[int(index)] for index in text.replace("=>", "->").split("->"))
            origin = start or at
            if (origin + end) in seen:
                continue
            seen.add(origin + end)
            after = now.clone()
            after.apply_action(action)
            done = [*actions, action]
            if hop and after.current_player() == mover and not after.is_terminal():
                walk(after, done, origin, seen)
                done = [*done, PASS]
            found.setdefault(origin + end, done)

    walk(state, [], "", set())
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_move_sets_are_equal(players: int) -> None:
    game = checkers(f"openspiel_{players}", max_turns=500)
    names = list(star_of(game).names)
    rng = Rng(players)
    compared = 0
    for _ in range(3):
        ours = game.new_state()
        theirs = pyspiel.load_game(f"chinese_checkers(players={players})").new_initial_state()
        for _ in range(60):
            (seat,) = ours.seats_to_act()
            assert theirs.current_player() == seat
            known = turns(theirs, names)
            assert moves(ours, seat) == set(known)
            compared += 1
            texts = sorted(known)
            text = texts[rng.below(len(texts))]
            for action in known[text]:
                theirs.apply_action(action)
            ours.apply(seat, text)
            board = str(theirs).split("Player")[0].split()
            pieces = {hole: str(v.seat + 1) for v in look(ours).sets for hole in v.holes}
            assert board == [pieces.get(name, ".") for name in names]
    assert compared == 180
