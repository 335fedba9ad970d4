"""How the official SDK turns parameters into a schema: ``FastMCP`` of mcp 1.x and ``MCPServer`` of mcp 2.x.

Source: ``func_metadata`` of ``mcp.server.fastmcp.utilities`` and ``mcp.server.mcpserver.utilities``.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, get_origin

from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.schema import generator
from pdmigrate.sdk.schemas.shapes import CLASS_SPECS, parts
from pdmigrate.sdk.schemas.signatures import names
from pdmigrate.sdk.schemas.signatures.parameters import NOTHING, BuiltParameter, build_parameters, refused
from pdmigrate.sdk.schemas.signatures.rules import Rules
from pdmigrate.sdk.schemas.specs import (
    AnnotatedSpec,
    FunctionSpec,
    NameSpec,
    ParameterSpec,
    SubscriptSpec,
    TypeSpec,
)
from pdmigrate.sdk.schemas.unsettled import NOT_EVALUATED, UnsettledError, refusing


def input_schema(function: FunctionSpec, rules: Rules) -> Any:
    """The ``inputSchema`` of a function: the schema of a model whose fields are the function's parameters.

    Raises:
        UnsettledError: a part of the schema is not known, or the SDK refuses the function.
    """
    for parameter in function.parameters:
        if parameter.name.startswith("_"):
            raise refused(f"parameter {parameter.name} begins with an underscore", function)
    parameters = given_by_client(function, rules)
    _check_names(f"{function.name}Arguments", parameters)
    builder = Builder([part for item in parameters for part in (item.annotation, item.default) if part is not None])
    built = build_parameters(builder, parameters)
    with refusing("the SDK makes no model of these parameters"):
        model = _arguments_model(function.name, built, rules)
        return model.model_json_schema(by_alias=True, schema_generator=generator())


def given_by_client(function: FunctionSpec, rules: Rules) -> list[ParameterSpec]:
    """The parameters that a client gives: all but the first that takes the context, and those that resolvers fill.

    Raises:
        UnsettledError: the SDK (up to 1.13) finds no context in strings and unions, and the annotation may be either.
    """
    context = next((item for item in function.parameters if _takes_context(item.annotation)), None)
    plain = function.late is False and context is not None and isinstance(context.annotation, NameSpec)
    if context is not None and not plain and not rules.finds_contexts:
        reason = f"whether the SDK knows {context.name} as its context depends on how the annotation is written"
        raise UnsettledError(reason, NOT_EVALUATED, function.site)
    return [item for item in function.parameters if item is not context and not _is_resolved(item.annotation)]


def takes_own(parameter: ParameterSpec) -> bool:
    """Whether the SDK fills a parameter itself."""
    return _takes_context(parameter.annotation) or _is_resolved(parameter.annotation)


def _takes_context(annotation: TypeSpec | None) -> bool:
    bare = names.unannotated(annotation)
    if names.is_or_derives_from(bare, names.OFFICIAL_CONTEXT):
        return True
    inner = getattr(bare, "options", ()) or (bare.args if isinstance(bare, SubscriptSpec) else ())
    return any(names.is_or_derives_from(names.unannotated(part), names.OFFICIAL_CONTEXT) for part in inner)


def _is_resolved(annotation: TypeSpec | None) -> bool:
    if not isinstance(annotation, AnnotatedSpec):
        return False
    return any(getattr(item, "callee", "") in names.RESOLVE for item in annotation.metadata)


def _check_names(model: str, parameters: list[ParameterSpec]) -> None:
    """Refuse classes with the name of the model itself: pydantic then renames both in the schema."""
    if any(isinstance(part, CLASS_SPECS) and part.name == model for part in parts(tuple(parameters))):
        raise UnsettledError(f"a class is named {model}, like the SDK's own", NOT_EVALUATED)


def _arguments_model(name: str, parameters: list[BuiltParameter], rules: Rules) -> Any:
    from pydantic import create_model

    fields = dict(_field_info(item, rules) if rules.field_infos else _field(item) for item in parameters)
    return create_model(f"{name}Arguments", __base__=_base(), **fields)


@cache
def _base() -> Any:
    from pydantic import BaseModel, ConfigDict

    return type("ArgModelBase", (BaseModel,), {"model_config": ConfigDict(arbitrary_types_allowed=True)})


def _field(parameter: BuiltParameter) -> tuple[str, Any]:
    """The name and definition of a field (official SDK since 1.21)."""
    from pydantic import BaseModel, Field, WithJsonSchema

    name, untyped = parameter.name, parameter.annotation is NOTHING
    annotation: Any = Any if untyped else parameter.annotation
    metadata: list[Any] = [WithJsonSchema({"title": name, "type": "string"})] if untyped else []
    if callable(getattr(BaseModel, name, None)):
        metadata.append(Field(alias=name))
        name = f"field_{name}"
    else:
        metadata.append(Field())
    annotated: Any = Annotated[(annotation, *metadata)]
    return name, annotated if parameter.default is NOTHING else (annotated, parameter.default)


def _field_info(parameter: BuiltParameter, rules: Rules) -> tuple[str, Any]:
    """The name and definition of a field (official SDK up to 1.20)."""
    from pydantic import BaseModel, Field, WithJsonSchema
    from pydantic.fields import FieldInfo
    from pydantic_core import PydanticUndefined

    default = PydanticUndefined if parameter.default is NOTHING else parameter.default
    annotation = parameter.annotation
    if annotation is None:
        annotation = Annotated[None, Field(default=default)]
    if annotation is NOTHING:
        annotation = Annotated[Any, Field(), WithJsonSchema({"title": parameter.name, "type": "string"})]
    within = rules.keeps_defaults and default is PydanticUndefined and get_origin(annotation) is Annotated
    info = FieldInfo.from_annotation(annotation) if within else FieldInfo.from_annotated_attribute(annotation, default)
    name = parameter.name
    if rules.output and callable(getattr(BaseModel, name, None)):
        info.alias = info.validation_alias = info.serialization_alias = name
        name = f"field_{name}"
    return name, (info.annotation, info)
