"""The command tree: names and order of the subcommands, nothing else."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli import bench, look, play, results, rules, sweep

app = typer.Typer(
    name="arena",
    help="Matches between game-playing engines, by the thousand, and what the results mean.",
    epilog="Exit codes: 0 done, 1 wrong input, 2 wrong usage, 3 faults in a finished sweep, "
    "130 interrupted.",
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


app.command("games")(rules.games)
app.command("rules")(rules.rules)
app.command("play")(play.play)
app.command("plan")(sweep.plan)
app.command("sweep")(sweep.sweep)
app.command("leaderboard")(results.leaderboard)
app.command("balance")(results.balance)
app.command("report")(look.report)
app.command("replay")(look.replay)
app.command("export")(look.export)
app.command("bench")(bench.bench)
