"""Objects of the standard library that the evaluator makes itself: patterns, matches, signatures, templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.values import Arguments, ClassValue, Native, Origin, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

Method = Callable[["Interpreter", Arguments], Value]


FILE = "file"
"""The ``kind`` of an open text file of the tree; its ``payload`` is the text."""


class KnownObject(Value):
    """An object whose listed attributes and methods are known; any other attribute is unknown."""

    __slots__ = ("attributes", "kind", "methods", "payload")

    def __init__(
        self,
        kind: str,
        attributes: Mapping[str, Value],
        methods: Mapping[str, Method],
        *,
        payload: object = None,
        origin: Origin | None = None,
    ) -> None:
        super().__init__(origin=origin)
        self.kind = kind
        self.attributes = dict(attributes)
        self.methods = dict(methods)
        self.payload = payload

    def attribute(self, name: str) -> Value | None:
        """The attribute or bound method ``name``; ``None`` if it is unknown."""
        if name in self.methods:
            return Native(f"{self.kind}.{name}", self.methods[name])
        return self.attributes.get(name)

    def set(self, name: str, unknown: UnknownValue) -> None:
        """Make an attribute that the program sets unknown; the class that owns the object, if any, becomes opaque."""
        self.attributes[name] = unknown
        if isinstance(self.payload, ClassValue):
            self.payload.opaque = self.payload.opaque or unknown


def known_object(value: Value | None, kind: str) -> KnownObject | None:
    """``value`` itself, if it is an object of this kind."""
    return value if isinstance(value, KnownObject) and value.kind == kind else None
