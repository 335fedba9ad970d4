"""The tools of the decorator families: what a registered function becomes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import CLASS_ATTRIBUTES
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    External,
    FunctionValue,
    Native,
    Origin,
    Partial,
    Place,
    SdkObject,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.types.function_specs import ToolSpecs
from pdmigrate.families import FASTMCP, DecoratedClass
from pdmigrate.recognise.servers.registered import TOOL, ToolValue
from pdmigrate.recognise.servers.registries import TOOL_CLASSES, each, family_of
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def tool_of(
    run: Interpreter, server_class: DecoratedClass, value: Value, options: dict[str, Value], place: Place | None
) -> ToolValue:
    """``value``, a function, as a tool with these options."""
    convert = ToolSpecs(run)
    with run.collected_risks():
        function = convert.function(value)
        given = tuple((name, convert.value(item)) for name, item in options.items())
    origin, name = Origin("tool", place), family_of(run, server_class).id
    made = ToolValue({}, None, TOOL, place, True, options=given, value=value, family=name, origin=origin)
    if isinstance(function, UnknownValue):
        made.opaque = function
    else:
        made.function = function
    return made


def from_function(run: Interpreter, server_class: DecoratedClass, arguments: Arguments) -> Value:
    """``Tool.from_function(fn, ...)``"""
    names: tuple[str, ...] = ("fn", "name", "title", "description")
    if server_class is not FASTMCP:
        names = (*names, "context_kwarg", "annotations", "icons", "meta", "structured_output")
    options = arguments.by_name(names)
    function = options.pop("fn", NONE)
    return each(run, function, lambda item: tool_of(run, server_class, item, options, arguments.place))


_GIVEN = ("name", "title", "description", "annotations", "tags", "meta", "output_schema", "enabled")
"""The fields that ``Tool.from_tool`` takes from its arguments, or else from the tool that it transforms."""


def from_tool(run: Interpreter, arguments: Arguments) -> Value:
    """``Tool.from_tool(tool, ...)``: a copy of a tool with a new schema, made from the original one."""
    options = arguments.by_name(("tool",))
    place = arguments.place
    schema = reasons.unknown(reasons.UNSUPPORTED, "the schema of a tool that is transformed", place)

    def made(value: Value) -> Value:
        if isinstance(value, UnknownValue):
            return tool_of(run, FASTMCP, value, {}, place)
        tool = value if isinstance(value, ToolValue) else tool_of(run, FASTMCP, value, {}, place)
        given = {name: options[name] for name in _GIVEN if name in options and not options[name].is_just(None)}
        names = {**tool.names, "parameters": schema, **given}
        if "name" in given:
            names.setdefault(
                "title", reasons.unknown(reasons.UNSUPPORTED, "the title of a tool that is renamed", place)
            )
        if "transform_fn" in options and "output_schema" not in given:
            names["output_schema"] = schema
        return replace(tool, names=names, rest=tool.rest or arguments.unknown, place=place)

    return each(run, options.pop("tool", NONE), made)


def inherited_maker(_run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """``from_function`` of a program's class that inherits it from the SDK's tool class; ``None`` otherwise."""
    base = _sdk_tool_class(cls) if name == "from_function" else None
    return External(f"{base.name}.{name}") if base is not None else None


CLASS_ATTRIBUTES.append(inherited_maker)


def _sdk_tool_class(cls: ClassValue) -> External | None:
    """The SDK's tool class, if ``cls`` derives from it and changes nothing that is listed.

    ``tools/list`` does not call methods that encode results or run the function, nor private methods of the program.
    """
    found: External | None = None
    for base in cls.mro:
        if isinstance(base, ClassValue):
            own = [(name, value) for name, value in base.names.items() if name not in _SAID]
            methods = all(isinstance(value, FunctionValue) and _unlisted(name) for name, value in own)
            if not methods or base.rest is not None or base.opaque is not None or base.fields.items or base.options:
                return None
        elif isinstance(base, External) and base.name in TOOL_CLASSES:
            found = found or base
        elif base.library_name not in _PLAIN:
            return None
    return found


def _unlisted(name: str) -> bool:
    own = name.startswith("_") and not name.startswith("__") and name not in _SDK_PRIVATE
    return own or name in ("run", "convert_result")


_SAID = frozenset({"__doc__", "__module__", "__qualname__"})


_SDK_PRIVATE = frozenset({"_ensure_tool", "_mark_non_object_result", "_validate_tool_name"})
"""Private methods of the SDK that affect how a tool is listed."""


_PLAIN = frozenset({"abc.ABC", "builtins.object"})


def is_function(value: Value) -> bool:
    return isinstance(value, (FunctionValue, BoundMethod, Partial, UnknownValue, Native, Choice)) or (
        isinstance(value, External) and value.is_result
    )


MARK = "__fastmcp__"


LISTING = ("dereference_schemas", "include_fastmcp_meta")
"""The arguments of a server that decide how it lists its tools."""


def listing_options(run: Interpreter, server: SdkObject) -> specs.Arguments:
    """The arguments in ``LISTING`` that ``server`` was given."""
    return tuple((name, ToolSpecs(run).value(server.names[name])) for name in LISTING if name in server.names)
