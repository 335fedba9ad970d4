"""The settings of a program: the variables of its environment and the options of its command line.

None of them is known.  But most people see the tools that a server lists while every setting has the default that the
program gives it, so an evaluation may assume the defaults.
"""

from __future__ import annotations

from functools import partial

from pdmigrate.understand.demand.containers import SUBSCRIPTS
from pdmigrate.understand.demand.run import CALLS, CONSTANTS, DISTURBED, LIBRARY, Run
from pdmigrate.understand.index.units import parameters_of
from pdmigrate.understand.library.calling import keep
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.codes import ARGUMENTS, ENVIRONMENT, OUTSIDE
from pdmigrate.understand.values.containers import ListValue, Mutable
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import CALLABLE, one_of, same, unsettled
from pdmigrate.understand.values.objects import FunctionValue, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, external_name

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


def of_parser(name: str, callee: str) -> Native:
    """The method ``name`` of a parser of ``argparse``, or of one of its parts."""
    return Native(name, partial(_OF_PARSER.get(name, keep), f"{callee}.{name}"))


def _option(callee: str, run: Run, arguments: Arguments) -> Value:
    name = _attribute(arguments)
    if name is not None and run.default_is_given():
        default = _default(run, arguments)
        options = run.memory.setdefault("options", {})
        if not same(options.setdefault(name, default), default):
            options[name] = run.unsettled(f"--{name} has several defaults", ARGUMENTS)
    return keep(callee, run, arguments)


def _subcommand(callee: str, run: Run, arguments: Arguments) -> Value:
    name = text_of(arguments.keywords.get("dest"))
    if name is not None and run.default_is_given():
        run.memory.setdefault("options", {})[name] = NONE
    return keep(callee, run, arguments)


def _parsed(callee: str, run: Run, arguments: Arguments) -> Value:
    run.risk = True
    why = run.unsettled("it depends on the arguments of the command", ARGUMENTS)
    functions: dict[str, list[Value]] = run.memory.get(_FUNCTIONS, {})
    if arguments.all or not (run.with_defaults or functions):
        return why
    found = SdkObject("argparse.Namespace", dict(run.memory.get("options", {})) if run.with_defaults else {}, rest=why)
    choose = unsettled if _OPEN in run.memory else one_of
    found.data.update({name: choose(why, *given) for name, given in functions.items()})
    return TupleValue((found, why)) if callee.endswith("parse_known_args") else found


def _set_defaults(callee: str, run: Run, arguments: Arguments) -> Value:
    """``parser.set_defaults(func=serve)``: which of such functions is called depends on the command."""
    for name, value in arguments.keywords.items():
        if isinstance(value, CALLABLE):
            run.memory.setdefault(_FUNCTIONS, {}).setdefault(name, []).append(value)
    return keep(callee, run, arguments)


def _hand_over(run: Run, values: list[Value], _found: list[Mutable], why: Unknown) -> None:
    """Code that is not followed may add commands to a parser that it gets."""
    if any(isinstance(value, Called) and value.callee.startswith("argparse.") for value in values):
        run.memory.setdefault(_OPEN, why)


_FUNCTIONS, _OPEN = "functions of commands", "more functions of commands"
_OF_PARSER = {
    **dict.fromkeys(("parse_args", "parse_known_args"), _parsed),
    "add_argument": _option,
    "add_subparsers": _subcommand,
    "set_defaults": _set_defaults,
}
DISTURBED.append(_hand_over)


def _attribute(arguments: Arguments) -> str | None:
    """The attribute by which the program reads an option; ``None`` if it is not known, or the option is required."""
    names = [text for item in arguments.positional if (text := text_of(item)) is not None]
    if arguments.unknown is not None or len(names) != len(arguments.positional) or not names:
        return None
    if arguments.keywords.get("required", FALSE) != FALSE or names[0][:1] != "-":
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
    if value.callee.startswith(_COMMANDS):
        return _call_command(run, value, arguments)
    run.risk = True
    why = run.unsettled(f"a call of what {value.callee} returned", OUTSIDE)
    run.disturb(arguments.all, why)
    return why


_COMMANDS = ("click.", "typer.", "asyncclick.", "cyclopts.", "rich_click.")


def of_command_line(name: str, callee: str) -> Native | None:
    """The method ``name`` of what a library of command lines makes; ``None`` for objects of other libraries."""
    return Native(name, partial(keep, f"{callee}.{name}")) if callee.startswith(_COMMANDS) else None


def _call_command(run: Run, value: Called, arguments: Arguments) -> Value:
    """What a library of command lines makes of a function: calling it calls the function with what the user gives."""
    given = arguments.at(0) if arguments.positional else None
    if isinstance(given, (FunctionValue, Called)):
        return Called(f"{value.callee}()", (*value.args, given), value.kwargs, value.site)
    inner = _decorated_function(value)
    if inner is None:
        run.risk = True
        return run.unsettled(f"a call of what {value.callee} returned", OUTSIDE)
    return _commanded(run, inner, _option_defaults(value))


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
    if isinstance(given, FunctionValue):
        return _commanded(run, given, {})
    run.risk = True
    why = run.unsettled("what a command line calls", OUTSIDE)
    run.disturb(arguments.all, why)
    return why


def _option_defaults(value: Called) -> dict[str, Value]:
    """The defaults of the options with which a function is decorated, by the names of its parameters."""
    found: dict[str, Value] = {}
    inner: Value | None = value
    while isinstance(inner, Called):
        given = dict(inner.kwargs)
        texts = [item.value for item in inner.args if isinstance(item, Const) and isinstance(item.value, str)]
        names = sorted(texts, key=lambda text: (text.startswith("-"), -len(text)))
        default = given.get("default", FALSE if given.get("is_flag") == TRUE else NONE)
        if names and ("type" not in given or text_of(default) is None):
            found[names[0].partition("/")[0].lstrip("-").replace("-", "_").lower()] = default
        inner = next((item for item in inner.args if isinstance(item, Called)), None)
    return found


def _decorated_function(value: Called) -> FunctionValue | None:
    """The function inside the decorators of a library of command lines."""
    for item in value.args:
        if isinstance(item, FunctionValue):
            return item
        if isinstance(item, Called) and item.callee.startswith(_COMMANDS):
            return _decorated_function(item)
    return None


CALLS[Called] = _call_result
LIBRARY.update(dict.fromkeys(("typer.run", "fire.Fire", "cyclopts.run"), _run_command))
for _name in ("os.getenv", "os.environ.get", "os.environ.setdefault", "os.environ.pop", "os.environ.copy"):
    LIBRARY[_name] = _variable
SUBSCRIPTS["os.environ"] = Native("os.environ", _variable)
SUBSCRIPTS["sys.argv"] = Native("sys.argv", lambda run, _a: run.unsettled("it depends on the command line", ARGUMENTS))
CONSTANTS["sys.argv"] = lambda run: run.unsettled("it depends on the command line", ARGUMENTS)
