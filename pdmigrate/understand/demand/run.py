"""One evaluation: its state, its budget, and the tables by which its operations are found.

The modules of this package and of ``library`` and ``servers`` enter their functions in the tables, so that no module
needs to know the ones above it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from pdmigrate.model import Site
from pdmigrate.understand.values.calls import Arguments, UnfitError
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import BUDGET, CONDITION, MUTATED, OUTSIDE, UNSUPPORTED, Unknown, Value
from pdmigrate.understand.values.journal import Journal, Path, reachable
from pdmigrate.understand.values.objects import Named, Scope

if TYPE_CHECKING:
    from pdmigrate.understand.demand.positions import Branch
    from pdmigrate.understand.demand.program import Program

STEPS = 1_200_000  # the steps of one demand: a step is an expression or a statement
WHOLE = 2_000_000  # the steps of all demands together: what is asked for after them is not known
LEAST = 20_000  # the steps that a call may use in any case, if that many are left
ANY_NAME = "?"
DEEPEST = 60  # the most calls inside one another


@dataclass(eq=False)
class Region:
    """What paths leave early: a function, a loop (``break``), an iteration (``continue``) or a ``try`` (``raise``)."""

    kind: str
    level: int
    exits: list[tuple[Value, Path, str]] = field(default_factory=list)
    bound: dict[Named, set[str]] = field(default_factory=dict)  # the names that were bound in a ``try``
    around: Branch | None = None  # the branch in which the stretch is
    left: Branch | None = None  # the branch in which a path leaves early
    missing: bool = False  # a ``try`` catches nothing but an ``ImportError``


class RaisedError(Exception):
    """Every path that reaches this point ends in an exception.  ``kind`` is the dotted name of its class, if known.

    ``noted``: the handlers around know of it, each path with the class of its exception.
    """

    def __init__(self, kind: str = "", message: str = "", site: Site | None = None, *, noted: bool = False) -> None:
        name = kind.rpartition(".")[2] or "an exception"
        super().__init__(f"{name}: {message}" if message else name)  # as Python's last line has it
        self.kind, self.message, self.site, self.noted = kind, message, site, noted


def raised(error: Exception, site: Site | None) -> RaisedError:
    """What the program raises where a function of Python has raised ``error``."""
    return RaisedError(f"{type(error).__module__}.{type(error).__qualname__}", str(error), site)


class ExhaustedError(Exception):
    """The budget of a demand is used up."""


Expression = Callable[["Run", Any, Scope], Value]
Statement = Callable[["Run", Any, Scope], bool]
EXPRESSIONS: dict[type, Expression] = {}  # how an expression is evaluated, by the class of its node
STATEMENTS: dict[type, Statement] = {}  # how a statement is carried out: ``True`` if what follows it may be reached
ATTRIBUTES: dict[type, Callable[[Run, Any, str], Value]] = {}  # how an attribute is read, by the class of the value
ITERATED: dict[type, Callable[[Run, Any], Value]] = {}
"""What a loop goes through, by the class of the value, where that is no container."""
SETTERS: dict[type, Callable[[Run, Any, str, Value], None]] = {}  # how an attribute is set, by the class of the value
CALLS: dict[type, Callable[[Run, Any, Arguments], Value]] = {}  # how a value is called, by its class
LIBRARY: dict[str, Callable[[Run, Arguments], Value]] = {}
"""The functions and classes of libraries that are known, by dotted name."""
LIBRARY_RULES: list[Callable[[Run, str, Arguments], Value | None]] = []
"""Rules for many names of libraries; the first that answers decides."""
CONSTANTS: dict[str, Callable[[Run], Value]] = {}
"""The attributes of library modules that are no functions: ``sys.modules``, ``os.environ``."""
INSTANCES: list[Callable[[Run, Any, Arguments], Value | None]] = []
"""Rules for making objects of program classes that derive from library classes."""


_F = TypeVar("_F", bound=Callable[..., Any])


def entry(table: dict[Any, Any]) -> Callable[..., Callable[[_F], _F]]:
    """A decorator that enters a function in ``table``, under all keys that it is given."""

    def under(*keys: Any) -> Callable[[_F], _F]:
        def enter(function: _F) -> _F:
            table.update(dict.fromkeys(keys, function))
            return function

        return enter

    return under


def by_rules(rules: Sequence[Callable[..., Value | None]], *asked: Any) -> Value | None:
    """What the first of ``rules`` says that says anything."""
    return next((found for rule in rules if (found := rule(*asked)) is not None), None)


_OPERATIONS = (ast.Call, ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.UnaryOp)
_RAISING = frozenset({UNSUPPORTED, OUTSIDE, BUDGET, MUTATED, CONDITION})
"""What is not known for these reasons may be an exception instead."""


class Run:
    """An evaluation of one program, as it starts in one way."""

    def __init__(self, program: Program, versions: Mapping[str, str], *, with_defaults: bool = False) -> None:
        self.program = program
        self.with_defaults = with_defaults  # every setting for which the program gives a default has it
        self.has_defaults = False  # the program gives any default: without one, ``with_defaults`` changes nothing
        self.versions = versions
        self.journal = Journal()
        self.left = STEPS
        self.whole = WHOLE
        self.depth = 0
        self.risk = False  # something that may raise has been carried out since this was last cleared
        self.failing: set[str] = set()
        """What modules may have raised that were loaded where somebody would see it: names of classes, or nothing."""
        self.regions: list[Region] = []
        self.escapes: list[str] = []  # the exceptions that end a path, and are caught nowhere
        self.branch: Branch | None = None  # on what it depends whether the present code is reached
        self.calls: list[Hashable] = []  # the calls in progress, of those that know nothing of their data
        self.loops = 0  # how many loops are being carried out whose rounds are not known
        self.servers: list[Any] = []
        self.memory: dict[Any, Any] = {}
        self.yields: list[Any] = []
        self.spoken: set[str] = set()  # the names that the classes made by now define; ``ANY_NAME``: perhaps any
        self.ending = False  # a path is carried out after which the program ends
        self.answering = False  # a server is asked for its list now: all that runs at its start has run
        self.awaiting = False
        """Whether an event loop may be running: a coroutine is carried out, or what is called from outside."""
        self.part_runs: set[ast.AST] = set()  # the generators that run now or never, perhaps in part
        self.whole_runs: set[ast.AST] = set()  # what gives generators and coroutines that run at once, to their end
        self.executed: set[ast.AST] = set()  # the functions whose bodies were evaluated
        self.written: set[Value] = set()  # the paths at which there may be another file than on the disk by now
        self.place: tuple[Scope, ast.AST] | None = None

    def step(self, count: int = 1) -> None:
        self.left -= count + Mutable.work.taken()
        if self.left < 0:
            raise ExhaustedError

    @contextmanager
    def demand(self) -> Iterator[None]:
        """A budget of its own for what is done inside: what it uses is taken from nothing but the whole."""
        before, self.left = self.left, min(STEPS, max(self.whole, 0))
        given = self.left
        try:
            yield
        except (RecursionError, MemoryError):
            raise ExhaustedError from None
        finally:
            self.whole -= given - max(self.left, 0)
            self.left = before

    @contextmanager
    def allowance(self, part: int = 2) -> Iterator[None]:
        """Lend a part of the steps left, to a call (``part`` is 2) at least ``LEAST``; what is over is given back."""
        kept = self.left - max(self.left // part, min(self.left, LEAST if part == 2 else 0))
        self.left -= kept
        self.depth += 1
        try:
            yield
        finally:
            self.left = kept + max(self.left, 0)
            self.depth -= 1

    def evaluate(self, node: ast.expr, scope: Scope) -> Value:
        self.step()
        self.place = (scope, node)
        if (known := EXPRESSIONS.get(type(node))) is None:
            return self.unknown("an expression that is not followed", scope, node)
        found = known(self, node, scope)
        if isinstance(found, Unknown) and found.code in _RAISING and isinstance(node, _OPERATIONS):
            self.risk = True
        return found

    def execute(self, node: ast.stmt, scope: Scope) -> bool:
        self.step()
        return STATEMENTS[type(node)](self, node, scope)

    def attribute(self, value: Value, name: str) -> Value:
        if (known := ATTRIBUTES.get(type(value))) is None:
            return self.unsettled(f"the attribute {name} is not followed")
        return known(self, value, name)

    def set_attribute(self, value: Value, name: str, new: Value) -> None:
        if (known := SETTERS.get(type(value))) is not None:
            known(self, value, name, new)
        else:
            self.risk = True
            self.disturb([value], self.unsettled(f"the attribute {name} is set, which is not followed", MUTATED))

    def call(self, function: Value, arguments: Arguments) -> Value:
        self.step()
        if (known := CALLS.get(type(function))) is None:
            self.risk = True
            self.hand_over(arguments.all, self.unsettled("it is passed to something that cannot be called"))
            return self.unsettled("a call that is not followed")
        try:
            return known(self, function, arguments)
        except UnfitError:
            why = self.risky("a call whose arguments are not known", arguments.unknown)
            self.hand_over(arguments.all, why)
            return why

    def default_is_given(self) -> bool:
        """Note that the program gives a default for a setting; return whether the setting is assumed to have it."""
        self.has_defaults = True
        return self.with_defaults

    def site(self) -> Site | None:
        return self.place[0].module.site(self.place[1]) if self.place is not None else None

    def unsettled(self, reason: str, code: str = UNSUPPORTED) -> Unknown:
        """An unknown value at the place that is being evaluated."""
        return Unknown(reason, code, self.site())

    def because(self, reason: str, *values: object, code: str = UNSUPPORTED) -> Unknown:
        """The first of ``values`` that is not known, or an unknown value for this reason."""
        return next((value for value in values if isinstance(value, Unknown)), None) or self.unsettled(reason, code)

    def risky(self, reason: str, *values: object, code: str = UNSUPPORTED) -> Unknown:
        """Like ``because``, for an operation that may raise."""
        self.risk = True
        return self.because(reason, *values, code=code)

    @staticmethod
    def unknown(reason: str, scope: Scope, node: ast.AST, code: str = UNSUPPORTED) -> Unknown:
        return Unknown(reason, code, scope.module.site(node))

    def exhausted(self) -> Unknown:
        return self.unsettled("there is too much to evaluate here", BUDGET)

    def disturb(self, values: list[Value], why: Unknown) -> None:
        """Code that is not followed has got ``values`` and may change them."""
        found = reachable(values, Mutable.work.age)
        for hook in DISTURBED:
            hook(self, values, found, why)
        for item in found:
            item.exposed = Mutable.work.age

    def hand_over(self, given: list[Value], why: Unknown) -> None:
        """A call that is not followed has got arguments: it may change them, and call the functions among them."""
        self.disturb(given, why)
        self.may_call(given, why)

    def may_call(self, given: list[Value], why: Unknown) -> None:
        """A function that changes nothing of its arguments may call the functions among them."""
        for hook in HANDED:
            hook(self, given, why)


HANDED: list[Callable[[Run, list[Value], Unknown], None]] = []
"""What happens to values that a call gets that is not followed, beside what happens to all that it can reach."""
DISTURBED: list[Callable[[Run, list[Value], list[Mutable], Unknown], None]] = []
"""What happens to values that are handed to code that is not followed, and to the objects that it can reach."""
