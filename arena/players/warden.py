"""Stands inside the box of a program: starts it under limits, and carries its connection.

    python warden.py SOCKET MEMORY_BYTES PROCESSES FILES PROGRAM [ARGUMENT...]

The box has a network of its own that leads nowhere, so the arena, outside, cannot dial the
program's port. Whoever connects to SOCKET, a path, is connected with the port that the program
announces on its standard output. The program is told to stop, by SIGTERM, when the standard input
ends. Needs nothing but the standard library.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys

_ANNOUNCE = b"ARENA_BOT_PORT="
_CHUNK = 65_536
_LINE = 1 << 20


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
            limit=_LINE,
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
    port = 0

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_carry(reader, inner_writer), _carry(inner_reader, writer))
        inner_writer.close()
        writer.close()

    while data := await _line(out):
        said = data.strip().removeprefix(_ANNOUNCE)
        if not port and said != data.strip() and said.isdigit():
            port = int(said)
            await asyncio.start_unix_server(connected, path)
        await asyncio.to_thread(_write, data)


async def _line(out: asyncio.StreamReader) -> bytes:
    try:
        return await out.readuntil(b"\n")
    except asyncio.IncompleteReadError as error:
        return error.partial
    except asyncio.LimitOverrunError as error:  # a line without an end: piece by piece
        return await out.read(error.consumed)


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(
        asyncio.run(
            _main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:])
        )
    )
