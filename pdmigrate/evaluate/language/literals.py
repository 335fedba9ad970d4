"""Literals, containers and f-strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.operations import EXPRESSIONS, Spread, evaluate, spread
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import (
    Choice,
    DictValue,
    EllipsisValue,
    Entry,
    ListValue,
    Maybe,
    Origin,
    Place,
    SetValue,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.text import conversion, format_value
from pdmigrate.tree.code.bodies import text_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


@EXPRESSIONS.of(cst.SimpleString)
def simple_string(run: Interpreter, node: cst.SimpleString, frame: Frame) -> Value:
    run.budget.text(len(node.value))
    return const(text_of(node), Origin("literal", frame.place(node)))


@EXPRESSIONS.of(cst.ConcatenatedString)
def concatenated_string(run: Interpreter, node: cst.ConcatenatedString, frame: Frame) -> Value:
    parts: list[Value] = []
    rest: cst.BaseExpression = node
    while type(rest) is cst.ConcatenatedString:
        parts.append(evaluate(run, rest.left, frame))
        rest = rest.right
    parts.append(evaluate(run, rest, frame))
    unknown = first_unknown(*parts)
    if unknown is not None:
        return unknown
    pieces = [text for part in parts if isinstance(text := part.string, bytes)]
    joined = b"".join(pieces) if pieces else "".join(part.text or "" for part in parts)
    return const(joined, Origin("literal", frame.place(node)))


@EXPRESSIONS.of(cst.Integer)
def integer(_run: Interpreter, node: cst.Integer, frame: Frame) -> Value:
    place = frame.place(node)
    if len(node.value) > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", place)
    return const(int(node.value, 0), Origin("literal", place))


@EXPRESSIONS.of(cst.Float, cst.Imaginary)
def number(_run: Interpreter, node: cst.Float | cst.Imaginary, frame: Frame) -> Value:
    return const(node.evaluated_value, Origin("literal", frame.place(node)))


@EXPRESSIONS.of(cst.Ellipsis)
def ellipsis(_run: Interpreter, node: cst.Ellipsis, frame: Frame) -> Value:
    return EllipsisValue(origin=Origin("literal", frame.place(node)))


@EXPRESSIONS.of(cst.FormattedString)
def formatted_string(run: Interpreter, node: cst.FormattedString, frame: Frame) -> Value:
    sources: list[Origin] = []
    try:
        pieces = _pieces(run, node.parts, frame, sources, raw="r" in node.start.lower())
    except NotPlain as reason:
        return reason.unknown
    run.budget.text(sum(map(len, pieces)))
    return const("".join(pieces), Origin("f-string", frame.place(node), tuple(sources[:4])))


def _pieces(
    run: Interpreter,
    parts: Sequence[cst.BaseFormattedStringContent],
    frame: Frame,
    sources: list[Origin],
    *,
    raw: bool,
) -> list[str]:
    """The texts of the parts of an f-string or a format specification; origins of values are added to ``sources``.

    Raises:
        NotPlain: the text of a part is not known.
    """
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, cst.FormattedStringText):
            pieces.append(_plain_text(part.value, raw=raw))
            continue
        assert isinstance(part, cst.FormattedStringExpression)
        value = evaluate(run, part.expression, frame)
        shown = part.conversion
        if part.equal is not None:
            pieces.append(_written(part, frame))
            shown = shown or ("r" if part.format_spec is None else None)
        sources += value.sources
        value = conversion(run, value, shown)
        format_ = "".join(_pieces(run, part.format_spec or (), frame, [], raw=raw))
        pieces.append(format_value(run, value, const(format_)))
    return pieces


def _written(part: cst.FormattedStringExpression, frame: Frame) -> str:
    """The text that ``{expression = }`` puts before the value: the expression and ``=`` as they are written."""
    whole = frame.module.tree.code_for_node(part.with_changes(conversion=None, format_spec=None))
    return whole[1:-1]


def _plain_text(text: str, *, raw: bool) -> str:
    text = text.replace("{{", "{").replace("}}", "}")
    if raw or "\\" not in text:
        return text.replace("\r\n", "\n").replace("\r", "\n")
    # The text of an f-string follows the rules of a plain literal; quotes are escaped so that none ends the literal.
    quoted = _QUOTE.sub(lambda match: match[1] or "\\x22", text)
    if (len(quoted) - len(quoted.rstrip("\\"))) % 2:
        quoted += "\\"
    value = cst.SimpleString(f'"""{quoted}"""').evaluated_value
    assert isinstance(value, str)
    return value


_QUOTE = re.compile(r'(\\.)|"', re.DOTALL)


@EXPRESSIONS.of(cst.Tuple)
def tuple_(run: Interpreter, node: cst.Tuple, frame: Frame) -> Value:
    items = _elements(run, node.elements, frame)
    return items.uncertain or TupleValue(tuple(items.items), origin=Origin("tuple", frame.place(node)))


@EXPRESSIONS.of(cst.List)
def list_(run: Interpreter, node: cst.List, frame: Frame) -> Value:
    items = _elements(run, node.elements, frame)
    run.budget.make(len(items.items))
    return ListValue(items.items, items.rest, origin=Origin("literal", frame.place(node)))


@EXPRESSIONS.of(cst.Set)
def set_(run: Interpreter, node: cst.Set, frame: Frame) -> Value:
    return make_set(run, _elements(run, node.elements, frame), Origin("literal", frame.place(node)))


def _elements(run: Interpreter, elements: Sequence[cst.BaseElement], frame: Frame) -> Spread:
    items: list[Value] = []
    rest: UnknownValue | None = None
    for element in elements:
        value = evaluate(run, element.value, frame)
        if type(element) is cst.StarredElement:
            more = spread(run, value, frame.place(element))
            items += more.items
            rest = rest or more.rest
        else:
            items.append(value)
    return Spread(items, rest)


@EXPRESSIONS.of(cst.Dict)
def dict_(run: Interpreter, node: cst.Dict, frame: Frame) -> Value:
    result = DictValue(origin=Origin("literal", frame.place(node)))
    run.budget.make(len(node.elements))
    for element in node.elements:
        if type(element) is cst.DictElement:
            key = evaluate(run, element.key, frame)
            put(run, result, key, evaluate(run, element.value, frame))
        else:
            update(run, result, evaluate(run, element.value, frame))
    return result


def reflect(run: Interpreter, target: DictValue) -> None:
    """If a dict that changed is a ``__dict__``, copy its entries to the attributes of its owner."""
    if target.owner is not None:
        run.trail.touch(target.owner)
        target.owner.names = {str(key): attribute(entry.value) for key, entry in target.entries.items()}
        target.owner.rest = target.owner.rest or target.rest or target.order


def attribute(value: Value) -> Value:
    """The value of a dict entry as an attribute: a ``Maybe`` becomes a choice between its value and unbound."""
    return Choice(value.guard, value.value, Unbound()) if isinstance(value, Maybe) else value


def put(run: Interpreter, target: DictValue, key: Value, value: Value) -> None:
    """``target[key] = value``"""
    run.trail.touch(target)
    try:
        found = key_of(key)
        old = target.entries.get(found)
    except NotPlain as reason:
        target.rest = with_aliases(target.rest or reason.unknown, value)
    except TypeError:
        raise run.failure("TypeError", "unhashable key") from None
    else:
        _store(target, found, Entry(old.key if old else key, value))
    reflect(run, target)


def _store(target: DictValue, key: Hashable, entry: Entry) -> None:
    """Set an entry; the order becomes unknown if its key may have been absent and is not the last."""
    old = target.entries.get(key)
    if old is not None and old.value.doubt is not None and next(reversed(target.entries)) != key:
        target.order = target.order or old.value.doubt
    target.entries[key] = entry


def update(run: Interpreter, target: DictValue, source: Value) -> None:
    """``target.update(source)`` for a mapping."""
    run.trail.touch(target)
    if (given := source.mapping) is not None:
        target.rest = target.rest or given.rest
        target.order = target.order or given.order
        for key, entry in given.entries.items():
            old = target.entries.get(key)
            if old is not None and entry.value.doubt is not None:
                target.rest = with_aliases(target.rest or entry.value.doubt, entry.value)
            else:
                _store(target, key, Entry(old.key if old is not None else entry.key, entry.value))
    else:
        unknown = made_outside(source) if source.library_name else first_unknown(source)
        reason = unknown or reasons.unknown(reasons.UNSUPPORTED, "spreading something that is not a dict")
        target.rest = target.rest or reason
    reflect(run, target)


def extend_list(run: Interpreter, target: ListValue, value: Value, place: Place | None) -> None:
    """``target += value``"""
    more = spread(run, value, place)
    if more.rest is not None and value.as_list is None:
        run.risk(more.rest, "soft")  # it may be no iterable
    run.trail.touch(target)
    run.budget.make(len(more.items))
    target.items += more.items
    target.rest = target.rest or more.rest


def update_set(run: Interpreter, target: SetValue, value: Value) -> None:
    """``target |= value``"""
    run.trail.touch(target)
    more = elements_of(run, value)
    merged = make_set(run, Spread([*target.items.values(), *more.items], target.rest or more.rest))
    target.items, target.rest = merged.items, merged.rest
