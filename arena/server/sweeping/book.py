"""Sweeps on file. Their results are not here but in ledgers, one each."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, select

from arena.server import schema
from arena.server.config import Quotas
from arena.server.database import Actor, Database, log, now
from arena.server.engines import offset_of, page_of, page_token
from arena.server.errors import Reason, denied, not_found, over_quota
from arena.server.sweeping.job import Planned, Tally

_DAY = 86_400
_REASON_CHARS = 2_000


class SweepState(StrEnum):
    """Where a sweep stands; `sweeps.proto` says what each means."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def live(self) -> bool:
        """Whether it is being played, or will be in its turn."""
        return self in (SweepState.WAITING, SweepState.RUNNING)


LIVE = tuple(state for state in SweepState if state.live)


@dataclass(frozen=True, slots=True)
class SweepEntry:
    """One sweep on file."""

    position: int
    sweep_id: str
    account: str
    name: str
    digest: str
    games: int
    """Planned."""

    tally: Tally
    """By cell; in lists one that stands for all of them."""

    state: SweepState
    reason: str
    launched: int
    ended: int | None
    toml: str = ""
    plan: Planned | None = None
    """None in lists, where `toml` and `remarks` are empty, too."""

    remarks: tuple[str, ...] = ()
    """On the end of its last run."""

    @property
    def complete(self) -> bool:
        """Whether another run would find nothing to play."""
        totals = self.tally.totals
        return totals.done + totals.spared >= self.games


class SweepBook:
    """The sweeps of a service."""

    def __init__(self, database: Database, quotas: Quotas) -> None:
        """Sweeps of a service."""
        self._database = database
        self._quotas = quotas

    def launch(
        self, plan: Planned, toml: str, actor: Actor, *, unlimited: bool = False
    ) -> SweepEntry:
        """Files a sweep that has been looked at, or takes up again what there is of the same plan.

        Raises ServiceError where the account has enough of them, unless `unlimited`.
        """
        c = schema.sweeps.c
        with self._database.writing() as connection:
            mine = and_(c.account == actor.account, c.digest == plan.digest)
            row = connection.execute(select(schema.sweeps).where(mine)).first()
            there = None if row is None else _entry(row)
            if there is not None and (there.state.live or there.complete):
                return there
            if not unlimited:
                played = there.tally.totals.done if there is not None else 0
                self._require_room(connection, actor.account, plan.games - played)
            values: dict[str, Any] = {
                "toml": toml,
                "plan": plan.model_dump_json(),
                "state": SweepState.WAITING,
                "reason": "",
                "launched": now(),
                "ended": None,
                "remarks": "[]",
            }
            if there is not None:
                sweep_id = there.sweep_id
                connection.execute(schema.sweeps.update().where(mine), values)
            else:
                sweep_id = secrets.token_hex(8)
                connection.execute(
                    schema.sweeps.insert(),
                    {
                        "sweep_id": sweep_id,
                        "account": actor.account,
                        "name": plan.name,
                        "digest": plan.digest,
                        "games": plan.games,
                        **_kept(Tally()),
                        **values,
                    },
                )
            log(connection, actor, "sweep launch", sweep_id, f"{plan.name}: {plan.games:,} games")
            return _require(connection, sweep_id)

    def _require_room(self, connection: Connection, account: str, games: int) -> None:
        c, quotas = schema.sweeps.c, self._quotas
        mine, recent = c.account == account, c.launched > now() - _DAY
        live = c.state.in_(LIVE)
        count = connection.execute(select(func.count()).where(mine, live)).scalar_one()
        if count >= quotas.sweeps:
            raise over_quota(
                f"account:{account}/sweeps",
                f"{count} sweeps are waiting or running; the most is {quotas.sweeps}: "
                "cancel one, or wait for its end",
            )
        count = connection.execute(select(func.count()).where(mine, recent)).scalar_one()
        if count >= quotas.sweeps_a_day:
            raise over_quota(
                f"account:{account}/sweeps_a_day",
                f"{count} sweeps in the last 24 hours; the most is {quotas.sweeps_a_day}",
            )
        counted = func.coalesce(func.sum(case((live, c.games), else_=c.done)), 0)
        spent = int(connection.execute(select(counted).where(mine, recent)).scalar_one())
        most = quotas.sweep_games_a_day
        if spent + games > most:
            raise over_quota(
                f"account:{account}/sweep_games_a_day",
                f"{games:,} games and {spent:,} of the last 24 hours; the most is {most:,}",
            )

    def get(self, sweep_id: str) -> SweepEntry:
        """One sweep. Raises ServiceError for an unknown one."""
        with self._database.reading() as connection:
            return _require(connection, sweep_id)

    def page(
        self, account: str, states: Sequence[SweepState], size: int, token: str
    ) -> tuple[list[SweepEntry], str]:
        """A page in order of first launch, and the token of the next one; empty: there is none."""
        c, size = schema.sweeps.c, page_of(size)
        query = select(*_HEAD).where(c.position > offset_of(token))
        if account:
            query = query.where(c.account == account)
        if states:
            query = query.where(c.state.in_(states))
        with self._database.reading() as connection:
            found = connection.execute(query.order_by(c.position).limit(size + 1))
            rows = [_entry(row) for row in found]
        more = len(rows) > size
        return rows[:size], page_token(rows[size - 1].position) if more else ""

    def live(self) -> list[SweepEntry]:
        """Those that wait or run, in order of launch."""
        c = schema.sweeps.c
        query = select(schema.sweeps).where(c.state.in_(LIVE)).order_by(c.launched, c.position)
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(query)]

    def cancel(
        self, sweep_id: str, reason: str, actor: Actor, *, operator: bool = False
    ) -> SweepEntry:
        """Ends a sweep, if it has not ended. Raises ServiceError for one of somebody else's."""
        with self._database.writing() as connection:
            found = _require(connection, sweep_id)
            if found.account != actor.account and not operator:
                raise denied(Reason.NOT_YOURS, f"sweep '{sweep_id}' belongs to another account")
            if not found.state.live:
                return found
            return _move(connection, found, SweepState.CANCELLED, reason, actor, "sweep cancel")

    def move(self, sweep_id: str, state: SweepState, reason: str, actor: Actor) -> SweepEntry:
        """Puts a sweep into another state; one that has ended stays as it is."""
        with self._database.writing() as connection:
            found = _require(connection, sweep_id)
            if not found.state.live or found.state is state:
                return found
            return _move(connection, found, state, reason, actor, f"sweep {state}")

    def keep(self, sweep_id: str, tally: Tally, remarks: Sequence[str] | None = None) -> None:
        """Notes how far a sweep is; at the end of a run, what there is to remark on it, too."""
        values = _kept(tally)
        if remarks is not None:
            values["remarks"] = json.dumps(list(remarks))
        same = schema.sweeps.c.sweep_id == sweep_id
        with self._database.writing() as connection:
            connection.execute(schema.sweeps.update().where(same), values)


_WHOLE = ("toml", "plan", "tally", "remarks")
_HEAD = [column for column in schema.sweeps.c if column.name not in _WHOLE]


def _kept(tally: Tally) -> dict[str, Any]:
    totals = tally.totals
    summed = Tally(cells=(totals,), faults=tally.faults)
    return {
        "done": totals.done,
        "totals": summed.model_dump_json(),
        "tally": tally.model_dump_json(),
    }


def _require(connection: Connection, sweep_id: str) -> SweepEntry:
    same = schema.sweeps.c.sweep_id == sweep_id
    row = connection.execute(select(schema.sweeps).where(same)).first()
    if row is None:
        raise not_found("sweep", sweep_id)
    return _entry(row)


def _move(
    connection: Connection,
    entry: SweepEntry,
    state: SweepState,
    reason: str,
    actor: Actor,
    action: str,
) -> SweepEntry:
    same = schema.sweeps.c.sweep_id == entry.sweep_id
    ended = None if state.live else now()
    values = {"state": state, "reason": reason[:_REASON_CHARS], "ended": ended}
    connection.execute(schema.sweeps.update().where(same), values)
    log(connection, actor, action, entry.sweep_id, f"{entry.name}: {reason}")
    return _require(connection, entry.sweep_id)


def _entry(row: Row[tuple[Any, ...]]) -> SweepEntry:
    kept = row._mapping
    whole: dict[str, Any] = {}
    if "plan" in kept:
        whole = {
            "toml": kept["toml"],
            "plan": Planned.model_validate_json(kept["plan"]),
            "remarks": tuple(json.loads(kept["remarks"])),
        }
    return SweepEntry(
        position=kept["position"],
        sweep_id=kept["sweep_id"],
        account=kept["account"],
        name=kept["name"],
        digest=kept["digest"],
        games=kept["games"],
        tally=Tally.model_validate_json(kept["tally" if whole else "totals"]),
        state=SweepState(kept["state"]),
        reason=kept["reason"],
        launched=kept["launched"],
        ended=kept["ended"],
        **whole,
    )
