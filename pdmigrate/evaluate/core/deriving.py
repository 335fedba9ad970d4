"""What classes of the program inherit from the classes of libraries.

A module that knows a library appends functions to these lists.  The functions of a list are asked in turn; a function
that knows nothing of the class returns ``None``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core.values import Arguments, ClassValue, Instance, Place, TupleValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

INSTANCES: list[Callable[[Interpreter, ClassValue, Arguments], Value | None]] = []
"""``cls(...)``"""
INSTANCE_ATTRIBUTES: list[Callable[[Interpreter, Instance, str], Value | None]] = []
"""``cls().name`` that no class of the program binds"""
ASSIGNED: list[Callable[[ClassValue, str, Place], Value | None]] = []
"""The value of ``cls().name`` after ``cls().name = value``, where that is not ``value``"""
CLASS_PARTS: list[Callable[[Interpreter, ClassValue, str, Place | None], Value | None]] = []
"""``cls.name``, asked before the names that the program binds in its classes"""
CLASS_ATTRIBUTES: list[Callable[[Interpreter, ClassValue, str], Value | None]] = []
"""``cls.name`` that no class of the program binds"""
SUPER_ATTRIBUTES: list[Callable[[Interpreter, Value, Value, str], Value | None]] = []
"""``super().name``, from the library's class, the object and the name"""
SUPER_OF_INSTANCES: list[Callable[[Value, ClassValue, str], Value | None]] = []
"""``super().name``, from the object, the class whose method reads it and the name; asked before the MRO is searched"""
INITIALISERS: list[Callable[[ClassValue, Value, str], Value | None]] = []
"""``super().__init__`` and the like at the end of the MRO, from the object's class, the object and the name"""
TUPLE_ATTRIBUTES: list[Callable[[Interpreter, TupleValue, str], Value | None]] = []
"""``value.name`` of a named tuple that a library made, where ``name`` is not a field"""


def derived(known: Iterable[Callable[..., Value | None]], *question: Any) -> Value | None:
    """The first answer of the functions in ``known``; ``None`` if none of them knows the class."""
    for answer in known:
        found = answer(*question)
        if found is not None:
            return found
    return None
