"""Whether a bot keeps the protocol: named checks over every game that it declares."""

from arena.conformance.findings import Finding, Outcome
from arena.conformance.kit import Kit
from arena.conformance.xml import junit

__all__ = ["Finding", "Kit", "Outcome", "junit"]
