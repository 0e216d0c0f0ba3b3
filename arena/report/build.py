"""Builds the folder: counts, fits, renders, and puts it in place in one step."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena import _core
from arena.balance import CellBalance, MeasureBalance, balance
from arena.balance.control import Controlled, controlled
from arena.balance.course import CourseBalance
from arena.balance.deals import FEATURES
from arena.balance.trend import Trend, trends
from arena.games import Names, family
from arena.games.contract import RulesError
from arena.plan.tournament import stopping_warning
from arena.ratings import Interval, Leaderboard, leaderboard
from arena.ratings.history import steps
from arena.report.charts import Interval as ChartInterval
from arena.report.charts import intervals
from arena.report.collect import Collected, collect
from arena.report.course import COURSE, courses_of
from arena.report.events import WORDS, event_pages
from arena.report.names import page_name
from arena.report.replay import Replay, replay_of
from arena.report.site import Site
from arena.report.text import (
    ShownMeasure,
    family_names,
    law_names,
    measure_of,
    party_names,
    role_names,
)

if TYPE_CHECKING:
    from arena.ledger import GameResult, Ledger

MARKER = "report.json"
"""Says that a folder is a report, and which pages it has."""

KIND = "arena report"

REPLAYS = 60
"""Replay pages of a report unless told otherwise."""

REPLAY_MOVES = 6_000
"""Moves of all replays together: each is a picture that takes a millisecond or two to draw."""

DRIFT = 30.0
"""Elo from one version of an engine to the next, beforehand, unless told otherwise."""

CROSS_TABLE = 24
"""Engines of the largest cross table; beyond it each engine's own page has the numbers."""


class ReportError(ValueError):
    """A report that cannot be written there, or of that ledger."""


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """What was written."""

    folder: Path
    pages: int
    replays: int
    skipped: tuple[str, ...]
    """Records that today's rules refuse, with the reason."""


@dataclass(frozen=True, slots=True)
class FamilyPages:
    """One game of the report: where its pages are and what they show."""

    id: str
    names: Names
    board: Leaderboard
    cells: tuple[CellBalance, ...]
    selfplay: frozenset[str]
    """Ids of the cells in which one engine has all seats."""

    trends: tuple[Trend, ...]
    deals: tuple[Controlled, ...]
    courses: tuple[CourseBalance, ...]
    history: Leaderboard | None
    """Versions of engines rated by their whole history; None where none has two."""

    drift: float

    def short(self, rulebook: str) -> str:
        """A rulebook's label without the game, which the page's heading names."""
        return rulebook.removeprefix(f"{self.id}/")

    @property
    def board_page(self) -> str:
        """Page of the leaderboard."""
        return f"leaderboard-{self.id}.html"

    @property
    def balance_page(self) -> str:
        """Page of the balance of variants."""
        return f"balance-{self.id}.html"


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """One replay in the list of replays."""

    page: str
    result: GameResult
    replay: Replay


def build_report(
    ledger: Ledger,
    folder: str | Path,
    *,
    sweep_id: str | None = None,
    replays: int = REPLAYS,
    drift: float = DRIFT,
    course: int = COURSE,
) -> ReportSummary:
    """Write the report of one sweep, or of all sweeps of a ledger, as a folder of pages.

    `replays` is the largest number of replay pages; which games they show follows from
    their identity. `drift` is how far, in Elo, one version of an engine is from the next beforehand.
    `course` is the largest number of blocks of a cell whose records are played again for the moves to
    choose from and changes of the lead; fewer than 2 leave them out. An earlier report in the folder is
    replaced as a whole once the new one is complete. Raises ReportError where the folder holds something else or cannot be written.
    """
    folder = Path(folder)
    _refuse_foreign(folder)
    place = folder.resolve()
    partial = place.with_name(place.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        summary = _Builder(ledger, partial, sweep_id, drift, course).build(replays)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(error, OSError):
            raise ReportError(f"{folder}: cannot write: {error.strerror or error}") from error
        raise
    if place.exists():
        shutil.rmtree(place)
    partial.rename(place)
    return ReportSummary(folder, summary.pages, summary.replays, summary.skipped)


def _refuse_foreign(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise ReportError(f"{folder}: is a file; a report needs a folder of its own")
    if folder.is_dir() and any(folder.iterdir()) and not _is_report(folder):
        raise ReportError(f"{folder}: holds something that is no report; name a new folder")


def _is_report(folder: Path) -> bool:
    try:
        marker = json.loads((folder / MARKER).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(marker, dict) and marker.get("kind") == KIND


class _Builder:
    def __init__(
        self, ledger: Ledger, folder: Path, sweep_id: str | None, drift: float, course: int
    ) -> None:
        self.ledger = ledger
        self.course = course
        self.counted = collect(ledger, sweep_id)
        self.engine_pages = {
            engine.engine: f"engines/{page_name(engine.engine)}.html"
            for engine in self.counted.engines
        }
        selfplay = frozenset(
            count.cell.cell_id
            for sweep in self.counted.sweeps
            for count in sweep.cells
            if len(set(count.cell.lineup)) == 1
        )
        self.families = tuple(self._family(each, selfplay, drift) for each in self.counted.families)
        self.events = event_pages(ledger, self.counted)
        links = [{"href": "index.html", "en": "Overview", "zh": "概览"}]
        for event in self.events:
            links.append({"href": event.page, "en": event.name, "zh": event.name})
        for each in self.families:
            en, zh = each.names.en, each.names.zh
            links.append({"href": each.board_page, "en": f"{en}: ratings", "zh": f"{zh}：排名"})
            links.append({"href": each.balance_page, "en": f"{en}: balance", "zh": f"{zh}：平衡"})
        links.append({"href": "replays.html", "en": "Replays", "zh": "棋谱"})
        warning = stopping_warning(count.sweep.spec for count in self.counted.sweeps)
        self.site = Site(folder, links, warning)

    def _family(self, each: str, selfplay: frozenset[str], drift: float) -> FamilyPages:
        table = self.counted.tables[each]
        board = leaderboard(table, each)
        deals: list[Controlled] = []
        if each in FEATURES:
            for count in self.counted.sweeps:
                own = self.ledger.table(count.sweep.sweep_id, family=each)
                drawn = self.ledger.drawn(count.sweep.sweep_id)
                deals += controlled(own, count.sweep, drawn)
        versions = steps(entry.engine for entry in board.entries)
        return FamilyPages(
            id=each,
            names=_family_names(each),
            board=board,
            cells=tuple(balance(table)),
            selfplay=selfplay,
            trends=tuple(trends(table)),
            deals=tuple(deals),
            courses=courses_of(self.ledger, self.counted, each, self.course),
            history=leaderboard(table, each, drift=drift) if versions else None,
            drift=drift,
        )

    def build(self, replays: int) -> ReportSummary:
        site, counted = self.site, self.counted
        site.write_static()
        shown, skipped = self._replays(replays)
        site.page(
            "index.html",
            "index.html.j2",
            "Overview / 概览",
            counted=counted,
            families=self.families,
            engine_pages=self.engine_pages,
            replays=len(shown),
        )
        for event in self.events:
            site.page(
                event.page,
                "event.html.j2",
                event.name,
                shown=event,
                engine_pages=self.engine_pages,
                replays={game.result.game_id: game.page for game in shown},
                **WORDS,
            )
        for each in self.families:
            self._board(each)
            self._balance(each)
        for engine in counted.engines:
            self._engine(engine.engine, shown)
        site.page("replays.html", "replays.html.j2", "Replays / 棋谱", shown=shown, skipped=skipped)
        for each_replay in shown:
            site.page(
                each_replay.page,
                "replay.html.j2",
                f"{each_replay.replay.label} {each_replay.replay.identity[:8]}",
                replay=each_replay.replay,
            )
        marker = {"kind": KIND, "format": 1, "pages": sorted(site.pages)}
        site.write(MARKER, json.dumps(marker, indent=1) + "\n")
        return ReportSummary(site.folder, len(site.pages), len(shown), tuple(skipped))

    def _board(self, each: FamilyPages) -> None:
        board = each.board
        rated = [e for e in board.entries if math.isfinite(e.low) and math.isfinite(e.high)]
        chart = intervals(
            [ChartInterval(e.engine, e.elo, e.low, e.high) for e in rated], "Elo", 0.0
        )
        first = intervals(
            [
                ChartInterval(
                    each.short(f.rulebook), f.advantage.value, f.advantage.low, f.advantage.high
                )
                for f in board.first_seat
                if math.isfinite(f.advantage.low) and math.isfinite(f.advantage.high)
            ],
            "Elo of moving first / 先手等级分",
            0.0,
        )
        engines = [entry.engine for entry in board.entries][:CROSS_TABLE]
        meetings = {e.engine: {m.opponent: m for m in e.opponents} for e in board.entries}
        self.site.page(
            each.board_page,
            "leaderboard.html.j2",
            f"{each.names.en} / {each.names.zh}",
            each=each,
            board=board,
            law=law_names(board.law),
            chart=chart if rated else None,
            first_chart=first if board.first_seat else None,
            cross=engines,
            meetings=meetings,
            engine_pages=self.engine_pages,
        )

    def _balance(self, each: FamilyPages) -> None:
        self.site.page(
            each.balance_page,
            "balance.html.j2",
            f"{each.names.en} / {each.names.zh}",
            each=each,
            two=[cell for cell in each.cells if cell.seats == 2],
            teams=[cell for cell in each.cells if cell.by_party],
            many=[cell for cell in each.cells if cell.seats > 2 and not cell.by_party],
            measures=measure_tables(each),
            charts=balance_charts(each),
            remarks=remarks_of(each),
            family=family_names(each.cells[0].verdict) if each.cells else None,
        )

    def _engine(self, engine: str, shown: Sequence[ReplayPage]) -> None:
        count = next(e for e in self.counted.engines if e.engine == engine)
        entries = [
            (each, entry)
            for each in self.families
            for entry in each.board.entries
            if entry.engine == engine
        ]
        self.site.page(
            self.engine_pages[engine],
            "engine.html.j2",
            engine,
            engine=engine,
            count=count,
            entries=entries,
            engine_pages=self.engine_pages,
            shown=[game for game in shown if engine in game.result.engines],
        )

    def _replays(self, limit: int) -> tuple[list[ReplayPage], list[str]]:
        shown: list[ReplayPage] = []
        skipped: list[str] = []
        for result in chosen_records(self.ledger, self.counted, limit):
            try:
                replay = replay_of(result, self.engine_pages)
            except (RulesError, _core.IllegalMove, _core.SetupError) as error:
                skipped.append(f"{result.game_id}: {error}")
                continue
            shown.append(ReplayPage(f"replays/{page_name(result.game_id)}.html", result, replay))
        return shown, skipped


def chosen_records(ledger: Ledger, counted: Collected, limit: int) -> list[GameResult]:
    """Up to `limit` kept games of up to `REPLAY_MOVES` moves, the same ones every time.

    Every cell gives its first game, then every cell its second, and so on.
    """
    cells = [(s.sweep.sweep_id, c.cell.cell_id) for s in counted.sweeps for c in s.cells]
    if not cells or limit <= 0:
        return []
    if len(cells) > limit:
        cells = [cells[index * len(cells) // limit] for index in range(limit)]
    share = -(-limit // len(cells))
    kept = [list(ledger.records(sweep, cell_id=cell, limit=share)) for sweep, cell in cells]
    chosen: list[tuple[int, int, GameResult]] = []
    moves = REPLAY_MOVES
    for rank in range(share):
        for index, results in enumerate(kept):
            if rank < len(results) and len(chosen) < limit and results[rank].plies <= moves:
                chosen.append((index, rank, results[rank]))
                moves -= results[rank].plies
    return [result for _, _, result in sorted(chosen, key=lambda choice: choice[:2])]


def measure_tables(
    each: FamilyPages,
) -> list[tuple[ShownMeasure, list[tuple[CellBalance, MeasureBalance]]]]:
    """Every measure of a family with the cells that have it."""
    names = dict.fromkeys(own.name for cell in each.cells for own in cell.measures)
    return [
        (
            measure_of(each.id, name),
            [(cell, own) for cell in each.cells for own in cell.measures if own.name == name],
        )
        for name in names
    ]


def remarks_of(each: FamilyPages) -> dict[Names, list[str]]:
    """Each remark of the statistics with the cells it is about."""
    remarks: dict[Names, list[str]] = {}
    for cell in each.cells:
        for note in cell.notes:
            remarks.setdefault(note, []).append(f"{each.short(cell.rulebook)}, {cell.level}")
    return remarks


def balance_charts(each: FamilyPages) -> list[dict[str, object]]:
    """Charts of a family's balance: first seat, roles, and seats where there are more than two.

    Where engines played themselves these cells are shown, because they measure the rules;
    meetings of different engines are in the tables.
    """
    selfplay = [c for c in each.cells if c.cell_id in each.selfplay] or list(each.cells)
    short = each.short
    charts: list[dict[str, object]] = []
    two = [cell for cell in selfplay if cell.seats == 2]
    if two:
        charts.append(
            {
                "id": "first-seat",
                "en": "Points of the first seat, by rulebook and strength",
                "zh": "先手得分率（按规则集与棋力）",
                "figure": intervals(
                    [
                        _share(short(cell.rulebook), cell.by_seat[0].score, cell.level)
                        for cell in two
                    ],
                    "points of seat 0, % / 先手得分率 %",
                    50.0,
                ),
            }
        )
    swapped = [cell for cell in selfplay if _swaps(cell) and not cell.by_party]
    if swapped:
        rows = [
            _share(
                f"{short(cell.rulebook)}, {cell.level}",
                role.score,
                " / ".join(dict.fromkeys((names.en, names.zh))),
            )
            for cell in swapped
            for role in cell.by_role
            for names in [role_names(role.role)]
        ]
        rows.sort(key=lambda row: row.group)
        charts.append(
            {
                "id": "roles",
                "en": "Points by role, where roles change seats",
                "zh": "角色可换座位时各角色得分率",
                "figure": intervals(rows, "points, % / 得分率 %", 50.0),
            }
        )
    teams = [cell for cell in selfplay if cell.by_party]
    if teams:
        rows = [
            _share(
                f"{short(cell.rulebook)}, {cell.level}",
                party.score,
                " / ".join(dict.fromkeys((names.en, names.zh))),
            )
            for cell in teams
            for party in cell.by_party
            for names in [party_names(party.roles)]
        ]
        rows.sort(key=lambda row: row.group)
        charts.append(
            {
                "id": "sides",
                "en": "Points by side",
                "zh": "各方得分率",
                "figure": intervals(rows, "points, % / 得分率 %", 50.0),
            }
        )
    alone = [cell for cell in selfplay if cell.seats > 2 and not cell.by_party]
    for seats in sorted({cell.seats for cell in alone}):
        rows = [
            _share(
                f"{short(cell.rulebook)}, {cell.level}",
                seat.wins,
                f"seat {seat.seat} / 座位 {seat.seat}",
            )
            for cell in alone
            if cell.seats == seats
            for seat in cell.by_seat
        ]
        rows.sort(key=lambda row: row.group)
        charts.append(
            {
                "id": f"seats-{seats}",
                "en": f"Wins by seat, {seats} seats",
                "zh": f"各座位胜率（{seats} 人）",
                "figure": intervals(rows, "share of wins, % / 胜率 %", 100 / seats),
            }
        )
    return charts


def _swaps(cell: CellBalance) -> bool:
    """Whether roles tell more than seats do: a role's score differs from its seat's."""
    seats = {round(seat.score.value, 9) for seat in cell.by_seat}
    return any(round(role.score.value, 9) not in seats for role in cell.by_role)


def _share(label: str, interval: Interval, group: str) -> ChartInterval:
    return ChartInterval(
        label, 100 * interval.value, 100 * interval.low, 100 * interval.high, group
    )


def _family_names(family_id: str) -> Names:
    try:
        return family(family_id).names
    except RulesError:  # a ledger of another build: its numbers are still worth a page
        return Names(family_id, family_id)
