"""The names of the SDKs that have a meaning in a signature, and specs of their content types; they are never imported.

A tool of mcp 1.x that returns a ``TextContent`` lists the schema of that model.  Source: ``mcp.types``, the same from
1.21 to 1.30.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from pdmigrate.sdk.schemas.specs import (
    NONE,
    AnnotatedSpec,
    CallValue,
    FieldSpec,
    LiteralSpec,
    ModelSpec,
    NameSpec,
    PlainClassSpec,
    PlainValue,
    SubscriptSpec,
    TypeSpec,
    UnionSpec,
    ValueSpec,
)

MCP_TYPES = ("mcp.types", "mcp", "mcp_types", "mcp_types._types", "fastmcp.types")


def _each(names: str, *modules: str) -> frozenset[str]:
    return frozenset(f"{module}.{name}" for module in modules for name in names.split())


SEQUENCES = _each("Sequence List Tuple", "typing") | {"builtins.list", "builtins.tuple", "collections.abc.Sequence"}
"""Sequences that the SDKs treat as lists of content."""

_MCP1, _MCP2 = "mcp.server.fastmcp", "mcp.server.mcpserver"
OFFICIAL_CONTEXT = _each("Context", _MCP1, f"{_MCP1}.server", _MCP2, f"{_MCP2}.context", f"{_MCP2}.server")
FASTMCP_CONTEXT = _each("Context", "fastmcp", "fastmcp.server", "fastmcp.server.context")

CONTENT_BLOCKS = _each("TextContent ImageContent AudioContent ResourceLink EmbeddedResource ContentBlock", *MCP_TYPES)
CALL_RESULT = _each("CallToolResult", *MCP_TYPES)
INPUT_REQUIRED = _each("InputRequiredResult", *MCP_TYPES)
OFFICIAL_MEDIA = _each("Image Audio", _MCP1, f"{_MCP1}.utilities.types", _MCP2, f"{_MCP2}.utilities.types")
FASTMCP_MEDIA = _each("Image Audio File", "fastmcp", "fastmcp.utilities.types")
MEDIA = OFFICIAL_MEDIA | FASTMCP_MEDIA
TOOL_RESULT = _each("ToolResult", *(f"fastmcp.tools{part}" for part in ("", ".base", ".tool", ".function_tool")))


DEPENDENCIES = _each(
    "CurrentAccessToken CurrentContext CurrentDocket CurrentFastMCP CurrentHeaders CurrentRequest CurrentWorker "
    "Depends Progress Shared TokenClaim",
    *("fastmcp.dependencies", "fastmcp.server.dependencies", "docket", "docket.dependencies", "uncalled_for"),
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


STR = NameSpec("builtins.str")
URL = AnnotatedSpec(
    NameSpec("pydantic.AnyUrl"), (CallValue("pydantic.UrlConstraints", (), (("host_required", PlainValue(False)),)),)
)


def _field(**given: str | float | None) -> CallValue:
    return CallValue("pydantic.Field", (), tuple((name, PlainValue(value)) for name, value in given.items()))


def _model(name: str, doc: str | None, *fields: FieldSpec) -> ModelSpec:
    return ModelSpec(name=name, module="mcp.types", doc=doc, fields=fields, config=(("extra", PlainValue("allow")),))


def _optional(name: str, annotation: TypeSpec) -> FieldSpec:
    return FieldSpec(name, UnionSpec((annotation, NONE)), PlainValue(None))


def _kind(value: str) -> FieldSpec:
    return FieldSpec("type", LiteralSpec((PlainValue(value),)))


META = FieldSpec(
    "meta",
    UnionSpec((SubscriptSpec(NameSpec("builtins.dict"), (STR, NameSpec("typing.Any"))), NONE)),
    _field(alias="_meta", default=None),
)
ANNOTATIONS = _model(
    "Annotations",
    None,
    _optional(
        "audience",
        SubscriptSpec(NameSpec("builtins.list"), (LiteralSpec((PlainValue("user"), PlainValue("assistant"))),)),
    ),
    _optional("priority", AnnotatedSpec(NameSpec("builtins.float"), (_field(ge=0.0, le=1.0),))),
)
TAIL = (_optional("annotations", ANNOTATIONS), META)
RESOURCE = (FieldSpec("uri", URL), _optional("mimeType", STR), META)
TEXT_RESOURCE = _model("TextResourceContents", "Text contents of a resource.", *RESOURCE, FieldSpec("text", STR))
BLOB_RESOURCE = _model("BlobResourceContents", "Binary contents of a resource.", *RESOURCE, FieldSpec("blob", STR))

TEXT = _model("TextContent", "Text content for a message.", _kind("text"), FieldSpec("text", STR), *TAIL)
IMAGE = _model(
    "ImageContent",
    "Image content for a message.",
    *(_kind("image"), FieldSpec("data", STR), FieldSpec("mimeType", STR), *TAIL),
)
EMBEDDED = _model(
    "EmbeddedResource",
    "The contents of a resource, embedded into a prompt or tool call result.\n\n"
    "It is up to the client how best to render embedded resources for the benefit\nof the LLM and/or the user.",
    *(_kind("resource"), FieldSpec("resource", UnionSpec((TEXT_RESOURCE, BLOB_RESOURCE))), *TAIL),
)

BY_NAME = {f"{module}.{spec.name}": spec for module in MCP_TYPES for spec in (TEXT, IMAGE, EMBEDDED)}
"""The content that published servers return; what holds any other kind has a schema that is not known."""


def with_content(spec: Any) -> Any:
    """``spec``, or a part of a spec, with the models of ``BY_NAME`` in place of their names."""
    if isinstance(spec, NameSpec):
        return BY_NAME.get(spec.name, spec)
    if isinstance(spec, tuple):
        parts = tuple(with_content(item) for item in spec)
        return spec if all(new is old for new, old in zip(parts, spec, strict=True)) else parts
    if not dataclasses.is_dataclass(spec) or isinstance(spec, type):
        return spec
    old = {item.name: getattr(spec, item.name) for item in dataclasses.fields(spec)}
    changed = {name: new for name, value in old.items() if (new := with_content(value)) is not value}
    return dataclasses.replace(spec, **changed) if changed else spec
