"""The system prompt that the specification recommends (section 8), with the names of one server."""

from __future__ import annotations

from pdmigrate.agent import Listing, system_prompt
from pdmigrate.report.export import Exported, Subject
from pdmigrate.runtime.guidance import URI, describing_tool


def export(subject: Subject, *, bridge: bool) -> Exported:
    """The prompt for an agent that reads resources as ``read_resource``; with ``bridge``, also as the server's tool."""
    tools: list[dict[str, object]] = [{"name": tool.name, "description": tool.summary} for tool in subject.tools]
    if bridge:
        tools.append(describing_tool(subject.bridge, []))
    listing = Listing(subject.name, tools, [{"uri": URI}])
    return Exported({"prompt.md": system_prompt([listing]) + "\n"})
