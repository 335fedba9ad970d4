"""Convert an evaluated function to what an SDK's ``inspect`` sees of it when it is registered as a tool.

The SDKs read a function in two ways: ``inspect.signature`` returns the signature that the program has set, if any,
``typing.get_type_hints`` the function's own ``__annotations__``.  Where the two agree, the type is known; where they
differ, it depends on the SDK.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.known_objects import KnownObject, known_object
from pdmigrate.evaluate.core.natives import unfit
from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.python_values import NotPlain, describe
from pdmigrate.evaluate.core.values import NONE, FunctionValue, Parameter, SdkObject, UnknownValue, Value
from pdmigrate.evaluate.language.annotations import annotation_frame, is_late
from pdmigrate.knowledge.library.made_signatures import EMPTY, PARAMETER, SIGNATURE, kind_of, parameters_of
from pdmigrate.knowledge.types.type_specs import Specs
from pdmigrate.schemas import specs

PARAMETER_KINDS = {
    "positional": "POSITIONAL_ONLY",
    "any": "POSITIONAL_OR_KEYWORD",
    "args": "VAR_POSITIONAL",
    "keyword": "KEYWORD_ONLY",
    "kwargs": "VAR_KEYWORD",
}
LONGEST_CHAIN = 20
Hints = dict[str, specs.TypeSpec]


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
        try:
            return self._function(value.underlying, bound=value.underlying is not value)
        except NotPlain as reason:
            return reason.unknown

    def _function(self, value: Value, *, bound: bool) -> specs.FunctionSpec:
        given = given_signature(value)
        hints = self._set_annotations(value) if given is None else None
        outer = value.as_function
        inner = signature_of(value) if given is None and hints is None else outer
        if outer is None or inner is None:
            raise unfit(value, f"{describe(value)} as a tool")
        name, doc = outer.names.get("__name__", NONE), outer.names.get("__doc__", NONE)
        unknown = first_unknown(name) or outer.rest
        if unknown is not None:
            raise NotPlain(unknown)
        if name.text is None or inner.module is None:
            raise unfit(value, f"{describe(value)} as a tool")
        if given is not None:
            seen = self._as_given(outer, given, bound=bound)
        else:
            parameters = tuple(self._parameter(inner, item, hints) for item in inner.parameters[1 if bound else 0 :])
            returned = self._type(inner, inner.returns) if hints is None else hints.get("return")
            seen = specs.FunctionSpec("", "", parameters, returned, late=_late(inner) if hints is None else False)
        undocumented = first_unknown(doc)
        return replace(
            seen,
            name=name.text,
            module=inner.module.name,
            doc=self.unknown(undocumented) if undocumented is not None else doc.text,
            is_async=outer.asynchronous,
            site=site_of(inner.made_at),
        )

    def _parameter(self, function: FunctionValue, parameter: Parameter, hints: Hints | None) -> specs.ParameterSpec:
        written = parameter.annotation.annotation if parameter.annotation is not None else None
        annotation = self._type(function, written) if hints is None else hints.get(parameter.name)
        default = self.value(parameter.default) if parameter.default is not None else None
        kind, site = PARAMETER_KINDS[parameter.kind], site_of(function.made_at)
        return specs.ParameterSpec(parameter.name, kind, annotation, default, site)

    def _type(self, function: FunctionValue, node: cst.BaseExpression | None) -> specs.TypeSpec | None:
        return self.annotation(node, annotation_frame(self.run, function, node)) if node is not None else None

    # --- what the program has set -------------------------------------------------------------------------------------

    def _as_given(self, function: FunctionValue, given: KnownObject, *, bound: bool) -> specs.FunctionSpec:
        """The parameters and the result of ``given``; ``hinted`` if the function's annotations cover all of them."""
        hints = self._hints(function)
        found, unknown = (hints, None) if isinstance(hints, dict) else ({}, hints)

        def agreed(what: str, value: Value, name: str) -> specs.TypeSpec | None:
            annotation, hint = self._given_type(value), unknown or found.get(name)
            if hint is None or annotation == hint or isinstance(hint, specs.UnknownSpec):
                return annotation if hint is None else hint
            reason = f"the signature and the annotations of the function differ in {what}"
            return specs.UnknownSpec(reason, reasons.UNSUPPORTED)

        parameters = []
        for name, entry in [*parameters_of(given).entries.items()][1 if bound else 0 :]:
            made = known_object(entry.value, PARAMETER)
            if made is None or (kind := kind_of(made)) is None:
                raise unfit(entry.value, f"the parameter {name} of a signature", made.made_at if made else None)
            annotation, default = (
                agreed(str(name), made.attributes["annotation"], str(name)),
                made.attributes["default"],
            )
            value = None if default is EMPTY else self.value(default)
            parameters.append(specs.ParameterSpec(str(name), kind, annotation, value))
        returned = agreed("the result", given.attributes["return_annotation"], "return")
        needed = {item.name for item in parameters if item.annotation is not None}
        needed |= set() if given.attributes["return_annotation"] is EMPTY else {"return"}
        hinted = unknown is None and needed <= found.keys()
        return specs.FunctionSpec("", "", tuple(parameters), returned, late=False, hinted=hinted)

    def _given_type(self, value: Value) -> specs.TypeSpec | None:
        """The type of an annotation that the program has set, in which text is not resolved; ``None`` for ``EMPTY``."""
        if value is EMPTY:
            return None
        if value.text is not None:
            return specs.UnknownSpec("an annotation of a signature that is set is text", reasons.UNSUPPORTED)
        return self.type(value)

    def _set_annotations(self, value: Value) -> Hints | None:
        """The annotations that the program has set on a function; ``None`` unless both ways of reading find them."""
        function = value.as_function
        if function is None or function.scope is None or function.names.keys() & _SET != {"__annotations__"}:
            return None
        hints = self._hints(function)
        return hints if isinstance(hints, dict) else None

    def _hints(self, function: FunctionValue) -> Hints | specs.UnknownSpec:
        """The content of ``__annotations__``: what the program has set, or what the source declares.

        ``functools.wraps`` copies the annotations of the function that it wraps.
        """
        seen = [*_chain(function)]
        given = next((set_by for item in seen if (set_by := item.names.get("__annotations__")) is not None), None)
        if given is None:
            return self._written(seen[-1])
        unknown = first_unknown(given)
        if unknown is not None:
            return self.unknown(unknown)
        if (types := given.by_key) is None:
            return specs.UnknownSpec("the annotations of the function are set by the program", reasons.UNSUPPORTED)
        found = {key: self._given_type(item) for key, item in types.items()}
        return {key: item for key, item in found.items() if item is not None}

    def _written(self, function: FunctionValue) -> Hints:
        if function.module is None or function.scope is None:
            return {}
        return {
            name: self.annotation(node, annotation_frame(self.run, function, node))
            for name, node in function.annotations.items()
        }


_SET = frozenset({"__annotations__", "__defaults__", "__wrapped__"})
"""Attributes with which a program gives a function another signature than the source declares."""


def _late(function: FunctionValue) -> bool | None:
    """Whether the annotations of a function are text at run time; ``None`` if only some of them are."""
    assert function.module is not None
    found = {is_late(function.module, node) for node in function.annotations.values()}
    return None if len(found) > 1 else True in found


def _chain(value: Value) -> Iterator[FunctionValue]:
    """The function of ``value``, then the function that it wraps, and so on inwards."""
    wrapped: Value | None = value
    for _ in range(LONGEST_CHAIN):
        function = wrapped.underlying.as_function if wrapped is not None else None
        if function is None:
            return
        yield function
        wrapped = function.names.get("__wrapped__")


def given_signature(value: Value) -> KnownObject | None:
    """The signature that the program has set on a function, or on a function it wraps; ``None`` if it has set none."""
    given = (function.names.get("__signature__") for function in _chain(value))
    return known_object(next(filter(None, given), None), SIGNATURE)


def signature_of(value: Value) -> FunctionValue:
    """The function whose parameters a caller sees: wrappers with ``__wrapped__`` are followed.

    Raises:
        NotPlain: that function, or its signature, is not known.
    """
    inner = value.underlying
    for function in _chain(value):
        if function.scope is None:
            break
        given = function.names.get("__signature__")
        if given is not None:
            raise unfit(given, f"the signature of {function.name} is set by the program", function.made_at)
        if "__annotations__" in function.names or "__defaults__" in function.names:
            reason = f"the annotations of {function.name} are set by the program"
            raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, reason, function.made_at))
        wrapped = function.names.get("__wrapped__")
        if wrapped is None:
            return function
        inner = wrapped.underlying
    raise unfit(inner, f"{describe(inner)} as a tool")
