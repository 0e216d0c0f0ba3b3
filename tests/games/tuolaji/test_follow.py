"""What may follow a lead: tests/facts/tuolaji/follow.toml, by enumeration of the hand."""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.games.tuolaji.tables import cards, legal, play, table

ROWS = tomllib.loads((Path(__file__).parents[2] / "facts/tuolaji/follow.toml").read_text("utf-8"))[
    "row"
]
CASES = [
    pytest.param(row, book, id=f"{row['id']}-{book[:3]}") for row in ROWS for book in row["books"]
]


def key(text: str) -> tuple[str, ...]:
    return tuple(sorted(cards(text)))


@pytest.mark.parametrize(("row", "book"), CASES)
def test_follow(row: dict[str, Any], book: str) -> None:
    level = row.get("level_for", {}).get(book, row.get("level", "2"))
    suit = row["led"][0]
    fill = "".join(s for s in "DCH" if s != suit)
    state = table(
        book,
        [row["led"], row["hand"]],
        trump=row.get("trump", "S"),
        level=level,
        fill=fill,
        **row.get("settings", {}),
    )
    state.apply(0, play(row["led"]))
    assert state.seats_to_act() == {1}
    for yes in row.get("yes", []):
        assert legal(state, 1, yes), yes
    for no in row.get("no", []):
        refusal = state.check(1, play(no))
        assert refusal is not None, no
        assert refusal.reason.name == "must_follow"
    if "only" in row:
        size = len(cards(row["led"]))
        subsets = {tuple(sorted(some)) for some in itertools.combinations(cards(row["hand"]), size)}
        found = {some for some in subsets if state.check(1, "play " + " ".join(some)) is None}
        assert found == {key(text) for text in row["only"]}
