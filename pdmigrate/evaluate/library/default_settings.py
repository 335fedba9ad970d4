"""How a program runs if nobody has changed its settings: options and variables have the defaults that it gives.

The tools that a server lists may depend on settings; most people see those that it lists with the defaults.  A variable
that the program reads without a default stays unknown: a user has to set it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.joining import same
from pdmigrate.evaluate.core.values import FALSE, NONE, TRUE, Arguments, ClassValue, Instance, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_NAMESPACE = ClassValue(name="Namespace")
_NAMESPACE.mro = (_NAMESPACE,)
_SWITCHES = {"store_true": FALSE, "store_false": TRUE}
_STORING = frozenset({"store", "append", "extend", "count", "store_const", "append_const"})


def variable(run: Interpreter, arguments: Arguments) -> Value | None:
    """The default of ``os.environ.get(name, default)``; ``None`` if it has no default, or the environment decides."""
    default = arguments.given(1, "default")
    if arguments.unknown is not None or default is None or default.is_just(None):
        return None
    run.has_defaults = True
    return default if run.with_defaults else None


def command_line(run: Interpreter, name: str, arguments: Arguments) -> Value | None:
    """``parser.add_argument(...)`` and ``parser.parse_args()`` of ``argparse``; ``None`` for all other calls."""
    if not name.startswith("argparse."):
        return None
    run.has_defaults = True
    if not run.with_defaults:
        return None
    method = name.rpartition(".")[2]
    if method == "add_argument":
        _add(run, arguments)
    elif method == "add_subparsers" and (dest := arguments.keywords.get("dest", NONE).text) is not None:
        run.options[dest] = NONE
    elif method == "parse_args" and not arguments.positional and not arguments.keywords:
        rest = reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
        return Instance(dict(run.options), rest, _NAMESPACE)
    return None


def _add(run: Interpreter, arguments: Arguments) -> None:
    dest = _dest(arguments)
    if dest is None:
        return
    default = _default(arguments)
    known = run.options.get(dest)
    if known is not None and not same(known, default):
        default = reasons.unknown(reasons.ARGUMENTS, f"--{dest} has several defaults", arguments.place)
    run.options[dest] = default


def _dest(arguments: Arguments) -> str | None:
    """The attribute by which the program reads an option; ``None`` if it is not known, or the option is required."""
    names = [text for item in arguments.positional if (text := item.text) is not None]
    required = arguments.keywords.get("required")
    if arguments.unknown is not None or len(names) != len(arguments.positional) or not names:
        return None
    if (required is not None and not required.is_just(False)) or names[0][:1] != "-":
        return None
    given = arguments.keywords.get("dest")
    if given is not None:
        return given.text
    long = next((name for name in names if name.startswith("--")), names[0])
    return long.lstrip("-").replace("-", "_")


def _default(arguments: Arguments) -> Value:
    """The value of an option that is not given."""
    given, action = arguments.keywords.get("default"), arguments.keywords.get("action")
    kind = "store" if action is None else action.text or ""
    convert = arguments.keywords.get("type")
    if given is None and kind in _SWITCHES:
        return _SWITCHES[kind]
    if given is None and kind in _STORING:
        return NONE
    plain = convert is None or convert.outer_name == "str"
    if given is not None and (given.text is None or plain):
        return first_unknown(given) or given
    return reasons.unknown(reasons.ARGUMENTS, "what the command makes of a default", arguments.place)
