"""Asks the real pydantic, in a process of its own, what schemas a list of cases has."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.answering import Answering

ORACLE = Path(__file__).with_name("oracle.py")
PREAMBLE = """
import datetime, decimal, enum, uuid, pathlib, dataclasses, typing, collections, functools, re, ipaddress
import typing_extensions
from collections.abc import Sequence, Mapping, Iterable, Callable, MutableMapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum, auto, unique
from pathlib import Path
from typing import Any, Dict, FrozenSet, Generic, List, NamedTuple, NewType, Set, Tuple, Type, TypeVar, Union, Optional
from typing import Annotated, ClassVar, Final, Literal
from typing_extensions import NotRequired, Required, TypeAliasType, TypedDict, deprecated
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf, Timezone
import pydantic
from pydantic import (AfterValidator, AliasChoices, AliasGenerator, AliasPath, AnyHttpUrl, AnyUrl, AwareDatetime,
    Base64Bytes, Base64Str, BaseModel, BeforeValidator, ByteSize, ConfigDict, DirectoryPath, Discriminator, Field,
    FilePath, FutureDate, HttpUrl, ImportString, InstanceOf, Json, JsonValue, NaiveDatetime, NegativeInt,
    NonNegativeFloat, NonNegativeInt, PastDate, PlainSerializer, PlainValidator, PositiveFloat, PositiveInt,
    PostgresDsn, PrivateAttr,
    RootModel, SecretBytes, SecretStr, SerializeAsAny, StrictBool, StrictInt, StrictStr, StringConstraints, Tag,
    UUID4, WithJsonSchema, WrapValidator, computed_field, conbytes, condate, condecimal, confloat, conint, conlist,
    conset, constr, create_model, field_serializer, field_validator, model_serializer, model_validator, validator,
    root_validator)
from pydantic.alias_generators import to_camel, to_pascal, to_snake
from pydantic.json_schema import SkipJsonSchema
""".replace("\n    ", " ")


@dataclass(frozen=True)
class Case:
    """A model module and what is asked of it; ``modules`` are imported before it."""

    source: str
    target: str = "M"
    mode: str = "validation"
    by_alias: bool | None = None
    modules: Mapping[str, str] = field(default_factory=dict)

    @property
    def all_modules(self) -> dict[str, str]:
        every = {**self.modules, "sample.models": self.source}
        return {name: f"{PREAMBLE}\n{source}" for name, source in every.items()}

    @property
    def job(self) -> dict[str, Any]:
        return {"modules": self.all_modules, "target": self.target, "mode": self.mode, "by_alias": self.by_alias}


class Oracle(Answering):
    """A process that executes modules with the pydantic of one interpreter."""

    def __init__(self, interpreter: str = sys.executable) -> None:
        super().__init__(interpreter, "-X", "utf8", str(ORACLE))

    def ask(self, case: Case) -> dict[str, Any]:
        """``{"schema": ...}`` or ``{"error": ...}``."""
        answer: dict[str, Any] = self.answer(case.job)
        return answer


def ask(cases: Sequence[Case], interpreter: str = sys.executable) -> list[dict[str, Any]]:
    """One answer per case."""
    with Oracle(interpreter) as oracle:
        return [oracle.ask(case) for case in cases]
