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
        """The name under which a library exports the value, or what was called to make it; else empty."""
        return ""

    @property
    def outer_name(self) -> str:
        """The name of a function or class that the program does not define; else empty."""
        return self.library_name

    @property
    def sequence(self) -> Sequence[Value] | None:
        """The elements of a list or a tuple, as far as they are known."""
        return None

    @property
    def by_key(self) -> dict[str, Value] | None:
        """The values of a dict that is known in full, by the text of their keys."""
        return None

    @property
    def mapping(self) -> DictValue | None:
        """The dict that the value is, or of which it is a read-only proxy."""
        return None

    @property
    def program_class(self) -> ClassValue | None:
        """The class of the program of which the value is an instance."""
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
        """Whether the value is certainly a function or a class; ``None`` where only its name is known."""
        return False

    @property
    def generic(self) -> str:
        """The full name of the type that has the arguments of this type, where a library exports it; else empty."""
        return ""

    @property
    def types_inside(self) -> Sequence[Value]:
        """The types that a type is made of: what is subscripted, and its arguments; the elements of a list of types."""
        return self.sequence or ()

    @property
    def parts(self) -> tuple[Value, ...]:
        """The values inside that nothing can exchange for others."""
        return self.sides

    @property
    def changes(self) -> bool:
        """Whether the value itself, and not only a part of it, can be changed in place."""
        return False

    @property
    def age(self) -> int:
        """How many objects that change were made before this one."""
        return 0

    @property
    def element(self) -> Value:
        """The value that a container holds, or may hold: without the conditions on which it does."""
        return self

    @property
    def doubt(self) -> UnknownValue | None:
        """What decides whether a container holds this element at all."""
        return None

    def conditional(self, made: Value) -> Value:
        """``made`` under the conditions on which a container holds this element."""
        return made

    @property
    def rest(self) -> UnknownValue | None:
        """Why there may be more inside the value than is known, or other things."""
        return None

    @property
    def made_at(self) -> Place | None:
        """Where the value was made, as far as that is known."""
        return self.origin.place if self.origin is not None else None

    @property
    def sources(self) -> tuple[Origin, ...]:
        """The value as a source of the origin of another one."""
        return (self.origin,) if self.origin is not None else ()

    @property
    def unbound(self) -> Value:
        """What is called in the end: for a bound method its function, for all other values the value itself."""
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
        """The file or folder of the tree that the value is, or whose path the value is as text."""
        return None

    @property
    def as_unknown(self) -> UnknownValue | None:
        """The value itself, if source does not settle it."""
        return None

    @property
    def made_with(self) -> Arguments | None:
        """The arguments of the call of a library whose result the value is."""
        return None

    @property
    def sides(self) -> tuple[Value, ...]:
        """The values of which the value is one, depending on a condition that is not known."""
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
        """The classes from which a class derives whose base the value is: the value itself, then its ancestors."""
        return (self,)

    @property
    def is_bound(self) -> bool:
        """Whether a name with this value is bound, whatever holds."""
        return True

    @property
    def when_bound(self) -> Maybe | None:
        """The value that a name with this value has where it is bound, and on which condition it is bound."""
        return None
