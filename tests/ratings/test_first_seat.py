"""What moving first is worth: one number for a rulebook, one for each strength, or both."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize

from arena.ledger import CellRow, GameResult, GameTable
from arena.ratings import DrawLaw, FirstSeatTerms, Leaderboard, leaderboard
from arena.ratings.counts import count
from arena.ratings.design import Layout
from arena.ratings.fitting import fit
from arena.ratings.simulation import simulate
from tests.ledger.samples import cell, result
from tests.ratings.tables import duel_results, simulated_duel, table_from

POOLED, STRENGTH, BOTH = FirstSeatTerms
WORTH = {"weak@1": -150.0, "middle@1": 0.0, "strong@1": 150.0}
NAMES = tuple(WORTH)

FIRST = {
    ("weak@1", "weak@1"): 0.0,
    ("middle@1", "middle@1"): 80.0,
    ("strong@1", "strong@1"): 160.0,
    ("weak@1", "middle@1"): 40.0,
    ("weak@1", "strong@1"): 60.0,
    ("middle@1", "strong@1"): 120.0,
}
"""Elo of moving first by who plays: the stronger, the more."""


def league(
    seed: int, first: dict[tuple[str, str], float], blocks: int = 600, opening: float = 0.0
) -> GameTable:
    rng = np.random.default_rng(seed)
    cells: list[CellRow] = []
    results: list[GameResult] = []
    for i, (lineup, worth) in enumerate(first.items()):
        own = cell(i, lineup, blocks=blocks)
        cells.append(own)
        results += simulated_duel(rng, own, WORTH, first=worth, nu=0.5, opening=opening)
    return table_from(cells, results)


def board(table: GameTable, terms: FirstSeatTerms, law: DrawLaw = DrawLaw.DAVIDSON) -> Leaderboard:
    return leaderboard(table, "gomoku", law=law, first_seat=terms)


def level(lineup: tuple[str, str]) -> str:
    return lineup[0] if lineup[0] == lineup[1] else " vs ".join(lineup)


def test_a_strength_is_what_the_tables_of_balance_call_one() -> None:
    table = league(1, FIRST, 4)
    levels = [part.cell.level for part in table.by_cell()]
    found = board(table, STRENGTH)
    assert [(row.rulebook, row.level) for row in found.first_seat] == [
        ("gomoku/doc001", name) for name in levels
    ]
    assert [row.games for row in found.first_seat] == [4, 4, 4, 8, 8, 8]
    assert [row.level for row in board(table, BOTH).first_seat] == ["", *levels]
    (row,) = board(table, POOLED).first_seat
    assert (row.level, row.games) == ("", 36)
    assert board(table, POOLED).between is None


@pytest.mark.parametrize("terms", [STRENGTH, BOTH])
def test_known_worths_are_found_at_each_strength(terms: FirstSeatTerms) -> None:
    found = board(league(2, FIRST), terms)
    rows = {row.level: row.advantage for row in found.first_seat}
    for lineup, worth in FIRST.items():
        own = rows[level(lineup)]
        assert own.low < worth * found.scale < own.high, lineup
        assert own.high - own.low < 75, lineup
    for entry in found.entries:
        assert entry.low < WORTH[entry.engine] * found.scale < entry.high
    assert found.between is not None and found.between.p_value < 1e-6
    true = found.scale * float(np.std(list(FIRST.values()), ddof=1))
    assert 20 < found.between.spread.low < true < found.between.spread.high < 150


def test_pooling_is_wrong_where_the_worth_depends_on_strength() -> None:
    """One number is that of no strength, and where engines do not sit in every seat as often it spoils ratings."""
    table = league(3, FIRST)
    (row,) = board(table, POOLED).first_seat
    scale = board(table, POOLED).scale
    inside = [row.advantage.low < worth * scale < row.advantage.high for worth in FIRST.values()]
    assert sum(inside) <= 2
    # The strong one moved first in three games of four. What that was worth, the pooled number takes from
    # games of the strong among themselves, and the rest of it is missing in the lead.
    rng = np.random.default_rng(4)
    alone = [cell(0, ("strong@1",) * 2, blocks=2000), cell(1, ("weak@1",) * 2, blocks=2000)]
    met = [
        cell(2, ("weak@1", "strong@1"), seatings=[("strong@1", "weak@1")], blocks=3000),
        cell(3, ("strong@1", "weak@1"), seatings=[("weak@1", "strong@1")], blocks=1000),
    ]
    results = [
        r
        for own, worth in zip((*alone, *met), (250, 250, 0, 0), strict=True)
        for r in simulated_duel(rng, own, WORTH, first=worth, nu=0.5)
    ]
    for terms, held in ((STRENGTH, True), (POOLED, False)):
        found = board(table_from([*alone, *met], results), terms)
        lead = found.difference("strong@1", "weak@1")
        assert (lead.low < 300 * found.scale < lead.high) is held


def test_strengths_that_are_alike_say_so() -> None:
    """One worth for all: no spread, p not small, and both terms say what the pooled one says."""
    table = league(5, dict.fromkeys(FIRST, 60.0))
    found = {terms: board(table, terms) for terms in FirstSeatTerms}
    both = found[BOTH]
    assert both.between is not None and both.between.p_value > 0.1
    assert both.between.spread.low < 2 and both.between.spread.value < 15
    (pooled,) = found[POOLED].first_seat
    rows = {row.level: row.advantage for row in both.first_seat}
    assert rows[""].value == pytest.approx(pooled.advantage.value, abs=4)
    apart = {row.level: row.advantage for row in found[STRENGTH].first_seat}
    for lineup in FIRST:
        own, alone = rows[level(lineup)], apart[level(lineup)]
        # Drawn towards what all have in common, and surer for it.
        assert abs(own.value - rows[""].value) <= abs(alone.value - rows[""].value) + 0.1
        assert own.high - own.low < alone.high - alone.low


def test_a_strength_of_few_games_leans_on_its_rulebook() -> None:
    rng = np.random.default_rng(6)
    results: list[GameResult] = []
    cells: list[CellRow] = []
    for i, (lineup, worth) in enumerate(FIRST.items()):
        cells.append(cell(i, lineup, blocks=8 if i == 0 else 800))
        results += simulated_duel(rng, cells[-1], WORTH, first=worth + 40, nu=0.5)
    table = table_from(cells, results)
    alone = {row.level: row.advantage for row in board(table, STRENGTH).first_seat}
    leaning = {row.level: row.advantage for row in board(table, BOTH).first_seat}
    few, many = level(("weak@1", "weak@1")), level(("strong@1", "strong@1"))
    middle = leaning[""].value
    assert abs(leaning[few].value - middle) < 0.8 * abs(alone[few].value - middle)
    assert leaning[many].value == pytest.approx(alone[many].value, abs=6)
    assert leaning[few].high - leaning[few].low < 0.8 * (alone[few].high - alone[few].low)


def test_the_maximum_of_likelihood_and_ties() -> None:
    """The fit of both terms, against a general maximiser of the posterior written out."""
    lineups = [("a@1", "a@1"), ("b@1", "b@1"), ("a@1", "b@1")]
    rng = np.random.default_rng(7)
    cells = [cell(i, lineup, blocks=40) for i, lineup in enumerate(lineups)]
    results = [
        r
        for i, own in enumerate(cells)
        for r in simulated_duel(rng, own, {"a@1": 50, "b@1": 0}, first=(150, 0, 60)[i], nu=0.4)
    ]
    counts = [count(part) for part in table_from(cells, results).by_cell()]
    found = fit(counts, terms=BOTH)
    assert found.levels is not None and found.levels.freedom == 2
    layout = found.layout
    # a, b; of the rulebook and of three strengths two seats each; the draws.
    assert (layout.size, layout.draw_at, layout.seat_at) == (11, 10, (2, 4, 6, 8))
    variance = found.levels.variance / 2  # of each of two seats
    assert variance > 0.01

    def loss(x: np.ndarray) -> float:
        total = 0.0
        for i, own in enumerate(counts):
            seat = 4 + 2 * i
            for k, ((one, other), (a, b)) in enumerate(zip(own.engines, own.pairs, strict=True)):
                lead = x["ab".index(one[0])] + x[seat + a] - x["ab".index(other[0])] - x[seat + b]
                logs = DrawLaw.DAVIDSON.log_chances(np.array([lead]), x[10:])[:, 0]
                total += logs @ np.array([own.wins[k], own.draws[k], own.losses[k]])
            total -= ((x[seat : seat + 2] - x[2:4]) ** 2).sum() / (2 * variance)
        for v in [*x[:4], x[10] - math.log(2)]:
            total -= (np.logaddexp(0, v) + np.logaddexp(0, -v)) / 2
        return -float(total)

    peak = minimize(loss, np.zeros(11), method="BFGS", options={"gtol": 1e-7}).x
    assert found.x == pytest.approx(peak, abs=1e-3)
    assert found.first == pytest.approx(
        [peak[2 + 2 * i] - peak[3 + 2 * i] for i in range(4)], abs=1e-3
    )


def test_intervals_and_p_value_hold_over_many_leagues() -> None:
    """Of one worth for all, small p-values are as rare as they say, though openings tie the errors together;
    rows of strengths that lean on each other cover theirs, and so does that of the rulebook what they scatter around."""
    rounds, false, spread, middle, rows, widths = 60, 0, 0, 0, 0, np.zeros(2)
    for seed in range(rounds):
        between = board(league(seed, dict.fromkeys(FIRST, 50.0), 40, opening=150), STRENGTH).between
        assert between is not None
        false += between.p_value < 0.1
        rng = np.random.default_rng([8, seed])
        worths = dict(zip(FIRST, rng.normal(50, 60, 6).tolist(), strict=True))
        table = league(1000 + seed, worths, 60)
        found, alone = board(table, BOTH), board(table, STRENGTH)
        assert found.between is not None
        spread += found.between.spread.low < 60 * found.scale < found.between.spread.high
        first, *levels = (row.advantage for row in found.first_seat)
        middle += first.low < 50 * found.scale < first.high
        for row, worth, by_itself in zip(levels, worths.values(), alone.first_seat, strict=True):
            rows += row.low < worth * found.scale < row.high
            widths += row.high - row.low, by_itself.advantage.high - by_itself.advantage.low
    assert 0.02 <= false / rounds <= 0.2
    assert spread / rounds >= 0.9 and middle / rounds >= 0.9
    assert 0.92 <= rows / (6 * rounds) <= 0.98
    assert widths[0] < 0.92 * widths[1]


def test_an_event_that_names_two_the_other_way_round() -> None:
    """Two that meet are one strength, whoever is named first."""
    one, other = cell(0, blocks=30), cell(1, ("b@1", "a@1"), blocks=30)
    one = replace(one, seatings=(("a@1", "b@1"),))
    other = replace(other, seatings=(("b@1", "a@1"),))
    games = duel_results(one, [(1,), (0.5,), (1,)] * 10) + duel_results(other, [(1,), (0,)] * 15)
    found = board(table_from([one, other], games), STRENGTH)
    assert [row.level for row in found.first_seat] == ["a@1 vs b@1"]
    assert found.first_seat[0].games == 60
    assert found.entries[0].engine == "a@1"
    assert found.between is None
    assert found.notes[0].en.startswith("no rulebook was met at two strengths")
    assert board(table_from([one, other], games), BOTH).first_seat[0].level == ""


def test_four_seats_have_terms_by_strength_too() -> None:
    """At a table of four partners keep their order: it is what the tables of balance call the strength."""
    lineups = [("a@1",) * 4, ("b@1",) * 4, ("a@1", "b@1", "a@1", "b@1")]
    cells = [
        cell(i, lineup, blocks=30, rulebook="tuolaji/four") for i, lineup in enumerate(lineups)
    ]
    rng = np.random.default_rng(9)
    results = []
    for i, own in enumerate(cells):
        for block in range(30):
            for permutation in range(len(own.seatings)):
                order = rng.permutation(4) if i else np.array([0, *(1 + rng.permutation(3))])
                results.append(result(own, block, permutation, [(3 - float(p)) / 3 for p in order]))
    found = leaderboard(table_from(cells, results), "tuolaji", first_seat=STRENGTH)
    rows = {row.level: row.advantage for row in found.first_seat}
    assert set(rows) == {"a@1", "b@1", "a@1 vs b@1 vs a@1 vs b@1"}
    assert rows["a@1"].low > 100 and abs(rows["b@1"].value) < 100
    layout = Layout.of([count(part) for part in table_from(cells, results).by_cell()], BOTH)
    assert layout.draw_at - len(layout.engines) == 4 * 4
    assert layout.virtual().sum() == 2 + 4 + 1


@pytest.mark.parametrize("law", list(DrawLaw))
@pytest.mark.parametrize("terms", [STRENGTH, BOTH])
def test_errors_by_simulation_are_of_the_same_model(law: DrawLaw, terms: FirstSeatTerms) -> None:
    table = league(10, FIRST, 150)
    found = board(table, terms, law)
    for each in simulate(table, found, 150):
        assert each.error / each.simulated == pytest.approx(1, abs=0.25)
        assert abs(each.bias) < 0.4 * each.error


def test_too_many_terms_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.ratings.design.MOST_TERMS", 5)
    table = league(11, FIRST, 2)
    with pytest.raises(ValueError, match=r"6 rulebooks by strengths, .* at most 5; choose"):
        board(table, BOTH)
    assert board(table, POOLED).first_seat
