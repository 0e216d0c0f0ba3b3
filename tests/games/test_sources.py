"""Where a rulebook's values come from: the reader of `arena rules` must not be told a wrong source."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from arena.games import family
from arena.games.registry import family_ids

BASED = [
    (family_id, book_id, table["base"])
    for family_id in family_ids()
    for book_id, table in tomllib.loads(
        (files(f"arena.games.{family_id}") / "rulebooks.toml").read_text("utf-8")
    ).items()
    if "base" in table
]


@pytest.mark.parametrize(("family_id", "book_id", "base_id"), BASED)
def test_a_replaced_value_does_not_keep_the_source_of_the_old_one(
    family_id: str, book_id: str, base_id: str
) -> None:
    books = family(family_id).rulebooks
    book, base = books[book_id], books[base_id]
    for name, value in book.settings.items():
        if value == base.settings.get(name):
            assert book.sources.get(name, "") or name not in base.sources
        elif name in book.sources:
            assert book.sources[name] != base.sources.get(name), name


def test_the_overriding_books_say_their_own_reason() -> None:
    gomoku = family("gomoku").rulebooks
    assert "shape" in gomoku["naive33"].sources["three_test"]
    assert "1989" in gomoku["renju_swap"].sources["opening"]
    assert "no pass" in gomoku["renju_free"].sources["passes"]
    assert gomoku["doc003"].sources == gomoku["doc001"].sources
