"""The SDK's models: ``types.Tool(...)`` and its kin, as the program makes, reads and changes them."""

from __future__ import annotations

from typing import Any

from pdmigrate.sdk_names import TYPES
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, Run
from pdmigrate.understand.servers.fields import fields_of_type, is_renamed, wire_names
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import NONE, Const, Maybe, Value
from pdmigrate.understand.values.objects import SdkObject, text_of

_KNOWN = frozenset(
    f"{TYPES}.{name}"
    for name in ("Tool", "ToolAnnotations", "ListToolsResult", "ServerResult", "Icon", "ToolExecution")
)


def make_model(run: Run, name: str, arguments: Arguments) -> Value | None:
    """An object of a model of the SDK; ``None`` if ``name`` is no such model."""
    if name.endswith((".model_validate", ".parse_obj")) and name.rpartition(".")[0] in _KNOWN:
        return _validated(run, name.rpartition(".")[0], arguments)
    head, _, last = name.rpartition(".")
    if name not in _KNOWN and not (head == TYPES and last[:1].isupper() and last != "AnyUrl"):
        return None
    made = SdkObject(name, {}, arguments.site or run.site(), arguments.unknown)
    made.node = arguments.node
    if name.endswith(".ServerResult") and arguments.positional:
        made.data["root"] = arguments.positional[0]
    renamed = wire_names(name, run.versions)
    for key, value in arguments.keywords.items():
        made.data[renamed.get(key, key) if renamed is not None else _aliased(name, key)] = value
    return made


def _aliased(name: str, key: str) -> str:
    return "_meta" if name == f"{TYPES}.Tool" and key == "meta_" else key


def _validated(run: Run, name: str, arguments: Arguments) -> Value:
    source = arguments.positional[0] if arguments.positional else NONE
    if isinstance(source, SdkObject):
        return source
    if not isinstance(source, DictValue):
        return run.because(f"an object of {name}", source)
    given = Arguments(site=arguments.site, unknown=source.rest, node=arguments.node)
    for key, item in source.entries():
        text = text_of(key)
        if text is not None:
            given.keywords[text] = item.why if isinstance(item, Maybe) else item
    return make_model(run, name, given) or NONE


def _attribute(run: Run, value: SdkObject, name: str) -> Value:
    renamed = wire_names(value.type, run.versions)
    key = renamed.get(name, name) if renamed is not None else name
    if key in value.data:
        found = value.data[key]
        if isinstance(found, Maybe):
            return found.why
        if isinstance(found, DictValue) and value.type.endswith((".Tool",)) and key == "annotations":
            return run.unsettled("annotations that the SDK has converted")
        return found
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
    run.journal.touch(value)
    value.data[renamed.get(name, name) if renamed is not None else name] = new


def _copied(run: Run, value: SdkObject, arguments: Arguments) -> Value:
    made = SdkObject(value.type, dict(value.data), value.site, value.rest)
    update = arguments.keywords.get("update", NONE)
    if isinstance(update, DictValue):
        renamed = wire_names(value.type, run.versions)
        for key, item in update.entries():
            text = text_of(key)
            if text is None or isinstance(item, Maybe):
                made.rest = made.rest or run.unsettled("a copy with a change that is not known")
            else:
                made.data[renamed.get(text, text) if renamed is not None else text] = item
        made.rest = made.rest or update.rest
    elif update != NONE:
        made.rest = made.rest or run.unsettled("a copy with changes that are not known")
    return made


def _dumped(run: Run, value: SdkObject, arguments: Arguments) -> Value:
    if is_renamed(run.versions) or value.rest is not None:
        return run.unsettled("a dumped object of the SDK")
    excluded = arguments.keywords.get("exclude_none") == Const(True)
    names = list(fields_of_type(value.type)) if not excluded else list(value.data)
    entries: dict[Any, Any] = {}
    for name in [*names, *(key for key in value.data if key not in names)]:
        item = value.data.get(name, NONE)
        if isinstance(item, SdkObject):
            item = _dumped(run, item, arguments)
        if not (excluded and item == NONE) and name not in ("input_schema", "output_schema"):
            entries[(True, name)] = (Const(name), item)
    return DictValue(entries)


LIBRARY_RULES.append(make_model)
ATTRIBUTES[SdkObject] = _attribute
SETTERS[SdkObject] = _set
