"""Texts that no database keeps: PostgreSQL takes no NUL, in what is filed or asked for."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from arena.server.errors import invalid


def require_texts(message: Message) -> None:
    """Raises ServiceError, naming the field, where a text of a message holds NUL."""
    # A number may hold the byte, too: only then is it looked for.
    if b"\0" in message.SerializeToString():
        for path, text in _texts(message, ""):
            if "\0" in text:
                raise invalid(path, "holds the character NUL, which is in no text")


def without_nul(text: str) -> str:
    """A text, such as a program's last words, as it can be filed."""
    return text.replace("\0", "\ufffd")


def _texts(message: Message, before: str) -> Iterator[tuple[str, str]]:
    for field, value in message.ListFields():
        path = f"{before}{field.name}"
        for each in value if field.is_repeated else (value,):
            if field.message_type is not None:
                yield from _texts(each, f"{path}.")
            elif field.type == FieldDescriptor.TYPE_STRING:
                yield path, each
