"""`arena tournament`: plays an event, and prints its brackets and tables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import ExitCode
from arena.cli.event_text import bracket
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import ledger_to_write
from arena.report import event_text as text

if TYPE_CHECKING:
    from arena.cluster.event import EventRun
    from arena.ledger import Ledger
    from arena.plan.tournament import Event, EventSpec, StageStory
    from arena.plan.tournament.standings import Row, Table
    from arena.plan.tournament.values import Match


def tournament(
    event_file: Annotated[Path, typer.Argument(metavar="EVENT.toml", help="The event file.")],
    ledger: Annotated[
        str | None,
        typer.Option(
            help="Where results go: a path or a postgresql:// URL. Default: runs/<event name>.db"
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
    show: Annotated[
        bool, typer.Option("--show", help="Play nothing: show what there is, and what is next.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Play what is missing of an event, round by round. Interrupt it at any time; the same
    command goes on, to the same end.
    """
    from arena.cli.sweep import Watch
    from arena.cluster.event import run_event
    from arena.plan.tournament import load_event

    screen = Screen(lang, as_json)
    spec = load_event(event_file)
    where = ledger_to_write(ledger, spec.name)
    with _opened(where, show) as opened, Watch(screen, 0) as watch:
        run = run_event(
            spec,
            opened,
            address=address,
            workers=workers,
            on_progress=watch.show,
            play=not show,
            on_wait=watch.say,
        )
    where = where if "://" not in where else opened.name  # a URL without its password
    if screen.as_json:
        screen.document(event_document(spec, run, where))
    else:
        print_event(screen, spec, run, where)
    code = exit_code(run, show)
    if code:
        raise typer.Exit(code)


@contextmanager
def _opened(where: str, show: bool) -> Iterator[Ledger]:
    """The event's ledger; who only looks leaves none where there was none."""
    from arena.ledger import Ledger

    if show and "://" not in where and not Path(where).exists():
        with TemporaryDirectory() as folder, Ledger.open(Path(folder) / "none.db") as empty:
            yield empty
    else:
        with Ledger.open(where, create=not show) as opened:
            yield opened


def exit_code(run: EventRun, show: bool) -> ExitCode:
    """What the shell is told of a run."""
    if run.interrupted:
        return ExitCode.INTERRUPTED
    if run.faults or not (run.complete or show):
        return ExitCode.FAULTS
    return ExitCode.OK


def event_document(spec: EventSpec, run: EventRun, where: str) -> dict[str, Any]:
    """An event for `--json`. What is not over yet is null."""
    from arena.plan.tournament import BIASED

    event = run.programme.event
    name = {number: entrant.name for number, entrant in event.entrants.items()}
    return {
        "name": spec.name,
        "ledger": where,
        "sweep_id": run.sweep_id,
        "game": event.cast.game.label,
        "complete": run.complete,
        "interrupted": run.interrupted,
        "games": run.games,
        "games_played": run.games_played,
        "faults": run.faults,
        "parked": run.parked,
        "voided": run.voided,
        "entrants": [
            {"number": e.number, "name": e.name, "boards": e.boards}
            for e in event.entrants.values()
        ],
        "stages": [_stage_document(story, name) for story in event.stages],
        "ranking": [{"place": place, "entrant": name[n]} for place, n in event.ranking],
        "warnings": [BIASED.en] if spec.stops else [],
    }


def _stage_document(story: StageStory, name: dict[int, str]) -> dict[str, Any]:
    return {
        "number": story.number,
        "format": story.stage.format,
        "groups": [[name[number] for number in group] for group in story.groups],
        "rounds": [[_match_document(m, name) for m in matches] for matches in story.rounds],
        "tables": [_table_document(table, name) for table in story.tables],
        "ranking": [{"place": place, "entrant": name[n]} for place, n in story.ranking],
        "notes": story.notes,
    }


def _match_document(match: Match, name: dict[int, str]) -> dict[str, Any]:
    over = match.over
    return {
        "id": match.id,
        "round": match.round,
        "table": match.table,
        "label": match.label or None,
        "entrants": [name[number] for number in match.entrants],
        "bye": match.bye,
        "winner": name[match.winner] if over and match.winner is not None else None,
        "decided_by": match.by if over else None,
        "scores": match.scores if over and not match.bye else None,
        "small": match.small if over and not match.bye else None,
        "missing": [name[number] for number in sorted(match.missing)],
        "boards": [
            {
                "scores": board.scores,
                "winner": board.winner,
                "decided_by": board.by,
                "games": [
                    {
                        "game_id": game.game_id,
                        "scores": game.scores,
                        "first": name[match.entrants[game.first]],
                        "ending": game.ending,
                    }
                    for game in board.games
                ],
            }
            for board in match.boards
        ],
    }


def _table_document(table: Table, name: dict[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "place": row.place,
            "entrant": name[row.entrant],
            "points": row.points,
            "played": row.played,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "byes": row.byes,
            "missed": row.missed,
            "small": row.total,
            "small_against": row.against,
            "place_points": row.place_points,
            "tiebreaks": {str(key): value for key, value in row.tiebreaks.items()},
        }
        for row in table.rows
    ]


def print_event(screen: Screen, spec: EventSpec, run: EventRun, where: str) -> None:
    """Stages with their rounds, tables and brackets, and the final ranking."""
    from arena.plan.tournament import BIASED

    event = run.programme.event
    name = {number: clean(entrant.name) for number, entrant in event.entrants.items()}
    screen.paragraph(
        f"{clean(spec.name)} – {screen.name(event.cast.game.family.names)}, {event.cast.game.label}"
    )
    for story in event.stages:
        screen.line()
        heading = screen.name(text.FORMATS[story.stage.format])
        if story.stage.settings:
            heading += ", " + next(iter(event.cast.games[story.number - 1].values())).label
        if len(event.stages) > 1:
            stage = screen.say(f"Stage {story.number}: ", f"第{story.number}阶段：")
            heading = stage + heading
        screen.paragraph(heading)
        print_stage(screen, event, story, name)
    if event.ranking:
        screen.line()
        screen.table(
            screen.say("Final ranking", "最终名次"),
            (screen.say("Place", "名次"), screen.say("Entrant", "参赛者")),
            [(str(place), name[number]) for place, number in event.ranking],
            right=(0,),
            whole=(1,),
        )
    if spec.stops:
        screen.paragraph(screen.name(BIASED))
    _print_end(screen, run, where)


def print_stage(screen: Screen, event: Event, story: StageStory, name: dict[int, str]) -> None:
    """One stage: its bracket if it has one, its rounds, its tables."""
    drawn = bracket(story, name, screen.console().width)
    for line in drawn:
        screen.line(line)
    for number, matches in enumerate(story.rounds, start=1):
        screen.table(
            screen.say(f"Round {number}", f"第{number}轮"),
            (screen.say("Table", "台"), screen.say("Match", "对阵"), screen.say("Result", "结果")),
            [_match_row(screen, match, name) for match in matches],
            right=(0,),
            whole=(2,),
        )
    for at, table in enumerate(story.tables):
        group = chr(ord("A") + at)
        title = screen.say("Table", "积分表")
        if len(story.tables) > 1:
            title = screen.say(f"Group {group}", f"{group} 组")
        _print_table(screen, title, table, name, bool(story.stage.place_points))
    for note in story.notes:
        screen.paragraph(screen.name(note))


def _match_row(screen: Screen, match: Match, name: dict[int, str]) -> tuple[str, str, str]:
    who = " – ".join(name[number] for number in match.entrants)
    if match.label in text.LABELS:
        label = screen.name(text.LABELS[match.label])
        who += screen.say(f" ({label})", f"（{label}）")
    elif match.label:
        who = f"{match.label}: {who}"
    if match.bye:
        return str(match.table), who, screen.say("bye", "轮空")
    if not match.over:
        return str(match.table), who, screen.say("to be played", "待赛")
    score = " : ".join(text.points(value) for value in match.scores)
    if any(match.small):
        score += " (" + ":".join(text.points(value) for value in match.small) + ")"
    how = text.DECIDED.get(match.by)
    if how is not None:
        score += f", {screen.name(how)}"
        if match.winner is not None:
            score += f": {name[match.winner]}"
    return str(match.table), who, score


def _print_table(
    screen: Screen, title: str, table: Table, name: dict[int, str], placed: bool
) -> None:
    columns = [
        screen.say("Place", "名次"),
        screen.say("Entrant", "参赛者"),
        screen.say("Pts", "积分"),
        screen.say("W-D-L", "胜-平-负"),
        *(screen.name(text.TIEBREAKS[each]) for each in table.tiebreaks),
    ]
    if placed:
        columns.append(screen.say("Place pts", "名次分"))
    rows: list[list[str]] = []
    for row in table.rows:
        cells = [
            str(row.place),
            name[row.entrant],
            text.points(row.points),
            f"{row.won}-{row.drawn}-{row.lost}",
            *(_value(row, each) for each in table.tiebreaks),
        ]
        rows.append([*cells, text.points(row.place_points)] if placed else cells)
    numbers = [at for at in range(len(columns)) if at != 1]
    screen.table(title, columns, rows, right=numbers, whole=())


def _value(row: Row, tiebreak: Any) -> str:
    value = row.tiebreaks.get(tiebreak)
    return "–" if value is None else text.points(value)


def _print_end(screen: Screen, run: EventRun, where: str) -> None:
    screen.line(
        screen.say(
            f"{run.games:,} games are in {where}; {run.games_played:,} played now",
            f"{where} 中有 {run.games:,} 局；本次下了 {run.games_played:,} 局",
        )
    )
    for cause, games in sorted(run.faults.items()):
        screen.line(screen.say("fault: ", "故障：") + f"{cause} {games:,}")
    for parked in run.parked:
        screen.paragraph(screen.say("waits for: ", "等待：") + f"{parked.label}: {parked.cause}")
    for voided in run.voided:
        screen.paragraph(screen.say("taken out by hand: ", "人工剔除：") + voided)
    if run.interrupted:
        screen.note(
            screen.say(
                "arena: interrupted; the same command goes on", "arena: 已中断；重复同一命令可继续"
            )
        )
    elif not run.complete:
        screen.line(
            screen.say(
                "the event is not over; the same command goes on",
                "比赛尚未结束；重复同一命令可继续",
            )
        )
