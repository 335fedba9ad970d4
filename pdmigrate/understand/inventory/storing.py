"""Values as JSON and back: a value comes back equal and with the same types, or is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from pdmigrate import model

_PLAIN = frozenset({str, int, float, bool, type(None)})
_LIST, _TUPLE = 0, 1
"""The first element of an array that encodes a list or a tuple; for other objects it is the name of their class."""


class UnstorableError(Exception):
    """The value cannot be stored: its class is not one of ``model.py``, or it is too deep or too long for JSON."""


def dumped(value: object, *classes: type) -> bytes:
    """Encode a value made of plain values, lists, tuples, dicts with text keys, ``classes`` or those of ``model.py``.

    Raises:
        UnstorableError: the value holds an object of another class, or is nested too deeply.
    """
    try:
        return json.dumps(_encoded(value, _named(classes)), separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise UnstorableError(str(error)) from error


def loaded(raw: bytes, *classes: type) -> Any:
    """The value that ``dumped`` encoded with the same ``classes``.

    Raises:
        UnstorableError: the value is nested too deeply to be read.
    """
    try:
        return _decoded(json.loads(raw), _named(classes))
    except RecursionError as error:
        raise UnstorableError(str(error)) from error


@cache
def _named(classes: tuple[type, ...]) -> dict[str, type]:
    own = (item for item in vars(model).values() if isinstance(item, type) and item.__module__ == model.__name__)
    return {item.__name__: item for item in (*own, *classes) if is_dataclass(item) or issubclass(item, Enum)}


def _encoded(value: Any, named: dict[str, type]) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        if not all(type(key) is str for key in value):
            raise UnstorableError("a key is no text")
        return {key: _encoded(item, named) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_LIST if kind is list else _TUPLE, *(_encoded(item, named) for item in value)]
    if named.get(kind.__name__) is not kind:
        raise UnstorableError(f"{kind} has no form")
    if isinstance(value, Enum):
        return [kind.__name__, value.value]
    return [kind.__name__, *(_encoded(getattr(value, name), named) for name in value.__dataclass_fields__)]


def _decoded(form: Any, named: dict[str, type]) -> Any:
    if type(form) is dict:
        return {key: _decoded(item, named) for key, item in form.items()}
    if type(form) is not list:
        return form
    kind, items = form[0], [_decoded(item, named) for item in form[1:]]
    if kind == _LIST:
        return items
    if kind == _TUPLE:
        return tuple(items)
    make: Callable[..., Any] = named[kind]
    return make(*items)
