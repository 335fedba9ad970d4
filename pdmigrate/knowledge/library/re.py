"""``re``: the real module does the matching, for patterns that cannot take long on the given text."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.known_objects import KnownObject, known_object
from pdmigrate.evaluate.core.natives import NAMES, Function, declare, declare_plain, native, plain_function
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import NotPlain, from_python, to_python
from pdmigrate.evaluate.core.values import NONE, Arguments, IteratorValue, Origin, Value, const

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

LONGEST_PATTERN = 1_000
MOST_WORK = 20_000_000
"""The most steps that matching may take at worst; about half a second."""
WORK_PER_STEP = 16_384
"""Worst-case steps of matching that are charged as one step of the evaluator."""
MANY = 20
"""The largest bound on repetitions that counts as a bound: a repetition with a larger one counts as unbounded."""

FLAGS = {
    name: int(getattr(re, name))
    for name in ("I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "X", "VERBOSE", "A", "ASCII", "U", "UNICODE")
}


class _TooMuchError(Exception):
    """The pattern may take very long."""


def worst_case(pattern: str, flags: int, length: int) -> int | None:
    """An upper bound on the steps of a backtracking matcher on a text of this ``length``; ``None`` if not known.

    Raises:
        re.error: ``pattern`` is not valid.
    """
    # The parser of the real module, which is called ``sre_parse`` in Python 3.10.
    name = "re._parser" if sys.version_info >= (3, 11) else "sre_parse"
    parse: Callable[[str, int], Any] = importlib.import_module(name).parse
    try:
        parsed = parse(pattern, flags)
        loops, options = _count(parsed, inside=False)
    except (_TooMuchError, RecursionError):
        return None
    loops -= _ends_in_run(parsed)
    return int((length + 2) ** (loops + 1) * 2**options)


def _ends_in_run(parsed: Any) -> bool:
    """Whether a pattern ends in an unbounded run of single characters, such as ``\\s+``.

    Nothing that could fail follows such a run, so it is never tried again with fewer characters, and the next match
    begins after it.  ``fullmatch``, which can fail after the run, starts at one place only.
    """
    *_, (operator, argument) = parsed or [(None, None)]
    if str(operator) == "SUBPATTERN":
        return _ends_in_run(argument[-1])
    if str(operator) not in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return False
    least, most, inner = argument
    single = [str(each) for each, _ in inner] in (["IN"], ["ANY"], ["LITERAL"], ["NOT_LITERAL"])
    return single and int(least) <= MANY < int(most)


def _count(parsed: Any, *, inside: bool) -> tuple[int, int]:
    """How many unbounded repetitions and how many optional parts a parsed pattern has."""
    loops = options = 0
    for operator, argument in parsed:
        name = str(operator)
        if name in ("GROUPREF", "GROUPREF_EXISTS"):
            raise _TooMuchError
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            least, most, inner = argument
            variable = least != most
            if inside and (variable or int(most) > MANY):
                raise _TooMuchError
            more = _count(inner, inside=inside or int(most) > 1)
            loops, options = loops + more[0], options + more[1]
            if variable or int(most) > MANY:
                loops, options = (loops + 1, options) if int(most) > MANY else (loops, options + int(most))
            continue
        if name == "BRANCH":
            if inside:
                raise _TooMuchError
            options += len(argument[1])
        for inner in _inner(name, argument):
            more = _count(inner, inside=inside)
            loops, options = loops + more[0], options + more[1]
    return loops, options


def _inner(name: str, argument: Any) -> list[Any]:
    if name == "SUBPATTERN":
        return [argument[-1]]
    if name in ("ASSERT", "ASSERT_NOT"):
        return [argument[1]]
    if name == "BRANCH":
        return list(argument[1])
    return [argument] if name == "ATOMIC_GROUP" else []


# --- functions --------------------------------------------------------------------------------------------------------


def _compiled(run: Interpreter, value: Value, flags: int) -> re.Pattern[str]:
    """The pattern that ``value`` is, or whose text ``value`` is.

    Raises:
        NotPlain: the pattern is not known.
        AbstractRaise: the pattern is not valid.
    """
    known = known_object(value, PATTERN)
    if known is not None and isinstance(known.payload, re.Pattern):
        return known.payload
    if (pattern := value.text) is None:
        to_python(value)
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "a pattern that is not a string"))
    if len(pattern) > LONGEST_PATTERN:
        raise NotPlain(reasons.unknown(reasons.BUDGET, "the regular expression is very long"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern, flags)
    except (re.error, OverflowError) as error:
        raise run.failure("re.error", str(error)) from None
    except RecursionError:
        raise NotPlain(reasons.unknown(reasons.BUDGET, "the regular expression is nested too deeply")) from None


def _checked(run: Interpreter, compiled: re.Pattern[str], text: Any) -> str:
    """``text``, if the pattern can be matched against it in reasonable time.

    Raises:
        NotPlain: matching may take too long.
        AbstractRaise: ``text`` is not a ``str``.
    """
    if not isinstance(text, str):
        raise run.failure("TypeError", "expected string or bytes-like object")
    bound = worst_case(compiled.pattern, compiled.flags & ~re.UNICODE.value, len(text))
    if bound is None or bound > MOST_WORK:
        raise NotPlain(reasons.unknown(reasons.BUDGET, "the regular expression may take long on this text"))
    run.budget.step((len(text) >> 4) + bound // WORK_PER_STEP)
    return text


PATTERN = "re.Pattern"
_MATCH = 20
"""The cost of a match object, in elements of a container."""
Operation = Callable[["Interpreter", "re.Pattern[str]", str, dict[str, Any], Arguments], Value]


def _given(run: Interpreter, arguments: Arguments, names: tuple[str, ...]) -> dict[str, Any]:
    """The arguments by name, as plain values except patterns and replacements; ``flags`` is a number.

    Raises:
        NotPlain: an argument is not known.
        AbstractRaise: the call raises ``TypeError``.
    """
    if len(arguments.positional) > len(names) or arguments.keywords.keys() - set(names):
        raise run.failure("TypeError", "unexpected arguments")
    values = arguments.by_name(names)
    given = {name: value if name in ("pattern", "repl") else to_python(value) for name, value in values.items()}
    missing = next((name for name in names if name not in given and name not in _OPTIONAL), None)
    if missing is not None:
        raise run.failure("TypeError", f"the argument {missing} is missing")
    if not isinstance(given.setdefault("flags", 0), int):
        raise run.failure("TypeError", "flags are a number")
    return given


_OPTIONAL = frozenset({"flags", "count", "maxsplit", "pos", "endpos"})


def _function(names: tuple[str, ...], operation: Operation) -> Function:
    """The implementation of a function of ``re``, or, with a compiled pattern as first argument, of its method."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        given = _given(run, arguments, names)
        compiled = _compiled(run, given["pattern"], given["flags"])
        return operation(run, compiled, _checked(run, compiled, given["string"]), given, arguments)

    return call


def _origin(name: str, arguments: Arguments) -> Origin:
    sources = tuple(value.origin for value in arguments.positional if value.origin)
    return Origin(f"re.{name}()", arguments.place, sources)


def _search(name: str) -> Operation:
    def search(_run: Interpreter, compiled: re.Pattern[str], text: str, given: dict[str, Any], a: Arguments) -> Value:
        bounds = [given[key] for key in ("pos", "endpos") if key in given]
        found = getattr(compiled, name)(text, *bounds)
        return _match(found, _origin(name, a)) if found is not None else NONE

    return search


def _findall(run: Interpreter, compiled: re.Pattern[str], text: str, _given: dict[str, Any], a: Arguments) -> Value:
    found: list[Any] = []
    for item in compiled.finditer(text):
        run.budget.make(1 + compiled.groups)
        found.append(item.groups("") if compiled.groups > 1 else item[compiled.groups] or "")
    return from_python(found, _origin("findall", a))


def _finditer(run: Interpreter, compiled: re.Pattern[str], text: str, _given: dict[str, Any], a: Arguments) -> Value:
    origin = _origin("finditer", a)
    found: list[Value] = []
    for item in compiled.finditer(text):
        run.budget.make(_MATCH)
        found.append(_match(item, origin))
    return IteratorValue(found, None, origin=origin)


def _split(run: Interpreter, compiled: re.Pattern[str], text: str, given: dict[str, Any], a: Arguments) -> Value:
    for _ in compiled.finditer(text):
        run.budget.make(1 + compiled.groups)
    parts = compiled.split(text, given.get("maxsplit", 0))
    return from_python(parts, _origin("split", a))


def _sub(run: Interpreter, compiled: re.Pattern[str], text: str, given: dict[str, Any], a: Arguments) -> Value:
    made, _times = _replaced(run, compiled, text, given, a)
    return const(made, _origin("sub", a))


def _subn(run: Interpreter, compiled: re.Pattern[str], text: str, given: dict[str, Any], a: Arguments) -> Value:
    return from_python(_replaced(run, compiled, text, given, a), _origin("subn", a))


def _replaced(
    run: Interpreter, compiled: re.Pattern[str], text: str, given: dict[str, Any], arguments: Arguments
) -> tuple[str, int]:
    replacement, count = given["repl"], given.get("count", 0)
    if (template := replacement.text) is not None:
        times = sum(1 for _ in compiled.finditer(text))
        run.budget.text(len(text) + times * (len(template) + len(text) * template.count("\\")))
        try:
            return compiled.subn(template, text, count)
        except (re.error, IndexError) as error:
            raise run.failure("re.error", str(error)) from None
    length = len(text)

    def one(found: re.Match[str]) -> str:
        nonlocal length
        made = to_python(call(run, replacement, (_match(found, None),), place=arguments.place))
        if not isinstance(made, str):
            raise run.failure("TypeError", "the replacement is not a string")
        # All replacements are held in memory until the end.
        length += len(made)
        run.budget.text(length)
        return made

    if replacement.scalar is not None:
        raise run.failure("TypeError", "the replacement is not a string")
    return compiled.subn(one, text, count)


@native("re.compile")
def _compile(run: Interpreter, arguments: Arguments) -> Value:
    given = _given(run, arguments, ("pattern", "flags"))
    compiled = _compiled(run, given["pattern"], given["flags"])
    origin = _origin("compile", arguments)
    pattern = KnownObject(PATTERN, {"pattern": const(compiled.pattern)}, {}, payload=compiled, origin=origin)
    pattern.methods.update({name: _method(pattern, function) for name, function in _METHODS.items()})
    return pattern


def _method(pattern: KnownObject, function: Function) -> Function:
    return lambda run, arguments: function(run, arguments._replace(positional=(pattern, *arguments.positional)))


# --- matches ----------------------------------------------------------------------------------------------------------


def _match(found: re.Match[str], origin: Origin | None) -> KnownObject:
    def method(name: str) -> Function:
        plain = plain_function(f".{name}", getattr(found, name))

        def call(run: Interpreter, arguments: Arguments) -> Value:
            made = plain(run, arguments)
            if made.scalar is None:
                return made
            return const(made.scalar.value, Origin(f".{name}()", arguments.place, (origin,) if origin else ()))

        return call

    names = ("group", "groups", "groupdict", "start", "end", "span", "expand", "__getitem__")
    attributes = {"string": const(found.string), "lastgroup": const(found.lastgroup), "pos": const(found.pos)}
    return KnownObject("re.Match", attributes, {name: method(name) for name in names}, payload=found, origin=origin)


_OPERATIONS: dict[str, tuple[tuple[str, ...], Operation]] = {
    **{name: (("pattern", "string"), _search(name)) for name in ("match", "search", "fullmatch")},
    "findall": (("pattern", "string"), _findall),
    "finditer": (("pattern", "string"), _finditer),
    "split": (("pattern", "string", "maxsplit"), _split),
    "sub": (("pattern", "repl", "string", "count"), _sub),
    "subn": (("pattern", "repl", "string", "count"), _subn),
}
_BOUNDED = {"match": ("pos", "endpos"), "search": ("pos", "endpos"), "fullmatch": ("pos", "endpos")}
_METHODS = {name: _function((*names, *_BOUNDED.get(name, ())), how) for name, (names, how) in _OPERATIONS.items()}
declare({f"re.{name}": _function((*names, "flags"), how) for name, (names, how) in _OPERATIONS.items()})
declare_plain(re.escape)
NAMES.update({f"re.{name}": const(value) for name, value in FLAGS.items()})
