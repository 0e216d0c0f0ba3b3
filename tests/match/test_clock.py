"""R3, R4: a clock loses exactly beyond limit + margin, for every kind of control."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from arena.match.clock import (
    Bank,
    Byoyomi,
    Increment,
    Periods,
    PerMove,
    SeatClock,
    TimeControl,
    Untimed,
)

MARGIN = 50
CONTROLS = [
    PerMove(move_ms=1000),
    Increment(base_ms=5000, increment_ms=100),
    Increment(base_ms=5000),
    Periods(moves=3, base_ms=2000),
    Periods(moves=1, base_ms=2000, increment_ms=10),
    Bank(move_ms=500, bank_ms=1500, increment_ms=50),
    Byoyomi(base_ms=1000, periods=3, period_ms=400),
]


@pytest.mark.parametrize("control", CONTROLS, ids=lambda c: c.kind)
@given(spent=st.lists(st.integers(0, 700), max_size=8))
def test_limit_plus_margin_is_the_edge(control: TimeControl, spent: list[int]) -> None:
    clock = control.start()
    for ms in spent:
        if clock.flag_fell(ms, 0):
            break
        clock = control.after_move(clock, ms)
    limit = clock.limit_ms
    assert limit is not None
    assert not clock.flag_fell(limit + MARGIN, MARGIN)
    assert clock.flag_fell(limit + MARGIN + 1, MARGIN)


def test_without_a_clock_no_flag_falls() -> None:
    clock = Untimed().start()
    assert clock.limit_ms is None
    assert not clock.flag_fell(10**9, 0)
    assert Untimed().after_move(clock, 10**9) == clock


def test_increment_is_granted_after_the_move_only() -> None:
    control = Increment(base_ms=1000, increment_ms=500)
    clock = control.start()
    assert clock.flag_fell(1001, 0)
    assert control.after_move(clock, 900).main_ms == 600


def test_the_next_period_does_not_save_a_move_that_overstepped_this_one() -> None:
    control = Periods(moves=2, base_ms=1000)
    clock = control.after_move(control.start(), 900)
    assert clock == SeatClock(main_ms=100, moves_left=1)
    assert clock.flag_fell(101, 0)
    assert control.after_move(clock, 40) == SeatClock(main_ms=1060, moves_left=2)


def test_the_bank_pays_only_what_goes_beyond_the_free_time() -> None:
    control = Bank(move_ms=500, bank_ms=1000)
    clock = control.after_move(control.start(), 400)
    assert clock.bank_ms == 1000
    clock = control.after_move(clock, 800)
    assert clock.bank_ms == 700
    assert clock.limit_ms == 1200


def test_byoyomi_periods_are_lost_when_used_up() -> None:
    control = Byoyomi(base_ms=1000, periods=3, period_ms=400)
    clock = control.after_move(control.start(), 1000)
    assert (clock.main_ms, clock.periods_left) == (0, 3)
    clock = control.after_move(clock, 399)
    assert clock.periods_left == 3
    clock = control.after_move(clock, 850)
    assert clock.periods_left == 1
    assert control.after_move(clock, 400).periods_left == 1
    assert clock.flag_fell(401, 0)


def test_an_illegal_move_costs_its_time_and_wins_none() -> None:
    assert Increment(base_ms=1000, increment_ms=500).start().after_refusal(300).main_ms == 700
    bank = Bank(move_ms=100, bank_ms=1000).start().after_refusal(300)
    assert (bank.main_ms, bank.bank_ms) == (0, 800)
    byo = Byoyomi(base_ms=0, periods=2, period_ms=100).start().after_refusal(150)
    assert byo.periods_left == 1
    assert Untimed().start().after_refusal(10**6) == Untimed().start()


@pytest.mark.parametrize(
    "bad",
    [
        {"kind": "hourglass"},
        {"kind": "per_move"},
        {"kind": "per_move", "move_ms": 0},
        {"kind": "increment", "base_ms": 1000, "bonus": 1},
        {"kind": "periods", "base_ms": 1000, "moves": -1},
        {"kind": "byoyomi", "base_ms": 1.5, "periods": 1, "period_ms": 1},
    ],
)
def test_a_control_that_makes_no_sense_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter[TimeControl](TimeControl).validate_python(bad)
