"""Every function and method that the evaluator knows, called with arguments of every kind, most of them wrong."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from pdmigrate.evaluate.core.natives import BUILTINS
from pdmigrate.knowledge.builtin.dict_methods import DICT_METHODS
from pdmigrate.knowledge.builtin.list_methods import LIST_METHODS
from pdmigrate.knowledge.builtin.set_methods import SET_METHODS
from pdmigrate.knowledge.builtin.text_methods import BYTES_METHODS, TEXT_METHODS

ARGUMENTS = ("", "0", "-1", "2", "1.5", "True", "None", "'a'", "'a,b'", "b'a'", "[1, 2]", "['a', 'b']", "[]", "(1,)",
             "{'a': 1}", "{1}", "[[1, 2], [3, 4]]", "len", "str")  # fmt: skip
PAIRS = ("'a'", "1", "[1, 2]", "['b', 'a']", "{'a': 1}", "str")
KEYWORDS = ("key=len", "default=0", "start=1", "strict=True", "reverse=True", "sep=','", "maxsplit=1", "x=1")
RECEIVERS = {
    "'a,b a'": TEXT_METHODS,
    "b'ab'": BYTES_METHODS,
    "[3, 1, 2]": LIST_METHODS,
    "(3, 1, 3)": ("index", "count"),
    "{'a': 1, 'b': [2]}": DICT_METHODS,
    "{1, 2}": SET_METHODS,
    "(7)": ("bit_length", "conjugate"),
    "1.5": ("is_integer", "conjugate"),
}
LEFT_OUT = frozenset({"id", "hash", "input", "open", "print", "dir", "__import__", "super", "object", "NotImplemented",
                      "property", "staticmethod", "classmethod", "vars", "type", "iter", "repr", "ascii"})  # fmt: skip
"""Functions whose results differ from run to run, that do something to the machine, or that give no plain value."""
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "<<", "&", "|", "^", "<", "<=", "==", "in", "is not")
OPERANDS = ("0", "-2", "1.5", "True", "'a'", "'%s'", "b'a'", "[1]", "(1,)", "{'a': 1}", "{1, 3}", "None")


def calls() -> Iterator[str]:
    """The expressions, in an order that does not change."""
    functions = [name for name in sorted(BUILTINS) if name not in LEFT_OUT]
    methods = [f"{receiver}.{name}" for receiver, names in RECEIVERS.items() for name in sorted(names)]
    for function in (*functions, *methods):
        yield from (f"{function}({argument})" for argument in ARGUMENTS)
        yield from (f"{function}({a}, {b})" for a, b in product(PAIRS, PAIRS[:3]))
        yield from (f"{function}({a}, {b})" for a, b in product(("['b', 'a']",), KEYWORDS))
        yield f"{function}(1, 2, 3, 4)"
    yield from (f"{a} {operator} {b}" for a, operator, b in product(OPERANDS, OPERATORS, OPERANDS))
    yield from (f"{container}[{key}]" for container, key in product(OPERANDS, (*OPERANDS, "1:", "::-1", "'a':", "::0")))
    yield from (f"{sign}{value}" for sign, value in product(("-", "+", "~", "not "), OPERANDS))
    yield from (f"[x for x in {value}]" for value in OPERANDS)


def program(expressions: list[str]) -> str:
    """A program with one variable for each expression: what it gives as a list, or the exception that it raises."""
    lines = ["import os"]
    for number, expression in enumerate(expressions):
        lines += [
            "try:",
            f"    v{number} = {expression}",
            f"    v{number} = list(v{number}) if type(v{number}).__name__ in {ITERATORS} else v{number}",
            "except Exception as error:",
            f"    v{number} = 'raises'",
        ]
    return "\n".join(lines) + "\n"


ITERATORS = ("zip", "map", "filter", "enumerate", "reversed", "list_reverseiterator", "range", "dict_keys",
             "dict_values", "dict_items", "dict_reversekeyiterator", "list_iterator")  # fmt: skip
