"""Engines on file: submitted, listed, withdrawn. Knows nothing of how they are played."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import grpc
from sqlalchemy import ColumnElement, Connection, Row, and_, func, select

from arena.protocol.v1 import arena_pb2, bot_pb2
from arena.server import schema
from arena.server.config import Quotas
from arena.server.database import Actor, Database, log, now
from arena.server.errors import Reason, ServiceError, denied, invalid, not_found, over_quota
from arena.server.names import LONGEST, folded
from arena.server.texts import without_nul

MOST_ON_A_PAGE = 200
ON_A_PAGE = 50
_DAY = 86_400
_REASON_CHARS = 2_000


class EngineState(StrEnum):
    """Where an engine stands; `arena.proto` says what each means."""

    SUBMITTED = "submitted"
    REJECTED = "rejected"
    PLAYING = "playing"
    QUARANTINED = "quarantined"
    WITHDRAWN = "withdrawn"

    @property
    def in_play(self) -> bool:
        """Whether it takes part, or is on its way there."""
        return self in (EngineState.SUBMITTED, EngineState.PLAYING)


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One engine on file."""

    position: int
    engine_id: str
    name: str
    version: str
    account: str
    description: bot_pb2.DescribeResponse
    access: arena_pb2.Access
    state: EngineState
    reason: str
    submitted: int

    @property
    def id(self) -> str:
        """`name@version`: what results are filed under."""
        return f"{self.name}@{self.version}"


class EngineBook:
    """The engines of a service."""

    def __init__(self, database: Database, quotas: Quotas, reserved: Collection[str] = ()) -> None:
        """`reserved` names are the arena's own."""
        self._database = database
        self._quotas = quotas
        self._reserved = frozenset(map(folded, reserved))

    def submit(
        self,
        description: bot_pb2.DescribeResponse,
        access: arena_pb2.Access,
        actor: Actor,
        *,
        unlimited: bool = False,
    ) -> EngineRow:
        """Files an engine whose description has been looked at; the same once more is harmless.

        Raises ServiceError where the name is somebody else's, the version is there with another
        description, or the account has enough of them (unless `unlimited`).
        """
        name, version, key = description.name, description.version, folded(description.name)
        if key in self._reserved:
            raise _taken(name)
        with self._database.writing() as connection:
            owner = _owner(connection, key)
            if owner is not None and owner != actor.account:
                raise _taken(name)
            there = _find(connection, _of_version(key, version))
            if there is not None:
                _require_same(there, name, description, access)
                return there
            if not unlimited:
                self._require_room(connection, actor.account)
            if owner is None:
                row = {"folded": key, "name": name, "account": actor.account}
                connection.execute(schema.names.insert(), row)
            engine_id, at = secrets.token_hex(8), now()
            connection.execute(
                schema.engines.insert(),
                {
                    "engine_id": engine_id,
                    "folded": key,
                    "version": version,
                    "account": actor.account,
                    "description": description.SerializeToString(deterministic=True),
                    "access": access.SerializeToString(deterministic=True),
                    "state": EngineState.SUBMITTED,
                    "reason": "",
                    "submitted": at,
                    "changed": at,
                },
            )
            log(connection, actor, "engine submit", engine_id, f"{name}@{version}")
            found = _find(connection, schema.engines.c.engine_id == engine_id)
            assert found is not None
            return found

    def _require_room(self, connection: Connection, account: str) -> None:
        c, quotas = schema.engines.c, self._quotas
        states = [state for state in EngineState if state.in_play]
        mine = and_(c.account == account, c.state.in_(states))
        count = connection.execute(select(func.count()).where(mine)).scalar_one()
        if count >= quotas.engines:
            raise over_quota(
                f"account:{account}/engines",
                f"{count} engines are in play; the most is {quotas.engines}: withdraw one",
            )
        today = and_(c.account == account, c.submitted > now() - _DAY)
        count = connection.execute(select(func.count()).where(today)).scalar_one()
        if count >= quotas.submissions_a_day:
            raise over_quota(
                f"account:{account}/submissions",
                f"{count} engines in the last 24 hours; the most is {quotas.submissions_a_day}",
            )

    def get(self, engine_id: str) -> EngineRow:
        """One engine. Raises ServiceError for an unknown one."""
        with self._database.reading() as connection:
            return _require(connection, engine_id)

    def named(self, name: str, version: str) -> EngineRow:
        """One engine by name and version. Raises ServiceError likewise."""
        found = None
        if len(name) <= LONGEST:  # no longer one is on file, and folding takes time
            with self._database.reading() as connection:
                found = _find(connection, _of_version(folded(name), version))
        if found is None or found.name != name:
            raise not_found("engine", f"{name}@{version}")
        return found

    def page(
        self, account: str, states: Sequence[EngineState], size: int, token: str
    ) -> tuple[list[EngineRow], str]:
        """A page in order of submission, and the token of the next one; empty: there is none."""
        c = schema.engines.c
        size = page_of(size)
        query = _SELECT.where(c.position > offset_of(token)).order_by(c.position).limit(size + 1)
        if account:
            query = query.where(c.account == account)
        if states:
            query = query.where(c.state.in_(states))
        with self._database.reading() as connection:
            rows = [_engine(row) for row in connection.execute(query)]
        more = len(rows) > size
        return rows[:size], page_token(rows[size - 1].position) if more else ""

    def everybody(self) -> list[EngineRow]:
        """All engines, in order of submission."""
        with self._database.reading() as connection:
            query = _SELECT.order_by(schema.engines.c.position)
            return [_engine(row) for row in connection.execute(query)]

    def withdraw(
        self, engine_id: str, reason: str, actor: Actor, *, operator: bool = False
    ) -> EngineRow:
        """Takes an engine out for good. Raises ServiceError for one that is somebody else's."""
        with self._database.writing() as connection:
            found = _require(connection, engine_id)
            if found.account != actor.account and not operator:
                raise denied(Reason.NOT_YOURS, f"engine '{engine_id}' belongs to another account")
            if found.state is EngineState.WITHDRAWN:
                return found
            return _move(connection, found, EngineState.WITHDRAWN, reason, actor)

    def move(self, engine_id: str, state: EngineState, reason: str, actor: Actor) -> EngineRow:
        """Puts an engine into another state; one that is out of play stays out."""
        with self._database.writing() as connection:
            found = _require(connection, engine_id)
            if not found.state.in_play or found.state is state:
                return found
            return _move(connection, found, state, reason, actor)


_SELECT = select(schema.engines, schema.names.c.name).join(
    schema.names, schema.names.c.folded == schema.engines.c.folded
)


def _of_version(key: str, version: str) -> ColumnElement[bool]:
    return and_(schema.engines.c.folded == key, schema.engines.c.version == version)


def _owner(connection: Connection, key: str) -> str | None:
    query = select(schema.names.c.account).where(schema.names.c.folded == key)
    found = connection.execute(query).scalar()
    return None if found is None else str(found)


def _find(connection: Connection, where: ColumnElement[bool]) -> EngineRow | None:
    row = connection.execute(_SELECT.where(where)).first()
    return None if row is None else _engine(row)


def _require(connection: Connection, engine_id: str) -> EngineRow:
    found = _find(connection, schema.engines.c.engine_id == engine_id)
    if found is None:
        raise not_found("engine", engine_id)
    return found


def _move(
    connection: Connection, row: EngineRow, state: EngineState, reason: str, actor: Actor
) -> EngineRow:
    change = schema.engines.update().where(schema.engines.c.engine_id == row.engine_id)
    reason = without_nul(reason[:_REASON_CHARS])
    values = {"state": state, "reason": reason, "changed": now()}
    connection.execute(change, values)
    log(connection, actor, f"engine {state}", row.engine_id, f"{row.id}: {reason}")
    return _require(connection, row.engine_id)


def _engine(row: Row[tuple[Any, ...]]) -> EngineRow:
    kept = row._mapping
    description = bot_pb2.DescribeResponse.FromString(kept["description"])
    return EngineRow(
        position=kept["position"],
        engine_id=kept["engine_id"],
        name=kept["name"],
        version=kept["version"],
        account=kept["account"],
        description=description,
        access=arena_pb2.Access.FromString(kept["access"]),
        state=EngineState(kept["state"]),
        reason=kept["reason"],
        submitted=kept["submitted"],
    )


def _taken(name: str) -> ServiceError:
    message = f"the name '{name}', or one that looks like it, is somebody else's"
    return ServiceError(grpc.StatusCode.ALREADY_EXISTS, Reason.NAME_TAKEN, message)


def _require_same(
    there: EngineRow,
    name: str,
    description: bot_pb2.DescribeResponse,
    access: arena_pb2.Access,
) -> None:
    differs = "name" if there.name != name else differing(there.description, description)
    if not differs and there.access != access:
        differs = "access"
    if differs:
        raise ServiceError(
            grpc.StatusCode.ALREADY_EXISTS,
            Reason.VERSION_TAKEN,
            f"{there.id} is on file with another {differs}: a new build is a new version",
            field=differs,
        )


def differing(filed: bot_pb2.DescribeResponse, said: bot_pb2.DescribeResponse) -> str:
    """The first field in which a bot is not what was submitted; empty where it is.

    Its wishes, such as the size of batches, it may change.
    """
    for field in ("name", "version", "authors", "games"):
        if getattr(filed, field) != getattr(said, field):
            return field
    return ""


def page_token(position: int) -> str:
    """A place in a list, for the caller to bring back."""
    return base64.urlsafe_b64encode(position.to_bytes(8, "big")).decode()


def page_of(size: int) -> int:
    """How many are wanted on a page."""
    return min(size or ON_A_PAGE, MOST_ON_A_PAGE)


def offset_of(token: str) -> int:
    """The place of a page token; 0 for none. Raises ServiceError for what is none of ours."""
    if not token:
        return 0
    try:
        kept = base64.urlsafe_b64decode(token.encode())
    except ValueError:
        kept = b""
    if len(kept) != 8 or kept[0] >= 0x80:
        raise invalid("page_token", "is not from an answer of this call")
    return int.from_bytes(kept, "big")
