"""Instances of the SDK's pydantic models: how they are made, copied and dumped.

Their fields are kept under the names that they have on the wire, however the program spells them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    DictValue,
    Entry,
    ListValue,
    Origin,
    SdkObject,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.copying import deep_copy
from pdmigrate.recognise.sdk.fields import NESTED, wire_names

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def make_model(run: Interpreter, name: str, arguments: Arguments) -> Value:
    """An instance of one of the SDK's pydantic models.

    Containers are copied at the top level, as pydantic does (measured with pydantic 2.14): nested ones stay shared.
    """
    fields = _fields(run, name, {key: _validated(run, value) for key, value in arguments.keywords.items()})
    made = SdkObject(
        fields,
        arguments.unknown,
        name,
        arguments.place,
        run.nesting.loops > 0,
        origin=Origin(f"{name.rpartition('.')[2]}(...)", arguments.place),
    )
    if arguments.positional:
        if name == "mcp.types.ServerResult":
            made.names["root"] = arguments.positional[0]
        else:
            raise run.failure("TypeError", f"{name}() takes no positional arguments")
    together = run.made.add(made)
    if len(together) > 1:
        for each in together:
            each.repeated = True
    return made


def _fields(run: Interpreter, model: str, keywords: dict[str, Value]) -> dict[str, Value]:
    """The fields by their names on the wire; if both names of a field are given, pydantic takes the wire's."""
    names = wire_names(model, run.versions)
    if names is not None:
        keywords = {
            wire: keywords.get(wire, keywords.get(name, NONE))
            for name, wire in names.items()
            if wire in keywords or name in keywords
        }
    for (outer, key), inner in NESTED.items():
        given = keywords.get(key, NONE).as_dict if outer == model else None
        if given is not None and given.exact:
            keywords[key] = _nested(run, inner, given)
    return keywords


def _nested(run: Interpreter, model: str, value: DictValue) -> Value:
    """The model that pydantic makes of a dict, or the dict itself if its keys are not plain texts."""
    if any(entry.key.text is None for entry in value.entries.values()):
        return value
    fields = _fields(run, model, {str(name): entry.value for name, entry in value.entries.items()})
    return SdkObject(fields, None, model, origin=value.origin)


def _validated(run: Interpreter, value: Value) -> Value:
    if (given := value.as_dict) is not None:
        return DictValue(dict(given.entries), given.rest, order=given.order, origin=given.origin)
    if value.as_list is not None:
        elements = spread(run, value)
        return ListValue(elements.items, elements.rest, origin=value.origin)
    return value


def validate_model(run: Interpreter, name: str, arguments: Arguments) -> Value:
    """``Model.model_validate(data)``"""
    data = arguments.first
    known = data.as_sdk or first_unknown(data)
    if known is not None:
        return known
    if (given := data.as_dict) is None:
        return reasons.unknown(reasons.UNSUPPORTED, f"validating {describe(data)}", arguments.place)
    keywords = {str(key): entry.value for key, entry in given.entries.items()}
    return make_model(run, name, Arguments((), keywords, given.rest, arguments.place))


def copy_model(run: Interpreter, arguments: Arguments) -> Value:
    """``value.model_copy(update=..., deep=...)``"""
    value = arguments.receiver
    deep = arguments.keywords.get("deep")
    known_deep = deep.scalar if deep is not None else None
    copied = deep_copy(value).as_sdk if known_deep is not None and known_deep.value else value
    assert copied is not None
    names, rest = dict(copied.names), copied.rest
    update = arguments.keywords.get("update")
    known = wire_names(value.type, run.versions)
    if update is not None and (given := update.by_key) is not None:
        # In mcp 2.x, a key that is no field of the model is kept on the object and not sent.
        names.update(given if known is None else {known[key]: given[key] for key in given if key in known})
    elif update is not None:
        rest = rest or first_unknown(update) or reasons.unknown(reasons.UNSUPPORTED, "model_copy", arguments.place)
    origin = Origin("model_copy", arguments.place, value.sources)
    return SdkObject(names, rest, value.type, value.place, True, origin=origin)


def dump_model(run: Interpreter, arguments: Arguments) -> Value:
    """``value.model_dump(exclude_none=True)``"""
    value = arguments.receiver
    keep = arguments.keywords.get("exclude_none", NONE)
    if not keep.is_just(True) or arguments.keywords.keys() - {"exclude_none", "by_alias", "mode"}:
        return reasons.unknown(reasons.UNSUPPORTED, "model_dump with these arguments", arguments.place)
    result = DictValue(rest=value.rest, origin=Origin("model_dump", arguments.place, value.sources))
    fields = {wire: name for name, wire in (wire_names(value.type, run.versions) or {}).items()}
    if arguments.keywords.get("by_alias", NONE).is_just(True):
        fields = {}
    for name, item in ((fields.get(key, key), item) for key, item in value.names.items()):
        if item.is_just(None):
            continue
        if not isinstance(item, (Const, DictValue, UnknownValue)):
            result.rest = reasons.unknown(reasons.UNSUPPORTED, f"model_dump of {name}", arguments.place)
        result.entries[name] = Entry(const(name), item)
    return result
