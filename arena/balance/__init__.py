"""What a variant gives to each seat and role, with intervals by block.

`balance(table)` gives one `CellBalance` for each cell that has games; docs/statistics.md
says what the numbers mean.
"""

from __future__ import annotations

from arena.balance.cells import CellBalance, RoleBalance, SeatBalance, balance
from arena.balance.measures import MeasureBalance, PairingGain
from arena.balance.parties import PartyBalance
from arena.balance.verdict import MARGIN, Balance, Correction, Verdict

__all__ = [
    "MARGIN",
    "Balance",
    "CellBalance",
    "Correction",
    "MeasureBalance",
    "PairingGain",
    "PartyBalance",
    "RoleBalance",
    "SeatBalance",
    "Verdict",
    "balance",
]
