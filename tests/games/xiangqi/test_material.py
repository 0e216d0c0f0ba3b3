"""`insufficient_material`: men with which nobody can win, set by set and beside pyffish."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from arena._core import SetupError
from arena.games import game
from tests.fuzz.xiangqi_boards import POINTS, fen, may_stand
from tests.oracles.xiangqi import Board, Square
from tests.oracles.xiangqi_material import in_table

SETTINGS = ("off", "no_attackers", "engine_table")

# men beside the generals, Red's as capitals: the settings that call them a draw
SETS = {
    "": "no_attackers engine_table",
    "BB": "no_attackers engine_table",
    "AAbb": "no_attackers engine_table",
    "AABBaabb": "no_attackers engine_table",
    "P": "",
    "N": "",
    "R": "",
    "C": "engine_table",
    "CBB": "engine_table",
    "CBBbb": "engine_table",
    "Cabb": "engine_table",
    "CBBa": "engine_table",
    "Caa": "engine_table",
    "Caabb": "engine_table",
    "CBaa": "",
    "CA": "",
    "CAa": "",
    "CABaa": "",
    "Cp": "",
    "CN": "",
    "CC": "",
    "CCc": "",
    "Cn": "",
    "Cc": "engine_table",
    "CBcbb": "engine_table",
    "CcA": "",
    "Cca": "",
    "CcP": "",
}

SPOTS = {
    "A": ("d1", "f1"),
    "B": ("c1", "g1"),
    "C": ("a3", "i3"),
    "P": ("a4",),
    "N": ("b3",),
    "R": ("b1",),
}


def laid_out(men: str) -> Board:
    """Generals and men on fixed points, where no side mates at once."""
    board: Board = {(4, 0): "K", (3, 8): "k"}
    taken: Counter[str] = Counter()
    for man in men:
        name = SPOTS[man.upper()][taken[man]]
        x, y = "abcdefghi".index(name[0]), int(name[1:]) - 1
        board[x, y if man.isupper() else 9 - y] = man
        taken[man] += 1
    return board


def ending(setting: str, setup: str) -> str | None:
    """The termination of a game that is over where it begins; None where it goes on."""
    outcome = game("xiangqi/axf", insufficient_material=setting).new_state(setup=setup).outcome()
    return None if outcome is None else outcome.termination.name


@pytest.mark.parametrize("men", SETS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_sets_of_men(men: str, setting: str) -> None:
    expected = "insufficient_material" if setting in SETS[men].split() else None
    board = laid_out(men)
    assert ending(setting, f"{fen(board)} w") == expected
    other_way = {(x, 9 - y): man.swapcase() for (x, y), man in board.items()}
    assert ending(setting, f"{fen(other_way)} b") == expected


@pytest.mark.parametrize(
    ("board", "turn", "end"),
    [
        ("9/9/4ka3/9/9/9/9/4B4/9/3KC4", "b", "checkmate"),
        ("9/9/4ka3/9/9/9/9/4B4/9/3K1C3", "w", None),  # f1e1 mates
        ("9/9/4ka3/9/9/9/9/4B4/9/3K1C3", "b", "insufficient_material"),  # Black saves itself
        ("9/9/4kc3/9/9/9/9/4B4/9/3K1C3", "w", None),
        ("9/9/4kc3/9/9/9/9/B8/9/3K1C3", "w", "insufficient_material"),
    ],
)
def test_who_can_mate_at_once_may(board: str, turn: str, end: str | None) -> None:
    assert ending("engine_table", f"{board} {turn}") == end


def test_the_last_soldier_is_taken() -> None:
    state = game("xiangqi/pikafish").new_state(setup="5k3/9/9/9/9/9/9/9/3pK4/2C6 w")
    assert state.outcome() is None
    state.apply(0, "e2d2")
    outcome = state.outcome()
    assert outcome is not None
    assert (outcome.termination.name, tuple(outcome.scores)) == (
        "insufficient_material",
        (0.5, 0.5),
    )


def every(men: str, board: Board, first: Square = (0, 0)) -> Iterator[Board]:
    """Every way to add these men to a board, the same men in order only."""
    if not men:
        yield board
        return
    for point in POINTS:
        if point in board or point < first or not may_stand(men[0], point):
            continue
        same = men[1:2] == men[0]
        yield from every(men[1:], board | {point: men[0]}, point if same else (0, 0))


@pytest.mark.parametrize("men", ["KkC", "KkCa"])
def test_a_cannon_without_screens_never_mates(men: str) -> None:
    """What docs/games/xiangqi.md says of all positions; the larger sets take hours here."""
    made = game("xiangqi/openspiel", max_plies=None)
    met = 0
    for board in every(men, {}):
        for turn in "wb":
            try:
                state = made.new_state(setup=f"{fen(board)} {turn}")
            except SetupError:
                continue  # the general could be captured at once
            assert state.outcome() is None, fen(board)
            met += 1
    assert met == {"KkC": 9828, "KkCa": 45120}[men]


def small_sets() -> Iterator[str]:
    """Every choice of up to four men of both sides, Red's first."""
    most = {"A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}
    most |= {man.lower(): number for man, number in most.items()}
    for size in range(5):
        for men in itertools.combinations_with_replacement(most, size):
            if all(number <= most[man] for man, number in Counter(men).items()):
                yield "".join(men)


def somewhere(men: str, rng: random.Random) -> Board:
    """Generals and men anywhere they can stand."""
    board: Board = {}
    for man in "Kk" + men:
        board[rng.choice([p for p in POINTS if p not in board and may_stand(man, p)])] = man
    return board


def test_small_sets_beside_pyffish() -> None:
    """no_attackers is what pyffish calls insufficient for both; the table has more, all of cannons."""
    pyffish = pytest.importorskip("pyffish")
    rng = random.Random(1)
    found: Counter[str] = Counter()
    for men in small_sets():
        while True:
            setup = f"{fen(somewhere(men, rng))} w"
            with contextlib.suppress(SetupError):  # the general could be captured at once
                if not ending("off", setup):  # mate
                    break
        dead = all(pyffish.has_insufficient_material("xiangqi", f"{setup} - - 0 1", []))
        assert (ending("no_attackers", setup) is not None) == dead, setup
        listed = in_table(Counter(men))
        assert listed >= dead, setup
        if ending("engine_table", setup) is None:
            assert not listed or "C" in men.upper(), setup
            found["mate in one"] += listed
        else:
            assert listed, setup
        found.update(sets=1, dead=dead, listed=listed)
    print(f"\nxiangqi, small sets of men: {dict(found)}")
    assert found["listed"] > found["dead"] > 0
    assert found["mate in one"] <= 5
