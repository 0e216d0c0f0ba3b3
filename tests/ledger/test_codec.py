"""Any result that a referee could make comes back equal, whatever its texts hold."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena._core import Termination
from arena.games import Record, Seat
from arena.ledger import GameResult, Ledger, Told
from arena.ledger.codec import Ending, key64
from tests.ledger.samples import SWEEP, cell, result

T = TypeVar("T")
SEATS = st.integers(2, 6)
TEXT = st.text(st.characters(), max_size=20)  # NUL and lone surrogates included
LABEL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
"""A game's name: made by the package from files that are UTF-8."""

SCORE = st.floats(0, 1)


@st.composite
def results(draw: st.DrawFn) -> GameResult:
    seats = draw(SEATS)
    own = cell(seats, ("a@1",) * seats, blocks=1_000_000, rulebook=f"family/{seats}")

    def by_seat(values: st.SearchStrategy[T]) -> tuple[T, ...]:
        return tuple(draw(st.lists(values, min_size=seats, max_size=seats)))

    moves = st.lists(st.tuples(st.integers(0, seats - 1).map(Seat), TEXT), max_size=5)
    rules = st.dictionaries(TEXT, st.none() | st.booleans() | st.integers() | TEXT, max_size=3)
    settings_of = st.just(dict(own.settings)) | rules
    kept = st.builds(Record, LABEL, settings_of, TEXT, moves.map(tuple))
    clocks = st.lists(st.tuples(st.integers(0), st.integers(0)), max_size=4).map(tuple)
    law = st.lists(st.tuples(TEXT, SCORE), max_size=3).map(tuple)
    laws = st.lists(st.tuples(st.integers(0, 99), law), max_size=2).map(tuple)
    words = st.tuples(st.integers(0, 9), st.lists(st.integers(0, 5)).map(tuple), TEXT, TEXT)
    numbers = st.lists(st.integers(0, 9_999), max_size=4).map(tuple)
    links = st.binary(max_size=12).map(bytes.hex)
    log = st.builds(Told, numbers, links, links, numbers, st.lists(words, max_size=2).map(tuple))
    return replace(
        result(own, 0, 0, (1,) * seats),
        scores=by_seat(SCORE),
        places=by_seat(st.integers(1, seats)),
        sides=by_seat(st.integers(-1, 7)),
        roles=by_seat(TEXT),
        termination=draw(st.sampled_from(list(Termination))),
        culprit=draw(st.none() | st.integers(0, seats - 1).map(Seat)),
        plies=draw(st.integers(0, 10_000)),
        seconds=draw(st.floats(0, 1e6)),
        record=draw(st.none() | kept),
        moves_ms=draw(clocks),
        notes=draw(st.lists(TEXT, max_size=3).map(tuple)),
        policies=draw(laws),
        told=by_seat(st.none() | log) if draw(st.booleans()) else (),
    )


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with Ledger.open(tmp_path_factory.mktemp("codec") / "ledger.db") as ledger:
        cells = [
            cell(n, ("a@1",) * n, blocks=1_000_000, rulebook=f"family/{n}") for n in range(2, 7)
        ]
        ledger.register(SWEEP, cells)
        yield ledger


COUNTER = itertools.count()


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=results())
def test_round_trip(ledger: Ledger, drawn: GameResult) -> None:
    n = next(COUNTER)
    one = replace(drawn, block=n, game_id=f"{n:032x}")
    assert ledger.put([one]) == 1
    assert ledger.result(one.game_id) == one


def test_equal_endings_have_one_key_and_others_another() -> None:
    """The key is a hash of the text of the ending: int or float, tuple or not, is one."""
    own = cell(0, blocks=3)
    first, again, other = (result(own, b, 0, s) for b, s in enumerate([(1, 0), (1.0, 0.0), (0, 1)]))
    keys = [Ending.of(r).row()["ending_key"] for r in (first, again, other)]
    assert keys[0] == keys[1] != keys[2]
    assert key64("a") == key64("a") and -(2**63) <= key64("a") < 2**63
