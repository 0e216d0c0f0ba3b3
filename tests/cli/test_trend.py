"""`arena balance --trend` on a ledger of made-up games."""

from __future__ import annotations

import json
from pathlib import Path

from arena.ledger import Ledger
from tests.balance.test_trend import RATED, WORTH
from tests.cli.conftest import Arena
from tests.ledger.samples import SWEEP, cell
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
    assert found["slope"]["low"] < found["slope"]["value"] < found["slope"]["high"]
