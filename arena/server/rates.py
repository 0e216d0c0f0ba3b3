"""How often somebody may call: token buckets, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from urllib.parse import unquote


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rates:
    """One bucket for each key; who has not been seen for long is forgotten, with a full bucket."""

    def __init__(self, per_second: float, burst: float, keys: int = 10_000) -> None:
        """`per_second` in the long run, `burst` at once; at most `keys` callers are remembered."""
        self._rate = per_second
        self._burst = burst
        self._keys = keys
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """Takes one from a bucket: 0 where there was one, else seconds until there will be.

        `now` is any clock that runs forward, in seconds.
        """
        bucket = self._filled(key, now)
        if bucket.left >= 1:
            bucket.left -= 1
            return 0.0
        return (1 - bucket.left) / self._rate

    def wait(self, key: str, now: float) -> float:
        """What `take` would answer, without taking."""
        left = self._filled(key, now).left if key in self._buckets else self._burst
        return 0.0 if left >= 1 else (1 - left) / self._rate

    def _filled(self, key: str, now: float) -> _Bucket:
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = _Bucket(self._burst, now)
            if len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(key)
        bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._rate)
        bucket.at = now
        return bucket

    def __len__(self) -> int:
        """Callers remembered."""
        return len(self._buckets)


def host_of(peer: str) -> str:
    """The host of gRPC's word for a peer, "ipv4:127.0.0.1:4711" or "ipv6:%5B::1%5D:4711".

    Of an IPv6 address the first 64 bits: whoever has one has all that begin so.
    """
    kind, _, rest = unquote(peer).partition(":")
    if kind == "ipv4":
        return rest.rpartition(":")[0]
    if kind == "ipv6":
        from ipaddress import IPv6Address

        host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
        try:
            address = IPv6Address(host)
        except ValueError:
            return host
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return kind
