"""Take over servers that already disclose progressively: take out their own code for it, so that ours can go in.

``understand/by_hand.py`` has found what such a server answers.  This package finds the statements behind the answers,
and takes out only those that do nothing else: removed code may compute, log, and remember who has fetched what, and no
code that stays may read any of that.  In any doubt the server stays as it is, and the reason names the part that stands
in the way.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from pdmigrate.describe.descriptions import DescriptionFile, digest, disclosed
from pdmigrate.findings import finding
from pdmigrate.model import (
    DISCLOSED_FIELDS,
    TOOL_FIELDS,
    ByHand,
    Edit,
    Finding,
    Fixed,
    JsonValue,
    Known,
    Server,
    Tool,
)
from pdmigrate.project.adopting.code import StandsInTheWayError
from pdmigrate.project.adopting.taking_out import taken_out
from pdmigrate.record.lock import Written
from pdmigrate.source.source import SourceFile

_OURS = ("$schema", "owner", "summary")


@dataclass(frozen=True, slots=True)
class Adoption:
    """What turns a server that discloses by hand into one whose tools are owned by description files."""

    edits: Mapping[str, tuple[Edit, ...]]
    """The edits of its code, by file."""
    files: Mapping[str, DescriptionFile]
    """The description files as a migration would have written them, by tool name."""
    written: Mapping[str, Written]
    """What the lock would remember of these files, by path."""
    unused: tuple[str, ...]
    """Modules of the project that only the removed code used."""
    validates: bool
    """Whether the SDK validates arguments against the schema that is listed."""

    def findings(self, server: Server) -> Iterator[Finding]:
        """The findings about the adoption."""
        name = server.name or f"the server made at {server.site}"
        message = f"{name} discloses its tools by hand; the generated module does so from now on, with the same files"
        if self.unused:
            message += f". {name} does not use {' and '.join(self.unused)} any more"
        yield finding("PD541", message, site=server.site)
        loose = [tool for tool in server.tools if self.files[str(tool.name)].data["inputSchema"] != _listed(tool)]
        if self.validates and loose:
            message = (
                f"from now on the SDK checks the arguments of {name} against the full schemas, where those that were "
                f'listed by hand let more through (the first is that of "{loose[0].name}")'
            )
            yield finding("PD542", message, site=server.site)


def adopt(
    server: Server, by_hand: ByHand, files: Mapping[str, DescriptionFile], sources: Mapping[str, SourceFile]
) -> Adoption | Fixed:
    """Take a server over, or say what prevents that; ``files`` is keyed by tool name, ``sources`` by path."""
    try:
        if server.incomplete is not None:
            raise StandsInTheWayError(f"it may list more tools than source shows: {server.incomplete}", server.site)
        described = {str(tool.name): _described(tool, by_hand, files) for tool in server.tools}
        code, calls, left = taken_out(by_hand, sources)
        edits = {code.source.path: tuple(code.edits())}
    except StandsInTheWayError as found:
        return found.fixed
    written = {described[str(tool.name)].path: _written(tool, described[str(tool.name)]) for tool in server.tools}
    asked = next((word.value for word in calls.keywords if word.arg == "validate_input"), None)
    validates = not (isinstance(asked, ast.Constant) and asked.value is False)
    return Adoption(edits, described, written, left, validates)


def split_at_insertions(removals: Iterable[Edit], others: Iterable[Edit], source: SourceFile) -> Iterator[Edit]:
    """``removals`` of whole lines, split where one of ``others`` inserts text between those lines."""
    puts = sorted({edit.span.start for edit in others if edit.span.start == edit.span.end})
    for edit in removals:
        start = edit.span.start
        for put in puts if not edit.text else ():
            if start < put < edit.span.end and put == source.line_start(put):
                yield replace(edit, span=replace(edit.span, start=start, end=put))
                start = put
        yield replace(edit, span=replace(edit.span, start=start))


def _described(tool: Tool, by_hand: ByHand, files: Mapping[str, DescriptionFile]) -> DescriptionFile:
    """A tool's description file in our form: the file owns the definition, and the text in the code is the summary."""
    name = str(tool.name)
    served, file = by_hand.served.get(name), files.get(name)
    if served is None or tool.conditional is not None:
        raise StandsInTheWayError(f'"{name}" is not always listed: {tool.conditional}', tool.site)
    if file is None or file.data != served:
        where = f"{file.path} says something else than" if file else "no file beside the server holds"
        raise StandsInTheWayError(f'{where} what the resource gives for "{name}"', file.site() if file else tool.site)
    for key in served:
        if key in _OURS:
            raise StandsInTheWayError(
                f"{file.path} has a field {key}, a name that pdmigrate uses itself", file.site(key)
            )
        known = tool.fields.get(key)
        copied = key in TOOL_FIELDS and key not in DISCLOSED_FIELDS
        if copied and not (isinstance(known, Known) and known.value == served[key]):
            reason = f'{file.path} has {key}, and the code does not list "{name}" with the same'
            raise StandsInTheWayError(reason, file.site(key))
    summary = tool.fields.get("description")
    if not isinstance(summary, Known) or not isinstance(summary.value, str):
        raise StandsInTheWayError(f'the description that the code lists of "{name}" is not settled', tool.site)
    return DescriptionFile(file.path, {**served, "owner": "file", "summary": summary.value}, file.raw)


def _written(tool: Tool, file: DescriptionFile) -> Written:
    listed = _listed(tool)
    moved = {key: digest(value) for key, value in disclosed(file.data).items()}
    return Written(str(tool.name), digest(file.summary), "", digest(listed), {}, moved)


def _listed(tool: Tool) -> JsonValue:
    """The input schema that the code lists."""
    known = tool.fields.get("inputSchema")
    return known.value if isinstance(known, Known) else None
