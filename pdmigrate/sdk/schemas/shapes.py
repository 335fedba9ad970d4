"""Traverse specs, keep what was made of them, and tell types apart that Python treats as one in a union or a cache."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from pdmigrate.model import Site
from pdmigrate.sdk.schemas.specs import (
    ANY,
    AnnotatedSpec,
    DataclassSpec,
    EnumSpec,
    ModelSpec,
    PlainClassSpec,
    PlainValue,
    RefSpec,
    SubscriptSpec,
    TypedDictSpec,
    TypeSpec,
    TypeVarSpec,
    UnionSpec,
)
from pdmigrate.sdk.schemas.unsettled import REFUSED, UnsettledError

CLASS_SPECS = (ModelSpec, DataclassSpec, TypedDictSpec, EnumSpec, PlainClassSpec)


def parts(spec: Any) -> Iterator[Any]:
    """A spec and all its parts, depth first; a class that is nested in many places is traversed once."""
    seen: set[int] = set()
    stack = [spec]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is tuple:
            stack += reversed(item)
        elif (names := field_names(kind)) is not None and id(item) not in seen:
            if kind in CLASS_SPECS:
                seen.add(id(item))
            yield item
            stack += [getattr(item, name) for name in reversed(names)]


_FIELDS: dict[type[Any], tuple[str, ...] | None] = {}


def field_names(kind: type[Any]) -> tuple[str, ...] | None:
    """The field names of a spec class (a dataclass); ``None`` for any other class."""
    if kind not in _FIELDS:
        known = dataclasses.is_dataclass(kind)
        _FIELDS[kind] = tuple(item.name for item in dataclasses.fields(kind)) if known else None
    return _FIELDS[kind]


def own_parts(spec: Any) -> Iterator[Any]:
    """A type and the types that it mentions directly, without those in the bodies of the classes that it mentions."""
    if isinstance(spec, tuple):
        for item in spec:
            yield from own_parts(item)
    elif (names := field_names(type(spec))) is not None:
        yield spec
        if not isinstance(spec, (*CLASS_SPECS, RefSpec, TypeVarSpec)):
            for name in names:
                yield from own_parts(getattr(spec, name))


def mentioned(spec: Any) -> set[str]:
    """The keys of the classes that a type mentions directly."""
    found = set()
    for part in own_parts(spec):
        if isinstance(part, CLASS_SPECS):
            found.add(part.key)
        elif isinstance(part, RefSpec):
            found.add(part.identity)
    return found


def shape(spec: Any) -> Hashable:
    """A key that two specs share exactly if they are the same type; a class contributes only its key, to stay cheap."""
    if isinstance(spec, CLASS_SPECS):
        return ("class", spec.key)
    if isinstance(spec, RefSpec):
        return ("class", spec.identity)
    if isinstance(spec, TypeVarSpec):
        return ("variable", spec.identity or spec.name)
    if isinstance(spec, PlainValue):
        return (type(spec.value).__name__, repr(spec.value))
    if isinstance(spec, UnionSpec):
        return ("union", _options(spec))
    if isinstance(spec, tuple):
        return tuple(map(shape, spec))
    names = field_names(type(spec))
    if names is not None and not isinstance(spec, Site):
        return (type(spec).__name__, *(shape(getattr(spec, name)) for name in names))
    return spec if isinstance(spec, (str, bool)) else None


def _options(spec: UnionSpec) -> tuple[Hashable, ...]:
    """The options of a union as Python sees them: flattened, each option once."""
    found: dict[Hashable, None] = {}
    for option in spec.options:
        inner = _options(option) if isinstance(option, UnionSpec) else (shape(option),)
        found.update(dict.fromkeys(inner))
    return tuple(found)


# --- unions without a unique schema -----------------------------------------------------------------------------------


def check_orders(found: Iterable[Any]) -> None:
    """Refuse specs, given with all their parts, if one union occurs in two orders inside other types.

    The caches of ``typing`` treat ``List[Union[int, str]]`` and ``List[Union[str, int]]`` as one type, in the order of
    whichever the process created first.
    """
    orders: dict[frozenset[Hashable], tuple[Hashable, ...]] = {}
    for union in _nested_unions(found):
        order = _options(union)
        if orders.setdefault(frozenset(order), order) != order:
            raise UnsettledError("the same union occurs in two orders, which typing treats as one type", REFUSED)


def _nested_unions(found: Iterable[Any]) -> Iterator[UnionSpec]:
    for part in found:
        inside: tuple[Any, ...] = ()
        if isinstance(part, SubscriptSpec):
            inside = part.args
        elif isinstance(part, AnnotatedSpec):
            inside = (part.base,)
        yield from (item for item in inside if isinstance(item, UnionSpec))


def check_any(base: TypeSpec) -> None:
    """Refuse generic models with a union of ``Any`` and other types.

    Whether pydantic (2.12 and later) keeps such a union when it replaces type variables, or turns it into ``Any``,
    depends on the content of typing's cache at that moment: the same module was measured to have two schemas.
    """
    if isinstance(base, ModelSpec) and any(isinstance(part, UnionSpec) and ANY in part.options for part in parts(base)):
        raise UnsettledError("a union with Any in a generic model has no one schema in pydantic", REFUSED)


def check_waiting(spec: UnionSpec, building: set[str]) -> None:
    """Refuse a union of a type variable and a class that is not built yet: both may turn out to be the same type."""
    if building and mentioned(spec) & building and any(isinstance(part, TypeVarSpec) for part in own_parts(spec)):
        raise UnsettledError("a union of a type variable and a class that is not there yet", REFUSED)


Made = TypeVar("Made")

_EXACT = frozenset({str, bytes, int, bool, type(None)})
"""Types whose values are interchangeable if they are equal and of the same type."""
_BY_TEXT = frozenset({float, complex})

MOST = 2_000
"""The most results that are kept: more than a server has tools."""


class Memory(Generic[Made]):
    """Results by the fingerprint of the source that they were made from."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Made] = {}

    def recall(self, source: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """The result of ``make``, computed once for equal sources; ``source`` holds specs, tuples and plain values."""
        key = fingerprint(source)
        if key is None:
            return make()
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = make()
        return self._known[key]


def fingerprint(source: Any) -> tuple[Any, ...] | None:
    """A key that two sources share exactly if they give the same result; ``None`` if no key can be made.

    Comparing specs is not enough: in Python, ``True``, ``1`` and ``1.0`` are equal, and so are ``0.0`` and ``-0.0``.
    A class that is nested in many places is written out once.  Identities tell classes of one name apart and differ
    in every run of a program, so they are replaced by numbers in order of appearance.  A source with an object of
    another kind, such as a function, has no key.
    """
    found: list[Any] = []
    classes: dict[int, int] = {}
    labels: dict[str, int] = {}
    stack = [source]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is tuple:
            found.append(len(item))
            stack += reversed(item)
        elif kind in _EXACT:
            found.append((kind, item))
        elif kind in _BY_TEXT:
            found.append((kind, repr(item)))
        elif kind in CLASS_SPECS and id(item) in classes:
            found.append(("as", classes[id(item)]))
        elif (names := field_names(kind)) is not None:
            found.append(kind)
            if kind in CLASS_SPECS:
                classes[id(item)] = len(classes)
                found.append(labels.setdefault(item.key, len(labels)))
            elif kind is RefSpec:
                found.append(labels.setdefault(item.identity, len(labels)))
            elif kind is TypeVarSpec:
                found.append(labels.setdefault(item.identity or item.name, len(labels)))
            stack += [getattr(item, name) for name in reversed(names) if name != "identity"]
        else:
            return None
    return tuple(found)
