"""Complete bots to start from, as folders of files."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

from arena.cli.errors import CommandError

_HERE = Path(__file__).parent
_TEMPLATES = _HERE / "templates"
_NAME = "{{name}}"
# What is text in Python, JavaScript, C++, Go, Rust, TOML and Markdown alike, and a bot's name as it stands.
_GOOD_NAME = re.compile(r"\w[\w .-]*")


class Language(StrEnum):
    """Languages that there is a template for."""

    PYTHON = "python"
    JAVASCRIPT = "javascript"
    CPP = "cpp"
    GO = "go"
    RUST = "rust"


# What a template needs of the protocol: the bot's service, and the arena's where it can dial in.
# The SDK of Python brings it along.
_SERVICES = {
    Language.JAVASCRIPT: "bot.proto",
    Language.CPP: "bot.proto",
    Language.GO: "arena.proto",
    Language.RUST: "bot.proto",
}


def protos() -> Path:
    """The folder of the protocol's files: inside the package, or beside it in a checkout."""
    package = _HERE.parent
    inside = package / "proto"
    return inside if inside.is_dir() else package.parent / "proto"


def write_bot(language: Language, folder: Path) -> list[Path]:
    """Fills a new folder with a bot that is named after it, and says with what.

    Raises CommandError where there is something already, or the name will not do.
    """
    name = folder.resolve().name
    if not _GOOD_NAME.fullmatch(name):
        raise CommandError(
            f"{folder}: the bot is named after its folder: letters, digits, blanks, '.', '_', '-'"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandError(f"{folder}: is there already; a new bot needs a new folder")
    files = {path: path.relative_to(_TEMPLATES / language) for path in _files(language)}
    if service := _SERVICES.get(language):
        files |= {path: Path("proto") / path.relative_to(protos()) for path in _protocol(service)}
    for source, relative in files.items():
        target = folder / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(source.read_text("utf-8").replace(_NAME, name), "utf-8")
    return [folder / relative for relative in files.values()]


def _files(language: Language) -> list[Path]:
    return sorted(path for path in (_TEMPLATES / language).iterdir() if path.is_file())


def _protocol(service: str) -> list[Path]:
    """The file of a service, and what it imports."""
    found: list[Path] = []
    due = [protos() / "arena" / "v1" / service]
    while due:
        path = due.pop()
        if path in found:
            continue
        found.append(path)
        for name in re.findall(r'^import "(arena/[^"]+)";', path.read_text("utf-8"), re.MULTILINE):
            due.append(protos() / name)
    return sorted(found)
