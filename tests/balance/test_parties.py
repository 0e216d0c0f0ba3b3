"""Who wins together, the family's own numbers, and what replaying a deal gains."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.balance import Balance, balance
from arena.balance.effects import effects
from arena.ledger import CellRow, GameResult
from tests.ledger.samples import cell, result
from tests.ratings.tables import table_from, through_ledger

ROLES = ("dealer", "attacker", "partner", "attacker")
HAND = "tuolaji/two_deck_open"


def hand(at: CellRow, block: int, dealer: int, won: bool, permutation: int = 0) -> GameResult:
    """A hand that the dealer's side won or lost."""
    scores = [float((seat - dealer) % 2 == 0) for seat in range(4)]
    if not won:
        scores = [1 - score for score in scores]
    roles = [ROLES[(seat - dealer) % 4] for seat in range(4)]
    made = result(at, block, permutation, scores, roles=roles)
    levels = 1.0 if won else -float(block % 2)
    return replace(
        made,
        sides=(0, 1, 0, 1),
        measures=(
            ("attackers_points", 40.0 if won else 80.0 + block % 3),
            ("dealer_levels", levels),
        ),
    )


def selfplay(
    blocks: int, share: float, rulebook: str = HAND, index: int = 0
) -> tuple[CellRow, list[GameResult]]:
    at = cell(index, ("g@1",) * 4, blocks=blocks, rulebook=rulebook)
    return at, [hand(at, b, b % 4, b < share * blocks) for b in range(blocks)]


def test_partners_share_a_first_place_whole() -> None:
    at, results = selfplay(200, 0.5)
    (found,) = balance(table_from([at], results))
    assert found.even_wins == 0.5
    assert sum(seat.wins.value for seat in found.by_seat) == pytest.approx(2)
    wins = {role.role: role.wins.value for role in found.by_role}
    assert wins == pytest.approx({"dealer": 0.5, "partner": 0.5, "attacker": 0.5})


def test_the_verdict_is_about_the_dealers_side_though_seats_are_even() -> None:
    """The dealership goes round: every seat scores alike, and the dealer's side 70 %."""
    at = cell(0, ("g@1",) * 4, blocks=400, rulebook=HAND)
    results = [hand(at, b, b % 4, (b // 4) % 10 < 7) for b in range(400)]
    (found,) = balance(table_from([at], results))
    assert [seat.score.value for seat in found.by_seat] == pytest.approx([0.5] * 4)
    assert [party.roles for party in found.by_party] == [("attacker",), ("dealer", "partner")]
    assert [party.score.value for party in found.by_party] == pytest.approx([0.3, 0.7])
    assert found.verdict.balance is Balance.FAVOURS
    assert (found.verdict.seat, found.verdict.party) == (None, ("dealer", "partner"))
    assert found.p_value < 1e-9


def test_an_even_game_of_sides_is_balanced() -> None:
    at = cell(0, ("g@1",) * 4, blocks=2000, rulebook=HAND)
    results = [hand(at, b, b % 4, (b // 4) % 2 == 0) for b in range(2000)]
    (found,) = balance(table_from([at], results))
    assert found.verdict.balance is Balance.BALANCED and found.verdict.party is None


def test_one_against_two() -> None:
    """Scores of a landlord who wins 3 of 4; hands that nobody called have no parties."""
    at = cell(0, ("g@1",) * 3, blocks=100, rulebook="doudizhu/x")
    results = []
    for b in range(80):
        lord = b % 3
        won = b % 4 != 0
        scores = [float((seat == lord) == won) for seat in range(3)]
        roles = ["landlord" if seat == lord else "peasant" for seat in range(3)]
        made = result(at, b, 0, scores, roles=roles)
        results.append(replace(made, sides=tuple(int(seat != lord) for seat in range(3))))
    for b in range(80, 100):
        results.append(result(at, b, 0, (0.5, 0.5, 0.5), roles=["player"] * 3))
    (found,) = balance(table_from([at], results))
    lord_side, peasants = found.by_party
    assert (lord_side.roles, lord_side.games) == (("landlord",), 80)
    assert lord_side.score.value == 0.75 and peasants.score.value == 0.25
    assert found.verdict.party == ("landlord",)


def test_sides_without_telling_roles() -> None:
    at = cell(0, ("g@1",) * 4, blocks=20, rulebook="x/y")
    results = [
        replace(
            result(at, b, 0, (1, 0, 1, 0) if b < 15 else (0, 1, 0, 1), roles=["p"] * 4),
            sides=(0, 1, 0, 1),
        )
        for b in range(20)
    ]
    (found,) = balance(table_from([at], results))
    assert [party.roles for party in found.by_party] == [("side 0",), ("side 1",)]
    assert found.by_party[0].score.value == 0.75


def test_seats_that_play_for_themselves_have_no_parties() -> None:
    at = cell(0, ("g@1",) * 4, blocks=4, rulebook="chinese_checkers/four")
    results = [result(at, b, 0, (1, 2 / 3, 1 / 3, 0)) for b in range(4)]
    (found,) = balance(table_from([at], results))
    assert found.by_party == () and found.even_wins == 0.25
    assert found.verdict.party is None


def test_measures_by_hand_in_the_familys_order() -> None:
    at = cell(0, ("g@1",) * 4, blocks=40, rulebook=HAND)
    results = [hand(at, b, 0, b % 4 != 0) for b in range(40)]
    results[7] = replace(results[7], measures=(("dealer_levels", 1.0), ("odd", 3.0)))
    (found,) = balance(through_ledger([at], results))
    assert [each.name for each in found.measures] == ["attackers_points", "dealer_levels", "odd"]
    points, levels, odd = found.measures
    values = [
        dict(r.measures)["attackers_points"]
        for r in results
        if len(r.measures) == 2 and dict(r.measures).get("attackers_points") is not None
    ]
    assert points.games == 39 and points.mean.value == pytest.approx(np.mean(values))
    assert points.mean.low < points.mean.value < points.mean.high
    assert points.quantiles[2] == 40
    assert points.deviation == pytest.approx(np.std(values, ddof=1))
    assert levels.mean.low < levels.mean.value < levels.mean.high
    assert odd.games == 1 and odd.mean.low < odd.mean.high


def test_a_measure_that_never_varies_still_has_an_interval() -> None:
    at = cell(0, ("g@1",) * 4, blocks=30, rulebook=HAND)
    results = [replace(hand(at, b, 0, True), measures=(("bombs", 0.0),)) for b in range(30)]
    (found,) = balance(through_ledger([at], results))
    (bombs,) = found.measures
    assert bombs.mean.value == 0 == bombs.mean.low and bombs.mean.high > 0.05


def paired_cell(blocks: int) -> CellRow:
    seatings = [("a@1", "b@1", "a@1", "b@1"), ("b@1", "a@1", "b@1", "a@1")]
    return cell(0, ("a@1", "b@1", "a@1", "b@1"), seatings=seatings, blocks=blocks, rulebook=HAND)


def test_what_pairing_gains() -> None:
    """Where the deal decides alone every pair is split: no block varies, single games do."""
    at = paired_cell(60)
    rng = np.random.default_rng(4)
    lucky = rng.integers(0, 2, 60)
    decided = [hand(at, b, 0, bool(lucky[b]), p) for b in range(60) for p in (0, 1)]
    (found,) = balance(table_from([at], decided))
    assert found.pairing is not None
    assert found.pairing.paired == 0 and found.pairing.unpaired == pytest.approx(0.125, rel=0.1)
    assert found.pairing.gain.value == np.inf


def test_where_every_block_goes_alike_there_is_no_pairing_to_judge() -> None:
    at = paired_cell(30)
    results = [hand(at, b, 0, True, p) for b in range(30) for p in (0, 1)]
    (found,) = balance(table_from([at], results))
    assert found.pairing is None


def test_pairing_gains_nothing_where_games_are_independent() -> None:
    at = paired_cell(400)
    held = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        games = [hand(at, b, 0, bool(rng.integers(2)), p) for b in range(400) for p in (0, 1)]
        (found,) = balance(table_from([at], games))
        assert found.pairing is not None
        gain = found.pairing.gain
        assert 0.7 < gain.value < 1.4
        held += gain.low <= 1 <= gain.high
    assert held >= 16


def test_selfplay_has_no_pairing() -> None:
    at, results = selfplay(10, 0.5)
    (found,) = balance(table_from([at], results))
    assert found.pairing is None


def grid() -> tuple[list[CellRow], list[GameResult]]:
    cells, results = [], []
    for index, (decks, share) in enumerate(((1, 0.5), (2, 0.7))):
        at = replace(
            cell(index, ("g@1",) * 4, blocks=300, rulebook=f"tuolaji/d{decks}"),
            settings={"decks": decks},
        )
        cells.append(at)
        results += [hand(at, b, b % 4, (b * 7919 % 100) < 100 * share) for b in range(300)]
    return cells, results


def test_effects_of_a_setting_on_a_side_and_on_a_measure() -> None:
    table = through_ledger(*grid())
    (default,) = effects(table)
    assert default.of == "attacker"
    (by_role,) = effects(table, role="dealer")
    assert by_role.of == "dealer + partner" and by_role.even == 0.5
    (effect,) = by_role.effects
    assert (effect.setting, effect.value, effect.against) == ("decks", "2", "1")
    assert effect.effect.value == pytest.approx(0.2, abs=1e-9) and effect.p_value < 0.001
    (levels,) = effects(table, measure="dealer_levels")
    assert levels.even == 0 and len(levels.closest) == 2
    (points,) = effects(table, measure="attackers_points")
    assert points.effects[0].effect.value < -5 and points.closest == ()
    (seat,) = effects(table, seat=0)
    assert seat.of == "seat 0" and abs(seat.effects[0].effect.value) < 0.1
    for wrong in ({"seat": 4}, {"role": "king"}, {"measure": "nothing"}):
        with pytest.raises(ValueError, match=str(next(iter(wrong.values())))):
            effects(table, **wrong)
