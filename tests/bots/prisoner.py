"""Tries what a boxed program must not be able to do, and says on standard error what came of it."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path


def outcome(attempt: Callable[[], object]) -> str:
    """What came of it: "did it", with what, or the error's name."""
    try:
        return f"did it: {attempt()}"
    except (OSError, MemoryError) as error:
        return type(error).__name__


def fill(path: str) -> int:
    """Writes 64 MiB, and says how much that was."""
    with Path(path).open("wb", buffering=0) as file:
        return sum(file.write(bytes(1 << 20)) for _ in range(64))


def connections() -> int:
    """Opens many sockets at once."""
    return len([socket.socket() for _ in range(100)])


def main() -> None:
    """`sys.argv`: a file outside, and a port outside."""
    outside, port = Path(sys.argv[1]), int(sys.argv[2])
    tried = {
        "read a file outside": outcome(outside.read_text),
        "write beside itself": outcome(lambda: Path("mark").write_text("was here")),
        "call out": outcome(lambda: socket.create_connection(("127.0.0.1", port), 2).close()),
        "fill the disk": outcome(lambda: fill("/tmp/much")),
        "fill the memory": outcome(lambda: len(bytearray(400 << 20))),
        "open many files": outcome(connections),
    }
    seen = {
        "secret": os.environ.get("ARENA_SECRET"),
        "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    }
    print(json.dumps(tried | seen), file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    main()
