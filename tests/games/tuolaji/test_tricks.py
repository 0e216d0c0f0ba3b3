"""Who wins a trick, which throws stand: facts, one id a row."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from arena import SPECTATOR
from arena.games.tuolaji.observation import Observation
from tests.games.tuolaji.tables import cards, legal, play, table

FACTS = Path(__file__).parents[2] / "facts/tuolaji"
ROWS = tomllib.loads((FACTS / "tricks.toml").read_text("utf-8"))["row"]
CASES = [
    pytest.param(row, book, id=f"{row['id']}-{book[:3]}") for row in ROWS for book in row["books"]
]


@pytest.mark.parametrize(("row", "book"), CASES)
def test_winner(row: dict[str, Any], book: str) -> None:
    seats = 6 if book == "r15_six_deck" else 4
    hands = row["plays"][:seats]
    # One more card each, so that the hand goes on, of a suit that forces nothing.
    other = "D" if "C" in (hands[0][0], row.get("trump")) else "C"
    more = [f"{other}{rank}" for rank in ("10", "Q", "K", "8", "6", "3")]
    state = table(
        book,
        [f"{hand} {card}" for hand, card in zip(hands, more, strict=False)],
        level=row["level"],
        trump=row.get("trump", "S"),
        **row.get("settings", {}),
    )
    for seat, hand in enumerate(hands):
        state.apply(seat, play(hand))
    seen = Observation.from_json(state.observe(SPECTATOR))
    assert seen.leader == row["winner"]
    assert seen.tricks[0].winner == row["winner"]
    if "points" in row:
        assert seen.tricks[0].points == row["points"]


Throw = tuple[str, str, dict[str, Any], str, str, list[str], str]
THROWS: list[Throw] = [
    # id, book, settings, level, thrown, other hands, what is led
    ("25a", "r10_qq_two_deck", {}, "2", "H98844", ["HJ356", "D34567", "C34567"], "H9"),
    ("25b", "r10_qq_two_deck", {}, "2", "H98844", ["HQQ", "D34567", "C34567"], "H44"),
    ("25c", "r10_qq_two_deck", {}, "2", "H98844", ["H55", "D34567", "C34567"], "H44"),
    ("25d", "r10_qq_two_deck", {}, "2", "H98844", ["H3567", "D34567", "C34567"], "H98844"),
    ("t1", "r10_qq_two_deck", {}, "4", "H8872", ["D3567", "C3567", "H3 D89J"], "H2"),
    ("S16c no", "r10_qq_two_deck", {}, "4", "H8872", ["D3567", "C3567", "D89JQ"], "H8872"),
    ("t3a", "r10_qq_two_deck", {}, "4", "S3KK", ["SQ D35", "C356", "D678"], "S3"),
    ("t3b", "r10_qq_two_deck", {}, "4", "SA55", ["S99 D3", "C356", "D678"], "S55"),
    ("w9", "r10_qq_two_deck", {}, "4", "H4 S4", ["D4 S2", "C35", "D67"], "H4 S4"),
    (
        "a side bomb",
        "r06_four_deck_2_to_A",
        {},
        "2",
        "HA KKQQ",
        ["H3333", "D34567", "C34567"],
        "HKKQQ",
    ),
    (
        "R19 a triple and a pair",
        "r19_three_deck_swiss",
        {},
        "6",
        "HAAAKK",
        ["D34578", "C34578"],
        "HAAAKK",
    ),
    ("R01 R02 safe", "r02_ourgame_to_10", {}, "2", "HAKK", ["D345", "C345", "D678"], "HAKK"),
    ("ruffs do not matter", "r10_qq_two_deck", {}, "2", "HAKK", ["S33A", "D345", "C345"], "HAKK"),
]


@pytest.mark.parametrize("row", THROWS, ids=[row[0] for row in THROWS])
def test_throw(row: Throw) -> None:
    _, book, settings, level, thrown, others, led = row
    state = table(book, [thrown, *others], level=level, **settings)
    before = len(cards(thrown))
    events = list(state.apply(0, play(thrown)))
    seen = Observation.from_json(state.observe(SPECTATOR))
    assert seen.trick is not None
    first = seen.trick.plays[0]
    assert sorted(first.cards) == sorted(cards(led))
    failed = sorted(cards(led)) != sorted(cards(thrown))
    assert (first.thrown is not None) == failed
    assert any(event.kind == "throw" for event in events) == failed
    assert seen.counts[0] == before - len(cards(led))
    if failed:
        # Everybody has seen the cards that went back.
        assert seen.shown[0][0] == 0
        assert len(seen.shown[0][1]) == before - len(cards(led))


@pytest.mark.parametrize("row", THROWS[:4], ids=[row[0] for row in THROWS[:4]])
def test_unsafe_throws_are_refused_where_only_safe_ones_may_be_led(
    row: Throw,
) -> None:
    _, _, _, level, thrown, others, led = row
    for book in ("r01_two_deck_to_8", "r02_ourgame_to_10"):
        state = table(book, [thrown, *others], level=level)
        refusal = state.check(0, play(thrown))
        if led == thrown:
            assert refusal is None
        else:
            assert refusal is not None
            assert refusal.reason.name == "unsafe_throw"


LEADS = [
    ("2", ["r02_ourgame_to_10", "r07_four_deck_to_4", "r10_qq_two_deck"], "4", "H3355", "2x2"),
    ("2", ["r14_four_deck_two_hours", "r16_four_deck_pk", "r19_three_deck_swiss"], "4", "H3355", "2x2"),
    ("2", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card", "r15_six_deck"], "4", "H3355", ""),
    ("3a", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "SJ SJ S1010", "2x2"),
    ("3b", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "S1010 H1010", "2x2"),
    ("3c", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "H1010 SAA", "2x2"),
    ("3d", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "S1010 H1010 SAA", "2x3"),
    ("3e", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "H1010 D1010", ""),
    ("3f", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "SJJ1010", ""),
    ("3g", ["r07_four_deck_to_4", "r10_qq_two_deck", "r18a_generic_two_deck"], "10", "HJJ99", "2x2"),
    ("3 R03", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card"], "10", "SJ SJ S1010", ""),
    ("3 R03", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card"], "10", "S1010 H1010", ""),
    ("3 R03", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card"], "10", "BJ BJ SJ SJ", "2x2"),
    ("R15 no honours", ["r15_six_deck"], "10", "BJ BJ SJ SJ", ""),
    ("AA22 never", ["r10_qq_two_deck", "r07_four_deck_to_4", "r18a_generic_two_deck"], "10", "SAA22", ""),
    ("AA22 low", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card", "r15_six_deck"], "10", "SAA22", "2x2"),
    ("AA22 high", ["r16_four_deck_pk"], "10", "SAA22", "2x2"),
    ("KKAA22 only where high", ["r16_four_deck_pk"], "10", "SKKAA22", "2x3"),
    ("KKAA22", ["r03_four_deck_3_to_7"], "10", "SKKAA22", ""),
    ("2233 no tractor", ["r03_four_deck_3_to_7", "r16_four_deck_pk"], "10", "S2233", ""),
    ("main and other 2s do not link", ["r03_four_deck_3_to_7", "r14_four_deck_two_hours"], "10", "S22 H22", ""),
    ("R14 22AAKK", ["r14_four_deck_two_hours"], "10", "SKKAA22", ""),
    ("R14 AAAKKKQQQ", ["r14_four_deck_two_hours"], "10", "SAAAKKKQQQ", "3x3"),
    ("R18b: no link through permanent 2s", ["r18b_generic_two_deck_2s"], "10", "H1010 SAA", ""),
    ("S7 in trumps", ["r10_qq_two_deck"], "4", "SAA H44", "2x2"),
    ("p1", ["r10_qq_two_deck"], "4", "H223355", "2x3"),
    ("R18b 2s", ["r18b_generic_two_deck_2s"], "10", "SAA22", ""),
    ("R18b ladder", ["r18b_generic_two_deck_2s"], "10", "SJ SJ S1010", "2x2"),
    ("R18b ladder", ["r18b_generic_two_deck_2s"], "10", "S1010 H1010", "2x2"),
    ("R18 no tractor", ["r10_qq_two_deck", "r18a_generic_two_deck", "r18b_generic_two_deck_2s"], "10", "H554", ""),
    ("R18 no tractor", ["r10_qq_two_deck", "r18a_generic_two_deck", "r18b_generic_two_deck_2s"], "10", "H544", ""),
    ("R18 no tractor", ["r10_qq_two_deck", "r18a_generic_two_deck", "r18b_generic_two_deck_2s"], "10", "H5533", ""),
    ("R18 no tractor", ["r10_qq_two_deck", "r18a_generic_two_deck", "r18b_generic_two_deck_2s"], "10", "HJJQ", ""),
    ("R18 three pairs", ["r10_qq_two_deck", "r18a_generic_two_deck", "r18b_generic_two_deck_2s"], "10", "H554433", "2x3"),
    ("R17 tractor", ["r17_four_deck_hands"], "10", "H3344", "2x2"),
    ("R02 level cards link with no side card", ["r02_ourgame_to_10", "r16_four_deck_pk"], "10", "H991010", ""),
    ("R07 triples", ["r07_four_deck_to_4"], "10", "HKKKQQQ", "3x2"),
    ("R07 triples", ["r07_four_deck_to_4"], "10", "H555444333", "3x3"),
    ("R07 triples", ["r07_four_deck_to_4"], "10", "HJJJ999", "3x2"),
    ("R07 triples", ["r07_four_deck_to_4"], "10", "S101010 H101010", "3x2"),
    ("R08 quads", ["r08_four_deck_lists"], "10", "H55554444", "4x2"),
    ("R08 no link of main and other 2s", ["r08_four_deck_lists"], "10", "S22 H22", ""),
    ("R19 triples", ["r19_three_deck_swiss"], "6", "HAAAKKK", "3x2"),
    ("R19 over the level", ["r19_three_deck_swiss"], "6", "H5577", "2x2"),
    ("R19 three and two", ["r19_three_deck_swiss"], "6", "H33388", ""),
    ("R03 bomb", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card", "r14_four_deck_two_hours"], "10", "H5555", "4x1"),
    ("R03 triple", ["r03_four_deck_3_to_7"], "10", "H555", "3x1"),
    ("R03 no throws", ["r03_four_deck_3_to_7", "r09_four_deck_turned_card", "r14_four_deck_two_hours"], "10", "HAK", ""),
    ("R15 no gap", ["r15_six_deck"], "10", "H99JJ", ""),
    ("R19: ends do not close", ["r19_three_deck_swiss"], "6", "HAA22", ""),
    ("R03: side ends at 3344", ["r03_four_deck_3_to_7"], "10", "HAA33", ""),
]  # fmt: skip


@pytest.mark.parametrize("row", LEADS, ids=[f"{row[0]}-{row[3]}" for row in LEADS])
def test_what_is_one_unit(row: tuple[str, list[str], str, str, str]) -> None:
    _, books, level, led, shape = row
    for book in books:
        # A level below the foot of a ladder from 3 does not occur in these rows.
        state = table(book, [led], level=level, throw="forbidden")
        refusal = state.check(0, play(led))
        assert (refusal is None) == bool(shape), (book, refusal)
        if refusal is not None:
            assert refusal.reason.name == "not_a_unit"
        else:
            state.apply(0, play(led))
            requirement = state.requirements(1)
            assert f'"led":"{shape}"' in requirement


def test_no_trump_joker_links_with_any_level_pair_in_r19() -> None:
    for suit in "SHCD":
        state = table("r19_three_deck_swiss", [f"SJ SJ {suit}66"], level="6", trump="NT")
        assert legal(state, 0, f"SJ SJ {suit}66")
        state.apply(0, play(f"SJ SJ {suit}66"))
        assert '"led":"2x2"' in state.requirements(1)
    state = table("r19_three_deck_swiss", ["S66 H66"], level="6", trump="NT", throw="forbidden")
    assert not legal(state, 0, "S66 H66")


def test_readings() -> None:
    state = table("r06_four_deck_2_to_A", ["H22233 BJ", "D3456789"], level="4")
    state.apply(0, play("H22233"))
    assert '"led":"2x2+1x1"' in state.requirements(1)
    state = table("r06_four_deck_2_to_A", ["H22233 BJ"], level="4")
    assert state.check(0, play("H22233 as groups")) is None
    assert state.check(0, play("H22233 as 2x2")) is None, "the default may be named"
    refusal = state.check(0, play("H22233 as 3x2"))
    assert refusal is not None
    assert refusal.reason.name == "not_a_unit"
    events = list(state.apply(0, play("H22233 as groups")))
    assert events[0].text == "play H2 H2 H2 H3 H3 as groups"
    assert '"led":"3x1+2x1"' in state.requirements(1)
    assert state.check(1, play("D3 as groups")) is not None


def test_w10_two_tractors_are_covered_by_a_longer_one() -> None:
    hands = ["S33449910 10", "HAA S77 D77 H77"]
    state = table("r10_qq_two_deck", hands, trump="H", level="7")
    state.apply(0, play(hands[0]))
    assert '"led":"2*2x2"' in state.requirements(1)
    state.apply(1, play(hands[1]))
    for seat in (2, 3):
        state.apply(seat, state.moves(seat)[0])
    assert Observation.from_json(state.observe(SPECTATOR)).tricks[0].winner == 1
