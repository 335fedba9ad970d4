"""Functions of the program that pydantic calls while it makes a schema, answered by evaluating them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import (
    BoundMethod,
    DictValue,
    Entry,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Origin,
    Partial,
    SdkObject,
    SetValue,
    UnknownValue,
    Value,
    const,
    now,
)
from pdmigrate.evaluate.language.scopes import look_up
from pdmigrate.evaluate.tree.syntax import syntax_children
from pdmigrate.evaluate.types.annotations import rebound
from pdmigrate.schemas import specs
from pdmigrate.schemas.unsettled import UnsettledError

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_REFERENCE = "#/$defs/"


def described_function(run: Interpreter, value: FunctionValue | BoundMethod | Partial) -> specs.FunctionValue:
    """A function as a value of a spec, with what evaluating it answers."""
    name = value.name if isinstance(value, FunctionValue) else ""
    parameters = _parameters(value)
    if parameters is None:
        return specs.FunctionValue(name)
    return specs.FunctionValue(
        name, None, parameters, _is_lasting(run, value), lambda given: _answer(run, value, parameters, given)
    )


def _is_lasting(run: Interpreter, value: Value) -> bool:
    """Whether nothing that the function looks at can have been another thing before."""
    function = value.function if isinstance(value, BoundMethod) else value
    if isinstance(value, BoundMethod) or not isinstance(function, FunctionValue):
        return False
    if function.node is None or function.module is None or function.scope is None:
        return False
    if rebound(function.module, function.node.body) is not None:
        return False
    own = {parameter.name for parameter in function.parameters}
    frame = Frame(function.scope, function.module)
    for name in {node.value for node in _names(function.node.body)} - own:
        if isinstance(look_up(run, frame, name, function.node), _CHANGING):
            return False
    return True


_CHANGING = (DictValue, ListValue, SetValue, Instance, SdkObject)


def _names(node: cst.CSTNode) -> Iterator[cst.Name]:
    if isinstance(node, cst.Name):
        yield node
    for child in syntax_children(node):
        yield from _names(child)


def _parameters(value: Value) -> int | None:
    """How many arguments it takes; ``None`` where that is not plainly to be seen."""
    bound = isinstance(value, BoundMethod)
    function = value.function if isinstance(value, BoundMethod) else value
    if not isinstance(function, FunctionValue) or function.asynchronous or function.generator:
        return None
    if any(parameter.kind not in ("positional", "any") for parameter in function.parameters):
        return None
    return len(function.parameters) - bound


def _answer(run: Interpreter, function: Value, parameters: int, given: Any) -> tuple[Any, Any]:
    """What ``function(given)`` returns (an ``UnsettledError`` if only that is not known), and what ``given`` is then.

    Raises:
        UnsettledError: that is not known, or the function does more than that.
    """
    before = now()
    references: dict[Value, str] = {}
    first = _enter(given, references)
    rest = tuple(reasons.unknown(reasons.UNSUPPORTED, "what pydantic hands over") for _ in range(parameters - 1))
    run.trail.fork()
    with run.collected_risks() as risks:
        try:
            result = call(run, function, (first, *rest))
            answer = _result(result, references), _leave(first, references)
            doubt = next((risk.unknown for risk in risks), None)
        except AbstractRaise as raised:
            raise UnsettledError(f"a function that decides this raises {raised}", reasons.FAILS) from None
        except NotPlain as reason:
            raise UnsettledError(reason.unknown.reason, reason.unknown.code) from None
        finally:
            changed = run.trail.capture()
    if doubt is not None:
        raise UnsettledError(doubt.reason, doubt.code)
    if any(target.serial < before for target in changed):
        raise UnsettledError("a function that decides this changes more than the schema", reasons.MUTATED)
    return answer


def _result(value: Value, references: dict[Value, str]) -> Any:
    try:
        return _leave(value, references)
    except NotPlain as reason:
        return UnsettledError(reason.unknown.reason, reason.unknown.code)


def _enter(value: Any, references: dict[Value, str]) -> Value:
    """A schema as the program sees it; references in it have names of pydantic's own, which nobody may look at."""
    if isinstance(value, dict):
        entries = {key: Entry(const(key), _enter(item, references)) for key, item in value.items()}
        return DictValue(dict(entries), origin=Origin("schema"))
    if isinstance(value, list):
        return ListValue([_enter(item, references) for item in value], origin=Origin("schema"))
    if isinstance(value, str) and value.startswith(_REFERENCE):
        unknown = reasons.unknown(reasons.UNSUPPORTED, "a reference in a schema that is not complete")
        references[unknown] = value
        return unknown
    if value is None or isinstance(value, (str, int, float)):
        return const(value)
    return reasons.unknown(reasons.UNSUPPORTED, f"a value of type {type(value).__name__} in a schema")


def _leave(value: Value, references: dict[Value, str]) -> Any:
    """The way back.

    Raises:
        NotPlain: a part of it is not known.
    """
    if value in references:
        return references[value]
    if isinstance(value, DictValue) and value.exact:
        return {to_python(entry.key): _leave(entry.value, references) for entry in value.entries.values()}
    if isinstance(value, ListValue) and value.exact:
        return [_leave(item, references) for item in value.items]
    if isinstance(value, (FunctionValue, BoundMethod, Native, UnknownValue)):
        raise NotPlain(
            value if isinstance(value, UnknownValue) else reasons.unknown(reasons.UNSUPPORTED, "a function as a result")
        )
    return to_python(value)
