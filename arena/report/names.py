"""File names of pages: safe on every file system, whatever a bot calls itself."""

from __future__ import annotations

import hashlib
import re


def page_name(text: str) -> str:
    """A file name without extension: readable where the text is, unique always.

    ASCII letters and digits stay; a hash of the whole text tells names apart that look
    alike, differ in case only, or have no ASCII letter at all.

    >>> page_name("search:nodes=400@1")
    'search-nodes-400-1-25e799ca'
    """
    readable = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40].rstrip("-")
    tail = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{readable}-{tail}" if readable else tail
