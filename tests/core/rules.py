"""Writes every rulebook's settings, one line each, for the core's sanitizer run."""

from __future__ import annotations

import json
import re
import sys

import arena


def line(name: str) -> str:
    game = arena.game(name)
    words = [
        f"{key}={value if isinstance(value, str) else json.dumps(value)}"
        for key, value in game.rules.settings().items()
    ]
    # Budgets small enough for a sanitizer's pace.
    engines = "|".join(
        re.sub(r"(nodes|playouts)=\d+", r"\1=20", spec) for spec in game.family.rungs
    )
    return " ".join([game.family.id, f"engines={engines}", *words])


# The program that reads the lines takes "2" for a number, which Tuolaji means as a word; the
# later games join when lines carry types.
FAMILIES = ("chinese_checkers/", "gomoku/", "siguo/")

if __name__ == "__main__":
    sys.stdout.write(
        "".join(line(name) + "\n" for name in arena.rulebooks() if name.startswith(FAMILIES))
    )
