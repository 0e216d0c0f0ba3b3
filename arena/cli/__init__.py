"""The `arena` command: everything a user does, one subcommand each.

Only this package prints. Its modules import what a command needs inside the command, so
that `arena --help` loads neither Ray nor gRPC nor the ledger.

Exit codes: 0 done; 1 something in the input is wrong; 2 the command line itself is wrong;
3 a sweep ran to its end with faults, parked or missing games, or a bot did not pass its check;
70 a defect of this program; 130 interrupted.
"""

from collections.abc import Sequence

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line (`sys.argv` by default) and return the exit code."""
    from arena.cli.door import main as run

    return run(argv)
