"""The command tree: names and order of the subcommands, nothing else."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from arena.cli import (
    analysis,
    audit,
    balance,
    bench,
    bot,
    bridge,
    look,
    play,
    results,
    rules,
    serve,
    sweep,
    token,
    tournament,
)


class Interrupted(Exception):
    """Ctrl-C, in a form that Typer hands on: of its own it would make a silent exit."""


class _Commands(TyperGroup):
    def invoke(self, ctx: Any) -> Any:
        """Run the command that is asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None


app = typer.Typer(
    name="arena",
    cls=_Commands,
    help="Matches between game-playing engines, by the thousand, and what the results mean.",
    epilog="Exit codes: 0 done, 1 wrong input, 2 wrong usage, 3 faults in a finished sweep, "
    "of a checked bot or in an audited game, 130 interrupted.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from arena import __version__

        print(f"arena {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    pass


app.command("games", short_help="List the games and their rulebooks.")(rules.games)
app.command("rules", short_help="Print every setting of a rulebook.")(rules.rules)
app.command("play", short_help="Play one game: engines, or you.")(play.play)
app.command("plan", short_help="Print exactly what a sweep would play.")(sweep.plan)
app.command("sweep", short_help="Play a sweep, or go on with it.")(sweep.sweep)
app.command("tournament", short_help="Play an event, or go on with it.")(tournament.tournament)
app.command("leaderboard", short_help="Rate the engines.")(results.leaderboard)
app.command("balance", short_help="Say what each seat is worth.")(balance.balance)
app.command("effects", short_help="Say what each rule setting does.")(analysis.effects)
app.command("power", short_help="Say how many blocks a question takes.")(analysis.power)
app.command("workers", short_help="Say whether a worker's results stand out.")(analysis.workers)
app.command("report", short_help="Write pages to look at.")(look.report)
app.command("replay", short_help="Step through a kept game.")(look.replay)
app.command("audit", short_help="Prove what a kept game's seats were told.")(audit.audit)
app.command("export", short_help="Write results as JSON lines or Parquet.")(look.export)
app.command("bridge", short_help="Serve a program of another protocol.")(bridge.bridge)
app.command("bench", short_help="Measure the speed of this machine.")(bench.bench)
app.add_typer(bot.app, name="bot", short_help="Tools for bot authors.")
app.command("serve", short_help="Serve the arena to authors of engines.")(serve.serve)
app.add_typer(token.app, name="token", short_help="Who may call the arena.")
