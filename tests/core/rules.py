"""Writes every rulebook's settings, one line each, for the core's sanitizer run."""

from __future__ import annotations

import json
import sys

import arena


def line(name: str) -> str:
    game = arena.game(name)
    words = [
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in game.rules.settings().items()
    ]
    return " ".join([game.family.id, *words])


if __name__ == "__main__":
    sys.stdout.write("".join(line(name) + "\n" for name in arena.rulebooks()))
