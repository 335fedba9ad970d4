"""What the world around a program decides: its platform, its version of Python, how it ends."""

from __future__ import annotations

from pdmigrate.understand.demand.attributes import RESULT_RULES
from pdmigrate.understand.demand.run import CONSTANTS, LIBRARY_RULES, RaisedError, Run
from pdmigrate.understand.demand.unfollowed import called
from pdmigrate.understand.library.calling import keep
from pdmigrate.understand.library.settings import of_command_line, of_parser
from pdmigrate.understand.library.standard import awaited
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.codes import PLATFORM
from pdmigrate.understand.values.core import FALSE, NONE, Const, TupleValue, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.outside import Called, External

_VERSION_PARTS = ("major", "minor", "micro", "releaselevel", "serial")


def _version_info(run: Run) -> Value:
    """A tuple of five, of which a version that is given settles two."""
    unknown = run.unsettled("it depends on the version of Python", PLATFORM)
    minor = run.versions.get("minor of python", "")
    known = Const(int(minor)) if minor else unknown
    return TupleValue((Const(3), known, unknown, unknown, unknown), _VERSION_PARTS)


def _by_name(run: Run, name: str, arguments: Arguments) -> Value | None:
    """Rules for whole libraries."""
    if name.startswith(("logging.", "warnings.")) or name.endswith((".basicConfig", ".addHandler")):
        return keep(name, run, arguments)
    if name in ("sys.exit", "os._exit", "builtins.exit", "builtins.quit"):
        raise RaisedError("builtins.SystemExit", "the program ends", run.site())
    if name.startswith(("sys.stdout", "sys.stderr", "sys.path")):
        return NONE
    return keep(name, run, arguments) if name in ("enum.auto", "dataclasses.field") else None


def _submitted(run: Run, arguments: Arguments) -> Value:
    """``pool.submit(function, ...)``: the function runs now, or a little later."""
    future = unsettled(run.risky("what a pool runs"), *arguments.all)
    run.disturb(arguments.all, future)
    called(run, future)
    return future


_SERVING = frozenset({"mount", "host", "add_route", "add_api_route", "add_middleware", "include_router"})
"""Methods of web applications that change nothing of what they serve."""


def _of_called(_run: Run, value: Called, name: str) -> Value | None:
    """Attributes of what library functions return."""
    if value.callee == "builtins.property" and name in ("setter", "deleter", "getter"):

        def accessor(_run: Run, arguments: Arguments) -> Value:
            return Called(value.callee, value.args, (*value.kwargs, (name, arguments.first)), value.site)

        return Native(f"property.{name}", accessor)
    if value.callee == "logging.getLogger" or value.callee.startswith("logging."):
        return External("logging.logger." + name)
    if value.callee.startswith(("starlette.", "fastapi.")) and name in _SERVING:
        return External(f"{value.callee}.{name}")
    if value.callee.startswith("concurrent.futures.") and name in ("submit", "map"):
        return Native(name, _submitted)
    if value.callee.startswith("argparse."):
        return of_parser(name, value.callee)
    return Native(name, awaited) if name == "run_until_complete" else of_command_line(name, value.callee)


CONSTANTS["sys.platform"] = lambda run: run.unsettled("it depends on the platform", PLATFORM)
CONSTANTS["os.name"] = lambda run: run.unsettled("it depends on the platform", PLATFORM)
CONSTANTS["typing.TYPE_CHECKING"] = lambda _run: FALSE
CONSTANTS["typing_extensions.TYPE_CHECKING"] = lambda _run: FALSE
CONSTANTS["sys.version_info"] = _version_info
LIBRARY_RULES.append(_by_name)
RESULT_RULES.append(_of_called)
