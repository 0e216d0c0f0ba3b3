"""`arena plan` and `arena sweep`: what a sweep file would play, and playing it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from arena.cli.errors import ExitCode
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import ledger_to_write

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from arena.cluster import Progress, SweepSummary
    from arena.plan import Cell, Plan

LINE_SECONDS = 10.0
"""Between lines of progress where there is no terminal to draw a bar on."""

PROBE_PLIES = 8
"""Random moves before the two that show how slow an engine is: first moves are too easy."""

GUESSED_PLIES = 60
"""Moves of a game that is too slow to be played for an estimate."""

BOOKING_S = 0.000_15
"""One core's time for what a game costs beside its play: its result, lease and row in the ledger."""

CELL_LINES = 6
"""Cells shown under the bar of the whole sweep."""

LABEL = 48
"""Characters of a cell's label there."""

SweepFile = Annotated[Path, typer.Argument(metavar="SWEEP.toml", help="The sweep file.")]


def plan(
    sweep_file: SweepFile,
    estimate: Annotated[
        bool, typer.Option(help="Play a few games of each cell to estimate the time.")
    ] = True,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Print exactly what a sweep would play: cells, blocks, games, and an estimate of time."""
    from arena.plan import load_sweep, make_plan, require_classes

    screen = Screen(lang, as_json)
    made = make_plan(load_sweep(sweep_file))
    require_classes(made)
    seconds = estimate_seconds(made) if estimate else None
    if screen.as_json:
        screen.document(plan_document(made, seconds))
        return
    print_plan(screen, made)
    if seconds is not None:
        cores = os.cpu_count() or 1
        outside = sum(cell.games for cell in made.cells if not _inside(cell))
        screen.line(
            screen.say(
                f"estimate for the built-in engines: {_span(seconds)} of one core, "
                f"{_span(seconds / cores)} on the {cores} of this machine",
                f"内置引擎估计：单核 {_span(seconds)}，本机 {cores} 核 {_span(seconds / cores)}",
            )
            + (
                screen.say(
                    f"; {outside:,} games of other engines not counted",
                    f"；另有外部引擎 {outside:,} 局未计",
                )
                if outside
                else ""
            )
        )


def plan_document(made: Plan, seconds: float | None) -> dict[str, Any]:
    """A plan for `--json`."""
    return {
        "name": made.spec.name,
        "sweep_id": made.sweep_id,
        "digest": made.digest,
        "seed": made.spec.seed,
        "games": made.games,
        "blocks": made.blocks,
        "core_seconds": round(seconds, 3) if seconds is not None else None,
        "engines": [
            {"id": e.id, "name": e.name, "version": e.version, "kind": e.kind, "target": e.target}
            for e in made.engines
        ],
        "cells": [
            {
                "id": cell.id,
                "rulebook": cell.game.label,
                "seats": cell.game.seats,
                "pairing": cell.pairing,
                "lineup": [engine.id for engine in cell.lineup],
                "seatings": cell.seatings,
                "blocks": cell.blocks,
                "games": cell.games,
                "opening_plies": cell.opening_plies,
            }
            for cell in made.cells
        ],
        "skipped": made.skipped,
        "merged": made.merged,
    }


def print_plan(screen: Screen, made: Plan) -> None:
    """The table of a plan and its totals."""
    screen.table(
        screen.say(f"Plan of {made.spec.name}", f"计划 {made.spec.name}"),
        (
            screen.say("Rulebook", "规则集"),
            screen.say("Line-up", "阵容"),
            screen.say("Blocks", "组"),
            screen.say("Games a block", "每组局数"),
            screen.say("Games", "对局"),
        ),
        [
            (
                cell.game.label,
                cell.lineup_label,
                f"{cell.blocks:,}",
                str(len(cell.seatings)),
                f"{cell.games:,}",
            )
            for cell in made.cells
        ],
        right=(2, 3, 4),
    )
    for line in made.skipped:
        screen.line(screen.say("left out: ", "略去：") + clean(line))
    for line in made.merged:
        screen.line(screen.say("same rules: ", "规则相同：") + clean(line))
    screen.line(
        screen.say(
            f"{made.games:,} games in {made.blocks:,} blocks of {len(made.cells):,} cells; "
            f"plan {made.digest}",
            f"共 {made.games:,} 局，{made.blocks:,} 组，{len(made.cells):,} 个单元；"
            f"计划摘要 {made.digest}",
        )
    )
    if made.stop is not None:
        screen.line(
            screen.say("at most: cells end sooner by [stop]", "此为上限：达到 [stop] 条件提前结束")
        )


def estimate_seconds(made: Plan, budget: float = 2.0) -> float | None:
    """Core seconds of the cells that the core plays alone, measured on their first blocks.

    Each cell gets its share of `budget` seconds. An engine too slow for a whole game in it is
    measured on two moves and takes `GUESSED_PLIES` a game. Where the budget is spent, the
    other cells count as the mean of the measured ones. None where no cell is of built-in
    engines only.
    """
    cells = [cell for cell in made.cells if _inside(cell)]
    measured: list[tuple[float, int]] = []
    begun = time.perf_counter()
    for index, cell in enumerate(cells):
        left = budget - (time.perf_counter() - begun)
        if left <= 0:
            break
        measured.append((_seconds_a_game(made, cell, left / (len(cells) - index)), cell.games))
    if not measured:
        return None
    known = sum(seconds * games for seconds, games in measured)
    per_game = sum(seconds for seconds, _ in measured) / len(measured)
    return known + per_game * sum(cell.games for cell in cells[len(measured) :])


def _inside(cell: Cell) -> bool:
    """Whether the core plays the cell's games alone."""
    from arena.players.spec import EngineKind

    return all(engine.kind is EngineKind.BUILTIN for engine in cell.lineup)


def _seconds_a_game(made: Plan, cell: Cell, budget: float) -> float:
    """Mean over the games of as many blocks as fit into `budget` seconds."""
    probe = GUESSED_PLIES / 2 * _seconds_of_block(made, cell, 0, PROBE_PLIES, PROBE_PLIES + 2)
    if probe / len(cell.seatings) > budget:
        return probe / len(cell.seatings)
    spent, block = 0.0, 0
    while block < cell.blocks and spent < budget:
        limit = made.spec.match.max_plies
        spent += _seconds_of_block(made, cell, block, cell.opening_plies, limit)
        block += 1
    return spent / (block * len(cell.seatings)) + BOOKING_S


def _seconds_of_block(
    made: Plan, cell: Cell, block: int, opening_plies: int, max_plies: int
) -> float:
    from arena import _core

    tasks = [
        _core.PlayTask(
            [engine.target for engine in request.engines],
            deal_seed=request.deal_seed,
            engine_seed=request.engine_seed,
            opening_plies=opening_plies,
            max_plies=max_plies,
        )
        for request in made.requests(cell, range(block, block + 1))
    ]
    # The processor's time: what else runs on this machine now is no part of the estimate.
    started = time.process_time()
    cell.game.core.play(tasks)
    return time.process_time() - started


def sweep(
    sweep_file: SweepFile,
    ledger: Annotated[
        str | None,
        typer.Option(
            help="Where results go: a path or a postgresql:// URL. Default: runs/<sweep name>.db"
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(help="Address of a running Ray cluster, such as auto. Default: this machine."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes, all cores by default; 0: this process alone."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="Write the report into this folder at the end.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Play what is missing of a sweep. Interrupt it at any time; the same command goes on."""
    from arena.cli.balance import weigh
    from arena.cli.balance_tables import print_balance
    from arena.cli.ratings import print_board
    from arena.cli.results import board_document, fit
    from arena.cluster import run_sweep
    from arena.ledger import Ledger
    from arena.plan import load_sweep, make_plan

    screen = Screen(lang, as_json)
    made = make_plan(load_sweep(sweep_file))
    where = ledger_to_write(ledger, made.spec.name)
    with Ledger.open(where) as opened:
        where = opened.name  # a URL without its password
        with Watch(screen, made.games) as watch:
            summary = run_sweep(
                made,
                opened,
                address=address,
                workers=workers,
                on_progress=watch.show,
                on_wait=watch.say,
            )
        boards = fit(opened, made.sweep_id)
        cells = weigh(opened, made.sweep_id)
        self_play = {c.cell_id for c in opened.cells(made.sweep_id) if len(set(c.lineup)) == 1}
        folder = None
        if report is not None and not summary.interrupted:
            from arena.report import build_report

            folder = build_report(opened, report, sweep_id=made.sweep_id).folder
    if screen.as_json:
        screen.document(
            {
                "ledger": where,
                "plan_digest": made.digest,
                "summary": summary,
                "complete": summary.complete,
                "leaderboards": [board_document(board) for board in boards],
                "balance": cells,
                "report": folder,
            }
        )
    else:
        for board in boards:
            print_board(screen, board)
        own = [cell for cell in cells if cell.cell_id in self_play]
        if own or not cells:
            print_balance(screen, own)
        if len(own) < len(cells):
            rest = len(cells) - len(own)
            screen.line(
                screen.say(
                    f"balance of {rest:,} line-ups of different engines: arena balance {quote(where)}",
                    f"不同引擎之间的 {rest:,} 个阵容的平衡性：arena balance {quote(where)}",
                )
            )
        _print_end(screen, summary, where, folder)
    code = exit_code(summary)
    if code:
        raise typer.Exit(code)


def exit_code(summary: SweepSummary) -> ExitCode:
    """What the shell is told of a run."""
    if summary.interrupted:
        return ExitCode.INTERRUPTED
    if summary.faults or summary.parked or not summary.complete:
        return ExitCode.FAULTS
    return ExitCode.OK


def _print_end(screen: Screen, summary: SweepSummary, where: str, folder: Path | None) -> None:
    rate = summary.games_played / summary.seconds if summary.seconds > 0 else 0.0
    screen.line(
        screen.say(
            f"{summary.games_done:,} of {summary.games_planned:,} games are in {where}; "
            f"{summary.games_played:,} played now in {_span(summary.seconds)}, {rate:,.1f} games/s",
            f"{where} 中有 {summary.games_done:,}/{summary.games_planned:,} 局；本次下了 "
            f"{summary.games_played:,} 局，用时 {_span(summary.seconds)}，{rate:,.1f} 局/秒",
        )
    )
    if summary.games_spared:
        screen.line(
            screen.say(
                f"{summary.games_spared:,} games behind a [stop] were not needed",
                f"达到 [stop] 条件，省去 {summary.games_spared:,} 局",
            )
        )
    for cause, games in sorted(summary.faults.items()):
        screen.line(screen.say("fault: ", "故障：") + f"{cause} {games:,}")
    for parked in summary.parked:
        blocks = f"{parked.start}..{parked.stop - 1}"
        screen.line(
            screen.say("parked: ", "搁置：") + clean(f"{parked.label}, {blocks}: {parked.cause}")
        )
    if len(summary.workers) > 1:
        screen.table(
            "",
            (
                screen.say("Worker", "工作进程"),
                screen.say("Games", "对局"),
                screen.say("Games/s", "局/秒"),
            ),
            [(w.name, f"{w.games:,}", f"{w.games_per_second:,.1f}") for w in summary.workers],
            right=(1, 2),
        )
    for note in summary.notes:
        screen.line(clean(note))
    if folder is not None:
        screen.line(screen.say("report: ", "报告：") + str(folder / "index.html"))
    if summary.interrupted:
        screen.note(
            screen.say(
                "arena: interrupted; the same command goes on", "arena: 已中断；重复同一命令可继续"
            )
        )


class Watch:
    """Shows a running sweep on standard error: a bar on a terminal, else a line now and then."""

    def __init__(self, screen: Screen, games: int) -> None:
        """`games` are planned as far as is known."""
        self._screen = screen
        self._games = games
        self._bar: Bar | None = None
        self._last = time.monotonic()

    def __enter__(self) -> Self:
        """Begin."""
        console = self._screen.console(stderr=True)
        if console.is_terminal:
            from rich.progress import BarColumn, Progress, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[numbers]}", markup=False),
                console=console,
            )
            self._bar.start()
            say = self._screen.say
            self._all = self._bar.add_task(say("games", "对局"), total=self._games, numbers="")
            self._cells = [
                self._bar.add_task("", total=1, numbers="", visible=False)
                for _ in range(CELL_LINES)
            ]
        return self

    def __exit__(self, *error: object) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def show(self, progress: Progress) -> None:
        """One report of the driver."""
        for message in progress.messages:
            self.say(clean(message))
        if self._bar is None:
            if time.monotonic() - self._last >= LINE_SECONDS:
                self._last = time.monotonic()
                self.say(self._numbers(progress))
            return
        self._bar.update(
            self._all,
            total=progress.games_planned - progress.games_spared,
            completed=progress.games_done,
            numbers=self._numbers(progress),
        )
        # The cells that are being played, in plan order: what is whole needs no line.
        open_cells = [c for c in progress.cells if c.done + c.void + c.spared < c.planned]
        active = sorted(open_cells, key=lambda cell: not cell.games)[:CELL_LINES]
        for task, cell in zip(self._cells, active, strict=False):
            faults = self._screen.say(f", {cell.faults} faults", f"，故障 {cell.faults}")
            self._bar.update(
                task,
                description=clean(cell.label)[:LABEL],
                total=cell.planned,
                completed=cell.done,
                numbers=f"{cell.done:,}/{cell.planned:,}" + (faults if cell.faults else ""),
                visible=True,
            )
        for task in self._cells[len(active) :]:
            self._bar.update(task, visible=False)

    def say(self, text: str) -> None:
        """A line beside the bar."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False)
        else:
            self._screen.note(text)

    def _numbers(self, progress: Progress) -> str:
        eta = _span(progress.eta_seconds) if progress.eta_seconds is not None else "?"
        text = f"{progress.games_done:,}/{progress.games_planned - progress.games_spared:,}"
        text += self._screen.say(
            f"  {progress.games_per_second:,.1f} games/s, {eta} to go",
            f"  {progress.games_per_second:,.1f} 局/秒，剩余 {eta}",
        )
        faults = sum(progress.faults.values())
        if faults:
            text += self._screen.say(f", {faults:,} faults", f"，故障 {faults:,}")
        return text


def _span(seconds: float) -> str:
    """A time span in the two largest units: "1 h 05 min", "12 min 30 s", "4.2 s"."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"
