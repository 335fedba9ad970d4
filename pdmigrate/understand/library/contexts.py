"""``contextvars.ContextVar``: what a program sets while it starts is what it gets."""

from __future__ import annotations

from pdmigrate.understand.demand.run import ATTRIBUTES, RaisedError, Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.core import NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import Named
from pdmigrate.understand.values.outside import Called

_NAME = "contextvars.ContextVar"


class ContextValue(Named):
    """A context variable: ``data`` holds its ``value`` and its ``default``."""


@library(_NAME)
def _made(_run: Run, arguments: Arguments) -> Value:
    given = {name: value for name, value in arguments.keywords.items() if name == "default"}
    return ContextValue(dict(given), arguments.unknown)


def _get(run: Run, variable: ContextValue, arguments: Arguments) -> Value:
    found = variable.data.get("value", next(iter(arguments.positional), variable.data.get("default")))
    if variable.rest is not None or isinstance(found, (Maybe, Unknown)):
        run.risk = True
        why = variable.rest or found
        return why.why if isinstance(why, Maybe) else why or NONE
    if found is None:
        raise RaisedError("builtins.LookupError", "the context variable is not set", run.site())
    return found


def _set(run: Run, variable: ContextValue, arguments: Arguments) -> Value:
    run.journal.touch(variable)
    before = variable.data.get("value")
    variable.data["value"] = arguments.first
    return Called(f"{_NAME}.set()", (before,) if before is not None else (), (), run.site())


def _reset(run: Run, variable: ContextValue, arguments: Arguments) -> Value:
    token = arguments.first
    run.journal.touch(variable)
    if not isinstance(token, Called) or token.callee != f"{_NAME}.set()":
        variable.rest = run.because("a context variable is reset", token)
    elif token.args:
        variable.data["value"] = token.args[0]
    else:
        variable.data.pop("value", None)
    return NONE


_METHODS = {"get": _get, "set": _set, "reset": _reset}


def _attribute(run: Run, variable: ContextValue, name: str) -> Value:
    known = _METHODS.get(name)
    if known is None:
        return run.unsettled(f"{name} of a context variable")
    return Native(f"{_NAME}.{name}", lambda run, arguments: known(run, variable, arguments))


ATTRIBUTES[ContextValue] = _attribute
