"""The names of the SDKs that have a meaning in a signature; the SDKs themselves are never imported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pdmigrate.sdk.schemas.specs import (
    AnnotatedSpec,
    CallValue,
    ModelSpec,
    NameSpec,
    PlainClassSpec,
    SubscriptSpec,
    UnionSpec,
    ValueSpec,
)

CONTENT = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")
MCP_TYPES = ("mcp.types", "mcp", "mcp_types", "mcp_types._types", "fastmcp.types")


def _each(modules: tuple[str, ...], names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module in modules for name in names)


SEQUENCES = frozenset(
    {
        "builtins.list",
        "builtins.tuple",
        "collections.abc.Sequence",
        "typing.List",
        "typing.Sequence",
        "typing.Tuple",
    }
)
"""Sequences that the SDKs treat as lists of content."""

OFFICIAL_CONTEXT = _each(
    (
        "mcp.server.fastmcp",
        "mcp.server.fastmcp.server",
        "mcp.server.mcpserver",
        "mcp.server.mcpserver.context",
        "mcp.server.mcpserver.server",
    ),
    ("Context",),
)
FASTMCP_CONTEXT = _each(("fastmcp", "fastmcp.server", "fastmcp.server.context"), ("Context",))

CONTENT_BLOCKS = _each(MCP_TYPES, (*CONTENT, "ContentBlock"))
CALL_RESULT = _each(MCP_TYPES, ("CallToolResult",))
INPUT_REQUIRED = _each(MCP_TYPES, ("InputRequiredResult",))
OFFICIAL_MEDIA = _each(
    (
        "mcp.server.fastmcp",
        "mcp.server.fastmcp.utilities.types",
        "mcp.server.mcpserver",
        "mcp.server.mcpserver.utilities.types",
    ),
    ("Image", "Audio"),
)
RESOLVE = _each(("mcp.server.mcpserver", "mcp.server.mcpserver.resolve"), ("Resolve",))
FASTMCP_MEDIA = _each(("fastmcp", "fastmcp.utilities.types"), ("Image", "Audio", "File"))
TOOL_RESULT = _each(
    ("fastmcp.tools", "fastmcp.tools.base", "fastmcp.tools.tool", "fastmcp.tools.function_tool"), ("ToolResult",)
)

DEPENDENCIES = _each(
    ("fastmcp.dependencies", "fastmcp.server.dependencies", "docket", "docket.dependencies", "uncalled_for"),
    (
        "CurrentAccessToken",
        "CurrentContext",
        "CurrentDocket",
        "CurrentFastMCP",
        "CurrentHeaders",
        "CurrentRequest",
        "CurrentWorker",
        "Depends",
        "Progress",
        "Shared",
        "TokenClaim",
    ),
)
"""Callables that make a default for a parameter that the SDK fills in itself."""


def is_or_derives_from(spec: Any, names: frozenset[str]) -> bool:
    """Whether a type is a class with one of ``names``, a generic of it, or a class of the target derived from it."""
    if isinstance(spec, NameSpec):
        return spec.name in names
    if isinstance(spec, SubscriptSpec):
        return is_or_derives_from(spec.base, names)
    if isinstance(spec, (PlainClassSpec, ModelSpec)):
        return any(is_or_derives_from(base, names) for base in spec.bases)
    return False


def unannotated(spec: Any) -> Any:
    """The type without its ``Annotated`` wrappers."""
    return unannotated(spec.base) if isinstance(spec, AnnotatedSpec) else spec


def members(spec: ValueSpec) -> Iterator[ValueSpec]:
    """The types in a type's unions and inside ``Annotated``, but not the arguments of its generics."""
    if isinstance(spec, UnionSpec):
        for option in spec.options:
            yield from members(option)
    elif isinstance(spec, AnnotatedSpec):
        yield from members(spec.base)
    else:
        yield spec


def reached(spec: ValueSpec) -> Iterator[ValueSpec]:
    """The types in a type's unions, inside ``Annotated`` and in its generics, but not in the fields of classes."""
    for member in members(spec):
        yield member
        if isinstance(member, SubscriptSpec):
            for arg in member.args:
                yield from reached(arg)


def is_dependency(default: Any) -> bool:
    """Whether a default is filled in by the SDK instead of by the client."""
    return isinstance(default, CallValue) and default.callee in DEPENDENCIES
