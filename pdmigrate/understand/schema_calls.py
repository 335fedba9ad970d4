"""``Model.model_json_schema(...)`` and ``TypeAdapter(T).json_schema(...)`` of a program, carried out by pydantic."""

from __future__ import annotations

from typing import Any

from pdmigrate.model import Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.schemas import agrees, model_json_schema, type_adapter_json_schema
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.core import Const, Value


def schema_of(run: Run, kind: Value, arguments: Arguments, what: str) -> Known | UnknownField:
    """The JSON Schema of a model or type of the program, if the version of pydantic makes the same as this one's."""
    options: dict[str, Any] = {}
    for name, value in arguments.keywords.items():
        if name not in ("by_alias", "mode", "ref_template") or not isinstance(value, Const):
            return UnknownField(f"the option {name} of a schema", "PD307")
        options[name] = value.value
    if arguments.positional or arguments.unknown is not None:
        return UnknownField("the options of a schema", "PD307")
    spec = Specs(run).type(kind)
    make = model_json_schema if what == "model" else type_adapter_json_schema
    agreed = agrees(run.versions.get("pydantic", ""), spec)
    return make(spec, **options) if agreed is True else agreed
