"""Convert an evaluated function to what an SDK's ``inspect`` sees of it when it is registered as a tool."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    BoundMethod,
    FunctionValue,
    Parameter,
    SdkObject,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.library.made_signatures import SIGNATURE
from pdmigrate.evaluate.types.annotations import annotation_frame, is_late
from pdmigrate.evaluate.types.signature_specs import Hints, as_given, set_annotations
from pdmigrate.evaluate.types.type_specs import Specs
from pdmigrate.schemas import specs

PARAMETER_KINDS = {
    "positional": "POSITIONAL_ONLY",
    "any": "POSITIONAL_OR_KEYWORD",
    "args": "VAR_POSITIONAL",
    "keyword": "KEYWORD_ONLY",
    "kwargs": "VAR_KEYWORD",
}
LONGEST_CHAIN = 20


class ToolSpecs(Specs):
    """Types and values in registrations: an object of the SDK becomes a call of its class."""

    def value(self, value: Value) -> specs.ValueSpec:
        if isinstance(value, SdkObject):
            if value.rest is not None:
                return self.unknown(value.rest)
            return specs.CallValue(value.type, (), self.pairs(value.names))
        return super().value(value)

    def function(self, value: Value) -> specs.FunctionSpec | UnknownValue:
        """The function as ``inspect.signature`` reports it: ``functools.wraps`` followed, ``self`` bound."""
        bound = isinstance(value, BoundMethod)
        outer = value.unbound
        given = given_signature(outer)
        hints = set_annotations(self, outer) if given is None else None
        inner = signature_of(outer) if given is None and hints is None else outer
        if isinstance(inner, UnknownValue):
            return inner
        if not isinstance(outer, FunctionValue) or not isinstance(inner, FunctionValue):
            return reasons.unknown(reasons.UNSUPPORTED, f"{describe(outer)} as a tool")
        name, doc = outer.names.get("__name__"), outer.names.get("__doc__")
        unknown = (first_unknown(name) if name is not None else None) or outer.rest
        if unknown is not None:
            return unknown
        text = name.text if name is not None else None
        if text is None or inner.module is None:
            return reasons.unknown(reasons.UNSUPPORTED, f"{describe(outer)} as a tool")
        if given is not None:
            seen = as_given(self, outer, given, bound=bound)
        else:
            parameters = tuple(self._parameter(inner, item, hints) for item in inner.parameters[1 if bound else 0 :])
            returned = self._returns(inner) if hints is None else hints.get("return")
            late = _late(inner) if hints is None else False
            seen = specs.FunctionSpec("", "", parameters, returned, late=late)
        return replace(
            seen,
            name=text,
            module=inner.module.name,
            doc=_doc(doc),
            is_async=outer.asynchronous,
            site=site_of(inner.made_at),
        )

    def _parameter(self, function: FunctionValue, parameter: Parameter, hints: Hints | None) -> specs.ParameterSpec:
        annotation = None
        if hints is not None:
            annotation = hints.get(parameter.name)
        elif parameter.annotation is not None:
            annotation = self._type(function, parameter.annotation.annotation)
        default = self.value(parameter.default) if parameter.default is not None else None
        return specs.ParameterSpec(
            parameter.name, PARAMETER_KINDS[parameter.kind], annotation, default, site_of(function.made_at)
        )

    def _returns(self, function: FunctionValue) -> specs.TypeSpec | None:
        return self._type(function, function.returns) if function.returns is not None else None

    def _type(self, function: FunctionValue, node: cst.BaseExpression) -> specs.TypeSpec:
        return self.annotation(node, annotation_frame(self.run, function, node))


def _doc(value: Value | None) -> str | specs.UnknownSpec | None:
    unknown = first_unknown(value) if value is not None else None
    if unknown is not None:
        return Specs.unknown(unknown)
    return value.text if value is not None else None


def _late(function: FunctionValue) -> bool | None:
    """Whether all annotations of a function are text at run time, or none is; ``None`` if only some are."""
    assert function.module is not None
    nodes = [item.annotation.annotation for item in function.parameters if item.annotation is not None]
    if function.returns is not None:
        nodes.append(function.returns)
    found = {is_late(function.module, node) for node in nodes}
    return None if len(found) > 1 else True in found


def given_signature(value: Value) -> KnownObject | None:
    """The signature that the program has set on a function, or on a function it wraps; ``None`` if it has set none."""
    for _ in range(LONGEST_CHAIN):
        value = value.unbound
        if not isinstance(value, FunctionValue):
            return None
        given = value.names.get("__signature__")
        if given is not None:
            return given if isinstance(given, KnownObject) and given.kind == SIGNATURE else None
        wrapped = value.names.get("__wrapped__")
        if wrapped is None:
            return None
        value = wrapped
    return None


def signature_of(value: Value) -> FunctionValue | UnknownValue:
    """The function whose parameters a caller sees: wrappers with ``__wrapped__`` are followed."""
    for _ in range(LONGEST_CHAIN):
        value = value.unbound
        if isinstance(value, UnknownValue):
            return value
        if not isinstance(value, FunctionValue) or value.scope is None:
            break
        given = value.names.get("__signature__")
        if given is not None:
            return first_unknown(given) or reasons.unknown(
                reasons.UNSUPPORTED, f"the signature of {value.name} is set by the program", value.made_at
            )
        if "__annotations__" in value.names or "__defaults__" in value.names:
            reason = f"the annotations of {value.name} are set by the program"
            return reasons.unknown(reasons.UNSUPPORTED, reason, value.made_at)
        wrapped = value.names.get("__wrapped__")
        if wrapped is None:
            return value
        value = wrapped
    return first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} as a tool")
