"""Convert parameters of specs to real annotations and defaults, and to a function that pydantic can read."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, get_args, get_origin

from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.spec_objects import build_value
from pdmigrate.sdk.schemas.specs import CallValue, FunctionSpec, ParameterSpec
from pdmigrate.sdk.schemas.unsettled import REFUSED_BY_SDK, UnsettledError, at

NOTHING = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class BuiltParameter:
    """One parameter with its real annotation and default; ``NOTHING`` if none is written."""

    name: str
    kind: str
    annotation: Any
    default: Any


def build_parameters(builder: Builder, parameters: Iterable[ParameterSpec]) -> list[BuiltParameter]:
    """The given parameters with real annotations and defaults."""
    built = []
    for parameter in parameters:
        with at("properties", parameter.name, site=parameter.site):
            annotation = NOTHING if parameter.annotation is None else builder.type(parameter.annotation)
            written, default = parameter.default, NOTHING
            is_field = isinstance(written, CallValue) and written.callee.endswith("Field")
            with at(*(() if is_field else ("default",))):
                default = NOTHING if written is None else build_value(builder, written)
            built.append(BuiltParameter(parameter.name, parameter.kind, annotation, default))
    builder.complete()
    return built


def refused(reason: str, function: FunctionSpec) -> UnsettledError:
    return UnsettledError(f"{function.name} is not registered: {reason}", REFUSED_BY_SDK, function.site)


def as_function(function: FunctionSpec, parameters: Iterable[BuiltParameter], *, texts: bool) -> Any:
    """A function with these parameters, to be read and never called.

    ``texts``: a plain text in ``Annotated`` becomes the description of its parameter, as in fastmcp.
    """

    def stand_in(*args: Any, **kwargs: Any) -> None:  # noqa: ARG001 - never called
        raise RuntimeError(f"{function.name} is only described")

    signature: list[inspect.Parameter] = []
    for item in parameters:
        kind, annotation = getattr(inspect.Parameter, item.kind), item.annotation
        shown = _with_description(annotation) if texts else annotation
        signature.append(inspect.Parameter(item.name, kind, default=item.default, annotation=shown))
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
