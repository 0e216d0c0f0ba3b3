"""`arena bridge`: a program of another protocol as a bot."""

from __future__ import annotations

import logging
import os
import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import CommandError


class DialectName(StrEnum):
    """The protocols that a bridge speaks."""

    GOMOCUP = "gomocup"
    UCI = "uci"
    UCCI = "ucci"
    XBOARD = "xboard"


def bridge(
    dialect: Annotated[DialectName, typer.Argument(help="The program's protocol.")],
    command: Annotated[str, typer.Option(help="The program and its arguments, as in a shell.")],
    name: Annotated[
        str | None, typer.Option(help="What the bot is called. Default: the program's file name.")
    ] = None,
    version: Annotated[str, typer.Option(help="Of the program.")] = "1",
    games: Annotated[
        list[str] | None,
        typer.Option("--game", metavar="RULEBOOK", help="Only this one; may be repeated."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Set after the start; may be repeated."),
    ] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="Think this many nodes a move.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Think to this depth.")] = None,
    movetime: Annotated[
        int | None,
        typer.Option(min=1, metavar="MS", help="Think so long. Default: 1000, or by the clock."),
    ] = None,
    parallel: Annotated[int, typer.Option(min=1, help="Programs, and games, at once.")] = 1,
    memory: Annotated[
        int, typer.Option(min=0, metavar="MIB", help="Address space of a program; 0: any.")
    ] = 0,
    log: Annotated[
        Path | None, typer.Option(help="Append every line that is said or heard to this file.")
    ] = None,
    host: Annotated[
        str, typer.Option(envvar="ARENA_BOT_HOST", help="Address to listen at.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(envvar="ARENA_BOT_PORT", min=0, max=65535, help="0: any free port.")
    ] = 0,
) -> None:
    """Serve a Gomocup, UCI, UCCI or xboard program as a bot, until it is told to stop."""
    from arena.bridges import DIALECTS, Limits, Pace, Terms, bridge_bot
    from arena.sdk import serve

    words = shlex.split(command)
    if not words:
        raise CommandError("--command: is empty")
    if log is not None:
        handler = logging.FileHandler(log)
        handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(message)s"))
        logger = logging.getLogger("arena.bridge")
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    pace = Pace(nodes, depth, movetime)
    made = DIALECTS[dialect]
    options = tuple(_pair(text) for text in option or ())
    made(pace, options)  # a pace that the protocol has no word for is refused here
    bot = bridge_bot(
        words,
        made,
        name=name or os.path.basename(words[0]),
        version=version,
        terms=Terms(pace, Limits(memory_mib=memory), options),
        games=games or (),
        parallel=parallel,
    )
    try:
        serve(bot, host, port)
    finally:
        bot.close()


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not name or not sign:
        raise CommandError(f"--option {text}: give NAME=VALUE")
    return name, value
