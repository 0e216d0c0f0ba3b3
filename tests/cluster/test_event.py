"""Events in a ledger: played, broken off, gone on with, forfeited; always to the same end."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli.tournament import event_document
from arena.cluster import LeaseTerms, Progress
from arena.cluster.driver import cell_row, sweep_row
from arena.cluster.event import EventRun, run_event
from arena.ledger import Ledger, LedgerError
from arena.plan import rebuilt
from arena.plan.tournament import EventSpec, Programme
from arena.plan.tournament.values import By
from arena.sdk import Bot, Turn
from tests.plan.tournament.kit import names, ranking, spec_of, stronger
from tests.plan.tournament.kit import result as made_up

QUICK = LeaseTerms(tries=1, backoff_seconds=0.01)


class Crash(Bot):
    """Falls over at its third move."""

    def choose(self, turn: Turn) -> str:
        if turn.ply > 3:
            raise RuntimeError("fell over")
        return turn.legal[0]


def cup(**more: Any) -> EventSpec:
    """Groups of three and a knock-out between six random movers."""
    return spec_of(
        **{
            "game": {"rulebook": "chinese_checkers/small37", "settings": {"max_turns": 20}},
            "engines": {name: "greedy:noise=30" for name in "abcdef"},
            "stages": [
                {"format": "groups", "size": 3, "advance": 2},
                {"format": "swiss", "rounds": 2, "advance": 3, "system": "neighbours"},
                {"format": "knockout", "third_place": True},
            ],
            "series": {"games": 2, "decided": "lead", "most": 4},
            **more,
        }
    )


def outcome(spec: EventSpec, run: EventRun) -> str:
    """All that an event came to, but for where and when it was played."""
    document = event_document(spec, run, "")
    del document["games_played"]
    return json.dumps(document, default=lambda value: getattr(value, "value", repr(value)))


def played(spec: EventSpec, where: Path, **more: Any) -> EventRun:
    with Ledger.open(where) as ledger:
        return run_event(spec, ledger, workers=0, terms=QUICK, **more)


def test_an_event_is_one_sweep_of_the_ledger(tmp_path: Path) -> None:
    spec = cup()
    run = played(spec, tmp_path / "a.db")
    assert run.complete and run.games == run.games_played > 20
    assert len(run.programme.event.ranking) == 6
    with Ledger.open(tmp_path / "a.db") as ledger:
        (row,) = ledger.sweeps()
        assert row.sweep_id == run.sweep_id
        cells = ledger.cells(row.sweep_id)
        assert sum(cell.planned_blocks * len(cell.seatings) for cell in cells) == run.games
        assert len(ledger.table(row.sweep_id)) == run.games
    again = played(spec, tmp_path / "a.db")
    assert again.games_played == 0
    assert outcome(spec, again) == outcome(spec, run)


def test_the_seed_decides(tmp_path: Path) -> None:
    runs = [
        outcome(spec, played(spec, tmp_path / f"{at}.db"))
        for at, spec in enumerate([cup(), cup(), cup(seed=6)])
    ]
    assert runs[0] == runs[1] != runs[2]


@pytest.mark.parametrize("after", [1, 2, 3, 5, 9])
def test_a_killed_event_comes_to_the_same_end(tmp_path: Path, after: int) -> None:
    spec = cup()
    whole = outcome(spec, played(spec, tmp_path / "whole.db"))
    calls = 0

    def kill(progress: Progress) -> None:
        nonlocal calls
        calls += bool(progress.games_done)
        if calls > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(spec, tmp_path / "broken.db", on_progress=kill)
    seen = played(spec, tmp_path / "broken.db", play=False)
    assert not seen.complete and seen.games_played == 0
    rest = played(spec, tmp_path / "broken.db")
    assert rest.complete and 0 < rest.games_played
    assert outcome(spec, rest) == whole


def test_a_worker_rebuilds_the_same_plan() -> None:
    programme = Programme(cup())
    for _ in range(3):
        plan = programme.plan(programme.due)
        other = rebuilt(plan.portable())
        assert other.digest == plan.digest and other.sweep_id == plan.sweep_id
        assert other.match == plan.match
        last = plan.cells[-1]
        assert [r.game_id for r in other.requests(other.cells[-1], range(1))] == [
            r.game_id for r in plan.requests(last, range(1))
        ]
        programme.send({f.id: made_up(f, stronger, frozenset()) for f in programme.due})


def test_a_plan_grows_but_what_was_planned_stays(tmp_path: Path) -> None:
    programme = Programme(cup())
    first = programme.plan(programme.due)
    programme.send({f.id: made_up(f, stronger, frozenset()) for f in programme.due})
    second = programme.plan(programme.due)
    assert second.sweep_id == first.sweep_id and second.digest != first.digest
    rows = [[cell_row(plan, cell) for cell in plan.cells] for plan in (first, second)]
    with Ledger.open(tmp_path / "a.db") as ledger:
        ledger.register(sweep_row(first), rows[0], grows=True)
        ledger.register(sweep_row(second), rows[1], grows=True)
        ledger.register(sweep_row(first), rows[0], grows=True)
        assert len(ledger.cells(first.sweep_id)) == len(rows[1]) > len(rows[0])
        assert ledger.sweeps()[0].plan_digest == second.digest
        with pytest.raises(LedgerError, match="another plan"):
            ledger.register(sweep_row(first), rows[0])
        other = [replace(rows[0][0], planned_blocks=7), *rows[0][1:]]
        with pytest.raises(LedgerError, match="planned_blocks of cell 0"):
            ledger.register(sweep_row(first), other, grows=True)


def test_an_absence_said_later_does_not_make_another_event(tmp_path: Path) -> None:
    stages = [{"format": "swiss", "rounds": 3}]
    spec = cup(stages=stages)
    entrants: dict[str, Any] = {name: name for name in "abcdef"}
    played(cup(stages=stages, entrants=entrants), tmp_path / "a.db")
    entrants["c"] = {"engines": "c", "absent": [3]}
    changed = cup(stages=stages, entrants=entrants)
    assert Programme(cup(stages=stages, entrants={n: n for n in "abcdef"})).plan().sweep_id == (
        Programme(changed).plan().sweep_id
    )
    assert Programme(spec).plan().sweep_id != Programme(cup()).plan().sweep_id


def test_ray_workers_play_the_same_event(tmp_path: Path) -> None:
    spec = cup()
    whole = outcome(spec, played(spec, tmp_path / "inline.db"))
    with Ledger.open(tmp_path / "ray.db") as ledger:
        run = run_event(spec, ledger, workers=2)
    assert outcome(spec, run) == whole


def test_T13_a_crash_loses_the_game_and_keeps_its_cause(tmp_path: Path) -> None:
    spec = cup(
        engines={
            "a": "greedy",
            "b": {"use": "python:tests.cluster.test_event:Crash", "version": "1"},
        },
        stages=[{"format": "round_robin"}],
        series={"games": 2},
        match={"crashes": 100},
    )
    run = played(spec, tmp_path / "a.db")
    assert run.complete and run.faults == {"crash": 2}
    (match,) = run.programme.event.stages[0].matches
    assert names(run.programme)[match.winner or 0] == "a"
    assert [game.ending for game in match.boards[0].games] == ["crash", "crash"]


def unreachable(**more: Any) -> EventSpec:
    engines: dict[str, Any] = {name: "random" for name in "abc"}
    engines["gone"] = {"use": "grpc://127.0.0.1:9", "version": "1"}
    return cup(
        engines=engines,
        stages=[{"format": "knockout", "draw": "seeds"}],
        match={"connect_ms": 200},
        **more,
    )


def test_an_event_waits_for_an_engine(tmp_path: Path) -> None:
    run = played(unreachable(), tmp_path / "a.db")
    assert not run.complete
    assert [parked.engine for parked in run.parked] == ["gone@1"]
    first, second = run.programme.event.stages[0].rounds[0]
    assert not first.over and not second.over, "a round is counted as a whole"
    assert run.games >= 2


def test_or_the_other_side_wins_and_it_stays_so(tmp_path: Path) -> None:
    spec = unreachable(unreachable="forfeit")
    run = played(spec, tmp_path / "a.db")
    assert run.complete and not run.parked
    lost = next(m for m in run.programme.event.stages[0].matches if m.missing)
    assert [names(run.programme)[n] for n in lost.missing] == ["gone"]
    assert lost.by is By.FORFEIT and lost.winner not in lost.missing
    assert outcome(spec, played(spec, tmp_path / "a.db")) == outcome(spec, run)


def test_what_was_taken_out_by_hand_stops_the_event(tmp_path: Path) -> None:
    spec = cup(stages=[{"format": "knockout"}])
    run = played(spec, tmp_path / "a.db")
    with Ledger.open(tmp_path / "a.db") as ledger:
        cell = ledger.cells(run.sweep_id)[0]
        ledger.void(run.sweep_id, cell.cell_id, 0, "a cable was loose")
        again = run_event(spec, ledger, workers=0)
        assert not again.complete
        assert [each.partition(": ")[2] for each in again.voided] == ["a cable was loose"]
        ledger.replay(run.sweep_id, [(cell.cell_id, 0)], "the cable is fixed")
        final = run_event(spec, ledger, workers=0)
        assert final.complete and final.games_played == 2
    assert outcome(spec, final) == outcome(spec, run)


def test_tables_of_four_and_three_play_on_their_own_boards(tmp_path: Path) -> None:
    spec = spec_of(
        game={"rulebook": "chinese_checkers/small37", "settings": {"max_turns": 40}},
        engines=dict.fromkeys("abcdefg", "greedy:noise=20"),
        stages=[{"format": "tables"}],
    )
    run = played(spec, tmp_path / "a.db")
    assert run.complete
    with Ledger.open(tmp_path / "a.db") as ledger:
        seats = [cell.seats for cell in ledger.cells(run.sweep_id)]
    assert sorted(seats[:2]) == [3, 4]
    assert seats[-1] == 2
    assert len(ranking(run.programme)) == 7


def test_levels_of_tuolaji_are_small_points(tmp_path: Path) -> None:
    spec = spec_of(
        preset="doc002/swiss",
        game={
            "rulebook": "tuolaji/r02_ourgame_to_10",
            "settings": {"unit": "match", "max_hands": 3, "clock_tie": "draw"},
        },
        engines=dict.fromkeys("abcd", "random"),
        stages=[
            {
                "format": "swiss",
                "system": "neighbours",
                "rounds": 2,
                "score": "match",
                "small": "levels",
                "points": {"win": 3, "draw": 1},
                "tiebreaks": ["round_points", "round_difference", "round_total", "lot"],
            }
        ],
    )
    run = played(spec, tmp_path / "a.db")
    matches = run.programme.event.stages[0].matches
    assert len(matches) == 4
    for match in matches:
        ours, theirs = match.small
        if match.winner is None:
            assert ours == theirs
        else:
            assert (ours > theirs) == (match.winner == match.entrants[0])
    assert any(max(match.small) > 0 for match in matches)
    apart = {
        game.game_id: abs(game.small[0] - game.small[1])
        for match in matches
        for game in match.boards[0].games
    }
    with Ledger.open(tmp_path / "a.db") as ledger:
        for result in ledger.results(run.sweep_id):
            told = dict(result.measures)["first_drawer_levels"]
            assert apart[result.game_id] == abs(told), "the rules count the same levels"
    (table,) = run.programme.event.stages[0].tables
    assert sum(row.total for row in table.rows) == sum(sum(m.small) for m in matches)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_that_comes_with_the_last_game_of_a_round_is_heard(tmp_path: Path) -> None:
    spec = cup()
    asked: list[int] = []

    def interrupt(progress: Progress) -> None:
        if not asked and progress.games_done == progress.games_planned:
            asked.append(progress.games_done)
            os.kill(os.getpid(), signal.SIGINT)

    with Ledger.open(tmp_path / "a.db") as ledger:
        run = run_event(spec, ledger, workers=0, on_progress=interrupt, show_seconds=0.0)
        assert run.interrupted and not run.complete
        assert asked == [run.games] and len(run.programme.event.stages) == 2
        assert run_event(spec, ledger, workers=0).complete
