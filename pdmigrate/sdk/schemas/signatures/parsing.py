"""How fastmcp 2, 3 and 4 turn a signature into schemas.

Source: ``ParsedFunction`` of ``fastmcp.tools.tool`` (2) and ``fastmcp.tools.function_parsing`` (3 and 4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic

from typing_extensions import TypeVar

from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.signatures import names
from pdmigrate.sdk.schemas.signatures.compressing import check_root, compressed, inlined
from pdmigrate.sdk.schemas.signatures.names import with_content
from pdmigrate.sdk.schemas.signatures.options import as_function, build_parameters, refused
from pdmigrate.sdk.schemas.signatures.rules import Rules
from pdmigrate.sdk.schemas.unsettled import UnsettledError, refusing

WRAPPED = "x-fastmcp-wrap-result"
T = TypeVar("T", default=Any)


@dataclass
class _WrappedResult(Generic[T]):
    result: T


def input_schema(function: specs.FunctionSpec, texts: dict[str, str], rules: Rules) -> dict[str, Any]:
    """The ``inputSchema`` of a function, with the texts of its docstring.

    Raises UnsettledError if a part of the schema is not known, or the SDK refuses the function.
    """
    given = given_by_client(function, rules)
    annotations = [function.returns, *(item.annotation for item in function.parameters)]
    # The SDK copies a function to leave parameters out, and to replace annotations that are text, None or described.
    copied = len(given) < len(function.parameters) or specs.NONE in annotations or function.late is not False
    copied = copied or any(isinstance(annotation, specs.AnnotatedSpec) for annotation in annotations)
    for item in function.parameters:
        if item.kind in rules.refused:
            raise refused(f"{item.name} is {item.kind.lower()}, which the SDK refuses", function)
        if item.kind == "POSITIONAL_ONLY" and any(other.kind == "KEYWORD_ONLY" for other in given):
            raise refused("its positional-only parameters have no schema beside others", function)
        if item.kind == "POSITIONAL_ONLY":
            raise UnsettledError("positional-only parameters are not followed", site=function.site)
        if rules.loses_defaults and copied and item.kind == "KEYWORD_ONLY" and item.default is not None:
            raise UnsettledError(f"the SDK may lose the default of the keyword-only {item.name}", site=item.site)
        metadata = item.annotation.metadata if isinstance(item.annotation, specs.AnnotatedSpec) else ()
        if not rules.texts and (
            function.late is not False or any(isinstance(one, specs.PlainValue) for one in metadata)
        ):
            raise UnsettledError("what this release makes of types and descriptions that are texts is not followed")
    stand_in = as_function(function, build_parameters(given))
    from pydantic import TypeAdapter

    with refusing("the SDK refuses the parameters"):
        raw = TypeAdapter(stand_in).json_schema()
    schema = compressed(raw, rules)
    if rules.titles in ("given", "names"):
        _give_titles(schema, raw, rules)
    for name, text in texts.items():
        if name in schema.get("properties", {}):
            schema["properties"][name].setdefault("description", text)
    return listed(schema, rules)


def given_by_client(function: specs.FunctionSpec, rules: Rules) -> list[specs.ParameterSpec]:
    contexts = [item.name for item in function.parameters if _takes_context(item)]
    left_out = contexts if rules.all_contexts else contexts[:1]
    filled = names.DEPENDENCIES if rules.injects else ()
    others = (item for item in function.parameters if item.name not in left_out)
    return [item for item in others if getattr(item.default, "callee", "") not in filled]


def _takes_context(parameter: specs.ParameterSpec) -> bool:
    kinds = () if parameter.annotation is None else names.members(parameter.annotation)
    return any(names.is_or_derives_from(kind, names.FASTMCP_CONTEXT) for kind in kinds)


def _give_titles(schema: dict[str, Any], raw: dict[str, Any], rules: Rules) -> None:
    """Give parameters the titles that the SDK lists; pydantic makes one of the name of each that has none."""
    from pydantic.json_schema import GenerateJsonSchema

    generator = GenerateJsonSchema()
    for name, described in raw.get("properties", {}).items():
        made, title = generator.get_title_from_name(name), described.get("title")
        if rules.titles == "names":
            schema["properties"][name]["title"] = made
        elif isinstance(title, str) and title != made:
            schema["properties"][name]["title"] = title


def listed(schema: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """A schema as the server lists it: with references, or with their definitions in place."""
    if not rules.dereference or "$ref" not in str(schema):
        return schema
    if rules.dereference == "perhaps":
        raise UnsettledError("whether the server sends references is not known")
    return inlined(schema)


def output_schema(function: specs.FunctionSpec, rules: Rules) -> dict[str, Any] | None:
    """The ``outputSchema`` of a function; ``None`` if it has none."""
    returns = function.returns
    if not rules.output or returns is None or returns == specs.ANY or (returns == specs.NONE and _is_nothing(function)):
        return None
    if _is_unstructured(returns, rules):
        return None
    spec = with_content(returns) if rules.content_models else returns
    builder = Builder([spec], "serialization")
    built = builder.type(spec)
    _check_aliases(builder.built.values(), rules)
    return listed(compressed(_schema_of(built, rules), rules), rules)


def _is_nothing(function: specs.FunctionSpec) -> bool:
    """Whether the SDK treats a result of ``None`` as no result.

    It looks for the annotation ``None``; an annotation that is text evaluates to ``NoneType`` instead.
    """
    if function.late is None:
        raise UnsettledError("whether the annotation of the result is text is not known", site=function.site)
    return not function.late


def _is_unstructured(returns: specs.TypeSpec, rules: Rules) -> bool:
    """Whether a result's type makes the SDK send it as content, without a schema."""
    own = names.CONTENT_BLOCKS | names.FASTMCP_MEDIA | names.TOOL_RESULT
    if any(isinstance(part, specs.NameSpec) and part.name in own for part in names.reached(returns)):
        return True
    if rules.output == "all":
        return False
    if rules.call_results and names.is_or_derives_from(returns, names.CALL_RESULT):
        return True
    return any(
        names.is_or_derives_from(member, names.TOOL_RESULT) or member == specs.NameSpec("builtins.bytes")
        for member in names.members(returns)
    ) or (rules.output == "sequences" and _says_nothing(returns))


def _says_nothing(returns: specs.TypeSpec) -> bool:
    """Whether a result is a sequence of ``Any`` (fastmcp 4)."""
    if isinstance(returns, specs.AnnotatedSpec):
        return _says_nothing(returns.base)
    base, args = (returns.base, returns.args) if isinstance(returns, specs.SubscriptSpec) else (returns, ())
    if not isinstance(base, specs.NameSpec) or base.name not in names.SEQUENCES:
        return False
    if base.name.lower().endswith("tuple") and args:
        return args == (specs.ANY, specs.NameSpec("builtins.Ellipsis"))
    return all(arg == specs.ANY for arg in args)


def _schema_of(built: Any, rules: Rules) -> dict[str, Any]:
    from pydantic import TypeAdapter

    options: dict[str, Any] = {"by_alias": rules.aliases == "of the root"} if rules.aliases else {}
    with refusing("the SDK refuses the result"):
        schema = check_root(TypeAdapter(built).json_schema(mode="serialization", **options))
        if not is_object(schema, rules):
            schema = TypeAdapter(_WrappedResult[built]).json_schema(mode="serialization", **options)
            schema |= {"description": rules.wrapper_doc} if rules.wrapper_doc else {}
            schema[WRAPPED] = True
        return schema


def _check_aliases(classes: Iterable[Any], rules: Rules) -> None:
    """Refuse classes that say themselves whether they are sent under their aliases, where the SDK asks for that."""
    for cls in classes if rules.aliases else ():
        config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", {})
        if "serialize_by_alias" in config:
            raise UnsettledError("which names serialize_by_alias gives to the fields is not followed")


def is_object(schema: dict[str, Any], rules: Rules) -> bool:
    """Whether the SDK regards the schema as that of an object."""
    kind = schema.get("type")
    if rules.typed_objects and kind is not None:
        return kind == "object" or (isinstance(kind, list) and set(kind) - {"null"} == {"object"})
    return kind == "object" or "properties" in schema
