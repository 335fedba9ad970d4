"""Operators, comparisons and truth of values."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from pdmigrate.sdk.families import IMPORTED
from pdmigrate.understand.demand.containers import hashed, make_set, overlay, put_entry, searched, sequence_of, shown
from pdmigrate.understand.demand.flow import condition, either_value
from pdmigrate.understand.demand.run import RaisedError, Run, raised
from pdmigrate.understand.demand.unfollowed import ARITHMETIC, COMPARED, TRUTH, operated
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import NONE, Const, Either, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, bare_value, unsettled
from pdmigrate.understand.values.objects import (
    PLAIN_BASES,
    ClassValue,
    FunctionValue,
    Instance,
    Scope,
    SdkObject,
    is_small,
    text_of,
)
from pdmigrate.understand.values.outside import Called, External, ModuleValue, Subscripted, UnionType

LONGEST = 2_000_000
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
OPERANDS: dict[type, Callable[[Run, ast.operator, Any, Value], Value | None]] = {}
"""What operators mean for values on their left side, by the class of these."""
_TYPES = (External, ClassValue, Subscripted, UnionType)


def binary(run: Run, sign: ast.operator, left: Value, right: Value) -> Value:
    """``left sign right``"""
    operated(run, ARITHMETIC, left, right)
    own = OPERANDS.get(type(left))
    if own is not None and (made := own(run, sign, left, right)) is not None:
        return made
    if isinstance(sign, ast.BitOr) and all(isinstance(item, _TYPES) or item == NONE for item in (left, right)):
        return UnionType((*_options(left), *_options(right)))
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return unsettled(run.risky("", left, right), left, right)
    one, other = plain_of(left), plain_of(right)
    if one is not None and other is not None:
        return _scalars(run, sign, one.value, other.value)
    if isinstance(sign, ast.Add) and isinstance(left, ListValue) and isinstance(right, ListValue):
        run.step((len(left.data) + len(right.data)) // 4)
        return ListValue([*left.data, *right.data], left.rest or right.rest)
    if isinstance(sign, ast.Add) and isinstance(left, TupleValue) and isinstance(right, TupleValue):
        run.step((len(left.items) + len(right.items)) // 4)
        return TupleValue((*left.items, *right.items))
    if isinstance(sign, ast.BitOr) and isinstance(left, DictValue) and isinstance(right, DictValue):
        made = DictValue(dict(left.data), left.rest or right.rest)
        made.ordered = left.ordered or right.ordered
        merge_dicts(made, right)
        return made
    left, right = shown(left, "keys"), shown(right, "keys")
    if type(sign) in SETS and isinstance(left, SetValue) and isinstance(right, SetValue):
        return set_operation(run, SETS[type(sign)], left, right)
    foreign = next((value.name for value in (left, right) if isinstance(value, External)), None)
    reason = f"{foreign} is not of this project" if foreign else "an operator that is not followed"
    return unsettled(run.risky(reason), left, right)


def plain_of(value: Value) -> Const | None:
    """The scalar that ``value`` is, or the text that a member of an enum of texts is."""
    text = text_of(value)
    return value if isinstance(value, Const) else Const(text) if text is not None else None


def _options(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, UnionType) else (value,)


def _scalars(run: Run, sign: ast.operator, left: Any, right: Any) -> Value:
    known = _OPERATORS.get(type(sign))
    text, times = (right, left) if isinstance(right, (str, bytes)) else (left, right)
    long = isinstance(sign, ast.Mult) and isinstance(text, (str, bytes)) and isinstance(times, int)
    if isinstance(sign, ast.Mod) and isinstance(left, (str, bytes)):
        return run.risky("a text that % fills in")
    if known is None or (long and len(text) * times > LONGEST):
        return run.risky("an operator that is not followed")
    try:
        made = known(left, right)
        size = len(made) if isinstance(made, (str, bytes)) else made.bit_length() if isinstance(made, int) else 0
        run.step(size // 100)
        return Const(made) if size <= LONGEST else run.exhausted()
    except Exception as error:  # whatever the operator raises, the program raises
        raise raised(error, run.site()) from error


def is_wide(form: str) -> bool:
    """Whether a form for values asks for more places than any text of a program has."""
    return re.search(r"\d{7}", form) is not None or sum(map(int, re.findall(r"\d+", form))) > LONGEST


SETS: dict[type, str] = {ast.BitOr: "union", ast.BitAnd: "intersection", ast.Sub: "difference"}


def set_operation(run: Run, name: str, left: SetValue, right: SetValue) -> SetValue:
    """The union, intersection or difference of two sets."""
    rest = left.rest or right.rest
    if name == "union":
        return make_set(run, [*left.held, *right.held], rest, frozen=left.frozen)
    if left.exact and right.exact:
        wanted = {key: item for key, item in left.data.items() if (key in right.data) is (name == "intersection")}
        kept = [item for key, item in wanted.items() if item == right.data.get(key, item)]
        rest = None if len(kept) == len(wanted) else run.unsettled("one of two equal elements")
        return make_set(run, kept, rest, frozen=left.frozen)
    return make_set(run, [], unsettled(rest or run.unsettled(f"the {name} of sets"), left, right), frozen=left.frozen)


def merge_dicts(made: DictValue, more: DictValue) -> None:
    """Add the entries of ``more`` to ``made``, a dict that nobody else has."""
    for key, (written, item) in more.data.items():
        old = made.data.get(key)
        if isinstance(item, Maybe) and old is not None:
            new = unsettled(item.why, item, old[1])
            made.data[key] = (old[0], Maybe(new, item.why) if isinstance(old[1], Maybe) else new)
        else:
            put_entry(made, key, written, item)
    if more.rest is not None:
        overlay(made, more.rest)


def add_keywords(made: DictValue, arguments: Arguments) -> None:
    """Add the keywords of a call to ``made``, a dict that nobody else has."""
    if arguments.others is not None:
        overlay(made, arguments.others)
    merge_dicts(made, DictValue.of({**arguments.keywords, **arguments.perhaps}))


def truth(run: Run, value: Value) -> bool | None:
    """Whether ``value`` counts as true; ``None`` if that is not known."""
    operated(run, TRUTH, *([value] if isinstance(value, (Instance, AnyOf, ClassValue)) else []))
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, TupleValue):
        return bool(value.items)
    value = shown(value)
    if isinstance(value, (ListValue, DictValue, SetValue)):
        if any(not isinstance(item, Maybe) for item in value.held):
            return True
        return False if not value.data and value.rest is None else None
    if isinstance(value, ClassValue) and value.refused is not None:
        return None
    if isinstance(value, External):
        home, _, last = value.name.rpartition(".")
        is_class = home.partition(".")[0] in IMPORTED and last[:1].isupper() and not last.isupper()
        return True if is_class or home == "builtins" or value.name in IMPORTED else None
    if isinstance(value, Instance):
        return _truth_of_instance(value)
    return True if isinstance(value, (FunctionValue, ClassValue, ModuleValue, Native, SdkObject)) else None


def _truth_of_instance(value: Instance) -> bool | None:
    if value.cls.refused is not None or value.cls.kind == "enum":
        return None
    if value.cls.find("__bool__", "__len__") is not None:
        return None
    return None if value.cls.kind == "plain" and set(value.cls.outside) - PLAIN_BASES else True


def tested(run: Run, node: ast.expr, scope: Scope) -> tuple[Value, bool | None]:
    """What a test gives, and whether that counts as true: ``x and False`` does not, whatever ``x`` is."""
    known: list[bool | None] = []
    value = operands(run, node, scope, known) if isinstance(node, ast.BoolOp) else run.evaluate(node, scope)
    wanted = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
    return value, wanted if wanted in known else truth(run, value)


def operands(run: Run, node: ast.BoolOp, scope: Scope, known: list[bool | None]) -> Value:
    """The value of ``and`` or ``or``; to ``known`` is added how each operand counts that is evaluated."""
    wanted = isinstance(node.op, ast.Or)

    def rest(nodes: list[ast.expr]) -> Value:
        first = run.evaluate(nodes[0], scope)
        counts = truth(run, first)
        known.append(counts)
        if len(nodes) == 1 or counts is wanted:
            return first
        if counts is not None:
            return rest(nodes[1:])
        why = first if isinstance(first, Unknown) else condition(run)
        # The first operand is the result only if it counts as ``wanted``: an empty container or None is not.
        return either_value(run, why, lambda: first, lambda: rest(nodes[1:]))

    return rest(node.values)


def compare(run: Run, sign: ast.cmpop, left: Value, right: Value) -> bool | None:
    """The result of a comparison; ``None`` if it is not known."""
    if isinstance(sign, (ast.Is, ast.IsNot)):
        known = _identical(left, right)
    else:
        operated(run, COMPARED, left, right)
        if isinstance(sign, (ast.In, ast.NotIn)):
            known = _contained(run, left, searched(run, right))
        elif isinstance(sign, (ast.Eq, ast.NotEq)):
            left, right = shown(left, "keys"), shown(right, "keys")
            known = equal(left, right) if is_small(left) and is_small(right) else None
        else:
            return _ordered(run, sign, left, right)
    return not known if known is not None and isinstance(sign, (ast.IsNot, ast.NotIn, ast.NotEq)) else known


_ORDERS: dict[type, Any] = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge}


def _ordered(run: Run, sign: ast.cmpop, left: Value, right: Value) -> bool | None:
    if isinstance(left, TupleValue) and isinstance(right, TupleValue) and is_small(left) and is_small(right):
        for first, second in zip(left.items, right.items, strict=False):
            if (same := equal(first, second)) is not True:  # the first elements that differ decide
                return None if same is None else _ordered(run, sign, first, second)
        return bool(_ORDERS[type(sign)](len(left.items), len(right.items)))
    one, other = plain_of(left), plain_of(right)
    if one is None or other is None:
        run.risk = True  # most objects have no order
        return None
    try:
        return bool(_ORDERS[type(sign)](one.value, other.value))
    except TypeError as error:
        raise RaisedError("builtins.TypeError", str(error), run.site()) from error


_FIXED = frozenset({"builtins", "typing", "typing_extensions", "collections.abc", "types", "inspect"})


def _is_fixed(value: Value) -> bool:
    """Whether it is a class, a type or a mark of the language itself: one object, and equal to nothing else."""
    return isinstance(value, External) and value.name.rpartition(".")[0] in _FIXED


def _identical(left: Value, right: Value) -> bool | None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, External) and _is_fixed(one) and not isinstance(other, (Unknown, Called)):
            # typing_extensions hands many names of typing on, and the two kinds of union are one from Python 3.14 on.
            last = {item.name.rpartition(".")[2] for item in (one, other) if isinstance(item, External)}
            unlike = not isinstance(other, External) or (_is_fixed(other) and len(last) == 2)
            return True if one == other else False if unlike and last != {"Union", "UnionType"} else None
    if left is right and not isinstance(left, Unknown):
        return True
    for one, other in ((left, right), (right, left)):
        if isinstance(other, Const) and (other.value is None or isinstance(other.value, bool) or other.value is ...):
            if isinstance(one, Const):
                return one.value is other.value
            return None if isinstance(one, (Unknown, Called, External, Either)) else False
    kinds = (ClassValue, FunctionValue, Instance)
    if isinstance(left, kinds) and isinstance(right, kinds):
        return False
    return True if isinstance(left, External) and left == right else None


def equal(left: Value, right: Value) -> bool | None:
    """Whether two values are equal; ``None`` if that is not known."""
    if any(isinstance(value, ClassValue) and value.refused is not None for value in (left, right)):
        return None
    if _is_fixed(left) or _is_fixed(right):
        return _identical(left, right)
    one, other = plain_of(left), plain_of(right)
    if one is not None and other is not None:
        unequal = one.value != one.value and other.value != other.value  # not a number: in containers identity counts
        return None if unequal else bool(one.value == other.value)
    if isinstance(left, DictValue) and isinstance(right, DictValue) and left.ordered and right.ordered:
        return None
    kinds = (ListValue, DictValue, SetValue, TupleValue)
    if isinstance(left, kinds) and isinstance(right, kinds):
        return _equal_containers(left, right)
    unlike = (*kinds, ClassValue, FunctionValue)
    if (one is not None and isinstance(right, unlike)) or (other is not None and isinstance(left, unlike)):
        return False
    if isinstance(left, Instance) and isinstance(right, Instance) and left.cls.kind == right.cls.kind == "enum":
        return left is right
    if isinstance(left, (ClassValue, External)) and isinstance(right, (ClassValue, External)):
        return _identical(left, right)
    return None


def _equal_containers(left: Any, right: Any) -> bool | None:
    if type(left) is not type(right):
        return False
    if not isinstance(left, TupleValue) and not (left.exact and right.exact):
        return None
    if isinstance(left, (DictValue, SetValue)) and left.data.keys() != right.data.keys():
        return False
    one, other = (value.items if isinstance(value, TupleValue) else value.held for value in (left, right))
    if not isinstance(left, (ListValue, TupleValue)):
        other = one if isinstance(left, SetValue) else [right.data[key][1] for key in left.data]
    found = [*map(equal, one, other)] if len(one) == len(other) else [False]
    return False if False in found else (None if None in found else True)


def _contained(run: Run, item: Value, container: Value) -> bool | None:
    whole, plain = sequence_of(container), plain_of(item)
    if whole is not None and not isinstance(whole, bytes):
        kind = str if isinstance(whole, str) else int
        return plain.value in whole if plain is not None and isinstance(plain.value, kind) else None
    if isinstance(container, (DictValue, SetValue)):
        key = hashed(run, item)
        if key in container.data:
            found = container.lookup(key) if isinstance(container, DictValue) else container.data[key]
            return None if isinstance(found, Maybe) else True
        return False if container.rest is None and (key is not None or not container.data) else None
    if isinstance(container, (ListValue, TupleValue)):
        items = container.data if isinstance(container, ListValue) else container.items
        results = [equal(item, bare_value(other)) for other in items]
        if any(known and not isinstance(other, Maybe) for known, other in zip(results, items, strict=True)):
            return True
        open_ended = isinstance(container, ListValue) and container.rest is not None
        return None if None in results or True in results or open_ended else False
    run.risk = run.risk or not isinstance(container, ClassValue) or container.kind != "enum"
    return None
