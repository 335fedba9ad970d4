"""Which functions and decorators of a class run no code of the target while an instance is made or serialised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.sdk.schemas.shapes import parts
from pdmigrate.sdk.schemas.specs import CallValue, ClassSpec, MethodSpec, NameSpec, RefSpec, UnknownSpec, ValueSpec
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, UnsettledError, unsettled

if TYPE_CHECKING:
    from pdmigrate.sdk.schemas.builder import Builder

VALIDATORS = frozenset({"BeforeValidator", "AfterValidator", "WrapValidator", "PlainValidator"})
SERIALIZERS = frozenset({"PlainSerializer", "WrapSerializer"})

CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "model_post_init", "__post_init_post_parse__"})

HARMLESS = frozenset(
    {
        "abc.abstractmethod",
        "builtins.classmethod",
        "builtins.property",
        "builtins.property.deleter",
        "builtins.property.getter",
        "builtins.property.setter",
        "builtins.staticmethod",
        "contextlib.asynccontextmanager",
        "contextlib.contextmanager",
        "functools.cache",
        "functools.cached_property",
        "functools.lru_cache",
        "typing.final",
        "typing.no_type_check",
        "typing.overload",
        "typing.override",
        "typing_extensions.final",
        "typing_extensions.overload",
        "typing_extensions.override",
    }
)
"""Decorators of functions that do not affect a schema."""


def decorator_name(decorator: ValueSpec) -> str:
    """The full name of a decorator.

    Raises:
        UnsettledError: the decorator is not known, or is not a library's.
    """
    if isinstance(decorator, NameSpec):
        return decorator.name
    if isinstance(decorator, CallValue):
        return decorator.callee
    if isinstance(decorator, UnknownSpec):
        raise unsettled(decorator)
    raise UnsettledError("a decorator of the program decides this", DECIDED_BY_CODE)


def runs_code(builder: Builder, spec: ClassSpec | RefSpec) -> bool:
    """Whether making an instance of a class, or serialising one, may run code of the target."""
    root = builder.specs.get(spec.identity) if isinstance(spec, RefSpec) else spec
    for part in parts(root):
        if isinstance(part, RefSpec) and part.identity not in builder.built:
            return True
        if isinstance(part, UnknownSpec):
            return True
        if isinstance(part, CallValue) and part.callee.rpartition(".")[2] in VALIDATORS | SERIALIZERS:
            return True
        if isinstance(part, MethodSpec) and (part.name in CONSTRUCTORS or not _is_passive(part)):
            return True
    return False


def _is_passive(method: MethodSpec) -> bool:
    return all(isinstance(d, (NameSpec, CallValue)) and decorator_name(d) in HARMLESS for d in method.decorators)
