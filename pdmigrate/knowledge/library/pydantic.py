"""``pydantic``: fields, dataclasses and type adapters; its models are classes of the program (``types/models.py``)."""

from __future__ import annotations

from pdmigrate.evaluate.core.natives import declare
from pdmigrate.evaluate.core.values import External
from pdmigrate.knowledge.library.dataclasses import decorator, field

declare(
    {
        "pydantic.dataclasses.dataclass": decorator("pydantic.dataclasses.dataclass"),
        **dict.fromkeys(("pydantic.Field", "pydantic.fields.Field"), field("pydantic.Field", "pydantic field")),
        # Only ``json_schema`` of an adapter is followed.
        "pydantic.TypeAdapter": lambda _run, arguments: External("pydantic.TypeAdapter()", arguments),
    }
)
