"""`arena audit`: whether a kept game's seats were told what the rules say, and nothing hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.errors import CommandError, ExitCode
from arena.cli.screen import JsonOption, LangOption, Screen, clean

if TYPE_CHECKING:
    from arena.ledger import GameResult
    from arena.match.audit import Audit, Finding, SeatAudit


def audit(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME_ID|GAME.json", help="A game of a ledger, or a line of `arena export`."
        ),
    ],
    ledger: Annotated[
        str | None, typer.Option(help="The ledger of a game id. Default: the only one in runs/.")
    ] = None,
    worlds: Annotated[
        int, typer.Option(min=1, max=1_000, help="Other worlds that are tried at each turn.")
    ] = 4,
    seed: Annotated[int, typer.Option(min=0, help="Decides which worlds.")] = 0,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Replay a kept game and prove what every seat was told; exit code 3 where it is not so.

    What each engine should have been told at each of its turns is made anew from the record and
    held against the log that was kept as it was told. Where seats have secrets, it is made again
    in other worlds that the seat cannot tell from the true one, and has to come out the same.
    """
    from arena.match.audit import audit as audited
    from arena.report.replay import game_of

    screen = Screen(lang, as_json)
    result = _find(game, ledger)
    assert result.record is not None
    made = game_of(result.record)
    if not any(result.told):
        raise CommandError(
            f"{game}: no log of what its seats were told: all engines are the arena's own, or the "
            "game is older than such logs"
        )
    found = audited(made, result, worlds, seed)
    if screen.as_json:
        screen.document(
            {
                "game_id": result.game_id,
                "game": made.label,
                "passed": not found.findings,
                "seats": [
                    {"engine": engine, **_seat(seat)}
                    for engine, seat in zip(result.engines, found.seats, strict=True)
                ],
                "findings": found.findings,
            }
        )
    else:
        _show(screen, result, found, made.family.full_information)
    return ExitCode.FAULTS if found.findings else ExitCode.OK


def _find(game: str, ledger: str | None) -> GameResult:
    from arena.cli.look import find_record
    from arena.ledger.export import read_line

    _, result = find_record(game, ledger)
    if result is not None:
        return result
    data = json.loads(Path(game).read_text("utf-8"))
    try:
        return read_line(data)
    except ValueError as error:
        raise CommandError(f"{game}: is no line of `arena export`: {error}") from None


def _seat(seat: SeatAudit) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "turns": seat.turns,
        "digest": seat.head,
        "worlds": seat.worlds,
        "event_worlds": seat.event_worlds,
        "refusals": seat.refusals,
    }


def _show(screen: Screen, result: GameResult, found: Audit, full_information: bool) -> None:
    for seat in found.seats:
        wrong = next((f for f in found.findings if f.seat == seat.seat), None)
        screen.line(clean(_line(screen, result.engines[seat.seat], seat, wrong, full_information)))
    for finding in found.findings:
        screen.line(clean(_words(screen, finding)))
    if not found.findings:
        screen.line(
            screen.say(
                "every seat was told what the record gives, and nothing else",
                "各座位所得信息与棋谱相符，别无其他",
            )
        )


def _line(
    screen: Screen, engine: str, seat: SeatAudit, wrong: Finding | None, full_information: bool
) -> str:
    who = screen.say(f"seat {seat.seat} ({engine})", f"座位 {seat.seat}（{engine}）")
    if not seat.turns:
        return who + screen.say(
            ": told nothing over the protocol: an engine of the arena's own",
            "：未经协议获知任何信息，为内置引擎",
        )
    told = screen.say(f"{seat.turns:,} turns", f"{seat.turns:,} 次着手")
    if full_information:
        tried = screen.say("sees everything", "信息公开")
    else:
        tried = screen.say(
            f"the same in {seat.worlds:,} other worlds, events in {seat.event_worlds:,}",
            f"在另外 {seat.worlds:,} 种局面中相同，其中 {seat.event_worlds:,} 种连同事件",
        )
    mark = screen.say("ok  ", "通过") if wrong is None else screen.say("FAIL", "失败")
    return f"{mark}  {who}: {told}, {tried}, {seat.head[:16]}"


def _words(screen: Screen, finding: Finding) -> str:
    where = []
    if finding.seat is not None:
        where.append(screen.say(f"seat {finding.seat}", f"座位 {finding.seat}"))
    if finding.turn is not None:
        where.append(screen.say(f"turn {finding.turn}", f"第 {finding.turn} 次着手"))
    where.append(screen.say(f"after move {finding.ply}", f"第 {finding.ply} 手之后"))
    return f"{finding.trouble}: {', '.join(where)}: {finding.message}"
