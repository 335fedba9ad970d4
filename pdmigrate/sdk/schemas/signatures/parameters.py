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
    """The given parameters with real annotations and defaults.

    Raises:
        UnsettledError: a part of a parameter is not known; the path begins at the input schema.
    """
    built = []
    for parameter in parameters:
        with at("properties", parameter.name, site=parameter.site):
            annotation = NOTHING if parameter.annotation is None else builder.type(parameter.annotation)
            built.append(BuiltParameter(parameter.name, parameter.kind, annotation, _default(builder, parameter)))
    builder.complete()
    return built


def _default(builder: Builder, parameter: ParameterSpec) -> Any:
    default = parameter.default
    if default is None:
        return NOTHING
    steps = () if isinstance(default, CallValue) and default.callee.endswith("Field") else ("default",)
    with at(*steps):
        return build_value(builder, default)


def refuse_kinds(function: FunctionSpec, kinds: frozenset[str]) -> None:
    """Refuse a function with parameters of ``kinds``, which the SDK refuses at registration.

    Raises:
        UnsettledError: a parameter is of such a kind.
    """
    for parameter in function.parameters:
        if parameter.kind in kinds:
            raise refused(f"{parameter.name} is {parameter.kind.lower()}, which the SDK refuses", function)


def refused(reason: str, function: FunctionSpec) -> UnsettledError:
    return UnsettledError(f"{function.name} is not registered: {reason}", REFUSED_BY_SDK, function.site)


def as_function(function: FunctionSpec, parameters: Iterable[BuiltParameter]) -> Any:
    """A function with these parameters, to be read and never called.

    A plain text in ``Annotated`` becomes the description of its parameter, as in fastmcp.
    """

    def stand_in(*args: Any, **kwargs: Any) -> None:  # noqa: ARG001 - never called
        raise RuntimeError(f"{function.name} is only described")

    kept = list(parameters)
    signature = [
        inspect.Parameter(item.name, getattr(inspect.Parameter, item.kind), default=item.default) for item in kept
    ]
    stand_in.__name__ = stand_in.__qualname__ = function.name
    stand_in.__annotations__ = {
        item.name: with_description(item.annotation) for item in kept if item.annotation is not NOTHING
    }
    stand_in.__dict__["__signature__"] = inspect.Signature(_ordered(signature, stand_in.__annotations__))
    return stand_in


def _ordered(parameters: list[inspect.Parameter], annotations: dict[str, Any]) -> list[inspect.Parameter]:
    return [item.replace(annotation=annotations.get(item.name, NOTHING)) for item in parameters]


def with_description(annotation: Any) -> Any:
    """``Annotated[int, "text"]`` as ``Annotated[int, Field(description="text")]``."""
    from pydantic import Field

    if get_origin(annotation) is Annotated:
        base, *metadata = get_args(annotation)
        if len(metadata) == 1 and isinstance(metadata[0], str):
            return Annotated[base, Field(description=metadata[0])]
    return annotation
