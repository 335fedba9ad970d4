"""Functions of the standard library that programs use to make tools."""

from __future__ import annotations

import inspect
import json
import textwrap
import urllib.parse
from collections.abc import Iterator
from typing import Any

from pdmigrate.understand.demand.attributes import CLASS_RULES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.functions import plain_form
from pdmigrate.understand.demand.imports import load
from pdmigrate.understand.demand.run import LIBRARY, Run
from pdmigrate.understand.library.builtins import plainly
from pdmigrate.understand.library.calling import first, library
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import SESSION, ClassValue, FunctionValue, Instance, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, PathValue

# --- functools --------------------------------------------------------------------------------------------------------


@library("functools.wraps")
def _wraps(_run: Run, arguments: Arguments) -> Value:
    wrapped = first(arguments)

    def decorate(run: Run, inner: Arguments) -> Value:
        return _update_wrapper(run, Arguments([first(inner), wrapped], site=inner.site))

    return Native("functools.wraps()", decorate)


@library("functools.update_wrapper")
def _update_wrapper(run: Run, arguments: Arguments) -> Value:
    wrapper, wrapped = arguments.positional[0], arguments.positional[1]
    if not isinstance(wrapper, FunctionValue):
        return wrapper
    run.journal.touch(wrapper)
    inner = wrapped.function if isinstance(wrapped, BoundMethod) else wrapped
    if isinstance(inner, FunctionValue):
        copied = {key: value for key, value in inner.data.items() if key not in ("__wrapped__",)}
        wrapper.data.update(copied)
        wrapper.data.update({"__name__": inner.data["__name__"], "__doc__": inner.data["__doc__"]})
    else:
        why = wrapped if isinstance(wrapped, Unknown) else run.unsettled("what is wrapped is not known")
        wrapper.rest = wrapper.rest or why
    wrapper.data["__wrapped__"] = wrapped
    return wrapper


@library("functools.partial", "functools.partialmethod")
def _partial(run: Run, arguments: Arguments) -> Value:
    if arguments.unknown is not None or not arguments.positional:
        return arguments.unknown or run.unsettled("a partial of something")
    return Partial(arguments.positional[0], tuple(arguments.positional[1:]), tuple(arguments.keywords.items()))


@library("functools.lru_cache", "functools.cache", "functools.singledispatch", "contextlib.contextmanager")
@library("contextlib.asynccontextmanager", "abc.abstractmethod", "typing.overload", "typing.final", "typing.override")
@library("pydantic.validate_call", "pydantic.validate_call_decorator.validate_call", "beartype.beartype")
@library("atexit.register", "typing.no_type_check", "typing.runtime_checkable", "typing_extensions.override")
@library("functools.total_ordering", "typing_extensions.final", "typing_extensions.deprecated", "enum.unique")
def _transparent(_run: Run, arguments: Arguments) -> Value:
    """A decorator that hands its function on, with or without a call."""
    given = first(arguments)
    if len(arguments.all) == 1 and isinstance(given, (FunctionValue, ClassValue, BoundMethod, Called)):
        return given
    return Native("a decorator", lambda _r, inner: first(inner))


@library("functools.reduce")
def _reduce(run: Run, arguments: Arguments) -> Value:
    items, more = elements(run, arguments.positional[1])
    if more is not None or any(isinstance(item, Maybe) for item in items):
        return more or run.unsettled("elements that depend on a condition", "PD310")
    start = arguments.positional[2:] or items[:1]
    rest = items if len(arguments.positional) > 2 else items[1:]
    found = start[0] if start else NONE
    for item in rest:
        found = run.call(arguments.positional[0], Arguments([found, item], site=run.site()))
    return found


# --- text -------------------------------------------------------------------------------------------------------------


def _on_plain(function: Any) -> Any:
    def act(run: Run, arguments: Arguments) -> Value:
        plain = [plain_form(item) for item in arguments.all]
        if any(item is None for item in plain) or arguments.unknown is not None:
            run.risk = True
            found = next((value for value in arguments.all if isinstance(value, Unknown)), None)
            return found or run.unsettled(f"{function.__name__}() of this")
        given = [item[0] for item in plain if item is not None]
        count = len(arguments.positional)
        return plainly(run, function, given[:count], dict(zip(arguments.keywords, given[count:], strict=True)))

    return act


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
    LIBRARY[_name] = _on_plain(_function)


@library("urllib.parse.urlparse", "urllib.parse.urlsplit")
def _address(run: Run, arguments: Arguments) -> Value:
    text = text_of(first(arguments))
    if text is None or len(arguments.all) > 1:
        return run.unsettled("the parts of an address")
    found = plainly(run, lambda value: tuple(urllib.parse.urlparse(value)), [text], {})
    names = ("scheme", "netloc", "path", "params", "query", "fragment")
    return TupleValue(found.items, names) if isinstance(found, TupleValue) else found


@library("builtins.id")
def _identity(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    return (
        Const(1)
        if isinstance(value, SdkObject) and value.type == SESSION
        else run.unsettled("the identity of an object")
    )


# --- inspect ----------------------------------------------------------------------------------------------------------


@library("inspect.getdoc")
def _getdoc(run: Run, arguments: Arguments) -> Value:
    doc = run.attribute(first(arguments), "__doc__")
    text = text_of(doc)
    return Const(inspect.cleandoc(text)) if text is not None else doc


@library("inspect.isclass")
def _isclass(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, ClassValue):
        return TRUE
    if isinstance(value, (FunctionValue, Const, Instance, ModuleValue, ListValue, DictValue, SetValue, TupleValue)):
        return FALSE
    return run.unsettled("whether it is a class")


def _asks(kind: str) -> Any:
    def decide(run: Run, arguments: Arguments) -> Value:
        value = first(arguments)
        inner = value.function if isinstance(value, BoundMethod) else value
        if isinstance(inner, FunctionValue):
            if kind == "coroutine":
                return Const(type(inner.node).__name__ == "AsyncFunctionDef")
            bound = isinstance(value, BoundMethod)
            return Const({"function": not bound, "method": bound, "routine": True}[kind])
        if isinstance(value, (ClassValue, Const, Instance, ModuleValue, ListValue, DictValue)):
            return FALSE
        return run.unsettled("whether it is a function")

    return decide


for _name in ("inspect.iscoroutinefunction", "asyncio.iscoroutinefunction"):
    LIBRARY[_name] = _asks("coroutine")
for _kind in ("function", "method", "routine"):
    LIBRARY[f"inspect.is{_kind}"] = _asks(_kind)


@library("inspect.getmembers")
def _getmembers(run: Run, arguments: Arguments) -> Value:
    names = run.call(External("builtins.dir"), Arguments([first(arguments)], site=run.site()))
    if not isinstance(names, ListValue):
        return names if isinstance(names, Unknown) else run.unsettled("members")
    made: list[Value] = []
    predicate = arguments.get(1, "predicate")
    for name in names.data:
        text = text_of(name)
        if text is None or (text.startswith("__") and text.endswith("__")):
            continue
        value = run.attribute(first(arguments), text)
        if predicate is not None and predicate != NONE:
            known = run.call(predicate, Arguments([value], site=run.site()))
            if known == FALSE:
                continue
            if known != TRUE:
                why = known if isinstance(known, Unknown) else run.unsettled("a member that depends on a test")
                made.append(Maybe(TupleValue((name, value)), why))
                continue
        made.append(TupleValue((name, value)))
    return ListValue(made)


# --- running ----------------------------------------------------------------------------------------------------------


@library("asyncio.run", "anyio.run", "asyncio.create_task", "asyncio.ensure_future", "asyncio.wait_for", "trio.run")
@library("asyncio.shield", "nest_asyncio.apply", "asyncio.get_event_loop().run_until_complete")
def awaited(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, (FunctionValue, BoundMethod, Partial)):
        return run.call(value, Arguments(arguments.positional[1:], {}, arguments.unknown, arguments.site))
    return value


@library("asyncio.gather")
def _gathered(_run: Run, arguments: Arguments) -> Value:
    return ListValue(list(arguments.positional), arguments.unknown)


@library("copy.copy")
def _copied(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, (ListValue, DictValue, SetValue)):
        return type(value)(value.data.copy(), value.rest)
    return value if isinstance(value, (Const, TupleValue, Unknown)) else run.unsettled("a copy of an object")


@library("copy.deepcopy")
def _deep(run: Run, arguments: Arguments) -> Value:
    return deep_copy(run, first(arguments))


def deep_copy(run: Run, value: Value) -> Value:
    """A copy of a value made of containers."""
    if isinstance(value, ListValue):
        return ListValue([deep_copy(run, item) for item in value.data], value.rest)
    if isinstance(value, DictValue):
        return DictValue({k: (key, deep_copy(run, item)) for k, (key, item) in value.data.items()}, value.rest)
    if isinstance(value, TupleValue):
        return TupleValue(tuple(deep_copy(run, item) for item in value.items), value.fields)
    if isinstance(value, Maybe):
        return Maybe(deep_copy(run, value.value), value.why)
    if isinstance(value, SetValue):
        return SetValue(dict(value.data), value.rest)
    if isinstance(value, (Instance, IteratorValue)) and not (isinstance(value, Instance) and value.cls.kind == "enum"):
        return run.unsettled("a deep copy of an object")
    return value


@library("importlib.import_module")
def _import_module(run: Run, arguments: Arguments) -> Value:
    name, package = text_of(first(arguments)), arguments.get(1, "package") or NONE
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
        run.risk = True
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
        run.risk = True
        return run.unsettled("the modules of a package that is not known")
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


# --- dataclasses and typing -------------------------------------------------------------------------------------------


@library("dataclasses.dataclass", "pydantic.dataclasses.dataclass")
def _dataclass(_run: Run, arguments: Arguments) -> Value:
    def decorate(_run: Run, inner: Arguments) -> Value:
        cls = first(inner)
        if isinstance(cls, ClassValue):
            cls.kind = "dataclass"
            cls.maker = "dataclasses.dataclass"
            cls.options = dict(arguments.keywords)
        return cls

    if arguments.positional and isinstance(arguments.positional[0], ClassValue):
        given, arguments = arguments, Arguments()
        return decorate(_run, given)
    return Native("dataclass()", decorate)


@library("typing.cast")
def _cast(_run: Run, arguments: Arguments) -> Value:
    return arguments.positional[1] if len(arguments.positional) > 1 else NONE


@library("itertools.chain")
def _chain(run: Run, arguments: Arguments) -> Value:
    made = IteratorValue([], arguments.unknown)
    for item in arguments.positional:
        found, more = elements(run, item)
        made.data += found
        made.rest = made.rest or more
    return made


def _enum_rules(_run: Run, cls: ClassValue, name: str) -> Value | None:
    if cls.kind == "enum" and name == "__members__":
        members = {key: v for key, v in cls.data.items() if isinstance(v, Instance) and v.cls is cls}
        return DictValue({(True, key): (Const(key), member) for key, member in members.items()})
    return None


LIBRARY["pkgutil.iter_modules"] = lambda run, arguments: _listed_modules(run, arguments, 0)
LIBRARY["pkgutil.walk_packages"] = lambda run, arguments: _listed_modules(run, arguments, 10)
CLASS_RULES.append(_enum_rules)
