"""Names of accounts and engines: any Unicode that can be told apart."""

from __future__ import annotations

import unicodedata

LONGEST = 100
"""Characters of a name or a version."""

# Marks that turn the direction of the text around them, so that a name can pose as another.
_TURNS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})


def engine_name(name: str) -> str:
    """The name in its usual Unicode form (NFC). Raises ValueError saying what is wrong with it."""
    return _checked(name, "name")


def account_name(name: str) -> str:
    """The same for an account."""
    return _checked(name, "account")


def sweep_name(name: str) -> str:
    """The same for a sweep."""
    return _checked(name, "name")


def version_name(version: str) -> str:
    """The same for a version, which has no "@": engines are filed as name@version."""
    found = _checked(version, "version")
    if "@" in found:
        raise ValueError(f"version {version!r}: must be text without '@'")
    return found


def folded(name: str) -> str:
    """What names have in common that look alike to a reader: case, width, blanks."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


def _checked(text: str, what: str) -> str:
    # The usual forms of a text take time, and may be many times as long.
    if len(text) > 4 * LONGEST:
        raise ValueError(f"{what}: {len(text)} characters; the most is {LONGEST}")
    found = unicodedata.normalize("NFC", text)
    if not folded(found):
        raise ValueError(f"{what}: is empty")
    if found != found.strip():
        raise ValueError(f"{what} {text!r}: begins or ends with blanks")
    if len(found) > LONGEST or len(folded(found)) > 4 * LONGEST:
        raise ValueError(f"{what}: {len(found)} characters; the most is {LONGEST}")
    for character in found:
        if character in _TURNS or unicodedata.category(character) in _UNSEEN:
            raise ValueError(
                f"{what} {text!r}: U+{ord(character):04X} cannot be seen, or hides what is there"
            )
    return found
