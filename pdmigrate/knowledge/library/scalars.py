"""Objects of the standard library that are made from plain values: dates, decimals, identifiers, addresses.

The evaluator does not compute with them.  They are kept as the call that made them, which is enough for a default or a
bound in a model.  The real call is tried, so that a call that fails is known to fail.
"""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.outside import MAKERS
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import Arguments, External, Origin, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

CONSTANTS = {
    "datetime.timezone.utc": datetime.timezone.utc,
    "datetime.UTC": datetime.timezone.utc,
}
_EXPONENT = re.compile(r"[eE][-+]?[0-9_]{5}")
"""An exponent that makes a short text a number of many digits, all of which ``Fraction`` computes."""
LONGEST = 1000
"""The most characters of a text argument with which the real call is tried."""


def make_scalar(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of a call of one of ``MAKERS``, unknown if an argument is.

    ``None`` for a call of another function, or with spread arguments that could not be followed.
    """
    make = MAKERS.get(function.name)
    if make is None or arguments.unknown is not None:
        return None
    try:
        positional = [_plain(item) for item in arguments.positional]
        keywords = {name: _plain(item) for name, item in arguments.keywords.items()}
    except NotPlain as reason:
        return reason.unknown
    try:
        make(*positional, **keywords)
    except (ArithmeticError, TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    return External(f"{function.name}()", arguments, origin=Origin(f"{function.name}()", arguments.place))


def _plain(value: Value) -> Any:
    name = value.library_name
    if name in CONSTANTS:
        return CONSTANTS[name]
    # An object made from other objects is rebuilt together with them, so each level has to cost steps.
    charge(8)
    if isinstance(value, External) and value.arguments is not None and name.removesuffix("()") in MAKERS:
        given = value.arguments
        make = MAKERS[name.removesuffix("()")]
        return make(*map(_plain, given.positional), **{word: _plain(item) for word, item in given.keywords.items()})
    plain = to_python(value)
    if isinstance(plain, str) and (len(plain) > LONGEST or _EXPONENT.search(plain)):
        raise NotPlain(reasons.unknown(reasons.BUDGET, "a number or date of this length"))
    return plain
