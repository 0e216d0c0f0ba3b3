"""Pages to look at: a ledger as a folder of HTML that needs no network.

`build_report(ledger, folder)` writes it. Every byte of the folder is a function of what the
ledger holds: not of the order in which results came, of times, machines or paths.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.report.build import ReportError, ReportSummary, build_report

__all__ = ["ReportError", "ReportSummary", "build_report"]


def __getattr__(name: str) -> object:
    """Load the builder, which needs numpy and jinja2, on first use (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module 'arena.report' has no attribute {name!r}")
    return getattr(import_module("arena.report.build"), name)
