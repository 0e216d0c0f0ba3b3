"""The slow Tuolaji rules against cases whose answer is known from the documents.

Ids S… are facts from the tests of rbtying/shengji; the other cases are worked from the documents
R01–R19 by hand. Unless said otherwise spades are trump and the level rank is not among the cards.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.oracles.tuolaji_cards import Card, Order, card, full_pack, points
from tests.oracles.tuolaji_documents import DEFAULTS, DOCUMENTS
from tests.oracles.tuolaji_follow import duty
from tests.oracles.tuolaji_score import (
    kitty_size,
)
from tests.oracles.tuolaji_shapes import Shape, named_readings, one_unit, read_shape, readings
from tests.oracles.tuolaji_tricks import leads, winner

ALL = list(DOCUMENTS)


def cards(text: str) -> Counter[Card]:
    """ "H 33 55 10" is ♥3♥3♥5♥5♥10; several suits one after the other; J is a jack, 0 a ten."""
    found: Counter[Card] = Counter()
    suit = ""
    for word in text.split():
        if word in ("SJ", "BJ"):
            found[word] += 1
        elif word in ("S", "H", "C", "D"):
            suit = word
        else:
            found.update(card(suit, "10" if rank == "0" else rank) for rank in word)
    return found


def order(document: str, level: str = "8", trump: str | None = "S") -> Order:
    return Order(DOCUMENTS[document], level, trump)


def shape(document: str, text: str, level: str = "8", trump: str | None = "S") -> str | None:
    unit = one_unit(order(document, level, trump), cards(text))
    return str(unit.shape) if unit else None


def follows(document: str, led: str, hand: str, suit: str = "H", level: str = "A") -> set[str]:
    """All legal plays in the led suit, as sorted ranks."""
    settings = DOCUMENTS[document]
    units = tuple(map(read_shape, led.split("+")))
    held = cards(f"{suit} {hand}")
    found = duty(settings, Order(settings, level, "S"), held, suit, units).legal()
    return {"".join(kind[1:].replace("Jk", "J") for kind in ranked(play)) for play in found}


def ranked(play: Counter[Card]) -> list[Card]:
    ranks = "234567891JQKA"
    return sorted(play.elements(), key=lambda kind: ranks.index(kind[1]))


def wins(document: str, *plays: str, level: str = "8", trump: str | None = "S") -> int:
    """The seat (1-based) that wins a trick; the lead is read in its default reading."""
    settings = DOCUMENTS[document]
    place = Order(settings, level, trump)
    sets = [cards(play) for play in plays]
    led = readings(place, sets[0])[0].shapes
    return winner(settings, place, led, sets) + 1


# -- cards and shapes --------------------------------------------------------------------------


def test_a_pack() -> None:
    """S1."""
    pack = full_pack(1)
    assert pack.total() == 54
    assert points(pack.elements()) == 100
    small = [kind for kind in pack if kind not in ("SJ", "BJ") and kind[1] not in "234"]
    assert len(small) + 2 == 42


def test_cards_in_a_hand() -> None:
    """Case 1."""
    expected = {
        25: "R01 R02 R05 R10 R12 R13 R18",
        26: "R11",
        39: "R04 R19",
        52: "R06 R07 R08 R16",
        54: "R03 R09 R14 R17 R15",
    }
    for size, documents in expected.items():
        for document in documents.split():
            settings = DOCUMENTS[document]
            total = 54 * int(str(settings["decks"])) - kitty_size(settings)
            assert divmod(total, int(str(settings["players"]))) == (size, 0)


def test_successors() -> None:
    """S6, S7, S8: level 4."""
    above = order("R10", "4").above
    assert above["S3"] == ["S5"]
    assert above["SA"] == ["H4", "C4", "D4"]
    assert above["H4"] == ["S4"]
    assert above["S4"] == ["SJ"]
    none = order("R10", "4", None).above
    assert all(none[kind] == ["SJ"] for kind in ("S4", "H4", "C4", "D4"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H 2233", "2x2"),
        ("H 3355", "2x2"),
        ("H 44 S 44", "2x2"),
        ("S AA H 44", "2x2"),
        ("H 22 33 55", "2x3"),
        ("H 44 C 44", None),
        ("H 234", None),
    ],
)
def test_units(text: str, expected: str | None) -> None:
    """S9, S10, S11, p1, p3; two pairs of off-suit level cards never link."""
    assert shape("R10", text, "4") == expected


def test_the_gap_over_the_level_rank() -> None:
    """Case 2: level 4, ♥3355."""
    for document in ["R02", "R07", "R10", "R14", "R16", "R18", "R19"]:
        assert shape(document, "H 3355", "4") == "2x2", document
    for document in ["R03", "R09", "R15"]:
        assert shape(document, "H 3355", "4") is None
        settings = DOCUMENTS[document]
        assert leads(settings, order(document, "4"), cards("H 3355"), []) == []


LADDER = [
    ("SJ SJ S 00", "2x2"),
    ("S 00 H 00", "2x2"),
    ("H 00 S AA", "2x2"),
    ("S 00 H 00 S AA", "2x3"),
    ("H 00 D 00", None),
    ("S JJ 00", None),
    ("H JJ 99", "2x2"),
]


@pytest.mark.parametrize(("text", "expected"), LADDER)
def test_the_ladder_of_honours(text: str, expected: str | None) -> None:
    """Case 3: level 10."""
    for document in ("R07", "R10", "R18"):
        assert shape(document, text, "10") == expected
    for document in ("R03", "R09"):
        if (text, expected) in LADDER[:4]:
            assert shape(document, text, "10") is None
        assert shape(document, "BJ BJ SJ SJ", "10") == "2x2"


@pytest.mark.parametrize("text", ["H 554", "H 544", "H 5533", "H JJQ", "S JJ 00", "S AA 22"])
def test_what_is_no_tractor(text: str) -> None:
    """R10's list, playing 10."""
    assert shape("R10", text, "10") is None
    assert shape("R18", text, "10") is None


def test_ace_and_two() -> None:
    """AA22 of trump: low, high or no tractor; never in a side suit, nor 2233."""
    for document in ("R03", "R09", "R15", "R16"):
        assert shape(document, "S AA 22") == "2x2"
    assert shape("R16", "S KKAA22") == "2x3"
    for document in ("R03", "R09", "R15"):
        assert shape(document, "S KKAA22") is None
    for document in ("R07", "R10", "R14", "R18", "R19"):
        assert shape(document, "S AA 22") is None
    assert shape("R14", "S AAAKKKQQQ") == "3x3"
    assert shape("R14", "S 222AAAKKK") is None
    for document in ALL:
        assert shape(document, "H AA 22") is None
    for document in ("R03", "R09", "R15", "R16", "R14"):
        assert shape(document, "S 2233") is None
        assert shape(document, "S 22 H 22") is None


def test_no_trump_honours() -> None:
    """R19: in no-trump SJSJ links with any pair of level cards, those not among themselves."""
    assert shape("R19", "SJ SJ H 66", "6", None) == "2x2"
    assert shape("R19", "D 66 H 66", "6", None) is None


def test_readings() -> None:
    """S12, S13."""

    def names(text: str) -> list[list[str]]:
        found = readings(order("R10", "4"), cards(text))
        return [[str(s) for s in reading.shapes] for reading in found]

    assert names("S QQ KK A") == [["2x2", "1x1"]]
    assert names("H 222 33") == [["2x2", "1x1"], ["3x1", "2x1"]]
    assert names("H 22 333 555") == [
        ["3x2", "2x1"],
        ["2x3", "1x1", "1x1"],
        ["2x2", "3x1", "1x1"],
    ]
    assert list(named_readings(order("R10", "4"), cards("H 222 33"))) == ["2x2", "groups"]


# -- who wins ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (("S 2", "S 5", "S 3", "S 5"), 2),
        (("S 2", "S 4", "S 3", "S 5"), 2),
        (("S 22", "S 34", "S 55", "S 35"), 3),
        (("S 22 33", "S 66 77", "S 2 555", "S 6666"), 2),
        (("H 7", "D 4", "S 4", "C 4"), 3),
        (("H 4", "D 4", "C 4", "H 4"), 1),
        (("H KK", "S AQ", "S 33", "H AQ"), 3),
    ],
)
def test_tricks_at_level_four(plays: tuple[str, ...], expected: int) -> None:
    """S14, S15, S16, S16a; case 29."""
    assert wins("R10", *plays, level="4") == expected


def test_a_throw_is_compared_by_its_first_unit() -> None:
    """S16b differs: there every part must be beaten, and the singles ♠4 tie; seat 3 wins."""
    assert wins("R10", "H 8872", "H 2 S 222", "S 22 34", "S 4444", level="4") == 4
    assert wins("R10", "H 8872", "H 2 S 222", "S 22 34", level="4") == 3


def test_bombs() -> None:
    """S16f and case 6."""
    for document in ["R03", "R06", "R08", "R09", "R15", "R07", "R14", "R16"]:
        assert wins(document, "H AAKK", "H 3333") == 2, document
        assert wins(document, "H AAKKQQ", "H 555666") == 2, document
    assert wins("R19", "H AAKKQQ", "H 555666") == 2
    assert wins("R04", "H AAKKQQ", "H 555666") == 1
    assert wins("R06", "S 22 33", "S 6666") == 2
    assert wins("R06", "S 2222", "S 3333") == 2
    assert wins("R15", "H 3333", "S 4444") == 2


def test_wide_tractors() -> None:
    """Case 7: three decks, 3×4 on 2×6, R19 "not to be extended"."""
    assert wins("R06", "H 66 77 88 99", "H 2222 3333", level="K") == 2
    for document in ("R08", "R09"):
        assert wins(document, "H 66 77 88 99", "H 3333 4444", level="K") == 2
    long, wide = "H 99 00 JJ QQ KK AA", "H 333 444 555 666"
    assert wins("R08", long, wide) == 2
    assert wins("R19", long, wide) == 1


def test_six_deck_tricks() -> None:
    """Cases 5, 8."""
    assert wins("R15", "S AA22", "S 3344", "S KKAA", level="5") == 3
    assert wins("R15", "C AAKKQQ", "C 777 999", "C 333333", "C 999000") == 3


def test_discards_and_ruffs() -> None:
    """Cases 10, 15 (class_first), 23, 27."""
    for document in ("R03", "R09", "R14", "R15"):
        assert wins(document, "H 77 99", "C 9999") == 1
        assert wins(document, "H 3333", "S 5566") == 1
        assert wins(document, "H 3333", "S 5555") == 2
    assert wins("R10", "H AK 55 44", "S 99 88 72", level="3") == 2
    assert wins("R10", "H AA 55 44", "S 99 88 72", level="3") == 1
    assert wins("R10", "H 5 44", "S 9 77", "S 88 4", level="2") == 3
    assert wins("R10", "H 567", "S 9 77", "S 88 4", level="2") == 2


def test_trump_first() -> None:
    settings = {**DOCUMENTS["R03"], "beat_ruff_order": "trump_first"}
    plays = [cards("H AAKK"), cards("H 3333"), cards("S 5566")]
    place = Order(settings, "8", "S")
    assert winner(settings, place, (Shape(2, 2),), plays) == 2
    assert winner(DOCUMENTS["R03"], place, (Shape(2, 2),), plays) == 1


def test_equal_plays() -> None:
    """Case 30: first played wins."""
    assert wins("R10", "H 7", "D 7", "S 7", "C 7", level="7") == 3
    assert wins("R10", "H 7", "D 7", "C 7", level="7") == 1
    assert wins("R03", "S K", "H 2", "D 2", "S 2") == 4
    assert wins("R10", "S 33 44", "S 66 77", "H 2", "S 66 77") == 2


def test_replay_facts() -> None:
    """w9 (a throw that ties), w10, w11, w12, w13 of other programs."""
    assert wins("R10", "H 4 S 4", "D 4 S 2", level="4") == 1
    assert wins("R10", "S 33 44 9900", "H AA S 77 D 77 H 77", level="7", trump="H") == 2
    assert wins("R10", "S 5 9", "H 33", level="2", trump="H") == 2
    assert wins("R10", "S 22 C 22", "D 22 H 22", level="2", trump="C") == 1
    assert wins("R10", "S QQ 99", "H 3344", level="2", trump="H") == 2
    assert wins("R10", "S QQ 99", "H 33 55", level="2", trump="H") == 2
    assert wins("R10", "S AK", "H 00", level="2", trump="H") == 2
    lead = "S KKQQ J"
    assert wins("R10", lead, "H AAKK C 2", level="2", trump="H") == 2
    assert wins("R10", lead, "H AKQ C 2 D 2", level="2", trump="H") == 1


# -- following ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("documents", "led", "hand", "expected"),
    [
        ("R03 R09 R14", "2x4", "33 44 55 77 99 K", "33445577 33445599"),
        ("R03 R09 R14", "4x1", "555 77 88 9", "5557 5558 5559"),
        ("R03 R09 R14", "4x1", "55 66 99 J", "5566"),
        ("R03 R09 R14", "4x1", "55 88 Q K", "5588"),
        ("R09 R14", "3x2", "333 55 66 77 J", "556677"),
        ("R04", "2x2", "333 6 9 J Q K", "3336 3339 333J 333Q 333K"),
        ("R04", "3x1", "44 6 9", "446 449"),
        ("R06", "2x5", "44 55 66 99 JJJ 3 Q", "44556699JJ"),
        ("R07", "3x1", "QQQQ 55 7", "QQQ"),
        ("R07", "2x1", "888 5 7", "88"),
        ("R14", "2x2", "3333 55 99 J K", "3333"),
        ("R03 R09", "2x2", "3333 55 99 J K", "3333 3355 3399 5599"),
        ("R03 R09 R14", "2x2", "3333 77 88 J K", "3333 7788"),
        ("R08", "2x4", "9999 KKKK 33 5", "9999KKKK"),
        ("R08", "2x3", "99 00 JJ QQQ KKK", "991010JJ 1010JJQQ JJQQKK QQQKKK"),
        ("R02 R05 R10 R18", "2x3", "77 88 JJ 9 K", "7788JJ"),
        ("R01 R02 R10", "2x1+1x1", "33 5 7", "335 337"),
        ("R10", "2x1", "22 33 55", "22 33 55"),
        ("R10", "2x2", "33 44 55", "3344 4455"),
        ("R10", "2x2+2x1", "33 44 55 7", "334455"),
        ("R03", "3x2", "555 77 88 J Q", "55577J 55577Q 555778 55588J 55588Q 555788"),
    ],
)
def test_follows(documents: str, led: str, hand: str, expected: str) -> None:
    """Cases 11, 13–19, 21, 24, 26; f1, f8, f9, f10."""
    for document in documents.split():
        assert follows(document, led, hand) == set(expected.split()), document


def test_follows_that_leave_much_open() -> None:
    """Cases 13 (d), 14, 24 (b)."""
    assert len(follows("R03", "4x1", "55 7 9 Q K")) == 11
    assert len(follows("R03", "3x2", "333 55 66 77 J")) == 9
    two = follows("R10", "2x3", "77 9 J Q K A", level="8")
    assert len(two) == 5
    assert all(play.startswith("77") for play in two)


def test_short_of_the_suit() -> None:
    """Case 23: all three clubs and any one card."""
    settings = DOCUMENTS["R10"]
    hand = cards("C 339 H 4 S 5")
    found = list(duty(settings, order("R10"), hand, "C", (Shape(2, 2),)).legal())
    assert [set(play - cards("C 339")) for play in found] == [{"H4"}, {"S5"}]


def test_splitting() -> None:
    """S17, S18, S19, S21 and f2, f4, f5 (trump spades, level 4)."""

    def legal(led: str, hand: str, split: bool = True) -> set[str]:
        settings = {**DOCUMENTS["R10"], "decks": 4, "follow_split": split}
        held = cards("S " + hand)
        place = Order(settings, "4", "S")
        found = duty(settings, place, held, "T", (read_shape(led),)).legal()
        return {"".join(kind[1:] for kind in ranked(play)) for play in found}

    assert "22" in legal("2x1", "22 33 55")
    assert "23" not in legal("2x1", "22 33 55")
    assert "35" not in legal("2x1", "2223 5")
    assert "35" in legal("2x1", "2223 5", split=False)
    assert legal("2x2", "2222 33 55") >= {"2233", "3355"}
    assert "2222" not in legal("2x2", "2222 33 55")
    assert "556" not in legal("3x1", "2222 55678")
    assert "556" in legal("3x1", "2222 55678", split=False)
    assert "678" not in legal("3x1", "2222 55678", split=False)
    assert "225" in legal("3x1", "22 33 55")
    assert "235" not in legal("3x1", "22 33 55")
    assert legal("2x2", "2222 3 55") == {"2222", "2255"}
    assert "678" not in legal("3x1", "2222 5678")


def test_a_lone_pair_is_owed_to_a_tractor() -> None:
    """f6: level K, ♠778899 led; the play must hold ♠K♠K."""
    settings = DOCUMENTS["R10"]
    place = Order(settings, "K", "S")
    hand = cards("S 4 0 A H K D K C K S KK")
    found = list(duty(settings, place, hand, "T", (Shape(2, 3),)).legal())
    assert found
    assert all(play["SK"] == 2 for play in found)


# -- throws ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "expected"),
    [("H J", "H 9"), ("H QQ", "H 44"), ("H 55", "H 44"), ("H 3 77", "H 44"), ("H 33", None)],
)
def test_throws(other: str, expected: str | None) -> None:
    """Case 25: ♥98844 thrown. Two Qs beat 9 too; 44 is the smaller beatable part."""
    thrown = cards("H 988 44")
    hands = [cards(other), cards("S 34")]
    (lead,) = leads(DOCUMENTS["R10"], order("R10", "A"), thrown, hands)
    assert lead.failed == (expected is not None)
    assert lead.cards == (cards(expected) if expected else thrown)
    for document in ("R01", "R02"):
        found = leads(DOCUMENTS[document], order(document, "A"), thrown, hands)
        assert bool(found) == (expected is None)
    assert leads(DOCUMENTS["R03"], order("R03", "A"), thrown, hands) == []


def test_a_failed_throw_of_four() -> None:
    """S16c and t1, t3: ♥8872 against ♥3; ♠3KK against ♠Q; ♠A55 against ♠99."""
    place = order("R10", "4")
    (lead,) = leads(DEFAULTS, place, cards("H 8872"), [cards("H 3 S 3")])
    assert lead.cards == cards("H 2")
    trump = order("R10", "4", "H")
    (lead,) = leads(DEFAULTS, trump, cards("S 3 KK"), [cards("S Q")])
    assert lead.cards == cards("S 3")
    (lead,) = leads(DEFAULTS, trump, cards("S A 55"), [cards("S 99")])
    assert lead.cards == cards("S 55")
