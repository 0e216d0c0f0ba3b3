"""Who knows what in Siguo Junqi, and what follows from it: the ranks a unit can still be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from tests.oracles.siguo import RANKS, Siguo

Sets = dict[int, frozenset[str]]
"""Unit to the ranks it may be."""


def shown_ranks(game: Siguo, viewer: str | None) -> dict[int, str]:
    """Ranks that a home (None: the public) has been shown, by unit."""
    return {
        i: unit.rank
        for i, unit in game.units.items()
        if game.ended or "*" in game.knowers[i] or viewer in game.knowers[i]
    }


def knowledge(game: Siguo, viewer: str | None) -> object:
    """Everything that a viewer has been shown, as a value: equal exactly when nothing differs."""
    return (
        (viewer, game.turn, game.ply, game.quiet, game.ended),
        (tuple(game.out.items()), tuple(game.timeouts.items()), tuple(sorted(game.shown))),
        tuple(game.log),
        tuple(game.battles),
        tuple((i, u.home, u.origin, u.at, u.owner, u.moves) for i, u in game.units.items()),
        tuple(shown_ranks(game, viewer).items()),
    )


def possible_ranks(game: Siguo, viewer: str | None) -> Sets:
    """The ranks that each unit, on the board or gone, can still be for a viewer.

    Starts with where units began and how they moved or did not, and drops, until nothing
    changes, ranks that go with no rank of the other unit of a fight and ranks with which the army,
    its numbers of each rank given out, has no room.
    """
    shown = shown_ranks(game, viewer)
    sets = {i: frozenset({shown[i]}) if i in shown else game.at_sight(i) for i in game.units}
    armies = [[i for i, unit in game.units.items() if unit.home == home] for home in game.seats]
    before: Sets = {}
    while before != sets:
        before = dict(sets)
        for a, d, pairs in game.learnt.pairs:
            at_a, at_d = sets[a], sets[d]
            sets[a] = frozenset(x for x in at_a if any((x, y) in pairs for y in at_d))
            sets[d] = frozenset(y for y in at_d if any((x, y) in pairs for x in at_a))
        for army in armies:
            numbers = Counter(game.units[i].rank for i in army)
            sets.update(with_room({i: sets[i] for i in army}, numbers))
    assert all(sets.values()), "the true world is always possible"
    return sets


def with_room(sets: Sets, numbers: Mapping[str, int]) -> Sets:
    """The ranks of each unit with which the whole army can be given its ranks.

    Gives them out in one way; a unit can take another rank instead if units can hand ranks on
    in a ring, from the holder of that rank back to the unit's own.
    """
    given = give_out(sets, numbers)
    hands_on = {rank: {rank} for rank in RANKS}
    for unit, rank in given.items():
        hands_on[rank] |= sets[unit]
    for between in RANKS:
        for rank in RANKS:
            if between in hands_on[rank]:
                hands_on[rank] |= hands_on[between]
    return {
        unit: frozenset(other for other in sets[unit] if rank in hands_on[other])
        for unit, rank in given.items()
    }


def give_out(sets: Sets, numbers: Mapping[str, int]) -> dict[int, str]:
    """One way to give an army its ranks: unit by unit, others moving on to make room."""
    holders: dict[str, list[int]] = {rank: [] for rank in RANKS}

    def place(unit: int, tried: set[str]) -> bool:
        for rank in sets[unit]:
            if rank in tried:
                continue
            tried.add(rank)
            if len(holders[rank]) < numbers.get(rank, 0):
                holders[rank].append(unit)
                return True
            for other in list(holders[rank]):
                if place(other, tried):
                    holders[rank].remove(other)
                    holders[rank].append(unit)
                    return True
        return False

    for unit in sorted(sets, key=lambda i: len(sets[i])):
        placed = place(unit, set())
        assert placed, "the true world is always possible"
    return {unit: rank for rank, held in holders.items() for unit in held}
