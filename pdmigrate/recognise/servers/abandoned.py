"""What a call that is left out may have done to a server that its code can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.values import SdkObject, UnknownValue
from pdmigrate.evaluate.language.giving_up import FORGET_SERVER
from pdmigrate.families import FASTMCP
from pdmigrate.recognise.servers.record import EVENTS, Unfollowed, record

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_HANDLING = ("list_tools", "handler", "middleware")
"""Substrings of the attributes by which code reads the handlers of a server, or adds some."""
_TAMPERING = frozenset({"disable", "enable", "add_transform", "add_middleware", "middleware", "_components"})
_TAMPERING |= {"_local_provider", "local_provider", "providers", "_providers", "_mcp_server", "_lowlevel_server"}
_TAMPERING |= {"_mounted_servers"}


@FORGET_SERVER.of(SdkObject)
def _forget(run: Interpreter, server: SdkObject, attributes: set[str] | None, whole: UnknownValue) -> None:
    if EVENTS in server.names:
        adds = attributes is not None and not any(map(_tampers, attributes))
        # With fastmcp, a tool registered later under the same name replaces the earlier one.
        record(run, server, Unfollowed(whole, rewrites=not adds or server.type == FASTMCP.type))
    elif attributes is None or any(part in name for name in attributes for part in _HANDLING):
        for name, value in server.names.items():
            held = value.as_dict or value.as_list
            server.names[name] = whole if held is not None else value


def _tampers(name: str) -> bool:
    """Whether using the attribute ``name`` of a server may change how its registered tools are listed."""
    return name in _TAMPERING or ("tool" in name and name not in ("tool", "add_tool", "call_tool"))
