"""What was made of specs and is wanted again: a program is evaluated more than once, and its types are the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from pdmigrate.schemas.shapes import CLASS_SPECS, field_names
from pdmigrate.schemas.specs import RefSpec, TypeVarSpec

Made = TypeVar("Made")

_EXACT = frozenset({str, bytes, int, bool, type(None)})
"""Plain values of which two are the same when they are equal and of the same type."""
_BY_TEXT = frozenset({float, complex})

MOST = 2_000
"""How many results are kept: more tools than a server has."""


class Memory(Generic[Made]):
    """Results by the text of what they were made from."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Made] = {}

    def recall(self, source: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """What ``make`` gives, made once for equal sources; ``source`` is specs, tuples of them and plain values."""
        key = fingerprint(source)
        if key is None:
            return make()
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = make()
        return self._known[key]


def fingerprint(source: Any) -> tuple[Any, ...] | None:
    """What two sources have in common exactly when the same is made of both; ``None`` where that is not known.

    Equality of specs will not do: to Python, ``True``, ``1`` and ``1.0`` are equal, and so are ``0.0`` and ``-0.0``.
    A class that is nested in many places is written down once, and what tells classes of one name apart is counted:
    it is another text in every run of a program.  Where a function of the program is asked, the answer is that of a
    moment.
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
