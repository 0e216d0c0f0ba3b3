"""Stands inside the box of a program: starts it under limits, and carries its connection.

    python warden.py SOCKET MEMORY_BYTES PROCESSES FILES PROGRAM [ARGUMENT...]
    python warden.py --carry SOCKET PORT

The box has a network of its own that leads nowhere, so the arena, outside, cannot dial the
program's port. Whoever connects to SOCKET, a path, is connected with the port that the program
announces on its standard output. The program is told to stop, by SIGTERM, when the standard input
ends. The second form only carries, for a program that somebody else has started (`container.py`).
Needs nothing but the standard library.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys

_ANNOUNCE = b"ARENA_BOT_PORT="
_CHUNK = 65_536
LINE = 1 << 20
"""The longest line that is looked at in one piece."""


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Everything that comes, until one side has had enough."""
    try:
        while data := await reader.read(_CHUNK):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()


async def _main(path: str, memory: int, processes: int, files: int, words: list[str]) -> int:
    def limit() -> None:
        # RLIMIT_DATA, not RLIMIT_AS: runtimes reserve far more addresses than they ever fill.
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
        resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    try:
        program = await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            preexec_fn=limit,
            limit=LINE,
        )
    except OSError as error:
        print(f"{words[0]}: {error.strerror}", file=sys.stderr)
        return 127
    loop = asyncio.get_running_loop()

    def heard() -> None:
        if not os.read(0, _CHUNK):
            loop.remove_reader(0)
            if program.returncode is None:
                program.terminate()

    loop.add_reader(0, heard)
    out = program.stdout
    assert out is not None
    telling = loop.create_task(_tell(out, path))
    code = await program.wait()
    telling.cancel()
    # As a shell says it: a program that a signal has ended.
    return code if code >= 0 else 128 - code


async def _tell(out: asyncio.StreamReader, path: str) -> None:
    """Passes on what the program prints; its port once somebody can be connected with it."""
    opened = False
    while data := await line_of(out):
        if not opened and (port := port_in(data)):
            opened = True
            await _open(path, port)
        await asyncio.to_thread(pass_on, data)


async def _open(path: str, port: int) -> asyncio.Server:
    """Connects whoever comes to a path with a port."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_carry(reader, inner_writer), _carry(inner_reader, writer))
        inner_writer.close()
        writer.close()

    return await asyncio.start_unix_server(connected, path)


async def _carry_only(path: str, port: int) -> None:
    async with await _open(path, port) as server:
        await server.serve_forever()


def port_in(line: bytes) -> int:
    """The port that a line of a program announces; 0 where it announces none."""
    said = line.strip().removeprefix(_ANNOUNCE)
    return int(said) if said != line.strip() and said.isdigit() else 0


async def line_of(out: asyncio.StreamReader) -> bytes:
    """The next line of a program; of a line without an end, a piece."""
    try:
        return await out.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:
        return await out.read(error.consumed)


def pass_on(data: bytes) -> None:
    """Prints what a program has printed."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    if sys.argv[1] == "--carry":
        asyncio.run(_carry_only(sys.argv[2], int(sys.argv[3])))
    else:
        path, memory, processes, files = sys.argv[1], *map(int, sys.argv[2:5])
        sys.exit(asyncio.run(_main(path, memory, processes, files, sys.argv[5:])))
