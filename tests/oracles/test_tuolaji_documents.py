"""Every setting of every document, beside the same written from the documents by another hand."""

from __future__ import annotations

import pytest

import arena
from arena.games import family
from tests.oracles.tuolaji_documents import BESIDE_THE_TABLE, DEFAULTS, DOCUMENTS, OFF_THE_TABLE

BOOKS = {
    document: [
        book
        for book in family("tuolaji").rulebooks
        if book.startswith(f"{document.replace('R18', 'r18a').replace('r18ab', 'r18b').lower()}_")
    ]
    for document in DOCUMENTS
}

PLAY_ONLY = {"hand_dealer", "hand_levels", "max_hands", "redeal_limit"}
"""How much of a match is one game: no document has a say in it."""

READ_OTHERWISE = {
    # The list for two quads begins with "two quads" as printed, linked or not; the other reading
    # puts linked ones before it.
    ("R08", "follow_tables", "4x2"): ("2*4x1>", "4x2>2*4x1>"),
    # "pairs, then any card" follows three pairs; the other reading stops there, and goes on
    # with the default list, which has a triple before two pairs.
    ("R14", "follow_tables", "3x2"): (">2*2x1>2x1>any", ""),
}
"""(document, setting, led unit) to what the rulebook has and what the table has in its place."""


def lists(text: object) -> dict[str, str]:
    """Lists by led unit, two equal units written as 2*."""
    found: dict[str, str] = {}
    if text == "none":
        return found
    for part in str(text).split(";"):
        led, _, entries = part.partition("=")
        found[led] = entries.replace("2x2+2x2", "2*2x2")
    return found


def test_every_document_has_its_rulebook() -> None:
    assert {document: len(books) for document, books in BOOKS.items()} == dict.fromkeys(
        DOCUMENTS, 1
    )
    named = {book for books in BOOKS.values() for book in books}
    assert named == {book for book in family("tuolaji").rulebooks if book.startswith("r")}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_settings(document: str) -> None:
    (book,) = BOOKS[document]
    ours = arena.game(f"tuolaji/{book}").rules.settings()
    table = {**OFF_THE_TABLE, **DOCUMENTS[document], **BESIDE_THE_TABLE.get(document, {})}
    assert set(ours) == {*DEFAULTS, *OFF_THE_TABLE, *PLAY_ONLY, "bid_token_open"}
    table.setdefault("bid_token_open", False)
    for name, value in table.items():
        if name != "follow_tables":
            assert ours[name] == value, name
    own, other = lists(ours["follow_tables"]), lists(table["follow_tables"])
    assert set(own) == set(other)
    for led, entries in own.items():
        has, would = READ_OTHERWISE.get((document, "follow_tables", led), ("", ""))
        if has.endswith("any"):
            assert entries.endswith(has), led
            entries = entries.removesuffix(has) + would
        else:
            assert entries.startswith(has), led
            entries = would + entries.removeprefix(has)
        assert entries == other[led], led
