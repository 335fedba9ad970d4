"""Which attributes the SDKs' servers and tools have, by release: programs tell one release from another by them.

Read from the sources of mcp 1.2.0 to 2.3.0 and fastmcp 2.0.0 to 3.2.4, the first and the last release of each minor
version, and asked of the servers of fastmcp 3.4.4 to 4.2.3 (six releases).  An attribute that is not named
here is in every release, or was never looked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pdmigrate.sdk.families import Family
from pdmigrate.sdk.names import is_within
from pdmigrate.understand.demand.run import RaisedError, Run

Span = tuple[str, str]
"""The first release that has an attribute, and the first one that has it no more; empty without such a limit."""

_NEVER = ("0.0", "0.0")
_OF_SERVERS: Mapping[str, Mapping[str, tuple[Span, ...]]] = {
    "mcp": {
        "remove_tool": (("1.17.0", ""),),
        "custom_route _custom_starlette_routes": (("1.7.0", ""),),
        "completion": (("1.10.0", ""),),
        "instructions": (("1.3.0", ""),),
        "icons website_url": (("1.15.0", ""),),
        "sse_app": (("1.5.0", ""),),
        "session_manager run_streamable_http_async streamable_http_app": (("1.8.0", ""),),
        "_handle_list_tools _lowlevel_server middleware title version": (("2.0.0", ""),),
        "_mcp_server get_context": (("", "2.0.0"),),
        "mount import_server enable disable add_middleware add_transform add_tool_transformation": (_NEVER,),
        "add_provider get_tool get_tools _list_tools _list_tools_mcp _list_tools_middleware": (_NEVER,),
        "local_provider _local_provider add_template add_resource_fn remove_resource": (_NEVER,),
        "run_async run_http_async http_app": (_NEVER,),
    },
    "fastmcp": {
        "remove_tool": (("2.3.5", "4.0.0"),),
        "import_server": (("2.2.0", "4.0.0"),),
        "enable disable add_transform add_provider local_provider _local_provider": (("3.0.0", ""),),
        "add_middleware middleware _list_tools": (("2.9.0", ""),),
        "add_tool_transformation": (("2.11.0", "4.0.0"),),
        "get_tool": (("2.8.0", ""),),
        "get_tools": (("2.2.0", "3.0.0"),),
        "list_tools call_tool list_resources list_prompts": (("", "2.2.0"), ("3.0.0", "")),
        "read_resource list_resource_templates": (("", "2.2.0"), ("3.0.0", "")),
        "completion": (("4.0.0", ""),),
        "_list_tools_mcp": (("2.13.0", "4.0.0"),),
        "_list_tools_middleware": (("2.13.0", "3.0.0"),),
        "_tool_manager settings": (("", "3.0.0"),),
        "custom_route": (("2.2.10", ""),),
        "run_http_async http_app": (("2.3.5", ""),),
        "get_context": (("", "2.3.0"),),
        "run_sse_async sse_app dependencies": (("", "2.14.0"),),
        "run_streamable_http_async streamable_http_app": (("2.3.0", "2.14.0"),),
        "_handle_list_tools _lowlevel_server session_manager remove_resource title": (_NEVER,),
    },
}
_OF_TOOLS: Mapping[str, Mapping[str, tuple[Span, ...]]] = {
    "mcp": {
        "annotations": (("1.7.0", ""),),
        "title output_schema": (("1.10.0", ""),),
        "icons": (("1.15.0", ""),),
        "meta": (("1.19.0", ""),),
        "key enable disable tags enabled to_mcp_tool": (_NEVER,),
    },
    "fastmcp": {
        "tags": (("2.1.0", ""),),
        "to_mcp_tool": (("2.2.0", ""),),
        "annotations": (("2.2.10", ""),),
        "enable disable": (("2.8.0", ""),),
        "enabled": (("2.8.0", "3.0.0"),),
        "key": (("2.9.0", ""),),
        "title output_schema": (("2.10.0", ""),),
        "meta": (("2.11.0", ""),),
        "icons": (("2.13.0", ""),),
        "fn_metadata": (("", "2.2.10"),),
        "context_kwarg": (("", "2.3.0"),),
    },
}
NAMES = {
    (kind, package): {name: spans for names, spans in rows.items() for name in names.split()}
    for kind, table in (("server", _OF_SERVERS), ("tool", _OF_TOOLS))
    for package, rows in table.items()
}


def lacks(kind: Literal["server", "tool"], package: str, version: str, name: str) -> bool:
    """Whether a server of the decorated class of ``package``, or its tool, has no such attribute in this version."""
    spans = NAMES.get((kind, package), {}).get(name)
    return spans is not None and all(is_within(version, *span) is False for span in spans)


def refuse_missing(run: Run, kind: Literal["server", "tool"], family: Family, name: str) -> None:
    """Raise what Python raises for an attribute that an object of an SDK does not have."""
    version = run.versions.get(family.package, "")
    if lacks(kind, family.package, version, name):
        why = f"a {kind} of {family.package} {version} has no {name}"
        raise RaisedError("builtins.AttributeError", why, run.site())
