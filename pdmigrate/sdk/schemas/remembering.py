"""A cache of results made from specs: a program is evaluated more than once, and its types stay the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from pdmigrate.sdk.schemas.shapes import CLASS_SPECS, field_names
from pdmigrate.sdk.schemas.specs import RefSpec, TypeVarSpec

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
