"""Notations both ways, PGN and pictures."""

from __future__ import annotations

import random

import pytest

from arena._core import Rng, SetupError
from arena.games import FOUL, game
from arena.games.xiangqi import notation
from arena.games.xiangqi.observation import XiangqiObservation
from tests.fuzz.xiangqi_boards import POINTS, fen, may_stand, strewn
from tests.oracles.xiangqi import Board

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
        ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "e5d5", "前炮平六", "C+=6"),
        ("3k5/9/9/9/9/4C4/9/4C4/9/5K3 w", "e3e1", "后炮退二", "C--2"),
    ],
)
def test_moves_in_words_and_back(fen: str, move: str, zh: str, wxf: str) -> None:
    state = game("xiangqi/axf").new_state(setup=fen)
    board = fen.split()[0]
    assert notation.chinese(board, move) == zh
    assert notation.wxf(board, move) == wxf
    assert notation.from_chinese(state, zh) == move
    assert notation.from_wxf(state, wxf) == move


# One file a, two, three, four or five soldiers on it; file g with two beside three on file a.
TWO = "3k5/9/P8/9/P8/9/9/9/9/4K4 w"
THREE = "3k5/P8/P8/P8/9/9/9/9/9/4K4 w"
FOUR = "3k5/P8/P8/P8/P8/9/9/9/9/4K4 w"
FIVE = "P2k5/P8/P8/P8/P8/9/9/9/9/4K4 w"
THREE_AND_TWO = "3k5/P8/P5P2/P8/6P2/9/9/9/9/4K4 w"
BLACK_THREE_AND_TWO = "4k4/9/9/9/9/p8/p5p2/9/p5p2/3K5 b"

# position, move: Chinese, WXF as the federation writes it, other words for the same
TANDEM = {
    (TWO, "a8b8"): "前兵平八 P+=8",
    (TWO, "a6b6"): "后兵平八 P-=8 -P=8",
    (THREE, "a9b9"): "前兵平八 P+=8 一兵平八 19=8 PA=8",
    (THREE, "a8b8"): "中兵平八 P9=8 .P=8 P.=8 二兵平八",
    (THREE, "a7b7"): "后兵平八 P-=8 三兵平八 39=8 3P=8",
    (FOUR, "a9b9"): "一兵平八 ++=8 前兵平八 1P=8",
    (FOUR, "a8b8"): "二兵平八 P+=8 2P=8 PB=8",
    (FOUR, "a7b7"): "三兵平八 P-=8 PC=8",
    (FOUR, "a6b6"): "四兵平八 --=8 后兵平八",
    (FIVE, "a10b10"): "一兵平八 ++=8 前兵平八",
    (FIVE, "a9b9"): "二兵平八 P+=8 2P=8",
    (FIVE, "a8b8"): "三兵平八 P9=8 PC=8",
    (FIVE, "a7b7"): "四兵平八 P-=8",
    (FIVE, "a6b6"): "五兵平八 --=8 后兵平八 5P=8",
    (THREE_AND_TWO, "a9a10"): "前九进一 9++1 前兵九进一 三兵进一 PC+1",
    (THREE_AND_TWO, "a8b8"): "中九平八 99=8 四兵平八 29=8",
    (THREE_AND_TWO, "a7b7"): "后九平八 9-=8 五兵平八 PE=8 后兵平八",
    (THREE_AND_TWO, "g8f8"): "前三平四 3+=4 一兵平四 13=4 3+.4",
    (THREE_AND_TWO, "g6h6"): "后三平二 3-=2 二兵平二 23=2",
    (BLACK_THREE_AND_TWO, "a2b2"): "前１平２ 1+=2 前卒1平2 一卒平2",
    (BLACK_THREE_AND_TWO, "a4b4"): "中１平２ 11=2 二卒平2",
    (BLACK_THREE_AND_TWO, "g4g3"): "后７进１ 7-+1 五卒进1 后7进1 後７進１",
}


@pytest.mark.parametrize(("setup", "move"), TANDEM)
def test_men_behind_one_another(setup: str, move: str) -> None:
    state = game("xiangqi/axf").new_state(setup=setup)
    board = setup.split()[0]
    zh, wxf, *others = TANDEM[setup, move].split()
    assert (notation.chinese(board, move), notation.wxf(board, move)) == (zh, wxf)
    for text in (zh, wxf, *others):
        read = notation.from_wxf if text.isascii() else notation.from_chinese
        assert read(state, text) == move, text


def test_words_for_more_than_one_move() -> None:
    state = game("xiangqi/axf").new_state(setup=TWO)
    with pytest.raises(ValueError, match="more than one legal move: a6b6, a8b8"):
        notation.from_chinese(state, "兵九平八")
    with pytest.raises(ValueError, match="more than one legal move: a6b6, a8b8"):
        notation.from_wxf(state, "P9=8")


def test_every_move_of_strewn_men_reads_back() -> None:
    made = game("xiangqi/openspiel", max_plies=None)
    stacked = 0
    for seed in range(40):
        rng = random.Random(f"words {seed}")
        board: Board = {(4, 0): "K", (3, 9): "k"}
        for man in "PPPPPpppppRRccNNaabb":
            files = (0, 1, 6) if man in "Pp" else range(9)
            spots = [p for p in POINTS if p not in board and p[0] in files and may_stand(man, p)]
            if spots:
                board[rng.choice(spots)] = man
        try:
            state = made.new_state(setup=f"{fen(board)} {'wb'[seed % 2]}")
        except SetupError:
            continue  # the general could be captured at once
        for seat in state.seats_to_act():
            for move in [str(m) for m in state.moves(seat)]:
                zh, wxf = notation.chinese(fen(board), move), notation.wxf(fen(board), move)
                assert notation.from_chinese(state, zh) == move, (fen(board), zh)
                assert notation.from_wxf(state, wxf) == move, (fen(board), wxf)
                stacked += wxf[0] in "+-123456789"
    assert stacked > 20


def test_wxf_of_pyffish_is_understood() -> None:
    """It writes men behind one another another way, and by their file where that is enough."""
    pyffish = pytest.importorskip("pyffish")
    made = game("xiangqi/openspiel", max_plies=None)
    alike = read = 0
    for seed in range(60):
        board = strewn(random.Random(f"pyffish {seed}"))
        setup = f"{fen(board)} {'wb'[seed % 2]}"
        try:
            state = made.new_state(setup=setup)
        except SetupError:
            continue  # the general could be captured at once
        for seat in state.seats_to_act():
            for move in [str(m) for m in state.moves(seat)]:
                theirs = pyffish.get_san(
                    "xiangqi", f"{setup} - - 0 1", move, False, pyffish.NOTATION_XIANGQI_WXF
                )
                assert notation.from_wxf(state, theirs) == move, (setup, theirs)
                alike += theirs == notation.wxf(fen(board), move)
                read += 1
    assert 0.95 * read < alike < read


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
    assert notation.from_chinese(state, "炮2平5") == "h3e3"
    assert notation.from_wxf(state, "c2.5") == "h3e3"
    assert notation.from_wxf(state, "b7+5") == notation.from_wxf(state, "E7+5") == "c1e3"
    assert notation.from_wxf(state, "N2+3") == "h1g3"
    assert notation.from_wxf(state, "S3+1") == "g4g5"
    with pytest.raises(ValueError, match="no legal move"):
        notation.from_chinese(state, "炮二进九")
    with pytest.raises(ValueError, match="H2-E2"):
        notation.from_zero_based("h13")


def test_fen_of_the_board_as_it_stands() -> None:
    made = game("xiangqi/axf")
    state = made.new_state(setup="3k5/9/9/9/9/9/9/9/R8/5K3 b - - 7 31")
    state.apply(1, "d10d9")
    state.apply(0, "a2d2")
    assert notation.fen(state) == "9/3k5/9/9/9/9/9/9/3R5/5K3 b - - 9 32"
    assert made.new_state(setup=notation.fen(state)).seats_to_act() == {1}
    other_letters = START.replace("N", "H").replace("b", "e").replace("B", "E")
    for side in ("w", "r"):
        start = made.new_state(setup=f"  {other_letters}  {side}")
        assert notation.fen(start) == f"{START} w - - 0 1"


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
