"""A program that the worker starts beside itself, and then plays over gRPC.

The program is started without a shell, in a process group of its own, with
``ARENA_BOT_PORT=0`` in its environment. It binds a free port of this machine and says which, in
one line on its standard output: ``ARENA_BOT_PORT=43211``. Whatever else it writes is
kept by its tail only, and read no faster than it can do harm.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import IO

import grpc

from arena.players.base import Limits
from arena.players.fault import EngineUnavailable, Fault, FaultKind, Unavailable
from arena.players.grpc_client import GrpcPlayer
from arena.players.sandbox import Box, Sandbox, SandboxError, is_image
from arena.players.spec import EngineSpec
from arena.protocol.v1 import bot_pb2

# The word for the interpreter that runs the arena, whatever it is called on this machine.
_PYTHON = {"{python}": sys.executable}
_ANNOUNCE = b"ARENA_BOT_PORT="
_TAIL_BYTES = 65_536
# A bot that writes faster is slowed down by its own pipe instead of costing us a core.
_BYTES_PER_S = 32_000_000
_CHUNK = 65_536
_STOP_S = 1.0
_LOOK_S = 0.1


def _leashed(words: list[str]) -> list[str]:
    """The command, ended by the kernel when this process dies, however it dies.

    A worker that is killed cannot end its programs itself. Where the system has no
    ``setpriv``, or the program is not found, the command stays as it is.
    """
    leash = shutil.which("setpriv")
    if leash is None or shutil.which(words[0]) is None:
        return words
    return [leash, "--pdeathsig", "KILL", "--", *words]


class Tail:
    """The end of a stream that a thread reads to nowhere."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Starts reading."""
        self.total = 0
        self.line = b""
        self.announced = threading.Event()
        self._tail = bytearray()
        self._stream = stream
        self._lock = threading.Lock()
        self.thread = threading.Thread(target=self._run, daemon=True, name="engine output")
        self.thread.start()

    def _run(self) -> None:
        # Unbuffered reads into one buffer: constant memory whatever comes.
        buffer = bytearray(_CHUNK)
        begun, allowed = time.monotonic(), 0
        with self._stream:
            while (count := os.readv(self._stream.fileno(), [buffer])) > 0:
                self.total += count
                with self._lock:
                    self._tail += memoryview(buffer)[:count]
                    if len(self._tail) > 2 * _TAIL_BYTES:
                        del self._tail[:-_TAIL_BYTES]
                if not self.announced.is_set():
                    self._look_for_port()
                allowed += count
                ahead = allowed / _BYTES_PER_S - (time.monotonic() - begun)
                if ahead > 0:
                    time.sleep(min(ahead, 0.1))
                else:
                    begun, allowed = time.monotonic(), 0
        self.announced.set()

    def _look_for_port(self) -> None:
        with self._lock:
            for line in bytes(self._tail).split(b"\n")[:-1]:
                if line.strip().startswith(_ANNOUNCE):
                    self.line = line.strip()
                    self.announced.set()
                    return

    def text(self, limit: int = _TAIL_BYTES) -> str:
        """What was written last, and how much was dropped."""
        with self._lock:
            kept = bytes(self._tail[-limit:])
        dropped = self.total - len(kept)
        head = f"[{dropped} bytes dropped]\n" if dropped > 0 else ""
        return head + kept.decode("utf-8", "replace")


class CommandPlayer(GrpcPlayer):
    """A program on this machine that serves the bot protocol."""

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        """`spec.target` is the command line."""
        super().__init__(spec, limits)
        self._process: subprocess.Popen[bytes] | None = None
        self._box: Box | None = None
        self._out: Tail | None = None
        self._err: Tail | None = None

    async def reach(self) -> str:
        """Starts the program if it does not run, and waits for its port."""
        if self._process is None or self._process.poll() is not None:
            await self._stop()
            self._spawn()
        process, out = self._process, self._out
        assert process is not None and out is not None
        while not out.announced.is_set():
            await asyncio.sleep(0.01)
        port = out.line.removeprefix(_ANNOUNCE).decode("ascii", "replace")
        if not port.isdecimal() or not 0 < int(port) < 65_536:
            code = await self._exit_code()
            raise self._unreachable(
                f"did not announce {_ANNOUNCE.decode()}<port>"
                + (f"; exit code {code}" if code is not None else f", but '{port}'")
                + self.last_words(2_000)
            )
        return f"127.0.0.1:{port}" if self._box is None else self._box.address

    async def answer(
        self, call: Awaitable[bot_pb2.DescribeResponse | None]
    ) -> bot_pb2.DescribeResponse | None:
        """As long as the program runs: one that has ended would be waited for to the limit."""
        answering = asyncio.ensure_future(call)
        try:
            while not (await asyncio.wait({answering}, timeout=_LOOK_S))[0]:
                if self._process is None or self._process.poll() is not None:
                    code = await self._exit_code()
                    said = f"ended with exit code {code} before it answered"
                    raise self._unreachable(said + self.last_words(2_000))
            return answering.result()
        finally:
            answering.cancel()

    def _spawn(self) -> None:
        words = [_PYTHON.get(word, word) for word in shlex.split(self.spec.target)]
        try:
            sandbox = self.spec.sandbox or (Sandbox() if is_image(words) else None)
            if sandbox is not None:
                self._box = Box.build(sandbox, words, Path.cwd())
                words = self._box.words
            process = subprocess.Popen(
                words if self._box is not None and self._box.outlives else _leashed(words),
                # The end of its input tells the warden of a box to stop; a program has none.
                stdin=subprocess.DEVNULL if self._box is None else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={**os.environ, "ARENA_BOT_PORT": "0"},
                start_new_session=True,
            )
        except SandboxError as error:
            message = f"{self.spec.target}: {error}"
            raise EngineUnavailable(self.spec.id, Unavailable.UNFIT, message) from None
        except OSError as error:
            self._unbox()
            message = f"{self.spec.target}: {error.strerror}"
            raise EngineUnavailable(self.spec.id, Unavailable.UNREACHABLE, message) from None
        assert process.stdout is not None and process.stderr is not None
        self._process = process
        self._out, self._err = Tail(process.stdout), Tail(process.stderr)

    def capacity(self, clocked: bool) -> int | None:
        """As the bot declares, and no more than its threads leave cores for on this machine."""
        declared = super().capacity(clocked)
        threads = self.description.resources.threads
        if threads <= 1:
            return declared
        room = max(1, (os.cpu_count() or 1) // threads)
        return room if declared is None else min(declared, room)

    def grace_ms(self) -> int:
        """Long enough to be started and get ready again: its clock runs anyway."""
        again = self._limits.connect_ms + self._limits.ready_cap_ms
        return (
            again
            if self._process is None or self._process.poll() is not None
            else super().grace_ms()
        )

    async def abandon(self) -> None:
        """Ends a program that runs but no longer answers; the next game gets a fresh one."""
        await self._stop()

    async def why_lost(self, code: grpc.StatusCode, words: str) -> Fault:
        """A crash where the program has ended; what the stream says where it runs on."""
        exit_code = await self._exit_code()
        if exit_code is None:
            return await super().why_lost(code, words)
        ending = f"exit code {exit_code}"
        if exit_code < 0:
            ending = f"killed by signal {-exit_code}"
        return Fault(FaultKind.CRASH, ending + self.last_words(2_000))

    async def _exit_code(self) -> int | None:
        """The exit code; a program that is just going down gets a moment."""
        for _ in range(25):
            code = None if self._process is None else self._process.poll()
            if code is not None:
                return code
            await asyncio.sleep(0.01)
        return None

    def last_words(self, limit: int) -> str:
        """The tail of what it wrote to standard error."""
        text = self._err.text(limit).strip() if self._err is not None else ""
        return f"; it wrote:\n{text}" if text else ""

    async def close(self) -> None:
        """Says goodbye, then ends the program and all it started."""
        await super().close()
        await self._stop()

    async def _stop(self) -> None:
        process = self._process
        if process is None:
            return
        deadline = time.monotonic() + _STOP_S
        if process.stdin is not None:
            process.stdin.close()
        else:
            _signal_group(process.pid, signal.SIGTERM)
        while process.poll() is None and time.monotonic() < deadline:
            await asyncio.sleep(0.01)
        # The group outlives its leader where a child stays behind: all of it goes.
        _signal_group(process.pid, signal.SIGKILL)
        await asyncio.to_thread(process.wait)
        self._process = None
        self._unbox()

    def _unbox(self) -> None:
        if self._box is not None:
            self._box.remove()
            self._box = None


def _signal_group(group: int, number: signal.Signals) -> None:
    """Signals the process group that we started under this id."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return  # all of it has ended
