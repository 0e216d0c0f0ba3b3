"""Where one engine wins nearly everything, games say nothing of the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from arena.balance import balance
from arena.balance.effects import effects
from arena.balance.room import room_of
from arena.balance.verdict import Balance, Correction
from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings.blocks import share_of
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from

BOTH, FIRST, SECOND, NEITHER = (1, 0), (1, 1), (0, 0), (0, 1)
"""Scores of whoever sits first in the two games of a block: a wins both, first wins, …"""


def duel(kinds: Sequence[tuple[float, float]], index: int = 0) -> tuple[CellRow, list[GameResult]]:
    own = cell(index, blocks=len(kinds), rulebook=f"gomoku/{index}")
    return own, duel_results(own, kinds)


def table_of(*duels: tuple[CellRow, list[GameResult]]) -> GameTable:
    return table_from([own for own, _ in duels], [r for _, results in duels for r in results])


@pytest.mark.parametrize(
    ("kinds", "room"),
    [
        ([BOTH] * 40, 0.0),
        ([NEITHER] * 40, 0.0),
        ([FIRST] * 40, 0.5),
        ([BOTH] * 36 + [FIRST] * 4, 0.05),
        ([NEITHER] * 36 + [SECOND] * 4, 0.05),
        ([(0.5, 0.5)] * 40, 0.5),
        ([BOTH] * 20 + [NEITHER] * 20, 0.5),
    ],
)
def test_the_room_of_two(kinds: Sequence[tuple[float, float]], room: float) -> None:
    (games,) = table_of(duel(kinds)).by_cell()
    assert room_of(games) == pytest.approx(room)


def test_no_seat_scores_outside_the_room() -> None:
    """Of any results, of two seats and of four, by every seat."""
    rng = np.random.default_rng(1)
    lineups = [("a@1", "b@1"), ("a@1", "a@1", "b@1"), ("a@1", "b@1", "c@1", "d@1")]
    for lineup in lineups:
        for strength in (0.0, 1.0, 4.0):
            own = cell(0, lineup, blocks=6, rulebook="chinese_checkers/x")
            results = []
            for block in range(6):
                for p, seating in enumerate(own.seatings):
                    form = [
                        rng.normal() - strength * lineup.index(e) + (1.5 if seat == 0 else 0)
                        for seat, e in enumerate(seating)
                    ]
                    n = len(lineup) - 1
                    results.append(
                        result(own, block, p, [sum(x > y for y in form) / n for x in form])
                    )
            (games,) = table_from([own], results).by_cell()
            lead = np.abs(games.scores.mean(axis=(0, 1)) - 0.5).max()
            assert lead <= room_of(games) + 1e-12


def test_a_clean_sweep_is_no_balance() -> None:
    """Every block gives each seat one half: that is the engines' doing, and no row of the family."""
    even = [FIRST, SECOND] * 300
    alone = balance(table_of(duel(even, 1)))[0].verdict
    swept, lopsided, judged = balance(
        table_of(duel([BOTH] * 60), duel([BOTH] * 92 + [FIRST] * 8, 2), duel(even, 1))
    )
    for each in (swept, lopsided):
        assert each.verdict.balance is Balance.HIDDEN
        assert not each.uneven
        (note,) = each.notes
        assert "no seat could score 5 % off the even share" in note.en
    assert judged.verdict == alone and judged.notes == ()
    assert judged.verdict.balance is Balance.BALANCED
    assert {each.verdict.family for each in (swept, lopsided, judged)} == {1}


def test_what_hides_a_seat_depends_on_the_margin() -> None:
    """Four wins in a hundred leave room for a lead of 4 %: that is over a margin of 3 %."""
    played = table_of(duel([BOTH] * 92 + [FIRST] * 8))
    for correction in Correction:
        (wide,) = balance(played, 0.05, correction)
        (narrow,) = balance(played, 0.03, correction)
        assert wide.verdict.balance is Balance.HIDDEN
        assert narrow.verdict.balance is Balance.FAVOURS and narrow.verdict.seat == 0


def test_self_play_is_judged_however_lopsided_its_seats_are() -> None:
    own = cell(0, ("a@1", "a@1"), blocks=40)
    (found,) = balance(table_from([own], duel_results(own, [(1,)] * 40)))
    assert found.verdict.balance is Balance.FAVOURS and found.verdict.family == 1


def test_without_this_rows_that_say_nothing_hide_what_others_show() -> None:
    """Twenty clean sweeps beside one lean that is shown by itself: it is shown with them, too."""
    rng = np.random.default_rng(3)
    lean = cell(0, ("a@1", "a@1"), blocks=220, rulebook="gomoku/lean")
    results = duel_results(lean, [(float(x),) for x in rng.random(220) < share_of(65)])
    swept = [duel([BOTH] * 30, i) for i in range(1, 21)]
    table = table_from(
        [lean, *(own for own, _ in swept)], results + [r for _, rs in swept for r in rs]
    )
    found = balance(table)[0].verdict
    assert 0.05 / 40 < found.p_favours <= 0.05, "a family of 21 would have lost it"
    assert found.balance is Balance.FAVOURS


def test_landlords_of_whom_one_side_always_wins() -> None:
    """One against two, an engine against another: it wins as landlord and as peasants."""
    own = cell(0, ("a@1", "b@1", "b@1"), blocks=50, rulebook="doudizhu/x")
    results = []
    for block in range(50):
        for p, seating in enumerate(own.seatings):
            lord = seating.index("a@1")
            scores = [float(seat == lord) for seat in range(3)]
            roles = ["landlord" if seat == lord else "peasant" for seat in range(3)]
            made = result(own, block, p, scores, roles=roles)
            sides = tuple(0 if seat == lord else 1 for seat in range(3))
            results.append(replace(made, sides=sides))
    (found,) = balance(table_from([own], results))
    assert found.verdict.balance is Balance.HIDDEN


def test_effects_leave_such_cells_out() -> None:
    rng = np.random.default_rng(4)

    def grid(lineup: tuple[str, str], lead: float, first: int) -> tuple[CellRow, list[GameResult]]:
        own = cell(first, lineup, blocks=100, rulebook=f"gomoku/{first}")
        own = replace(own, settings={"size": (9, 13, 15)[first % 3]})
        worth = {"a@1": lead, "b@1": 0.0}
        return own, simulated_duel(rng, own, worth, first=60, nu=0.1)

    even = [grid(("a@1", "b@1"), 0, i) for i in range(3)]
    some = [grid(("a@1", "b@1"), 3000 if i == 2 else 0, i) for i in range(3)]
    none = [grid(("a@1", "b@1"), 3000, i) for i in range(3)]
    (whole,) = effects(table_of(*even))
    assert whole.cells == 3 and not any("left out" in note.en for note in whole.notes)
    (rest,) = effects(table_of(*some))
    assert rest.cells == 2 and "cells left out: 1 (" in rest.notes[0].en
    (blank,) = effects(table_of(*none))
    assert (blank.cells, blank.effects, blank.closest) == (0, (), ())
    assert "cells left out: 3 (one engine wins so nearly" in blank.notes[0].en
    assert effects(table_of(none[0])) == []
