"""``os``: variables of the environment, and ``os.path``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import NAMES, Function, declare, native
from pdmigrate.knowledge.library.pathlib import exists, join_all, path_argument, path_attribute

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import Arguments, PathValue, Value

NAMES["os.sep"] = reasons.unknown(reasons.PLATFORM, "os.sep depends on the platform")


@native("os.getenv", "os.environ.get")
def _variable(run: Interpreter, arguments: Arguments) -> Value:
    """An environment variable: the default that the program gives, if settings are assumed to have their defaults.

    A variable that the program reads without a default stays unknown: a user has to set it.
    """
    default = arguments.given(1, "default")
    if default is not None and not default.is_just(None) and run.assumed.default_is_given():
        return default
    name = arguments.first.text
    what = f"the environment variable {name}" if name is not None else "an environment variable"
    return reasons.unknown(reasons.ENVIRONMENT, what, arguments.place)


def _of_path(function: Callable[[Interpreter, PathValue, Arguments], Value]) -> Function:
    return lambda run, arguments: function(run, path_argument(arguments.first, arguments.place), arguments)


declare(
    {
        "os.path.join": _of_path(
            lambda run, path, arguments: join_all(run, path, arguments._replace(positional=arguments.positional[1:]))
        ),
        "os.path.dirname": _of_path(lambda run, path, arguments: path_attribute(run, path, "parent", arguments.place)),
        "os.path.basename": _of_path(lambda run, path, arguments: path_attribute(run, path, "name", arguments.place)),
        **dict.fromkeys(("os.path.exists", "os.path.isfile"), _of_path(exists)),
        **dict.fromkeys(
            ("os.path.abspath", "os.path.realpath", "os.path.normpath"), _of_path(lambda _run, path, _arguments: path)
        ),
    }
)
