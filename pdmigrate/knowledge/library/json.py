"""``json``"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.known_objects import FILE, known_object
from pdmigrate.evaluate.core.natives import first_argument, native, plain_function, unfit
from pdmigrate.evaluate.core.python_values import to_python
from pdmigrate.evaluate.core.values import Arguments, Origin, Value, const

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@native("json.dumps")
def _dumps(run: Interpreter, arguments: Arguments) -> Value:
    plain = to_python(first_argument(run, arguments))
    size = run.budget.plain
    keywords = {key: to_python(value) for key, value in arguments.keywords.items()}
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


@native("json.loads")
def _loads(run: Interpreter, arguments: Arguments) -> Value:
    if arguments.keywords:
        return reasons.unknown(reasons.UNSUPPORTED, "json.loads() with keywords", arguments.place)
    return _plain_loads(run, arguments)


_plain_loads = plain_function("json.loads", json.loads)


@native("json.load")
def _load(run: Interpreter, arguments: Arguments) -> Value:
    source = first_argument(run, arguments)
    if (file := known_object(source, FILE)) is None:
        raise unfit(source, "json.load()", arguments.place, reasons.INPUT_OUTPUT)
    return _loads(run, arguments._replace(positional=(const(str(file.payload), source.origin),)))
