"""``argparse`` in a program whose settings nobody has changed: options have the defaults that the program gives.

The tools that a server lists may depend on settings; most people see those that the server lists with the defaults.
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
_NOT_GIVEN = {
    "store_true": FALSE,
    "store_false": TRUE,
    **dict.fromkeys(("store", "append", "extend", "count", "store_const", "append_const"), NONE),
}
"""The values of options that are not given and have no default, by the option's action."""


def command_line(run: Interpreter, name: str, arguments: Arguments) -> Value | None:
    """``parser.add_argument(...)`` and ``parser.parse_args()`` of ``argparse``; ``None`` for all other calls."""
    if not name.startswith("argparse."):
        return None
    if not run.assumed.default_is_given():
        return None
    method = name.rpartition(".")[2]
    if method == "add_argument" and (dest := _dest(arguments)) is not None:
        default = _default(arguments)
        if not same(run.assumed.options.setdefault(dest, default), default):
            run.assumed.options[dest] = reasons.unknown(
                reasons.ARGUMENTS, f"--{dest} has several defaults", arguments.place
            )
    elif method == "add_subparsers" and (dest := arguments.keywords.get("dest", NONE).text) is not None:
        run.assumed.options[dest] = NONE
    elif method == "parse_args" and not arguments.positional and not arguments.keywords:
        rest = reasons.unknown(reasons.ARGUMENTS, "the arguments of the command", arguments.place)
        return Instance(dict(run.assumed.options), rest, _NAMESPACE)
    return None


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
    if given is None and (kind := "store" if action is None else action.text) in _NOT_GIVEN:
        return _NOT_GIVEN[kind]
    convert = arguments.keywords.get("type")
    if given is not None and (given.text is None or convert is None or convert.outer_name == "str"):
        return first_unknown(given) or given
    return reasons.unknown(reasons.ARGUMENTS, "how the command converts a default", arguments.place)
