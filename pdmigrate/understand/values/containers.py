"""Values that can be changed: containers, each with an identity of its own, and which of two was made first."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from pdmigrate.model import Step
from pdmigrate.understand.values.core import Const, Maybe, Unknown, Value

Stamp = tuple[int, ...]


class Work:
    """Counts what is done with values apart from the program's own steps: visiting and joining them."""

    __slots__ = ("age", "changes", "done")

    def __init__(self) -> None:
        self.done = self.changes = 0
        self.age = 0  # grows when an object changes that code which is not followed got hold of

    def taken(self) -> int:
        """What was done since this was asked before, as steps of an evaluation."""
        done, self.done = self.done // _PARTS, self.done % _PARTS
        return done


_PARTS = 16  # how many parts of values are visited or joined in the time of one step


class Births:
    """Stamps for objects, each later than the one before it.

    What is carried out only because a branch asks for it happened before the branch: its stamps are earlier than those
    of the branch, and later than those of all that was made before it.
    """

    def __init__(self) -> None:
        self._prefix: Stamp = ()
        self._counters: dict[Stamp, Iterator[int]] = {(): count(1)}

    def __next__(self) -> Stamp:
        return (*self._prefix, next(self._counters[self._prefix]))

    @contextmanager
    def earlier(self, branch: Stamp | None) -> Iterator[None]:
        """Inside, stamps are earlier than ``branch``, that of the outermost branch that is being carried out."""
        outside = self._prefix
        if branch is not None:
            self._prefix = (*branch[:-1], branch[-1] - 1)
            self._counters.setdefault(self._prefix, count(1))
        try:
            yield
        finally:
            self._prefix = outside


State = tuple[Any, Unknown | None, bool]
"""What ``save`` keeps of an object: its content, why that is not all, and whether nothing is known of it."""


class Mutable(Value):
    """A value with an identity whose content can be changed.  ``rest`` says why its content is not wholly known."""

    __slots__ = ("also", "born", "changes", "data", "exposed", "lost", "rest")

    births = Births()
    work = Work()
    empty: ClassVar[type] = dict
    data: Any

    def __init__(self, data: Any = None, rest: Unknown | None = None) -> None:
        self.data, self.rest = self.empty() if data is None else data, rest
        self.also: tuple[Mutable, ...] = ()  # what may be this object: whatever changes this one makes them unknown
        self.born = next(Mutable.births)  # which of two objects was made first
        self.changes = 0  # how often it was changed, on any path
        self.lost = False  # nothing of the content is known, and it has not been changed since it got lost
        self.exposed = -1  # the ``work.age`` in which code that is not followed got hold of it, and all that it holds

    @property
    def held(self) -> list[Value]:
        """The elements, or the values by key or name, some of them perhaps ``Maybe``."""
        return list(self.data.values() if isinstance(self.data, dict) else self.data)

    @property
    def exact(self) -> bool:
        """Whether the content is wholly known, under no condition."""
        return self.rest is None and not any(type(item) is Maybe for item in self.held)

    def save(self) -> State:
        return self.data.copy(), self.rest, self.lost

    def restore(self, state: State) -> None:
        self.changing()
        self.data, self.rest, self.lost = state[0].copy(), state[1], state[2]

    def changing(self) -> None:
        """What was concluded from the content holds no longer."""
        self.lost = False
        if self.exposed == Mutable.work.age:
            Mutable.work.age += 1


class Followed(Mutable):
    """An object that is followed through branches: a server."""

    __slots__ = ()


class ListValue(Mutable):
    __slots__ = ()

    empty = list
    data: list[Value]


class DictValue(Mutable):
    """A dict; ``data`` maps a key (``key_of``) to the key and its value, which may be a ``Maybe``."""

    __slots__ = ("made", "ordered")

    data: dict[Hashable, tuple[Value, Value]]

    def __init__(self, data: Any = None, rest: Unknown | None = None) -> None:
        super().__init__(data, rest)
        self.made: Step | None = None  # where the program writes it out, if it does
        self.ordered = False  # it is an ``OrderedDict``, whose text and equality are others

    @classmethod
    def of(cls, values: Mapping[str, Value], rest: Unknown | None = None) -> DictValue:
        """A dict whose keys are texts."""
        return cls({(True, name): (Const(name), value) for name, value in values.items()}, rest)

    @property
    def held(self) -> list[Value]:
        return [item for _, item in self.data.values()]

    def entries(self) -> Iterator[tuple[Value, Value]]:
        yield from self.data.values()

    def lookup(self, key: Hashable) -> Value | None:
        return self.data[key][1] if key in self.data else None


@dataclass(frozen=True, slots=True)
class View(Value):
    """``keys()``, ``values()`` or ``items()`` of a dict (``part``): it shows what the dict holds when it is asked."""

    source: DictValue
    part: str


class SetValue(Mutable):
    """A set, or the keys of a dict (``ordered``); ``data`` maps a key (``key_of``) to the element."""

    __slots__ = ("frozen", "ordered")

    data: dict[Hashable, Value]

    def __init__(self, data: Any = None, rest: Unknown | None = None) -> None:
        super().__init__(data, rest)
        self.ordered = self.frozen = False


class IteratorValue(Mutable):
    """A generator or iterator whose elements are known; ``data`` are those that are left.

    ``seen`` is how often any value had been changed when it was made: it may go through one that has changed since.
    ``through`` is a container that it does go through, which had been changed ``changes_before`` times.
    """

    __slots__ = ("changes_before", "seen", "through")

    empty = list
    data: list[Value]

    def __init__(self, data: Any = None, rest: Unknown | None = None, through: Mutable | None = None) -> None:
        super().__init__(data, rest)
        self.seen = Mutable.work.changes
        self.through, self.changes_before = through, through.changes if through is not None else 0

    @property
    def is_late(self) -> bool:
        return self.seen != Mutable.work.changes


def twin(value: Value) -> Value:
    """A container like ``value`` that shares its parts: what changes one of the two makes the other unknown."""
    if isinstance(value, DictValue):
        made: Mutable = DictValue({key: (written, twin(item)) for key, (written, item) in value.data.items()})
    elif isinstance(value, ListValue):
        made = ListValue([twin(item) for item in value.data])
    else:
        return value
    made.rest = value.rest
    made.also, value.also = (value,), (*value.also, made)
    return made
