"""Everybody against everybody."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]
"""Two entrants; the one in front has the first seat."""


def berger(entrants: Sequence[int], legs: int = 1) -> list[list[Pair]]:
    """Rounds of a round robin after Berger's tables; every second leg with seats changed over.

    In a leg each entrant has the first seat as often as the second, or once more or less.
    With an odd number one entrant a round has nobody to play.
    """
    places = list(entrants)
    if len(places) % 2:
        places.append(0)  # whoever meets the empty chair is free
    count = len(places)
    rounds: list[list[Pair]] = []
    for number in range(count - 1):
        # The last place stays; the others move on by half of the table each round.
        shift = number * (count // 2) % (count - 1)
        ring = [places[(shift + at) % (count - 1)] for at in range(count - 1)]
        fixed = (places[-1], ring[0]) if number % 2 else (ring[0], places[-1])
        pairs = [fixed] + [(ring[at], ring[-at]) for at in range(1, count // 2)]
        rounds.append([pair for pair in pairs if 0 not in pair])
    turned = [[(b, a) for a, b in pairs] for pairs in rounds]
    return [pairs for leg in range(legs) for pairs in (turned if leg % 2 else rounds)]


def gauntlet(hero: int, others: Sequence[int], legs: int = 1) -> list[list[Pair]]:
    """The hero against one of the others after the other, first seats alternating."""
    rounds: list[list[Pair]] = []
    for leg in range(legs):
        for at, other in enumerate(others):
            first = (at + leg) % 2 == 0
            rounds.append([(hero, other) if first else (other, hero)])
    return rounds
