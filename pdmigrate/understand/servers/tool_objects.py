"""Tools as objects of the SDKs' own classes: ``Tool.from_function``, ``@tool``."""

from __future__ import annotations

from pdmigrate.families import DECORATED, FASTMCP
from pdmigrate.understand.demand.run import ATTRIBUTES, LIBRARY_RULES, SETTERS, Run
from pdmigrate.understand.servers.making import family_of
from pdmigrate.understand.servers.methods import is_function
from pdmigrate.understand.servers.objects import (
    ToolValue,
)
from pdmigrate.understand.values.core import (
    NONE,
    Arguments,
    FunctionValue,
    Native,
    Unknown,
    Value,
)

# --- tools made by the SDKs' own classes ------------------------------------------------------------------------------


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
    if name in ("fastmcp.tools.tool", "fastmcp.tools.function_tool.tool"):
        return _standalone(run, arguments)
    return None


def _standalone(run: Run, arguments: Arguments) -> Value:
    options = arguments.named(("name_or_fn",))
    first = options.pop("name_or_fn", None)

    def mark(run: Run, inner: Arguments) -> Value:
        function = inner.positional[0] if inner.positional else NONE
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


LIBRARY_RULES.insert(0, _tool_class)


def _tool_attribute(run: Run, tool: ToolValue, name: str) -> Value:
    if name in tool.data:
        return tool.data[name]
    if name in ("fn", "__wrapped__"):
        return tool.function
    if name in ("name", "key"):
        return tool.options.get("name") or run.attribute(tool.function, "__name__")
    if name == "__call__":
        return tool.function
    return run.unsettled(f"{name} of a tool")


ATTRIBUTES[ToolValue] = _tool_attribute


def _set_tool(run: Run, tool: ToolValue, name: str, value: Value) -> None:
    run.journal.touch(tool)
    tool.data[name] = value


SETTERS[ToolValue] = _set_tool
