"""What values answer when statements and expressions ask them, whatever their kind."""

from __future__ import annotations

import pytest

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    BoundMethod,
    ClassValue,
    DictValue,
    Entry,
    External,
    Guard,
    ListValue,
    Maybe,
    Native,
    PathText,
    RangeValue,
    Subscripted,
    TupleValue,
    Value,
    const,
)

UNKNOWN = reasons.unknown(reasons.ENVIRONMENT, "the environment")
GUARD = Guard("debug", UNKNOWN)
OTHER = Guard("verbose", UNKNOWN)
WORD = const("word")


@pytest.mark.parametrize(
    ("value", "text", "string", "number"),
    [
        (WORD, "word", "word", None),
        (const(""), "", "", None),
        (const(b"word"), None, b"word", None),
        (const(7), None, None, 7),
        (TRUE, None, None, True),
        (const(1.0), None, None, None),
        (NONE, None, None, None),
        (UNKNOWN, None, None, None),
        (PathText("a path", reasons.ENVIRONMENT), None, None, None),
        (ListValue([WORD]), None, None, None),
    ],
)
def test_a_value_is_text_or_a_number_only_where_it_is_known(
    value: Value, text: str | None, string: str | bytes | None, number: int | None
) -> None:
    assert (value.text, value.string, value.number) == (text, string, number)


def test_only_the_constant_itself_is_just_that() -> None:
    values = [NONE, TRUE, FALSE, const(0), const(1), const(""), UNKNOWN, TupleValue(())]
    assert [value.is_just(None) for value in values] == [True] + [False] * 7
    assert [value.is_just(True) for value in values] == [False, True] + [False] * 6
    assert [value.is_just(False) for value in values] == [False, False, True] + [False] * 5


def test_an_element_is_what_stands_in_all_its_conditions() -> None:
    nested = Maybe(Maybe(WORD, OTHER), GUARD)
    assert nested.element is WORD
    assert nested.doubt is GUARD.unknown
    assert WORD.element is WORD
    assert WORD.doubt is None


def test_lists_and_tuples_are_sequences_and_known_dicts_have_values_by_key() -> None:
    known = DictValue({"a": Entry(const("a"), WORD), 1: Entry(const(1), NONE)})
    assert known.by_key == {"a": WORD, "1": NONE}
    assert DictValue(dict(known.entries), UNKNOWN).by_key is None
    assert DictValue({"a": Entry(const("a"), Maybe(WORD, GUARD))}).by_key is None
    assert known.sequence is None
    assert ListValue([WORD]).sequence == [WORD]
    assert TupleValue((WORD,)).sequence == (WORD,)
    assert RangeValue((const(0),)).sequence is not None


def test_names_of_libraries_and_of_built_in_functions() -> None:
    library, native = External("enum.Enum"), Native("len", lambda _run, _arguments: NONE)
    assert (library.library_name, library.outer_name) == ("enum.Enum", "enum.Enum")
    assert (native.library_name, native.outer_name) == ("", "len")
    assert (WORD.library_name, WORD.outer_name) == ("", "")
    assert BoundMethod(native, WORD).underlying is native
    assert native.underlying is native


@pytest.mark.parametrize(("name", "count"), [("typing.Union", 2), ("typing.Annotated", 1), ("typing.Literal", 0)])
def test_types_among_the_arguments_of_a_type(name: str, count: int) -> None:
    kind = Subscripted(External(name), (WORD, NONE))
    assert kind.generic == name
    assert kind.types == kind.args[:count]


def test_what_a_class_inherits_from_the_tree_and_from_libraries() -> None:
    parent = ClassValue({"run": NONE}, name="Parent")
    child = ClassValue(name="Child")
    child.mro = (child, parent, External("abc.ABC"), External("builtins.object"))
    assert child.lineage == [child, parent]
    assert child.outside == {"abc.ABC", "builtins.object"}
    assert child.defines("start", "run")
    assert not child.defines("start")
