"""Small sweeps for the tests, and what their ledgers hold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.ledger import Ledger
from arena.plan import Plan, load_sweep, make_plan


def plan_of(
    tmp_path: Path,
    *,
    blocks: int = 40,
    rulebooks: str = '"chinese_checkers/small37", "chinese_checkers/west10_3"',
    engines: str = 'a = "random"\nb = {use = "random", version = "2"}',
    more: str = "",
) -> Plan:
    """A plan of quick games; its file is ``sweep.toml``."""
    path = tmp_path / "sweep.toml"
    path.write_text(
        f"""\
name = "trial"
seed = 11
blocks = {blocks}
pairing = ["self_play", "round_robin"]

[match]
max_plies = 200

[records]
keep = 0.1

{more}
[[games]]
rulebooks = [{rulebooks}]
opening_plies = 3

[engines]
{engines}
""",
        "utf-8",
    )
    return make_plan(load_sweep(path))


def contents(plan: Plan, ledger: Ledger) -> dict[str, dict[str, Any]]:
    """Every game of the sweep in the ledger, but for who played it and how fast."""
    found = {}
    for result in ledger.results(plan.sweep_id):
        fields = asdict(result)
        del fields["worker"], fields["seconds"]
        found[result.game_id] = fields
    return found


def undisturbed(plan: Plan, tmp_path: Path) -> dict[str, dict[str, Any]]:
    """What the ledger holds after a run in which nothing happened: exactly the plan."""
    from arena.cluster import run_sweep

    with Ledger.open(tmp_path / "undisturbed.db") as ledger:
        assert run_sweep(plan, ledger, workers=0).complete
        found = contents(plan, ledger)
    assert set(found) == {
        request.game_id
        for cell in plan.cells
        for request in plan.requests(cell, range(cell.blocks))
    }
    return found


def report(plan: Plan, where: Path) -> dict[str, bytes]:
    """The report of a ledger: its files by name."""
    from arena.report import build_report

    folder = where.with_suffix(".report")
    with Ledger.open(where) as ledger:
        build_report(ledger, folder, sweep_id=plan.sweep_id, replays=2)
    pages = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert len(pages) > 2
    return pages
