"""The door of every call: who calls, how often, how much, how long, and what goes out on failure.

Handlers raise `ServiceError`; anything else that they raise is a mistake of ours, which the
caller learns by a number and the operator by a traceback in the log.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

import grpc
from google.protobuf.message import Message

from arena.protocol.reading import UNREADABLE, Unreadable, lenient, readable
from arena.server.config import Caps
from arena.server.database import now
from arena.server.errors import Reason, ServiceError, invalid, rate_limited
from arena.server.rates import Rates, host_of
from arena.server.texts import require_texts
from arena.server.tokens import Scope, Token

Find = Callable[[str], Awaitable[Token | None]]
_Context = grpc.aio.ServicerContext[Any, Any]

_SERVICE = "/arena.v1."
_BEARER = "bearer "
_log = logging.getLogger(__name__)
_caller: ContextVar[Token] = ContextVar("caller")


def caller() -> Token:
    """Whose call this is. Within a handler only."""
    return _caller.get()


def require(*scopes: Scope) -> Token:
    """The caller, if it has one of the scopes. Raises ServiceError."""
    token = caller()
    if not token.may(*scopes):
        wanted = " or ".join(scopes)
        raise ServiceError(
            grpc.StatusCode.PERMISSION_DENIED,
            Reason.SCOPE_MISSING,
            f"this call needs a token of scope {wanted}",
            scope=wanted,
        )
    return token


class Gate(grpc.aio.ServerInterceptor):
    """Stands before every method, health and reflection included (those need no token)."""

    def __init__(self, caps: Caps, find: Find) -> None:
        """`find` looks a token up."""
        self._caps = caps
        self._find = find
        self._hosts = Rates(caps.calls_per_second, caps.burst)
        self._accounts = Rates(caps.calls_per_second, caps.burst)
        self._failures = Rates(caps.failures_per_minute / 60, caps.failures_per_minute)

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The method's handler, with the gate around it."""
        handler: Any = await continuation(handler_call_details)
        if handler is None:
            return None
        ours = handler_call_details.method.startswith(_SERVICE)
        metadata = handler_call_details.invocation_metadata
        codecs = {
            "request_deserializer": lenient(handler.request_deserializer),
            "response_serializer": handler.response_serializer,
        }
        if not ours:
            return self._only_rated(handler, codecs)
        if handler.unary_unary:
            guarded = self._guarded(handler.unary_unary, metadata, plain=True)
            return grpc.unary_unary_rpc_method_handler(guarded, **codecs)
        if handler.unary_stream:
            guarded = self._guarded(handler.unary_stream, metadata, plain=False)
            return grpc.unary_stream_rpc_method_handler(guarded, **codecs)
        guarded = self._guarded(handler.stream_stream, metadata, plain=False)
        return grpc.stream_stream_rpc_method_handler(guarded, **codecs)

    def _only_rated(self, handler: Any, codecs: Any) -> Any:
        """Health and reflection: known methods of libraries, open to all, but not endlessly."""
        if not handler.unary_unary:
            return handler

        async def rated(request: Any, context: _Context) -> Any:
            if request is None:
                await refuse(context, invalid("request", UNREADABLE))
            wait_s = self._hosts.take(host_of(context.peer()), time.monotonic())
            if wait_s:
                await refuse(context, rate_limited(wait_s))
            answer = handler.unary_unary(request, context)
            return await answer if asyncio.iscoroutine(answer) else answer

        return grpc.unary_unary_rpc_method_handler(rated, **codecs)

    def _guarded(self, method: Any, metadata: Any, *, plain: bool) -> Any:
        async def guarded(request: Any, context: _Context) -> Any:
            try:
                _caller.set(await self._admit(metadata, context))
                if request is None:
                    raise Unreadable
                if isinstance(request, Message):
                    self._weigh(request)
                    require_texts(request)
                else:
                    request = readable(request)
                if not plain:
                    return await method(request, context)
                async with asyncio.timeout(self._caps.call_seconds):
                    return await method(request, context)
            except ServiceError as error:
                told = error
            except Unreadable:
                told = invalid("request", UNREADABLE)
            except TimeoutError:
                told = ServiceError(
                    grpc.StatusCode.DEADLINE_EXCEEDED,
                    Reason.DEADLINE,
                    f"took longer than {self._caps.call_seconds:g} s",
                )
            except (grpc.aio.AbortError, grpc.aio.UsageError):
                raise
            except Exception:  # noqa: BLE001 - the last door: nobody outside sees a traceback
                told = _incident()
            await refuse(context, told)

        return guarded

    async def _admit(self, metadata: Any, context: _Context) -> Token:
        """Who calls. Raises ServiceError for strangers, and for those who call too often."""
        host, at = host_of(context.peer()), time.monotonic()
        wait_s = self._hosts.take(host, at) or self._failures.wait(host, at)
        if wait_s:
            raise rate_limited(wait_s)
        said = next((str(v) for k, v in metadata or () if k == "authorization"), "")
        if not said:
            raise ServiceError(
                grpc.StatusCode.UNAUTHENTICATED,
                Reason.NO_TOKEN,
                "metadata lacks 'authorization: Bearer arena_…'",
            )
        known = said[: len(_BEARER)].lower() == _BEARER
        token = await self._find(said[len(_BEARER) :].strip()) if known else None
        problem = "is not known" if token is None else token.problem(now())
        if token is None or problem is not None:
            if token is not None:
                _log.info("token %s of %s %s", token.token_id, token.account, problem)
            self._failures.take(host, at)
            raise ServiceError(
                grpc.StatusCode.UNAUTHENTICATED,
                Reason.BAD_TOKEN,
                "the token is not known, or not good any more",
            )
        wait_s = self._accounts.take(token.account, at)
        if wait_s:
            raise rate_limited(wait_s)
        return token

    def _weigh(self, request: Message) -> None:
        most = self._caps.request_kib * 1024
        if request.ByteSize() > most:
            raise ServiceError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                Reason.TOO_LARGE,
                f"a request of {request.ByteSize():,} bytes; the most is {most:,}",
            )


def _incident() -> ServiceError:
    """What a caller is told of a mistake of ours. Called while it is being handled."""
    number = secrets.token_hex(4)
    _log.exception("incident %s", number)
    return ServiceError(
        grpc.StatusCode.INTERNAL,
        Reason.INTERNAL,
        f"a mistake of the arena; tell its operator: incident {number}",
        incident=number,
    )


async def refuse(context: _Context, error: ServiceError) -> None:
    """Ends a call by an error. Does not return."""
    await context.abort(error.code, error.message, trailing_metadata=error.trailing())
