"""Functions of the standard library that the evaluator computes."""

from __future__ import annotations

import html
import inspect
import json
import shlex
import textwrap
import urllib.parse
from collections.abc import Callable, Hashable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.builtin import dict_kinds
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.natives import first_argument, plain_function
from pdmigrate.evaluate.core.operations import get_attribute
from pdmigrate.evaluate.core.python_values import NotPlain, describe, to_python
from pdmigrate.evaluate.core.values import (
    CACHE,
    NONE,
    Arguments,
    ClassValue,
    Const,
    DictValue,
    Entry,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Origin,
    Partial,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.language import coroutines
from pdmigrate.evaluate.language.classes import AutoValue
from pdmigrate.evaluate.language.copying import deep_copy, shallow_copy
from pdmigrate.evaluate.language.subscripts import get_item
from pdmigrate.evaluate.library import importing, itertools_functions, regular_expressions, type_questions
from pdmigrate.evaluate.library.addresses import ADDRESSES
from pdmigrate.evaluate.library.default_settings import variable
from pdmigrate.evaluate.library.files import FileValue, make_path, resource_files, resource_text
from pdmigrate.evaluate.library.scalars import plain_path
from pdmigrate.evaluate.types.models import FieldDefault, construct, fields_of
from pdmigrate.evaluate.types.type_schemas import type_adapter

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


Function = Callable[["Interpreter", Arguments], Value]


def _partial(run: Interpreter, arguments: Arguments) -> Value:
    doubt = arguments.order or next((item.guard.unknown for item in arguments.perhaps.values()), None)
    if doubt is not None:
        return leading_to(doubt, *arguments.values)
    return Partial(first_argument(run, arguments), arguments.positional[1:], dict(arguments.keywords))


def _wraps(run: Interpreter, arguments: Arguments) -> Value:
    wrapped = first_argument(run, arguments)

    def decorate(run: Interpreter, inner: Arguments) -> Value:
        function = first_argument(run, inner)
        if isinstance(function, FunctionValue) and isinstance(wrapped, FunctionValue):
            for name in ("__name__", "__doc__", "__qualname__", "__module__"):
                if name in wrapped.names:
                    function.names[name] = wrapped.names[name]
        if isinstance(function, FunctionValue):
            function.names["__wrapped__"] = wrapped
        return function

    return Native("functools.wraps()", decorate)


def _cache(_run: Interpreter, arguments: Arguments) -> Value:
    """``cache(function)``, or ``lru_cache(size)``, which returns a decorator."""
    first = arguments.given(0, "maxsize") or NONE
    if isinstance(first, FunctionValue):
        return replace(first, names={**first.names, CACHE: DictValue()})
    if isinstance(first, ClassValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"a cache of {describe(first)}", arguments.place)
    if not isinstance(first, Const) or not (first.value is None or first.value == 128 or first.value is True):
        return first_unknown(first) or reasons.unknown(
            reasons.UNSUPPORTED, "a cache that holds some results only", arguments.place
        )
    return Native("functools.cache", _cache)


def _copied(function: Callable[[Value], Value], run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    return first_unknown(value) or function(value)


def _manager(run: Interpreter, arguments: Arguments) -> Value:
    """``contextlib.contextmanager``: the generator function itself, whose generator a ``with`` statement enters."""
    function = first_argument(run, arguments)
    if isinstance(function, FunctionValue) and function.generator:
        return function
    return reasons.unknown(reasons.OUTSIDE, f"a context manager of {describe(function)}", arguments.place)


def _dataclass(maker: str, run: Interpreter, arguments: Arguments) -> Value:
    def decorate(_run: Interpreter, inner: Arguments) -> Value:
        cls = inner.positional[0]
        if isinstance(cls, ClassValue):
            cls.kind, cls.maker = "dataclass", maker
            cls.options = {**cls.options, **arguments.keywords}
        return cls

    if arguments.positional:
        return decorate(run, arguments)
    return Native("dataclass()", decorate)


def _field(which: str, _run: Interpreter, arguments: Arguments) -> Value:
    origin = Origin(f"{which} field", arguments.place)
    return FieldDefault(which, arguments.positional, dict(arguments.keywords), origin)


def _asdict(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    if len(arguments.positional) > 1 or arguments.keywords:
        return reasons.unknown(reasons.UNSUPPORTED, "asdict() with a dict_factory", arguments.place)
    if not isinstance(value, Instance) or value.cls.kind != "dataclass":
        return first_unknown(value) or reasons.unknown(
            reasons.UNSUPPORTED, f"asdict of {describe(value)}", arguments.place
        )
    return _plain_copy(value)


def _plain_copy(value: Value) -> Value:
    """The result of ``asdict``: dataclasses become dicts, containers are copied."""
    charge(1)
    if isinstance(value, Instance) and value.cls.kind == "dataclass":
        names = fields_of(value.cls)
        entries: dict[Hashable, Entry] = {n: Entry(const(n), _plain_copy(value.names.get(n, NONE))) for n in names}
        return DictValue(dict(entries), value.rest, origin=value.origin)
    if isinstance(value, ListValue):
        return replace(value, items=[_plain_copy(item) for item in value.items])
    if isinstance(value, TupleValue):
        return replace(value, items=tuple(_plain_copy(item) for item in value.items))
    if isinstance(value, DictValue):
        return replace(value, entries={k: Entry(e.key, _plain_copy(e.value)) for k, e in value.entries.items()})
    return deep_copy(value)


def _replace(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    if not isinstance(value, Instance):
        return first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, "replace()", arguments.place)
    names = {name: value.names[name] for name in fields_of(value.cls) if name in value.names}
    return construct(run, value.cls, Arguments((), {**names, **arguments.keywords}, value.rest, arguments.place))


def _fields(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    cls = value.cls if isinstance(value, Instance) else value
    if not isinstance(cls, ClassValue):
        return first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, "fields()", arguments.place)
    items: list[Value] = [Instance({"name": const(name)}, cls=_FIELD) for name in fields_of(cls)]
    return TupleValue(tuple(items))


_FIELD = ClassValue(name="Field")
_FIELD.mro = (_FIELD,)
_FIELD.rest = reasons.unknown(reasons.UNSUPPORTED, "an attribute of a dataclass field")


def _auto(_run: Interpreter, arguments: Arguments) -> Value:
    return AutoValue(origin=Origin("auto()", arguments.place))


def _dumps(run: Interpreter, arguments: Arguments) -> Value:
    try:
        plain = to_python(first_argument(run, arguments))
        size = run.budget.plain
        keywords = {key: to_python(value) for key, value in arguments.keywords.items()}
    except NotPlain as reason:
        return reason.unknown
    wide = _wide_indent(keywords.get("indent")) or len(repr(keywords.get("separators"))) > 40
    if keywords.keys() - {"indent", "sort_keys", "ensure_ascii", "separators"} or wide:
        return reasons.unknown(reasons.UNSUPPORTED, "json.dumps() with these arguments", arguments.place)
    run.budget.read(4 * size)
    try:
        text = json.dumps(plain, **keywords)
    except (TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(text))
    return const(text, Origin("json.dumps()", arguments.place))


def _wide_indent(indent: Any) -> bool:
    return indent is not None and (not isinstance(indent, int) or indent > 16)


def _loads(run: Interpreter, arguments: Arguments) -> Value:
    if arguments.keywords:
        return reasons.unknown(reasons.UNSUPPORTED, "json.loads() with keywords", arguments.place)
    return plain_function("json.loads", json.loads)(run, arguments)


def _load(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if not isinstance(source, FileValue):
        return first_unknown(source) or reasons.unknown(reasons.INPUT_OUTPUT, "json.load()", arguments.place)
    return _loads(run, arguments._replace(positional=(const(source.content, source.origin),)))


def _getter(kind: str) -> Function:
    def make(_run: Interpreter, arguments: Arguments) -> Value:
        keys = arguments.positional

        def get(run: Interpreter, inner: Arguments) -> Value:
            assert inner.place is not None
            value = first_argument(run, inner)
            found = [
                get_item(run, value, key, inner.place) if kind == "item" else get_attribute(run, value, key.text or "")
                for key in keys
            ]
            return found[0] if len(found) == 1 else TupleValue(tuple(found))

        return Native(f"operator.{kind}getter()", get)

    return make


def _deque(_run: Interpreter, arguments: Arguments) -> Value:
    """A deque is not followed: it is no list, and what changes one drops elements at either end."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "a deque", arguments.place)
    return leading_to(unknown, *arguments.values)


def _environment(run: Interpreter, arguments: Arguments) -> Value:
    default = variable(run, arguments)
    if default is not None:
        return default
    name = arguments.first.text
    what = f"the environment variable {name}" if name is not None else "an environment variable"
    return reasons.unknown(reasons.ENVIRONMENT, what, arguments.place)


def _path(name: str, run: Interpreter, arguments: Arguments) -> Value:
    return plain_path(name, arguments) or make_path(run, arguments)


FUNCTIONS: dict[str, Function] = {
    "functools.partial": _partial,
    "functools.wraps": _wraps,
    "functools.lru_cache": _cache,
    "functools.cache": _cache,
    "contextlib.contextmanager": _manager,
    "contextlib.asynccontextmanager": _manager,
    "copy.copy": partial(_copied, shallow_copy),
    "copy.deepcopy": partial(_copied, deep_copy),
    "typing.cast": lambda run, arguments: first_argument(run, arguments, 1),
    "dataclasses.dataclass": partial(_dataclass, "dataclasses.dataclass"),
    "dataclasses.field": partial(_field, "dataclass"),
    "dataclasses.asdict": _asdict,
    "dataclasses.replace": _replace,
    "dataclasses.fields": _fields,
    "pydantic.dataclasses.dataclass": partial(_dataclass, "pydantic.dataclasses.dataclass"),
    "pydantic.Field": partial(_field, "pydantic"),
    "pydantic.fields.Field": partial(_field, "pydantic"),
    "pydantic.TypeAdapter": type_adapter,
    "datetime.timedelta": plain_function("datetime.timedelta", timedelta),
    "enum.auto": _auto,
    "json.dumps": _dumps,
    "json.loads": _loads,
    "json.load": _load,
    "textwrap.dedent": plain_function("textwrap.dedent", textwrap.dedent),
    "inspect.cleandoc": plain_function("inspect.cleandoc", inspect.cleandoc),
    **itertools_functions.FUNCTIONS,
    **regular_expressions.FUNCTIONS,
    **type_questions.FUNCTIONS,
    "html.escape": plain_function("html.escape", html.escape),
    "html.unescape": plain_function("html.unescape", html.unescape),
    "shlex.quote": plain_function("shlex.quote", shlex.quote),
    "urllib.parse.quote": plain_function("urllib.parse.quote", urllib.parse.quote),
    "urllib.parse.quote_plus": plain_function("urllib.parse.quote_plus", urllib.parse.quote_plus),
    "urllib.parse.urljoin": plain_function("urllib.parse.urljoin", urllib.parse.urljoin),
    "urllib.parse.unquote": plain_function("urllib.parse.unquote", urllib.parse.unquote),
    "urllib.parse.parse_qs": plain_function("urllib.parse.parse_qs", urllib.parse.parse_qs),
    **ADDRESSES,
    "operator.itemgetter": _getter("item"),
    "operator.attrgetter": _getter("attr"),
    **dict_kinds.FUNCTIONS,
    "collections.deque": _deque,
    "os.getenv": _environment,
    "os.environ.get": _environment,
    "pathlib.Path": partial(_path, "pathlib.Path"),
    "pathlib.PurePath": partial(_path, "pathlib.PurePath"),
    "importlib.resources.files": resource_files,
    "importlib.resources.read_text": resource_text,
    **importing.FUNCTIONS,
    **coroutines.FUNCTIONS,
}
