"""Functions of the standard library that programs use to make tools."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import parse_qs, quote, unquote

from pdmigrate.understand.demand.attributes import RESULT_RULES
from pdmigrate.understand.demand.imports import load, outside
from pdmigrate.understand.demand.run import CONSTANTS, LIBRARY, RaisedError, Run
from pdmigrate.understand.library.builtins import enter_plain, on_plain
from pdmigrate.understand.library.calling import given_up, library
from pdmigrate.understand.library.records import fields_of
from pdmigrate.understand.types.functions import inherited_doc
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, ListValue, Mutable, SetValue
from pdmigrate.understand.values.core import NONE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue


@library("functools.wraps")
def _wraps(_run: Run, arguments: Arguments) -> Value:
    def decorate(run: Run, inner: Arguments) -> Value:
        return _update_wrapper(run, Arguments([inner.first, *arguments.all], site=inner.site))

    return Native("functools.wraps()", decorate)


_OF_CACHES = ("cache_clear", "cache_info")


@library("functools.update_wrapper")
def _update_wrapper(run: Run, arguments: Arguments) -> Value:
    wrapper, wrapped = arguments.at(0), arguments.at(1)
    if not isinstance(wrapper, FunctionValue) or len(arguments.all) > 2:
        return given_up(run, arguments)  # an object that calls a function, or some attributes
    run.journal.touch(wrapper)
    inner = wrapped.function if isinstance(wrapped, BoundMethod) else wrapped
    if isinstance(inner, FunctionValue):
        wrapper.data.update({name: value for name, value in inner.data.items() if name not in _OF_CACHES})
    else:
        wrapper.rest = wrapper.rest or run.because("the wrapped function is not known", wrapped)
        wrapper.data |= dict.fromkeys(wrapper.data, wrapper.rest)
    wrapper.data["__wrapped__"] = wrapped
    return wrapper


@library("functools.partial")
def _partial(run: Run, arguments: Arguments) -> Value:
    if arguments.unknown is not None or not arguments.positional:
        return run.because("a partial of something", arguments.unknown)
    return Partial(arguments.at(0), tuple(arguments.positional[1:]), tuple(arguments.keywords.items()))


@library("contextlib.contextmanager", "contextlib.asynccontextmanager", "abc.abstractmethod", "atexit.register")
@library("typing.final", "typing.override", "typing.runtime_checkable", "enum.unique")
@library("functools.total_ordering", *(f"typing_extensions.{name}" for name in ("final", "override")))
def _transparent(_run: Run, arguments: Arguments) -> Value:
    """A decorator that hands its function on, with or without a call."""
    given = arguments.first
    if len(arguments.all) == 1 and isinstance(given, (FunctionValue, ClassValue, BoundMethod, Called)):
        return given
    return Native("a decorator", lambda _r, inner: inner.first)


@library("pydantic.validate_call", "pydantic.validate_call_decorator.validate_call", "beartype.beartype")
@library("typing_extensions.deprecated")
def _wrapping(_run: Run, arguments: Arguments) -> Value:
    """A decorator that makes a function with the attributes and the signature of the one it gets."""
    if len(arguments.all) == 1 and isinstance(
        given := arguments.first, (FunctionValue, ClassValue, BoundMethod, Called)
    ):
        return _twin(given)
    return Native("a decorator", lambda _r, inner: _twin(inner.first))


def _twin(given: Value) -> Value:
    """Another function that does what a function does, and has its own attributes."""
    if not isinstance(given, FunctionValue):
        return given
    made = given.as_it_is()
    made.defaults, made.keyword_defaults, made.hints = given.defaults, given.keyword_defaults, given.hints
    return made


for _function in (textwrap.dedent, textwrap.indent, inspect.cleandoc, json.loads, parse_qs, quote, unquote, re.escape):
    enter_plain(f"{_function.__module__}.{_function.__name__}", _function)
LIBRARY["json.dumps"] = lambda run, arguments: on_plain(run, json.dumps, arguments)


@library("inspect.getdoc")
def _getdoc(run: Run, arguments: Arguments) -> Value:
    doc = run.attribute(arguments.first, "__doc__")
    doc = inherited_doc(arguments.first) if doc == NONE else doc
    text = text_of(doc)
    return Const(inspect.cleandoc(text)) if text is not None else doc


_NO_FUNCTIONS = (ClassValue, Const, Instance, ModuleValue, ListValue, DictValue, SetValue, TupleValue, SdkObject)


def _is_kind(kind: str, run: Run, arguments: Arguments) -> Value:
    """``inspect.isfunction(value)`` and its kin."""
    value = arguments.first
    bound = isinstance(value, BoundMethod)
    inner = value.function if isinstance(value, BoundMethod) else value
    if isinstance(inner, FunctionValue) and ("keeps results", inner.original) in run.memory:
        return run.unsettled(f"whether an object of functools is a {kind}")
    if isinstance(inner, FunctionValue):
        is_async = isinstance(inner.node, ast.AsyncFunctionDef)
        known = {"function": not bound, "method": bound, "routine": True, "coroutinefunction": is_async}
        return Const(known.get(kind, False))
    if isinstance(value, _NO_FUNCTIONS):
        return Const(kind == "class" and isinstance(value, ClassValue))
    return run.unsettled(f"whether it is a {kind}")


for _kind in ("function", "method", "routine", "coroutinefunction", "class"):
    LIBRARY[f"inspect.is{_kind}"] = partial(_is_kind, _kind)
LIBRARY["asyncio.iscoroutinefunction"] = LIBRARY["inspect.iscoroutinefunction"]


@library("asyncio.run", "anyio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "trio.run")
@library("asyncio.shield", "nest_asyncio.apply", "asyncio.get_event_loop().run_until_complete")
def awaited(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if isinstance(value, (FunctionValue, BoundMethod, Partial)):
        return run.call(value, Arguments(arguments.positional[1:], {}, arguments.unknown, arguments.site))
    return value


def _deep_copy(run: Run, value: Value, copies: dict[int, Value]) -> Value:
    """A copy of a container; ``copies`` are those that were made before, by the identity of the original."""
    inner = partial(_deep_copy, run, copies=copies)
    run.step()
    if id(value) in copies:
        return copies[id(value)]
    if isinstance(value, ListValue):
        copies[id(value)] = made = ListValue([], value.rest)
        made.data = list(map(inner, value.data))
        return made
    if isinstance(value, DictValue):
        copies[id(value)] = table = DictValue({}, value.rest)
        table.ordered = value.ordered
        table.data = {k: (key, inner(item)) for k, (key, item) in value.data.items()}
        return table
    if isinstance(value, TupleValue):
        return TupleValue(tuple(map(inner, value.items)), value.fields)
    if isinstance(value, Maybe):
        return replace(value, value=inner(value.value))
    is_member = isinstance(value, Instance) and value.cls.kind == "enum"
    if is_member or isinstance(value, (FunctionValue, ClassValue)) or not isinstance(value, Mutable):
        return value
    return given_up(run, Arguments([value], site=run.site()))  # its class may say how it is copied


LIBRARY["copy.deepcopy"] = lambda run, arguments: _deep_copy(run, arguments.at(0), {})


@library("importlib.import_module")
def _import_module(run: Run, arguments: Arguments) -> Value:
    name, package = text_of(arguments.first), arguments.get(1, "package") or NONE
    if name is None or run.place is None or (name.startswith(".") and isinstance(package, Unknown)):
        why = run.risky("a module is imported whose name is not known")
        run.memory.setdefault("unknown import", why)
        return why
    if name.startswith("."):
        above = len(name) - len(name.lstrip("."))
        name = ".".join([*(text_of(package) or "").split(".")[: 1 - above or None], name.lstrip(".")])
    path = run.program.tree.find(name, run.place[0].module.path)
    module = run.program.tree.module(path) if path is not None and not path.endswith("/") else None
    if path is None or module is None:
        outside(run, name)
        return External(name)
    load(run, path)
    return ModuleValue(module)


@library("builtins.__import__")
def _import(run: Run, arguments: Arguments) -> Value:
    name = arguments.get(0, "name") or NONE
    loaded = _import_module(run, Arguments([name], site=arguments.site))
    whole = "." not in (text_of(name) or "") or arguments.get(3, "fromlist") is not None
    return loaded if whole else run.risky("the package that __import__() gives")


@library("functools.cache")
def _cached(run: Run, arguments: Arguments) -> Value:
    """A function whose results are kept, which are therefore not followed."""
    given = _twin(arguments.first)
    if isinstance(given, FunctionValue):
        run.memory["keeps results", given.original] = True
        given.data |= dict.fromkeys(_OF_CACHES, run.unsettled("a cache"))
    return given


@library("functools.lru_cache")
def _lru_cache(run: Run, arguments: Arguments) -> Value:
    if isinstance(arguments.first, (FunctionValue, ClassValue, BoundMethod, Called)):
        return _cached(run, arguments)
    return Native("lru_cache()", _cached)


@library("dataclasses.dataclass", "pydantic.dataclasses.dataclass")
def _dataclass(_run: Run, arguments: Arguments) -> Value:
    def decorate(run: Run, inner: Arguments) -> Value:
        cls = inner.first
        if isinstance(cls, ClassValue):
            cls.kind, cls.maker = "dataclass", "dataclasses.dataclass"
            cls.options = dict(arguments.keywords)
            defaults = [each.default for _, each in fields_of(cls).values()]
            frozen = [item for item in defaults if isinstance(item, SetValue) and item.frozen]
            if any(isinstance(item, (ListValue, DictValue, SetValue)) and item not in frozen for item in defaults):
                raise RaisedError("builtins.ValueError", f"a field of {cls.name} has a mutable default", run.site())
            if cls.data.get("__doc__") == NONE:
                cls.data["__doc__"] = run.unsettled("a docstring that dataclass() writes")
        return cls

    return decorate(_run, arguments) if arguments.positional else Native("dataclass()", decorate)


LIBRARY["typing.cast"] = lambda _run, arguments: arguments.get(1, "val") or NONE


# --- regular expressions ----------------------------------------------------------------------------------------------


_METHODS = ("sub", "split", "findall", "search", "match", "fullmatch")
_LONGEST = 20_000
"""The longest text that is searched."""
_LONGEST_PATTERN = 500
_REPEATED = re.compile(r"\)[*+{]")
"""A group that is repeated: such a pattern may take for ever."""


def _on_texts(function: Any, run: Run, arguments: Arguments, pattern: Value = NONE) -> Value:
    texts = [text_of(item) or "" for item in (*([pattern] if pattern != NONE else []), *arguments.all)] or [""]
    if max(map(len, texts)) > _LONGEST or len(texts[0]) > _LONGEST_PATTERN or _REPEATED.search(texts[0]):
        return given_up(run, arguments)
    run.step(sum(map(len, texts)) // 16)
    return on_plain(run, function, arguments)


def _of_compiled(_run: Run, value: Called, name: str) -> Value | None:
    if value.callee != "re.compile" or name not in _METHODS or not value.args:
        return None

    def act(run: Run, arguments: Arguments) -> Value:
        made = on_plain(run, re.compile, Arguments(list(value.args), dict(value.kwargs)))
        return _on_texts(getattr(made.value, name), run, arguments, value.args[0]) if isinstance(made, Const) else made

    return Native(name, act)


for _name in _METHODS:
    LIBRARY[f"re.{_name}"] = partial(_on_texts, getattr(re, _name))
for _name in ("I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "X", "VERBOSE", "A", "ASCII", "U", "UNICODE"):
    CONSTANTS[f"re.{_name}"] = partial(lambda flag, _run: flag, Const(getattr(re, _name)))
RESULT_RULES.append(_of_compiled)
