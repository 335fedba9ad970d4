"""The SDK's models: ``types.Tool(...)`` and its kin, as the program makes, reads and changes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, RaisedError, Run
from pdmigrate.understand.library.standard import deep_copy
from pdmigrate.understand.servers.objects import changes_of
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, View
from pdmigrate.understand.values.core import FALSE, NONE, Maybe, TupleValue, Value
from pdmigrate.understand.values.objects import Arguments, Native, SdkObject, text_of

# Measured on mcp 1.2 to 1.30, 2.0.1 and 2.3.0: the models of mcp 2.x have names in snake case, accept either name as a
# keyword, and drop unknown fields.
_FIELDS = {
    f"{TYPES}.Tool": "name title description input_schema output_schema annotations icons meta execution",
    f"{TYPES}.ToolAnnotations": "title read_only_hint destructive_hint idempotent_hint open_world_hint",
    f"{TYPES}.ListToolsResult": "tools next_cursor meta ttl_ms cache_scope result_type",
    f"{TYPES}.PaginatedRequestParams": "meta cursor",
    f"{TYPES}.Icon": "src mime_type sizes theme",
    f"{TYPES}.ToolExecution": "task_support",
}


def _on_wire(name: str) -> str:
    first, *others = name.split("_")
    return "_meta" if name == "meta" else first + "".join(part.title() for part in others)


_RENAMED = {kind: {name: _on_wire(name) for name in names.split()} for kind, names in _FIELDS.items()}


def is_renamed(versions: Mapping[str, str]) -> bool:
    """Whether the SDK's fields have names in snake case, as since mcp 2.0."""
    return versions.get("mcp", "").startswith("2.")


def names_of(kind: str, versions: Mapping[str, str]) -> Mapping[str, str] | None:
    """The fields of a model by their names in Python, each with its name on the wire; ``None`` for other classes."""
    names = _RENAMED.get(kind)
    if names is None or is_renamed(versions):
        return names
    return {"meta" if wire == "_meta" else wire: wire for wire in names.values()}


def _of_other_major(kind: str, name: str, versions: Mapping[str, str]) -> bool:
    own, names = names_of(kind, versions) or {}, _RENAMED.get(kind, {})
    return name not in own and (name in names or name in names.values())


_NESTED = {
    (f"{TYPES}.Tool", "annotations"): f"{TYPES}.ToolAnnotations",
    (f"{TYPES}.Tool", "execution"): f"{TYPES}.ToolExecution",
    (f"{TYPES}.Tool", "icons"): f"{TYPES}.Icon",
    (f"{TYPES}.ListToolsResult", "tools"): f"{TYPES}.Tool",
}
"""The fields whose value is a model, or a list of models: pydantic makes it of a dict."""


def make_model(run: Run, name: str, arguments: Arguments) -> Value | None:
    """An object of a model of the SDK; ``None`` if ``name`` is no such model."""
    head, _, last = name.rpartition(".")
    if last in ("model_validate", "parse_obj") and names_of(head, run.versions) is not None:
        return _validated(run, head, arguments)
    names = names_of(name, run.versions)
    if names is None and not (head == TYPES and last[:1].isupper() and last != "AnyUrl"):
        return None
    made = SdkObject(name, {}, arguments.site or run.site(), arguments.others)
    made.node = arguments.node
    if arguments.positional and last == "ServerResult":
        made.data["root"] = arguments.positional[0]
    elif arguments.positional and names is not None:
        raise RaisedError("builtins.TypeError", f"{last}() takes no positional arguments", run.site())
    fields = {wire: own for own, wire in (names or {}).items()}
    given = arguments.keywords
    if names is not None and is_renamed(run.versions):  # the name on the wire wins, and what is no field is dropped
        found = {wire: given.get(wire, given.get(own)) for wire, own in fields.items()}
        given = {wire: value for wire, value in found.items() if value is not None}
    for key, value in given.items():
        made.data[key] = _converted(run, _NESTED.get((name, key), ""), value) if key in fields else value
    return made


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
    if isinstance(value, (ListValue, TupleValue, IteratorValue, View)):
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
    names = names_of(value.type, run.versions) or {}
    key = names.get(name, name)
    if _of_other_major(value.type, name, run.versions) and (name not in value.data or is_renamed(run.versions)):
        raise RaisedError("builtins.AttributeError", f"{value.type} has no attribute {name}", run.site())
    if key in value.data:
        found = value.data[key]
        return found.why if isinstance(found, Maybe) else found
    if name in ("model_copy", "copy"):
        return Native(name, lambda run, arguments: _copied(run, value, arguments))
    if value.rest is not None:
        return value.rest
    if name in names:
        return NONE
    why = run.unsettled(f"{name} of {value.type}")
    if name.startswith("__"):  # __dict__ and __setattr__ change any field
        run.journal.blur(value, why)
    return why


def _set(run: Run, value: SdkObject, name: str, new: Value) -> None:
    if name.startswith("_"):
        return  # that is not sent
    names = names_of(value.type, run.versions) or {}
    if names and is_renamed(run.versions) and name not in names:
        raise RaisedError("builtins.ValueError", f"{value.type} has no field {name}", run.site())
    run.journal.touch(value)
    value.data[names.get(name, name)] = new


def _copied(run: Run, value: SdkObject, arguments: Arguments) -> Value:
    changes, rest = changes_of(run, arguments)
    made = SdkObject(value.type, dict(value.data), value.site, value.rest or rest)
    if arguments.keywords.get("deep", FALSE) != FALSE:
        copies: dict[int, Value] = {}
        made.data = {name: deep_copy(run, item, copies) for name, item in made.data.items()}
    names, dropping = names_of(value.type, run.versions) or {}, is_renamed(run.versions)
    made.data |= {names.get(name, name): item for name, item in changes.items() if name in names or not dropping}
    return made


LIBRARY_RULES.append(make_model)
ATTRIBUTES[SdkObject] = _attribute
SETTERS[SdkObject] = _set
