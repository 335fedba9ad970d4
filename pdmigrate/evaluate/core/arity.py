"""The arguments that built-in functions and methods take: a call with any others raises ``TypeError``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from pdmigrate.evaluate.core.natives import Function
from pdmigrate.evaluate.core.values import Arguments, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class Arity(NamedTuple):
    """The fewest and most positional arguments, a method's receiver not counted, and the keywords; ``None``: any."""

    least: int
    most: int | None
    keywords: tuple[str, ...] | None = ()


ZERO, ONE, TWO, ANY = Arity(0, 0), Arity(1, 1), Arity(2, 2), Arity(0, None)

FUNCTIONS: dict[str, Arity] = {
    **dict.fromkeys(("len", "any", "all", "callable", "repr", "reversed"), ONE),
    **dict.fromkeys(("hasattr", "isinstance", "issubclass", "filter"), TWO),
    **dict.fromkeys(("bool", "list", "tuple", "set", "frozenset"), Arity(0, 1)),
    "dict": Arity(0, 1, None),
    "enumerate": Arity(1, 2, ("start",)),
    "getattr": Arity(2, 3),
    "setattr": Arity(3, 3),
    "iter": Arity(1, 2),
    "next": Arity(1, 2),
    "map": Arity(2, None),
    "max": Arity(1, None, ("key", "default")),
    "min": Arity(1, None, ("key", "default")),
    "range": Arity(1, 3),
    "sorted": Arity(1, 1, ("key", "reverse")),
    "sum": Arity(1, 2, ("start",)),
    "zip": Arity(0, None, ("strict",)),
}
LISTS: dict[str, Arity] = {
    **dict.fromkeys(("append", "extend", "remove", "count"), ONE),
    **dict.fromkeys(("clear", "reverse", "copy"), ZERO),
    "insert": TWO,
    "pop": Arity(0, 1),
    "sort": Arity(0, 0, ("key", "reverse")),
    "index": Arity(1, 3),
}
DICTS: dict[str, Arity] = {
    **dict.fromkeys(("items", "keys", "values", "popitem", "clear", "copy"), ZERO),
    **dict.fromkeys(("get", "setdefault", "pop"), Arity(1, 2)),
    "update": Arity(0, 1, None),
}
SETS: dict[str, Arity] = {
    **dict.fromkeys(("add", "discard", "remove", "issubset", "issuperset", "isdisjoint"), ONE),
    **dict.fromkeys(("update", "union", "intersection", "difference"), ANY),
    **dict.fromkeys(("copy", "clear", "pop"), ZERO),
    "symmetric_difference": ONE,
}


def counted(functions: Mapping[str, Function], arities: Mapping[str, Arity], *, methods: bool) -> dict[str, Function]:
    """``functions`` by name, each wrapped to raise ``TypeError`` for arguments that its arity excludes."""
    return {
        name: _counted(name, function, arities[name], int(methods)) if name in arities else function
        for name, function in functions.items()
    }


def _counted(name: str, function: Function, arity: Arity, receivers: int) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        given = len(arguments.positional) - receivers
        if given < arity.least or (arity.most is not None and given > arity.most):
            raise run.failure("TypeError", f"{name}() does not take {max(given, 0)} arguments")
        if arity.keywords is not None:
            strange = next((keyword for keyword in arguments.keywords if keyword not in arity.keywords), None)
            if strange is not None:
                raise run.failure("TypeError", f"{name}() got an unexpected keyword argument {strange}")
        return function(run, arguments)

    return call
