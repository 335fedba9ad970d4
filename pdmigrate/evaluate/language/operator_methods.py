"""The methods of the program's classes that operators call: which one answers, and in which order they are asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in, alternatives, choice_unknown, with_aliases
from pdmigrate.evaluate.core.disturbing import disturb
from pdmigrate.evaluate.core.members import call_own, class_lookup
from pdmigrate.evaluate.core.python_values import describe, enum_payload
from pdmigrate.evaluate.core.values import Choice, ClassValue, Guard, Place, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

METHODS: dict[type, str] = {
    cst.Add: "add",
    cst.Subtract: "sub",
    cst.Multiply: "mul",
    cst.MatrixMultiply: "matmul",
    cst.Divide: "truediv",
    cst.FloorDivide: "floordiv",
    cst.Modulo: "mod",
    cst.Power: "pow",
    cst.LeftShift: "lshift",
    cst.RightShift: "rshift",
    cst.BitAnd: "and",
    cst.BitOr: "or",
    cst.BitXor: "xor",
}
"""The names of the methods of binary operators, without ``__``, ``__r`` and ``__i`` before them."""
Attempt = Callable[[], Value | None]
"""Asks one operand for the result of an operator; ``None`` if its class has no method for it."""


def declines(value: Value) -> bool:
    """Whether the result of a method is ``NotImplemented``, which leaves the operator to the other operand."""
    return value.library_name == "builtins.NotImplemented"


def first_answer(run: Interpreter, attempts: Sequence[Attempt]) -> Value | None:
    """The result of the first method that does not decline; ``None`` if there is none.

    If it depends on something unknown whether a method declines, the next one is called under that condition.  The
    result of a method that is unknown as a whole is taken for an answer.
    """
    for number, attempt in enumerate(attempts, 1):
        result = attempt()
        if result is None or declines(result):
            continue
        if not isinstance(result, Choice) or not any(declines(side) for side in alternatives(result)):
            return result
        unknown = choice_unknown(result)
        guard = Guard("the operand leaves the answer to the other one", unknown, otherwise="the operand answers")
        other = run.under(guard, partial(first_answer, run, attempts[number:]))
        return with_aliases(unknown, other) if other is not None else unknown
    return None


def is_derived(value: Value, other: Value) -> bool:
    """Whether the class of ``value`` is a proper subclass of the class of ``other``, so that it is asked first."""
    instance, base = value.as_instance, other.as_instance
    return instance is not None and base is not None and base.cls in instance.cls.mro[1:]


def method_attempt(run: Interpreter, value: Value, name: str, other: Value, place: Place | None) -> Attempt:
    return lambda: call_own(run, value, name, other, place=place)


def is_asked(value: Value, *names: str) -> bool:
    """Whether an operator asks the class of ``value``: an instance that is not just a text or number."""
    instance = value.as_instance
    return instance is not None and (enum_payload(value) is None or instance.cls.defines(*names))


def by_class(run: Interpreter, name: str, left: Value, right: Value, place: Place | None) -> Value | None:
    """The result of a binary operator by the methods of the operands' classes; ``None`` if no method answers."""
    own, reflected = f"__{name}__", f"__r{name}__"
    attempts = [partial(_asked, run, left, own, right, place), partial(_asked, run, right, reflected, left, place)]
    one, other = left.as_instance, right.as_instance
    if one is not None and other is not None:
        if one.cls is other.cls:
            del attempts[1]
        elif is_derived(right, left) and not _shares(one.cls, other.cls, reflected):
            attempts.reverse()
    return first_answer(run, attempts)


def _shares(base: ClassValue, derived: ClassValue, name: str) -> bool:
    """Whether a class has its attribute ``name`` from ``base``, or neither has one."""
    return class_lookup(base, name)[0] is class_lookup(derived, name)[0]


def _asked(run: Interpreter, value: Value, name: str, other: Value, place: Place | None) -> Value | None:
    """The result of the method ``name`` of ``value``; unknown if it may have one that is not followed."""
    instance = value.as_instance
    if instance is None:
        return None
    result = call_own(run, value, name, other, place=place)
    base = class_lookup(instance.cls, name)[1] if result is None else None
    return method_outside(value, name, base, place) if base is not None else result


def method_outside(value: Value, name: str, base: Value, place: Place | None = None) -> UnknownValue:
    """The unknown result of a method that ``value`` has from ``base``, a class from outside the program."""
    code = reasons.OUTSIDE if "." in base.outer_name else reasons.UNSUPPORTED
    return reasons.unknown(code, f"{name} of {describe(value)} comes from {describe(base)}", place)


def maybe_by_class(run: Interpreter, names: Sequence[str], unknown: UnknownValue, *operands: Value) -> None:
    """Forget what the methods ``names`` of objects that unknown ``operands`` may be could change."""
    if run.defined.special.isdisjoint(names):
        return
    for operand in operands:
        found = (item.as_instance for item in all_in(run, operand))
        if any(instance is not None and instance.cls.defines(*names) for instance in found):
            disturb(run, with_aliases(unknown, operand))


def by_metaclass(value: Value, *names: str) -> UnknownValue | None:
    """The unknown result of an operation on a class whose metaclass defines one of the methods ``names``."""
    cls = value.as_class
    meta = cls.metaclass if cls is not None else None
    if cls is None or meta is None or not meta.defines(*names):
        return None
    return reasons.unknown(reasons.UNSUPPORTED, f"the metaclass of {cls.name} defines {names[0]}")


def lacks(value: Value, name: str) -> bool:
    """Whether an object of the program certainly has no special method ``name``."""
    instance = value.as_instance
    if instance is None or instance.cls.kind != "plain" or instance.cls.opaque is not None:
        return False
    return class_lookup(instance.cls, name) == (None, None)
