"""What an unknown name may have meant, and what a setting may be: ends of error messages."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping
from typing import Any

MOST_LISTED = 15
"""Valid names that a message lists at most."""

SHOWN = 3


def nearest(word: str, valid: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: what it may have meant.

    >>> nearest("sise", ["size", "opening"])
    "; did you mean 'size'?"
    >>> nearest("x", ["size", "opening"])
    '; there are: opening, size'
    """
    choices = sorted(set(valid))
    close = difflib.get_close_matches(word, choices, n=SHOWN, cutoff=0.4)
    if close:
        return f"; did you mean {either(close)}?"
    if len(choices) <= MOST_LISTED:
        return "; there are: " + (", ".join(choices) or "none")
    close = difflib.get_close_matches(word, choices, n=SHOWN, cutoff=0.0)
    return f"; the nearest of {len(choices)} are " + ", ".join(f"'{c}'" for c in close)


def either(words: Iterable[str]) -> str:
    """Words to choose from, in a sentence."""
    return " or ".join(f"'{word}'" for word in words)


def valid_values(spec: Mapping[str, Any], defs: Mapping[str, Any]) -> str:
    """The valid values of one setting's JSON schema, as a short text; "" where it is any text.

    >>> valid_values({"type": "integer", "minimum": 5, "maximum": 22}, {})
    '5..22'
    """
    if "$ref" in spec:
        return valid_values(defs[spec["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in spec:
        return " | ".join(part for each in spec["anyOf"] if (part := valid_values(each, defs)))
    if "allOf" in spec:
        return valid_values(spec["allOf"][0], defs)
    if "enum" in spec:
        return " | ".join(plain(value) for value in spec["enum"])
    if "const" in spec:
        return plain(spec["const"])
    kind = spec.get("type")
    if kind == "boolean":
        return "true | false"
    if kind == "null":
        return "null"
    if kind == "integer":
        low = spec.get("minimum", spec.get("exclusiveMinimum", ""))
        high = spec.get("maximum", spec.get("exclusiveMaximum", ""))
        return f"{low}..{high}" if low != "" or high != "" else "integer"
    return ""


def plain(value: Any) -> str:
    """A setting's value as a person writes it: texts without quotes."""
    return value if isinstance(value, str) else json.dumps(value)
