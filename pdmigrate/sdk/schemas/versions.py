"""Whether another version of pydantic makes the same JSON Schema of a type as the installed one.

Measured with 2.10.6 to 2.14.3 on the case tables and on random modules of the tests: the few changes in between are
listed here.  Of earlier versions, in which much was different, nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from pdmigrate.model import Unknown
from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.shapes import parts
from pdmigrate.sdk.schemas.unsettled import OTHER_VERSION, UnsettledError

Version: TypeAlias = tuple[int, int, int]

OLDEST: Version = (2, 10, 6)
NEWEST: Version = (2, 15, 0)
"""The first version that was not measured."""


def _is_decimal(part: Any) -> bool:
    return part == specs.NameSpec("decimal.Decimal") or getattr(part, "callee", "").endswith(".condecimal")


def _holds_anything(part: Any) -> bool:
    """Whether it may be a dict of values of any type, or the type of such values."""
    name = getattr(part, "name", "")
    return name in ("typing.Any", "builtins.object") or name.endswith(("dict", "Dict", "Mapping", ".JsonValue"))


SETTINGS = ("serialize_by_", "ser_json_", "str_", "validate_by_", "val_json_")


def _has_setting(part: Any) -> bool:
    if not isinstance(part, specs.ModelSpec):
        return False
    settings = [pairs for pairs in (part.config, part.config_class, part.keywords) if isinstance(pairs, tuple)]
    return any(name.startswith(SETTINGS) for pairs in settings for name, _ in pairs)


def _is_described_twice(part: Any) -> bool:
    if not isinstance(part, specs.FieldSpec) or not isinstance(part.default, specs.CallValue):
        return False
    return any(isinstance(inner, specs.CallValue) for inner in parts(part.annotation))


def _is_documented_dataclass(part: Any) -> bool:
    return isinstance(part, specs.DataclassSpec) and part.doc is not None


def _is_described_root(part: Any) -> bool:
    return isinstance(part, specs.FieldSpec) and part.name == "root" and isinstance(part.default, specs.CallValue)


DIFFERENCES: tuple[tuple[Version, Version, str, Callable[[Any], bool]], ...] = (
    ((2, 10, 6), (2, 11, 0), "a dict of values of any type", _holds_anything),
    ((2, 11, 10), (2, 12, 0), "a Decimal", _is_decimal),
    ((2, 11, 10), (2, 12, 0), "a field with arguments in annotation and default", _is_described_twice),
    ((2, 12, 5), (2, 13, 0), "a dataclass with a docstring", _is_documented_dataclass),
    ((2, 13, 0), (2, 13, 5), "the arguments of Field on a root model", _is_described_root),
    ((2, 13, 5), (2, 14, 0), "a Decimal", _is_decimal),
    ((2, 13, 5), (2, 14, 0), "a setting of how values are read or written", _has_setting),
)
"""The constructs whose schema changed: the last version with the previous one, the first with the new one, and what."""


def agrees(version: str, spec: specs.TypeSpec) -> Literal[True] | Unknown:
    """``True`` if pydantic ``version`` is known to make the same schema of ``spec`` as the installed one.

    Otherwise an ``Unknown`` that says what differs, or that nothing is known of that version.
    """
    import pydantic

    here = pydantic.VERSION
    if version == here or (reason := _difference(parse_version(version), parse_version(here), spec)) is None:
        return True
    return Unknown(f"{reason}; the server runs on pydantic {version}, pdmigrate on {here}", OTHER_VERSION)


def check(function: specs.FunctionSpec, parameters: Iterable[specs.ParameterSpec], version: str) -> None:
    """Refuse parameters, or a result as the only one, whose schema may differ under the target's version."""
    fields = tuple(specs.FieldSpec(item.name, item.annotation, item.default) for item in parameters)
    model = specs.ModelSpec(name=function.name, module=function.module, fields=fields)
    found = agrees(version, model) if version else Unknown("the version of pydantic is not known", OTHER_VERSION)
    if found is not True:
        raise UnsettledError(found.reason, found.code, function.site)


def _difference(theirs: Version | None, ours: Version | None, spec: specs.TypeSpec) -> str | None:
    if theirs is None or ours is None:
        return "the version cannot be compared"
    if theirs[:2] != ours[:2] and not OLDEST <= min(theirs, ours) <= max(theirs, ours) < NEWEST:
        return "how the schemas of these versions differ has not been measured"
    for old, new, what, concerns in DIFFERENCES:
        between = min(theirs, ours) < new and max(theirs, ours) > old
        # Wrapped in a field, so that a type on its own counts like one in a class.
        if between and any(map(concerns, parts(specs.FieldSpec("", spec)))):
            return f"since pydantic {'.'.join(map(str, new))} the schema of {what} is different"
    return None


def parse_version(text: str) -> Version | None:
    """The three numbers of a version; ``None`` for a pre-release, or a text that is not a version."""
    match = re.fullmatch(r"(\d+)\.(\d+)(?:\.(\d+))?(?:\.post\d+)?(?:\+\S+)?", text)
    return match and (int(match[1]), int(match[2]), int(match[3] or 0))
