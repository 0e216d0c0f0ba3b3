"""The luck of draws by known chances: zero on average, move by move, and only for who does draw."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from arena.balance.choices import NotDrawn, draws_of
from arena.balance.control import control, controlled
from arena.games import Record
from arena.ledger import GameResult, Ledger
from arena.match.request import NotPlayed
from arena.match.runner import MatchRunner
from arena.plan import Plan, SweepSpec, make_plan

SAMPLER = {"use": "python:engines.sampler:Sampler", "version": "1"}


def plan_of(rulebook: str, blocks: int) -> Plan:
    return make_plan(
        SweepSpec.model_validate(
            {
                "name": "draws",
                "seed": 4,
                "blocks": blocks,
                "games": ({"rulebooks": (rulebook,)},),
                "engines": {"sampler": SAMPLER},
            }
        )
    )


@pytest.fixture(scope="module", params=["doudizhu/douzero", "doudizhu/pagat"])
def games(request: pytest.FixtureRequest) -> list[GameResult]:
    """Self-play of an engine that draws, with the landlord given and with bidding."""
    plan = plan_of(request.param, 6)
    found = []
    with MatchRunner(plan.match) as runner:
        for result in runner.play(plan.requests(plan.cells[0], range(6))):
            assert not isinstance(result, NotPlayed), result.message
            found.append(result)
    return found


def test_laws_are_kept_beside_the_moves(games: list[GameResult]) -> None:
    for result in games:
        assert result.record is not None
        assert [number for number, _ in result.policies] == list(range(len(result.record.moves)))
        for number, law in result.policies:
            assert math.fsum(chance for _, chance in law) == pytest.approx(1)
            assert result.record.moves[number][1] in dict(law)
    assert draws_of(games).moves > 60


def test_every_draw_is_fair(games: list[GameResult]) -> None:
    """Whatever was played before: over all moves that might have been drawn, the luck is zero."""
    tried = 0
    for result in games[:2]:
        assert result.record is not None
        moves = result.record.moves
        for number, law in result.policies[1::9]:
            if len(law) < 2:
                continue
            seat, _ = moves[number]
            luck = []
            for other, _ in law:
                cut = replace(result.record, moves=(*moves[:number], (seat, other)))
                own = replace(result, record=cut, policies=((number, law),))
                luck.append(draws_of([own]).luck.get(result.game_id))
            if luck[0] is None:  # the landlord is not known yet
                assert all(each is None for each in luck)
                continue
            numbers = np.array(luck)
            chances = np.array([chance for _, chance in law])
            assert np.abs(chances @ numbers).max() < 1e-9
            tried += bool(np.abs(numbers).max() > 0.1)  # not of doubling, which plays no card
    assert tried > 2


def test_who_does_not_draw_is_not_believed(games: list[GameResult]) -> None:
    first = games[0]
    assert first.record is not None
    strange = replace(first, policies=((0, (("nonsense", 0.5), ("other", 0.5))),))
    with pytest.raises(NotDrawn, match=r"sampler@1 played '.*', which it did not say it might"):
        draws_of([strange])
    # Always the likelier of two, said to come six times in ten.
    bent = [
        replace(
            result,
            policies=tuple(
                (number, ((move, 0.6), ("pass" if move != "pass" else "play 3", 0.4)))
                for number, (_, move) in enumerate(record_of(result).moves)
            ),
        )
        for result in games
    ]
    with pytest.raises(NotDrawn, match="does not draw as it says: its likely moves come too often"):
        draws_of(bent)


def record_of(result: GameResult) -> Record:
    assert result.record is not None
    return result.record


def test_fair_numbers_do_not_bias_and_gain_what_they_say() -> None:
    """Wins that lean on a draw whose mean is known: the mean stays, its spread shrinks."""
    rng = np.random.default_rng(3)
    means, plain, gains = [], [], []
    for _ in range(150):
        deal, draw = rng.exponential(1, (60, 1)), rng.choice([-1.0, 3.0], (60, 1), p=[0.75, 0.25])
        chance = 1 / (1 + np.exp(-1.2 * draw[:, 0] - deal[:, 0] + 1))
        values = (rng.random(60) < chance).astype(np.float64)
        mean, gain = control(values, deal, rng.exponential(1, (500, 1)), draw)
        means.append(mean.value)
        plain.append(values.mean())
        gains.append(gain.value)
    error = float(np.std(np.array(means) - plain)) / math.sqrt(150)
    assert abs(float(np.mean(means) - np.mean(plain))) < 3 * error + 1e-3
    assert np.mean(gains) > 1.3
    assert np.var(plain) / np.var(means) == pytest.approx(np.mean(gains), rel=0.35)


def test_a_sweep_with_its_draws(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Through the ledger: the laws come back, and the table of deals counts their moves."""
    from arena.cluster import run_sweep

    plan = plan_of("doudizhu/douzero", 50)
    with Ledger.open(tmp_path_factory.mktemp("draws") / "a.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
        (sweep,) = ledger.sweeps()
        table = ledger.table(sweep.sweep_id)
        drawn = list(ledger.drawn(sweep.sweep_id))
        (found,) = controlled(table, sweep, drawn)
    assert len(drawn) == 50
    assert found.moves > 500 and found.note is None
    # A cell whose engine lies keeps the deals' figure, and says why.
    law = (("pass", 0.5), ("nonsense", 0.5))
    liar = [replace(each, policies=((0, law),)) for each in drawn]
    (refused,) = controlled(table, sweep, liar)
    assert refused.plain == found.plain and refused.controlled != found.controlled
    assert refused.moves == 0 and refused.note is not None
    assert "did not say it might" in refused.note.en
