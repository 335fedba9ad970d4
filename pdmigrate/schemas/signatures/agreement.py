"""Whether the pydantic of the target makes the schemas of a function that the one here makes."""

from __future__ import annotations

from pdmigrate.schemas.specs import FieldSpec, FunctionSpec, ModelSpec, ParameterSpec, TypeSpec
from pdmigrate.schemas.unsettled import OTHER_VERSION, UnsettledError
from pdmigrate.schemas.versions import agrees


def check_parameters(function: FunctionSpec, parameters: list[ParameterSpec], version: str) -> None:
    """Refuse parameters of which the schema may be another one there.

    Raises:
        UnsettledError: it may be, or nothing is known of that version.
    """
    fields = tuple(FieldSpec(item.name, item.annotation, item.default) for item in parameters)
    _check(function, fields, version)


def check_result(function: FunctionSpec, returns: TypeSpec, version: str) -> None:
    """Refuse a result of which the schema may be another one there.

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
