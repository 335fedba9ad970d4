"""The class of all values, with the questions that every value answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.calling import Arguments
    from pdmigrate.evaluate.core.immutable import Const, Guard, Maybe, PathValue, TupleValue, UnknownValue
    from pdmigrate.evaluate.core.mutable import DictValue, IteratorValue, ListValue, SetValue
    from pdmigrate.evaluate.core.objects import ClassValue, FunctionValue, Instance, SdkObject
    from pdmigrate.tree.code.modules import SourceModule


class Place(NamedTuple):
    """A syntax node and its module; its line is computed only on demand."""

    module: SourceModule
    node: cst.CSTNode


class Origin(NamedTuple):
    """Where a value came from: the operation that made it, its place, and the origins of its operands."""

    text: str
    place: Place | None = None
    sources: tuple[Origin, ...] = ()


@dataclass(slots=True, eq=False)
class Value:
    """Anything an expression can evaluate to."""

    origin: Origin | None = field(default=None, kw_only=True)

    @property
    def text(self) -> str | None:
        """The ``str`` that the value is known to be."""
        return None

    @property
    def string(self) -> str | bytes | None:
        """The ``str`` or ``bytes`` that the value is known to be."""
        return None

    @property
    def number(self) -> int | None:
        """The whole number, or truth value, that the value is known to be."""
        return None

    def is_just(self, _plain: bool | None) -> bool:
        """Whether the value is known to be this ``None``, ``True`` or ``False``."""
        return False

    @property
    def library_name(self) -> str:
        """The full name under which a library exports the value, with ``()`` for the result of a call; else empty."""
        return ""

    @property
    def outer_name(self) -> str:
        """The name of a function or class that the program does not define; else empty."""
        return self.library_name

    @property
    def sequence(self) -> Sequence[Value] | None:
        """The known elements of a list or a tuple."""
        return None

    @property
    def by_key(self) -> dict[str, Value] | None:
        """The values of a dict that is known in full, by the text of their keys."""
        return None

    @property
    def mapping(self) -> DictValue | None:
        """The value itself, if it is a dict, or the dict behind a read-only proxy."""
        return None

    @property
    def program_class(self) -> ClassValue | None:
        """The class of an instance, if the program defines that class."""
        return None

    @property
    def as_dict(self) -> DictValue | None:
        """The value itself, if it is a dict; ``mapping`` sees through a read-only proxy, too."""
        return None

    @property
    def as_tuple(self) -> TupleValue | None:
        """The value itself, if it is a tuple or a range."""
        return None

    @property
    def as_list(self) -> ListValue | None:
        """The value itself, if it is a list, an iterator, or a tuple of unknown length."""
        return None

    @property
    def as_sdk(self) -> SdkObject | None:
        """The value itself, if it is an object of an SDK."""
        return None

    @property
    def as_iterator(self) -> IteratorValue | None:
        """The value itself, if it is an iterator."""
        return None

    @property
    def as_set(self) -> SetValue | None:
        """The value itself, if it is a set."""
        return None

    @property
    def is_result(self) -> bool:
        """Whether this is an object that a call of a library made, rather than a name that the library exports."""
        return False

    @property
    def is_server(self) -> bool:
        """Whether the value is a server of an SDK."""
        return False

    @property
    def is_callable(self) -> bool | None:
        """Whether the value can be called; ``None`` if that is not known, as for a name that a library exports."""
        return False

    @property
    def generic(self) -> str:
        """The full name of the base of a type with arguments, if a library exports that base; else empty."""
        return ""

    @property
    def types_inside(self) -> Sequence[Value]:
        """The types that a type is made of: its base and its arguments, or the elements of a list of types."""
        return self.sequence or ()

    @property
    def parts(self) -> tuple[Value, ...]:
        """The values inside this value that can never be replaced by others."""
        return self.sides

    @property
    def changes(self) -> bool:
        """Whether the value itself, and not only a part of it, can be changed in place."""
        return False

    @property
    def age(self) -> int:
        """A number that is higher for a ``Mutable`` created later; 0 for all other values."""
        return 0

    @property
    def element(self) -> Value:
        """This element of a container, without the conditions under which the container holds it."""
        return self

    @property
    def doubt(self) -> UnknownValue | None:
        """The unknown value that decides whether a container holds this element; ``None`` if it certainly does."""
        return None

    def conditional(self, made: Value) -> Value:
        """``made`` as an element under the same conditions as this element of a container."""
        return made

    @property
    def rest(self) -> UnknownValue | None:
        """Why a container or a namespace may have more, or other, content than is known."""
        return None

    @property
    def made_at(self) -> Place | None:
        """The place where the value was made; ``None`` if it is not known."""
        return self.origin.place if self.origin is not None else None

    @property
    def sources(self) -> tuple[Origin, ...]:
        """The origin of the value, as the ``sources`` of another origin; empty if it has none."""
        return (self.origin,) if self.origin is not None else ()

    @property
    def underlying(self) -> Value:
        """The function of a bound method; any other value itself."""
        return self

    @property
    def scalar(self) -> Const | None:
        """The value itself, if it is a known scalar."""
        return None

    @property
    def as_function(self) -> FunctionValue | None:
        """The value itself, if it is a function of the program."""
        return None

    @property
    def as_class(self) -> ClassValue | None:
        """The value itself, if it is a class of the program."""
        return None

    @property
    def as_instance(self) -> Instance | None:
        """The value itself, if it is an instance of a class of the program."""
        return None

    @property
    def as_path(self) -> PathValue | None:
        """The path of a file or folder of the tree, if the value is such a path or the text of one."""
        return None

    @property
    def as_unknown(self) -> UnknownValue | None:
        """The value itself, if it is unknown."""
        return None

    @property
    def made_with(self) -> Arguments | None:
        """The arguments of the library call that made the value."""
        return None

    @property
    def sides(self) -> tuple[Value, ...]:
        """The two alternatives of a ``Choice``; empty for all other values."""
        return ()

    @property
    def branches(self) -> tuple[tuple[Guard, Value], ...]:
        """The same values, each with the condition under which the value is that one."""
        return ()

    @property
    def held_if(self) -> Guard | None:
        """The condition under which a container holds this element, if there is one."""
        return None

    @property
    def as_bases(self) -> tuple[Value, ...]:
        """The MRO that a subclass inherits from the value as its base: the value itself, then its ancestors."""
        return (self,)

    @property
    def is_bound(self) -> bool:
        """Whether a name with this value is bound under every condition."""
        return True

    @property
    def when_bound(self) -> Maybe | None:
        """The value of a name that is bound only under a condition, as a ``Maybe``; ``None`` for all other values."""
        return None
