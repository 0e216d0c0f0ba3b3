"""One door in and out: runs a command, turns what went wrong into one line and a code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import typer

from arena.cli.app import Interrupted, app
from arena.cli.errors import ExitCode

DEBUG = "ARENA_DEBUG"
"""Environment variable: when set, errors are raised with their traceback."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (`sys.argv` by default) and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # What the terminal cannot show (or a bot's broken Unicode) is shown as a code.
            stream.reconfigure(errors="backslashreplace")
    if "" not in sys.path:
        sys.path.append("")  # python:module:Class may be of the folder where the command runs
    command = typer.main.get_command(app)
    try:
        done = command.main(
            args=None if argv is None else list(argv), prog_name="arena", standalone_mode=False
        )
        sys.stdout.flush()  # here, not at exit, where a closed pipe could not be caught
    except (BrokenPipeError, SystemExit) as error:
        # The reader (`| head`) has seen enough; typer makes an exit of it with code 1.
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        # Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.OK
    except typer.TyperException as error:
        return _fail(error.format_message(), ExitCode(error.exit_code), error)
    except (Interrupted, KeyboardInterrupt, typer.Abort) as error:
        return _fail("interrupted", ExitCode.INTERRUPTED, error)
    except Exception as error:  # noqa: BLE001 - the last door: nobody gets a traceback
        if isinstance(error, _input_errors()):
            return _fail(_describe(error), ExitCode.INPUT, error)
        message = f"defect: {type(error).__name__}: {error} ({DEBUG}=1 shows where)"
        return _fail(message, ExitCode.DEFECT, error)
    return done if isinstance(done, int) else ExitCode.OK


def _input_errors() -> tuple[type[Exception], ...]:
    """What the rooms raise for input that is wrong; most of it is some ValueError."""
    from arena.cluster import ClusterError
    from arena.ledger import LedgerError
    from arena.players.fault import EngineUnavailable

    return (ValueError, OSError, LedgerError, ClusterError, EngineUnavailable)


def _describe(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error) or type(error).__name__


def _fail(message: str, code: ExitCode, error: BaseException) -> int:
    if os.environ.get(DEBUG):
        raise error
    line = " ".join(message.split())
    print(f"arena: {line}", file=sys.stderr)
    return code
