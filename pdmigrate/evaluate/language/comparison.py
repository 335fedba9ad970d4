"""Truth, identity, equality, order and membership."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, choice_unknown, first_unknown
from pdmigrate.evaluate.core.docstrings import VersionedText
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.members import call_own, class_lookup
from pdmigrate.evaluate.core.operations import TRUTHS, truth
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.python_values import NotPlain, describe, enum_payload, key_of, to_python
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    External,
    FunctionValue,
    Instance,
    IteratorValue,
    ListValue,
    Maybe,
    ModuleValue,
    Native,
    Origin,
    PathValue,
    Place,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
    doubt_among,
)
from pdmigrate.evaluate.language.iteration import elements_of
from pdmigrate.evaluate.language.iterators import put_back
from pdmigrate.evaluate.language.operator_methods import (
    by_metaclass,
    declines,
    first_answer,
    is_derived,
    method_attempt,
    method_outside,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


TRUTHS.of(Value)(lambda _run, _value: True)
TRUTHS.of(Const)(lambda _run, value: bool(value.value))
TRUTHS.of(UnknownValue)(lambda _run, value: value)
TRUTHS.of(VersionedText)(lambda _run, value: bool(value.older) if bool(value.older) is bool(value.newer) else value)
TRUTHS.of(TupleValue)(lambda _run, value: bool(value.items))
TRUTHS.of(ViewValue)(lambda run, value: truth(run, value.source))


@TRUTHS.of(External)
def _truth_of_external(_run: Interpreter, value: External) -> bool | UnknownValue:
    if declines(value):
        return reasons.unknown(reasons.PLATFORM, "NotImplemented has no truth value from Python 3.14 on")
    return is_definition(value) or reasons.unknown(reasons.OUTSIDE, f"{value.name} comes from outside the package")


@TRUTHS.of(Choice)
def _truth_of_sides(run: Interpreter, value: Choice) -> bool | UnknownValue:
    """The truth value that all alternatives have; unknown if they differ."""
    agreed: bool | None = None
    for side in alternatives(value):
        run.budget.step()
        known = truth(run, side)
        if (known is not True and known is not False) or agreed not in (None, known):
            return choice_unknown(value)
        agreed = known
    return agreed or False


def is_definition(value: Value) -> bool:
    """Whether an outside name is spelled like a module or class, which are true; other names may denote any object."""
    if value.is_result:
        return False
    last = value.library_name.rpartition(".")[2]
    return (last[:1].isupper() and (len(last) == 1 or not last.isupper())) or "." not in value.library_name


@TRUTHS.of(ClassValue)
def _truth_of_class(_run: Interpreter, value: ClassValue) -> bool | UnknownValue:
    return by_metaclass(value, "__bool__", "__len__") or True


TRUTHS.of(ListValue)(lambda _run, value: _any_there(value.items, value.rest))
TRUTHS.of(IteratorValue)(lambda _run, _value: True)
TRUTHS.of(DictValue)(lambda _run, value: _any_there([entry.value for entry in value.entries.values()], value.rest))
TRUTHS.of(SetValue)(lambda _run, value: _any_there(value.items.values(), value.rest))


def _any_there(values: Collection[Value], rest: UnknownValue | None) -> bool | UnknownValue:
    """Whether a container holds an element: ``values``, some perhaps absent, and others if ``rest`` is given."""
    if any(type(item) is not Maybe for item in values):
        return True
    return rest or doubt_among(values) or False


@TRUTHS.of(Instance)
def _instance_truth(run: Interpreter, value: Instance) -> bool | UnknownValue:
    payload = enum_payload(value)
    if payload is not None:
        return bool(payload.value)
    for name in ("__bool__", "__len__"):
        if (result := call_own(run, value, name)) is not None:
            return truth(run, result)
    return value.cls.opaque or value.rest or _by_outside_base(value, "__bool__", "__len__") or True


def _by_outside_base(value: Instance, *names: str) -> UnknownValue | None:
    """Unknown if a class from outside the tree, from which the class of ``value`` derives, may define such a method."""
    for name in names:
        found, base = class_lookup(value.cls, name)
        if found is None and base is not None and not base.outer_name.startswith(_HAS_NONE):
            return method_outside(value, name, base)
    return None


_HAS_NONE = ("builtins.", "collections.abc.", "typing.")
"""Prefixes of outside classes whose truth value and equality are those of any object: exceptions and protocols."""


def compare(run: Interpreter, node: cst.BaseCompOp, left: Value, right: Value, place: Place) -> Value:
    """``left <op> right``"""
    kind = type(node)
    if kind is cst.Is or kind is cst.IsNot:
        return truth_value(identical(left, right), negate=kind is cst.IsNot)
    if kind is cst.In or kind is cst.NotIn:
        return truth_value(contains(run, right, left, place), negate=kind is cst.NotIn)
    if kind is cst.Equal or kind is cst.NotEqual:
        unequal = kind is cst.NotEqual
        return _equal_by_class(run, left, right, place, unequal=unequal) or truth_value(
            equal(run, left, right), negate=unequal
        )
    own = _ordered_by_method(run, kind, left, right, place)
    if own is not None:
        return own
    try:
        return const(bool(_ORDERING[kind][0](to_python(left), to_python(right))), Origin("comparison", place))
    except NotPlain as reason:
        return reason.unknown
    except TypeError as error:
        raise run.failure("TypeError", str(error)) from None


_ORDERING: dict[type, tuple[Callable[[Any, Any], Any], str, str]] = {
    cst.LessThan: (operator.lt, "__lt__", "__gt__"),
    cst.LessThanEqual: (operator.le, "__le__", "__ge__"),
    cst.GreaterThan: (operator.gt, "__gt__", "__lt__"),
    cst.GreaterThanEqual: (operator.ge, "__ge__", "__le__"),
}


def _ordered_by_method(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value | None:
    """The result of ``__lt__`` and the like in a class of the program; ``None`` if no such method answers."""
    _, own, reflected = _ORDERING[kind]
    attempts = [
        method_attempt(run, left, own, right, place),
        method_attempt(run, right, reflected, left, place),
    ]
    return first_answer(run, attempts[::-1] if is_derived(right, left) else attempts)


def less(run: Interpreter, left: Value, right: Value, place: Place) -> bool | UnknownValue:
    """Whether ``left < right``, as sorting compares them."""
    return truth(run, compare(run, cst.LessThan(), left, right, place))


def truth_value(result: bool | UnknownValue, *, negate: bool) -> Value:
    """The program's ``True`` or ``False`` for ``result``, inverted with ``negate``; an unknown ``result`` as it is."""
    if result is True or result is False:
        return TRUE if result is not negate else FALSE
    return result


_ITSELF = ("inspect.Parameter.", "inspect._empty", "typing.", "types.UnionType", "collections.abc.")
"""Prefixes of outside names that identify objects: each name denotes one object, and no two denote the same."""
_NEVER_A_NAME = (Const, Native, ClassValue, FunctionValue)
_UNIONS = {"types.UnionType", "typing.Union"}


def _one_since_a_release(left: Value, right: Value) -> UnknownValue | None:
    """Unknown for ``types.UnionType`` against ``typing.Union``, one class from Python 3.14 on; else ``None``."""
    if {left.library_name, right.library_name} == _UNIONS:
        return reasons.unknown(reasons.PLATFORM, "types.UnionType is typing.Union from Python 3.14 on")
    return None


def _made_outside(*values: Value) -> UnknownValue | None:
    """Why it is unknown which object a value is: the call of a library made it; ``None`` if it made none of them."""
    return next((made_outside(value) for value in values if value.is_result), None)


def identical(left: Value, right: Value) -> bool | UnknownValue:
    """``left is right``"""
    if isinstance(left, VersionedText) and right.is_just(None):
        return False
    if isinstance(left, Choice) and right.scalar is not None:
        answers = [identical(side, right) for side in alternatives(left)]
        agreed = next((known for known in (True, False) if all(answer is known for answer in answers)), None)
        return agreed if agreed is not None else choice_unknown(left)
    unknown = first_unknown(left, right) or _one_since_a_release(left, right)
    if unknown is not None:
        return unknown
    if (made := _made_outside(left, right)) is not None:
        return left is right or made
    return IDENTITIES[type(left)](left, right)


IDENTITIES: Kinds[Callable[[Any, Value], bool | UnknownValue]] = Kinds()
"""``left is right`` by the kind of the left operand, where both operands are known."""
IDENTITIES.of(Value)(lambda left, right: left is right)
IDENTITIES.of(ModuleValue)(lambda left, right: isinstance(right, ModuleValue) and left.module is right.module)
# Python has a single ``...`` object; here, each ``...`` of the source is a separate value.
IDENTITIES.of(EllipsisValue)(lambda _left, right: isinstance(right, EllipsisValue))


def _volatile() -> UnknownValue:
    return reasons.unknown(reasons.VOLATILE, "whether two equal values are the same object")


@IDENTITIES.of(PathValue, TupleValue)
def _same_object(left: Value, right: Value) -> bool | UnknownValue:
    return _volatile() if isinstance(right, (PathValue, TupleValue)) and left is not right else left is right


@IDENTITIES.of(Const)
def _same_scalar(left: Const, right: Value) -> bool | UnknownValue:
    if (other := right.scalar) is None:
        return False
    if {type(left.value), type(other.value)} & {bool, type(None)}:
        return left.value is other.value
    return _volatile() if type(left.value) is type(other.value) and left.value == other.value else False


@IDENTITIES.of(External)
def _same_name(left: External, right: Value) -> bool | UnknownValue:
    if other := right.library_name:
        if left.name == other or (left.name.startswith(_ITSELF) and other.startswith(_ITSELF)):
            return left.name == other
        return reasons.unknown(reasons.OUTSIDE, f"whether {left.name} is {other}")
    if isinstance(right, (Const, EllipsisValue)) and not is_definition(left):
        return reasons.unknown(reasons.OUTSIDE, f"{left.name} comes from outside the package")
    return False


def equal(run: Interpreter, left: Value, right: Value) -> bool | UnknownValue:
    """Whether ``left == right``: the truth value of what the operator gives."""
    if (own := _equal_by_class(run, left, right, None)) is not None:
        return truth(run, own)
    unknown = first_unknown(left, right) or _one_since_a_release(left, right)
    unknown = unknown or by_metaclass(left, "__eq__") or by_metaclass(right, "__eq__")
    if unknown is not None:
        return unknown
    for value, other in ((left, right), (right, left)):
        if isinstance(other, _NEVER_A_NAME) and value.library_name.startswith(_ITSELF):
            return False
    try:
        return bool(to_python(left) == to_python(right))
    except NotPlain as reason:
        if isinstance(left, (FunctionValue, ClassValue, Native, ModuleValue)):
            return identical(left, right)
        if (made := _made_outside(left, right)) is not None:
            return made
        if isinstance(left, (External, PathValue)) and isinstance(right, (External, PathValue)):
            return key_of(left) == key_of(right)
        return reason.unknown


def _equal_by_class(
    run: Interpreter, left: Value, right: Value, place: Place | None, *, unequal: bool = False
) -> Value | None:
    """``left == right`` (or ``!=``) where a class of the program is asked; ``None`` if neither operand has one."""
    if not (_is_asked(left) or _is_asked(right)):
        return None
    sides = ((left, right), (right, left))
    attempts = [partial(_answer_of, run, value, other, place, unequal=unequal) for value, other in sides]
    answer = first_answer(run, attempts[::-1] if is_derived(right, left) else attempts)
    return answer or truth_value(left is right, negate=unequal)


def _is_asked(value: Value) -> bool:
    """Whether ``value`` is an instance that does not just compare as the text or number that it is as well."""
    return value.as_instance is not None and (enum_payload(value) is None or value.as_instance.cls.defines(*_EQUALITY))


_EQUALITY = ("__eq__", "__ne__")


def _answer_of(run: Interpreter, value: Value, other: Value, place: Place | None, *, unequal: bool) -> Value | None:
    """What ``value`` says of ``value == other`` (or ``!=``); ``None`` if it leaves the answer to ``other``."""
    instance = value.as_instance
    if instance is None or not _is_asked(value):
        if (unknown := first_unknown(value)) is not None or value.scalar is not None or not value.library_name:
            return unknown
        return None if is_definition(value) else made_outside(value)
    if unequal and (result := call_own(run, value, "__ne__", other, place=place)) is not None:
        return result
    if (generated := _generated_equality(instance)) is not None:
        same = value is other and instance.cls.opaque is None
        return truth_value(True if same else generated, negate=unequal)
    result = call_own(run, value, "__eq__", other, place=place)
    if result is not None:
        return truth_value(truth(run, result), negate=True) if unequal and not declines(result) else result
    return first_unknown(other)


def _generated_equality(value: Instance) -> UnknownValue | None:
    """Unknown if ``value`` is not compared by the program's code, or by identity, but by what a library generates."""
    cls = value.cls
    generates = (base for base in cls.lineage if "__eq__" in base.names or _generates_equality(base))
    if (first := next(generates, None)) is not None and "__eq__" in first.names:
        return first_unknown(first.names["__eq__"])
    if first is None and cls.kind in ("enum", "plain", "protocol") and cls.opaque is None:
        return _by_outside_base(value, "__eq__")
    return reasons.unknown(reasons.UNSUPPORTED, f"comparing {describe(value)}")


def _generates_equality(cls: ClassValue) -> bool:
    """Whether ``@dataclass`` gives the class an ``__eq__``, if its body defines none."""
    return cls.maker != "" and not cls.options.get("eq", NONE).is_just(False)


def contains(run: Interpreter, container: Value, item: Value, place: Place | None = None) -> bool | UnknownValue:
    """``item in container``"""
    unknown = first_unknown(container, item)
    if unknown is not None and container.as_instance is None:
        return unknown
    return CONTAINED[type(container)](run, container, item, place)


CONTAINED: Kinds[Callable[[Interpreter, Any, Value, Place | None], bool | UnknownValue]] = Kinds()


@CONTAINED.of(Const)
def _in_scalar(run: Interpreter, container: Const, item: Value, place: Place | None) -> bool | UnknownValue:
    if (string := container.string) is None:
        return _search(run, container, item, place)
    plain = enum_payload(item) or item.scalar
    try:
        return operator.contains(string, plain.value if plain is not None else None)
    except (TypeError, ValueError):
        raise run.failure("TypeError", "in requires a string") from None


@CONTAINED.of(ViewValue)
def _in_view(run: Interpreter, container: ViewValue, item: Value, place: Place | None) -> bool | UnknownValue:
    if (mapping := container.mapping) is not None:
        return _in_dict(run, mapping, item, place)
    return _search(run, container, item, place)


@CONTAINED.of(DictValue)
def _in_dict(_run: Interpreter, container: DictValue, item: Value, _place: Place | None) -> bool | UnknownValue:
    try:
        entry = container.entries.get(key_of(item))
    except NotPlain as reason:
        return reason.unknown
    return _is_found(entry.value if entry else None, container.rest)


@CONTAINED.of(SetValue)
def _in_set(_run: Interpreter, container: SetValue, item: Value, _place: Place | None) -> bool | UnknownValue:
    if item.as_set is not None:
        return reasons.unknown(reasons.UNSUPPORTED, "a set as an element of a set")
    try:
        return _is_found(container.items.get(key_of(item)), container.rest)
    except NotPlain as reason:
        return reason.unknown


def _is_found(found: Value | None, rest: UnknownValue | None) -> bool | UnknownValue:
    doubt = found.doubt if found is not None else None
    return doubt or rest or found is not None


@CONTAINED.of(Instance)
def _contains_method(run: Interpreter, container: Instance, item: Value, place: Place | None) -> bool | UnknownValue:
    result = call_own(run, container, "__contains__", item, place=place)
    if result is not None:
        return truth(run, result)
    return first_unknown(item) or _by_outside_base(container, "__contains__") or _search(run, container, item, place)


def matches(run: Interpreter, element: Value, item: Value) -> bool | UnknownValue:
    """Whether a container that holds ``element`` finds ``item`` by it: it is that object, or is equal to it."""
    return True if element is item else _same_nan(element, item) or equal(run, element, item)


def _same_nan(left: Value, right: Value) -> UnknownValue | None:
    """Unknown if both are ``nan``, which equals nothing, although a container finds the very object that it holds."""
    plain = (left.scalar, right.scalar)
    return _volatile() if all(one is not None and one.value != one.value for one in plain) else None


@CONTAINED.of(Value)
def _search(run: Interpreter, container: Value, item: Value, place: Place | None) -> bool | UnknownValue:
    elements = elements_of(run, container, place)
    uncertain = elements.uncertain
    for position, element in enumerate(elements.items, 1):
        run.budget.step()
        if element.doubt is not None:
            continue
        answer = matches(run, element, item)
        if answer is True:
            put_back(run, container, elements.items[position:])
            return True
        if answer is not False:
            uncertain = uncertain or answer
    return uncertain or False
