"""How the functions and decorators of a class affect its schema: not at all, in a way that can be rebuilt, or by code.

A function of the target is never called; a placeholder of the same name takes its place where pydantic needs one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdmigrate.sdk.schemas.passive import HARMLESS, decorator_name
from pdmigrate.sdk.schemas.spec_objects import arguments, bare, build_value, never, wrapper
from pdmigrate.sdk.schemas.specs import (
    CallValue,
    ClassSpec,
    EnumSpec,
    MethodSpec,
    NameSpec,
)
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, UnsettledError, at, refusing

if TYPE_CHECKING:
    from pdmigrate.sdk.schemas.builder import Builder

HOOKS = frozenset(
    {
        "__class_getitem__",
        "__get_pydantic_core_schema__",
        "__get_pydantic_json_schema__",
        "__get_validators__",
        "__init_subclass__",
        "__modify_schema__",
        "__prepare_pydantic_annotations__",
        "__pydantic_init_subclass__",
        "__pydantic_on_complete__",
        "_generate_next_value_",
        "model_parametrized_name",
    }
)
"""Functions by which a class decides its own schema, or those of its subclasses."""

OVERRIDES = frozenset({"model_json_schema", "schema"})
"""Functions that replace the schema that pydantic gives for the class itself."""


CLASS_DECORATORS = frozenset(
    {
        "enum.unique",
        "functools.total_ordering",
        "typing.final",
        "typing.runtime_checkable",
        "typing_extensions.final",
        "typing_extensions.runtime_checkable",
    }
)

OLD_VALIDATORS = frozenset({"validator", "root_validator"})
FIELD_SERIALIZERS = frozenset({"field_serializer", "model_serializer"})


def check_class(spec: ClassSpec) -> None:
    """Refuse a class whose own code decides its schema.

    Raises:
        UnsettledError: the class has a hook of ``HOOKS``, a metaclass, or a decorator of unknown effect.
    """
    hooks = HOOKS | {"__new__", "__init__"} if isinstance(spec, EnumSpec) else HOOKS
    for method in spec.methods:
        if method.name in hooks:
            reason = f"{spec.name}.{method.name} decides this when the program runs"
            raise UnsettledError(reason, DECIDED_BY_CODE, method.site)
    for name, _ in getattr(spec, "keywords", ()):
        if name == "metaclass":
            raise UnsettledError(f"{spec.name} has a metaclass of its own", DECIDED_BY_CODE)
    for decorator in spec.decorators:
        name = decorator_name(decorator)
        if name not in CLASS_DECORATORS and not _is_applied(name):
            raise UnsettledError(f"@{name} may change what {spec.name} is", DECIDED_BY_CODE)


def _is_applied(name: str) -> bool:
    return name.rpartition(".")[2] in {"deprecated", "with_config"} and name.startswith(
        ("pydantic", "typing_ext", "warn")
    )


def decorate(builder: Builder, spec: ClassSpec, cls: Any) -> Any:
    """``cls`` after applying the decorators that affect a schema."""
    for decorator in reversed(spec.decorators):
        if isinstance(decorator, CallValue) and _is_applied(decorator.callee):
            name = decorator.callee.replace("warnings.", "typing_extensions.")
            decoration = build_value(builder, CallValue(name, decorator.args, decorator.kwargs))
            with refusing(f"@{name}"):
                cls = decoration(cls)
    return cls


def check_overrides(spec: ClassSpec) -> None:
    """Refuse a class that overrides the methods that return its schema.

    Raises:
        UnsettledError: the class has a ``model_json_schema`` or ``schema`` of its own.
    """
    for method in spec.methods:
        if method.name in OVERRIDES:
            raise UnsettledError(f"{spec.name}.{method.name} is the program's own", DECIDED_BY_CODE, method.site)


# --- functions --------------------------------------------------------------------------------------------------------


def placeholder(builder: Builder, method: MethodSpec) -> Any:
    """What replaces a function in the class body: a validator or computed field if the function affects the schema.

    Raises:
        UnsettledError: a decorator or its arguments are not known.
    """
    for decorator in method.decorators:
        with at(site=method.site):
            name = decorator_name(decorator)
            kind = name.rpartition(".")[2]
            if name in HARMLESS:
                continue
            if not name.startswith("pydantic."):
                raise UnsettledError(f"@{name} may change what {method.name} is", DECIDED_BY_CODE)
            call = decorator if isinstance(decorator, CallValue) else CallValue(name)
            return _pydantic(builder, kind, call, method)
    return _inert(method)


def _pydantic(builder: Builder, kind: str, call: CallValue, method: MethodSpec) -> Any:
    import pydantic

    if kind in {"field_validator", "model_validator"}:
        return _validator(builder, kind, call)
    if kind in OLD_VALIDATORS or kind in {"validate_call", "deprecated"}:
        return _inert(method)
    if kind in FIELD_SERIALIZERS:
        if builder.mode == "serialization":
            raise UnsettledError("a function of the program serializes this", DECIDED_BY_CODE)
        return _inert(method)
    if kind == "computed_field":
        if builder.mode != "serialization":
            return _inert(method)
        with at("properties", method.name):
            options = arguments(builder, call.kwargs, frozenset({"repr"}))
            with refusing("@computed_field"):
                return pydantic.computed_field(**options)(_property(builder, method))
    raise UnsettledError(f"@pydantic.{kind} may change what {method.name} is", DECIDED_BY_CODE)


def _validator(builder: Builder, kind: str, call: CallValue) -> Any:
    import pydantic

    options = arguments(builder, call.kwargs, frozenset({"check_fields"}))
    names = [build_value(builder, name) for name in call.args]
    mode = options.get("mode", "after")
    with refusing(f"@{kind}"):
        if kind == "model_validator":
            decorator: Any = pydantic.model_validator(**options)
            return decorator(_model_function(mode))
        function = _wrap_method if mode == "wrap" else _method
        decorator = pydantic.field_validator(*names, check_fields=False, **options)
        return decorator(classmethod(bare(function)))


def _model_function(mode: str) -> Any:
    if mode == "after":
        return bare(_after_method)
    return classmethod(bare(_wrap_method if mode == "wrap" else _method))


def _method(cls: Any, value: Any) -> Any:  # noqa: ARG001 - the signature is pydantic's
    never(value)


def _wrap_method(cls: Any, value: Any, handler: Any) -> Any:  # noqa: ARG001 - the signature is pydantic's
    wrapper(value, handler)


def _after_method(self: Any) -> Any:
    never(self)


def _inert(method: MethodSpec) -> Any:
    names = {d.name for d in method.decorators if isinstance(d, NameSpec)}
    if names & {"builtins.classmethod"}:
        return classmethod(bare(_method))
    if any(name.startswith("builtins.property") or name == "functools.cached_property" for name in names):
        return property(bare(_after_method))
    return bare(_after_method)


def _property(builder: Builder, method: MethodSpec) -> property:
    function = bare(_after_method)
    function.__name__ = method.name
    function.__doc__ = method.doc
    if method.returns is not None:
        function.__annotations__ = {"return": builder.type(method.returns)}
    return property(function)
