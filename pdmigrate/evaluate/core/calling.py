"""The arguments of a call, and the callables that the program does not define."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pdmigrate.evaluate.core.base import Place, Value
from pdmigrate.evaluate.core.immutable import NONE, Maybe, UnknownValue, const
from pdmigrate.evaluate.core.mutable import DictValue, Entry
from pdmigrate.evaluate.core.objects import SdkObject

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class Arguments(NamedTuple):
    """The arguments of a call after spreading.

    ``unknown`` says why a spread argument could not be followed, ``doubt`` why some arguments may be absent, ``order``
    why the keywords may be in another order.  A keyword that may be absent is in ``perhaps``, and in ``keywords`` with
    an unknown value.
    """

    positional: tuple[Value, ...]
    keywords: dict[str, Value]
    unknown: UnknownValue | None = None
    place: Place | None = None
    doubt: UnknownValue | None = None
    order: UnknownValue | None = None
    perhaps: Mapping[str, Maybe] = MappingProxyType({})

    @property
    def receiver(self) -> SdkObject:
        """The first positional argument of a method of an SDK object: that object."""
        first = self.positional[0].as_sdk
        assert first is not None
        return first

    @property
    def values(self) -> tuple[Value, ...]:
        """The positional arguments, then the values of the keywords."""
        return (*self.positional, *self.keywords.values())

    @property
    def first(self) -> Value:
        """The first positional argument; the program's ``None`` if there is none."""
        return self.positional[0] if self.positional else NONE

    def at(self, index: int, default: Value = NONE) -> Value:
        """The positional argument at this index; ``default`` if there is none."""
        return self.positional[index] if len(self.positional) > index else default

    def given(self, index: int, name: str) -> Value | None:
        """The argument at this position, or else with this name; ``None`` if it is not given."""
        return self.positional[index] if len(self.positional) > index else self.keywords.get(name)

    def by_name(self, names: Iterable[str], skip: int = 0) -> dict[str, Value]:
        """The arguments by the names of the parameters; the first ``skip`` positional ones are left out."""
        return {**dict(zip(names, self.positional[skip:], strict=False)), **self.keywords}

    def collected(self, names: Iterable[str]) -> DictValue:
        """The keyword arguments with these names as a dict that keeps the doubts about their presence and order."""
        given = {name: self.perhaps.get(name, self.keywords[name]) for name in names}
        return DictValue({name: Entry(const(name), value) for name, value in given.items()}, order=self.order)


NativeCall: TypeAlias = Callable[["Interpreter", Arguments], Value]


@dataclass(slots=True, eq=False)
class Native(Value):
    """A function that the evaluator implements."""

    name: str
    call: NativeCall

    @property
    def is_callable(self) -> bool:
        return True

    @property
    def outer_name(self) -> str:
        return self.name


@dataclass(slots=True, eq=False)
class Tolerant(Native):
    """A native whose arguments do not matter: it is called even if spread arguments could not be followed."""


@dataclass(slots=True, eq=False)
class Executing(Tolerant):
    """A native that runs unknown code; handing it to other code counts as a call, since that code may call it."""


@dataclass(slots=True, eq=False)
class Partial(Value):
    """``functools.partial``"""

    function: Value
    positional: tuple[Value, ...]
    keywords: dict[str, Value]

    @property
    def changes(self) -> bool:
        return True

    @property
    def is_callable(self) -> bool:
        return True


@dataclass(slots=True, eq=False)
class FieldDefault(Value):
    """``dataclasses.field(...)`` or ``pydantic.Field(...)`` as it stands in a class body."""

    maker: str
    given: Arguments

    @property
    def made_with(self) -> Arguments:
        return self.given

    @property
    def default(self) -> Value | None:
        """The default among the arguments of the call; ``None`` if there is none."""
        first = self.given.positional[0] if self.maker == "pydantic.Field" and self.given.positional else None
        return self.given.keywords.get("default", first)
