"""What is outside a program: the variables of its environment, the options of its command line, its platform.

None of them is known.  But most people see the tools that a server lists while every setting has the default that the
program gives it, so an evaluation may assume the defaults.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pdmigrate.understand.demand.attributes import RESULT_RULES
from pdmigrate.understand.demand.containers import SUBSCRIPTS
from pdmigrate.understand.demand.run import ATTRIBUTES, CALLS, CONSTANTS, LIBRARY, LIBRARY_RULES, RaisedError, Run
from pdmigrate.understand.index.syntax import parameters_of
from pdmigrate.understand.library.calling import given_up, keep, library
from pdmigrate.understand.library.standard import awaited
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import ListValue
from pdmigrate.understand.values.core import (
    ARGUMENTS,
    ENVIRONMENT,
    FALSE,
    NONE,
    OUTSIDE,
    PLATFORM,
    TRUE,
    Const,
    Maybe,
    TupleValue,
    Unknown,
    Value,
)
from pdmigrate.understand.values.joining import certain, same, unsettled
from pdmigrate.understand.values.objects import FunctionValue, Named, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, external_name

_VALIDATORS = frozenset(f"pydantic.{name}" for name in ("field_validator", "model_validator", "validator"))
"""Decorators of pydantic's whose result stands, in a class body, for the function that they are given."""
_COMMANDS = ("click.", "typer.", "asyncclick.", "cyclopts.", "rich_click.")
"""Libraries that make a command line of a function."""
_NOT_GIVEN = {
    "store_true": FALSE,
    "store_false": TRUE,
    **dict.fromkeys(("store", "append", "extend", "count", "store_const", "append_const"), NONE),
}
"""The values of options that are not given and have no default, by the option's action."""


def _variable(run: Run, arguments: Arguments) -> Value:
    """A variable of the environment.  One that is read without a default stays unknown: a user has to set it."""
    default = arguments.get(1, "default")
    if default is not None and default != NONE and run.default_is_given():
        return default
    run.risk = True
    name = text_of(arguments.first) or "a variable"
    return run.unsettled(f"it depends on the environment variable {name}", ENVIRONMENT)


def _of_parser(name: str, callee: str, run: Run, arguments: Arguments) -> Value:
    """The method ``name`` of a parser of ``argparse``, or of one of its parts."""
    if name in ("parse_args", "parse_known_args"):
        return _parsed(name, run, arguments)
    options: dict[str, Value] = run.memory.setdefault("options", {})
    if name == "add_argument":
        run.may_call(arguments.all, run.unsettled("it converts an argument", ARGUMENTS))
    if name == "add_argument" and (option := _attribute(arguments)) is not None and run.default_is_given():
        default = _default(run, arguments)
        if not same(options.setdefault(option, default), default):
            options[option] = run.unsettled(f"--{option} has several defaults", ARGUMENTS)
    dest = text_of(arguments.keywords.get("dest"))
    if name == "add_subparsers" and dest is not None and run.default_is_given():
        options[dest] = NONE
    if name == "set_defaults":  # which of such functions is called depends on the command: ``func=serve``
        why = run.unsettled("it depends on the command", ARGUMENTS)
        options |= dict.fromkeys(arguments.keywords, why)
        run.may_call(arguments.all, why)
    return keep(f"{callee}.{name}", run, arguments)


def _parsed(name: str, run: Run, arguments: Arguments) -> Value:
    run.risk = True
    why = run.unsettled("it depends on the arguments of the command", ARGUMENTS)
    if arguments.all or not run.with_defaults:
        return why
    found = SdkObject("argparse.Namespace", dict(run.memory.get("options", {})), rest=why)
    return TupleValue((found, why)) if name == "parse_known_args" else found


def _attribute(arguments: Arguments) -> str | None:
    """The attribute by which the program reads an option; ``None`` if it is not known, or the option is required."""
    names = [text for item in arguments.positional if (text := text_of(item)) is not None]
    required = arguments.keywords.get("required", FALSE) != FALSE or len(names) != len(arguments.positional)
    if arguments.unknown is not None or required or not names or names[0][:1] != "-":
        return None
    if "dest" in arguments.keywords:
        return text_of(arguments.keywords["dest"])
    long = next((name for name in names if name.startswith("--")), names[0])
    return long.lstrip("-").replace("-", "_")


def _default(run: Run, arguments: Arguments) -> Value:
    """The value of an option that is not given."""
    given, action = arguments.keywords.get("default"), arguments.keywords.get("action")
    kind = "store" if action is None else text_of(action)
    if given is None and kind in _NOT_GIVEN:
        return _NOT_GIVEN[kind]
    convert = arguments.keywords.get("type")
    if given is not None and (text_of(given) is None or convert is None or external_name(convert) == "builtins.str"):
        return given
    return run.unsettled("it depends on how the command converts a default", ARGUMENTS)


# --- command lines that are functions ---------------------------------------------------------------------------------


def _call_result(run: Run, value: Called, arguments: Arguments) -> Value:
    """A call of what a library returned: a command calls its function with what the user gives."""
    given = arguments.positional[0] if arguments.positional else None
    if value.callee.startswith(_COMMANDS) and isinstance(given, (FunctionValue, Called)):
        return Called(f"{value.callee}()", (*value.args, given), value.kwargs, value.site)
    if value.callee in _VALIDATORS and isinstance(given, FunctionValue):
        return value
    if value.callee.startswith(_APPLICATIONS) and value.callee.rpartition(".")[2].islower() and given is not None:
        run.may_call([given], run.unsettled(f"it is passed to {value.callee}()", OUTSIDE))
        return given
    inner: Value | None = value
    defaults: dict[str, Value] = {}
    while isinstance(inner, Called) and inner.callee.startswith(_COMMANDS):
        defaults.update(_option_default(inner))
        inner = next((item for item in inner.args if isinstance(item, (FunctionValue, Called))), None)
    if isinstance(inner, FunctionValue):
        return _commanded(run, inner, defaults)
    why = run.risky(f"a call of what {value.callee} returned", code=OUTSIDE)
    run.hand_over(arguments.all, why)
    return why


def _commanded(run: Run, inner: FunctionValue, defaults: dict[str, Value]) -> Value:
    """A call with what the user gives."""
    made = Arguments(site=run.site())
    for parameter in parameters_of(inner.node):
        why = run.unsettled(f"it depends on the option {parameter.arg}", ARGUMENTS)
        default = defaults.get(parameter.arg, NONE)
        usual = [item for item in default.data if not isinstance(item, Maybe)] if isinstance(default, ListValue) else []
        made.keywords[parameter.arg] = ListValue([Maybe(item, why) for item in usual], why) if usual else why
        if default != NONE and run.default_is_given():
            made.keywords[parameter.arg] = default
    return run.call(inner, made)


def _run_command(run: Run, arguments: Arguments) -> Value:
    """``typer.run(function)``"""
    given = arguments.first
    return _commanded(run, given, {}) if isinstance(given, FunctionValue) else given_up(run, arguments)


def _option_default(value: Called) -> dict[str, Value]:
    """The default of the option with which a function is decorated, by the name of its parameter."""
    given = dict(value.kwargs)
    texts = [text for item in value.args if (text := text_of(item)) is not None]
    names = sorted(texts, key=lambda text: (text.startswith("-"), -len(text)))
    default = given.get("default", FALSE if given.get("is_flag") == TRUE else NONE)
    if not names or ("type" in given and text_of(default) is not None):
        return {}
    return {names[0].partition("/")[0].lstrip("-").replace("-", "_").lower(): default}


CALLS[Called] = _call_result
LIBRARY.update(dict.fromkeys(("typer.run", "fire.Fire", "cyclopts.run"), _run_command))
for _name in ("os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop", "os.environ.copy"):
    LIBRARY[_name] = _variable
SUBSCRIPTS["os.environ"] = Native("os.environ", _variable)
CONSTANTS["sys.argv"] = lambda run: run.unsettled("it depends on the command line", ARGUMENTS)


class ContextValue(Named):
    """A ``contextvars.ContextVar``: ``data`` holds its ``value`` and its ``default``."""


@library("contextvars.ContextVar")
def _context(_run: Run, arguments: Arguments) -> Value:
    given = {name: value for name, value in arguments.keywords.items() if name == "default"}
    return ContextValue(given, arguments.unknown)


def _of_context(run: Run, variable: ContextValue, name: str) -> Value:
    if name == "set":
        return Native(name, lambda run, arguments: _set_context(run, variable, arguments.at(0)))
    if name == "get":
        return Native(name, lambda run, arguments: _get_context(run, variable, arguments))
    why = run.risky(f"{name} of a context variable")
    run.journal.blur(variable, why)
    return why


def _set_context(run: Run, variable: ContextValue, value: Value) -> Value:
    run.journal.touch(variable)
    if run.awaiting:  # a task has a context of its own
        value = unsettled(run.unsettled("a context variable that is set in a task"), value)
    variable.data["value"] = value
    return run.unsettled("a token of a context variable")


def _get_context(run: Run, variable: ContextValue, arguments: Arguments) -> Value:
    found = variable.data.get("value", next(iter(arguments.positional), variable.data.get("default")))
    if variable.rest is not None or isinstance(found, (Maybe, Unknown)):
        return unsettled(run.risky("a context variable", variable.rest, certain(found or NONE)), *variable.held)
    if found is None:
        raise RaisedError("builtins.LookupError", "the context variable is not set", run.site())
    return found


ATTRIBUTES[ContextValue] = _of_context


# --- whole libraries, and the platform --------------------------------------------------------------------------------


def _by_name(run: Run, name: str, arguments: Arguments) -> Value | None:
    """Rules for whole libraries."""
    if name.endswith((".addHandler", ".addFilter")):
        run.may_call(arguments.all, run.unsettled("it gets what is logged"))
    if name.startswith(("logging.", "warnings.")) or name.endswith((".basicConfig", ".addHandler")):
        return keep(name, run, arguments)
    if name in ("sys.exit", "os._exit", "builtins.exit", "builtins.quit"):
        raise RaisedError("builtins.SystemExit", "the program ends", run.site())
    if name.startswith(("sys.stdout", "sys.stderr", "sys.path")):
        return NONE
    return keep(name, run, arguments) if name in ("enum.auto", "dataclasses.field") else None


_APPLICATIONS = ("starlette.", "fastapi.")
"""Web applications: their methods change nothing of what they serve, or decorate functions, and call them later."""


def _of_called(_run: Run, value: Called, name: str) -> Value | None:
    """Attributes of what library functions return."""
    if value.callee == "builtins.property" and name in ("setter", "deleter", "getter"):
        return Native(name, lambda _run, given: replace(value, kwargs=(*value.kwargs, (name, given.first))))
    if value.callee == "logging.getLogger" or value.callee.startswith("logging."):
        return External("logging.logger." + name)
    if value.callee.startswith(_APPLICATIONS):
        return External(f"{value.callee}.{name}")
    if value.callee.startswith("argparse."):
        return Native(name, partial(_of_parser, name, value.callee))
    if value.callee.startswith(_COMMANDS):
        return Native(name, partial(keep, f"{value.callee}.{name}"))
    return Native(name, awaited) if name == "run_until_complete" else None


def _version_info(run: Run) -> Value:
    """A tuple of five, of which a version that is given settles two."""
    unknown = run.unsettled("it depends on the version of Python", PLATFORM)
    minor = run.versions.get("minor of python", "")
    known = Const(int(minor)) if minor else unknown
    return TupleValue((Const(3), known, unknown, unknown, unknown))


CONSTANTS["sys.version_info"] = _version_info
for _name in ("sys.platform", "os.name"):
    CONSTANTS[_name] = lambda run: run.unsettled("it depends on the platform", PLATFORM)
for _name in ("typing.TYPE_CHECKING", "typing_extensions.TYPE_CHECKING"):
    CONSTANTS[_name] = lambda _run: FALSE
LIBRARY_RULES.append(_by_name)
RESULT_RULES.append(_of_called)
