"""How each man moves, sentence by sentence of docs/games/xiangqi.md."""

from __future__ import annotations

import re

import pytest

from arena.games import game

# sentence: (FEN, the man's point, every point that it reaches)
MEN = {
    "general: one step along a line": ("3k5/9/9/9/9/9/9/4N4/4K4/9 w", "e2", "d2 e1 f2"),
    "general: inside the palace": ("3k5/9/9/9/9/9/9/5K3/9/9 w", "f3", "e3 f2"),
    "general: black's palace": ("9/9/3k5/9/9/9/9/9/9/5K3 b", "d8", "d9 e8"),
    "advisor: one step diagonally": ("3k5/9/9/9/9/9/9/9/4A4/5K3 w", "e2", "d1 d3 f3"),
    "advisor: inside the palace": ("3k5/9/9/9/9/9/9/3A5/9/5K3 w", "d3", "e2"),
    "elephant: two steps diagonally": ("3k5/9/9/9/9/9/9/4B4/9/5K3 w", "e3", "c1 c5 g1 g5"),
    "elephant: never across the river": ("3k5/9/9/9/9/6B2/9/9/9/5K3 w", "g5", "e3 i3"),
    "elephant: nor black's": ("3k5/9/9/9/2b6/9/9/9/9/5K3 b", "c6", "a8 e8"),
    "elephant: not over its eye": ("3k5/9/9/9/9/9/3N1n3/4B4/5N3/5K3 w", "e3", "c1"),
    "horse: a line, then a diagonal": (
        "3k5/9/9/9/9/4N4/9/9/9/5K3 w",
        "e5",
        "c4 c6 d3 d7 f3 f7 g4 g6",
    ),
    "horse: its leg, own or enemy's": (
        "3k5/9/9/9/4p4/4N4/4P4/9/9/5K3 w",
        "e5",
        "c4 c6 g4 g6",
    ),
    "horse: no other point hinders": (
        "3k5/9/9/9/3n1n3/4N4/3R1R3/9/9/5K3 w",
        "e5",
        "c4 c6 d3 d7 f3 f7 g4 g6",
    ),
    "chariot: any distance, no jump": (
        "3k5/9/9/4p4/9/2P1R1pp1/9/4N4/9/5K3 w",
        "e5",
        "d5 e4 e6 e7 f5 g5",
    ),
    "cannon: moves as the chariot": (
        "3k5/9/9/4p4/9/2P1C1p2/9/4N4/9/5K3 w",
        "e5",
        "d5 e4 e6 f5",
    ),
    "cannon: captures over one man": (
        "3k5/4n4/9/4p4/9/n1P1C1pRp/9/4N4/4c4/5K3 w",
        "e5",
        "a5 d5 e2 e4 e6 e9 f5",
    ),
    "soldier: one step forward": ("3k5/9/9/9/9/4P4/9/9/9/5K3 w", "e5", "e6"),
    "soldier: across also sideways": ("3k5/9/9/9/4P4/9/9/9/9/5K3 w", "e6", "d6 e7 f6"),
    "soldier: black's goes down": ("3k5/9/9/9/4p4/9/9/9/9/5K3 b", "e6", "e5"),
    "soldier: black's across": ("3k5/9/9/9/9/4p4/9/9/9/5K3 b", "e5", "d5 e4 f5"),
    "soldier: never back": ("3k4P/9/9/9/9/9/9/9/9/5K3 w", "i10", "h10"),
    "no man: onto its own side": ("3k5/9/9/9/9/9/9/9/4K4/3ARA3 w", "e1", ""),
}


@pytest.mark.parametrize("sentence", MEN)
def test_where_a_man_goes(sentence: str) -> None:
    fen, man, ends = MEN[sentence]
    made = game("xiangqi/openspiel", max_plies=None, flying_general=False)
    state = made.new_state(setup=fen)
    moves = [str(move) for move in state.moves(min(state.seats_to_act()))]
    steps = [re.fullmatch(r"([a-i]\d+)([a-i]\d+)", move) for move in moves]
    assert {step[2] for step in steps if step and step[1] == man} == set(ends.split())
