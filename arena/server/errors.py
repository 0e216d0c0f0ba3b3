"""What a caller is told when a call fails: a status with details of google.rpc."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from arena.protocol.status import DETAILS_KEY

DOMAIN = "arena.v1"

_MESSAGE_BYTES = 900
"""An error goes out in metadata, of which gRPC takes 8 KiB: the message three times, once of it in
three bytes for each that is not ASCII."""

_NAME_BYTES = 200


class Reason(StrEnum):
    """What went wrong, for programs: `ErrorInfo.reason`. Never renamed."""

    NO_TOKEN = "NO_TOKEN"
    BAD_TOKEN = "BAD_TOKEN"
    """Unknown, expired or revoked; which of these is nobody's business."""

    SCOPE_MISSING = "SCOPE_MISSING"
    NOT_YOURS = "NOT_YOURS"
    INVALID = "INVALID"
    """A field of the request; BadRequest says which."""

    NOT_FOUND = "NOT_FOUND"
    NAME_TAKEN = "NAME_TAKEN"
    """Another account's engine has this name, or one that looks like it."""

    VERSION_TAKEN = "VERSION_TAKEN"
    """This version is on file with another description: a new build is a new version."""

    DESCRIPTION_DIFFERS = "DESCRIPTION_DIFFERS"
    """The bot that dialled in is not what was submitted."""

    OUT_OF_PLAY = "OUT_OF_PLAY"
    """The engine was rejected, quarantined or withdrawn."""

    NOT_DIAL_IN = "NOT_DIAL_IN"
    TARGET_NOT_ALLOWED = "TARGET_NOT_ALLOWED"
    """The operator's list has no such address to dial."""

    QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
    RATE_LIMITED = "RATE_LIMITED"
    """Too many calls; RetryInfo says when to try again."""

    TOO_LARGE = "TOO_LARGE"
    DEADLINE = "DEADLINE"
    FENCED = "FENCED"
    """A newer stream of the same engine has taken over."""

    STILL_PLAYED = "STILL_PLAYED"
    """A game that shares its deal or opening with one that is still to be played."""

    TOO_SLOW = "TOO_SLOW"
    """A stream of news that its caller does not read fast enough."""

    HUNG_UP = "HUNG_UP"
    """The arena has ended a stream that it could not go on with; the bot may come again."""

    SHUTTING_DOWN = "SHUTTING_DOWN"
    INTERNAL = "INTERNAL"


class ServiceError(Exception):
    """A call that fails, and what its caller is told."""

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: Reason,
        message: str,
        details: Sequence[Message] = (),
        **metadata: str,
    ) -> None:
        """`message` is one sentence; `details` are messages of google.rpc beside ErrorInfo."""
        message = short(message)
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.message = message
        self.details = details
        self.metadata = {key: short(value, _NAME_BYTES) for key, value in metadata.items()}

    def status(self) -> status_pb2.Status:
        """The whole of it as google.rpc.Status."""
        info = error_details_pb2.ErrorInfo(
            reason=self.reason, domain=DOMAIN, metadata=self.metadata
        )
        number: int = self.code.value[0]
        status = status_pb2.Status(code=number, message=self.message)
        for detail in (info, *self.details):
            packed = Any()
            packed.Pack(detail)
            status.details.append(packed)
        return status

    def trailing(self) -> tuple[tuple[str, bytes], ...]:
        """The trailing metadata that goes with it."""
        return ((DETAILS_KEY, self.status().SerializeToString()),)


def short(text: str, most: int = _MESSAGE_BYTES) -> str:
    """A text that may show what a caller has sent: its middle is left out where it is too long."""
    raw = text.encode("utf-8", "replace")
    if len(raw) <= most:
        return text
    head, tail = raw[: most * 2 // 3], raw[len(raw) - most // 4 :]
    return f"{head.decode('utf-8', 'ignore')} … {tail.decode('utf-8', 'ignore')}"


def invalid(field: str, message: str, text: str | None = None, **metadata: str) -> ServiceError:
    """A field of a request that is wrong; `text` is the whole message, which names it otherwise."""
    description = short(message)
    violation = error_details_pb2.BadRequest.FieldViolation(field=field, description=description)
    bad = error_details_pb2.BadRequest(field_violations=[violation])
    if text is None:
        text = message if message.startswith(field.rpartition(".")[2]) else f"{field}: {message}"
    code = grpc.StatusCode.INVALID_ARGUMENT
    return ServiceError(code, Reason.INVALID, text, [bad], **metadata)


def not_found(kind: str, name: str) -> ServiceError:
    """Something that is not there."""
    shown = short(name, _NAME_BYTES)
    info = error_details_pb2.ResourceInfo(resource_type=kind, resource_name=shown)
    message = f"no {kind} '{name}'"
    return ServiceError(grpc.StatusCode.NOT_FOUND, Reason.NOT_FOUND, message, [info])


def not_good() -> ServiceError:
    """Of a token that was good when its stream began."""
    words = "the token is not good any more"
    return ServiceError(grpc.StatusCode.UNAUTHENTICATED, Reason.BAD_TOKEN, words)


def over_quota(subject: str, message: str) -> ServiceError:
    """More than an account may have."""
    violation = error_details_pb2.QuotaFailure.Violation(subject=subject, description=message)
    failure = error_details_pb2.QuotaFailure(violations=[violation])
    return ServiceError(
        grpc.StatusCode.RESOURCE_EXHAUSTED, Reason.QUOTA_EXCEEDED, message, [failure]
    )


def rate_limited(seconds: float) -> ServiceError:
    """Too many calls."""
    delay = Duration()
    delay.FromMilliseconds(max(1, round(seconds * 1_000)))
    retry = error_details_pb2.RetryInfo(retry_delay=delay)
    message = f"too many calls; try again in {seconds:.1f} s"
    return ServiceError(grpc.StatusCode.RESOURCE_EXHAUSTED, Reason.RATE_LIMITED, message, [retry])


def denied(reason: Reason, message: str, **metadata: str) -> ServiceError:
    """A caller who is known, but may not."""
    return ServiceError(grpc.StatusCode.PERMISSION_DENIED, reason, message, (), **metadata)
