"""A system prompt for agents, built from what their servers list: how to use servers that disclose progressively.

This file needs only the standard library: import it, or copy it into an agent.

    prompt = system_prompt([Listing("library", tools, resources), ...])

``tools`` and ``resources`` are the entries of ``tools/list`` and ``resources/list`` as they are on the wire.  The
workflow and its wording are those of section 8 of the progressive disclosure extension, version 2.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

Definition = Mapping[str, Any]

_RESOURCE = re.compile(
    r"((?:resource://(?:[^?{]*/)?|[a-z][a-z0-9+.-]*:///?)tool_descriptions)/?(?:[?{].*)?", re.DOTALL | re.IGNORECASE
)
"""The address of section 4.1, with the prefix that a gateway may put into it, or under a scheme of the server's own."""
_BRIDGE = re.compile(r"(?:.*[^A-Za-z0-9])?describe_tools(?:_pd)?", re.DOTALL)
_SAYS = "full descriptions of tools"
"""What the description of every bridge says."""


@dataclass(frozen=True)
class Listing:
    """What one server lists."""

    name: str
    tools: Sequence[Definition]
    resources: Sequence[Definition] = field(default=())

    @property
    def resource(self) -> str | None:
        """The URI of the resource that gives full descriptions; ``None`` if the server lists no such resource."""
        found = (_RESOURCE.fullmatch(str(resource.get("uri", ""))) for resource in self.resources)
        return next((match[1] for match in found if match), None)

    @property
    def bridge(self) -> str | None:
        """The tool that returns full descriptions, for models that cannot read resources.

        A server may have a tool of that name for something else: ours says that it returns the full descriptions of
        tools, and takes a list of ``names`` and nothing more.
        """
        named = ((str(tool.get("name", "")), tool) for tool in self.tools)
        return next((name for name, tool in named if _BRIDGE.fullmatch(name) and _describes(tool)), None)

    @property
    def discloses_progressively(self) -> bool:
        return self.resource is not None or self.bridge is not None


def system_prompt(servers: Iterable[Listing], *, read_resource: str | None = "read_resource") -> str:
    """The tools of all ``servers`` with their descriptions, and the workflow of each that discloses progressively.

    ``read_resource`` is the name of the function by which the model reads resources; ``None`` if it cannot read them.
    The function is given the address of the resource; if there are several servers, whose resources all have the same
    address, it is given the name of the ``server``, too.
    Raises ValueError if two servers have one name, so that nobody could say which is meant.
    """
    listings = list(servers)
    names = [server.name for server in listings]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"two servers are called {twice[0]!r}: give each listing a name of its own")
    several = len(listings) > 1
    return "\n\n".join("\n".join(_server(server, read_resource, several)) for server in listings)


def _describes(tool: Definition) -> bool:
    """Whether a tool says what a bridge says, and has no other parameters than a bridge."""
    schema = tool.get("inputSchema", {"properties": {"names": {}}})
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    one = isinstance(properties, Mapping) and list(properties) == ["names"]
    return one and _SAYS in " ".join(str(tool.get("description") or "").split())


def _server(server: Listing, read_resource: str | None, several: bool) -> Iterator[str]:
    shown = [tool for tool in server.tools if tool.get("name") != server.bridge]
    yield f"# Tools of {server.name}"
    yield ""
    yield from map(_line, shown)
    if server.discloses_progressively and shown:
        yield ""
        yield from _workflow(server, _fetches(server, [str(tool["name"]) for tool in shown], read_resource, several))


def _line(tool: Definition) -> str:
    description = " ".join(str(tool.get("description") or "").split())
    return f"- {tool['name']}: {description}" if description else f"- {tool['name']}"


def _workflow(server: Listing, fetches: Iterable[str]) -> Iterator[str]:
    yield f"{server.name} lists its tools in short form. For every task:"
    yield "1. PICK the tools you need by the descriptions above: they say WHAT each tool does, enough to choose by."
    yield "2. FETCH the full descriptions of the tools you have picked, several at once:"
    yield from (f"   {fetch}" for fetch in fetches)
    yield "   They say HOW to call the tools, and fetching authorises them for this session."
    yield "3. CALL the tools with the parameters you have read."
    yield "Do not fetch to find out which tool to use, and never fetch without naming tools: that is an error."
    yield "Do not call a tool before you have fetched its description. When a call is answered with"
    yield "TOOL_DESCRIPTION_REQUIRED, do what the answer says, then call again."


def _fetches(server: Listing, names: Sequence[str], read_resource: str | None, several: bool) -> Iterator[str]:
    """Example fetches: through the resource, through the bridge, or both, as server and model allow."""
    if server.resource is not None and read_resource is not None:
        # In an address a comma parts names, so a name with a comma is fetched alone.
        apart = [name for name in names if "," not in name][:2] or names[:1]
        uri = f"{server.resource}?tools={','.join(quote(name, safe='') for name in apart)}"
        yield f'{read_resource}(server={_text(server.name)}, uri="{uri}")' if several else f'{read_resource}("{uri}")'
    if server.bridge is not None:
        yield f"{server.bridge}(names=[{', '.join(map(_text, names[:2]))}])"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
