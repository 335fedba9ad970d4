"""What classes of the program have from the library's classes that they derive from.

Whoever knows a library appends a function to each list; they are asked in turn, and one that knows nothing of a class
returns ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core.values import Arguments, ClassValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

INSTANCES: list[Callable[[Interpreter, ClassValue, Arguments], Value | None]] = []
"""``cls(...)``"""
CLASS_ATTRIBUTES: list[Callable[[ClassValue, str], Value | None]] = []
"""``cls.name``"""
SUPER_ATTRIBUTES: list[Callable[[Interpreter, Value, Value, str], Value | None]] = []
"""``super().name``, from the library's class, the object and the name"""


def derived(known: Iterable[Callable[..., Value | None]], *question: Any) -> Value | None:
    """The first answer of the functions in ``known``; ``None`` if none of them knows the class."""
    return next(filter(None, (answer(*question) for answer in known)), None)
