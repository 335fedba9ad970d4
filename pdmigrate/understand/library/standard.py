"""Functions of the standard library that programs use to make tools."""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
import urllib.parse
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from pdmigrate.understand.demand.containers import certain_elements, elements
from pdmigrate.understand.demand.imports import load, outside
from pdmigrate.understand.demand.loops import open_ended
from pdmigrate.understand.demand.run import LIBRARY, RaisedError, Run
from pdmigrate.understand.library.builtins import enter_plain, on_plain
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, Mutable, SetValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import SESSION, ClassValue, FunctionValue, Instance, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, PathValue

# --- functools --------------------------------------------------------------------------------------------------------


@library("functools.wraps")
def _wraps(_run: Run, arguments: Arguments) -> Value:
    wrapped = arguments.first

    def decorate(run: Run, inner: Arguments) -> Value:
        return _update_wrapper(run, Arguments([inner.first, wrapped], site=inner.site))

    return Native("functools.wraps()", decorate)


@library("functools.update_wrapper")
def _update_wrapper(run: Run, arguments: Arguments) -> Value:
    wrapper, wrapped = arguments.at(0), arguments.at(1)
    if not isinstance(wrapper, FunctionValue):
        return wrapper
    run.journal.touch(wrapper)
    inner = wrapped.function if isinstance(wrapped, BoundMethod) else wrapped
    if isinstance(inner, FunctionValue):
        wrapper.data.update(inner.data)
    else:
        wrapper.rest = wrapper.rest or run.because("what is wrapped is not known", wrapped)
    wrapper.data["__wrapped__"] = wrapped
    return wrapper


@library("functools.partial", "functools.partialmethod")
def _partial(run: Run, arguments: Arguments) -> Value:
    if arguments.unknown is not None or not arguments.positional:
        return run.because("a partial of something", arguments.unknown)
    return Partial(arguments.at(0), tuple(arguments.positional[1:]), tuple(arguments.keywords.items()))


@library(
    "contextlib.contextmanager",
    "contextlib.asynccontextmanager",
    "abc.abstractmethod",
    "typing.overload",
    "typing.final",
    "typing.override",
)
@library("pydantic.validate_call", "pydantic.validate_call_decorator.validate_call", "beartype.beartype")
@library("atexit.register", "typing.no_type_check", "typing.runtime_checkable", "typing_extensions.override")
@library("functools.total_ordering", "typing_extensions.final", "typing_extensions.deprecated", "enum.unique")
def _transparent(_run: Run, arguments: Arguments) -> Value:
    """A decorator that hands its function on, with or without a call."""
    given = arguments.first
    if len(arguments.all) == 1 and isinstance(given, (FunctionValue, ClassValue, BoundMethod, Called)):
        return given
    return Native("a decorator", lambda _r, inner: inner.first)


@library("functools.reduce")
def _reduce(run: Run, arguments: Arguments) -> Value:
    function, given, start = arguments.at(0), arguments.at(1), arguments.positional[2:]
    items = certain_elements(run, given)
    if isinstance(items, Unknown):
        why = run.because("what a function makes of elements", items)
        open_ended(run, why, lambda: bool([run.call(function, Arguments([why, why], site=run.site()))]))
        return unsettled(why, items)
    every = [*start, *items]
    if not every:
        raise RaisedError("builtins.TypeError", "there is nothing to reduce", run.site())
    return reduce(lambda one, other: run.call(function, Arguments([one, other], site=run.site())), every)


# --- text -------------------------------------------------------------------------------------------------------------


for _name, _function in {
    "textwrap.dedent": textwrap.dedent,
    "textwrap.indent": textwrap.indent,
    "inspect.cleandoc": inspect.cleandoc,
    "json.dumps": json.dumps,
    "json.loads": json.loads,
    "urllib.parse.parse_qs": urllib.parse.parse_qs,
    "urllib.parse.quote": urllib.parse.quote,
    "urllib.parse.unquote": urllib.parse.unquote,
}.items():
    enter_plain(_name, _function)


@library("urllib.parse.urlparse", "urllib.parse.urlsplit")
def _address(run: Run, arguments: Arguments) -> Value:
    found = on_plain(run, urllib.parse.urlparse, arguments)
    names = ("scheme", "netloc", "path", "params", "query", "fragment")
    return TupleValue(found.items, names) if isinstance(found, TupleValue) else found


@library("builtins.id")
def _identity(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    known = isinstance(value, SdkObject) and value.type == SESSION
    return Const(1) if known else run.unsettled("the identity of an object")


# --- inspect ----------------------------------------------------------------------------------------------------------


@library("inspect.getdoc")
def _getdoc(run: Run, arguments: Arguments) -> Value:
    doc = run.attribute(arguments.first, "__doc__")
    text = text_of(doc)
    return Const(inspect.cleandoc(text)) if text is not None else doc


def _asks(kind: str) -> Any:
    def decide(run: Run, arguments: Arguments) -> Value:
        value = arguments.first
        bound = isinstance(value, BoundMethod)
        inner = value.function if isinstance(value, BoundMethod) else value
        if isinstance(inner, FunctionValue):
            is_async = isinstance(inner.node, ast.AsyncFunctionDef)
            known = {"function": not bound, "method": bound, "routine": True, "coroutinefunction": is_async}
            return Const(known.get(kind, False))
        if isinstance(value, (ClassValue, Const, Instance, ModuleValue, ListValue, DictValue, SetValue, TupleValue)):
            return Const(kind == "class" and isinstance(value, ClassValue))
        if isinstance(value, External) and kind != "class" and _is_no_routine(value.name):
            return FALSE
        return run.unsettled(f"whether it is a {kind}")

    return decide


def _is_no_routine(name: str) -> bool:
    """Whether an object of a library is a module, or a class or a form of the standard library's."""
    module, _, last = name.rpartition(".")
    standard = module.partition(".")[0] in sys.stdlib_module_names
    found = getattr(sys.modules.get(module), last, None) if standard else None
    return not module or (found is not None and not inspect.isroutine(found))


for _kind in ("function", "method", "routine", "coroutinefunction", "class"):
    LIBRARY[f"inspect.is{_kind}"] = _asks(_kind)
LIBRARY["asyncio.iscoroutinefunction"] = LIBRARY["inspect.iscoroutinefunction"]


@library("inspect.getmembers")
def _getmembers(run: Run, arguments: Arguments) -> Value:
    names = LIBRARY["builtins.dir"](run, Arguments([arguments.first]))
    if not isinstance(names, ListValue):
        return run.because("members", names)
    made: list[Value] = []
    predicate = arguments.get(1, "predicate") or NONE
    for name in names.data:
        text = text_of(name)
        if text is None or (text.startswith("__") and text.endswith("__")):
            continue
        value = run.attribute(arguments.first, text)
        known = TRUE if predicate == NONE else run.call(predicate, Arguments([value], site=run.site()))
        member = TupleValue((name, value))
        if known == TRUE:
            made.append(member)
        elif known != FALSE:
            made.append(Maybe(member, run.because("a member that depends on a test", known)))
    return ListValue(made)


# --- running ----------------------------------------------------------------------------------------------------------


@library("asyncio.run", "anyio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "trio.run")
@library("asyncio.shield", "nest_asyncio.apply", "asyncio.get_event_loop().run_until_complete")
def awaited(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if isinstance(value, (FunctionValue, BoundMethod, Partial)):
        return run.call(value, Arguments(arguments.positional[1:], {}, arguments.unknown, arguments.site))
    return value


@library("asyncio.gather")
def _gathered(_run: Run, arguments: Arguments) -> Value:
    return ListValue(list(arguments.positional), arguments.unknown)


@library("copy.deepcopy")
def _deep(run: Run, arguments: Arguments) -> Value:
    return deep_copy(run, arguments.first)


def deep_copy(run: Run, value: Value, copies: dict[int, Value] | None = None) -> Value:
    """A copy of a value made of containers, and of models of the SDK, in which what was one object twice is so again.

    ``copies`` holds the copies that were made before, by the identity of what was copied.
    """
    known = {} if copies is None else copies

    def inner(item: Value) -> Value:
        return deep_copy(run, item, known)

    run.step()
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, ListValue):
        known[id(value)] = made = ListValue([], value.rest)
        made.data = list(map(inner, value.data))
        return made
    if isinstance(value, DictValue):
        known[id(value)] = table = value.like({}, value.rest)
        table.data = {k: (key, inner(item)) for k, (key, item) in value.data.items()}
        return table
    if isinstance(value, TupleValue):
        return TupleValue(tuple(map(inner, value.items)), value.fields)
    if isinstance(value, Maybe):
        return replace(value, value=inner(value.value))
    if type(value) is SdkObject:
        known[id(value)] = model = SdkObject(value.type, {}, value.site, value.rest)
        model.data = {name: inner(item) for name, item in value.data.items()}
        return model
    plain = not isinstance(value, Mutable) or (isinstance(value, Instance) and value.cls.kind == "enum")
    shared = isinstance(value, (FunctionValue, ClassValue))
    return value if plain or shared else run.unsettled("a deep copy of an object")


@library("importlib.import_module")
def _import_module(run: Run, arguments: Arguments) -> Value:
    name, package = text_of(arguments.first), arguments.get(1, "package") or NONE
    base = text_of(package) or ""
    if name is None or run.place is None or (name.startswith(".") and isinstance(package, Unknown)):
        run.risk = True
        why = run.unsettled("a module is imported whose name is not known")
        run.memory.setdefault("unknown import", why)
        return why
    if name.startswith("."):
        for _ in range(len(name) - len(name.lstrip(".")) - 1):
            base = base.rpartition(".")[0]
        name = f"{base}.{name.lstrip('.')}"
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
    text = text_of(name) or ""
    if "." not in text or arguments.get(3, "fromlist") is not None:
        return loaded
    return _import_module(run, Arguments([Const(text.partition(".")[0])], site=arguments.site))


def _listed_modules(run: Run, arguments: Arguments, depth: int) -> Value:
    """The modules of a package: ``pkgutil.iter_modules(package.__path__)``; with a ``depth``, those of its packages."""
    folder, prefix = _folder(arguments.get(0, "path") or NONE), text_of(arguments.get(1, "prefix") or Const(""))
    if folder is None or prefix is None:
        return run.risky("the modules of a package that is not known")
    return ListValue([*_modules_in(run, folder, prefix, depth)])


def _folder(path: Value) -> str | None:
    """The folder of a package's ``__path__``, or of a list of one path."""
    items = path.args if isinstance(path, Called) and path.callee == "<path>" else ()
    items = tuple(path.data) if isinstance(path, ListValue) and path.rest is None else items
    if len(items) == 1 and isinstance(items[0], ModuleValue):
        return items[0].module.path.rpartition("/")[0]
    return items[0].path if len(items) == 1 and isinstance(items[0], PathValue) else None


def _modules_in(run: Run, folder: str, prefix: str, depth: int) -> Iterator[Value]:
    start = f"{folder}/" if folder else ""
    for name, is_package in sorted(_inside(run, start)):
        run.step()
        entry = (NONE, Const(f"{prefix}{name}"), Const(is_package))
        yield TupleValue(entry, ("module_finder", "name", "ispkg"))
        if is_package and depth:
            load(run, f"{start}{name}/__init__.py")  # a walk imports the packages that it goes into
            yield from _modules_in(run, f"{start}{name}", f"{prefix}{name}.", depth - 1)


def _inside(run: Run, start: str) -> set[tuple[str, bool]]:
    found: set[tuple[str, bool]] = set()
    for path in run.program.tree.files:
        inner = path.removeprefix(start) if path.startswith(start) else "/"
        if inner.endswith("/__init__.py") and inner.count("/") == 1:
            found.add((inner.partition("/")[0], True))
        elif inner.endswith(".py") and "/" not in inner and inner != "__init__.py":
            found.add((inner.removesuffix(".py"), False))
    return found


@library("functools.lru_cache", "functools.cache")
def _cached(run: Run, arguments: Arguments) -> Value:
    """A function whose results are kept."""
    given = arguments.first
    if isinstance(given, FunctionValue) and len(arguments.all) == 1:
        run.journal.touch(given)
        given.data.update({"cache_clear": Native("cache_clear", _forgotten), "cache_info": run.unsettled("a cache")})
        return given
    if isinstance(given, (ClassValue, BoundMethod, Called)) and len(arguments.all) == 1:
        return given
    return Native("lru_cache()", _cached)


def _forgotten(run: Run, _arguments: Arguments) -> Value:
    for key, kept in run.memory.items():
        if isinstance(key, tuple) and key[0] == "kept results":
            run.journal.blur(kept, run.unsettled("kept results are forgotten"))
    return NONE


# --- dataclasses and typing -------------------------------------------------------------------------------------------


@library("dataclasses.dataclass", "pydantic.dataclasses.dataclass")
def _dataclass(_run: Run, arguments: Arguments) -> Value:
    def decorate(run: Run, inner: Arguments) -> Value:
        cls = inner.first
        if isinstance(cls, ClassValue):
            cls.kind, cls.maker = "dataclass", "dataclasses.dataclass"
            cls.options = dict(arguments.keywords)
            if cls.data.get("__doc__") == NONE:
                cls.data["__doc__"] = run.unsettled("a docstring that dataclass() writes")
        return cls

    return decorate(_run, arguments) if arguments.positional else Native("dataclass()", decorate)


@library("typing.cast")
def _cast(_run: Run, arguments: Arguments) -> Value:
    return arguments.at(1) if len(arguments.positional) > 1 else NONE


@library("itertools.chain")
def _chain(run: Run, arguments: Arguments) -> Value:
    found = [elements(run, item) for item in arguments.positional]
    more = next((rest for _, rest in found if rest is not None), arguments.unknown)
    return IteratorValue([item for items, _ in found for item in items], more)


LIBRARY["pkgutil.iter_modules"] = lambda run, arguments: _listed_modules(run, arguments, 0)
LIBRARY["pkgutil.walk_packages"] = lambda run, arguments: _listed_modules(run, arguments, 10)
