"""Specs of the official SDK's own content types, for schemas that mention them (mcp 1.x).

A tool of mcp 1.x that returns a ``TextContent`` lists the schema of that model.  Source: ``mcp.types``, the same from
1.21 to 1.30.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pdmigrate.sdk.schemas.signatures.names import MCP_TYPES
from pdmigrate.sdk.schemas.specs import (
    NONE,
    AnnotatedSpec,
    CallValue,
    FieldSpec,
    LiteralSpec,
    ModelSpec,
    NameSpec,
    PlainValue,
    SubscriptSpec,
    TypeSpec,
    UnionSpec,
    ValueSpec,
)

STR = NameSpec("builtins.str")
URL = AnnotatedSpec(
    NameSpec("pydantic.AnyUrl"), (CallValue("pydantic.UrlConstraints", (), (("host_required", PlainValue(False)),)),)
)
META = FieldSpec(
    "meta",
    UnionSpec((SubscriptSpec(NameSpec("builtins.dict"), (STR, NameSpec("typing.Any"))), NONE)),
    CallValue("pydantic.Field", (), (("alias", PlainValue("_meta")), ("default", PlainValue(None)))),
)


def _model(name: str, doc: str | None, *fields: FieldSpec) -> ModelSpec:
    return ModelSpec(name=name, module="mcp.types", doc=doc, fields=fields, config=(("extra", PlainValue("allow")),))


def _optional(name: str, annotation: TypeSpec) -> FieldSpec:
    return FieldSpec(name, UnionSpec((annotation, NONE)), PlainValue(None))


def _kind(value: str) -> FieldSpec:
    return FieldSpec("type", LiteralSpec((PlainValue(value),)))


ROLES = SubscriptSpec(NameSpec("builtins.list"), (LiteralSpec((PlainValue("user"), PlainValue("assistant"))),))
ANNOTATIONS = _model(
    "Annotations",
    None,
    _optional("audience", ROLES),
    _optional(
        "priority",
        AnnotatedSpec(
            NameSpec("builtins.float"),
            (CallValue("pydantic.Field", (), (("ge", PlainValue(0.0)), ("le", PlainValue(1.0)))),),
        ),
    ),
)
ICON = _model(
    "Icon",
    "An icon for display in user interfaces.",
    FieldSpec("src", STR),
    _optional("mimeType", STR),
    _optional("sizes", SubscriptSpec(NameSpec("builtins.list"), (STR,))),
)
TAIL = (_optional("annotations", ANNOTATIONS), META)
RESOURCE = (FieldSpec("uri", URL), _optional("mimeType", STR), META)
TEXT_RESOURCE = _model("TextResourceContents", "Text contents of a resource.", *RESOURCE, FieldSpec("text", STR))
BLOB_RESOURCE = _model("BlobResourceContents", "Binary contents of a resource.", *RESOURCE, FieldSpec("blob", STR))

TEXT = _model("TextContent", "Text content for a message.", _kind("text"), FieldSpec("text", STR), *TAIL)
IMAGE = _model(
    "ImageContent",
    "Image content for a message.",
    _kind("image"),
    FieldSpec("data", STR),
    FieldSpec("mimeType", STR),
    *TAIL,
)
AUDIO = _model(
    "AudioContent",
    "Audio content for a message.",
    _kind("audio"),
    FieldSpec("data", STR),
    FieldSpec("mimeType", STR),
    *TAIL,
)
LINK = _model(
    "ResourceLink",
    "A resource that the server is capable of reading, included in a prompt or tool call result.\n\n"
    "Note: resource links returned by tools are not guaranteed to appear in the results of `resources/list` requests.",
    FieldSpec("name", STR),
    _optional("title", STR),
    FieldSpec("uri", URL),
    _optional("description", STR),
    _optional("mimeType", STR),
    _optional("size", NameSpec("builtins.int")),
    _optional("icons", SubscriptSpec(NameSpec("builtins.list"), (ICON,))),
    *TAIL,
    _kind("resource_link"),
)
EMBEDDED = _model(
    "EmbeddedResource",
    "The contents of a resource, embedded into a prompt or tool call result.\n\n"
    "It is up to the client how best to render embedded resources for the benefit\nof the LLM and/or the user.",
    _kind("resource"),
    FieldSpec("resource", UnionSpec((TEXT_RESOURCE, BLOB_RESOURCE))),
    *TAIL,
)

MODELS: Mapping[str, TypeSpec] = {
    **{spec.name: spec for spec in (TEXT, IMAGE, AUDIO, LINK, EMBEDDED)},
    "ContentBlock": UnionSpec((TEXT, IMAGE, AUDIO, LINK, EMBEDDED)),
}
BY_NAME: Mapping[str, TypeSpec] = {f"{module}.{name}": spec for module in MCP_TYPES for name, spec in MODELS.items()}


def with_content(spec: Any) -> Any:
    """``spec``, or a part of a spec, with the models of ``BY_NAME`` in place of their names."""
    if isinstance(spec, NameSpec):
        return BY_NAME.get(spec.name, spec)
    if isinstance(spec, tuple):
        parts = tuple(with_content(item) for item in spec)
        return spec if all(new is old for new, old in zip(parts, spec, strict=True)) else parts
    if not dataclasses.is_dataclass(spec) or isinstance(spec, type):
        return spec
    changed: dict[str, ValueSpec] = {}
    for item in dataclasses.fields(spec):
        old = getattr(spec, item.name)
        new = with_content(old)
        if new is not old:
            changed[item.name] = new
    return dataclasses.replace(spec, **changed) if changed else spec
