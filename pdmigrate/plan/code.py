"""The edits of a migration in the user's code, and the generated module beside it."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence

from pdmigrate import lock
from pdmigrate.config import Settings
from pdmigrate.importing import import_of
from pdmigrate.model import Edit, FileChange, FileKind, Fixed, Span
from pdmigrate.plan.drafts import Draft
from pdmigrate.project import Project
from pdmigrate.render import ModuleSpec, render_module
from pdmigrate.rewrite.enabling import Enable, enable_edits
from pdmigrate.rewrite.proof import edited
from pdmigrate.source import SourceFile, parse


def code_changes(project: Project, drafts: Sequence[Draft], settings: Settings) -> list[FileChange]:
    """The edits of all servers, file by file; an edit that several servers ask for alike is made once."""
    edits: dict[str, dict[Edit, None]] = defaultdict(dict)
    for edit in (edit for draft in drafts for tool in draft.tools for edit in tool.edits):
        edits[edit.span.file][edit] = None
    for file in sorted({draft.server.site.file for draft in drafts}):
        here = [draft for draft in drafts if draft.server.site.file == file]
        edits[file].update(dict.fromkeys(_enabling(project, file, here, settings)))
    return [_change(project, path, tuple(wanted)) for path, wanted in sorted(edits.items()) if wanted]


def _change(project: Project, path: str, edits: tuple[Edit, ...]) -> FileChange:
    source = project.source(path)
    reason = "; ".join(dict.fromkeys(edit.reason for edit in edits))
    return FileChange(path, source.raw, edited(source, edits), FileKind.CODE, reason)


def _enabling(project: Project, file: str, drafts: Sequence[Draft], settings: Settings) -> Iterator[Edit]:
    source = project.source(file)
    parsed = parse(source)
    policies = {"stdio": settings.stdio, "http": settings.http}
    wanted = []
    for draft in drafts:
        anchor = draft.server.anchor
        if isinstance(anchor, Fixed):
            continue
        if anchor.enabled is not None:
            yield from _policies(source, anchor.enabled, settings)
        how = import_of(draft.home, parsed, project.tree, project.ways.get(file, frozenset()))
        wanted.append(Enable(anchor, how, policies))
    yield from enable_edits(parsed, wanted)


def _policies(source: SourceFile, call: Span, settings: Settings) -> Iterator[Edit]:
    """An ``enable`` call that is there follows an option that is given now; otherwise its own words stand."""
    text = source.text[call.start : call.end]
    tree = ast.parse(text, mode="eval").body
    for keyword in tree.keywords if isinstance(tree, ast.Call) else ():
        value = keyword.value
        if keyword.arg not in ("stdio", "http") or keyword.arg not in settings.given:
            continue
        wanted = str(getattr(settings, keyword.arg))
        if isinstance(value, ast.Constant) and value.value != wanted:
            start, end = _offsets(text, value)
            span, quote = Span(call.file, call.start + start, call.start + end), text[end - 1]
            yield Edit(span, f"{quote}{wanted}{quote}", f"{keyword.arg} policy")


def _offsets(text: str, node: ast.expr) -> tuple[int, int]:
    """Where ``node`` stands in ``text``; ``ast`` counts bytes of a line, we count characters of the text."""

    def offset(line: int, column: int) -> int:
        lines = text.splitlines(keepends=True)
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return offset(node.lineno, node.col_offset), offset(end_line, end_column)


def module_change(project: Project, draft: Draft, settings: Settings) -> FileChange:
    """The generated module of one server; one that differs only in layout is left to the project's formatter."""
    tools = [tool.tool for tool in draft.tools if tool.tool.name]
    # The example is for everyone to read, so it is a tool that is always listed, if there is one.
    names = [str(tool.name) for tool in sorted(tools, key=lambda tool: tool.conditional is not None)]
    spec = ModuleSpec(
        adapter=adapter_of(project, draft),
        server_name=draft.server.name,
        descriptions=draft.home.folder_beside_module,
        moved=draft.moved,
        example_tool=names[0] if names else "TOOL_NAME",
        stub_schema=settings.stub_schema,
        bridge=settings.bridge,
        drop_output_schema=settings.drop_output_schema,
        receipt=settings.http == "receipt",
        left=draft.left_alone,
    )
    wanted = render_module(spec).encode()
    present = project.files.get(draft.home.module)
    after = present if present is not None and _same_code(present, wanted) else wanted
    return FileChange(draft.home.module, present, after, FileKind.MODULE, f"progressive disclosure of {_named(draft)}")


def adapter_of(project: Project, draft: Draft) -> str:
    """The adapter of the dialect, or one for both majors of mcp: fastmcp 4 is the first that stands on mcp 2."""
    from pdmigrate.dialects import by_id

    sdk, adapter = draft.server.sdk, by_id(draft.server.dialect).adapter
    majors = project.majors.get(draft.server.site.file, frozenset())
    crosses = sdk.package == "fastmcp" and min(majors, default=4) < 4 <= max(majors, default=0)
    return "both" if crosses else adapter


def _same_code(one: bytes, other: bytes) -> bool:
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, ValueError):
        return False


def _named(draft: Draft) -> str:
    return f"the server {draft.server.name!r}" if draft.server.name else f"the server at {draft.server.site}"


def written_modules(changes: Sequence[FileChange]) -> dict[str, str]:
    """The digests of generated modules, by which a later run knows what it wrote."""
    return {c.path: lock.source_digest(c.after) for c in changes if c.kind is FileKind.MODULE and c.after is not None}
