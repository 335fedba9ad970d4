"""The books that a run keeps beside the state of the program: calls, objects, definitions, assumptions, nesting."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.values import (
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    IteratorValue,
    SdkObject,
    Value,
)

if TYPE_CHECKING:
    import libcst as cst

LEAST_TO_LEAVE_OUT = 2_000
"""A function that took fewer steps is not worth leaving out."""


@dataclass(slots=True, eq=False)
class Calls:
    """The calls of the program's functions: which calls are followed, and how many steps they took."""

    under_way: list[FunctionValue] = field(default_factory=list)
    executed: set[cst.CSTNode] = field(default_factory=set)
    """The functions that ran at least once."""
    spent: dict[FunctionValue, int] = field(default_factory=dict)
    """The steps that calls of each function took, nested calls included."""
    left_out: Container[cst.CSTNode | None] = ()
    """Functions whose calls are not followed, since they take too many steps."""
    never_left_out: set[cst.CSTNode | None] = field(default_factory=set)
    """Functions that must be followed: a server is created while they run, or the program starts with them."""

    def begin(self, function: FunctionValue) -> bool:
        """Note that a call of ``function`` begins; return whether no other call of it is under way."""
        assert function.node is not None
        self.executed.add(function.node)
        outer = function not in self.under_way
        self.under_way.append(function)
        return outer

    def end(self, function: FunctionValue, steps: int | None) -> None:
        """Note that the innermost call, of ``function``, ended; ``steps`` is ``None`` if an outer call counts them."""
        self.under_way.pop()
        if steps is not None:
            self.spent[function] = self.spent.get(function, 0) + steps

    def nested(self, node: cst.CSTNode | None) -> int:
        """How many nested calls of a function are under way."""
        return sum(1 for caller in self.under_way if caller.node is node)

    def never_leave_out(self, nodes: Iterable[cst.CSTNode | None]) -> None:
        """Never leave out these functions."""
        self.never_left_out.update(nodes)

    def never_leave_out_callers(self) -> None:
        """Never leave out the functions whose calls are under way."""
        self.never_leave_out(function.node for function in self.under_way)

    def explained(self, exceeded: Exception) -> str:
        """The message of ``exceeded``, with the function that took most of the steps."""
        most = self._ancestors()
        if not most:
            return str(exceeded)
        least = most[0]
        place = f" in {least.module.path}" if least.module is not None else ""
        return f"{exceeded}; most of them went into {least.name}(){place}"

    def too_long(self) -> cst.CSTNode | None:
        """The function whose calls are best left out after the budget was exceeded; ``None`` if there is none."""
        most = self._ancestors()
        total = max(self.spent.values(), default=0)
        # If one phase of the program took most steps, leave out the whole phase: the rest of it may cost as much again.
        steps = [function for function in most if 0.75 * total < self.spent[function] < 0.95 * total]
        for function in (*steps[:1], *most[:1]):
            if function.node not in self.never_left_out:
                return function.node
        others = [
            function for function in self.spent if function not in most and function.node not in self.never_left_out
        ]
        heaviest = max(others, key=lambda function: self.spent[function], default=None)
        return heaviest.node if heaviest is not None and self.spent[heaviest] >= LEAST_TO_LEAVE_OUT else None

    def _ancestors(self) -> list[FunctionValue]:
        """The functions that took more than half of the steps, the innermost first; the outermost took all of them."""
        total = max(self.spent.values(), default=0)
        most = [function for function, steps in self.spent.items() if 2 * steps > total and function.node is not None]
        return sorted(most, key=lambda function: self.spent[function])


@dataclass(slots=True, eq=False)
class Made:
    """The objects of the SDK that the program made, and what happens when it starts a server."""

    by_call: dict[cst.CSTNode, list[SdkObject]] = field(default_factory=dict)
    """The objects that each call made."""
    servers: list[SdkObject] = field(default_factory=list)
    """The low-level servers, wherever they were made."""
    on_start: Callable[[SdkObject], None] | None = None
    """Called with each server that the program starts, in the state of that moment."""

    def add(self, made: SdkObject) -> list[SdkObject]:
        """Note a new object, and return all objects that the same call made, this one included."""
        if made.place is None:
            return [made]
        together = self.by_call.setdefault(made.place.node, [])
        together.append(made)
        return together

    @property
    def objects(self) -> list[SdkObject]:
        """All objects, grouped by the call that made them, in the order in which these calls first ran."""
        return [item for items in self.by_call.values() for item in items]

    def started(self, server: SdkObject) -> None:
        """Note that the program starts a server."""
        if self.on_start is not None:
            self.on_start(server)

    def forget(self) -> None:
        """Forget the calls whose objects are all ``repeated``, to count their objects anew for the next server.

        A call that made a low-level server is kept.
        """
        self.by_call = {
            node: items
            for node, items in self.by_call.items()
            if any(item.type.endswith(".Server") or not item.repeated for item in items)
        }

    def forget_since(self, born: int) -> None:
        """Forget the objects that were made after the serial ``born``."""
        for node, items in self.by_call.items():
            self.by_call[node] = [item for item in items if item.serial <= born]


@dataclass(slots=True, eq=False)
class Defined:
    """What the definitions of the program made."""

    functions: dict[cst.CSTNode, FunctionValue] = field(default_factory=dict)
    """The function that each definition made last."""
    classes: dict[cst.CSTNode, ClassValue] = field(default_factory=dict)
    """The class that each class statement made last."""
    instances: dict[ClassValue, dict[Instance, None]] = field(default_factory=dict)
    """The instances that calls of each class returned, in order."""
    special: set[str] = field(default_factory=set)
    """The names of all special methods that classes of the program define."""

    def add_instance(self, cls: ClassValue, instance: Instance) -> None:
        """Note the instance that a call of ``cls`` returns, unless an earlier call returned the same object."""
        self.instances.setdefault(cls, {}).setdefault(instance)

    def instance_of(self, cls: ClassValue) -> Instance | None:
        """The instance of ``cls`` that was made last; ``None`` if there is none."""
        return next(reversed(self.instances.get(cls, {})), None)


@dataclass(slots=True, eq=False)
class Assumed:
    """How the program is run, and what is assumed of its settings."""

    script: str | None = None
    """The module that is run as a script: its ``__name__`` is ``__main__``."""
    with_defaults: bool = False
    """Whether every setting for which the program gives a default is assumed to have it."""
    has_defaults: bool = False
    """Whether the program gives any default: without one, ``with_defaults`` changes nothing."""
    options: dict[str, Value] = field(default_factory=dict)
    """If ``with_defaults``: the defaults of the program's command-line options."""
    after_start: bool = False
    """True while the list handler is evaluated: functions that did not run at start may have run by then."""

    def default_is_given(self) -> bool:
        """Note that the program gives a default for a setting; return whether the setting is assumed to have it."""
        self.has_defaults = True
        return self.with_defaults

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Evaluate the ``with`` block as code that runs after the server has started."""
        self.after_start = True
        try:
            yield
        finally:
            self.after_start = False


@dataclass(slots=True, eq=False)
class Nesting:
    """The loops, tasks, iterators and class statements being evaluated; ``Calls`` has the calls of functions."""

    loops: int = 0
    """How many nested loops of the program."""
    tasks: int = 0
    """How many nested tasks, which run concurrently with the program."""
    iterators_read: list[list[IteratorValue]] = field(default_factory=list)
    """For each iterator whose elements are being computed: the iterators read so far to compute them."""
    open_classes: list[tuple[ClassValue, Callable[[], None]]] = field(default_factory=list)
    """The classes whose body ran and whose metaclass is still at work, each with a function to end its statement."""

    def mark(self) -> tuple[int, int]:
        """How deep the nesting of loops and iterators is."""
        return self.loops, len(self.iterators_read)

    def unwind(self, mark: tuple[int, int]) -> None:
        """Return to a ``mark`` after the evaluation was broken off inside."""
        self.loops, reading = mark
        del self.iterators_read[reading:]


@dataclass(slots=True, eq=False)
class Remembered:
    """What was computed once and holds for the whole run."""

    mentions: dict[tuple[str, cst.CSTNode], bool] = field(default_factory=dict)
    """Whether a function, given by its file and definition, is mentioned (``usage.py``)."""
    locals: dict[cst.FunctionDef | cst.Lambda, frozenset[str]] = field(default_factory=dict)
    """The names that each function binds."""
    yields: dict[cst.FunctionDef, bool] = field(default_factory=dict)
    """Whether a function is a generator."""
    model_fields: dict[ClassValue, DictValue] = field(default_factory=dict)
    """The value of ``model_fields`` for each class of which the program has read it."""
