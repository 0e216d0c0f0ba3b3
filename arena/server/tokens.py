"""Tokens: what a caller shows to be let in. Only a digest of each is kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Row, select

from arena.server import schema
from arena.server.database import Actor, Database, log, now
from arena.server.names import account_name

_TOKEN = re.compile(r"arena_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")
_MOST_DAYS = 36_500  # later dates than calendars have could not be shown
_SECRET_BYTES = 32


class Scope(StrEnum):
    """What a token is good for. Reading needs any of them."""

    AUTHOR = "author"
    """Submitting engines, withdrawing one's own, dialling in as them."""

    RESEARCHER = "researcher"
    """Launching sweeps."""

    OPERATOR = "operator"
    """Everything, other accounts' engines and commands included."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is on file: without its secret."""

    token_id: str
    account: str
    scopes: frozenset[Scope]
    note: str
    created: int
    """Seconds since 1970, as are the others."""

    expires: int | None
    revoked: int | None

    def problem(self, at: int) -> str | None:
        """Why it is not good at this time, or None."""
        if self.revoked is not None:
            return "was revoked"
        if self.expires is not None and self.expires <= at:
            return "has expired"
        return None

    @property
    def actor(self) -> Actor:
        """Whose doings these are."""
        return Actor(self.account, self.token_id)

    def may(self, *scopes: Scope) -> bool:
        """Whether it has one of the scopes, or all of them as an operator."""
        return Scope.OPERATOR in self.scopes or not self.scopes.isdisjoint(scopes)


class TokenBook:
    """The tokens on file."""

    def __init__(self, database: Database) -> None:
        """Tokens of a service."""
        self._database = database

    def new(
        self,
        account: str,
        scopes: Collection[Scope],
        actor: Actor,
        *,
        days: float | None = None,
        note: str = "",
    ) -> tuple[str, Token]:
        """A new token: the text to hand out, which nobody can see again, and what is kept.

        Raises ValueError for an account's name that is none, or a token without a scope.
        """
        if not scopes:
            raise ValueError("a token needs at least one scope")
        if days is not None and not 0 < days <= _MOST_DAYS:
            raise ValueError(f"days {days:g}: must be over 0, and at most {_MOST_DAYS}")
        token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(_SECRET_BYTES)
        at = now()
        token = Token(
            token_id=token_id,
            account=account_name(account),
            scopes=frozenset(scopes),
            note=note,
            created=at,
            expires=None if days is None else at + max(1, round(days * 86_400)),
            revoked=None,
        )
        with self._database.writing() as connection:
            connection.execute(
                schema.tokens.insert(),
                {
                    "token_id": token_id,
                    "digest": _digest(secret),
                    "account": token.account,
                    "scopes": " ".join(sorted(token.scopes)),
                    "note": note,
                    "created": at,
                    "expires": token.expires,
                },
            )
            log(
                connection,
                actor,
                "token new",
                token_id,
                f"{token.account}: {', '.join(sorted(scopes))}",
            )
        return f"arena_{token_id}_{secret}", token

    def all(self) -> list[Token]:
        """All tokens, oldest first."""
        query = select(schema.tokens).order_by(schema.tokens.c.created, schema.tokens.c.token_id)
        with self._database.reading() as connection:
            return [_token(row) for row in connection.execute(query)]

    def revoke(self, token_id: str, actor: Actor) -> Token:
        """Ends a token, at once and for good. Raises ValueError for one that is not on file."""
        c = schema.tokens.c
        with self._database.writing() as connection:
            row = connection.execute(select(schema.tokens).where(c.token_id == token_id)).first()
            if row is None:
                raise ValueError(f"no token '{token_id}'; `arena token list` shows them")
            if row.revoked is None:
                change = schema.tokens.update().where(c.token_id == token_id)
                connection.execute(change, {"revoked": now()})
                log(connection, actor, "token revoke", token_id, row.account)
            found = connection.execute(select(schema.tokens).where(c.token_id == token_id)).one()
            return _token(found)

    def good(self, token_ids: Collection[str]) -> set[str]:
        """Those of these tokens that are good now."""
        at = now()
        chosen = schema.tokens.c.token_id.in_(sorted(token_ids))
        with self._database.reading() as connection:
            found = [_token(row) for row in connection.execute(select(schema.tokens).where(chosen))]
        return {token.token_id for token in found if token.problem(at) is None}

    def find(self, text: str) -> Token | None:
        """The token of a text, good or not any more; None for one that never was."""
        match = _TOKEN.fullmatch(text)
        if match is None:
            return None
        with self._database.reading() as connection:
            row = connection.execute(
                select(schema.tokens).where(schema.tokens.c.token_id == match[1])
            ).first()
        # The same work for an unknown id as for a wrong secret.
        kept = row.digest if row is not None else bytes(32)
        if not hmac.compare_digest(kept, _digest(match[2])) or row is None:
            return None
        return _token(row)


def _digest(secret: str) -> bytes:
    # 256 random bits cannot be guessed: no salt and no slow hash are needed.
    return hashlib.sha256(secret.encode()).digest()


def _token(row: Row[tuple[object, ...]]) -> Token:
    kept = row._mapping
    return Token(
        token_id=kept["token_id"],
        account=kept["account"],
        scopes=frozenset(Scope(word) for word in kept["scopes"].split()),
        note=kept["note"],
        created=kept["created"],
        expires=kept["expires"],
        revoked=kept["revoked"],
    )
