"""The SDK's models: ``types.Tool(...)`` and its kin, as the program makes, reads and changes them."""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.sdk_names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, RaisedError, Run
from pdmigrate.understand.library.standard import deep_copy
from pdmigrate.understand.servers.fields import fields_of_type, wire_names
from pdmigrate.understand.servers.objects import changes_of
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Maybe, TupleValue, Value
from pdmigrate.understand.values.objects import SdkObject, text_of

_KNOWN = frozenset(
    f"{TYPES}.{name}"
    for name in ("Tool", "ToolAnnotations", "ListToolsResult", "ServerResult", "Icon", "ToolExecution")
)
_NESTED = {
    (f"{TYPES}.Tool", "annotations"): f"{TYPES}.ToolAnnotations",
    (f"{TYPES}.Tool", "execution"): f"{TYPES}.ToolExecution",
    (f"{TYPES}.Tool", "icons"): f"{TYPES}.Icon",
    (f"{TYPES}.ListToolsResult", "tools"): f"{TYPES}.Tool",
}
"""The fields whose value is a model, or a list of models: pydantic makes it of a dict."""


def make_model(run: Run, name: str, arguments: Arguments) -> Value | None:
    """An object of a model of the SDK; ``None`` if ``name`` is no such model."""
    if name.endswith((".model_validate", ".parse_obj")) and name.rpartition(".")[0] in _KNOWN:
        return _validated(run, name.rpartition(".")[0], arguments)
    head, _, last = name.rpartition(".")
    if name not in _KNOWN and not (head == TYPES and last[:1].isupper() and last != "AnyUrl"):
        return None
    made = SdkObject(name, {}, arguments.site or run.site(), arguments.unknown)
    made.node = arguments.node
    if arguments.positional and name.endswith(".ServerResult"):
        made.data["root"] = arguments.positional[0]
    elif arguments.positional and name in _KNOWN:
        raise RaisedError("builtins.TypeError", f"{last}() takes no positional arguments", run.site())
    for key, value in _by_wire_name(run, name, arguments.keywords).items():
        made.data[key] = _converted(run, _NESTED.get((name, key), ""), value)
    return made


def _by_wire_name(run: Run, name: str, keywords: dict[str, Value]) -> dict[str, Value]:
    """The fields by their names on the wire; mcp 2.x takes that name before its own, and drops what is no field."""
    renamed = wire_names(name, run.versions)
    if renamed is None:
        alias = "meta_" if name == f"{TYPES}.Tool" else ""
        return {"_meta" if key == alias else key: value for key, value in keywords.items()}
    given = {wire: keywords.get(wire, keywords.get(own)) for own, wire in renamed.items()}
    return {wire: value for wire, value in given.items() if value is not None}


def _converted(run: Run, model: str, value: Value) -> Value:
    """The value of a field: pydantic makes ``model`` of a dict, and a new container of every other one."""
    if isinstance(value, Maybe):
        return replace(value, value=_converted(run, model, value.value))
    if isinstance(value, DictValue):
        if model:
            return _validated(run, model, Arguments([value], site=run.site()))
        copied = DictValue(dict(value.data), value.rest)
        copied.made = value.made
        return copied
    if isinstance(value, (ListValue, TupleValue, IteratorValue)):
        items, rest = elements(run, value)
        return ListValue([_converted(run, model, item) if model else item for item in items], rest)
    return value


def _validated(run: Run, name: str, arguments: Arguments) -> Value:
    source = arguments.first
    if isinstance(source, SdkObject):
        return source
    if not isinstance(source, DictValue):
        return run.because(f"an object of {name}", source)
    items = {text_of(key): item.why if isinstance(item, Maybe) else item for key, item in source.entries()}
    given = {text: item for text, item in items.items() if text is not None}
    return make_model(run, name, Arguments([], given, source.rest, arguments.site, arguments.node)) or NONE


def _attribute(run: Run, value: SdkObject, name: str) -> Value:
    renamed = wire_names(value.type, run.versions)
    if renamed is not None and name not in renamed and name in renamed.values():
        raise RaisedError("builtins.AttributeError", f"{value.type} has no attribute {name}", run.site())
    key = renamed.get(name, name) if renamed is not None else name
    if key in value.data:
        found = value.data[key]
        return found.why if isinstance(found, Maybe) else found
    if name in ("model_copy", "copy"):
        return Native(name, lambda run, arguments: _copied(run, value, arguments))
    if name in ("model_dump", "dict"):
        return Native(name, lambda run, arguments: _dumped(run, value, arguments))
    if value.rest is not None:
        return value.rest
    if key in fields_of_type(value.type) or (renamed is not None and key in renamed.values()):
        return NONE
    return run.unsettled(f"{name} of {value.type}")


def _set(run: Run, value: SdkObject, name: str, new: Value) -> None:
    renamed = wire_names(value.type, run.versions)
    if name.startswith("_"):
        return  # that is not sent
    if renamed is not None and name not in renamed:
        raise RaisedError("builtins.ValueError", f"{value.type} has no field {name}", run.site())
    run.journal.touch(value)
    value.data[renamed[name] if renamed is not None else name] = new


def _copied(run: Run, value: SdkObject, arguments: Arguments) -> Value:
    changes, rest = changes_of(run, arguments)
    made = SdkObject(value.type, dict(value.data), value.site, value.rest or rest)
    if arguments.keywords.get("deep", FALSE) != FALSE:
        made.data = {name: deep_copy(run, item) for name, item in made.data.items()}
    renamed = wire_names(value.type, run.versions)
    for name, item in changes.items():
        if renamed is None or name in renamed:
            made.data[renamed[name] if renamed is not None else name] = item
    return made


_DUMPING = frozenset({"exclude_none", "by_alias", "mode"})


def _dumped(run: Run, value: SdkObject, arguments: Arguments) -> Value:
    known = arguments.keywords.keys() <= _DUMPING and not arguments.positional and arguments.unknown is None
    if not known or value.rest is not None:
        return run.unsettled("a dumped object of the SDK")
    excluded, by_alias = (arguments.keywords.get(name) == TRUE for name in ("exclude_none", "by_alias"))
    renamed = wire_names(value.type, run.versions) or {name: name for name in fields_of_type(value.type)}
    written = {} if by_alias else {wire: name for name, wire in renamed.items()}
    made: dict[str, Value] = {}
    for name in dict.fromkeys([*renamed.values(), *value.data]):
        item = _plain(run, value.data.get(name, NONE), arguments)
        if not (excluded and item == NONE) and name not in ("input_schema", "output_schema"):
            made[written.get(name, name)] = item
    return DictValue.of(made)


def _plain(run: Run, value: Value, arguments: Arguments) -> Value:
    """What the dump of a model has for a value of a field."""
    if isinstance(value, SdkObject):
        return _dumped(run, value, arguments)
    if isinstance(value, ListValue):
        return ListValue([_plain(run, item, arguments) for item in value.data], value.rest)
    return deep_copy(run, value)


LIBRARY_RULES.append(make_model)
ATTRIBUTES[SdkObject] = _attribute
SETTERS[SdkObject] = _set
