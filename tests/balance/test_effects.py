"""Effects of settings: found where they are, with intervals that hold, and not elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from arena.balance.effects import EffectTable, effects
from arena.balance.search import Reach
from arena.games import family
from arena.ledger import CellRow, GameTable
from tests.ledger.samples import cell
from tests.ratings.tables import duel_results, table_from

GRID: Mapping[str, list[int]] = {
    "long_jumps": [False, True],
    "size": [9, 13, 15],
    "claims": [False, True],
}


def grid_cells(blocks: int, grid: Mapping[str, list[int]] = GRID) -> list[CellRow]:
    return [
        replace(
            cell(i, ("a@1", "a@1"), blocks=blocks, rulebook=f"gomoku/v{i}"),
            settings=dict(zip(grid, values, strict=True)) | {"fixed": 3},
        )
        for i, values in enumerate(product(*grid.values()))
    ]


def sweep(
    seed: int, blocks: int, share: Callable[[Mapping[str, object]], float]
) -> tuple[GameTable, EffectTable]:
    rng = np.random.default_rng(seed)
    cells = grid_cells(blocks)
    results = []
    for each in cells:
        won = rng.random(blocks) < share(each.settings)
        results += duel_results(each, [(float(w),) for w in won])
    table = table_from(cells, results)
    (found,) = effects(table)
    return table, found


def test_effects_are_found_with_their_sign_and_size() -> None:
    _, found = sweep(
        1, 900, lambda s: 0.5 + 0.10 * bool(s["long_jumps"]) - 0.06 * (s["size"] == 15)
    )
    by_name = {(e.setting, e.value): e for e in found.effects}
    assert set(by_name) == {
        ("long_jumps", "true"),
        ("size", "13"),
        ("size", "15"),
        ("claims", "true"),
    }
    jumps = by_name["long_jumps", "true"]
    assert (jumps.against, jumps.where) == ("false", "")
    assert jumps.effect.low < 0.10 < jumps.effect.high and jumps.p_value < 0.001
    assert jumps.effect.high - jumps.effect.low < 0.05
    large = by_name["size", "15"]
    assert large.against == "9" and large.effect.low < -0.06 < large.effect.high < 0
    for name in (("size", "13"), ("claims", "true")):
        assert by_name[name].p_value > 0.05
    assert (found.cells, found.blocks, found.of, found.additive > 0.05) == (
        12,
        10_800,
        "seat 0",
        True,
    )


def test_least_squares_by_hand() -> None:
    """Two settings, all four cells: an effect is the mean of two differences."""
    cells = grid_cells(40, {"one": [0, 1], "two": [0, 1]})
    wins = [20, 30, 24, 38]
    results = [
        r
        for c, n in zip(cells, wins, strict=True)
        for r in duel_results(c, [(1.0,)] * n + [(0.0,)] * (40 - n))
    ]
    (found,) = effects(table_from(cells, results))
    one, two = found.effects
    assert one.effect.value == pytest.approx(((24 - 20) + (38 - 30)) / 80)
    assert two.effect.value == pytest.approx(((30 - 20) + (38 - 24)) / 80)
    spread = sum((n / 40) * (1 - n / 40) / 39 for n in wins)
    half = 1.9753 * math.sqrt(spread / 4)  # t with 156 degrees of freedom
    assert one.effect.high - one.effect.value == pytest.approx(half, rel=1e-4)


def test_settings_that_matter_together_are_shown_so() -> None:
    """Long jumps help the first seat on the small board only."""
    _, found = sweep(2, 900, lambda s: 0.5 + 0.2 * (bool(s["long_jumps"]) and s["size"] == 9))
    assert found.additive < 0.01
    conditional = {(e.setting, e.where): e for e in found.effects if e.where}
    there = conditional["long_jumps", "size = 9"].effect
    assert there.low < 0.2 < there.high
    assert ("long_jumps", "size = 13") not in conditional
    assert any("matter together" in note.en for note in found.notes)
    # Nothing is then proposed that was not played.
    assert all(p.played for p in found.closest)


def test_the_proposal_is_closest_to_balance() -> None:
    _, found = sweep(3, 900, lambda s: 0.6 - 0.1 * (s["size"] == 13))
    best = found.closest[0]
    assert dict(best.settings)["size"] == "13" and best.played
    assert best.score.low < 0.5 < best.score.high


def test_a_number_between_those_met_is_proposed() -> None:
    """The advantage falls with the size: even lies between 13 and 15, which nobody played."""
    _, found = sweep(4, 900, lambda s: 0.5 + 0.035 * (14 - float(str(s["size"]))))
    best = found.search[0]
    assert dict(best.settings)["size"] == "14" and best.reach is Reach.BETWEEN
    assert best.score.low < 0.5 < best.score.high and not best.played
    assert best.score.high - best.score.low < 0.1
    assert all(not p.played for p in found.search)


def test_beyond_the_values_met_the_interval_holds_that_the_trend_ends() -> None:
    """Even at 17: expected there, and marked; but nobody knows, so the interval reaches to 15."""
    _, found = sweep(5, 900, lambda s: 0.5 + 0.03 * (17 - float(str(s["size"]))))
    beyond = [p for p in found.search if p.reach is Reach.BEYOND]
    assert beyond and beyond[0] == found.search[0]
    score = beyond[0].score
    assert dict(beyond[0].settings)["size"] in {"16", "17", "18"}
    assert abs(score.value - 0.5) < 0.04
    # At 15, the last size met, the first seat has 56 %.
    assert score.high > 0.56 and score.low < 0.53


def test_no_line_is_laid_through_numbers_that_do_not_lie_on_one() -> None:
    _, found = sweep(6, 900, lambda s: 0.5 + 0.1 * (s["size"] == 13))
    assert all(p.reach in (Reach.PLAYED, Reach.COMBINED) for p in (*found.search, *found.closest))


def test_only_rules_that_exist_are_proposed() -> None:
    """Real rules: a board of 15 has no size of its own, so that what they refuse is left out."""
    base = family("gomoku").rulebooks["freestyle15"].rules.settings()
    cells = [
        replace(each, settings=base | {"size": size})
        for each, size in zip(grid_cells(600, {"x": [0, 1, 2]}), (15, 17, 19), strict=True)
    ]
    rng = np.random.default_rng(7)
    chance = {15: 0.58, 17: 0.56, 19: 0.54}
    results = [
        r
        for c in cells
        for r in duel_results(
            c, [(float(w),) for w in rng.random(600) < chance[int(str(c.settings["size"]))]]
        )
    ]
    (found,) = effects(table_from(cells, results))
    assert found.search
    for proposal in found.search:
        family("gomoku").rules.model_validate(
            base | {k: int(v) for k, v in proposal.settings}, strict=False
        )


def test_settings_that_only_change_together_share_one_effect() -> None:
    cells = [
        replace(each, settings={"a": i // 2, "b": 10 + i // 2, "c": i % 2})
        for i, each in enumerate(grid_cells(30, {"x": [0, 1], "y": [0, 1]}))
    ]
    results = [r for c in cells for r in duel_results(c, [(1.0,), (0.0,)] * 15)]
    (found,) = effects(table_from(cells, results))
    assert [(e.setting, e.value, e.against) for e in found.effects] == [
        ("a + b", "1 + 11", "0 + 10"),
        ("c", "1", "0"),
    ]


def test_what_cannot_be_told_apart_is_said() -> None:
    """Three cells, three settings of which two always differ: one cell is missing."""
    chosen = [(0, 0, 0), (1, 0, 1), (0, 1, 1)]
    cells = [
        replace(each, settings=dict(zip("abc", values, strict=True)))
        for each, values in zip(grid_cells(30, {"x": [0, 1, 2]}), chosen, strict=True)
    ]
    results = [r for c in cells for r in duel_results(c, [(1.0,), (0.0,)] * 15)]
    (found,) = effects(table_from(cells, results))
    assert found.effects == () and "cannot be told apart" in found.notes[0].en
    assert math.isnan(found.additive)


def test_equal_blocks_are_no_certainty() -> None:
    cells = grid_cells(20, {"x": [0, 1]})
    results = [r for c in cells for r in duel_results(c, [(0.5,)] * 20)]
    (found,) = effects(table_from(cells, results))
    (effect,) = found.effects
    assert effect.effect.high - effect.effect.low > 0.15 and effect.p_value == pytest.approx(1)


def test_no_effect_is_seldom_found() -> None:
    """Four effects a sweep that are none: Holm keeps any false one under 5 %."""
    rounds = 60
    wrong = sum(
        any(e.p_value <= 0.05 for e in sweep(100 + seed, 60, lambda s: 0.55)[1].effects)
        for seed in range(rounds)
    )
    assert wrong <= 8


def test_nothing_varies() -> None:
    one = cell(0, ("a@1", "a@1"), blocks=4)
    table = table_from([one], duel_results(one, [(1.0,)] * 4))
    assert effects(table) == []
    with pytest.raises(ValueError, match="seat 5: the largest table here has seats 0 to 1"):
        effects(table, seat=5)
