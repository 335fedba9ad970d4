"""The fields of a tool in ``tools/list``, made from its function and the options of its registration."""

from __future__ import annotations

import inspect
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from pdmigrate.model import TOOL_FIELDS, Field, Known, Unknown
from pdmigrate.sdk.schemas.schema import as_json
from pdmigrate.sdk.schemas.signatures import official, parsing
from pdmigrate.sdk.schemas.signatures.docstrings import Parsed, compiled, parsed
from pdmigrate.sdk.schemas.signatures.names import MEDIA, is_or_derives_from, reached, with_content
from pdmigrate.sdk.schemas.signatures.options import (
    annotations_of,
    refused,
    tags_of,
    text_of,
    value_of,
)
from pdmigrate.sdk.schemas.signatures.rules import EVERY_FIELD, Chosen, Rules, choose
from pdmigrate.sdk.schemas.specs import (
    ANY,
    ELLIPSIS,
    AnnotatedSpec,
    Arguments,
    FunctionSpec,
    ItemsValue,
    MappingValue,
    ParameterSpec,
    PlainValue,
    UnknownSpec,
    ValueSpec,
)
from pdmigrate.sdk.schemas.unsettled import REFUSED, REFUSED_BY_SDK, UnsettledError
from pdmigrate.sdk.schemas.versions import Version, check, parse_version

DOCUMENTING: Version = (2, 13, 0)
"""The first version of pydantic whose schema of a dataclass includes its docstring."""
NAMING: Version = (2, 12, 0)
"""The first version of pydantic that was seen to keep a parameter's own title in the schema of a function."""


def tool_fields(
    function: FunctionSpec, options: Arguments, family: str, versions: Mapping[str, str], *, server: Arguments = ()
) -> dict[str, Field]:
    """The fields that an SDK lists for ``function`` when it is registered with ``options``.

    ``family``: ``mcp1-fastmcp`` | ``mcp2-mcpserver`` | ``fastmcp2`` | ``fastmcp3`` | ``fastmcp4``.
    ``versions``: the versions of ``mcp``, ``fastmcp`` and ``pydantic`` that the server runs on, and of ``python`` if it
    is known.  ``options``: the arguments of the registration without the function, positional ones by parameter name.
    ``server``: arguments of the server's constructor: ``dereference_schemas``, ``include_fastmcp_meta`` and ``tasks``.

    The fields are in the order of the wire; a field that is not sent is absent.
    """
    try:
        # Comparing specs is not enough: in Python, True, 1 and 1.0 are equal, and so are 0.0 and -0.0.
        asked = pickle.dumps((function, options, family, dict(versions), server))
    except RecursionError:
        return _listed(function, options, family, versions, server)
    return dict(_listed_before(asked))


@lru_cache(2_000)  # more than a server has tools
def _listed_before(asked: bytes) -> dict[str, Field]:
    return _listed(*pickle.loads(asked))


def _listed(
    function: FunctionSpec, options: Arguments, family: str, versions: Mapping[str, str], server: Arguments
) -> dict[str, Field]:
    choice = choose(family, versions)
    listed = [listed_by(rules, function, options, versions, server) for rules in choice.rules]
    return listed[0] if choice.doubt is None else _agreed(listed, choice, choice.doubt)


def _agreed(listed: Sequence[dict[str, Field]], choice: Chosen, doubt: Unknown) -> dict[str, Field]:
    """The fields on which all rules that a release may follow agree; the others are unknown."""
    found: dict[str, Field] = {}
    for name in TOOL_FIELDS:
        said = {repr(fields.get(name)): fields.get(name) for fields in listed}
        field = next(iter(said.values()), None)
        if len(said) == 1 and field is None and choice.fields == EVERY_FIELD:
            continue
        settled = len(said) == 1 and name in choice.fields
        found[name] = field if settled and field is not None else doubt
    return found


def listed_by(
    rules: Rules, function: FunctionSpec, options: Arguments, versions: Mapping[str, str], server: Arguments
) -> dict[str, Field]:
    """The fields that an SDK that follows ``rules`` lists for ``function``, as ``tool_fields`` returns them."""
    if rules.content_models:
        function = replace(function, parameters=with_content(function.parameters))
    rules = _as_served(rules, dict(server), versions.get("pydantic", ""))
    request = _Request(function, dict(options), rules, dict(versions), dict(server))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _fields(request)


def _as_served(rules: Rules, server: dict[str, ValueSpec], pydantic: str) -> Rules:
    version = parse_version(pydantic) or DOCUMENTING
    if version < DOCUMENTING:
        rules = replace(rules, wrapper_doc=None)
    if version < NAMING and rules.titles == "all":
        rules = replace(rules, titles="names")
    if rules.dereference != "listed" or "dereference_schemas" not in server:
        return rules
    known: dict[ValueSpec, str] = {PlainValue(True): "listed", PlainValue(False): ""}
    return replace(rules, dereference=known.get(server["dereference_schemas"], "perhaps"))


@dataclass(frozen=True, slots=True)
class _Request:
    function: FunctionSpec
    options: dict[str, ValueSpec]
    rules: Rules
    versions: dict[str, str]
    server: dict[str, ValueSpec]

    def given(self, name: str) -> ValueSpec | None:
        """An option; ``None`` if it is not given, or given as ``None``."""
        found = self.options.get(name)
        return None if found == PlainValue(None) else found

    def check(self, parameters: Sequence[ParameterSpec]) -> None:
        """Refuse parameters whose schema may differ under the server's version of pydantic."""
        check(self.function, parameters, self.versions.get("pydantic", ""))

    @property
    def on_python_3_10(self) -> bool:
        return self.versions.get("python", "").startswith("3.10")


def _fields(request: _Request) -> dict[str, Field]:
    if (odd := next((name for name in request.options if name not in request.rules.options), None)) is not None:
        reason = f"{odd} is not a known option of a tool registration"
        return dict.fromkeys(TOOL_FIELDS, Unknown(reason, REFUSED_BY_SDK, "", request.function.site))
    makers: dict[str, Callable[[_Request], Any]] = {
        "name": _name,
        "title": _title,
        "description": _description,
        "inputSchema": _input_schema,
        "outputSchema": _output_schema,
        "annotations": _annotations,
        "icons": _icons,
        "_meta": _meta,
        "execution": _execution,
    }
    fields: dict[str, Field] = {}
    for name, make in makers.items():
        try:
            if (value := make(request)) is not None:
                fields[name] = Known(as_json(value))
        except UnsettledError as error:
            if error.code == REFUSED_BY_SDK:
                return dict.fromkeys(TOOL_FIELDS, error.unknown())
            if request.rules.dereference == "parsed" and error.endless:
                error.code = REFUSED
            fields[name] = error.unknown()
    return fields


def _name(request: _Request) -> str:
    name = text_of(request.given("name")) or request.function.name
    if name == "<lambda>":
        raise refused("a lambda needs a name", request.function)
    return name


def _title(request: _Request) -> str | None:
    title = text_of(request.given("title"))
    if request.rules.title == "given":
        return title
    if not title:
        annotations = _annotations(request) or {}
        title = annotations.get("title") or None
    if not title and request.rules.title == "always":
        title = _name(request).replace("_", " ").replace("-", " ").title()
    return title


def _doc(request: _Request) -> Parsed:
    found = request.function.doc
    if found is None and request.rules.docs != "verbatim":
        found = request.function.inherited
    if isinstance(found, UnknownSpec):
        raise UnsettledError(found.reason, found.code, found.site)
    doc = compiled(found, request.versions.get("python", ""))
    if request.rules.docs == "verbatim":
        return Parsed(doc if request.rules.engine == "fastmcp" else doc or "")
    if request.rules.docs == "cleaned":
        return Parsed(None if doc is None else inspect.cleandoc(doc))
    return parsed(doc, request.rules.docs)


def _description(request: _Request) -> str | None:
    given = text_of(request.given("description"))
    if given or (given is not None and request.rules.empty_description):
        return given
    return _doc(request).description


def _input_schema(request: _Request) -> Any:
    rules, function = request.rules, request.function
    _check_hints(function, rules)
    given_by_client = official.given_by_client if rules.engine == "official" else parsing.given_by_client
    given = given_by_client(function, rules)
    if (excluded := request.given("exclude_args")) is not None:
        optional = {item.name for item in function.parameters if item.default is not None}
        if odd := sorted({*(value_of(excluded) or ())} - optional):
            raise refused(f"exclude_args names {odd[0]}, which is no parameter with a default", function)
        raise UnsettledError("which parameters exclude_args leaves out is not followed", site=function.site)
    for annotation in (item.annotation for item in given if item.annotation is not None):
        if any(is_or_derives_from(part, MEDIA) for part in reached(annotation)):
            raise refused("a parameter is of a class of the SDK that has no schema", function)
    request.check(given)
    if rules.engine == "official":
        return official.input_schema(function, rules)
    _check_python(request)
    documented = {} if rules.docs in ("verbatim", "cleaned") else _doc(request).parameters
    return parsing.input_schema(function, documented, rules)


def _check_hints(function: FunctionSpec, rules: Rules) -> None:
    """Refuse a signature that differs from the annotations, if the SDK reads both.

    The official SDK reads annotations only to find its context, ``fastmcp`` for all types.
    """
    own = rules.engine == "official" and not any(
        official.takes_context(item.annotation) for item in function.parameters
    )
    if not function.hinted and not own:
        reason = "the function's annotations are not those of the signature that is set"
        raise UnsettledError(reason, site=function.site)


def _check_python(request: _Request) -> None:
    """Refuse annotations that Python 3.10 wraps in ``Optional`` for their default, which hides their metadata.

    Source: ``typing.get_type_hints``, "Changed in version 3.11".
    """
    for item in request.function.parameters:
        if request.on_python_3_10 and isinstance(item.annotation, AnnotatedSpec) and item.default == PlainValue(None):
            raise UnsettledError("Python 3.10 makes this annotation another one", site=item.site)


def _output_schema(request: _Request) -> Any:
    rules, function = request.rules, request.function
    _check_hints(function, rules)
    result = [ParameterSpec("result", annotation=function.returns)]
    if rules.engine == "official":
        structured = request.given("structured_output")
        wanted = None if structured is None else value_of(structured)
        if function.returns is not None and wanted is not False and rules.output:
            request.check(result)
            if function.returns == ANY and request.on_python_3_10:
                raise UnsettledError("in Python 3.10 typing.Any is no class", site=function.site)
        return official.output_schema(function, wanted, rules)
    if (given := request.options.get("output_schema", ELLIPSIS)) != ELLIPSIS:
        schema = value_of(given)
        if schema is None:
            return None
        if not isinstance(schema, dict) or not (parsing.is_object(schema, rules) or "$ref" in schema):
            raise refused("an output schema is one of objects", function)
        if schema.get("type") != "object":
            raise UnsettledError("such an output schema is not followed", site=function.site)
        return parsing.listed(schema, rules)
    if (schema := parsing.output_schema(function, rules)) is not None:
        request.check(result)
    if rules.typed_objects and schema is not None and schema.get("type") != "object":
        reason = "sessions of older protocol revisions see another type at the root of the output schema"
        raise UnsettledError(reason, site=function.site)
    return schema


def _annotations(request: _Request) -> Any:
    return annotations_of(request.given("annotations"), snake=request.rules.snake)


def _icons(request: _Request) -> None:
    icons = request.given("icons")
    for item in icons.items if isinstance(icons, ItemsValue) else ():
        if isinstance(item, MappingValue) and PlainValue("src") not in dict(item.items):
            raise refused("an icon has no src", request.function)
    if icons is not None:
        raise UnsettledError("the icons of a tool are not followed", site=request.function.site)


def _meta(request: _Request) -> Any:
    if (other := next((name for name in ("app", "version") if request.given(name) is not None), None)) is not None:
        raise UnsettledError(f"what the {other} of a tool adds to its meta data is not followed")
    given = request.given("meta")
    meta: Any = None if given is None else value_of(given)
    key = request.rules.meta_key
    if not key:
        return meta
    if request.server.get("include_fastmcp_meta", PlainValue(None)) not in (PlainValue(None), PlainValue(True)):
        raise UnsettledError("whether the server sends tags is not known")
    if meta is not None and (not isinstance(meta, dict) or key in meta):
        raise UnsettledError("the meta data has what the SDK writes itself")
    return {**(meta or {}), key: {"tags": tags_of(request.given("tags"))}}


def _execution(request: _Request) -> None:
    task = request.given("task") or request.server.get("tasks", PlainValue(None))
    if task == PlainValue(True) and not request.function.is_async:
        raise refused("only an async function runs in the background", request.function)
    if task not in (PlainValue(None), PlainValue(False)):
        raise UnsettledError("how the tool runs in the background is not known")
