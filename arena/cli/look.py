"""`arena report`, `arena replay` and `arena export`: results to look at and to take away."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.errors import CommandError, write
from arena.cli.screen import JsonOption, LangOption, Screen, clean
from arena.cli.where import LedgerArgument, SweepOption, only_sweep, open_ledger, pick_sweep

if TYPE_CHECKING:
    from arena.games import Game, Record
    from arena.ledger import GameResult

FORMATS = ("jsonl", "parquet")


def report(
    ledger: LedgerArgument = None,
    out: Annotated[Path, typer.Option(help="The folder to write.")] = Path("report"),
    sweep: SweepOption = None,
    replays: Annotated[
        int, typer.Option(min=0, help="Replay pages at most, spread over the cells.")
    ] = 60,
    drift: Annotated[
        float,
        typer.Option(
            help="How many Elo one version of an engine is from the next, beforehand.",
            metavar="ELO",
        ),
    ] = 30.0,
    course: Annotated[
        int,
        typer.Option(
            min=0,
            help="Blocks of a cell, at most, that are played again from their records, for the "
            "moves to choose from and changes of the lead.",
            metavar="BLOCKS",
        ),
    ] = 20,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Write the report: a folder of pages that needs no network, made of the ledger alone."""
    from arena.report import build_report

    screen = Screen(lang, as_json)
    if not 0 < drift < float("inf"):
        raise CommandError(f"drift {drift:g}: Elo from one version to the next, over 0")
    with open_ledger(ledger) as opened:
        wanted = pick_sweep(opened, sweep)
        made = build_report(
            opened,
            out,
            sweep_id=wanted.sweep_id if wanted else None,
            replays=replays,
            drift=drift,
            course=course,
        )
    if screen.as_json:
        screen.document(made)
        return
    for line in made.skipped:
        screen.note(screen.say("no replay: ", "无棋谱：") + clean(line))
    screen.line(
        screen.say(
            f"{made.pages:,} pages, {made.replays:,} replays: {made.folder / 'index.html'}",
            f"{made.pages:,} 页，{made.replays:,} 份棋谱：{made.folder / 'index.html'}",
        )
    )


def export(
    ledger: LedgerArgument = None,
    out: Annotated[Path | None, typer.Option(help="The file to write, .jsonl or .parquet.")] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="jsonl|parquet", help="Default: by the file's ending."),
    ] = None,
    sweep: SweepOption = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Export every result of a sweep: JSON lines with records, or a Parquet table."""
    from arena.ledger import export_jsonl, export_parquet

    screen = Screen(lang, as_json)
    wanted = form or (out.suffix.removeprefix(".") if out else "jsonl")
    if wanted not in FORMATS:
        raise CommandError(f"format '{wanted}': there are {' and '.join(FORMATS)}")
    with open_ledger(ledger) as opened:
        row = only_sweep(opened, sweep)
        path = out or Path(f"{clean(row.name)}.{wanted}".replace("/", "_"))
        write = export_jsonl if wanted == "jsonl" else export_parquet
        count = write(opened, row.sweep_id, path)
    if screen.as_json:
        screen.document({"path": path, "format": wanted, "results": count})
        return
    screen.line(screen.say(f"{count:,} results: {path}", f"{count:,} 条结果：{path}"))


def replay(
    game: Annotated[
        str, typer.Argument(metavar="GAME_ID|RECORD.json", help="A game of a ledger, or a file.")
    ],
    ledger: Annotated[
        str | None, typer.Option(help="The ledger of a game id. Default: the only one in runs/.")
    ] = None,
    ply: Annotated[
        int | None, typer.Option(min=0, help="Show the position after this many moves, and stop.")
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(help="Write the position as FILE.svg, or every position into a folder."),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write one page that steps through the game.")
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """Step through a kept game: in the terminal, as pictures, or as a page."""
    from arena.games import RulesError
    from arena.report.replay import game_of

    screen = Screen(lang, as_json)
    record, result = find_record(game, ledger)
    try:
        made = game_of(record)
    except RulesError as error:
        raise CommandError(f"{game}: {error}") from None
    check_record(made, record, game)
    if ply is not None and ply > len(record.moves):
        raise CommandError(f"--ply {ply}: the game has {len(record.moves)} moves")
    written = []
    if svg is not None:
        written += _write_svg(made, record, svg, ply)
    if html is not None:
        written.append(_write_html(record, result, html, game))
    if screen.as_json:
        screen.document(_document(record, result, written))
    elif written:
        for path in written:
            screen.line(str(path))
    elif ply is not None:
        _show(screen, made, record, ply)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step(screen, made, record, result)
    else:
        for number in range(len(record.moves) + 1):
            _show(screen, made, record, number)
        _print_result(screen, result)


def find_record(game: str, ledger: str | None) -> tuple[Record, GameResult | None]:
    """The record of a file or of a game id, and its result where a ledger has it."""
    from arena.games import Record, RulesError

    if game.endswith(".json") or Path(game).is_file():
        try:
            data = json.loads(Path(game).read_text("utf-8"))
        except RecursionError:
            raise CommandError(f"{game}: is no JSON record: nested too deep") from None
        except UnicodeDecodeError:
            raise CommandError(
                f"{game}: is no record, which is JSON text; a game of a ledger is given by its id: "
                f"arena replay GAME_ID --ledger {game}"
            ) from None
        except ValueError as error:  # no JSON, no UTF-8, or a number that is too long
            raise CommandError(f"{game}: is no JSON record: {error}") from None
        if isinstance(data, dict) and isinstance(data.get("record"), dict):
            data = data["record"]  # a line of `arena export`
        if not isinstance(data, dict):
            raise CommandError(f"{game}: a record is an object with game, rules, setup and moves")
        try:
            return Record.from_json(data), None
        except RulesError as error:
            raise CommandError(f"{game}: {error}") from None
    if not re.fullmatch(r"[0-9a-f]{32}", game):
        raise CommandError(f"'{clean(game)}' is no game id (32 hex digits) and no file")
    with open_ledger(ledger) as opened:
        result = opened.result(game)
    if result is None:
        raise CommandError(f"no game {game} in the ledger")
    if result.record is None:
        raise CommandError(f"game {game}: its moves were not kept ([records] keep of the sweep)")
    return result.record, result


def check_record(game: Game, record: Record, name: str) -> None:
    """Refuse a record that does not fit its rules before anything is shown of it."""
    from arena.games import IllegalMove, SetupError, play_recorded

    try:
        state = game.new_state(setup=record.setup)
    except SetupError as error:
        raise CommandError(f"{name}: setup: {error}") from None
    for number, (seat, move) in enumerate(record.moves, start=1):
        if seat >= game.seats:
            raise CommandError(
                f"{name}: move {number}: seat {seat}; {game.label} has seats 0 to {game.seats - 1}"
            )
        try:
            play_recorded(state, seat, move)
        except IllegalMove as error:
            raise CommandError(f"{name}: move {number}, '{move}' of seat {seat}: {error}") from None


def _show(screen: Screen, game: Game, record: Record, ply: int) -> None:
    from arena.games import play_recorded

    state = game.new_state(setup=record.setup)
    for seat, move in record.moves[:ply]:
        play_recorded(state, seat, move)
    if ply:
        seat, move = record.moves[ply - 1]
        words = game.family.describe_move(game, move, screen.zh)
        screen.line(f"{ply}. " + screen.say(f"seat {seat}", f"座位 {seat}") + f": {words}")
    else:
        screen.line(f"{game.label}")
    screen.line(game.family.draw_text(game, state))
    screen.line()


def _step(screen: Screen, game: Game, record: Record, result: GameResult | None) -> None:
    last = len(record.moves)
    ply = 0
    while True:
        typer.echo("\x1b[2J\x1b[H", nl=False)
        _show(screen, game, record, ply)
        if ply == last:
            _print_result(screen, result)
        screen.line(
            screen.say(
                f"{ply}/{last}   n next, p back, 0 start, e end, q quit",
                f"{ply}/{last}   n 前进，p 后退，0 开局，e 终局，q 退出",
            )
        )
        key = typer.getchar()
        if key in ("q", "\x03", "\x04", "\x1b"):
            return
        steps = {
            "p": -1,
            "b": -1,
            "\x1b[D": -1,
            "0": -last,
            "\x1b[H": -last,
            "e": last,
            "\x1b[F": last,
        }
        ply = max(0, min(last, ply + steps.get(key, 1)))


def _print_result(screen: Screen, result: GameResult | None) -> None:
    if result is None:
        return
    from arena.report.replay import ending_of

    screen.line(screen.name(ending_of(result.termination, result.culprit, result.plies)))
    for seat, engine in enumerate(result.engines):
        who = screen.say(f"seat {seat}", f"座位 {seat}")
        screen.line(f"{who}: {clean(engine)} {result.scores[seat]:g}")
    for note in result.notes:
        screen.line(clean(note))


def _write_svg(game: Game, record: Record, path: Path, ply: int | None) -> list[Path]:
    from arena.report.replay import play_through

    pictures, _ = play_through(game, record)
    if path.suffix == ".svg":
        write(path, pictures[-1 if ply is None else ply])
        return [path]
    path.mkdir(parents=True, exist_ok=True)
    written = []
    for number, picture in enumerate(pictures):
        if ply in (None, number):
            written.append(path / f"{number:04d}.svg")
            write(written[-1], picture)
    return written


def _write_html(record: Record, result: GameResult | None, path: Path, name: str) -> Path:
    from arena.report.replay import replay_of, replay_of_record
    from arena.report.site import single_page

    shown = replay_of(result) if result else replay_of_record(record, Path(name).name)
    write(path, single_page("replay.html.j2", shown.label, replay=shown))
    return path


def _document(record: Record, result: GameResult | None, written: list[Path]) -> dict[str, Any]:
    body: dict[str, Any] = {"record": record.to_json()}
    if result is not None:
        body |= {
            "game_id": result.game_id,
            "engines": result.engines,
            "scores": result.scores,
            "places": result.places,
            "termination": result.termination,
            "culprit": result.culprit,
            "plies": result.plies,
            "notes": result.notes,
        }
    if written:
        body["files"] = written
    return body
