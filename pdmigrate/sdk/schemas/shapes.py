"""Traverse specs, and tell types apart that Python treats as one in a union."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.unsettled import REFUSED, UnsettledError

CLASS_SPECS = (specs.ModelSpec, specs.DataclassSpec, specs.TypedDictSpec, specs.EnumSpec, specs.PlainClassSpec)


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


def shape(spec: Any) -> Hashable:
    """A key that two specs share exactly if they are the same type; a class contributes only its key, to stay cheap."""
    if isinstance(spec, CLASS_SPECS):
        return spec.key
    if isinstance(spec, tuple):
        return tuple(map(shape, spec))
    if (names := field_names(type(spec))) is not None:
        return (type(spec).__name__, *(shape(getattr(spec, name)) for name in names))
    return repr(spec)


def _options(spec: specs.UnionSpec) -> tuple[Hashable, ...]:
    """The options of a union as Python sees them: flattened, each option once."""
    found: dict[Hashable, None] = {}
    for option in spec.options:
        inner = _options(option) if isinstance(option, specs.UnionSpec) else (shape(option),)
        found.update(dict.fromkeys(inner))
    return tuple(found)


def check_orders(found: Iterable[Any]) -> None:
    """Refuse specs, given with all their parts, if one union occurs in two orders inside other types.

    The caches of ``typing`` treat ``List[Union[int, str]]`` and ``List[Union[str, int]]`` as one type, in the order of
    whichever the process created first.
    """
    orders: dict[frozenset[Hashable], tuple[Hashable, ...]] = {}
    for part in found:
        inside = part.args if isinstance(part, specs.SubscriptSpec) else (getattr(part, "base", None),)
        for order in (_options(item) for item in inside if isinstance(item, specs.UnionSpec)):
            if orders.setdefault(frozenset(order), order) != order:
                raise UnsettledError("the same union occurs in two orders, which typing treats as one type", REFUSED)
