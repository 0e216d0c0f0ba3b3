"""Control variates: unbiased whatever the numbers say, and what they gain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.balance.control import control, controlled
from arena.balance.deals import FEATURES
from arena.games.registry import game, game_from_rules
from arena.ledger import GameResult
from arena.plan.plan import seed_of
from tests.ledger.samples import SWEEP, cell, result
from tests.ratings.tables import table_from

Floats = NDArray[np.float64]


def deals(rng: np.random.Generator, n: int) -> Floats:
    """Three numbers of a deal, one of them the sum of the others; skewed, not around 0."""
    two = rng.exponential(1, (n, 2))
    return np.concatenate([two, two.sum(axis=1, keepdims=True)], axis=1)


def play(rng: np.random.Generator, numbers: Floats, weight: float) -> Floats:
    """Wins whose chance rises with the first number, bent and bounded."""
    chance = 1 / (1 + np.exp(-weight * (numbers[:, 0] - 1) + 0.3))
    return (rng.random(len(numbers)) < chance).astype(np.float64)


@pytest.mark.parametrize(("weight", "gain"), [(3.0, 1.25), (0.0, 0.9)])
def test_unbiased_and_covering(weight: float, gain: float) -> None:
    """Of 400 sweeps of 60 blocks the mean is the truth, though each fit is rough."""
    rng = np.random.default_rng([1, int(weight)])
    truth = float(play(rng, deals(rng, 400_000), weight).mean())
    fresh = deals(rng, 5000)
    means, plain, held, gains = [], [], 0, []
    for _ in range(400):
        numbers = deals(rng, 60)
        values = play(rng, numbers, weight)
        mean, found = control(values, numbers, fresh)
        means.append(mean.value)
        plain.append(values.mean())
        gains.append(found.value)
        held += mean.low <= truth <= mean.high
    error = float(np.std(means)) / math.sqrt(len(means))
    assert abs(float(np.mean(means)) - truth) < 3 * error + 0.002
    assert 0.92 <= held / 400 <= 0.98
    assert np.mean(gains) > gain
    # The gain that is printed is the one that is had.
    assert np.var(plain) / np.var(means) == pytest.approx(np.mean(gains), rel=0.25)


def test_what_was_fitted_on_the_same_blocks_would_be_biased() -> None:
    """As many numbers as a fit can bend to: blocks predicted by themselves lose all spread."""
    rng = np.random.default_rng(2)
    numbers, values = rng.normal(size=(60, 40)), rng.integers(0, 2, 60).astype(np.float64)
    _, gain = control(values, numbers, rng.normal(size=(5000, 40)))
    assert gain.high < 1.5
    x, y = numbers - numbers.mean(axis=0), values - values.mean()
    slope = np.linalg.lstsq(x, y, rcond=None)[0]
    assert y.var() / (y - x @ slope).var() > 2


def test_equal_blocks_and_few_blocks() -> None:
    mean, gain = control(np.ones(60), np.ones((60, 1)), np.ones((100, 1)))
    assert (mean.value, mean.high, gain.value) == (1.0, 1.0, 1.0) and mean.low < 0.95
    with pytest.raises(ValueError, match="49 blocks"):
        control(np.ones(49), np.ones((49, 1)), np.ones((100, 1)))


def words(setup: str) -> Mapping[str, str]:
    return dict(word.split("=", 1) for word in setup.split(" "))


def test_numbers_of_doudizhu() -> None:
    read = FEATURES["doudizhu"]
    # The landlord holds both jokers (7), three twos (6), two aces (2); a bomb by the jokers.
    setup = {"landlord": "0", "first": "0", "kitty": "QAA"}
    setup["hands"] = "4567889TJJQKKAA222BR/333347899TJJQKKA2/445556667789TTQQA"
    (
        high,
        bombs,
        groups,
        *_,
    ) = read(setup)
    assert (high, bombs) == (15.0, 1.0)
    # 456789TJQKA, the triple 222 with a kicker, and five of 8 J K A B R alone.
    assert groups == 7.0
    assert read(setup)[3:5] == [3.0, 1.0]


@pytest.mark.parametrize("name", ["doudizhu/douzero", "doudizhu/doc003", "tuolaji/r10_qq_two_deck"])
def test_numbers_are_of_the_deal_alone(name: str) -> None:
    chosen = game(name)
    read = FEATURES[chosen.family.id]
    found = {tuple(read(words(chosen.new_state(seed=seed).setup()))) for seed in range(30)}
    assert len(found) > 25 and len({len(each) for each in found}) == 1


def test_a_sweep_of_deals_that_decide() -> None:
    """Landlords with better cards than most win: the deals follow from the ledger's seed."""
    chosen = game("doudizhu/douzero")
    settings = chosen.rules.model_dump(mode="json")
    own = replace(cell(0, ("a@1",) * 3, blocks=120, rulebook="doudizhu/douzero"), settings=settings)
    results: list[GameResult] = []
    for block in range(120):
        state = game_from_rules(own.rulebook, settings).new_state(
            seed=seed_of(SWEEP.seed, own.rules_digest, block)
        )
        won = FEATURES["doudizhu"](words(state.setup()))[0] > 8
        results.append(result(own, block, 0, (1, 0, 0) if won else (0, 1, 1)))
    (found,) = controlled(table_from([own], results), SWEEP)
    assert (found.of, found.blocks) == ("seat 0", 120)
    assert found.gain.low > 1.3
    assert found.controlled.high - found.controlled.low < found.plain.high - found.plain.low
