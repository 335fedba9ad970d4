"""The short way for defaults gives what pydantic gives."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, create_model

from pdmigrate.sdk.schemas.schema import generator


class Level(enum.IntEnum):
    LOW = 1


class Color(str, enum.Enum):
    RED = "r"


class Text(str):
    __slots__ = ()


class Inner(BaseModel):
    text: str = "a"


@dataclass
class Point:
    x: int = 1


DEFAULTS = [None, True, False, 0, -7, 10**30, "", "a → b", 1.5, float("inf"), b"x", Level.LOW, Color.RED, Text("t")]
OTHERS = [timedelta(seconds=90), Decimal("1.50"), [1, Text("x")], {"a": None}, (1, 2), Inner(), Point()]
SETTINGS: list[dict[str, Any]] = [
    {},
    {"use_enum_values": True, "str_to_upper": True, "coerce_numbers_to_str": True},
    {"ser_json_timedelta": "float", "ser_json_bytes": "base64", "ser_json_inf_nan": "strings"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["plain", "texts", "json"])
@pytest.mark.parametrize("default", [*DEFAULTS, *OTHERS], ids=repr)
def test_defaults_are_encoded_as_pydantic_does(default: object, settings: dict[str, Any]) -> None:
    base = type("Base", (BaseModel,), {"model_config": ConfigDict(arbitrary_types_allowed=True, **settings)})
    model = create_model("Model", __base__=base, plain=(Any, default), typed=(type(default), default))
    for mode in ("validation", "serialization"):
        expected = _schema(model, mode)
        assert _schema(model, mode, schema_generator=generator()) == expected
        assert repr(_schema(model, mode, schema_generator=generator())) == repr(expected)


def _schema(model: type[BaseModel], mode: Any, **options: Any) -> object:
    try:
        return model.model_json_schema(mode=mode, **options)
    except Exception as error:  # noqa: BLE001 - of which only the type is compared
        return type(error)
