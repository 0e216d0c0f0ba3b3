"""The last trick, the bands, the ladder: each number from a played-out trick."""

from __future__ import annotations

from typing import Any

import pytest

import arena
from arena import SPECTATOR
from arena.games.tuolaji.observation import Observation, Result
from tests.games.tuolaji.tables import listed, play, table

DEALER_WINS = ["SA", "D3", "D4", "D6", "D7", "D8"]
"""One pointless card a seat: the dealer takes the last trick."""


def ended(book: str, plays: list[str], extra: str, **settings: Any) -> Result:
    """The end of a hand whose last trick is `plays`, seat 0 dealing and leading."""
    level = "7" if book[:3] in ("r03", "r04", "r14", "r15", "r16", "r17", "r09") else "2"
    trump = str(settings.pop("trump", "S"))
    seats = arena.game(f"tuolaji/{book}").seats
    state = table(book, plays[:seats], level=level, trump=trump, extra=extra, **settings)
    for seat in range(seats):
        state.apply(seat, play(plays[seat]))
    assert not state.seats_to_act()
    result = Observation.from_json(state.observe(SPECTATOR)).result
    assert result is not None
    return result


def band(result: Result) -> str:
    if result.change and result.gain == 0:
        return "chg"
    return f"{'A' if result.change else 'D'}{result.gain}"


TWO_DECKS = (0, 5, 35, 40, 75, 80, 115, 120, 155, 160, 165, 195, 200, 240)
BANDS = {
    "r01_two_deck_to_8": "D3 D2 D2 D1 D1 A1 A1 A2 A2 A3 A3 A3 A3 A3",
    "r02_ourgame_to_10": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A3",
    "r10_qq_two_deck": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A4",
    "r13_two_deck_joker_level": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A4",
    "r05_double_official": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A4",
    "r12_two_deck_no_priority": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A4",
    "r18a_generic_two_deck": "D3 D2 D2 D1 D1 chg chg A1 A1 A2 A2 A2 A3 A4",
    "r11_two_deck_kitty_4": "D3 D2 D2 D1 D1 chg chg A1 A1 A1 A2 A2 A2 A3",
}


@pytest.mark.parametrize("book", BANDS)
def test_31_bands_of_two_decks(book: str) -> None:
    for points, wanted in zip(TWO_DECKS, BANDS[book].split(), strict=True):
        result = ended(book, DEALER_WINS, f"points={points}")
        assert band(result) == wanted, points
        assert result.points == points
        assert result.winner == (1 if result.change else 0)


MORE_BANDS = [
    (
        "r04_three_deck_3_to_K",
        "-20:D3 0:D3 5:D2 55:D2 60:D1 115:D1 120:chg 175:chg 180:A1 240:A2 300:A3 420:A3",
    ),
    (
        "r03_four_deck_3_to_7",
        "0:D2 75:D2 80:D1 155:D1 160:chg 235:chg 240:A1 320:A2 400:A3 480:A4",
    ),
    (
        "r14_four_deck_two_hours",
        "0:D2 75:D2 80:D1 155:D1 160:chg 235:chg 240:A1 320:A2 400:A3 480:A4",
    ),
    ("r09_four_deck_turned_card", "0:D2 80:D1 160:chg 240:A1 480:A4"),
    (
        "r16_four_deck_pk",
        "0:D3 5:D2 75:D2 80:D1 155:D1 160:chg 235:chg 240:A1 320:A2 400:A3 480:A3",
    ),
    ("r10_qq_two_deck", "-80:D3 280:A5"),
    ("r15_six_deck", "0:D3 5:D2 115:D2 120:D1 240:chg 360:A1 480:A2"),
]


@pytest.mark.parametrize(("book", "row"), MORE_BANDS)
def test_32_bands_of_more_decks(book: str, row: str) -> None:
    for word in row.split():
        points, _, wanted = word.partition(":")
        assert band(ended(book, DEALER_WINS, f"points={points}")) == wanted, points


@pytest.mark.parametrize(
    ("plays", "trick", "multiplier", "wanted"),
    [
        (["H3", "HA", "D4", "D6"], 0, 2, "chg"),
        (["H33", "HAA", "D46", "D68"], 0, 4, "A2"),
        # A throw with a pair counts as a pair.
        (["H366", "SAQQ", "D467", "D678"], 0, 4, "A2"),
        (["H3344", "HQQJJ", "D4678", "D6789"], 0, 8, "A3"),
        (["H334455", "S667788", "D467899", "C467899"], 10, 16, "A3"),
    ],
)
def test_33_r02_multiplies_by_pairs(
    plays: list[str], trick: int, multiplier: int, wanted: str
) -> None:
    extra = f"points=60 kitty={listed('HK D10 C5')}"
    result = ended("r02_ourgame_to_10", plays, extra)
    assert result.pot == 25 * multiplier
    assert result.points == 60 + trick + 25 * multiplier
    assert band(result) == wanted
    for book in (
        "r01_two_deck_to_8",
        "r10_qq_two_deck",
        "r12_two_deck_no_priority",
        "r18a_generic_two_deck",
    ):
        assert ended(book, plays, extra).points == result.points


@pytest.mark.parametrize(
    ("plays", "total", "wanted"),
    [
        # 15 points and pairs; the attackers win with a pair
        (["H55", "HKK", "D34", "D68"], 110 + 60, "chg"),
        (["HKK", "H55", "D34", "D68"], 110, "D1"),
        (["H5555", "HKKKK", "D34 68", "D3468"], 110 + 240, "A2"),
        (["H5", "HK", "D3", "D4"], 125, "D1"),
    ],
)
def test_35_r03_capture_on_the_hands(plays: list[str], total: int, wanted: str) -> None:
    for book in ("r03_four_deck_3_to_7", "r14_four_deck_two_hours", "r17_four_deck_hands"):
        result = ended(book, plays, "points=110")
        assert result.points == total
        assert band(result) == wanted


@pytest.mark.parametrize(
    ("plays", "total", "wanted"),
    [
        (["H3", "S9", "D4", "D6"], 190, "chg"),
        (["H444", "S999", "D346", "D689"], 210, "chg"),
        (["H33", "HAA", "D46", "D68"], 150, "D1"),
        (["HA", "H3", "D4", "D6"], 150, "D1"),
    ],
)
def test_36_r16_captures_with_trump_only(plays: list[str], total: int, wanted: str) -> None:
    result = ended("r16_four_deck_pk", plays, f"points=150 kitty={listed('HK D10')}")
    assert result.points == total
    assert band(result) == wanted


def test_r04_captures_both_ways() -> None:
    extra = f"points=100 kitty={listed('HK D10')}"
    assert ended("r04_three_deck_3_to_K", ["HA", "H3", "D4", "D6"], extra).points == 100
    assert ended("r04_three_deck_3_to_K", ["HAA", "H33", "D46", "D68"], extra).points == 60
    assert ended("r04_three_deck_3_to_K", ["H33", "HAA", "D46", "D68"], extra).points == 140
    assert ended("r04_three_deck_3_to_K", ["H3", "HA", "D4", "D6"], extra).points == 120


def after(book: str, levels: str, dealer: int, points: int, **settings: Any) -> Observation:
    """A match after one more hand, which the dealer's side wins with the last trick."""
    game = arena.game(f"tuolaji/{book}", unit="match", **settings)
    hands = ["BJ", "D3", "D4", "D6", "D7", "D8"][: game.seats]
    ordered = [""] * game.seats
    for i, hand in enumerate(hands):
        ordered[(dealer + i) % game.seats] = hand
    state = game.new_state(
        setup=f"phase=play levels={levels} dealer={dealer} trump=S points={points} "
        f"hands={'/'.join(ordered)} seed=1"
    )
    for i in range(game.seats):
        seat = (dealer + i) % game.seats
        state.apply(seat, f"play {ordered[seat]}")
    return Observation.from_json(state.observe(SPECTATOR))


@pytest.mark.parametrize(
    ("book", "levels", "dealer", "points", "wanted"),
    [
        # levels of side 0 and 1 before; side 0 deals unless dealer is odd
        ("r01_two_deck_to_8", "5:7", 0, 80, "won 1"),
        ("r02_ourgame_to_10", "9:5", 0, 5, "won 0"),
        ("r02_ourgame_to_10", "5:9", 0, 160, "won 1"),
        ("r13_two_deck_joker_level", "10:5", 0, 0, "J:5"),
        ("r13_two_deck_joker_level", "J:5", 0, 0, "A:5"),
        ("r13_two_deck_joker_level", "Q:5", 0, 0, "A:5"),
        ("r13_two_deck_joker_level", "A:5", 0, 5, "JOKER:5"),
        ("r13_two_deck_joker_level", "JOKER:5", 0, 40, "won 0"),
        ("r13_two_deck_joker_level", "5:J", 0, 160, "5:J"),
        ("r10_qq_two_deck", "A:K", 0, 40, "won 0"),
        ("r10_qq_two_deck", "K:K", 0, 40, "A:K"),
        ("r10_qq_two_deck", "5:3", 0, 80, "5:3"),
        ("r10_qq_two_deck", "5:3", 1, 200, "8:3"),
        ("r03_four_deck_3_to_7", "7:3", 0, 80, "won 0"),
        ("r03_four_deck_3_to_7", "6:3", 0, 80, "7:3"),
        ("r04_three_deck_3_to_K", "K:3", 0, 60, "won 0"),
        ("r04_three_deck_3_to_K", "Q:3", 0, 60, "K:3"),
        ("r06_four_deck_2_to_A", "A:3", 0, 80, "won 0"),
        ("r07_four_deck_to_4", "4:2", 0, 80, "won 0"),
        ("r07_four_deck_to_4", "3:2", 0, 80, "4:2"),
        ("r13_two_deck_joker_level", "2:2", 0, 0, "5:2"),
        ("r14_four_deck_two_hours", "A:3", 0, 80, "won 0"),
        ("r14_four_deck_two_hours", "K:3", 0, 80, "A:3"),
        ("r15_six_deck", "A:3", 0, 120, "3:3"),
    ],
)
def test_40_ladder(book: str, levels: str, dealer: int, points: int, wanted: str) -> None:
    seen = after(book, levels, dealer, points)
    if wanted.startswith("won"):
        assert seen.result is not None
        assert f"won {seen.result.match}" == wanted
    else:
        assert ":".join(seen.levels) == wanted
        assert seen.phase != "over"
        assert seen.hand == 1


@pytest.mark.parametrize(
    "book",
    ["r05_double_official", "r10_qq_two_deck", "r11_two_deck_kitty_4", "r13_two_deck_joker_level",
     "r15_six_deck", "r16_four_deck_pk"],
)  # fmt: skip
@pytest.mark.parametrize(("points", "step"), [(0, 2), (360, 1)])
def test_rotation(book: str, points: int, step: int) -> None:
    seats = arena.game(f"tuolaji/{book}").seats
    for dealer in range(seats):
        seen = after(book, "3:3", dealer, points)
        assert seen.dealer == (dealer + step) % seats


def test_laps_and_the_hand_limit() -> None:
    seen = after("r11_two_deck_kitty_4", "A:5", 0, 40)
    assert seen.levels == ("2", "5")
    assert seen.laps == (1, 0)
    # plus_one_hand: the limit is one more than max_hands.
    over = after("r16_four_deck_pk", "5:6", 0, 100, max_hands=1)
    assert over.phase == "over"
    assert over.result is not None
    assert over.result.match is None, "level, and the tie is settled elsewhere"
    over = after("r03_four_deck_3_to_7", "3:4", 0, 100, max_hands=1)
    assert over.result is not None
    assert over.result.match == 0, "level: the side that deals next"
    going = after("r09_four_deck_turned_card", "3:4", 0, 100, max_hands=1)
    assert going.phase != "over", "play goes on until a side gains"
    at_ace = after("r06_four_deck_2_to_A", "3:4", 0, 100, max_hands=1)
    assert at_ace.levels == ("A", "A")


@pytest.mark.parametrize("book", ["r15_six_deck", "r16_four_deck_pk"])
def test_levels_are_counted_on_after_the_ace(book: str) -> None:
    """Whose ladder has begun anew is ahead of whoever stands at its king."""
    over = after(book, "4:K laps=1:0", 0, 150, max_hands=1)
    assert over.levels == ("5", "K")
    assert over.result is not None
    assert over.result.match == 0


@pytest.mark.parametrize("book", ["r11_two_deck_kitty_4", "r19_three_deck_swiss"])
def test_one_hand_more(book: str) -> None:
    """After the warning the hand is finished and one more is played."""
    assert after(book, "5:6", 0, 60, max_hands=1).phase != "over"


@pytest.mark.parametrize(
    "book", ["r03_four_deck_3_to_7", "r04_three_deck_3_to_K", "r14_four_deck_two_hours"]
)
def test_the_dealers_side_wins_a_tie(book: str) -> None:
    """Here the side that deals the next hand."""
    for dealer in (0, 1):
        levels = ("3:4", "4:3")[dealer]
        points = 60 if book.startswith("r04") else 100
        over = after(book, levels, dealer, points, max_hands=1)
        assert over.levels == ("4", "4")
        assert over.result is not None
        assert over.result.match == dealer


def test_a_tie_is_a_draw_in_r19() -> None:
    for hand, over in ((0, False), (1, True)):
        game = arena.game("tuolaji/r19_three_deck_swiss", unit="match", max_hands=1)
        state = game.new_state(
            setup=f"phase=play levels=3:4 dealer=0 trump=S points=60 hand={hand} hands=BJ/D3/D4/D6"
        )
        for seat, card in enumerate(("BJ", "D3", "D4", "D6")):
            state.apply(seat, f"play {card}")
        outcome = state.outcome()
        assert (outcome is not None) == over
        if outcome:
            assert outcome.scores == (0.5,) * 4


@pytest.mark.parametrize(
    ("plays", "total"),
    [
        # 25 points: by the dealer's side, with a single, with a pair, with a bomb of five
        (["HAA", "HKK", "D35", "D34", "D46", "D89"], 110),
        (["H3", "HK", "D5", "D4", "D10", "D3"], 110 + 25),
        (["H33", "HKK", "D53", "D34", "D46", "D89"], 110 + 2 * 25),
        (["H33333", "HKKKKK", "D34689", "D34689", "D34689", "D34689"], 110 + 5 * 50),
    ],
)
def test_r15_captures_on_the_hands(plays: list[str], total: int) -> None:
    assert ended("r15_six_deck", plays, "points=110").points == total


def test_a_target_passed_in_the_last_hand_is_passed() -> None:
    game = arena.game("tuolaji/r10_qq_two_deck", unit="match", max_hands=1)
    for level, points, ending in (("A", 40, "target_passed"), ("5", 40, "hand_limit")):
        state = game.new_state(
            setup=f"phase=play levels={level}:3 dealer=0 trump=S points={points} hands=BJ/D3/D4/D6"
        )
        for seat, card in enumerate(("BJ", "D3", "D4", "D6")):
            state.apply(seat, f"play {card}")
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.termination.name == ending
        again = game.new_state(setup=state.setup()).outcome()
        assert again is not None
        assert again.termination.name == ending
