"""The options of a registration in their form on the wire, and parameters as annotations and defaults for pydantic."""

from __future__ import annotations

import inspect
import re
import reprlib
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, get_args, get_origin

from pdmigrate.model import JsonValue
from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.signatures.names import MCP_TYPES
from pdmigrate.sdk.schemas.spec_objects import build_value
from pdmigrate.sdk.schemas.unsettled import REFUSED, REFUSED_BY_SDK, UnsettledError, at, refusing, unsettled

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


def value_of(spec: specs.ValueSpec) -> Any:
    """The value of an option."""
    return spec.value if isinstance(spec, specs.PlainValue) else build_value(Builder([spec]), spec)


def text_of(spec: specs.ValueSpec | None) -> str | None:
    """An option that is a text; ``None`` if it is not given.

    Raises UnsettledError if the option is not known, or no text.
    """
    value = None if spec is None else value_of(spec)
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):  # a member of an enum, or a text of another class
        return str.__str__(getattr(value, "value", value))
    raise UnsettledError(f"a value of type {type(value).__name__} stands where the SDK takes a text", REFUSED_BY_SDK)


def tags_of(spec: specs.ValueSpec | None) -> list[JsonValue]:
    """The sorted tags of a tool."""
    if spec is None:
        return []
    if not isinstance(spec, specs.ItemsValue):
        raise UnsettledError("the tags are not known to be a set of texts")
    tags = {text_of(item) for item in spec.items}
    return [*sorted(tag for tag in tags if tag is not None)]


def annotations_of(spec: specs.ValueSpec | None, *, snake: bool) -> dict[str, JsonValue] | None:
    """The annotations of a tool, given as a ``ToolAnnotations(...)`` or as a dict.

    ``snake``: the SDK's own names are like ``read_only_hint``; it drops names that are neither its own nor the wire's,
    where other SDKs send them as they are.  Raises UnsettledError if the annotations are not known, or the SDK would
    convert or refuse them.
    """
    if spec is None or spec == specs.PlainValue(None):
        return None
    from pydantic import TypeAdapter, ValidationError

    found: dict[str, JsonValue] = {}
    for name, item in _entries(spec):
        wire = _camel(name) if snake else name
        is_other = wire not in HINTS and wire != "title"
        if is_other and snake:
            continue
        with at(wire):
            value = value_of(item)
            kind = str if wire == "title" else bool
            if is_other and type(value) not in (str, bool, int, type(None)):
                raise UnsettledError(f"a value of type {type(value).__name__} is converted by the SDK")
            if not is_other and value is not None and type(value) is not kind:
                try:
                    value = TypeAdapter(kind).validate_python(value)
                except ValidationError:
                    wanted = "a text" if kind is str else "true or false"
                    raise UnsettledError(f"{wire} must be {wanted}, not {reprlib.repr(value)}", REFUSED) from None
        found[wire] = value
    return {name: found[name] for name in dict.fromkeys(("title", *HINTS, *found)) if found.get(name) is not None}


def _entries(spec: specs.ValueSpec) -> specs.Arguments:
    if isinstance(spec, specs.UnknownSpec):
        raise unsettled(spec)
    if isinstance(spec, specs.CallValue) and not spec.args:
        module, _, called = spec.callee.rpartition(".")
        if called == "ToolAnnotations" and module in MCP_TYPES:
            return spec.kwargs
    if isinstance(spec, specs.MappingValue):
        return tuple((_key(key), value) for key, value in spec.items)
    raise UnsettledError("not known to be a ToolAnnotations")


def _key(spec: specs.ValueSpec) -> str:
    if isinstance(spec, specs.PlainValue) and isinstance(spec.value, str):
        return spec.value
    raise UnsettledError("a key is not known to be a text")


def _camel(name: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), name)


NOTHING = inspect.Parameter.empty


def build_parameters(parameters: Sequence[specs.ParameterSpec]) -> list[inspect.Parameter]:
    """The given parameters with real annotations and defaults; ``NOTHING`` if none is written."""
    builder = Builder([part for item in parameters for part in (item.annotation, item.default) if part is not None])
    built = []
    for parameter in parameters:
        with at("properties", parameter.name, site=parameter.site):
            annotation = NOTHING if parameter.annotation is None else builder.type(parameter.annotation)
            written = parameter.default
            is_field = isinstance(written, specs.CallValue) and written.callee.endswith("Field")
            with at(*(() if is_field else ("default",))):
                default = NOTHING if written is None else build_value(builder, written)
            kind = getattr(inspect.Parameter, parameter.kind)
            with refusing("not a parameter"):
                built.append(inspect.Parameter(parameter.name, kind, default=default, annotation=annotation))
    return built


def refused(reason: str, function: specs.FunctionSpec) -> UnsettledError:
    return UnsettledError(f"{function.name} is not registered: {reason}", REFUSED_BY_SDK, function.site)


def as_function(function: specs.FunctionSpec, parameters: Iterable[inspect.Parameter]) -> Any:
    """A function with these parameters, to be read and not called; a text in ``Annotated`` describes its parameter."""

    def stand_in(*args: Any, **kwargs: Any) -> None:  # noqa: ARG001 - never called
        raise RuntimeError(f"{function.name} is only described")

    signature = [item.replace(annotation=_with_description(item.annotation)) for item in parameters]
    stand_in.__name__ = stand_in.__qualname__ = function.name
    stand_in.__annotations__ = {item.name: item.annotation for item in signature if item.annotation is not NOTHING}
    stand_in.__dict__["__signature__"] = inspect.Signature(signature)
    return stand_in


def _with_description(annotation: Any) -> Any:
    """``Annotated[int, "text"]`` as ``Annotated[int, Field(description="text")]``."""
    from pydantic import Field

    if get_origin(annotation) is Annotated:
        base, *metadata = get_args(annotation)
        if len(metadata) == 1 and isinstance(metadata[0], str):
            return Annotated[base, Field(description=metadata[0])]
    return annotation
