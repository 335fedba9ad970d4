"""A system prompt for agents, built from what their servers list: how to use servers that disclose progressively.

This file needs only the standard library: import it, or copy it into an agent.

    prompt = system_prompt([Listing("library", tools, resources), ...])

``tools`` and ``resources`` are the entries of ``tools/list`` and ``resources/list`` as they are on the wire.  The
workflow and its wording are those of section 8 of the progressive disclosure extension, version 2.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Definition = Mapping[str, Any]

RESOURCE = "tool_descriptions"
BRIDGE = "describe_tools"


@dataclass(frozen=True)
class Listing:
    """What one server lists."""

    name: str
    tools: Sequence[Definition]
    resources: Sequence[Definition] = field(default=())

    @property
    def resource(self) -> str | None:
        """The URI of the resource that gives full descriptions; ``None`` if the server lists no such resource."""
        addresses = (str(resource.get("uri", "")).partition("?")[0].rstrip("/") for resource in self.resources)
        return next((address for address in addresses if address.endswith(f"/{RESOURCE}")), None)

    @property
    def bridge(self) -> str | None:
        """The tool that returns full descriptions, for models that cannot read resources."""
        names = (str(tool.get("name", "")) for tool in self.tools)
        return next((name for name in names if name == BRIDGE or name.endswith(f"_{BRIDGE}")), None)

    @property
    def discloses_progressively(self) -> bool:
        return self.resource is not None or (self.bridge is not None and len(self.tools) > 1)


def system_prompt(servers: Iterable[Listing], *, read_resource: str | None = "read_resource") -> str:
    """The tools of all ``servers`` with their descriptions, and the workflow of each that discloses progressively.

    ``read_resource`` is the name of the function by which the model reads resources; ``None`` if it cannot read them.
    """
    return "\n\n".join("\n".join(_server(server, read_resource)) for server in servers)


def _server(server: Listing, read_resource: str | None) -> Iterator[str]:
    shown = [tool for tool in server.tools if tool.get("name") != server.bridge or not server.discloses_progressively]
    yield f"# Tools of {server.name}"
    yield ""
    yield from map(_line, shown)
    if server.discloses_progressively and shown:
        yield ""
        yield from _workflow(server, [str(tool["name"]) for tool in shown], read_resource)


def _line(tool: Definition) -> str:
    description = " ".join(str(tool.get("description") or "").split())
    return f"- {tool['name']}: {description}" if description else f"- {tool['name']}"


def _workflow(server: Listing, names: Sequence[str], read_resource: str | None) -> Iterator[str]:
    fetches = list(_fetches(server, names[:2], read_resource))
    yield f"{server.name} lists its tools in short form. For every task:"
    yield "1. PICK the tools you need by the descriptions above: they say WHAT each tool does, enough to choose by."
    yield "2. FETCH the full descriptions of the tools you have picked, several at once:"
    yield from (f"   {fetch}" for fetch in fetches)
    yield "   They say HOW to call the tools, and fetching authorises them for this session."
    yield "3. CALL the tools with the parameters you have read."
    yield "Do not fetch to find out which tool to use, and never fetch without naming tools: that is an error."
    yield "Do not call a tool before you have fetched its description. When a call is answered with"
    yield "TOOL_DESCRIPTION_REQUIRED, fetch as the answer says, then call again."


def _fetches(server: Listing, names: Sequence[str], read_resource: str | None) -> Iterator[str]:
    """Example fetches: through the resource, through the bridge, or both, as server and model allow."""
    if server.resource is not None and read_resource is not None:
        yield f'{read_resource}("{server.resource}?tools={",".join(names)}")'
    if server.bridge is not None:
        wanted = ", ".join(f'"{name}"' for name in names)
        yield f"{server.bridge}(names=[{wanted}])"
