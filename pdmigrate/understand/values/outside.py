"""Values that stand for what they are outside an evaluation: objects of libraries, types, modules, paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdmigrate.model import Site
from pdmigrate.understand.values.core import Value

if TYPE_CHECKING:
    from pdmigrate.understand.index.modules import Module


@dataclass(frozen=True, slots=True)
class External(Value):
    """An object of a library by its dotted name, as the program imported it: ``mcp.types.Tool``, ``builtins.str``."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Called(Value):
    """The result of a call of a library, kept as it is written: ``Field(gt=0)``, ``re.compile("x")``."""

    callee: str
    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Subscripted(Value):
    """``base[args]`` of types: ``list[int]``, ``Optional[str]``, ``Annotated[int, Field(gt=0)]``."""

    base: Value
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class UnionType(Value):
    """``A | B`` of types."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ModuleValue(Value):
    """A module of the program."""

    module: Module


@dataclass(frozen=True, slots=True)
class PathValue(Value):
    """A path below the root of the program, or its text; where the root lies depends on the installation."""

    path: str


def external_name(value: Value) -> str:
    """The dotted name of an object of a library; empty for all others."""
    if isinstance(value, External):
        return value.name
    if isinstance(value, Subscripted):
        return external_name(value.base)
    return ""
