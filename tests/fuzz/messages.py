"""Random messages of any protobuf type: well formed but senseless, and bytes that are none.

A field is left out, or holds its default, an extreme value, or something from a `Pool` of values
that mean something to the receiver just now: a game that goes on, a revision that is due, a token.
"""

from __future__ import annotations

import math
import os
import random
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from arena.players.call import DialledCall

_M = TypeVar("_M", bound=Message)
_Value = str | int | float | bool | bytes

_DEPTH = 5
_KEPT = 64
"""Values that a pool keeps of one field; a new one takes the place of an old one."""

TEXTS = (
    *("", " ", "\0", "a\0b", "\n", "\r\n\t", "\ufeff", "\ufffd", "\uffff", "\U0010ffff"),
    *("\u202eabc", "\u200b", "e\u0301", "é", "İ", "ß", "ﬁ", "中国象棋", "🀄", "👩‍👩‍👧"),
    *("*", "?", "[", "[!", "[]", "**/*", "gomoku/*", "a/b", "../..", "%s%n", "%00", "'; --"),
    *("{}", "[]", "null", "0", "-1", "1e999", "nan", "0x10", "٣", "9" * 30, "@", "a@b", "\\"),
    *("ﷺ" * 100, "x" * 101, "x" * 5_000, "é" * 3_000, "[" * 500, "a." * 100, "\0" * 100),
)
"""Texts that have broken programs before."""

_WHOLE = (0, 1, 2, 3, 7, 255, 256, 65_535, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**63)
_REALS = (0.0, -0.0, 0.5, 1.0, -1.0, 1.5, 5e-324, 1e308, -1e308, math.inf, -math.inf, math.nan)
_LOWEST = {
    FieldDescriptor.CPPTYPE_INT32: -(2**31),
    FieldDescriptor.CPPTYPE_INT64: -(2**63),
    FieldDescriptor.CPPTYPE_UINT32: 0,
    FieldDescriptor.CPPTYPE_UINT64: 0,
}
_HIGHEST = {
    FieldDescriptor.CPPTYPE_INT32: 2**31 - 1,
    FieldDescriptor.CPPTYPE_INT64: 2**63 - 1,
    FieldDescriptor.CPPTYPE_UINT32: 2**32 - 1,
    FieldDescriptor.CPPTYPE_UINT64: 2**64 - 1,
}


class Pool:
    """Values that mean something, by the name of a field."""

    def __init__(self, **values: Iterable[_Value]) -> None:
        """What is known from the start, and stays."""
        self._fixed = {name: list(known) for name, known in values.items()}
        self._met: dict[str, list[_Value]] = defaultdict(list)

    def add(self, rng: random.Random, name: str, value: _Value) -> None:
        """Something that has been met."""
        met = self._met[name]
        if len(met) < _KEPT:
            met.append(value)
        else:
            met[rng.randrange(_KEPT)] = value

    def of(self, name: str) -> list[_Value]:
        """What is known of a field."""
        return [*self._fixed.get(name, ()), *self._met.get(name, ())]


class Maker:
    """Makes messages."""

    def __init__(self, rng: random.Random, pool: Pool, longest: int = 20_000) -> None:
        """No single text is longer than `longest` characters."""
        self.rng = rng
        self.pool = pool
        self._longest = longest

    def message(self, kind: type[_M]) -> _M:
        """A message of a type: sometimes nearly empty, sometimes nearly full."""
        made = kind()
        self.fill(made)
        return made

    def fill(self, message: Message, depth: int = _DEPTH) -> None:
        """Sets some fields of a message, whatever they held."""
        share = self.rng.choice((0.1, 0.3, 0.5, 0.8, 0.95))
        for field in self._chosen(message.DESCRIPTOR, share):
            if field.message_type is not None and depth <= 0:
                continue
            if field.is_repeated:
                self._repeat(message, field, depth)
            elif field.message_type is not None:
                inner = getattr(message, field.name)
                inner.SetInParent()
                self.fill(inner, depth - 1)
            else:
                setattr(message, field.name, self._value(field))

    def changed(self, message: _M) -> _M:
        """A copy of a good message in which a few fields are not what they were."""
        copy = type(message)()
        copy.CopyFrom(message)
        places = list(_places(copy))
        for _ in range(self.rng.choice((1, 1, 1, 2, 4))):
            if not places:
                break
            at = self.rng.choice(places)
            fields: list[FieldDescriptor] = list(at.DESCRIPTOR.fields)  # type: ignore[arg-type]
            if not fields:
                continue
            field = self.rng.choice(fields)
            if self.rng.random() < 0.3:
                at.ClearField(field.name)
            elif field.is_repeated:
                self._repeat(at, field, 2)
            elif field.message_type is not None:
                self.fill(getattr(at, field.name), 2)
            else:
                setattr(at, field.name, self._value(field))
            places = list(_places(copy))
        return copy

    def _chosen(self, kind: Any, share: float) -> list[FieldDescriptor]:
        """Fields to be set; of each oneof, one at most."""
        chosen = [f for f in kind.fields if f.containing_oneof is None and self._often(share)]
        for oneof in kind.oneofs:
            if self._often(max(share, 0.8 if len(oneof.fields) > 1 else share)):
                chosen.append(self.rng.choice(list(oneof.fields)))
        return chosen

    def _often(self, share: float) -> bool:
        return self.rng.random() < share

    def _repeat(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        values: Any = getattr(message, field.name)
        count = self.rng.choice((0, 1, 1, 2, 3)) if self.rng.random() < 0.97 else 60
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            inner = kind.fields_by_name["value"]
            for _ in range(count):
                key = self._value(kind.fields_by_name["key"])
                if inner.message_type is not None:
                    self.fill(values[key], depth - 1)
                else:
                    values[key] = self._value(inner)
        elif kind is not None:
            for _ in range(count):
                self.fill(values.add(), depth - 1)
        else:
            values.extend(self._value(field) for _ in range(count))

    def _value(self, field: FieldDescriptor) -> Any:
        known = self.pool.of(field.name)
        if known and self.rng.random() < 0.7:
            found = self.rng.choice(known)
            if _fits(field, found):
                return found
        match field.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING:
                text = self.text()
                return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
            case FieldDescriptor.CPPTYPE_BOOL:
                return self.rng.random() < 0.5
            case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
                return self.rng.choice((*_REALS, self.rng.random()))
            case FieldDescriptor.CPPTYPE_ENUM:
                assert field.enum_type is not None
                named = [value.number for value in field.enum_type.values]
                return self.rng.choice((*named, *named, -1, 99, 2**31 - 1, -(2**31)))
            case kind:
                whole = self.rng.choice(
                    (*_WHOLE, *map(int.__neg__, _WHOLE), self.rng.getrandbits(64))
                )
                return max(_LOWEST[kind], min(_HIGHEST[kind], whole))

    def text(self) -> str:
        """A text: one that is feared, a random one, or a very long one."""
        chance = self.rng.random()
        if chance < 0.7:
            return self.rng.choice(TEXTS)
        if chance < 0.98:
            # Lone surrogates are no text that a message could hold.
            ends = self.rng.choice((0x7F, 0x2FF, 0xD7FF))
            return "".join(chr(self.rng.randrange(ends)) for _ in range(self.rng.randrange(40)))
        return (self.rng.choice(TEXTS[1:]) * self._longest)[: self.rng.randrange(self._longest)]

    def bent(self, data: bytes) -> bytes:
        """Serialised messages with bytes flipped, cut, spliced or repeated: mostly no messages."""
        raw = bytearray(data)
        for _ in range(self.rng.choice((1, 1, 2, 5))):
            at = self.rng.randrange(len(raw) + 1)
            to = min(len(raw), at + self.rng.choice((1, 2, 8, 64)))
            match self.rng.randrange(6):
                case 0 if raw:
                    raw[at % len(raw)] ^= 1 << self.rng.randrange(8)
                case 1:
                    del raw[at:to]
                case 2:
                    raw[at:at] = raw[at:to] * self.rng.choice((1, 3, 50))
                case 3:
                    raw[at:at] = self.rng.randbytes(self.rng.choice((1, 4, 30)))
                case 4:
                    raw[at:to] = b"\xff" * (to - at)
                case _:
                    del raw[at:]
        return bytes(raw)


def _fits(field: FieldDescriptor, value: _Value) -> bool:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return isinstance(value, str) and field.type != FieldDescriptor.TYPE_BYTES
        case FieldDescriptor.CPPTYPE_BOOL:
            return isinstance(value, bool)
        case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
            return isinstance(value, float)
        case FieldDescriptor.CPPTYPE_ENUM:
            return False
        case kind:
            return type(value) is int and _LOWEST[kind] <= value <= _HIGHEST[kind]


def _places(message: Message) -> Iterable[Message]:
    """A message and all messages in it, but for the values of maps."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for inner in value if field.is_repeated else (value,):
            yield from _places(inner)


def rss_mib() -> float:
    """Memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def send(call: Any, raw: bytes) -> None:
    """Sends bytes on a stream; nowhere where it has ended, whose status stays what the peer said.

    A write of gRPC's own would put another in its place: see `arena.players.call.DialledCall`.
    """
    await DialledCall(call).write(_Raw(raw))  # type: ignore[arg-type]  # all that it asks for


class _Raw:
    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def SerializeToString(self) -> bytes:
        return self._raw
