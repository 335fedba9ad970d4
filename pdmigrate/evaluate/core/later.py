"""Sequences whose items are made when somebody asks for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, overload

Item = TypeVar("Item", covariant=True)


class Later(Sequence[Item]):
    """A sequence of ``items``, which a subclass makes at the first look at them."""

    @property
    def items(self) -> tuple[Item, ...]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        return self.items[index]
