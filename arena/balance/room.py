"""How much room the strength of engines leaves a seat to show itself."""

from __future__ import annotations

from arena.ledger.table import CellGames
from arena.ratings.counts import count


def room_of(games: CellGames) -> float:
    """How far from 1/2 a seat can score in a cell, whatever it is worth; 1/2 in self-play.

    Every engine sits in every seat. Of two that meet, whoever scores e against the other in all, a seat's
    mean lies within min(e, 1 - e) of 1/2: it is farthest off where one wins only there. Where one
    always wins a seat scores 1/2 in every block, and that says nothing of the seat.
    """
    if len(set(games.cell.lineup)) == 1:
        return 0.5
    counts = count(games)
    points = (counts.wins + counts.draws / 2).tolist()
    totals = counts.total.tolist()
    most = 0.0
    for seat in range(games.cell.seats):
        met: dict[tuple[str, str], list[float]] = {}
        for k, ((one, other), pair) in enumerate(zip(counts.engines, counts.pairs, strict=True)):
            if seat in pair:
                own = met.setdefault((min(one, other), max(one, other)), [0.0, 0.0])
                own[0] += totals[k] / 2 if one == other else points[k]
                own[0] += (totals[k] - 2 * points[k]) * (one > other)
                own[1] += totals[k]
        made = sum(total for _, total in met.values())
        room = sum(min(won, total - won) for won, total in met.values())
        most = max(most, room / made if made else 0.5)
    return most
