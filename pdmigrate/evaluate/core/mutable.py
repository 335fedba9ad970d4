"""Objects with identity, whose content may change: containers, views of them, and namespaces."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pdmigrate.evaluate.core.base import Value
from pdmigrate.evaluate.core.immutable import Maybe, UnknownValue

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.tree.code.modules import SourceModule

_SERIAL = count(1)


@dataclass(slots=True, eq=False)
class Mutable(Value):
    """An object with identity whose content may change."""

    serial: int = field(default_factory=_SERIAL.__next__, kw_only=True)
    """Grows with every object created, so that ``Delta.born`` tells which objects were created inside a branch."""
    is_counted: ClassVar[bool] = True
    """Whether the trail counts the changes of such an object (``Trail.changes``)."""

    @property
    def age(self) -> int:
        return self.serial

    def snapshot(self) -> Any:
        raise NotImplementedError

    def restore(self, saved: Any) -> None:
        raise NotImplementedError


class Computation(NamedTuple):
    """How the elements of an iterator are computed, on first use."""

    compute: Callable[[], tuple[list[Value], UnknownValue | None]]
    sources: tuple[Mutable, ...] | None = None
    """All objects that the elements are computed from; ``None`` if code of the program computes them."""
    node: cst.CSTNode | None = None
    """The program's code that computes the elements."""
    own: Scope | None = None
    """The scope of that code, which no other code sees."""


@dataclass(slots=True, eq=False)
class ListValue(Mutable):
    items: list[Value] = field(default_factory=list)
    rest: UnknownValue | None = None
    """Why there may be more (or other) elements than ``items``: before them, between them and after them."""
    kind: str = "list"
    """``list``, ``tuple`` (of unknown length), ``iterator`` or ``record`` (the events of a server, which no code of the
    program sees)."""

    def snapshot(self) -> Any:
        return list(self.items), self.rest

    def restore(self, saved: Any) -> None:
        self.items, self.rest = list(saved[0]), saved[1]

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for item in self.items)

    @property
    def changes(self) -> bool:
        return True

    @property
    def as_list(self) -> ListValue:
        return self

    @property
    def sequence(self) -> list[Value]:
        return self.items


@dataclass(slots=True, eq=False)
class IteratorValue(ListValue):
    """A generator, a ``map`` or the like; once computed, ``items`` are the elements that are left."""

    kind: str = "iterator"
    is_counted: ClassVar[bool] = False
    deferred: Computation | None = None
    """How its elements are computed."""
    waiting: bool = False
    """Whether its elements are not computed yet, since nothing has read the iterator."""
    stamp: tuple[Any, ...] | None = None
    """Of a partly consumed iterator: the state from which its remaining elements were computed."""
    inner: tuple[IteratorValue, ...] = ()
    """The iterators that were read to compute its elements."""
    effects: dict[Mutable, Any] = field(default_factory=dict)
    """The objects that computing its elements changed, with their snapshots from before."""

    def snapshot(self) -> Any:
        return list(self.items), self.rest, self.waiting, self.stamp

    def restore(self, saved: Any) -> None:
        self.items, self.rest = list(saved[0]), saved[1]
        self.waiting, self.stamp = saved[2:] if len(saved) > 2 else (False, None)

    @property
    def exact(self) -> bool:
        return self.rest is None and not self.waiting and not any(type(item) is Maybe for item in self.items)

    @property
    def as_iterator(self) -> IteratorValue:
        return self


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
    """``dict``, or the full name of its class."""
    owner: Namespace | None = None
    """The object whose ``__dict__`` this is."""
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

    @property
    def changes(self) -> bool:
        return True

    @property
    def as_dict(self) -> DictValue:
        return self

    @property
    def mapping(self) -> DictValue:
        return self

    @property
    def by_key(self) -> dict[str, Value] | None:
        return {str(key): entry.value for key, entry in self.entries.items()} if self.exact else None


@dataclass(slots=True, eq=False)
class ViewValue(Value):
    """A live view of a dict: its ``keys()``, ``values()`` or ``items()``, or a read-only proxy (``mapping``)."""

    source: DictValue
    kind: str

    @property
    def changes(self) -> bool:
        return True

    @property
    def mapping(self) -> DictValue | None:
        return self.source if self.kind == "mapping" else None


@dataclass(slots=True, eq=False)
class SetValue(Mutable):
    items: dict[Hashable, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    frozen: bool = False

    @property
    def changes(self) -> bool:
        return True

    def snapshot(self) -> tuple[dict[Hashable, Value], UnknownValue | None]:
        return dict(self.items), self.rest

    def restore(self, saved: Any) -> None:
        self.items, self.rest = dict(saved[0]), saved[1]

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for item in self.items.values())

    @property
    def as_set(self) -> SetValue:
        return self


@dataclass(slots=True, eq=False)
class Namespace(Mutable):
    """Names and their values: the locals of a call, the attributes of an object."""

    names: dict[str, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    """Why any name may have another value than in ``names``."""

    def snapshot(self) -> tuple[dict[str, Value], UnknownValue | None]:
        return dict(self.names), self.rest

    def restore(self, saved: Any) -> None:
        self.names, self.rest = dict(saved[0]), saved[1]


@dataclass(slots=True, eq=False)
class Scope(Namespace):
    """A namespace in which code looks up names; those not found there are looked up in its ``parent``."""

    kind: str = "function"
    is_counted: ClassVar[bool] = False
    parent: Scope | None = None
    module: SourceModule | None = None
    redirected: dict[str, Scope] = field(default_factory=dict)
    """Names declared ``global`` or ``nonlocal``, with the scope that holds them."""
    fields: ListValue | None = None
    """Of a class body: its ``FieldRecord`` values so far."""
    node: cst.FunctionDef | cst.Lambda | None = None
    """Of a call: the function called."""
    private: str = ""
    """The name of the class around this code, with which Python mangles ``__private`` names."""


def now() -> int:
    """A serial lower than that of every object created from now on."""
    return next(_SERIAL)
