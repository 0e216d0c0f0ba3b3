"""Sweeps on file, in either database."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.server.config import Quotas
from arena.server.database import Actor, Database
from arena.server.errors import Reason, ServiceError
from arena.server.sweeping.book import LIVE, SweepBook, SweepState
from arena.server.sweeping.job import (
    Broken,
    CellTally,
    Ended,
    Planned,
    PlannedCell,
    Refused,
    Report,
    Tally,
    report_of,
)
from tests.ledger.conftest import postgres_server, where

__all__ = ["postgres_server", "where"]

ANN, BOB = Actor("ann", "t1"), Actor("bob", "t2")
QUOTAS = Quotas(sweeps=2, sweeps_a_day=4, sweep_games_a_day=1_000)


@pytest.fixture
def book(where: str) -> Iterator[SweepBook]:
    with Database.open(where) as database:
        yield SweepBook(database, QUOTAS)


def plan(digest: str, games: int = 100, name: str = "a sweep, 名") -> Planned:
    cells = (
        PlannedCell(id="c1", rulebook="gomoku/doc001", lineup=("a@1", "b\0@1"), games=games // 2),
        PlannedCell(id="c2", rulebook="gomoku/doc003", lineup=("b@1", "b@1"), games=games // 2),
    )
    return Planned(name=name, digest=digest, games=games, engines=(), cells=cells, remarks=("r",))


def played(first: int, second: int, spared: int = 0) -> Tally:
    return Tally(
        cells=(CellTally(done=first, faults=1), CellTally(done=second, spared=spared)),
        faults={"timeout": 1},
    )


def refused(work: object, *arguments: object, **named: object) -> Reason:
    assert callable(work)
    with pytest.raises(ServiceError) as caught:
        work(*arguments, **named)
    return caught.value.reason


def test_a_sweep_from_its_launch_to_its_end(book: SweepBook) -> None:
    made = book.launch(plan("d1"), "toml", ANN)
    assert (made.state, made.tally, made.ended) == (SweepState.WAITING, Tally(), None)
    assert made.plan == plan("d1") and made.name == "a sweep, 名" and not made.complete
    assert book.launch(plan("d1"), "toml # too", ANN) == made
    assert book.live() == [made]
    running = book.move(made.sweep_id, SweepState.RUNNING, "", ANN)
    book.keep(made.sweep_id, played(40, 20))
    (listed,), token = book.page("", [], 0, "")
    assert not token and listed.plan is None and not listed.toml
    assert listed.tally.totals == CellTally(done=60, faults=1) and listed.games == 100
    assert listed.tally.faults == {"timeout": 1}
    assert running.ended is None and book.live()[0].tally == played(40, 20)
    book.keep(made.sweep_id, played(50, 20), ["blocks 3 to 4:\nnobody is there"])
    last = book.move(made.sweep_id, SweepState.FINISHED, "", ANN)
    assert last.ended is not None and not last.complete and not book.live()
    assert last.remarks == ("blocks 3 to 4:\nnobody is there",)
    # What has ended stays: until it is launched again, because something is left.
    assert book.move(made.sweep_id, SweepState.RUNNING, "", ANN) == last
    assert book.cancel(made.sweep_id, "late", ANN) == last
    again = book.launch(plan("d1"), "toml # new", ANN)
    assert (again.sweep_id, again.state) == (made.sweep_id, SweepState.WAITING)
    assert (again.toml, again.ended, again.remarks) == ("toml # new", None, ())
    assert again.tally == played(50, 20)
    book.keep(made.sweep_id, played(50, 20, 30), [])
    book.move(made.sweep_id, SweepState.FINISHED, "", ANN)
    assert book.launch(plan("d1"), "toml", ANN).state is SweepState.FINISHED


def test_quotas_count_what_is_planned_and_what_was_played(book: SweepBook) -> None:
    first = book.launch(plan("d1", 600), "", ANN)
    assert refused(book.launch, plan("d2", 402), "", ANN) is Reason.QUOTA_EXCEEDED
    book.launch(plan("d2", 402), "", BOB)  # of another account
    book.launch(plan("d1", 600), "", BOB, unlimited=True)
    second = book.launch(plan("d3", 400), "", ANN)
    assert refused(book.launch, plan("d4", 2), "", ANN) is Reason.QUOTA_EXCEEDED
    book.keep(first.sweep_id, played(100, 0))
    book.cancel(first.sweep_id, "", ANN)
    # 100 were played, 400 are planned: 500 are left, and 500 of the first to be played.
    assert refused(book.launch, plan("d5", 502), "", ANN) is Reason.QUOTA_EXCEEDED
    third = book.launch(plan("d5", 500), "", ANN)
    book.cancel(second.sweep_id, "", ANN)
    book.cancel(third.sweep_id, "", ANN)
    book.launch(plan("d6", 2), "", ANN)
    assert refused(book.launch, plan("d7", 2), "", ANN) is Reason.QUOTA_EXCEEDED  # the fifth


def test_only_its_account_and_operators_cancel(book: SweepBook) -> None:
    made = book.launch(plan("d1"), "", ANN)
    assert refused(book.cancel, made.sweep_id, "", BOB) is Reason.NOT_YOURS
    assert refused(book.cancel, "0" * 16, "", BOB, operator=True) is Reason.NOT_FOUND
    gone = book.cancel(made.sweep_id, "x" * 9_000, BOB, operator=True)
    assert gone.state is SweepState.CANCELLED and len(gone.reason) == 2_000


def test_pages_by_account_and_state(book: SweepBook) -> None:
    made = [book.launch(plan(f"d{n}"), "", ANN, unlimited=True).sweep_id for n in range(5)]
    book.launch(plan("d1"), "", BOB)
    book.cancel(made[2], "", ANN)
    seen, token = book.page("ann", LIVE, 3, "")
    rest, end = book.page("ann", LIVE, 3, token)
    assert [entry.sweep_id for entry in seen + rest] == made[:2] + made[3:] and not end
    assert len(book.page("", [], 0, "")[0]) == 6
    assert [e.sweep_id for e in book.page("", [SweepState.CANCELLED], 0, "")[0]] == [made[2]]


counts = st.builds(CellTally, done=st.integers(0, 9), faults=st.integers(0, 9))
tallies = st.builds(
    Tally,
    cells=st.lists(counts, max_size=3).map(tuple),
    faults=st.dictionaries(st.text(max_size=9), st.integers(0, 9), max_size=3),
)
words = st.text(max_size=20)
reports = st.one_of(
    tallies,
    st.builds(Refused, message=words, line=st.none() | st.integers(0, 9), setting=words),
    st.builds(
        Ended,
        tally=st.none() | tallies,
        interrupted=st.booleans(),
        remarks=st.lists(words, max_size=3).map(tuple),
    ),
    st.builds(Broken, words=words),
    st.just(plan("d")),
)


@given(report=reports)
def test_a_report_is_one_line_and_comes_back_as_it_was(report: Report) -> None:
    line = report.model_dump_json().encode()
    assert b"\n" not in line and report_of(line + b"\n") == report


@pytest.mark.parametrize("line", [b"", b"{}", b"nonsense", b'{"kind": "tally", "more": 1}'])
def test_what_is_no_report_is_refused(line: bytes) -> None:
    with pytest.raises(ValueError):
        report_of(line)
