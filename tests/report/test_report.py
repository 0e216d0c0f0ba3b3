"""The report of a real little sweep: what is on the pages, and that nothing else decides it."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from arena.ledger import Ledger
from arena.report import ReportError, build_report
from arena.report.build import chosen_records
from arena.report.collect import collect
from tests.report.conftest import FOUL, SCRIPT, Fill, PlayedSweep

VOID_TAGS = {"meta", "link", "input", "br", "img", "hr"}


class Page(HTMLParser):
    """Reads a page strictly: every element closed in its order; links, scripts and text kept."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self.links += [value for key in ("href", "src") if (value := found.get(key))]
        if tag not in VOID_TAGS:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.text += data


@pytest.fixture(scope="module")
def folder(fill: Fill, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report to read, not to write to."""
    with fill() as ledger:
        return build_report(ledger, tmp_path_factory.mktemp("made") / "report").folder


def pages_of(folder: Path) -> dict[str, Page]:
    return {
        str(path.relative_to(folder)): Page(path.read_text("utf-8"))
        for path in sorted(folder.rglob("*.html"))
    }


def digest_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_bytes_follow_from_the_results_alone(fill: Fill, tmp_path: Path) -> None:
    digests = []
    for seed in (None, 1, 2):
        with fill(seed) as ledger:
            digests.append(digest_of(build_report(ledger, tmp_path / f"report {seed}").folder))
    assert digests[0] == digests[1] == digests[2]
    assert len(digests[0]) > 20


def test_one_other_result_changes_the_bytes(
    played: PlayedSweep, fill: Fill, folder: Path, tmp_path: Path
) -> None:
    with fill() as ledger:
        ledger.void(played.sweep.sweep_id, played.cells[1].cell_id, 0, "other")
        other = build_report(ledger, tmp_path / "other").folder
    assert digest_of(other) != digest_of(folder)


def test_every_link_leads_to_a_page_of_the_folder(folder: Path) -> None:
    pages = pages_of(folder)
    reached = {"index.html"}
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            assert not parts.scheme and not parts.netloc, f"{name} needs the network: {link}"
            if parts.path:
                target = (folder / name).parent / unquote(parts.path)
                assert target.is_file(), f"{name}: {link}"
                reached.add(str(target.resolve().relative_to(folder.resolve())))
    assert set(pages) <= reached
    marker = json.loads((folder / "report.json").read_text("utf-8"))
    assert marker["pages"] == sorted(pages)


def test_nothing_that_a_bot_says_becomes_markup(folder: Path) -> None:
    for name, page in pages_of(folder).items():
        for tag, attributes in page.tags:
            assert not any(key.startswith("on") for key in attributes), name
            assert tag not in ("img", "b") or not attributes, name
        scripts = re.findall(r"<script[^>]*>", (folder / name).read_text("utf-8"))
        for script in scripts:
            assert re.fullmatch(
                r'<script( src="[a-z./]+"( defer)?| type="application/json"'
                r' id="[a-z0-9-]+")>',
                script,
            ), name
    index = Page((folder / "index.html").read_text("utf-8"))
    assert f"{SCRIPT}@" in index.text and FOUL in index.text
    assert "<img src=x onerror=alert(2)>" in index.text and "a <b>bad</b> clock" in index.text


def test_file_names_are_plain(folder: Path) -> None:
    for path in folder.rglob("*"):
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", path.name)
    assert len(list((folder / "engines").iterdir())) == 3


def test_headings_are_in_both_languages(folder: Path) -> None:
    for name, page in pages_of(folder).items():
        english = sum(tag == "span" and a.get("lang") == "en" for tag, a in page.tags)
        chinese = sum(tag == "span" and a.get("lang") == "zh" for tag, a in page.tags)
        assert english == chinese > 5, name


def test_the_overview_says_what_is_missing(folder: Path, played: PlayedSweep) -> None:
    text = Page((folder / "index.html").read_text("utf-8")).text
    for wanted in (
        "Half-finished blocks",
        "Void blocks",
        "illegal move",
        played.sweep.plan_digest,
        played.sweep.sweep_id,
        "gomoku/freestyle15[size=9]",
    ):
        assert wanted in text
    # The foul bot lost by its own fault, game after game, and its page says how often.
    foul = next(p for n, p in pages_of(folder).items() if n.startswith("engines/a-vs-b"))
    assert "illegal move" in foul.text


def test_counts_reconcile(fill: Fill, played: PlayedSweep) -> None:
    with fill(3) as ledger:
        counted = collect(ledger)
    sweep = counted.sweeps[0]
    assert sweep.planned == sum(c.planned_blocks * len(c.seatings) for c in played.cells)
    for cell in sweep.cells:
        assert (
            cell.blocks + len(cell.half) + len(cell.void) + cell.missing == cell.cell.planned_blocks
        )
    last = sweep.cells[-1]
    assert (last.blocks, len(last.half), last.missing) == (2, 1, 1)
    assert (last.half[0].games, last.half[0].planned) == (1, len(last.cell.seatings))
    assert len(sweep.cells[0].void) == 1
    seats = sum(cell.games * cell.cell.seats for cell in sweep.cells)
    assert sum(c.seats for engine in counted.engines for c in engine.cells) == seats
    points = sum(c.seats * c.score for engine in counted.engines for c in engine.cells)
    assert points == pytest.approx(seats / 2)


def test_faults_are_counted_once_and_for_the_right_engine(fill: Fill, played: PlayedSweep) -> None:
    with fill() as ledger:
        counted = collect(ledger)
    assert {fault.engine for fault in counted.faults} == {f"{FOUL}@1"}
    void = (played.cells[0].cell_id, 1)
    wanted = sum(
        result.termination.name == "illegal_move"
        for result in played.results
        if (result.cell_id, result.block) != void
    )
    assert sum(fault.games for fault in counted.faults) == wanted > 10
    assert counted.sweeps[0].faults == wanted


def test_engines_with_few_of_their_games_are_flagged(fill: Fill, played: PlayedSweep) -> None:
    with fill() as ledger:
        before = {e.engine for e in collect(ledger).engines if e.underplayed}
        for cell in played.cells:
            if f"{FOUL}@1" in cell.lineup:
                for block in range(3):
                    ledger.void(played.sweep.sweep_id, cell.cell_id, block, "gone")
        counted = collect(ledger)
    flagged = {e.engine: e for e in counted.engines if e.underplayed}
    assert before == set()
    assert set(flagged) == {f"{FOUL}@1"}
    assert flagged[f"{FOUL}@1"].share == pytest.approx(1 / 4)


def test_replays_are_spread_over_the_cells_and_always_the_same(
    fill: Fill, played: PlayedSweep
) -> None:
    cells = len(played.cells)
    with fill() as first, fill(4) as second:
        chosen = chosen_records(first, collect(first), cells)
        again = chosen_records(second, collect(second), cells)
        few = chosen_records(first, collect(first), 2)
    assert [r.game_id for r in chosen] == [r.game_id for r in again]
    assert len({r.cell_id for r in chosen}) == cells == len(chosen)
    assert len({r.cell_id for r in few}) == 2
    assert all(r.record is not None for r in chosen)


def test_a_report_replaces_only_a_report(fill: Fill, tmp_path: Path) -> None:
    with fill() as ledger:
        folder = build_report(ledger, tmp_path / "report").folder
        (folder / "engines" / "stale.html").write_text("")
        before = digest_of(folder)
        build_report(ledger, folder)
        assert set(before) - set(digest_of(folder)) == {"engines/stale.html"}
        mine = tmp_path / "mine"
        mine.mkdir()
        (mine / "thesis.txt").write_text("precious")
        (mine / "report.json").write_text('{"pages": []}')  # somebody else's
        with pytest.raises(ReportError, match="mine"):
            build_report(ledger, mine)
        with pytest.raises(ReportError, match="file"):
            build_report(ledger, mine / "thesis.txt")
    assert (mine / "thesis.txt").read_text() == "precious"


def test_an_empty_ledger_is_said_to_be_empty(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "empty.db") as ledger, pytest.raises(ValueError, match="empty"):
        build_report(ledger, tmp_path / "report")
    assert not (tmp_path / "report").exists() and not (tmp_path / "report.partial").exists()


def test_a_sweep_without_a_game_has_a_report(played: PlayedSweep, tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "new.db") as ledger:
        ledger.register(played.sweep, played.cells)
        made = build_report(ledger, tmp_path / "report")
    assert made.replays == 0
    assert "No moves were kept" in Page((made.folder / "replays.html").read_text("utf-8")).text
