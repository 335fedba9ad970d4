"""The object in which a server keeps its tools (``_tool_manager``), and the tools that it hands out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pdmigrate.sdk.families import FASTMCP
from pdmigrate.understand.demand.run import ATTRIBUTES, ITERATED, SETTERS, Run
from pdmigrate.understand.servers.making import lost
from pdmigrate.understand.servers.methods import HOLDERS, METHODS, bound
from pdmigrate.understand.servers.objects import Registered, ServerValue, ToolValue
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.containers import ListValue
from pdmigrate.understand.values.core import NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value
from pdmigrate.understand.values.objects import Named, text_of
from pdmigrate.understand.values.outside import External


class _Part(Named):
    def __init__(self, inside: Any) -> None:
        super().__init__()
        self.inside = inside


class Holder(_Part):
    """``server._tool_manager`` or ``server.local_provider``"""


class Components(_Part):
    """``server._tool_manager._tools``; since fastmcp 3 ``server._local_provider._components``, by keys of its own."""


class Metadata(_Part):
    """``tool.fn_metadata``: how a tool is called, and how its results are made."""


def _attribute(run: Run, holder: Holder, name: str) -> Value:
    server = holder.inside
    if name in ("remove_tool", "add_tool"):
        return bound(server, name, METHODS[name])
    if name in ("get_tool", "list_tools") and server.cls is not FASTMCP:
        act = _one if name == "get_tool" else _all
        return Native(name, lambda run, arguments: act(run, server, arguments))
    if name == ("_tools" if server.family.major <= _LAST_WITH_NAMES else "_components"):
        return Components(server)
    return lost(run, server, f"{name} of the tools of the server is used")


def _of_components(run: Run, components: Components, name: str) -> Value:
    server = components.inside
    if name == "values":
        return Native(name, lambda run, arguments: _all(run, server, arguments))
    if name == "keys" and server.family.major <= _LAST_WITH_NAMES:
        return Native(name, lambda run, _arguments: _names(run, components))
    return lost(run, server, f"{name} of the components of the server is used")


_LAST_WITH_NAMES = 2
"""The last major version of the SDKs that keeps tools by their names."""


def _names(run: Run, components: Components) -> Value:
    """The names under which tools are kept, which stay when a tool gets another one."""
    server = components.inside
    held = _all(run, server, Arguments()) if server.family.major <= _LAST_WITH_NAMES else None
    tools = [bare_value(item) for item in held.data] if isinstance(held, ListValue) else []
    if not isinstance(held, ListValue) or any(isinstance(tool, ToolValue) and "name" in tool.data for tool in tools):
        return lost(run, server, "the components of the server are gone through")
    return ListValue([_named(run, item) for item in held.data])


def _named(run: Run, item: Value) -> Value:
    name = run.attribute(bare_value(item), "name")
    return replace(item, value=name) if isinstance(item, Maybe) else name


def _set(run: Run, holder: Holder, name: str, _value: Value) -> None:
    lost(run, holder.inside, f"{name} of the tools of the server is replaced")


def _held(server: ServerValue) -> list[Value] | None:
    """The tools of a server, some of them perhaps ``Maybe``; ``None`` if it was told anything but tools."""
    held: list[Value] = []
    for event in server.data:
        inner = bare_value(event)
        if not isinstance(inner, Registered):
            return None
        held.append(replace(event, value=inner.tool) if isinstance(event, Maybe) else inner.tool)
    return held if server.rest is None else None


def _name(run: Run, tool: ToolValue) -> str | None:
    return text_of(run.attribute(tool, "name"))


def _one(run: Run, server: ServerValue, arguments: Arguments) -> Value:
    """``get_tool(name)``"""
    wanted, held = text_of(arguments.get(0, "name")), _held(server)
    if wanted is None or held is None:
        return lost(run, server, "a tool of the server is used")
    names = [(_name(run, tool), item) for item in held if isinstance(tool := bare_value(item), ToolValue)]
    found = [item for name, item in names if name in (wanted, None)]
    if not found:
        return NONE
    if len(found) == 1 and isinstance(found[0], ToolValue) and names:
        return found[0]
    return lost(run, server, "a tool of the server is used")


def _all(run: Run, server: ServerValue, _arguments: Arguments) -> Value:
    """``list_tools()``: a new list of the SDK's own tools."""
    held = _held(server)
    names = [_name(run, tool) for item in held or () if isinstance(tool := bare_value(item), ToolValue)]
    if held is None or None in names or len(set(names)) != len(names):
        return lost(run, server, "the tools of the server are used")
    return ListValue(held)


# --- how a tool is called ---------------------------------------------------------------------------------------------


def _of_metadata(run: Run, metadata: Metadata, name: str) -> Value:
    if name in metadata.data:
        return metadata.data[name]
    if name in ("output_schema", "output_model", "wrap_output"):
        return Unknown(f"{name} of a tool", MUTATED, run.site())
    return External(f"mcp.fn_metadata.{name}")


def _set_metadata(run: Run, metadata: Metadata, name: str, value: Value) -> None:
    """The model of a tool's arguments says how it is called; its schema was made before."""
    run.journal.touch(metadata)
    metadata.data[name] = value
    if name != "arg_model":
        run.set_attribute(metadata.inside, "output_schema", run.unsettled(f"{name} of a tool is set", MUTATED))


ATTRIBUTES[Components] = _of_components
ITERATED[Components] = _names
ATTRIBUTES[Holder] = _attribute
HOLDERS.update(dict.fromkeys(("local_provider", "_local_provider", "_tool_manager"), Holder))
SETTERS[Holder] = _set
ATTRIBUTES[Metadata] = _of_metadata
SETTERS[Metadata] = _set_metadata
