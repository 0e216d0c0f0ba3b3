"""What the documents rule: every sentence has a case that would break, or the reason for none.

`python -m tests.games.tuolaji.test_sentences` writes the table of docs/games/tuolaji-documents.md.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.games import family
from tests.games.tuolaji import test_bidding, test_score, test_tricks

ROOT = Path(__file__).parents[3]
FACTS = ROOT / "tests/facts/tuolaji"
PAGE = ROOT / "docs/games/tuolaji-documents.md"
DOCUMENTS: dict[str, dict[str, Any]] = tomllib.loads((FACTS / "sentences.toml").read_text("utf-8"))
BEGIN, END = "<!-- sentences -->\n", "<!-- end of sentences -->\n"


@cache
def rows() -> dict[str, set[str]]:
    """Rulebooks by the name of a row that plays them."""
    found: dict[str, set[str]] = {}
    for kind in ("follow", "tricks"):
        for row in tomllib.loads((FACTS / f"{kind}.toml").read_text("utf-8"))["row"]:
            found.setdefault(f"{kind} {row['id']}", set()).update(row["books"])
    for id, book, *_ in test_bidding.CASES:
        found.setdefault(f"calls {id}", set()).add(book)
    for id, books, *_ in test_tricks.LEADS:
        found.setdefault(f"leads {id}", set()).update(books)
    for id, book, *_ in test_tricks.THROWS:
        found.setdefault(f"throws {id}", set()).add(book)
    found["bands"] = {*test_score.BANDS, *(book for book, _ in test_score.MORE_BANDS)}
    return found


@cache
def functions(path: Path) -> tuple[set[str], str]:
    """The tests of a file, and its text."""
    text = path.read_text("utf-8")
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}, text


def covers(name: str, books: list[str]) -> bool:
    """Whether a test or row of this name is there and plays one of the rulebooks."""
    if name in rows():
        return bool(rows()[name] & set(books))
    file, _, function = name.rpartition(".")
    if "/" in file:  # of an organiser, who names no rulebook
        return function in functions(ROOT / f"{file}.py")[0]
    there, text = functions(ROOT / f"tests/games/tuolaji/{file}.py")
    return function in there and any(word in text for word in (*books, "rulebooks"))


def sentences() -> Iterator[tuple[str, dict[str, Any]]]:
    for document, found in DOCUMENTS.items():
        for sentence in found["sentences"]:
            yield document, sentence


def test_every_rulebook_of_a_document_is_there() -> None:
    assert list(DOCUMENTS) == [f"R{number:02d}" for number in range(1, 20)]
    books = [book for document in DOCUMENTS.values() for book in document["books"]]
    assert sorted(books) == sorted(b for b in family("tuolaji").rulebooks if b.startswith("r"))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_sentence_has_a_test_or_a_reason(document: str) -> None:
    books = DOCUMENTS[document]["books"]
    for sentence in DOCUMENTS[document]["sentences"]:
        assert set(sentence) <= {"says", "settings", "tests", "left_out"}
        assert ("tests" in sentence) != ("left_out" in sentence), sentence["says"]
        for name in sentence.get("tests", []):
            assert covers(name, books), f"{sentence['says']} {name}"
        if "left_out" in sentence:
            kind = re.match(r"(lost|table|organiser|advice on play)\b", sentence["left_out"])
            assert kind, sentence["left_out"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_sentence_that_a_rulebook_quotes_is_listed(document: str) -> None:
    listed = Counter(
        setting
        for sentence in DOCUMENTS[document]["sentences"]
        for setting in sentence.get("settings", [])
    )
    assert all(count == 1 for count in listed.values()), listed
    quoted = set()
    for book in DOCUMENTS[document]["books"]:
        text = tomllib.loads((ROOT / "arena/games/tuolaji/rulebooks.toml").read_text("utf-8"))
        quoted |= {
            setting
            for setting, source in text[book]["sources"].items()
            if not source.startswith("chosen")
        }
    assert set(listed) == quoted


def test_nothing_that_does_not_exist_covers() -> None:
    assert covers("follow 14", ["r03_four_deck_3_to_7"])
    assert not covers("follow 14", ["r10_qq_two_deck"])
    assert not covers("test_score.test_of_nothing", ["r10_qq_two_deck"])
    assert not covers("test_fines.test_who_is_silenced_calls_no_more_in_this_deal", ["r09"])


def table() -> str:
    """Of each document: sentences, those tested, cases named, and what was left out."""
    lines = [
        "| document | sentences | tested | by cases | left out: table | organiser | lost, advice |",
        "|---|---|---|---|---|---|---|",
    ]
    total = [0] * 6
    for document, found in DOCUMENTS.items():
        own = found["sentences"]
        kinds = Counter(s["left_out"].split()[0].rstrip(":") for s in own if "left_out" in s)
        numbers = [
            len(own),
            sum("tests" in s for s in own),
            len({name for s in own for name in s.get("tests", [])}),
            kinds["table"],
            kinds["organiser"],
            kinds["lost"] + kinds["advice"],
        ]
        total = [a + b for a, b in zip(total, numbers, strict=True)]
        lines.append(f"| {document} | {' | '.join(map(str, numbers))} |")
    lines.append(f"| all | {' | '.join(map(str, total))} |")
    lines += ["", "Left out:", ""]
    lines += [
        f"- {document}: {s['says']} ({s['left_out']})"
        for document, s in sentences()
        if "left_out" in s
    ]
    return "\n".join(lines) + "\n"


def test_the_page_says_so() -> None:
    page = PAGE.read_text("utf-8")
    assert page[page.index(BEGIN) + len(BEGIN) : page.index(END)] == table()


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    head, tail = page[: page.index(BEGIN) + len(BEGIN)], page[page.index(END) :]
    PAGE.write_text(head + table() + tail, "utf-8")
