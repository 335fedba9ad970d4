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
from pdmigrate.sdk.schemas.schema import Mode
from pdmigrate.sdk.schemas.shapes import parts
from pdmigrate.sdk.schemas.signatures import names
from pdmigrate.sdk.schemas.signatures.compressing import at_root, compressed, inlined
from pdmigrate.sdk.schemas.signatures.names import with_content
from pdmigrate.sdk.schemas.signatures.options import as_function, build_parameters, refused
from pdmigrate.sdk.schemas.signatures.rules import Rules
from pdmigrate.sdk.schemas.unsettled import UnsettledError, refusing

WRAPPED = "x-fastmcp-wrap-result"
T = TypeVar("T", default=Any)


@dataclass
class _WrappedResult(Generic[T]):
    result: T


def input_schema(
    function: specs.FunctionSpec, excluded: tuple[str, ...], texts: dict[str, str], rules: Rules
) -> dict[str, Any]:
    """The ``inputSchema`` of a function, with the texts of its docstring.

    Raises:
        UnsettledError: a part of the schema is not known, or the SDK refuses the function.
    """
    for item in function.parameters:
        if item.kind in rules.refused:
            raise refused(f"{item.name} is {item.kind.lower()}, which the SDK refuses", function)
    parameters = given_by_client(function, excluded, rules)
    _check_own_names(function, excluded, rules)
    kinds = {item.kind for item in parameters}
    filled = [item for item in function.parameters if item.kind == "POSITIONAL_ONLY" and item not in parameters]
    if {"POSITIONAL_ONLY", "KEYWORD_ONLY"} <= kinds or (filled and rules.all_contexts):
        raise refused("its positional-only parameters have no schema, or no default, beside others", function)
    if "POSITIONAL_ONLY" in kinds:
        raise UnsettledError("the schema of positional-only parameters is no object", site=function.site)
    _check_keyword_defaults(function, parameters, rules)
    stand_in = as_function(function, build_parameters(parameters), texts=rules.texts)
    from pydantic import TypeAdapter

    with refusing("the SDK makes no schema of these parameters"):
        raw = TypeAdapter(stand_in).json_schema()
    schema = compressed(raw, rules)
    if rules.titles in ("given", "names"):
        _give_titles(schema, raw, rules)
    for name, text in texts.items():
        if name in schema.get("properties", {}):
            schema["properties"][name].setdefault("description", text)
    return listed(schema, rules)


def _check_own_names(function: specs.FunctionSpec, excluded: tuple[str, ...], rules: Rules) -> None:
    """Refuse what older releases may not describe: annotations that are text, and parameters that are left out later.

    Until fastmcp 2.10 the names in a text are looked up in a module of the SDK.
    """
    if excluded and rules.titles in ("all", "names"):
        raise refused("parameters that exclude_args names are described before they are left out", function)
    if rules.texts or function.late is False:
        return
    annotations = (function.returns, *(item.annotation for item in function.parameters))
    named = [part for part in parts(annotations) if not isinstance(part, specs.SubscriptSpec)]
    if not all(isinstance(part, specs.NameSpec) and part.name.startswith("builtins.") for part in named):
        raise refused("the SDK does not find the names of annotations that are text", function)


def _check_keyword_defaults(function: specs.FunctionSpec, parameters: list[specs.ParameterSpec], rules: Rules) -> None:
    """Refuse keyword-only parameters with defaults if the SDK may lose the defaults when it copies the function.

    The SDK copies a function to leave parameters out, and to replace annotations that are text, ``None`` or described.
    """
    annotations = [function.returns, *(item.annotation for item in function.parameters)]
    copied = len(parameters) < len(function.parameters) or specs.NONE in annotations or function.late is not False
    copied = copied or any(isinstance(annotation, specs.AnnotatedSpec) for annotation in annotations)
    for item in parameters if copied and rules.loses_defaults else ():
        if item.kind == "KEYWORD_ONLY" and item.default is not None:
            reason = f"the SDK may lose the default of the keyword-only {item.name}"
            raise UnsettledError(reason, site=item.site)


def given_by_client(function: specs.FunctionSpec, excluded: tuple[str, ...], rules: Rules) -> list[specs.ParameterSpec]:
    by_name = {item.name: item for item in function.parameters}
    for name in excluded:
        if name not in by_name or by_name[name].default is None:
            raise refused(f"exclude_args names {name}, which is no parameter with a default", function)
    contexts = [item.name for item in function.parameters if _takes_context(item)]
    left_out = {*excluded, *(contexts if rules.all_contexts else contexts[:1])}
    return [item for item in function.parameters if item.name not in left_out and not _is_injected(item, rules)]


def _takes_context(parameter: specs.ParameterSpec) -> bool:
    kinds = () if parameter.annotation is None else names.members(parameter.annotation)
    return any(names.is_or_derives_from(kind, names.FASTMCP_CONTEXT) for kind in kinds)


def _is_injected(parameter: specs.ParameterSpec, rules: Rules) -> bool:
    """Whether the SDK fills a parameter in.

    Raises:
        UnsettledError: the answer depends on the version of the library behind the SDK's dependencies.
    """
    if names.is_dependency(parameter.default):
        if not rules.injects:
            raise UnsettledError(f"{parameter.name} has a dependency as a default", site=parameter.site)
        return True
    metadata = parameter.annotation.metadata if isinstance(parameter.annotation, specs.AnnotatedSpec) else ()
    if any(names.is_dependency(item) for item in metadata):
        raise UnsettledError(f"{parameter.name} has a dependency in its annotation", site=parameter.site)
    return False


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
    return inlined(schema, rules)


def output_schema(function: specs.FunctionSpec, rules: Rules) -> dict[str, Any] | None:
    """The ``outputSchema`` of a function; ``None`` if it has none."""
    returns = function.returns
    if not rules.output or returns is None or returns == specs.ANY or (returns == specs.NONE and _is_nothing(function)):
        return None
    if _is_unstructured(returns, rules):
        return None
    spec = with_content(returns) if rules.content_models else returns
    mode: Mode = "validation" if rules.as_received else "serialization"
    builder = Builder([spec], mode)
    built = builder.type(spec)
    _check_aliases(builder.built.values(), rules)
    schema = _schema_of(built, mode, rules)
    if schema is None:
        return None
    if rules.closed:
        schema = at_root(schema, rules.root)
    schema = listed(compressed(schema, rules), rules)
    return schema if rules.closed else at_root(schema, rules.root)


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


def _schema_of(built: Any, mode: Mode, rules: Rules) -> dict[str, Any] | None:
    from pydantic import PydanticSchemaGenerationError, TypeAdapter

    options: dict[str, Any] = {"by_alias": rules.aliases == "of the root"} if rules.aliases else {}
    with refusing("the SDK makes no schema of this result"):
        try:
            schema = TypeAdapter(built).json_schema(mode=mode, **options)
            if not is_object(schema, schema, rules):
                schema = TypeAdapter(_WrappedResult[built]).json_schema(mode=mode, **options)
                schema |= {"description": rules.wrapper_doc} if rules.wrapper_doc else {}
                schema[WRAPPED] = True
        except PydanticSchemaGenerationError:
            return None
        return schema


def _check_aliases(classes: Iterable[Any], rules: Rules) -> None:
    """Refuse classes that say themselves whether they are sent under their aliases, where the SDK asks for that."""
    for cls in classes if rules.aliases else ():
        config = getattr(cls, "model_config", None) or getattr(cls, "__pydantic_config__", {})
        if "serialize_by_alias" in config:
            raise UnsettledError("which names serialize_by_alias gives to the fields is not followed")


def is_object(schema: dict[str, Any], root: dict[str, Any], rules: Rules) -> bool:
    """Whether the SDK regards the schema as that of an object."""
    kind = schema.get("type")
    if rules.wraps_references:
        return kind == "object"
    if rules.typed_objects and kind is not None:
        return kind == "object" or (isinstance(kind, list) and set(kind) - {"null"} == {"object"})
    if kind == "object" or "properties" in schema:
        return True
    target = root.get("$defs", {}).get(str(schema.get("$ref", "")).removeprefix("#/$defs/"))
    return isinstance(target, dict) and is_object(target, root, rules)
