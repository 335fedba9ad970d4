"""Results are found again exactly where the same is made: specs that Python takes for equal are told apart."""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from itertools import combinations
from typing import Any

import pytest

from pdmigrate.sdk.schemas.shapes import MOST, Memory, fingerprint
from pdmigrate.sdk.schemas.specs import (
    FieldSpec,
    ItemsValue,
    ModelSpec,
    NameSpec,
    PlainValue,
    RefSpec,
    SubscriptSpec,
    TypeVarSpec,
    UnionSpec,
)

INT, TEXT = NameSpec("builtins.int"), NameSpec("builtins.str")


def _model(name: str, *fields: Any) -> ModelSpec:
    return ModelSpec(name=name, module="m", fields=tuple(FieldSpec(f"f{i}", part) for i, part in enumerate(fields)))


DIFFERENT: tuple[Any, ...] = (
    PlainValue(True),
    PlainValue(1),
    PlainValue(1.0),
    PlainValue("1"),
    PlainValue(b"1"),
    PlainValue(None),
    PlainValue("None"),
    PlainValue(0.0),
    PlainValue(-0.0),
    ItemsValue("list", ()),
    ItemsValue("tuple", ()),
    ItemsValue("list", (PlainValue(1), PlainValue(2))),
    ItemsValue("list", (ItemsValue("list", (PlainValue(1),)), PlainValue(2))),
    UnionSpec((INT, TEXT)),
    UnionSpec((TEXT, INT)),
    SubscriptSpec(INT, ()),
    _model("A"),
    _model("B"),
    _model("A", INT),
    _model("A", _model("B", INT), _model("B", INT)),
    _model("A", _model("B", INT), _model("B", TEXT)),
    (),
    ((),),
    ((), ()),
)


@pytest.mark.parametrize("pair", list(combinations(DIFFERENT, 2)), ids=lambda pair: f"{pair[0]}|{pair[1]}"[:80])
def test_what_differs_is_told_apart(pair: tuple[Any, Any]) -> None:
    assert fingerprint(pair[0]) != fingerprint(pair[1])


@pytest.mark.parametrize("spec", DIFFERENT, ids=repr)
def test_what_is_made_anew_is_recognised(spec: Any) -> None:
    assert fingerprint(deepcopy(spec)) == fingerprint(spec)


def _labelled(one: str, two: str, *others: Any) -> Any:
    return (ModelSpec(name="A", module="m", identity=one), ModelSpec(name="A", module="m", identity=two), *others)


def test_what_tells_classes_of_one_name_apart_may_be_any_text() -> None:
    assert fingerprint(_labelled("m:A:7", "m:A:8")) == fingerprint(_labelled("m:A:1007", "m:A:1008"))
    first = _labelled("m:A:7", "m:A:8", RefSpec("m:A:8"), TypeVarSpec("T", identity="m:T:9"))
    second = _labelled("m:A:17", "m:A:18", RefSpec("m:A:18"), TypeVarSpec("T", identity="m:T:19"))
    assert fingerprint(first) == fingerprint(second)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (_labelled("1", "2"), _labelled("1", "1")),
        (_labelled("1", "2", RefSpec("1")), _labelled("1", "2", RefSpec("2"))),
        (_labelled("1", "2", RefSpec("1")), _labelled("1", "2", RefSpec("3"))),
        (_labelled("1", "2", RefSpec("3"), RefSpec("3")), _labelled("1", "2", RefSpec("3"), RefSpec("4"))),
        (_labelled("", "2", RefSpec("m:A")), _labelled("", "2", RefSpec("2"))),
        (_labelled("", "2", RefSpec("m:A")), _labelled("", "2", RefSpec("m:B"))),
        ((TypeVarSpec("T", identity="1"), RefSpec("1")), (TypeVarSpec("T", identity="1"), RefSpec("2"))),
        (
            (TypeVarSpec("T", identity="1"), TypeVarSpec("T", identity="1")),
            (TypeVarSpec("T", identity="1"), TypeVarSpec("T", identity="2")),
        ),
        ((TypeVarSpec("T"), TypeVarSpec("T")), (TypeVarSpec("T"), TypeVarSpec("T", identity="1"))),
        ((TypeVarSpec("X", identity="T"), TypeVarSpec("T")), (TypeVarSpec("X", identity="U"), TypeVarSpec("T"))),
    ],
)
def test_who_is_meant_is_told_apart(one: Any, two: Any) -> None:
    assert fingerprint(one) != fingerprint(two)


def test_classes_in_classes_are_written_down_once() -> None:
    spec: Any = INT
    for depth in range(60):
        spec = _model(f"M{depth}", spec, spec, spec)
    found = fingerprint(spec)
    assert found is not None
    assert len(found) < 10_000


def test_what_has_no_form_that_can_be_compared_is_made_each_time() -> None:
    memory: Memory[object] = Memory()
    spec = object()
    assert memory.recall((spec,), object) is not memory.recall((spec,), object)


def test_what_is_known_is_made_once() -> None:
    memory: Memory[object] = Memory()
    assert memory.recall((PlainValue(1),), object) is memory.recall((PlainValue(1),), object)
    assert memory.recall((PlainValue(1),), object) is not memory.recall((PlainValue(True),), object)


def test_an_exception_is_not_remembered() -> None:
    memory: Memory[int] = Memory()
    with pytest.raises(ZeroDivisionError):
        memory.recall((INT,), lambda: 1 // 0)
    assert memory.recall((INT,), lambda: 7) == 7


def test_the_memory_has_an_end() -> None:
    memory: Memory[int] = Memory()
    for number in range(3 * MOST):
        assert memory.recall((number,), partial(int, number)) == number
    assert len(memory._known) <= MOST
