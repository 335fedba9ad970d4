"""The summaries of tools that have no description file: lines of ``_server.json``.

A generated summary follows its description until a person edits its line; from then on the line is the person's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pdmigrate.describe.descriptions import DescriptionFile, check_prose, digest, parsed
from pdmigrate.describe.json_lines import line_of
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Site
from pdmigrate.source.documents import json_or_none

KEY = "summaries"


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of one ``_server.json``: the summaries as they are now, and digests of those last generated, by tool.

    ``follows``: whether a tool without a file gets a line at all; where every tool has a copy, it gets a file.
    """

    path: str = ""
    present: Mapping[str, str] = field(default_factory=dict)
    generated: Mapping[str, str] = field(default_factory=dict)
    follows: bool = True
    raw: bytes = field(default=b"", compare=False, repr=False)

    def by_person(self, tool: str) -> str:
        """The summary that a person has written in the line of a tool; empty if the line is as it was generated."""
        text = self.present.get(tool, "")
        return text if text and digest(text) != self.generated.get(tool) else ""

    def as_file(self, tool: str) -> DescriptionFile | None:
        """A person's summary of a tool in the form of a description file, for a tool that gets one."""
        text = self.by_person(tool)
        return DescriptionFile("", {"name": tool, "owner": "code", "summary": text}) if text else None

    def site(self, tool: str) -> Site:
        """Where the line of a tool stands."""
        return Site(self.path, line_of(self.raw, (KEY, tool)))


def unreadable(path: str, raw: bytes) -> Finding | None:
    """A finding for a ``_server.json`` that cannot be read: made anew, it would lose the summaries of a person."""
    if _texts(raw) is not None:
        return None
    if isinstance(found := parsed(path, raw), Finding):
        return found
    message = f"{path} is not a JSON object with summaries by tool"
    return finding("PD401", message, hint="restore it from version control", site=Site(path, 1))


def lines_of(
    path: str, files: Mapping[str, bytes], generated: Mapping[str, Mapping[str, str]], *, copies: bool = False
) -> Lines:
    """The lines in the ``_server.json`` at ``path``, which may not be there, nor be readable.

    ``generated`` has the digests of summaries by path and tool, and ``copies`` says whether copies of tools of the code
    are beside it.
    """
    raw = files.get(path, b"")
    texts = _texts(raw) or {}
    return Lines(path, texts, generated.get(path, {}), bool(texts) or not copies, raw)


def check(lines: Lines, tools: Iterable[str]) -> Iterator[Finding]:
    """Findings about the summaries of ``tools``; what a generated one gives away is found in the definition."""
    for tool in tools:
        if summary := lines.present.get(tool):
            file = DescriptionFile(lines.path, {"name": tool, "summary": summary})
            own = lines.by_person(tool)
            found = (one for one in check_prose(file) if own or one.code == "PD409")
            yield from (replace(one, site=lines.site(tool)) for one in found)


def _texts(raw: bytes) -> dict[str, str] | None:
    """The summaries by tool; ``None`` if they cannot be read."""
    content = json_or_none(raw)
    lines = content.get(KEY, {}) if isinstance(content, dict) else None
    return {tool: text for tool, text in lines.items() if isinstance(text, str)} if isinstance(lines, dict) else None
