"""Balance as callers are shown it: what `arena.balance` found, as messages of the protocol."""

from __future__ import annotations

from arena.balance import Balance, CellBalance, Correction
from arena.protocol.v1 import balance_pb2
from arena.ratings.blocks import Interval
from arena.server.errors import invalid

_MOST_MARGIN = 0.5

_CORRECTIONS = {
    balance_pb2.CORRECTION_UNSPECIFIED: Correction.HOLM,
    balance_pb2.CORRECTION_HOLM: Correction.HOLM,
    balance_pb2.CORRECTION_MAX_T: Correction.MAX_T,
    balance_pb2.CORRECTION_BH: Correction.BH,
    balance_pb2.CORRECTION_BY: Correction.BY,
}

_BALANCES = {
    Balance.BALANCED: balance_pb2.BALANCE_BALANCED,
    Balance.FAVOURS: balance_pb2.BALANCE_FAVOURS,
    Balance.UNDECIDED: balance_pb2.BALANCE_UNDECIDED,
    Balance.MIXED: balance_pb2.BALANCE_MIXED,
    Balance.HIDDEN: balance_pb2.BALANCE_HIDDEN,
}


def correction_of(said: balance_pb2.Correction.ValueType) -> Correction:
    """Ours of the protocol's. Raises ServiceError for one that is none."""
    found = _CORRECTIONS.get(said)
    if found is None:
        raise invalid("correction", f"{said} is none of {', '.join(Correction)}")
    return found


def margin_of(said: float, usual: float) -> float:
    """The margin that is asked for. Raises ServiceError for one that is none."""
    if not 0 <= said < _MOST_MARGIN:
        raise invalid("margin", f"{said:g} is not over 0 and under {_MOST_MARGIN:g}")
    return said or usual


def balance_row(cell: CellBalance) -> balance_pb2.BalanceRow:
    """One cell."""
    verdict = cell.verdict
    return balance_pb2.BalanceRow(
        rulebook=cell.rulebook,
        strength=cell.level,
        seats=cell.seats,
        blocks=cell.blocks,
        games=cell.games,
        by_seat=[
            balance_pb2.SeatBalance(
                seat=each.seat,
                score=interval(each.score),
                wins=interval(each.wins),
                place=interval(each.place),
            )
            for each in cell.by_seat
        ],
        by_role=[
            balance_pb2.RoleBalance(
                role=each.role,
                score=interval(each.score),
                wins=interval(each.wins),
                seats=each.share,
            )
            for each in cell.by_role
        ],
        by_party=[
            balance_pb2.PartyBalance(roles=each.roles, score=interval(each.score), games=each.games)
            for each in cell.by_party
        ],
        advantage=None if cell.advantage is None else interval(cell.advantage),
        draws=None if cell.draw is None else interval(cell.draw),
        plies=interval(cell.plies),
        measures=[
            balance_pb2.MeasureBalance(
                name=each.name,
                mean=interval(each.mean),
                deviation=each.deviation,
                games=each.games,
            )
            for each in cell.measures
        ],
        verdict=balance_pb2.BalanceVerdict(
            balance=_BALANCES[verdict.balance],
            seat=verdict.seat,
            party=verdict.party or (),
            p_balanced=verdict.p_balanced,
            p_favours=verdict.p_favours,
        ),
        notes=[note.en for note in cell.notes],
    )


def interval(found: Interval) -> balance_pb2.Interval:
    """An estimate with its bounds."""
    return balance_pb2.Interval(value=found.value, low=found.low, high=found.high)
