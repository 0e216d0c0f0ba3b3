"""Versions of one engine over time: each is near the one before.

A rating of whole history (R. Coulom, "Whole-history rating", 2008): strength follows a Wiener
process, so that from one version to the next it moves by a normal step of mean 0. What is known of
a version's neighbours then helps to rate it, the more the fewer games it has; the fit is of all
games together and forgets none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple


class Step(NamedTuple):
    """Two engines that are one version apart."""

    older: str
    newer: str


def steps(engines: Iterable[str]) -> list[Step]:
    """Every version next to the one before it, of engine ids "name@version".

    Versions are ordered as people order them: 1.9 before 1.10.
    """
    versions: dict[str, list[str]] = {}
    for engine in sorted(set(engines)):
        versions.setdefault(engine.rpartition("@")[0], []).append(engine)
    return [
        Step(older, newer)
        for own in versions.values()
        for older, newer in pairwise(sorted(own, key=_order))
    ]


def _order(engine: str) -> tuple[tuple[bool, int, str], ...]:
    parts = re.findall(r"\d+|\D+", engine.rpartition("@")[2])
    return tuple((part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts)
