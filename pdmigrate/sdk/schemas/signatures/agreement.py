"""Whether the target's version of pydantic makes the same schemas of a function as the installed one."""

from __future__ import annotations

from pdmigrate.sdk.schemas.specs import FieldSpec, FunctionSpec, ModelSpec, ParameterSpec, TypeSpec
from pdmigrate.sdk.schemas.unsettled import OTHER_VERSION, UnsettledError
from pdmigrate.sdk.schemas.versions import agrees


def check_parameters(function: FunctionSpec, parameters: list[ParameterSpec], version: str) -> None:
    """Refuse parameters whose schema may differ under the target's version.

    Raises:
        UnsettledError: the schema may differ, or the version is not known.
    """
    fields = tuple(FieldSpec(item.name, item.annotation, item.default) for item in parameters)
    _check(function, fields, version)


def check_result(function: FunctionSpec, returns: TypeSpec, version: str) -> None:
    """Refuse a result whose schema may differ under the target's version.

    Raises:
        UnsettledError: as ``check_parameters``.
    """
    _check(function, (FieldSpec("result", returns),), version)


def _check(function: FunctionSpec, fields: tuple[FieldSpec, ...], version: str) -> None:
    model = ModelSpec(name=function.name, module=function.module, fields=fields)
    found = agrees(version, model) if version else None
    if found is None:
        raise UnsettledError("the version of pydantic is not known", OTHER_VERSION, function.site)
    if found is not True:
        raise UnsettledError(found.reason, found.code, function.site)
