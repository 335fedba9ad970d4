"""Tools as objects of the SDKs' own classes: ``Tool.from_function``, ``@tool``."""

from __future__ import annotations

import json

from pdmigrate.model import Known
from pdmigrate.sdk.families import DECORATED, FASTMCP
from pdmigrate.understand.demand.attributes import CLASS_RULES, set_named
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, RaisedError, Run
from pdmigrate.understand.library.reflection import KINDS
from pdmigrate.understand.servers.holding import Metadata
from pdmigrate.understand.servers.making import family_of
from pdmigrate.understand.servers.methods import is_function
from pdmigrate.understand.servers.objects import ToolValue, changes_of
from pdmigrate.understand.servers.wire import registered, value_of
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import FALSE, NONE, Const, Unknown, Value
from pdmigrate.understand.values.objects import Arguments, ClassValue, FunctionValue, Native
from pdmigrate.understand.values.outside import External


def _tool_class(run: Run, name: str, arguments: Arguments) -> Value | None:
    head, _, last = name.rpartition(".")
    if last == "from_function":
        cls = next((each for each in DECORATED if head in each.tools), None)
        if cls is not None:
            options = arguments.named(("fn", "name", "title", "description"))
            made = ToolValue(options.pop("fn", NONE), options, family_of(run, cls), arguments.site or run.site())
            made.rest = arguments.unknown or (made.function if isinstance(made.function, Unknown) else None)
            if isinstance(made.function, FunctionValue):
                made.site = made.function.module.site(made.function.node)
            return made
    if last == "from_tool" and name.startswith("fastmcp."):
        return run.unsettled("a tool that is made from another one")
    if name in ("fastmcp.tools.tool", "fastmcp.tools.function_tool.tool"):
        return _standalone(run, arguments)
    return None


def _standalone(run: Run, arguments: Arguments) -> Value:
    options = arguments.named(("name_or_fn",))
    first = options.pop("name_or_fn", None)

    def mark(run: Run, inner: Arguments) -> Value:
        function = inner.first
        site = function.module.site(function.node) if isinstance(function, FunctionValue) else inner.site
        made = ToolValue(function, options, family_of(run, FASTMCP), site)
        if family_of(run, FASTMCP).major < 3:
            return made
        if isinstance(function, FunctionValue):
            run.journal.touch(function)
            function.data["__fastmcp__"] = made
        return function

    if first is not None and is_function(first):
        return mark(run, Arguments([first], site=arguments.site))
    if first is not None:
        options["name"] = first
    return Native("tool()", mark)


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
    plain = all(name in names or name in ("abc.ABC", "builtins.object") for name in cls.outside)
    quiet = all(_is_quiet(key, value) for base in cls.classes for key, value in base.data.items())
    settled = not any(base.fields or base.options or base.rest for base in cls.classes)
    return External(f"{found[0]}.{name}") if plain and quiet and settled else None


def _is_quiet(name: str, value: Value) -> bool:
    """Whether no list depends on what a class has: how a tool runs, or a private method of the program."""
    if name in ("__doc__", "__name__"):
        return True
    private = name.startswith("_") and not name.startswith("__") and name not in _SDK_PRIVATE
    return isinstance(value, FunctionValue) and (private or name in ("run", "convert_result"))


_SDK_PRIVATE = frozenset({"_ensure_tool", "_mark_non_object_result", "_validate_tool_name"})
"""Private methods of the SDK's class of tools that decide what is listed."""


def _tool_attribute(run: Run, tool: ToolValue, name: str) -> Value:
    if name in tool.data:
        return tool.data[name]
    if name in ("fn", "__wrapped__", "__call__"):
        return tool.function
    if name in ("name", "key"):
        return tool.options.get("name") or run.attribute(tool.function, "__name__")
    if name in ("description", "title"):
        return _text_of(run, tool, name)
    if name in ("model_copy", "copy"):
        return Native(name, lambda run, arguments: _copied(run, tool, arguments))
    if name in ("annotations", "meta", "icons") and tool.family.package == "mcp":
        return tool.options.get(name, NONE)
    if name in ("enable", "disable"):
        return Native(name, lambda run, _arguments: _switched(run, tool, name == "enable"))
    if name in ("annotations", "meta", "icons", "tags"):
        set_named(run, tool, name, run.unsettled(f"{name} of a tool is used, and may be changed", MUTATED))
        return tool.data[name]
    if name == "parameters" or (name in ("output_schema", "fn_metadata") and tool.family.package == "mcp"):
        return _part_of(run, tool, name)
    return run.unsettled(f"{name} of a tool")


def _switched(run: Run, tool: ToolValue, enabled: bool) -> Value:
    """``tool.enable()`` or ``tool.disable()``, which fastmcp has no more since 3.0."""
    if tool.family.id != "fastmcp2":
        raise RaisedError("builtins.NotImplementedError", "a tool is not enabled by itself", run.site())
    set_named(run, tool, "enabled", Const(enabled))
    return NONE


def _part_of(run: Run, tool: ToolValue, name: str) -> Value:
    """A part of a tool that the program may change: one object each time."""
    if name == "fn_metadata":
        known: Value = run.memory.setdefault((name, tool), Metadata(tool))
        return known
    told: dict[str, Value] = {} if tool.family.package == "mcp" else {"dereference_schemas": FALSE}
    made = registered(run, told, tool)[0].get("inputSchema" if name == "parameters" else "outputSchema")
    value = value_of(made) if made is not None else NONE
    if told and isinstance(made, Known) and '"$ref"' in json.dumps(made.value):
        # References are followed when the tools are listed, after all changes.
        value = run.unsettled("a schema with references is used before it is listed", MUTATED)
    if isinstance(value, (DictValue, Unknown)):
        set_named(run, tool, name, value)
    return value


def _text_of(run: Run, tool: ToolValue, name: str) -> Value:
    known = registered(run, {}, tool)[0].get(name)
    return value_of(known) if known is not None else NONE


def _copied(run: Run, tool: ToolValue, arguments: Arguments) -> Value:
    changes, rest = changes_of(run, arguments)
    made = ToolValue(tool.function, tool.options, tool.family, tool.site)
    made.data, made.rest = {**tool.data, **changes}, tool.rest or rest
    return made


LIBRARY_RULES.insert(0, _tool_class)
KINDS.append(_kind)
CLASS_RULES.append(_inherited_maker)
ATTRIBUTES[ToolValue] = _tool_attribute
SETTERS[ToolValue] = set_named
