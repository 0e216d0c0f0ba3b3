"""What a program that the arena starts may see and use: a box around it.

The box is built by bubblewrap (`bwrap`), with a warden of ours inside (`warden.py`). The program
sees the system's libraries and its own folder, both read-only, and an empty ``/tmp``; no network,
no other process, nothing of the environment. The warden starts it under the limits, and carries
the connection with the arena from a socket in the file system to the program's port.

A command whose first word is ``image://NAME`` is a container image: podman or docker starts it, under
the same limits, with the same warden at its door (`container.py`).
"""

from __future__ import annotations

import os
import secrets
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

_WARDEN = Path(__file__).with_name("warden.py")
# What a program needs of the system to run at all; what is not there is left out.
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"),
    *("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime", "/etc/ssl/certs"),
)
_ROOM = "/run/arena"
_CONTAINER_ENGINES = ("podman", "docker")
_MIB = 1 << 20


IMAGE = "image://"
"""Before the name of a container image, as the first word of a command."""


class SandboxError(RuntimeError):
    """There is no box to be had; nothing is started without one."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Limits of a boxed program, each for every one of its processes unless it says otherwise."""

    memory_mib: int = 4_096
    """Memory that a process may fill."""

    processes: int = 256
    """Processes and threads of the box together. The kernel does not hold root to it."""

    files: int = 1_024
    """Open files and connections."""

    disk_mib: int = 256
    """What may be written to ``/tmp``, all together; it is gone with the program."""

    see: tuple[str, ...] = field(default=())
    """Files and folders that the program may read beside the system's and its own folder."""


def is_image(words: list[str]) -> bool:
    """Whether a command names a container image."""
    return bool(words) and words[0].startswith(IMAGE)


class Box:
    """One box: a command line to start in place of the program's, and where it is then reached."""

    def __init__(self, room: Path, words: list[str], *, outlives: bool = False) -> None:
        """See `build`."""
        self._room = room
        self.words = words
        self.address = f"unix:{room / 'bot.sock'}"
        self.outlives = outlives
        """The program is no child of ours: what stands beside it has to live on to end it."""

    @classmethod
    def build(cls, sandbox: Sandbox, words: list[str], folder: Path) -> Self:
        """A box for the program `words`, which stands in `folder`, or for a container image.

        Raises SandboxError where this machine has no bubblewrap, or, for an image, neither podman
        nor docker; and where `see` names nothing.
        """
        missing = [path for path in sandbox.see if not Path(path).exists()]
        if missing:
            raise SandboxError(f"sandbox.see: no file or folder '{missing[0]}'")
        if is_image(words):
            return cls._container(sandbox, words)
        return cls._bubble(sandbox, words, folder)

    @classmethod
    def _container(cls, sandbox: Sandbox, words: list[str]) -> Self:
        engine = next(filter(None, map(shutil.which, _CONTAINER_ENGINES)), None)
        if engine is None:
            raise SandboxError(f"{words[0]}: needs podman or docker, and this machine has neither")
        room = Path(tempfile.mkdtemp(prefix="arena-bot-"))
        memory = str(sandbox.memory_mib * _MIB)
        seen = [Path(path).resolve() for path in sandbox.see]
        return cls(
            room,
            [
                *(sys.executable, "-m", "arena.players.container", str(room / "bot.sock")),
                *(f"arena-{secrets.token_hex(8)}", engine),
                *("--rm", "--pull=never", "--network=none", "--read-only"),
                *("--cap-drop=all", "--security-opt=no-new-privileges"),
                *("--memory", memory, "--memory-swap", memory),
                *("--pids-limit", str(sandbox.processes)),
                *("--ulimit", f"nofile={sandbox.files}:{sandbox.files}"),
                *("--ulimit", f"nproc={sandbox.processes}:{sandbox.processes}"),
                *("--tmpfs", f"/tmp:rw,size={sandbox.disk_mib * _MIB}"),
                *(word for path in seen for word in ("--volume", f"{path}:{path}:ro")),
                *("--env", "ARENA_BOT_PORT=0", "--env", "LANG=C.UTF-8"),
                words[0].removeprefix(IMAGE),
                *words[1:],
            ],
            outlives=True,
        )

    @classmethod
    def _bubble(cls, sandbox: Sandbox, words: list[str], folder: Path) -> Self:
        bwrap = shutil.which("bwrap")
        if bwrap is None:
            raise SandboxError("sandbox: needs bubblewrap, which this machine has not (bwrap)")
        program = shutil.which(words[0])
        # The interpreter's folders are seen for the warden's sake, too.
        seen = [
            *(Path(path) for path in _SYSTEM),
            *(Path(path) for path in (sys.prefix, sys.base_prefix)),
            *(Path(path).resolve() for path in sys.path if path),
            folder.resolve(),
            *([Path(program).resolve()] if program is not None else []),
            *(Path(path).resolve() for path in sandbox.see),
        ]
        room = Path(tempfile.mkdtemp(prefix="arena-bot-"))
        binds = [
            word
            for path in dict.fromkeys(seen)
            if path.exists()
            for word in ("--ro-bind", str(path), str(path))
        ]
        limits = (sandbox.memory_mib * _MIB, sandbox.processes, sandbox.files)
        return cls(
            room,
            [
                bwrap,
                *("--unshare-all", "--die-with-parent", "--clearenv"),
                *("--proc", "/proc", "--dev", "/dev"),
                *("--size", str(sandbox.disk_mib * _MIB), "--tmpfs", "/tmp"),
                *binds,
                *("--bind", str(room), _ROOM, "--chdir", str(folder.resolve())),
                *_environment(),
                *("--", sys.executable, "-I", str(_WARDEN), f"{_ROOM}/bot.sock"),
                *(str(limit) for limit in limits),
                *words,
            ],
        )

    def remove(self) -> None:
        """Takes its folder away, once the program is gone."""
        shutil.rmtree(self._room, ignore_errors=True)


def _environment() -> list[str]:
    """The little of it that programs cannot do without."""
    kept = {
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "ARENA_BOT_PORT": "0",
    }
    return [word for name, value in kept.items() if value for word in ("--setenv", name, value)]
