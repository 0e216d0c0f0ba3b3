_core\.__suffix__:
    class IllegalMove(ValueError):
        """A move that `State.check` refuses, with its refusal."""

        illegal: Illegal

    class SetupError(ValueError):
        """A setup text that names no position: what is wrong and what would be right."""

_core\.Moves\.__len__:
    def __len__(self) -> int: ...

_core\.Moves\.__getitem__:
    \from collections.abc import Iterator
    def __getitem__(self, index: int) -> Move: ...
    def __iter__(self) -> Iterator[Move]: ...
