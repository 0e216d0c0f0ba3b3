"""Ratings from the whole ledger, never from the order in which it grew.

`leaderboard(table, family)` fits one family; docs/statistics.md says what the numbers mean.
"""

from __future__ import annotations

from arena.ratings.blocks import Interval
from arena.ratings.design import FirstSeatTerms
from arena.ratings.draw_laws import DrawLaw
from arena.ratings.leaderboard import Entry, FirstSeat, Leaderboard, Meeting, leaderboard

__all__ = [
    "DrawLaw",
    "Entry",
    "FirstSeat",
    "FirstSeatTerms",
    "Interval",
    "Leaderboard",
    "Meeting",
    "leaderboard",
]
