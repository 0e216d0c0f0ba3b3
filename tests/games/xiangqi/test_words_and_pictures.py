"""Notations both ways, PGN and pictures."""

from __future__ import annotations

import pytest

from arena._core import Rng
from arena.games import FOUL, game
from arena.games.xiangqi import notation
from arena.games.xiangqi.observation import XiangqiObservation

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
BLACK = f"{START} b"
SHUFFLE = ["b1c3", "b10c8", "c3b1", "c8b10"]


@pytest.mark.parametrize(
    ("fen", "move", "zh", "wxf"),
    [
        (f"{START} w", "h3e3", "炮二平五", "C2=5"),
        (f"{START} w", "h1g3", "马二进三", "H2+3"),
        (f"{START} w", "c1e3", "相七进五", "E7+5"),
        (f"{START} w", "g4g5", "兵三进一", "P3+1"),
        (BLACK, "h10g8", "马８进７", "H8+7"),
        (BLACK, "b8e8", "炮２平５", "C2=5"),
        (BLACK, "a10a9", "车１进１", "R1+1"),
        ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "e5d5", "前炮平六", "+C=6"),
        ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "e3e1", "后炮退二", "-C-2"),
    ],
)
def test_moves_in_words_and_back(fen: str, move: str, zh: str, wxf: str) -> None:
    state = game("xiangqi/axf").new_state(setup=fen)
    board = fen.split()[0]
    assert notation.chinese(board, move) == zh
    assert notation.wxf(board, move) == wxf
    assert notation.from_chinese(state, zh) == move
    assert notation.from_wxf(state, wxf) == move


def test_every_move_of_random_games_reads_back() -> None:
    made = game("xiangqi/axf")
    for seed in range(2):
        state, rng = made.new_state(seed), Rng(seed)
        while state.seats_to_act() and state.plies < 60:
            (seat,) = state.seats_to_act()
            board = XiangqiObservation.from_json(state.observe(-1)).board
            moves = [str(m) for m in state.moves(seat)]
            for words in (notation.chinese, notation.wxf):
                assert len({words(board, m) for m in moves}) == len(moves)
            for move in moves:
                assert notation.from_zero_based(notation.iccs(move)) == move
                assert notation.from_zero_based(notation.ucci(move)) == move
            assert notation.from_chinese(state, notation.chinese(board, moves[0])) == moves[0]
            assert notation.from_wxf(state, notation.wxf(board, moves[-1])) == moves[-1]
            state.apply(seat, state.sample_move(seat, rng))


def test_traditional_signs_and_errors() -> None:
    state = game("xiangqi/axf").new_state()
    assert notation.from_chinese(state, "馬二進三") == "h1g3"
    assert notation.from_wxf(state, "c2.5") == "h3e3"
    with pytest.raises(ValueError, match="no legal move"):
        notation.from_chinese(state, "炮二进九")
    with pytest.raises(ValueError, match="H2-E2"):
        notation.from_zero_based("h13")


def test_pgn() -> None:
    made = game("xiangqi/axf")
    text = notation.pgn(made, f"{START} w", ["h3e3", "h10g8"], "1/2-1/2", red="A", black="B")
    assert '[Red "A"]' in text
    assert "1. H2-E2 H9-G7 1/2-1/2" in text
    text = notation.pgn(made, f"{START} w", ["h3e3"], "*", chinese_moves=True)
    assert "1. 炮二平五 *" in text
    rough = [*SHUFFLE, "claim", "fine foul", "h3e3"]
    text = notation.pgn(game("xiangqi/doc000"), f"{START} w", rough, "*")
    assert "{claims the natural move limit} {technical foul} 3. H2-E2 *" in " ".join(text.split())
    assert [notation.describe_move(made, FOUL, zh) for zh in (False, True)] == [
        "technical foul",
        "技术犯规",
    ]
    with pytest.raises(ValueError, match="result"):
        notation.pgn(made, f"{START} w", [], "won")


def test_pictures() -> None:
    made = game("xiangqi/axf")
    state = made.new_state()
    state.apply(0, "h3e3")
    text = made.family.draw_text(made, state)
    assert "(C)" in text
    assert "seat 1 (black) to act" in text
    svg = made.family.draw_svg(made, state)
    assert svg.count("<circle") == 33
    assert "帥" in svg
