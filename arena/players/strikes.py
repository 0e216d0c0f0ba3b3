"""Failures of an engine in a row: what quarantine goes by."""

from __future__ import annotations

from arena.players.fault import EngineUnavailable, Fault, Unavailable


class Strikes:
    """Counts what broke, until a move is made.

    Of a program that was started a crash is seen; of a bot that dials in, or runs at an address, only that
    its stream ends. So whatever costs a game counts: a crash, a stream that breaks over one turn again
    and again, or does not come back, and a turn that the bot itself gives up.
    """

    def __init__(self, engine: str, most: int) -> None:
        """So many in a row put the engine of this id into quarantine."""
        self._engine = engine
        self._most = most
        self._count = 0

    def moved(self) -> None:
        """A good answer came."""
        self._count = 0

    def add(self, fault: Fault) -> EngineUnavailable | None:
        """One more; the quarantine that it means, if it does."""
        self._count += 1
        if self._count < self._most:
            return None
        return EngineUnavailable(
            self._engine,
            Unavailable.QUARANTINED,
            f"failed {self._count} times in a row without a move between; the last, "
            f"{fault.kind.value}: {fault.detail}",
        )
