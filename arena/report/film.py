"""The pictures of a game, stored as what changes: a game of 200 moves stays a small page.

A picture is cut at its opening tags; the pieces are numbered in a table. The first picture is a
list of piece numbers, each further one a list of edits ``[start, removed, [piece, …]]`` to
be applied in order. `static/replay.js` plays the film back.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

_TAGS = re.compile(r"(?=<[^/])")
"""Opening tags: pieces that are seldom alike, which is what makes matching them fast."""

Edit = tuple[int, int, tuple[int, ...]]
"""Where in the list, how many pieces go, which come."""


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures as a table of pieces, a first picture and edits."""

    pieces: tuple[str, ...]
    first: tuple[int, ...]
    steps: tuple[tuple[Edit, ...], ...]

    def pictures(self) -> list[str]:
        """The pictures again, as `static/replay.js` makes them."""
        now = list(self.first)
        frames = [now]
        for step in self.steps:
            now = list(now)
            for start, removed, pieces in step:
                now[start : start + removed] = pieces
            frames.append(now)
        return ["".join(self.pieces[piece] for piece in frame) for frame in frames]


def film_of(pictures: Sequence[str]) -> Film:
    """Cut pictures (at least one) into a film."""
    table: dict[str, int] = {}
    frames = [
        [table.setdefault(piece, len(table)) for piece in _TAGS.split(picture) if piece]
        for picture in pictures
    ]
    steps = tuple(_edits(a, b) for a, b in itertools.pairwise(frames))
    return Film(tuple(table), tuple(frames[0]), steps)


def _edits(before: list[int], after: list[int]) -> tuple[Edit, ...]:
    """What turns one list into the other. Most of a board stays, or changes in place."""
    edits: list[Edit] = []
    length = min(len(before), len(after))
    at = 0
    while at < length:
        if before[at] != after[at]:
            if before[at + 1 : at + 2] != after[at + 1 : at + 2]:
                break  # something comes or goes here: from now on places differ
            edits.append((at, 1, (after[at],)))
        at += 1
    tail = 0
    while tail < length - at and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    a, b = before[at : len(before) - tail], after[at : len(after) - tail]
    shift = at
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append((i1 + shift, i2 - i1, tuple(b[j1:j2])))
            shift += (j2 - j1) - (i2 - i1)
    return tuple(edits)
