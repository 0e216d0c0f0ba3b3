"""What a failed call says beside its code: details of google.rpc, as clients read them."""

from __future__ import annotations

import grpc
from google.rpc import error_details_pb2, status_pb2

DETAILS_KEY = "grpc-status-details-bin"
"""Trailing metadata that holds the whole status, by gRPC's own convention."""


def status_of(error: grpc.RpcError) -> status_pb2.Status | None:
    """The details of a failed call, or None where there are none."""
    trailing = getattr(error, "trailing_metadata", lambda: None)()
    for key, value in trailing or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return status_pb2.Status.FromString(value)
    return None


def reason_of(error: grpc.RpcError) -> str:
    """`ErrorInfo.reason` of a failed call; empty where it has none."""
    status = status_of(error)
    info = error_details_pb2.ErrorInfo()
    if status is not None:
        for detail in status.details:
            if detail.Unpack(info):
                return str(info.reason)
    return ""
