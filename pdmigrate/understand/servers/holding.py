"""Tools as objects of the SDKs' classes, and the object in which a server keeps them (``_tool_manager``)."""

from __future__ import annotations

import json

from pdmigrate.model import Known
from pdmigrate.sdk.families import DECORATED, FASTMCP
from pdmigrate.sdk.names import TYPES
from pdmigrate.understand.demand.attributes import CLASS_RULES, set_named
from pdmigrate.understand.demand.containers import make_dict
from pdmigrate.understand.demand.run import ATTRIBUTES, ITERATED, LIBRARY_RULES, SETTERS, Run
from pdmigrate.understand.library.reflection import KINDS
from pdmigrate.understand.servers.composing import add_middleware
from pdmigrate.understand.servers.making import family_of, lost
from pdmigrate.understand.servers.methods import HOLDERS, METHODS, bound, tools_of
from pdmigrate.understand.servers.objects import Middleware, Registered, Removed, ServerValue, ToolValue, new_tool
from pdmigrate.understand.servers.offered import refuse_missing
from pdmigrate.understand.servers.wire import registered, text_field, value_of
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, ListValue, View
from pdmigrate.understand.values.core import FALSE, MUTATED, NONE, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Named, SdkObject, text_of
from pdmigrate.understand.values.outside import External


class Holder(Named):
    """``server._tool_manager`` or ``server.local_provider``; who is handed it gets hold of what is ``inside``."""

    def __init__(self, server: ServerValue) -> None:
        super().__init__()
        self.inside = server


class Components(Holder):
    """``server._tool_manager._tools``; since fastmcp 3 ``server._local_provider._components``, by keys of its own.

    ``part``: its ``keys``, ``values`` or ``items``, all that the table holds when it is asked.
    """

    def __init__(self, server: ServerValue, part: str = "keys") -> None:
        super().__init__(server)
        self.part = part


class Middlewares(Holder):
    """``server.middleware``, a list."""


class Metadata(Named):
    """``tool.fn_metadata`` of the official SDK: how a tool is called, how its results are made, and their schema."""

    def __init__(self, tool: ToolValue) -> None:
        super().__init__()
        self.inside = tool


def _attribute(run: Run, holder: Holder, name: str) -> Value:
    server = holder.inside
    if name in ("remove_tool", "add_tool"):
        return bound(server, name, METHODS[name])
    if name in ("get_tool", "list_tools") and server.cls is not FASTMCP:
        return bound(server, name, _one if name == "get_tool" else own_tools)
    if name == ("_tools" if server.family.major < 3 else "_components"):
        return Components(server)
    return lost(run, server, f"{name} of the tools of the server is used")


def _of_components(run: Run, components: Components, name: str) -> Value:
    server = components.inside
    if name == "values" or (name in ("keys", "items") and server.family.major < 3):
        return Native(name, lambda _run, _arguments: Components(server, name))
    return lost(run, server, f"{name} of the components of the server is used")


def _gone_through(run: Run, components: Components) -> Value:
    server = components.inside
    if components.part == "values":
        return own_tools(run, server, Arguments())
    table = _table(run, server) if server.family.major < 3 else None
    why = "the components of the server are gone through"
    return View(table, components.part) if table is not None else lost(run, server, why)


def _of_middlewares(run: Run, middlewares: Middlewares, name: str) -> Value:
    if name == "append":
        return bound(middlewares.inside, name, add_middleware)
    return lost(run, middlewares.inside, f"{name} of the middleware of the server is used")


def _set(run: Run, holder: Holder, name: str, _value: Value) -> None:
    lost(run, holder.inside, f"{name} of the tools of the server is replaced")


def _held(run: Run, server: ServerValue) -> list[tuple[str | None, Value]] | None:
    """The tools of a server, some perhaps ``Maybe``, with their names; ``None`` if it was told anything else."""
    held: list[tuple[str | None, Value]] = []
    for event in server.data:
        inner = bare_value(event)
        if isinstance(inner, Registered):
            held.append((text_of(run.attribute(inner.tool, "name")), conditional_as(event, inner.tool)))
        elif isinstance(event, Removed):
            held = [item for item in held if item[0] != event.name]
        elif not isinstance(inner, Middleware):
            return None  # it may have any tools
    return held if server.rest is None else None


def _one(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    wanted, held = text_of(arguments.get(0, "name")), _held(run, server)
    found = [item for name, item in held or () if name in (wanted, None)]
    if wanted is None or held is None or len(found) > 1 or any(isinstance(item, Maybe) for item in found):
        return lost(run, server, "a tool of the server is used")
    return found[0] if found else NONE


def own_tools(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    """``list_tools()``: a new list of the SDK's own tools."""
    return held_tools(run, server) or lost(run, server, "the tools of the server are used")


def held_tools(run: Run, server: ServerValue) -> ListValue | None:
    """The tools that a server has been given; ``None`` if they, or what is removed of them, are not known."""
    held = _held(run, server)
    names = [name for name, _ in held or ()]
    if held is None or None in names or len(set(names)) != len(names):
        return None
    return ListValue([item for _, item in held])


def _table(run: Run, server: ServerValue) -> DictValue | None:
    """The tools of a server by their names; ``None`` if one has another name by now, which does not count."""
    held = _held(run, server) if held_tools(run, server) is not None else None
    if held is None or any("name" in item.data for _, tool in held if isinstance(item := bare_value(tool), ToolValue)):
        return None
    return make_dict([(Const(name), tool) for name, tool in held], run)


def _own_table(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    """``get_tools()`` of fastmcp 2: a dict of the server's own tools, and of copies of mounted ones, by their names."""
    return (None if run.answering else _table(run, server)) or tools_of(run, server, arguments)


METHODS["get_tools"] = _own_table


ATTRIBUTES[Components] = _of_components
ITERATED[Components] = _gone_through
ATTRIBUTES[Holder] = _attribute
ATTRIBUTES[Middlewares] = _of_middlewares
HOLDERS.update(dict.fromkeys(("local_provider", "_local_provider", "_tool_manager"), Holder))
HOLDERS["middleware"] = Middlewares
SETTERS[Holder] = _set


# --- tools of the SDKs' own classes: ``Tool.from_function`` ---------------------------------------------------------


def _tool_class(run: Run, name: str, arguments: Arguments) -> Value | None:
    head, _, last = name.rpartition(".")
    cls = next((each for each in DECORATED if head in each.tools), None)
    if last == "from_function" and cls is not None:
        options = arguments.named(("fn", "name", "title", "description"))
        made = new_tool(run, options.pop("fn", NONE), options, family_of(run, cls), arguments.site or run.site())
        made.rest = arguments.others or (made.function if isinstance(made.function, Unknown) else None)
        if isinstance(made.function, FunctionValue):
            made.site = made.function.module.site(made.function.node)
        return made
    from_tool = last == "from_tool" and name.startswith("fastmcp.")
    return run.unsettled("a tool derived from another tool") if from_tool else None


def _kind(value: Value, name: str) -> bool | None:
    if isinstance(value, ToolValue) and any(name in each.tools for each in DECORATED):
        return any(name in each.tools for each in DECORATED if each.package == value.family.package)
    return None


def _inherited_maker(_run: Run, cls: ClassValue, name: str) -> Value | None:
    """``from_function`` of the SDK's class of tools, for a class of the program that changes nothing that is listed."""
    names = {name for each in DECORATED for name in each.tools}
    found = [name for name in cls.outside if name in names]
    if name != "from_function" or not found or cls.refused is not None:
        return None
    plain = {*cls.outside} <= {*names, "abc.ABC", "builtins.object"}
    quiet = all(_is_quiet(key, value) for base in cls.classes for key, value in base.data.items())
    settled = not any(base.fields or base.options or base.rest for base in cls.classes)
    return External(f"{found[0]}.{name}") if plain and quiet and settled else None


def _is_quiet(name: str, value: Value) -> bool:
    """Whether no list depends on what a class has: how a tool runs, or a private method of the program."""
    if name in ("__doc__", "__module__", "__name__", "__qualname__"):
        return True
    private = name.startswith("_") and not name.startswith("__") and name not in _SDK_PRIVATE
    return isinstance(value, FunctionValue) and (private or name in ("run", "convert_result"))


_SDK_PRIVATE = frozenset({"_ensure_tool", "_mark_non_object_result", "_validate_tool_name"})
"""Private methods of the SDK's class of tools that decide what is listed."""


def _tool_attribute(run: Run, tool: ToolValue, name: str) -> Value:
    if name in tool.data:
        return tool.data[name]
    refuse_missing(run, "tool", tool.family, name)
    if name == "fn":
        return tool.given
    if name in ("name", "key"):
        return tool.options.get("name") or run.attribute(tool.function, "__name__")
    if name in ("description", "title"):
        text = text_field(run, tool, name)
        return value_of(text) if text is not None else NONE
    if name == "annotations" and (known := own_annotations(run, tool)) is not None:
        return known
    if name in ("annotations", "meta", "icons") and tool.family.is_official:
        return tool.options.get(name) or tool.rest or NONE
    changed = "enabled" if name in ("enable", "disable") else name
    if changed in ("annotations", "meta", "icons", "tags", "enabled"):
        set_named(run, tool, changed, run.unsettled(f"{name} of a tool is used, and may be changed", MUTATED))
        return tool.data[changed]
    if name == "parameters" or (name == "output_schema" and tool.family.is_official):
        return _part_of(run, tool, name)
    if name == "fn_metadata" and tool.family.is_official:
        return Metadata(tool)
    why = run.unsettled(f"{name} of a tool")
    if name.startswith("__") or name in _COPIES:  # __dict__ and __setattr__ change any field
        run.journal.blur(tool, why)
    return why


def _of_metadata(run: Run, metadata: Metadata, name: str) -> Value:
    if name == "arg_model":  # the schema of the arguments was made before
        return External("mcp.fn_metadata.arg_model")
    why = run.unsettled(f"{name} of a tool is used", MUTATED)
    set_named(run, metadata.inside, "output_schema", why)
    return why


def _set_metadata(run: Run, metadata: Metadata, name: str, value: Value) -> None:
    run.disturb([value, _of_metadata(run, metadata, name)], run.unsettled(f"{name} of a tool is set", MUTATED))


def own_annotations(run: Run, tool: ToolValue) -> Value | None:
    """The annotations that the SDK made of an option, one object each time; ``None`` if the option is not known."""
    given = tool.options.get("annotations") or tool.rest or NONE
    if isinstance(given, DictValue) and given.exact:
        given = run.call(External(ANNOTATIONS), Arguments(keywords={text_of(k) or "": v for k, v in given.entries()}))
        assert isinstance(given, SdkObject)
        given.born = tool.born
    if not isinstance(given, SdkObject) or given.type != ANNOTATIONS:
        return NONE if given == NONE else None
    tool.options["annotations"] = given  # the same content, whichever path asks first
    return given


ANNOTATIONS = f"{TYPES}.ToolAnnotations"
_COPIES = frozenset({"copy", "model_copy", "to_mcp_tool"})
"""Methods whose results share the schemas of the tool."""


def _part_of(run: Run, tool: ToolValue, name: str) -> Value:
    """A part of a tool that the program may change: one object each time."""
    if name in tool.parts:
        return tool.parts[name]
    told: dict[str, Value] = {} if tool.family.is_official else {"dereference_schemas": FALSE}
    made = registered(run, told, tool)[0].get("inputSchema" if name == "parameters" else "outputSchema")
    value = value_of(made) if made is not None else NONE
    if told and isinstance(made, Known) and '"$ref"' in json.dumps(made.value):
        # References are followed when the tools are listed, after all changes.
        value = run.unsettled("a schema with references is used before it is listed", MUTATED)
    if isinstance(value, Unknown):
        set_named(run, tool, name, value)
    elif isinstance(value, DictValue):
        tool.parts[name] = value
        for part in reachable([value]):
            part.born = tool.born  # whichever path asks first
    return value


LIBRARY_RULES.insert(0, _tool_class)
KINDS.append(_kind)
CLASS_RULES.append(_inherited_maker)
ATTRIBUTES[ToolValue] = _tool_attribute
SETTERS[ToolValue] = set_named
ATTRIBUTES[Metadata] = _of_metadata
SETTERS[Metadata] = _set_metadata
