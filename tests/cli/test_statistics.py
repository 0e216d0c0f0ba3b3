"""`arena balance --trend`, `--deals`, `--replay` and `arena leaderboard --drift` on a ledger of made-up games."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from arena.cluster import run_sweep
from arena.games.registry import game
from arena.ledger import Ledger
from arena.plan import SweepSpec, make_plan
from tests.balance.test_trend import RATED, WORTH
from tests.cli.conftest import Arena
from tests.ledger.samples import SWEEP, cell, result
from tests.ratings.tables import duel_results


def test_trend(arena: Arena, tmp_path: Path) -> None:
    cells, results = list(RATED[0]), list(RATED[1])
    for at, engine in enumerate(WORTH):
        own = cell(len(cells), (engine, engine), blocks=40)
        cells.append(own)
        results += duel_results(own, [(float(i < 18 + 3 * at),) for i in range(40)])
    with Ledger.open(tmp_path / "made-up.db") as ledger:
        ledger.register(SWEEP, cells)
        ledger.put(results)
    ran = arena("balance", "made-up.db", "--trend")
    assert ran.code == 0, ran.err
    assert "points of seat 0 over strength" in ran.out
    assert "100 Elo stronger: " in ran.out and "whether the trend goes on or ends" in ran.out
    assert "得分率与棋力" in arena("balance", "made-up.db", "--trend", "--lang", "zh").out
    (found,) = json.loads(arena("balance", "made-up.db", "--trend", "--json").out)
    assert [point["engine"] for point in found["points"]] == list(WORTH)
    assert "no deals to read" in arena("balance", "made-up.db", "--deals").out
    ran = arena("balance", "made-up.db", "--deals", "--trend")
    assert ran.code == 1 and "one of --trend, --deals and --replay" in ran.err
    assert found["slope"]["low"] < found["slope"]["value"] < found["slope"]["high"]


def test_drift(arena: Arena, tmp_path: Path) -> None:
    pair = cell(0, ("x@1", "x@2"), blocks=20)
    with Ledger.open(tmp_path / "versions.db") as ledger:
        ledger.register(SWEEP, [pair])
        ledger.put(duel_results(pair, [(1, 0), (1, 1)] * 10))
    leads = []
    for words in ([], ["--drift", "10"]):
        (board,) = json.loads(arena("leaderboard", "versions.db", *words, "--json").out)
        leads.append(abs(board["entries"][0]["elo"] - board["entries"][1]["elo"]))
    assert leads[0] > 100 > leads[1]
    assert "10 Elo or so" in arena("leaderboard", "versions.db", "--drift", "10").out
    for bad in (["--drift", "0"], ["--drift", "30", "--sides"]):
        ran = arena("leaderboard", "versions.db", *bad)
        assert ran.code == 1 and "drift" in ran.err


def test_first_seats_by_strength(arena: Arena, tmp_path: Path) -> None:
    names = ("x@1", "y@1")
    cells = [
        cell(i, (a, b), blocks=40) for i, (a, b) in enumerate([names, ("x@1",) * 2, ("y@1",) * 2])
    ]
    with Ledger.open(tmp_path / "seats.db") as ledger:
        ledger.register(SWEEP, cells)
        ledger.put(duel_results(cells[0], [(1, 0), (1, 1)] * 20))
        ledger.put(duel_results(cells[1], [(1,)] * 36 + [(0,)] * 4))
        ledger.put(duel_results(cells[2], [(1,), (0,)] * 20))
    ran = arena("leaderboard", "seats.db", "--first-seat", "strength")
    assert ran.code == 0, ran.err
    assert "x@1 vs y@1" in ran.out and "p < 0.001 (small: it depends on strength)" in ran.out
    (found,) = json.loads(arena("leaderboard", "seats.db", "--first-seat", "both", "--json").out)
    assert [row["level"] for row in found["first_seat"]] == ["", "x@1 vs y@1", "x@1", "y@1"]
    assert found["first_seat_terms"] == "both"
    assert found["between"]["spread"]["low"] > 50
    assert (
        "各种棋力" in arena("leaderboard", "seats.db", "--first-seat", "both", "--lang", "zh").out
    )
    ran = arena("leaderboard", "seats.db")
    assert "Strength" not in ran.out and "all strengths" not in ran.out
    ran = arena("leaderboard", "seats.db", "--first-seat", "black")
    assert ran.code == 1 and "there are pooled, strength, both" in ran.err
    ran = arena("leaderboard", "seats.db", "--first-seat", "both", "--sides")
    assert ran.code == 1 and "--first-seat" in ran.err


def test_self_play_rates_nobody(arena: Arena, tmp_path: Path) -> None:
    alone = [cell(0, ("x@1", "x@1"), blocks=20), cell(1, ("y@1", "y@1"), blocks=20)]
    with Ledger.open(tmp_path / "alone.db") as ledger:
        ledger.register(SWEEP, alone)
        for one in alone:
            ledger.put(duel_results(one, [(float(i < 12),) for i in range(20)]))
    ran = arena("leaderboard", "alone.db")
    assert (ran.code, ran.err) == (0, "")
    assert "no two engines met: no ratings" in ran.out
    assert "what moving first is worth" in ran.out
    assert "Rank" not in ran.out and "∞" not in ran.out
    assert "没有两个引擎相遇" in arena("leaderboard", "alone.db", "--lang", "zh").out


def test_deals(arena: Arena, tmp_path: Path) -> None:
    settings = game("doudizhu/douzero").rules.model_dump(mode="json")
    own = replace(cell(0, ("a@1",) * 3, blocks=50, rulebook="doudizhu/douzero"), settings=settings)
    won = [(1, 0, 0) if block % 3 else (0, 1, 1) for block in range(50)]
    with Ledger.open(tmp_path / "deals.db") as ledger:
        ledger.register(SWEEP, [own])
        ledger.put([result(own, block, 0, scores) for block, scores in enumerate(won)])
    ran = arena("balance", "deals.db", "--deals")
    assert ran.code == 0, ran.err
    assert "less the luck of the deal" in ran.out and "66.0 %" in ran.out
    (found,) = json.loads(arena("balance", "deals.db", "--deals", "--json").out)
    assert found["blocks"] == 50 and found["plain"]["value"] == 0.66


def test_replay(arena: Arena, tmp_path: Path) -> None:
    sweep = {"name": "course", "seed": 2, "blocks": 3}
    text = json.dumps(
        {
            **sweep,
            "games": [{"rulebooks": ["doudizhu/pagat", "gomoku/doc001"]}],
            "engines": {"greedy": {"use": "greedy"}},
        }
    )
    plan = make_plan(SweepSpec.model_validate_json(text))
    with Ledger.open(tmp_path / "course.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
    ran = arena("balance", "course.db", "--replay", "2")
    assert ran.code == 0, ran.err
    assert "from records played again" in ran.out and "Lead changes" in ran.out
    found = json.loads(arena("balance", "course.db", "--replay", "2", "--json").out)
    assert [each["blocks"] for each in found] == [2, 2]
    assert all(each["lead_changes"]["value"] > 0 for each in found)
    assert found[1]["branching"]["value"] > 50
    (only,) = json.loads(
        arena("balance", "course.db", "--replay", "9", "--game", "gomoku", "--json").out
    )
    assert only["blocks"] == 3
    assert "领先易手" in arena("balance", "course.db", "--replay", "1", "--lang", "zh").out
    assert arena("balance", "course.db", "--replay", "0").code == 1
    with Ledger.open(tmp_path / "bare.db") as ledger:
        ledger.register(SWEEP, [pair := cell(0, ("x@1", "x@2"), blocks=2)])
        ledger.put(duel_results(pair, [(1, 0)] * 2))
    assert "no records to play again" in arena("balance", "bare.db", "--replay", "3").out


SEVERAL_WORDS = re.compile(r"\b[a-z]{2,} [a-z]{2,} [a-z]{2,}")


def test_remarks_are_in_the_language_that_is_asked_for(arena: Arena, tmp_path: Path) -> None:
    """Every remark of the three commands occurs, and no line of them has three English words in a row."""
    cells = [cell(0, ("x@1", "x@2"), blocks=9), cell(1, ("x@1", "y@1"), blocks=1)]
    cells += [cell(2, ("u@1", "v@1"), blocks=40, seatings=[("u@1", "v@1")])]
    played: list[Sequence[Sequence[float]]] = [[(1, 0)] * 9, [(1, 0)], [(1,), (0,)] * 20]
    for i, won in enumerate([10, 30, 10, 30, 30, 10]):
        own = cell(len(cells), ("w@1", "w@1"), blocks=40, rulebook=f"gomoku/{i}")
        settings = {"size": (9, 13, 15)[i % 3], "caro": i > 2, "wide": i % 3 == 2}
        cells.append(replace(own, settings=settings))
        played.append([(1,)] * won + [(0,)] * (40 - won))
    late = cell(len(cells), ("w@1", "z@1"), blocks=80)
    cells, played = [*cells, late], [*played, [(1, 0)] * 3]
    for i in range(2):
        own = cell(len(cells), ("p@1", "q@1"), blocks=40, rulebook=f"gomoku/{6 + i}")
        cells.append(replace(own, settings={"size": (9, 13)[i]}))
        played.append([(1, 0)] * 40)
    with Ledger.open(tmp_path / "remarks.db") as ledger:
        ledger.register(SWEEP, cells)
        for own, outcomes in zip(cells, played, strict=True):
            ledger.put(duel_results(own, outcomes))
    said = {
        "leaderboard": "never met;every game: its;has one block;planned seats;in each group",
        "leaderboard --drift 30": "versions are rated",
        "leaderboard --detail --draws rao-kupper": "Rao and Kupper's law of draws",
        "leaderboard --first-seat both": "it depends on strength",
        "leaderboard --engine x@1": "Expected",
        "leaderboard --detail": "Top three;Davidson's law of draws: ratings are points of its own scale times 0.",
        "balance": "bounds nothing;few blocks (9);seat and strength;no verdict, and none",
        "balance --trend": "no trend",
        "balance --deals": "no deals",
        "balance --replay 3": "no records",
        "effects": "told apart;matter together;left out: 2",
    }
    for words, remarks in said.items():
        ran = arena(words.split()[0], "remarks.db", *words.split()[1:])
        assert ran.code == 0, ran.err
        for remark in remarks.split(";"):
            assert remark in ran.out, (words, remark)
        chinese = arena(words.split()[0], "remarks.db", *words.split()[1:], "--lang", "zh")
        assert not SEVERAL_WORDS.search(chinese.out), words
        assert "seat 0" not in chinese.out
