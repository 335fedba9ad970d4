"""Objects with identity, whose content may change: containers, views of them, and namespaces."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from pdmigrate.evaluate.core.immutable import Maybe, UnknownValue, Value

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.tree.modules import SourceModule

_SERIAL = count(1)


@dataclass(slots=True, eq=False)
class Mutable(Value):
    """An object with identity whose content may change."""

    serial: int = field(default_factory=_SERIAL.__next__, kw_only=True)
    """Grows with every object made: tells whether one is younger than a branch."""

    def snapshot(self) -> Any:
        raise NotImplementedError

    def restore(self, saved: Any) -> None:
        raise NotImplementedError


class Deferred(NamedTuple):
    """How the elements of an iterator are computed, once something asks for them."""

    compute: Callable[[], tuple[list[Value], UnknownValue | None]]
    sources: tuple[Mutable, ...] | None = None
    """All that they are made from; ``None`` when code of the program makes them."""
    node: cst.CSTNode | None = None
    """That code."""
    own: Scope | None = None
    """The names of that code, which nothing else sees."""


@dataclass(slots=True, eq=False)
class ListValue(Mutable):
    items: list[Value] = field(default_factory=list)
    rest: UnknownValue | None = None
    """Why there may be more (or other) elements than ``items``: before them, between them and after them."""
    kind: str = "list"
    """``list``, ``tuple`` (one whose length is not known), ``deque`` ``iterator`` (a generator, a ``map``)
    or ``record`` (what a server was told)."""
    deferred: Deferred | None = None
    """Of an iterator: where its elements come from."""
    waiting: bool = False
    """Whether an iterator was not asked for anything yet: its elements are computed when it is."""
    stamp: tuple[Any, ...] | None = None
    """Of an iterator that was read in part: the state in which the elements that are left were computed."""
    inner: tuple[ListValue, ...] = ()
    """Of an iterator: those that were read to compute its elements."""
    effects: dict[Mutable, Any] = field(default_factory=dict)
    """Of an iterator: what computing its elements changed, as it was before."""

    def snapshot(self) -> tuple[list[Value], UnknownValue | None, bool, tuple[Any, ...] | None]:
        return list(self.items), self.rest, self.waiting, self.stamp

    def restore(self, saved: Any) -> None:
        self.items, self.rest = list(saved[0]), saved[1]
        self.waiting, self.stamp = saved[2:] if len(saved) > 2 else (False, None)

    @property
    def exact(self) -> bool:
        return self.rest is None and not self.waiting and not any(type(item) is Maybe for item in self.items)


class Entry(NamedTuple):
    key: Value
    value: Value


@dataclass(slots=True, eq=False)
class DictValue(Mutable):
    entries: dict[Hashable, Entry] = field(default_factory=dict)
    rest: UnknownValue | None = None
    factory: Value | None = None
    """The default factory of a ``defaultdict``."""
    kind: str = "dict"
    """``dict``, or the full name of the class that it is of."""
    owner: Namespace | None = None
    """The object that this is the ``__dict__`` of."""
    order: UnknownValue | None = None
    """Why the entries may be in another order."""

    def snapshot(self) -> tuple[dict[Hashable, Entry], UnknownValue | None, UnknownValue | None]:
        return dict(self.entries), self.rest, self.order

    def restore(self, saved: Any) -> None:
        self.entries, self.rest = dict(saved[0]), saved[1]
        self.order = saved[2] if len(saved) > 2 else None

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(entry.value) is Maybe for entry in self.entries.values())


@dataclass(slots=True, eq=False)
class ViewValue(Value):
    """``keys()``, ``values()``, ``items()`` or a proxy (``mapping``) of a dict, which see what becomes of it."""

    source: DictValue
    kind: str


@dataclass(slots=True, eq=False)
class SetValue(Mutable):
    items: dict[Hashable, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    frozen: bool = False

    def snapshot(self) -> tuple[dict[Hashable, Value], UnknownValue | None]:
        return dict(self.items), self.rest

    def restore(self, saved: Any) -> None:
        self.items, self.rest = dict(saved[0]), saved[1]

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for item in self.items.values())


@dataclass(slots=True, eq=False)
class Namespace(Mutable):
    """Names and their values: the locals of a call, the attributes of an object."""

    names: dict[str, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    """Why any name may have another value than the one here."""

    def snapshot(self) -> tuple[dict[str, Value], UnknownValue | None]:
        return dict(self.names), self.rest

    def restore(self, saved: Any) -> None:
        self.names, self.rest = dict(saved[0]), saved[1]


@dataclass(slots=True, eq=False)
class Scope(Namespace):
    """A namespace that name look-up goes through."""

    kind: str = "function"
    parent: Scope | None = None
    module: SourceModule | None = None
    redirected: dict[str, Scope] = field(default_factory=dict)
    """Names that ``global`` and ``nonlocal`` send elsewhere."""
    fields: ListValue | None = None
    """In a class body: its fields so far."""
    node: cst.FunctionDef | cst.Lambda | None = None
    """The function whose call this is."""
    private: str = ""
    """The class around this code, by whose name Python tells its ``__private`` names apart."""


def now() -> int:
    """A serial that every object made from here on exceeds."""
    return next(_SERIAL)
