"""How armies are placed: what a line-up may be, who sees it, who draws it."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import arena
from arena._core import IllegalReason, Rng
from tests.games.siguo.boards import FOUR, LAYOUT, OTHER, at, seen

ARMY = Counter({"F": 1, "1": 3, "2": 3, "3": 3, "4": 2, "5": 2, "6": 2, "7": 2, "8": 1, "9": 1})
ARMY.update({"M": 3, "B": 2})


def test_all_seats_place_at_once_and_unseen() -> None:
    game = arena.game("siguo/doc001")
    state = game.new_state(1)
    assert state.seats_to_act() == {0, 1, 2, 3}
    events = state.apply(2, f"layout {LAYOUT}")
    assert state.seats_to_act() == {0, 1, 3}
    (event,) = events
    assert event.seen_by(2) == f"layout {LAYOUT}"
    assert {event.seen_by(viewer) for viewer in (-1, 0, 1, 3)} == {"placed"}
    assert seen(state, 2).layout == LAYOUT
    for viewer in (-1, 0, 1, 3):
        assert seen(state, viewer).layout is None
        assert [view.placed for view in seen(state, viewer).seats] == [False, False, True, False]
        assert not seen(state, viewer).units
    for seat in (0, 1, 3):
        state.apply(seat, f"layout {OTHER}")
    assert state.seats_to_act() == {0}
    assert len(seen(state).units) == 100
    assert [at(state, "S11", 0).ranks, at(state, "N11", 2).ranks] == ["7", "3"]


def test_an_army_and_its_places() -> None:
    """The 25 points that are no camps hold the army; that is J7 and J8."""
    state = arena.game("siguo/bright", layout_source="random").new_state(3)
    for seat, home in enumerate("SENW"):
        units = [unit for unit in seen(state).units if unit.seat == seat]
        assert Counter(unit.ranks for unit in units) == ARMY
        camps = {f"{home}{p}" for p in ("22", "24", "33", "42", "44")}
        every = {f"{home}{row}{col}" for row in range(1, 7) for col in range(1, 6)}
        assert {unit.at for unit in units} == every - camps


@pytest.mark.parametrize(
    ("layout", "reason", "detail"),
    [
        ("3B254/6.8.2/51.13/7.9.6/471B3/MFM2M", IllegalReason.outside_zone, "B12"),
        ("37254/6.8.2/51.13/M.9.6/4B1B3/7FM2M", IllegalReason.outside_zone, "M41"),
        ("37254/6.8.2/51.13/7.9.6/4B1B3/MMF2M", IllegalReason.outside_zone, "F63"),
        ("37254/6.8.2/51.13/7.9.6/4B1B3/MFM2F", IllegalReason.wrong_count, "F=1"),
        ("37254/6.8.2/51.13/7.9.6/4B1M3/MFM2M", IllegalReason.wrong_count, "M=3"),
        ("37254/628.2/5..13/7.9.6/4B1B3/MFM2M", IllegalReason.syntax, ""),
        ("37254/6.8.2/51.13/7.9.6/4B1B3/MFM2", IllegalReason.syntax, ""),
        ("37254/6.8.2/51.13/7.9.6/4B1B3/MFM2X", IllegalReason.syntax, ""),
    ],
)
def test_line_ups_that_are_refused(layout: str, reason: IllegalReason, detail: str) -> None:
    """J9 and J32: a bomb in front, a mine in row 4, the flag beside, a camp filled, 4 mines."""
    state = arena.game("siguo/doc001").new_state(1)
    refusal = state.check(0, f"layout {layout}")
    assert refusal is not None
    assert refusal.reason == reason
    if detail:
        assert refusal.detail == detail
        assert layout in refusal.message


def test_moves_and_line_ups_belong_to_their_phases() -> None:
    game = arena.game("siguo/doc001")
    state = game.new_state(1)
    for text in ("S11-S21", "timeout"):
        refusal = state.check(0, text)
        assert refusal is not None
        assert refusal.reason == IllegalReason.wrong_phase
    state = game.new_state(setup=FOUR)
    refusal = state.check(0, f"layout {LAYOUT}")
    assert refusal is not None
    assert refusal.reason == IllegalReason.wrong_phase


def test_what_is_wanted_of_a_seat() -> None:
    state = arena.game("siguo/duel129").new_state(1)
    wanted = json.loads(state.requirements(1))
    assert (wanted["must"], wanted["home"]) == ("layout", "N")
    assert Counter(wanted["ranks"]) == ARMY
    state.apply(1, f"layout {LAYOUT}")
    assert state.requirements(1) == "null"
    state.apply(0, f"layout {LAYOUT}")
    assert state.requirements(0) == "null"


def test_who_places() -> None:
    book = arena.game("siguo/doc001", layout_source="book")
    drawn = arena.game("siguo/doc001", layout_source="random")
    offered = {str(m)[7:] for m in arena.game("siguo/doc001").new_state(1).moves(0)}
    for game, from_book in ((book, True), (drawn, False)):
        texts = set()
        for seed in range(6):
            state = game.new_state(seed)
            assert state.seats_to_act() == {0}
            for home in "SENW":
                words = dict(word.split("=", 1) for word in state.setup().split())
                ranks = [unit[0] for unit in words[home].split(",")]
                texts.add("".join(ranks))
        plain = {layout.replace("/", "").replace(".", "") for layout in offered}
        assert (texts <= plain) is from_book
        assert len(texts) > 6
    assert len(offered) == 24


def test_random_line_ups_are_spread_evenly() -> None:
    """Flag in either headquarters alike; a mine on each of the nine points left, 3 in 9."""
    state, rng = arena.game("siguo/doc001").new_state(1), Rng(4)
    flags: Counter[int] = Counter()
    mines: Counter[int] = Counter()
    bombs: Counter[int] = Counter()
    count = 3000
    for _ in range(count):
        text = str(state.sample_move(0, rng))[7:].replace("/", "")
        flags[text.index("F")] += 1
        mines.update(i for i, letter in enumerate(text) if letter == "M")
        bombs.update(i for i, letter in enumerate(text) if letter == "B")
    assert set(flags) == {26, 28}
    assert abs(flags[26] / count - 1 / 2) < 0.04
    assert set(mines) == set(range(20, 30))
    assert abs(mines[20] / count - 1 / 3) < 0.04
    assert abs(mines[26] / count - 1 / 6) < 0.04
    # Two bombs on sixteen of the twenty points behind the front.
    assert not set(bombs) & set(range(5))
    assert abs(bombs[5] / count - 1 / 8) < 0.03
