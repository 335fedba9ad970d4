"""Fields that an earlier run took from the running server, and that source still does not settle."""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.describe.descriptions import DescriptionFile, digest
from pdmigrate.model import Field, Known, Site, Step, Tool, Unknown
from pdmigrate.record.lock import Written


def with_settled(tool: Tool, file: DescriptionFile | None, written: Written | None) -> Tool:
    """``tool`` with fields that source leaves open taken from the file, if the copy there is as it was last written.

    Otherwise a run that does not ask the server would remove what a run that asked it had put in.
    """
    if file is None or written is None:
        return tool
    fields: dict[str, Field] = dict(tool.fields)
    for key, field in tool.fields.items():
        copied = isinstance(field, Unknown) and key in file.data
        if copied and written.fields.get(key) == digest(file.data[key]):
            step = Step("taken from the running server by an earlier run", Site(file.path, 1))
            fields[key] = Known(file.data[key], (step,), basis="wire")
    return replace(tool, fields=fields)
