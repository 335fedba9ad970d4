"""Functions whose signature the program has set, as an SDK's ``inspect`` sees them.

The SDKs read a function in two ways: ``inspect.signature`` returns the set signature, ``typing.get_type_hints`` the
function's own ``__annotations__``.  Where the two agree, the type is known; where they differ, it depends on the SDK.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.values import DictValue, FunctionValue, Value
from pdmigrate.evaluate.library.made_signatures import EMPTY, kind_of
from pdmigrate.evaluate.types.annotations import annotation_frame
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.types.function_specs import ToolSpecs

Hints = dict[str, specs.TypeSpec]


def as_given(convert: ToolSpecs, function: FunctionValue, given: KnownObject, *, bound: bool) -> specs.FunctionSpec:
    """The parameters and the result of ``given``; ``hinted`` is set if the function's annotations cover all of them."""
    hints = _hints(convert, function)
    mapping = given.attributes["parameters"]
    assert isinstance(mapping, DictValue)
    made = [entry.value for entry in mapping.entries.values()]
    parameters = tuple(_parameter(convert, item, hints) for item in made[1 if bound else 0 :])
    returned = _type(convert, given.attributes["return_annotation"])
    agreed = _agreed("the result", returned, hints.get("return") if isinstance(hints, dict) else hints)
    hinted = (
        isinstance(hints, dict)
        and all(item.name in hints for item in parameters if item.annotation is not None)
        and (returned is None or "return" in hints)
    )
    return specs.FunctionSpec("", "", parameters, agreed, late=False, hinted=hinted)


def _parameter(convert: ToolSpecs, item: Value, hints: Hints | specs.UnknownSpec) -> specs.ParameterSpec:
    assert isinstance(item, KnownObject)
    key, default = item.attributes["name"].text or "", item.attributes["default"]
    annotation = _type(convert, item.attributes["annotation"])
    return specs.ParameterSpec(
        key,
        str(kind_of(item)),
        _agreed(key, annotation, hints.get(key) if isinstance(hints, dict) else hints),
        None if default is EMPTY else convert.value(default),
    )


def _type(convert: ToolSpecs, value: Value) -> specs.TypeSpec | None:
    """The type in a signature, where nothing converts text to a type."""
    if value is EMPTY:
        return None
    if value.text is not None:
        return specs.UnknownSpec("an annotation of a signature that is set is text", reasons.UNSUPPORTED)
    return convert.type(value)


def _agreed(what: str, annotation: specs.TypeSpec | None, hint: specs.TypeSpec | None) -> specs.TypeSpec | None:
    if hint is None or annotation == hint:
        return annotation
    if isinstance(hint, specs.UnknownSpec):
        return hint
    reason = f"the signature and the annotations of the function differ in {what}"
    return specs.UnknownSpec(reason, reasons.UNSUPPORTED)


def set_annotations(convert: ToolSpecs, function: Value) -> Hints | None:
    """The annotations that the program has set on a function; ``None`` unless both ways of reading find just these."""
    if not isinstance(function, FunctionValue) or function.scope is None:
        return None
    own = function.names
    if "__annotations__" not in own or "__defaults__" in own or "__wrapped__" in own:
        return None
    hints = _hints(convert, function)
    return hints if isinstance(hints, dict) else None


def _hints(convert: ToolSpecs, function: FunctionValue) -> Hints | specs.UnknownSpec:
    """The content of ``__annotations__``: what the program has set, or what the source declares.

    ``functools.wraps`` copies the annotations of the function that it wraps.
    """
    seen = 0
    while "__annotations__" not in function.names and seen < DEEPEST:
        wrapped = function.names.get("__wrapped__")
        if not isinstance(wrapped, FunctionValue):
            break
        function, seen = wrapped, seen + 1
    given = function.names.get("__annotations__")
    if given is None:
        return _written(convert, function)
    unknown = first_unknown(given)
    if unknown is not None:
        return convert.unknown(unknown)
    if (types := given.by_key) is None:
        return specs.UnknownSpec("the annotations of the function are set by the program", reasons.UNSUPPORTED)
    found = {key: _type(convert, item) for key, item in types.items()}
    return {key: item for key, item in found.items() if item is not None}


DEEPEST = 20


def _written(convert: ToolSpecs, function: FunctionValue) -> Hints:
    nodes = {item.name: item.annotation.annotation for item in function.parameters if item.annotation is not None}
    if function.returns is not None:
        nodes["return"] = function.returns
    if function.module is None or function.scope is None:
        return {}
    return {
        name: convert.annotation(node, annotation_frame(convert.run, function, node)) for name, node in nodes.items()
    }
