"""Pages that a small sweep of board games does not have: events, trends, deals, versions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from arena.balance.course import courses
from arena.cluster import LeaseTerms, run_sweep
from arena.cluster.event import run_event
from arena.ledger import Ledger
from arena.plan import SweepSpec, make_plan
from arena.plan.tournament import EventSpec
from arena.report import build_report
from arena.report.collect import collect
from arena.report.course import courses_of
from arena.report.text import plain_interval
from arena.sdk import Bot, Turn
from tests.plan.tournament.kit import spec_of
from tests.report.test_report import pages_of

BALANCE = "balance-gomoku.html"


def cup(**more: Any) -> EventSpec:
    return spec_of(
        **{
            "name": "cup <b>",
            "game": {"rulebook": "chinese_checkers/small37", "settings": {"max_turns": 6}},
            "engines": dict.fromkeys("abcd", "random"),
            "stages": [
                {"format": "groups", "size": 2, "advance": 2},
                {"format": "double_elimination", "draw": "seeds"},
            ],
            **more,
        }
    )


def test_an_event_has_a_page_with_brackets_and_tables(tmp_path: Path) -> None:
    spec = cup()
    with Ledger.open(tmp_path / "a.db") as ledger:
        run = run_event(spec, ledger, workers=0)
        assert run.complete
        folder = build_report(ledger, tmp_path / "report", replays=8).folder
    pages = pages_of(folder)
    ((name, page),) = [(n, p) for n, p in pages.items() if n.startswith("events/")]
    assert "cup <b>" in page.text and not any(tag == "b" for tag, _ in page.tags)
    assert "Groups" in page.text and "分组循环" in page.text and "Double elimination" in page.text
    event = run.programme.event
    # Every match of the second stage is in a bracket once, with a side for each entrant.
    classes = [str(attributes.get("class")) for _, attributes in page.tags]
    matches = event.stages[1].matches
    assert classes.count("match") == len(matches)
    sides = sum(each.startswith("side") for each in classes)
    assert sides == sum(len(match.entrants) for match in matches)
    assert classes.count("side won") == len(matches)
    # Games that can be stepped through are linked from here.
    assert sum("replays/" in link for link in page.links) == 8
    for link in page.links:
        assert ((folder / name).parent / link.partition("#")[0]).resolve().exists()
    assert any(link == name for link in pages["index.html"].links)


def test_an_event_that_is_not_over_says_so(tmp_path: Path) -> None:
    away = {"command": ["no_such_program"], "version": "1"}
    spec = cup(engines={"a": "random", "b": "random", "c": "random", "d": away})
    with Ledger.open(tmp_path / "a.db") as ledger:
        quick = LeaseTerms(tries=1, backoff_seconds=0.01)
        assert not run_event(spec, ledger, workers=0, terms=quick).complete
        folder = build_report(ledger, tmp_path / "report", replays=0).folder
    (page,) = [p for n, p in pages_of(folder).items() if n.startswith("events/")]
    assert "not over yet" in page.text and "to be played" in page.text
    assert "Final ranking" not in page.text


def sweep(**more: Any) -> SweepSpec:
    return SweepSpec.model_validate_json(json.dumps({"name": "trial", "seed": 3, **more}))


def test_trends_deals_and_versions_are_on_the_pages(tmp_path: Path) -> None:
    engines = {
        "a": {"use": "greedy"},
        "b": {"use": "greedy:noise=30"},
        "old": {"use": "random", "version": "1"},
    }
    more: dict[str, Any] = {"pairing": ["self_play", "round_robin"], "records": {"keep": "none"}}
    plan = make_plan(
        sweep(blocks=50, games=[{"rulebooks": ["doudizhu/douzero"]}], engines=engines, **more)
    )
    with Ledger.open(tmp_path / "a.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
        pages = pages_of(build_report(ledger, tmp_path / "report", drift=45, replays=0).folder)
    balance = pages["balance-doudizhu.html"].text
    assert "As strength grows" in balance and "For 100 Elo" in balance
    assert "Less the luck of the deal" in balance
    board = pages["leaderboard-doudizhu.html"].text
    assert "whole history" not in board


def test_how_games_go_is_on_the_page_of_balance(tmp_path: Path) -> None:
    """From records, in both languages; the numbers are those of `arena balance --replay`."""
    games = [{"rulebooks": ["gomoku/freestyle15"], "grid": {"size": [9]}}]
    more: dict[str, Any] = {"pairing": ["self_play", "round_robin"], "records": {"keep": "all"}}
    engines = {"a": {"use": "greedy:noise=30"}, "b": {"use": "random"}}
    plan = make_plan(sweep(blocks=30, games=games, engines=engines, **more))
    with Ledger.open(tmp_path / "a.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
        (row,) = ledger.sweeps()
        parts = list(ledger.table().by_cell())
        wanted = [
            courses(part, ledger.records(row.sweep_id, cell_id=part.cell.cell_id), 20)
            for part in parts
        ]
        page = pages_of(build_report(ledger, tmp_path / "a", replays=0).folder)[BALANCE].text
        fewer = pages_of(build_report(ledger, tmp_path / "b", replays=0, course=3).folder)[BALANCE]
        none = pages_of(build_report(ledger, tmp_path / "c", replays=0, course=0).folder)[BALANCE]
        # Where moves are short, self-play comes first, and a cell that two blocks do not fit is left out.
        counted = collect(ledger)
        squeezed = courses_of(ledger, counted, "gomoku", 20, moves=90)
    assert "How games go" in page and "对局过程" in page
    for each in wanted:
        assert each is not None and each.blocks == 20
        assert each.branching is not None and each.lead_changes is not None
        assert plain_interval(each.branching, 1) in page
        assert plain_interval(each.lead_changes, 2) in page
    own = wanted[0]
    assert own is not None and own.branching is not None
    assert "How games go" in fewer.text and plain_interval(own.branching, 1) not in fewer.text
    assert "How games go" not in none.text
    assert [(each.level, each.blocks) for each in squeezed] == [(own.level, 2)]


class First(Bot):
    """Plays the first legal move."""

    def choose(self, turn: Turn) -> str:
        return turn.legal[0]


def test_versions_of_an_engine_are_rated_by_their_history(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "a.db") as ledger:
        for version in ("1", "2"):
            engines = {
                "a": {"use": "python:tests.report.test_more_pages:First", "version": version},
                "b": {"use": "random"},
            }
            plan = make_plan(
                sweep(
                    blocks=6,
                    pairing=["round_robin"],
                    games=[{"rulebooks": ["gomoku/freestyle15"], "grid": {"size": [9]}}],
                    engines=engines,
                )
            )
            assert run_sweep(plan, ledger, workers=0).complete
        pages = pages_of(build_report(ledger, tmp_path / "report", drift=45, replays=0).folder)
    board = pages["leaderboard-gomoku.html"].text
    assert "Versions by their whole history" in board and "some 45 Elo" in board
    assert board.count("a@1") >= 2 and board.count("a@2") >= 2
