"""Stands beside a container: starts it, carries the connection with its program, and ends it.

    python -m arena.players.container SOCKET NAME ENGINE [OPTION...] IMAGE [ARGUMENT...]

ENGINE is `podman` or `docker`, what follows the words of its ``run``. The container has a network
of its own that leads nowhere: once the program has announced its port, a warden (`warden.py`) is
sent into that network, and connects whoever comes to SOCKET with the port. When the standard input
ends, the container is stopped; what stops it goes on when this process is killed.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from arena.players.warden import LINE, line_of, pass_on, port_in

_WARDEN = Path(__file__).with_name("warden.py")
_LOOK_S = 0.01


async def _main(path: str, name: str, engine: str, words: list[str]) -> int:
    program = await asyncio.create_subprocess_exec(
        *(engine, "run", "--name", name, *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        limit=LINE,
        cwd=Path(path).parent,  # where podman leaves a note on a program that ran out of memory
    )
    loop = asyncio.get_running_loop()

    def heard() -> None:
        if not os.read(0, LINE):
            loop.remove_reader(0)
            _stop(engine, name)

    loop.add_reader(0, heard)
    out = program.stdout
    assert out is not None
    carrier: asyncio.subprocess.Process | None = None
    try:
        while data := await line_of(out):
            if carrier is None and (port := port_in(data)):
                carrier = await _carrier(path, port, engine, name)
            await asyncio.to_thread(pass_on, data)
        return await program.wait()
    finally:
        if carrier is not None and carrier.returncode is None:
            carrier.terminate()


async def _carrier(path: str, port: int, engine: str, name: str) -> asyncio.subprocess.Process:
    """A warden in the container's network, once it can be reached."""
    looked = await asyncio.create_subprocess_exec(
        *(engine, "inspect", "--format", "{{.State.Pid}}", name), stdout=asyncio.subprocess.PIPE
    )
    pid = (await looked.communicate())[0].decode().strip()
    # Whoever is not root owns the container's users, and enters by them.
    user = ["--user", "--preserve-credentials"] if os.geteuid() else []
    carrier = await asyncio.create_subprocess_exec(
        *("nsenter", "--target", pid, *user, "--net"),
        *(sys.executable, "-I", str(_WARDEN), "--carry", path, str(port)),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
    )
    while carrier.returncode is None and not Path(path).exists():
        await asyncio.sleep(_LOOK_S)
    return carrier


def _stop(engine: str, name: str) -> None:
    subprocess.Popen(
        [engine, "stop", "--time", "1", name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


if __name__ == "__main__":
    sys.exit(asyncio.run(_main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])))
