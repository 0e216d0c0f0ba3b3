"""The slow Tuolaji rules: last trick, score, levels and calls against known answers.

Cases worked by hand from the documents R01–R19; ids b… are replay facts of other programs.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.oracles.test_tuolaji_oracle import cards, order
from tests.oracles.tuolaji_calls import Bidding, Call, flipped, majority, read_call, without_call
from tests.oracles.tuolaji_cards import Settings
from tests.oracles.tuolaji_documents import DEFAULTS, DOCUMENTS
from tests.oracles.tuolaji_score import Standing, climb, last_trick, next_dealer, result
from tests.oracles.tuolaji_tricks import largest_unit

# -- last trick, score, levels -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("play", "added", "expected"),
    [
        ("H A", 50, "C"),
        ("H AA", 100, "A2"),
        ("H AKK", 100, "A2"),
        ("H 3344", 200, "A3"),
        ("H 334455", 400, "A3"),
    ],
)
def test_the_kitty_of_r02(play: str, added: int, expected: str) -> None:
    """Case 33."""
    settings = DOCUMENTS["R02"]
    n = largest_unit(order("R02"), cards(play))
    assert last_trick(settings, True, False, n, 0, 25) == added
    assert str(result(settings, 60 + added)) == expected


@pytest.mark.parametrize(
    ("n", "trick", "attackers", "total", "expected"),
    [
        (2, 30, True, 170, "C"),
        (2, 30, False, 110, "D1"),
        (4, 50, True, 310, "A1"),
        (1, 15, True, 125, "D1"),
    ],
)
def test_the_hands_of_r03(n: int, trick: int, attackers: bool, total: int, expected: str) -> None:
    """Case 35."""
    for document in ("R03", "R14"):
        settings = DOCUMENTS[document]
        assert 110 + last_trick(settings, attackers, False, n, trick, 0) == total
        assert str(result(settings, total)) == expected


@pytest.mark.parametrize(
    ("n", "trump", "attackers", "total", "expected"),
    [
        (1, True, True, 190, "C"),
        (3, True, True, 210, "C"),
        (2, False, True, 150, "D1"),
        (2, True, False, 150, "D1"),
    ],
)
def test_the_kitty_of_r16(n: int, trump: bool, attackers: bool, total: int, expected: str) -> None:
    """Case 36."""
    settings = DOCUMENTS["R16"]
    assert 150 + last_trick(settings, attackers, trump, n, 0, 20) == total
    assert str(result(settings, total)) == expected


def test_the_kitty_of_r04() -> None:
    """Both sides: a single just keeps or takes it, a pair doubles."""
    settings = DOCUMENTS["R04"]
    assert last_trick(settings, False, True, 1, 10, 20) == 0
    assert last_trick(settings, False, True, 2, 10, 20) == -40
    assert last_trick(settings, True, False, 1, 10, 20) == 30
    assert last_trick(settings, True, False, 3, 10, 20) == 70


SCORES = {
    "R01": "0:D3 5:D2 35:D2 40:D1 75:D1 80:A1 115:A1 120:A2 155:A2 160:A3 200:A3 240:A3",
    "R02": "0:D3 35:D2 75:D1 80:C 115:C 120:A1 155:A1 160:A2 195:A2 200:A3 240:A3",
    "R10": "-35:D3 0:D3 5:D2 35:D2 40:D1 75:D1 80:C 115:C 120:A1 155:A1 160:A2 200:A3 240:A4",
    "R13": "0:D3 80:C 115:C 240:A4",
    "R11": "0:D3 5:D2 40:D1 80:C 115:C 120:A1 155:A1 160:A1 165:A2 195:A2 200:A2 240:A3",
    "R04": "-20:D3 0:D3 5:D2 55:D2 60:D1 115:D1 120:C 175:C 180:A1 240:A2 300:A3 420:A3",
    "R03": "0:D2 75:D2 80:D1 155:D1 160:C 235:C 240:A1 320:A2 400:A3 480:A4",
    "R16": "0:D3 5:D2 75:D2 80:D1 155:D1 160:C 235:C 240:A1 320:A2 400:A3 480:A3",
}


@pytest.mark.parametrize("document", SCORES)
def test_scores(document: str) -> None:
    """Cases 31, 32; S3 (at most 3 for us), S4, S5."""
    for part in SCORES[document].split():
        at, expected = part.split(":")
        assert str(result(DOCUMENTS[document], int(at))) == expected, part


@pytest.mark.parametrize(
    ("document", "level", "gain", "as_dealer", "expected", "won"),
    [
        ("R01", "7", 1, False, "8", True),
        ("R02", "9", 1, False, "10", False),
        ("R02", "9", 2, False, "10", True),
        ("R13", "10", 3, False, "J", False),
        ("R13", "J", 3, True, "A", False),
        ("R13", "Q", 3, True, "A", False),
        ("R13", "A", 2, True, "JOKER", False),
        ("R13", "JOKER", 1, True, "JOKER", True),
        ("R13", "JOKER", 1, False, "JOKER", False),
        ("R13", "J", 2, False, "J", False),
        ("R10", "K", 1, False, "A", False),
        ("R10", "K", 2, False, "A", True),
        ("R09", "A", 2, False, "4", False),
    ],
)
def test_levels(
    document: str, level: str, gain: int, as_dealer: bool, expected: str, won: bool
) -> None:
    """Case 40."""
    found = climb(DOCUMENTS[document], Standing(level), gain, as_dealer)
    assert (found.level, found.won) == (expected, won)
    assert found.laps == (1 if document == "R09" else 0)


def test_rotation() -> None:
    assert [next_dealer(DEFAULTS, 3, lost) for lost in (False, True)] == [1, 0]
    assert [next_dealer(DOCUMENTS["R15"], 4, lost) for lost in (False, True)] == [0, 5]


# -- calls -------------------------------------------------------------------------------------


def stands(document: str, level: str, *calls: str, opening: bool = True, turned: str = "") -> str:
    """ "y" for each call that stands, "n" for each refused; "0: S 3 + SJ" is seat 0's call."""
    settings: Settings = DOCUMENTS[document]
    found = ""
    done: tuple[Call, ...] = ()
    for text in calls:
        seat, _, shown = text.partition(":")
        addition = shown.startswith("add")
        given = cards(shown.removeprefix("add"))
        bidding = Bidding(settings, done, (level,) * 6, opening, turned or None)
        plain = Counter(bidding.plain(list(given.elements())))
        legal = next(
            (
                call
                for call in bidding.legal(int(seat), given)
                if Counter(call.cards) == plain and call.addition == addition
            ),
            None,
        )
        found += "y" if legal else "n"
        if legal:
            call = read_call(bidding, int(seat), legal.cards, addition)
            assert call == legal
            done = (*done, call)
    return found


def test_tokens() -> None:
    """Case 37."""
    calls = ["0:S 3 SJ", "1:H 33 SJ", "2:D 33 SJ", "3:C 333"]
    assert stands("R03", "3", *calls) == "yynn"
    assert stands("R03", "3", "0:S 3", "1:H 33", "2:D 33", "3:C 333", opening=False) == "yyny"
    assert stands("R15", "3", *calls[:3]) == "yyn"
    assert stands("R14", "3", "0:S 3 SJ SJ", "0:S 3 SJ", "2:addS 3") == "nyy"
    assert stands("R03", "3", "0:S 3 SJ SJ") == "y"
    assert stands("R04", "3", "0:S 3", "0:S 3 H 2") == "ny"
    assert stands("R09", "3", "0:H 7 S 2", "1:H 7 C 22", "2:C 222", turned="H7") == "yyn"
    assert stands("R01", "2", "0:BJ S 2", "1:SJ H 22") == "yy"
    # A reinforcement shows the earlier cards again, the token too.
    assert stands("R01", "2", "0:BJ S 2", "0:SJ S 22", "0:BJ S 22") == "yny"


def test_overcalls() -> None:
    """Case 38; b1, b2, b3 and S23."""
    assert stands("R05", "2", "0:C 2", "1:D 22", "2:H 22", "3:S 22") == "yyyy"
    assert stands("R05", "2", "0:H 22", "1:C 22") == "yn"
    assert stands("R13", "5", "0:S 5", "1:H 5") == "yn"
    assert stands("R13", "5", "0:S 5", "1:D 55", "2:C 55", "3:SJ SJ", "1:BJ BJ") == "yyyyy"
    for document in ("R12", "R11"):
        assert stands(document, "2", "0:S 2", "1:C 22", "0:S 22") == "yyn"
    assert stands("R12", "2", "0:S 2", "1:C 22", "0:SJ SJ", "1:BJ BJ") == "yyyy"
    assert stands("R10", "10", "0:S 0", "0:H 00") == "yy"
    for document in ("R11", "R12", "R16"):
        assert stands(document, "10", "0:S 00", "0:H 000") == "yn"
    assert stands("R06", "2", "0:H 2", "2:addH 2", "2:H 2", "2:H 22") == "ynny"
    assert stands("R06", "2", "0:H 22", "1:SJ SJ SJ SJ") == "yn"
    assert stands("R16", "3", "0:S 3", "0:S 33", "1:H 33", "1:H 333") == "nyny"
    assert stands("R10", "2", "0:S 2", "0:S 22") == "yy"
    assert stands("R02", "2", "0:BJ BJ", "0:S 2", "1:H 22", "2:BJ BJ") == "nyyy"


def test_first_calls() -> None:
    """S23 (b1): two decks' worth of level cards and jokers, nothing called yet."""
    hand = cards("C 222 S 22 SJ SJ BJ BJ")
    settings = {**DEFAULTS, "bid_no_trump": "any"}
    found = Bidding(settings, (), ("2",) * 4, False, None).legal(0, hand)
    assert {call.text for call in found} == {
        "call S2",
        "call S2 S2",
        "call C2",
        "call C2 C2",
        "call C2 C2 C2",
        "call SJ SJ",
        "call BJ BJ",
    }


def test_additions_go_with_the_call_they_were_added_to() -> None:
    settings = {**DEFAULTS, "bid_reinforce": "side", "bid_overcall": "more"}
    called = Call(0, ("C3",), "C3", 1), Call(2, ("C3",), "C3", 1, addition=True)
    own_again = Call(0, ("C3", "C3"), "C3", 2)
    over = Call(1, ("H3",) * 3, "H3", 3)

    def strength(*calls: Call) -> int:
        return Bidding(settings, calls, ("3",) * 4, False, None).strength

    assert [strength(*called), strength(*called, own_again), strength(*called, over)] == [2, 3, 3]


def test_nobody_calls() -> None:
    """Case 39."""
    expected = {
        "R02": ("redeal", "flip:1"),
        "R03": ("redeal", "redeal"),
        "R04": ("redeal", "choke"),
        "R06": ("flip:1", "flip:1"),
        "R07": ("lots", "lots"),
        "R09": ("redeal", "redeal"),
        "R10": ("no_trump", "no_trump"),
        "R12": ("redeal", "flip:1"),
        "R13": ("redeal", "flip:3"),
        "R16": ("flip_majority", "flip_majority"),
    }
    for document, (first, later) in expected.items():
        settings = DOCUMENTS[document]
        assert (without_call(settings, True), without_call(settings, False)) == (first, later)
    assert flipped(["H3", "SA", "C2"], 1) == "H"
    assert flipped(["BJ", "SA", "C2"], 1) == "S"
    assert flipped(["H3", "SA", "BJ"], 3) == "H"
    assert flipped(["SJ", "BJ"], 1) == "NT"
    assert majority(["S3", "S4", "S5", "H3", "H4", "D2", "C2", "BJ"]) == ["S"]
    assert majority(["S3", "S4", "S5", "H3", "H4", "H5", "D2", "C2"]) == ["S", "H"]
