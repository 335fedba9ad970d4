"""Types that a call or statement makes without a class: type variables, new types, named aliases.

The evaluator represents them like any result of a library call, as an ``External`` with its arguments; this module
interprets them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.frames import Frame
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    External,
    Scope,
    TupleValue,
    Value,
)
from pdmigrate.evaluate.language.annotations import rebound
from pdmigrate.evaluate.language.metaclasses import made_out_of_sight
from pdmigrate.evaluate.language.type_parameters import ALIASES, LazyType
from pdmigrate.knowledge.library.scalars import make_scalar
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.knowledge.types.type_specs import Specs

VARIABLES = frozenset({"typing.TypeVar()", "typing_extensions.TypeVar()"})
NEW_TYPES = frozenset({"typing.NewType()", "typing_extensions.NewType()"})
MADE_TYPES = VARIABLES | NEW_TYPES | ALIASES
CLASS_MAKERS = frozenset(
    {
        *("pydantic.create_model", "pydantic.main.create_model", "enum.Enum", "enum.IntEnum", "enum.StrEnum"),
        *(f"{module}.{name}" for module in ("typing", "typing_extensions") for name in ("TypedDict", "NamedTuple")),
        *("collections.namedtuple", "dataclasses.make_dataclass", "types.new_class"),
    }
)
"""Calls that make a class; the content of such a class is not followed."""


def library_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of a call of the standard library or of pydantic; ``None`` if nothing is known of it."""
    if function.name in MADE_TYPES:
        # ``UserId(3)`` returns its argument; the others cannot be called.
        if function.name in NEW_TYPES and len(arguments.positional) == 1 and arguments.unknown is None:
            return arguments.positional[0]
        return reasons.unknown(reasons.UNSUPPORTED, f"a call of what {function.name} makes", arguments.place)
    if function.name in CLASS_MAKERS:
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"a class that {function.name}() makes", arguments.place)
        return made_out_of_sight(run, _bases(function, arguments), unknown)
    return make_scalar(run, function, arguments)


def _bases(function: External, arguments: Arguments) -> Sequence[Value]:
    """The bases of the class that a call makes."""
    index = 1 if function.name == "types.new_class" else len(arguments.positional)
    given = arguments.given(index, "bases") or arguments.keywords.get("__base__") or TupleValue(())
    return given.sequence or (given,)


# --- specs ------------------------------------------------------------------------------------------------------------


def made_type(convert: Specs, value: External) -> specs.TypeSpec | None:
    """The spec of the type that a call made; ``None`` if the call makes no such type."""
    given = value.arguments
    if given is None or given.place is None or value.name not in MADE_TYPES:
        return None
    if given.unknown is not None:
        return convert.unknown(given.unknown)
    name = (given.given(0, "name") or NONE).text
    if name is None:
        return specs.UnknownSpec(f"the name of what {value.name} makes", reasons.UNSUPPORTED)
    identity = f"{given.place.module.name}:{name}:{convert.number(value)}"
    if value.name in VARIABLES:
        return _variable_spec(convert, given, name, identity)
    if value in convert.open:
        return specs.RefSpec(identity)
    convert.open.add(value)
    try:
        if value.name in NEW_TYPES:
            base = _type(convert, given.given(1, "tp"), given)
            return specs.NewTypeSpec(name=name, module=given.place.module.name, base=base, identity=identity)
        return _alias_spec(convert, given, name, identity)
    finally:
        convert.open.discard(value)


def _variable_spec(convert: Specs, given: Arguments, name: str, identity: str) -> specs.TypeSpec:
    bound, default = given.keywords.get("bound"), given.keywords.get("default")
    none = bound is not None and bound.is_just(None)
    return specs.TypeVarSpec(
        name,
        bound=None if bound is None or none else _type(convert, bound, given),
        constraints=tuple(_type(convert, item, given) for item in given.positional[1:]),
        default=None if default is None else _type(convert, default, given),
        identity=identity,
    )


def _alias_spec(convert: Specs, given: Arguments, name: str, identity: str) -> specs.TypeSpec:
    assert given.place is not None
    listed = given.keywords.get("type_params", NONE).sequence or ()
    parameters = [item for item in map(convert.type, listed) if isinstance(item, specs.TypeVarSpec)]
    if len(parameters) != len(listed):
        return specs.UnknownSpec(f"the parameters of {name}", reasons.UNSUPPORTED)
    value = _type(convert, given.given(1, "value"), given)
    module = given.place.module.name
    return specs.TypeAliasSpec(name=name, module=module, value=value, parameters=tuple(parameters), identity=identity)


def _type(convert: Specs, value: Value | None, given: Arguments) -> specs.TypeSpec:
    """The type that an argument gives; text in it is resolved in the module of the call."""
    if value is None:
        return specs.UnknownSpec("a type is missing", reasons.INVALID)
    assert given.place is not None
    module = given.place.module
    if isinstance(value, LazyType) or mentions_text(value):
        unknown = rebound(module, value.node if isinstance(value, LazyType) else given.place.node)
        if unknown is not None:
            return convert.unknown(unknown)
    if isinstance(value, LazyType):
        return convert.annotation(value.node, Frame(value.scope, module))
    executed = convert.run.modules.get(module.path)
    scope = executed.scope if executed is not None else Scope(kind="module", module=module)
    return convert.type(value, Frame(scope, module))


def mentions_text(value: Value) -> bool:
    """Whether a type, or an argument of it, is text."""
    return value.text is not None or any(map(mentions_text, value.types_inside))
