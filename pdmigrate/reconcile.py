"""Source and description files put together: what each tool's definition is, wherever it lives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pdmigrate.descriptions import DescriptionFile
from pdmigrate.model import DISCLOSED_FIELDS, Field, Known, Server, Site, Step, Tool


def reconcile(server: Server, files: Mapping[str, DescriptionFile]) -> Server:
    """The server with every tool as it is on the wire before disclosure.

    Of a file-owned tool the code holds only a stub: ``description``, ``inputSchema`` and ``outputSchema`` come from its
    file, and only from there: a field that the file does not have is not sent.  Everything else comes from the code.
    """
    return replace(server, tools=tuple(_reconciled(tool, files.get(tool.name or "")) for tool in server.tools))


def _reconciled(tool: Tool, file: DescriptionFile | None) -> Tool:
    if file is None or file.owner != "file":
        return tool
    fields: dict[str, Field] = {key: value for key, value in tool.fields.items() if key not in DISCLOSED_FIELDS}
    for key in DISCLOSED_FIELDS:
        if key in file.data:
            fields[key] = Known(file.data[key], (Step("owned by its description file", Site(file.path, 1)),))
    return replace(tool, fields=fields, owner="file")
