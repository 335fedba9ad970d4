"""How the official SDK turns parameters and results into schemas: ``FastMCP`` of mcp 1.x, ``MCPServer`` of mcp 2.x.

Source: ``func_metadata`` of ``mcp.server.fastmcp.utilities`` and ``mcp.server.mcpserver.utilities``.
"""

from __future__ import annotations

import dataclasses
import types
import typing
from functools import cache
from inspect import Parameter
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.shapes import CLASS_SPECS, parts
from pdmigrate.sdk.schemas.signatures import names
from pdmigrate.sdk.schemas.signatures.compressing import check_root
from pdmigrate.sdk.schemas.signatures.names import with_content
from pdmigrate.sdk.schemas.signatures.options import NOTHING, build_parameters, refused
from pdmigrate.sdk.schemas.signatures.rules import Rules
from pdmigrate.sdk.schemas.unsettled import UNKNOWN_NAME, UnsettledError, at, refusing


def input_schema(function: specs.FunctionSpec, rules: Rules) -> Any:
    """The ``inputSchema`` of a function: the schema of a model whose fields are the function's parameters.

    Raises UnsettledError if a part of the schema is not known, or the SDK refuses the function.
    """
    from pydantic import create_model

    for parameter in function.parameters:
        if parameter.name.startswith("_"):
            raise refused(f"parameter {parameter.name} begins with an underscore", function)
    parameters = given_by_client(function, rules)
    model = f"{function.name}Arguments"
    if any(isinstance(part, CLASS_SPECS) and part.name == model for part in parts(tuple(parameters))):
        # pydantic then renames both in the schema
        raise UnsettledError(f"a class is named {model}, like the SDK's own")
    built = build_parameters(parameters)
    if rules.loses_defaults and (odd := next(filter(_has_inner_default, built), None)) is not None:
        raise UnsettledError(
            f"whether the default in the annotation of {odd.name} counts depends on pydantic's release"
        )

    def schema_of(fields: list[Parameter]) -> Any:
        made: Any = create_model(model, __base__=_base(), **dict(map(_field, fields)))
        return made.model_json_schema(by_alias=True)

    try:
        with refusing("the SDK refuses the parameters"):
            return schema_of(built)
    except UnsettledError:
        for spec, each in zip(parameters, built, strict=True):
            with at("properties", each.name, site=spec.site), refusing(f"the SDK refuses parameter `{each.name}`"):
                schema_of([each])
        raise


def given_by_client(function: specs.FunctionSpec, rules: Rules) -> list[specs.ParameterSpec]:
    """The parameters that a client gives: all but the first that takes the context.

    Raises UnsettledError if the SDK (up to 1.13) finds no context in strings and unions, and the annotation may be
    either.
    """
    context = next((item for item in function.parameters if takes_context(item.annotation)), None)
    plain = function.late is False and context is not None and isinstance(context.annotation, specs.NameSpec)
    if context is not None and not plain and not rules.finds_contexts:
        reason = f"whether the SDK knows {context.name} as its context depends on how the annotation is written"
        raise UnsettledError(reason, site=function.site)
    return [item for item in function.parameters if item is not context]


def takes_context(annotation: specs.TypeSpec | None) -> bool:
    bare = names.unannotated(annotation)
    if names.is_or_derives_from(bare, names.OFFICIAL_CONTEXT):
        return True
    inner = getattr(bare, "options", ()) or (bare.args if isinstance(bare, specs.SubscriptSpec) else ())
    return any(names.is_or_derives_from(names.unannotated(part), names.OFFICIAL_CONTEXT) for part in inner)


@cache
def _base() -> Any:
    from pydantic import BaseModel, ConfigDict

    return type("ArgModelBase", (BaseModel,), {"model_config": ConfigDict(arbitrary_types_allowed=True)})


def _has_inner_default(parameter: Parameter) -> bool:
    from pydantic_core import PydanticUndefined

    inside = (getattr(part, "default", PydanticUndefined) for part in getattr(parameter.annotation, "__metadata__", ()))
    return parameter.default is NOTHING and any(default is not PydanticUndefined for default in inside)


def _field(parameter: Parameter) -> tuple[str, Any]:
    """The name and definition of a field: as since 1.21, to which earlier releases come by ways of their own."""
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


OWN = names.CONTENT_BLOCKS | names.CALL_RESULT | names.INPUT_REQUIRED
PRIMITIVES = (str, int, float, bool, bytes, type(None))


def output_schema(function: specs.FunctionSpec, structured: bool | None, rules: Rules) -> Any:
    """The ``outputSchema`` of a function; ``None`` if it has none.

    Raises UnsettledError if a part of the schema is not known, or the SDK refuses the function.
    """
    if not rules.output or structured is False:
        return None
    returns = function.signed or function.returns
    if returns is None:
        if structured:
            raise refused("structured output needs an annotation of the result", function)
        return None
    if rules.call_results and isinstance(union := names.unannotated(returns), specs.UnionSpec):
        options = [item for item in union.options if not names.is_or_derives_from(item, names.INPUT_REQUIRED)]
        if len(options) > 1 and any(names.is_or_derives_from(item, names.CALL_RESULT) for item in options):
            raise refused("a CallToolResult stands in a union", function)
    returns = _described(returns, rules)
    returns = with_content(returns) if rules.content_models else returns
    if _is_unstructured(returns, structured, rules):
        return None
    if structured and isinstance(names.unannotated(returns), specs.PlainClassSpec):
        raise refused("a class that is no model, as a result, may have no structured form", function)
    schema = None if names.unannotated(returns) == specs.ANY else _schema_of(function.name, returns, rules)
    if schema is None and structured:
        raise refused("the type of the result has no structured form", function)
    return schema


def _described(returns: specs.TypeSpec, rules: Rules) -> specs.TypeSpec:
    """The type by which ``Annotated[CallToolResult, Type]`` says what a result of the SDK's own holds (since 1.21)."""
    if not isinstance(returns, specs.AnnotatedSpec) or not names.is_or_derives_from(returns.base, names.CALL_RESULT):
        return returns
    first: Any = returns.metadata[0]
    described: specs.TypeSpec = specs.AnnotatedSpec(first, returns.metadata[1:]) if len(returns.metadata) > 1 else first
    return described if rules.call_results and not rules.loses_defaults else returns


def _is_unstructured(returns: specs.TypeSpec, structured: bool | None, rules: Rules) -> bool:
    """Whether a result has one of the SDK's own types and is sent as content, without a schema."""
    if structured is None:
        if rules.call_results and names.is_or_derives_from(returns, names.CALL_RESULT):
            return True
        if rules.content_is_text and _returns_content(returns):
            return True
    if any(names.is_or_derives_from(part, OWN) for part in names.reached(returns)):
        raise UnsettledError("the result is one of the SDK's own types", UNKNOWN_NAME)
    return False


def _returns_content(returns: specs.ValueSpec) -> bool:
    """Whether a result may be content, as an option of a union or in a sequence (official SDK since 2.1)."""
    for member in names.members(returns):
        if names.is_or_derives_from(member, names.CONTENT_BLOCKS | names.OFFICIAL_MEDIA):
            return True
        items = member.args if isinstance(member, specs.SubscriptSpec) and _is_sequence(member.base) else ()
        if any(map(_returns_content, items)):
            return True
    return False


def _is_sequence(base: specs.TypeSpec) -> bool:
    return isinstance(base, specs.NameSpec) and base.name in names.SEQUENCES


def _is_dict(spec: specs.TypeSpec) -> bool:
    """Whether a type is a ``dict`` whose keys are texts."""
    dict_of_texts = specs.NameSpec("builtins.dict"), (names.STR,)
    return isinstance(spec, specs.SubscriptSpec) and (spec.base, spec.args[:1]) == dict_of_texts


def _schema_of(name: str, spec: specs.TypeSpec, rules: Rules) -> Any:
    bare = names.unannotated(spec)
    if isinstance(bare, specs.TypedDictSpec):  # the SDK makes a class of its own of it
        found = (part.name for part in parts(bare.fields) if isinstance(part, specs.NameSpec))
        qualified = rules.output == "models" and any(name.endswith("Required") for name in found)
        inherited = (part.module for part in parts(bare.bases) if isinstance(part, specs.TypedDictSpec))
        if qualified or any(module != bare.module for module in inherited):
            raise UnsettledError(f"how the annotations of {bare.name} are written decides this, or in which module")
        bare = dataclasses.replace(bare, refused=False)
        spec = dataclasses.replace(spec, base=bare) if isinstance(spec, specs.AnnotatedSpec) else bare
    if rules.output == "types" and (isinstance(bare, specs.TypedDictSpec) or (rules.titled_dict and _is_dict(bare))):
        refused = [part for part in parts(spec) if isinstance(part, specs.TypedDictSpec) and part.refused is not False]
        if any(part.refused for part in refused):
            return None  # which the SDK notices
        if refused:
            raise UnsettledError(f"before Python 3.12 pydantic refuses {refused[0].name}, a TypedDict of typing")
    if any(isinstance(part, specs.PlainClassSpec) for part in parts(spec)):
        raise UnsettledError("a class that is no model, as a result, is not followed")
    builder = Builder([spec])
    returns = builder.type(spec)
    with refusing("the SDK refuses the result"):
        model = _output_model(name, returns, rules)
        return None if model is None else _strict_schema(model, rules)


def _output_model(name: str, returns: Any, rules: Rules) -> Any:
    """The model whose schema describes the result; ``None`` for a class without type hints."""
    from pydantic import BaseModel, Field, RootModel, create_model
    from typing_extensions import is_typeddict

    bare: Any = get_args(returns)[0] if get_origin(returns) is Annotated else returns
    if isinstance(bare, types.GenericAlias) and get_origin(bare) is dict and get_args(bare)[0] is str:
        if rules.titled_dict:
            return Annotated[bare, Field(title=f"{name}DictOutput")]
        return type(f"{name}DictOutput", (RootModel[bare],), {})
    if not _is_class(bare) or bare in PRIMITIVES:
        return create_model(f"{name}Output", result=returns)
    hints = get_type_hints(bare)
    if is_typeddict(bare) and rules.output == "models":
        required: frozenset[str] = bare.__required_keys__
        fields: dict[str, Any] = {key: hint if key in required else (hint, None) for key, hint in hints.items()}
        return create_model(bare.__name__, **fields)
    if issubclass(bare, BaseModel) or is_typeddict(bare):
        return bare
    if hints:
        raise UnsettledError("a class that is no model, as a result, is not followed")
    return None


def _is_class(bare: Any) -> bool:
    return isinstance(bare, type) and not isinstance(bare, types.GenericAlias)


def _strict_schema(model: Any, rules: Rules) -> Any:
    """The schema of a model, with no bare reference at its root; ``None`` if pydantic warns about it.

    Depending on the version, a type without a schema fails the registration or leaves the result without a schema, so
    pydantic's own errors are passed on to the caller.
    """
    import pydantic_core
    from pydantic import PydanticUserError, TypeAdapter
    from pydantic.json_schema import GenerateJsonSchema

    class Strict(GenerateJsonSchema):
        def emit_warning(self, kind: Any, detail: str) -> typing.NoReturn:
            raise ValueError(f"{kind}: {detail}")

    try:
        schema = TypeAdapter(model).json_schema(schema_generator=Strict)
    except PydanticUserError:  # in pydantic 2.12 and older a TypeError
        if rules.titled_dict:  # mcp 2.2 and later list no schema
            return None
        raise
    except (TypeError, ValueError, pydantic_core.SchemaError):
        return None
    return check_root(schema)
