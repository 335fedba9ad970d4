"""The summaries of tools that have no description file: lines of ``_server.json``.

A generated summary follows its description until a person edits its line; from then on the line is the person's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pdmigrate.describe.descriptions import DescriptionFile, check_prose, digest, parsed
from pdmigrate.describe.json_lines import conflict_line, line_of
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

    def following(self, seeds: Mapping[str, str]) -> Lines:
        """The lines, a person's among them under the new names of tools that were renamed.

        ``seeds`` are the summaries generated now, by tool.  A tool was renamed if what was generated for its line is
        now generated for one tool that has no line.
        """
        fresh = [digest(text) for tool, text in seeds.items() if tool not in self.present]
        lost = [self.generated.get(tool) for tool in self.present if tool not in seeds]
        alike = {known for known in lost if known and lost.count(known) == fresh.count(known) == 1}
        new = {digest(text): tool for tool, text in seeds.items() if tool not in self.present}
        names = {tool: new[known] for tool, known in self.generated.items() if known in alike and tool not in seeds}
        present = {names.get(tool, tool): text for tool, text in self.present.items()}
        return replace(self, present=present, generated={names.get(t, t): known for t, known in self.generated.items()})

    def site(self, tool: str) -> Site:
        """Where the line of a tool stands."""
        return Site(self.path, line_of(self.raw, (KEY, tool)))


def unreadable(path: str, raw: bytes) -> Finding | None:
    """A finding for a ``_server.json`` that cannot be read: made anew, it would lose the summaries of a person."""
    if _texts(raw) is not None:
        return None
    if isinstance(found := parsed(path, raw), Finding):
        return found
    message = f"{path} is no JSON object with summaries by tool"
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
    """The summaries by tool; those of both sides of a merge conflict, unless the sides differ about a tool."""
    result: dict[str, str] = {}
    for side in _sides(raw):
        content = json_or_none(side)
        lines = content.get(KEY, {}) if isinstance(content, dict) else None
        if not isinstance(lines, dict):
            return None
        for tool, text in lines.items():
            if isinstance(text, str) and result.setdefault(tool, text) != text:
                return None
    return result


def _sides(raw: bytes) -> tuple[bytes, ...]:
    """The file, or its versions on both sides of the merge conflicts in it."""
    if conflict_line(raw) is None:
        return (raw,)
    kept: tuple[list[bytes], list[bytes]] = ([], [])
    taken: tuple[int, ...] = (0, 1)
    for line in raw.splitlines(keepends=True):
        after = _MARKERS.get(line[:7]) if line[7:8] in b" \r\n" else None
        taken = taken if after is None else after
        for side in taken if after is None else ():
            kept[side].append(line)
    return b"".join(kept[0]), b"".join(kept[1])


_MARKERS: Mapping[bytes, tuple[int, ...]] = {b"<" * 7: (0,), b"|" * 7: (), b"=" * 7: (1,), b">" * 7: (0, 1)}
"""The markers of a merge conflict, each with the sides to which the lines after it belong."""
