"""The example sweeps load, plan, and play what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

import arena
from arena.games import family
from arena.plan import Plan, SweepError, load_sweep, make_plan
from arena.plan.tournament import load_event
from arena.plan.tournament.load import presets
from arena.plan.tournament.spec import Format, TieBreak
from arena.players.spec import EngineKind

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENTS = {path for path in EXAMPLES.glob("*.toml") if "[[stages]]" in path.read_text("utf-8")}
SWEEPS = sorted(set(EXAMPLES.glob("*.toml")) - EVENTS)


def example(name: str) -> Plan:
    return make_plan(load_sweep(EXAMPLES / name))


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.name)
def test_every_example_plans(path: Path) -> None:
    plan = make_plan(load_sweep(path))
    assert plan.games > 1000
    assert plan.spec.name == path.stem
    for cell in plan.cells:
        (first, *_) = plan.requests(cell, range(1))
        assert first.game.new_state(first.deal_seed).seats_to_act()


def test_quickstart_has_both_games_and_a_bot_over_grpc() -> None:
    plan = example("quickstart.toml")
    assert {cell.game.family.id for cell in plan.cells} == {"gomoku", "chinese_checkers"}
    assert {engine.kind for engine in plan.engines} == {EngineKind.BUILTIN, EngineKind.COMMAND}


def test_first_move_plays_every_chinese_checkers_rulebook_at_every_strength() -> None:
    plan = example("chinese-checkers-first-move.toml")
    digests = {book.rules.digest for book in family("chinese_checkers").rulebooks.values()}
    assert {cell.game.rules.digest for cell in plan.cells} == digests
    assert len(plan.cells) == len(digests) * len(plan.engines)


def test_gomoku_forbidden_varies_every_foul_and_every_opening_rule() -> None:
    plan = example("gomoku-forbidden.toml")
    rules = [cell.game.rules.settings() for cell in plan.cells]
    for setting in ("double_three_black", "double_four_black", "overline_black"):
        assert len({settings[setting] for settings in rules}) >= 2, setting
    assert len({settings["forbidden_enforcement"] for settings in rules}) == 3
    openings = {
        arena.game(name).rules.settings()["opening"] for name in arena.rulebooks("gomoku/*")
    }
    assert openings - {settings["opening"] for settings in rules} <= {"book"}


def test_the_sweep_file_of_the_researchers_page_plans_and_its_mistake_is_refused(
    tmp_path: Path,
) -> None:
    page = (EXAMPLES.parent / "docs" / "researchers.md").read_text("utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    path = tmp_path / "my-sweep.toml"
    path.write_text(text, "utf-8")
    plan = make_plan(load_sweep(path))
    assert {cell.blocks for cell in plan.cells} == {100, 200}
    path.write_text(text.replace("pegs = [", "peg = ["), "utf-8")
    with pytest.raises(SweepError) as caught:
        make_plan(load_sweep(path))
    shown = next(line for line in page.splitlines() if line.startswith("my-sweep.toml:"))
    assert str(caught.value) == f"{tmp_path}/{shown}"


def test_the_event_file_of_the_organisers_page_plans_and_its_mistake_is_refused(
    tmp_path: Path,
) -> None:
    page = (EXAMPLES.parent / "docs" / "tournaments.md").read_text("utf-8")
    text = page.split("```toml\n")[1].split("```")[0]
    path = tmp_path / "spring-cup.toml"
    path.write_text(text, "utf-8")
    assert [stage.format for stage in load_event(path).stages] == ["groups", "knockout"]
    path.write_text(text.replace("advance = 2", "advance = 2\nrounds = 5"), "utf-8")
    with pytest.raises(SweepError) as caught:
        load_event(path)
    shown = next(line for line in page.splitlines() if line.startswith("spring-cup.toml:"))
    assert str(caught.value) == f"{tmp_path}/{shown}"


def test_the_page_names_every_format_preset_and_tie_break() -> None:
    page = (EXAMPLES.parent / "docs" / "tournaments.md").read_text("utf-8")
    for name in [*Format, *TieBreak, *presets()]:
        assert f"`{name}`" in page, name
