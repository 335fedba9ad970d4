"""Servers and tools as values: what a program told them, in order; and the models of the SDK that it makes."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pdmigrate.model import Site
from pdmigrate.sdk.families import Family, ServerClass
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, RaisedError, Run
from pdmigrate.understand.types.functions import read_now
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, Followed, IteratorValue, ListValue, SetValue, View
from pdmigrate.understand.values.core import ARGUMENTS, MUTATED, NONE, OUTSIDE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.journal import Delta
from pdmigrate.understand.values.objects import (
    PLAIN_BASES,
    ClassValue,
    FunctionValue,
    Instance,
    Named,
    SdkObject,
    text_of,
)

REQUEST = Unknown("the request of the client", ARGUMENTS)


def asked() -> SdkObject:
    """The context of a request for the list of tools, of which only the method is known."""
    told = {"method": "tools/list", "type": "request", "source": "client"}
    return SdkObject("the context of a request", {name: Const(text) for name, text in told.items()}, rest=REQUEST)


class ServerValue(Followed):
    """A server object.  ``data`` holds the events that decide what it lists, in order."""

    def __init__(self, cls: ServerClass, family: Family, site: Site | None) -> None:
        super().__init__([])
        self.cls, self.family, self.site = cls, family, site
        self.node: ast.AST | None = None
        self.handlers = DictValue()
        """The handlers of a low-level server, by what each is registered for."""
        self.attributes = Named()
        """What the program has set on the object, and its name."""
        self.options: dict[str, Value] = {}
        self.below: ServerValue | None = None
        """The low-level server inside a server whose tools are functions."""
        self.instance: Value | None = None
        """The object of a program class that the server is."""
        self.refused = ""
        """Why its constructor raises: whoever catches that has no such server."""
        self.started = False
        self.starts: list[tuple[Site | None, Delta]] = []
        """What the server had been told where the program ran it; empty where it only made what is run later."""
        self.mounted = False


@dataclass(frozen=True, slots=True, eq=False)
class OwnHandler(Native):
    """What the SDK itself answers to a request, for a server whose tools are functions."""


@dataclass(frozen=True, slots=True, eq=False)
class DecoratedHandler(Native):
    """What a low-level server of mcp 1 makes of a function that is decorated as the handler of a request."""

    function: Value
    request: Value


OTHER_HANDLERS = Unknown("the SDK's other handlers", OUTSIDE)
"""What a server whose tools are functions answers to the requests that are not modelled."""


class ToolValue(Named):
    """A function as a tool.  ``data`` holds the attributes that the program sets on the tool later."""

    def __init__(self, function: Value, options: dict[str, Value], family: Family, site: Site | None) -> None:
        super().__init__()
        # The SDKs read a function, and the options, once: what the program does to them later does not show.
        self.given, self.function, self.family, self.site = function, _as_it_is(function), family, site
        self.options = {
            name: type(value)(value.data.copy(), value.rest)
            if isinstance(value, (DictValue, ListValue, SetValue))
            else value
            for name, value in options.items()
        }
        self.read: dict[ast.expr, Value] = {}
        """What annotations meant that are text and may mean something else later."""
        self.parts: dict[str, Value] = {}
        """The schemas that the SDK made, as far as the program has asked for them: as old as the tool."""


def new_tool(run: Run, function: Value, options: dict[str, Value], family: Family, site: Site | None) -> ToolValue:
    """A tool that the SDK makes here."""
    made = ToolValue(function, options, family, site)
    made.read = read_now(run, function)
    if made.read and not family.is_official:
        known = run.memory.setdefault(("read", function), made.read)
        if known != made.read:  # fastmcp keeps what it made of the parameters when it first saw the function
            made.read = dict.fromkeys({**known, **made.read}, run.unsettled("annotations are read twice", MUTATED))
    return made


def _as_it_is(function: Value) -> Value:
    if isinstance(function, BoundMethod):
        return replace(function, function=_as_it_is(function.function))
    return function.as_it_is() if isinstance(function, FunctionValue) else function


def is_plain(value: Value) -> bool:
    """Whether a value is an object of the program that has nothing from a library, and no name."""
    if not isinstance(value, Instance) or not set(value.cls.outside) <= PLAIN_BASES:
        return False
    return value.rest is None and "__name__" not in value.data


def is_function(value: Value) -> bool:
    """Whether a value is a function, or an object of the program that may be called like one."""
    return isinstance(value, (FunctionValue, BoundMethod, ClassValue, Partial)) or is_plain(value)


@dataclass(frozen=True, slots=True, eq=False)
class Registered(Value):
    tool: ToolValue


@dataclass(frozen=True, slots=True, eq=False)
class Removed(Value):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Visibility(Value):
    """Something by which any tool may be hidden that would be listed, or shown that would be hidden."""

    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Mounted(Value):
    """The tools of another server are listed too; ``unknown`` says why their names are not known."""

    server: ServerValue
    prefix: str
    unknown: Unknown | None = None
    copied: tuple[Value, ...] | None = None
    """The events of the other server if they were copied, and not looked at each time."""


@dataclass(frozen=True, slots=True, eq=False)
class Middleware(Value):
    """Functions of the program that see every list of tools, the innermost first."""

    hooks: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Opaque(Value):
    """Something that is not followed: it may add tools, and change or hide those that are there if it ``rewrites``.

    ``replaces``: it lists tools of its own in place of the others, of which some may stay, unchanged.
    """

    why: Unknown
    rewrites: bool = False
    replaces: bool = False


def changes_of(run: Run, arguments: Arguments) -> tuple[dict[str, Value], Unknown | None]:
    """The changes that ``model_copy(update=...)`` makes to a copy, and why there may be others."""
    update = arguments.keywords.get("update", NONE)
    if not isinstance(update, DictValue):
        why = run.because("a copy with changes that are not known", update) if update != NONE else None
        return {}, why or arguments.unknown
    changes = {text_of(key): item.why if isinstance(item, Maybe) else item for key, item in update.entries()}
    unsure = run.unsettled("a copy with a change that is not known") if None in changes else None
    known = {name: item for name, item in changes.items() if name is not None}
    return known, update.rest or unsure or arguments.unknown


# --- the models of the SDK --------------------------------------------------------------------------------------------


# Measured on mcp 1.2 to 1.30, 2.0.1 and 2.3.0: the models of mcp 2.x have names in snake case, accept either name as a
# keyword, and drop unknown fields.
_FIELDS = {
    f"{TYPES}.Tool": "name title description input_schema output_schema annotations icons meta execution",
    f"{TYPES}.ToolAnnotations": "title read_only_hint destructive_hint idempotent_hint open_world_hint",
    f"{TYPES}.ListToolsResult": "tools next_cursor meta ttl_ms cache_scope result_type",
    f"{TYPES}.PaginatedRequestParams": "meta cursor",
    f"{TYPES}.Icon": "src mime_type sizes theme",
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


_NESTED = {
    (f"{TYPES}.Tool", "annotations"): f"{TYPES}.ToolAnnotations",
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
    names, renamed = names_of(value.type, run.versions) or {}, _RENAMED.get(value.type, {})
    key = names.get(name, name)
    of_other_major = name not in names and (name in renamed or name in renamed.values())
    if of_other_major and (name not in value.data or is_renamed(run.versions)):
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
    if "deep" in arguments.keywords:
        return run.unsettled("a deep copy of a model")
    made = SdkObject(value.type, dict(value.data), value.site, value.rest or rest)
    names, dropping = names_of(value.type, run.versions) or {}, is_renamed(run.versions)
    made.data |= {names.get(name, name): item for name, item in changes.items() if name in names or not dropping}
    return made


LIBRARY_RULES.append(make_model)
ATTRIBUTES[SdkObject] = _attribute
SETTERS[SdkObject] = _set
