from __future__ import annotations

import tomllib

import pytest
from pydantic import ValidationError

from arena.match.clock import Byoyomi, Increment
from arena.match.policy import MatchPolicy

TABLE = """
clock = { kind = "increment", base_ms = 60000, increment_ms = 600 }
illegal_retries = 2
max_plies = 300
adjudicate_draw = { after_plies = 40, moves = 8, window = 0.01 }
adjudicate_resign = { moves = 3, value = 0.0 }
"""


def test_a_policy_is_read_from_a_sweep_file() -> None:
    policy = MatchPolicy.model_validate(tomllib.loads(TABLE))
    assert policy.clock == Increment(base_ms=60_000, increment_ms=600)
    assert policy.adjudicate_draw is not None
    assert policy.adjudicate_draw.moves == 8
    assert policy.watches_moves
    assert MatchPolicy.model_validate_json(policy.model_dump_json()) == policy


def test_without_clock_and_adjudication_nothing_is_watched() -> None:
    assert not MatchPolicy(max_plies=10, illegal_retries=3).watches_moves
    assert MatchPolicy(clock=Byoyomi(base_ms=0, periods=1, period_ms=1)).watches_moves


@pytest.mark.parametrize(
    ("table", "field"),
    [
        ({"clocks": {}}, "clocks"),
        ({"clock": {"kind": "sundial"}}, "clock"),
        ({"illegal_retries": -1}, "illegal_retries"),
        ({"move_ms": 0}, "move_ms"),
        ({"margin_ms": "50"}, "margin_ms"),
        ({"draw_offers": 1}, "draw_offers"),
        ({"adjudicate_resign": {"value": 1.5}}, "value"),
    ],
)
def test_what_makes_no_sense_names_its_field(table: dict[str, object], field: str) -> None:
    with pytest.raises(ValidationError, match=field):
        MatchPolicy.model_validate(table)


def test_a_policy_is_a_value() -> None:
    assert MatchPolicy() == MatchPolicy()
    assert hash(MatchPolicy()) == hash(MatchPolicy())
    with pytest.raises(ValidationError):
        MatchPolicy().move_ms = 5  # type: ignore[misc]  # what is tested
