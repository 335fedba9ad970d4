"""What the functions and decorators of a class have to do with its schema: nothing, or they decide it.

A function of the target is never called.
"""

from __future__ import annotations

from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, UnsettledError, at, unsettled

HOOKS = frozenset(
    {
        *("__class_getitem__", "__init_subclass__", "_generate_next_value_", "model_parametrized_name"),
        *("__get_pydantic_core_schema__", "__get_pydantic_json_schema__", "__pydantic_init_subclass__"),
        *("__prepare_pydantic_annotations__", "__pydantic_on_complete__", "__get_validators__", "__modify_schema__"),
    }
)
"""Functions by which a class decides its own schema, or those of its subclasses."""
OVERRIDES = frozenset({"model_json_schema", "schema"})
"""Functions that replace the schema that pydantic gives for the class itself."""

TYPING = ("typing", "typing_extensions")
HARMLESS = frozenset(
    {
        *("abc.abstractmethod", "contextlib.asynccontextmanager", "contextlib.contextmanager"),
        *(f"builtins.{name}" for name in ("classmethod", "property", "staticmethod")),
        *(f"functools.{name}" for name in ("cache", "cached_property", "lru_cache")),
        *(f"{module}.{name}" for module in TYPING for name in ("final", "overload", "override")),
    }
)
"""Decorators of functions that do not affect a schema."""
CHECKING = frozenset(
    {"deprecated", "field_validator", "model_validator", "root_validator", "validate_call", "validator"}
)
SERIALIZING = frozenset({"computed_field", "field_serializer", "model_serializer"})
"""Decorators of pydantic's that matter only to the form in which an instance is sent."""
AFTER = specs.PlainValue("after")
WAYS: tuple[specs.ValueSpec, ...] = (AFTER, specs.PlainValue("before"), specs.PlainValue("wrap"))
"""Modes of a validator in which it accepts the values that the schema without it describes."""
VALIDATORS = frozenset({"BeforeValidator", "AfterValidator", "PlainValidator"})
SERIALIZERS = frozenset({"PlainSerializer"})


def check_class(spec: specs.ClassSpec) -> None:
    """Refuse a class whose own code decides its schema."""
    hooks = HOOKS | {"__new__", "__init__"} if isinstance(spec, specs.EnumSpec) else HOOKS
    check_methods(spec, hooks)
    if any(name == "metaclass" for name, _ in getattr(spec, "keywords", ())):
        raise UnsettledError(f"{spec.name} has a metaclass of its own", DECIDED_BY_CODE)
    for decorator in spec.decorators:
        raise UnsettledError(f"@{_name_of(decorator)} may change what {spec.name} is", DECIDED_BY_CODE)


def check_methods(spec: specs.ClassSpec, names: frozenset[str]) -> None:
    """Refuse a class that has a function with one of ``names``."""
    for method in spec.methods:
        if method.name in names:
            reason = f"{spec.name}.{method.name} decides this when the program runs"
            raise UnsettledError(reason, DECIDED_BY_CODE, method.site)


def check_method(method: specs.MethodSpec, mode: str) -> None:
    """Refuse a function of a model that its decorators make a part of the schema."""
    for decorator in method.decorators:
        with at(site=method.site):
            name = _name_of(decorator)
            kind = name.rpartition(".")[2]
            if name in HARMLESS:
                continue
            if not name.startswith("pydantic.") or kind not in CHECKING | SERIALIZING:
                raise UnsettledError(f"@{name} may change what {method.name} is", DECIDED_BY_CODE)
            if kind in SERIALIZING and mode == "serialization":
                raise UnsettledError(f"@{name}: a function of the program makes a part of this", DECIDED_BY_CODE)
            given = dict(decorator.kwargs) if isinstance(decorator, specs.CallValue) else {}
            if "json_schema_input_type" in given or given.get("mode", AFTER) not in WAYS:
                raise UnsettledError(f"@{name} may accept values of another type", DECIDED_BY_CODE)
            return


def _name_of(decorator: specs.ValueSpec) -> str:
    if isinstance(decorator, specs.NameSpec):
        return decorator.name
    if isinstance(decorator, specs.CallValue):
        return decorator.callee
    if isinstance(decorator, specs.UnknownSpec):
        raise unsettled(decorator)
    raise UnsettledError("a decorator of the program decides this", DECIDED_BY_CODE)
