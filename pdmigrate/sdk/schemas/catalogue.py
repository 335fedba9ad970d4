"""The modules of the standard library and of pydantic whose names are resolved, and their callables that are called.

Other names are never looked up: neither the target nor any other package is ever imported.
"""

from __future__ import annotations

import importlib
import sys
from functools import lru_cache
from typing import Any

from pdmigrate.sdk.schemas.unsettled import REFUSED, UNKNOWN_NAME, UnsettledError

CALLED = {
    "annotated_types": "DocInfo Ge Gt Interval IsFinite Le Len Lt MaxLen MinLen MultipleOf Timezone doc",
    "builtins": "bytes dict float frozenset int list set str tuple",
    "collections": "OrderedDict",
    "dataclasses": "field",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "ipaddress": "IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network",
    "pathlib": "Path PosixPath PurePath PurePosixPath PureWindowsPath",
    "pydantic": """
        AfterValidator AliasChoices AliasGenerator AliasPath AllowInfNan AnyHttpUrl AnyUrl BeforeValidator ConfigDict
        Discriminator FailFast Field FileUrl GetPydanticSchema HttpUrl PlainSerializer PlainValidator PrivateAttr
        SecretBytes SecretStr SerializeAsAny SkipValidation Strict StringConstraints Tag UrlConstraints WithJsonSchema
        conbytes condate condecimal confloat confrozenset conint conlist conset constr
        with_config
    """,
    "pydantic.json_schema": "Examples SkipJsonSchema",
    "typing": "NewType",
    "typing_extensions": "Doc NewType deprecated",
    "uuid": "UUID",
}
"""Callables whose result depends only on their arguments, by module."""
OF_PYDANTIC = (
    "alias_generators aliases color config dataclasses fields functional_serializers functional_validators main "
    "networks root_model types"
)
OTHERS = ("abc", "collections.abc", "enum", "functools", "pydantic_core", "re", "types")
MODULES = frozenset({*CALLED, *OTHERS, *(f"pydantic.{name}" for name in OF_PYDANTIC.split())})


def resolve(name: str) -> Any:
    """The object that a full dotted name refers to.

    Raises UnsettledError if the name is not in the catalogue, or this Python or pydantic does not have it.
    """
    own = name.removeprefix("builtins.")
    if name == "builtins.None":
        return None
    if name.startswith("pydantic.v1."):
        raise UnsettledError(f"{name}: the old pydantic in the new one is not followed", UNKNOWN_NAME)
    module, _, attribute = name.rpartition(".")
    owner = ""
    if module not in MODULES:
        module, _, owner = module.rpartition(".")
    if module not in MODULES:
        raise UnsettledError(f"{own} cannot be resolved without importing it", UNKNOWN_NAME)
    try:
        found: Any = importlib.import_module(module)
        for part in filter(None, (owner, attribute)):
            found = _attribute(found, part)
    except (AttributeError, ImportError) as error:
        reason = f"{own} is not in Python 3.{sys.version_info.minor} with the pydantic that pdmigrate runs on"
        raise UnsettledError(reason, REFUSED) from error
    return found


def _attribute(owner: Any, name: str) -> Any:
    if getattr(owner, "__name__", "") == "typing" and not hasattr(owner, name):
        owner = importlib.import_module("typing_extensions")  # the target's Python may be newer than this one
    return getattr(owner, name)


def resolve_call(name: str) -> Any:
    """The callable that a name refers to, if its result depends only on the arguments.

    Raises UnsettledError as ``resolve`` does, or if the callable is not in ``CALLED``.
    """
    found = resolve(name)
    if not any(found is callee for callee in _callables()):
        raise UnsettledError(f"the result of {name.removeprefix('builtins.')}() is only known when the program runs")
    return found


@lru_cache(maxsize=1)
def _callables() -> tuple[Any, ...]:
    found = []
    for module, names in CALLED.items():
        owner = importlib.import_module(module)
        found += [getattr(owner, name) for name in names.split() if hasattr(owner, name)]
    return tuple(found)
