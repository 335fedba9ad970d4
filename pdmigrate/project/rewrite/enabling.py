"""The edits that enable progressive disclosure on a server: one import, one call.

The call stands right after the statement that makes the server, in the same scope, or around the server's expression
where the server has no name; ``import_place.py`` finds the place of the import.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Edit, Span
from pdmigrate.project.rewrite.blocks import Imported, NodePath, descendants, imports, name_in_use, node_path
from pdmigrate.project.rewrite.import_place import Import, WantedImport, import_edit
from pdmigrate.project.rewrite.insertion import Insertion, line_after, line_before
from pdmigrate.project.rewrite.literals import display_width
from pdmigrate.source.source import ParsedFile, SourceFile, syntax

_REASON = "enable progressive disclosure"
_NAMES = ("server", "mcp", "app")
"""Names to choose from for a server that is returned without being bound to a name."""


def call_edits(place: NodePath, target: str, function: str, arguments: tuple[str, ...]) -> tuple[Edit, ...]:
    """The edits that call ``function`` with the server at ``place`` and ``arguments``.

    ``target`` is the name of the server there.  If it is empty, the call goes around the expression that makes the
    server; or, if that expression is returned and the call does not fit on the line, the server gets a name.

    Raises:
        SourceError: there is no place for a statement (PD503).
    """
    if target:
        offset, text = _statement(place, _call(place, function, (target, *arguments)))
        return (Edit(Span(place.parsed.path, offset, offset), text, _REASON),)
    around = _around(place, f"{function}(", f"{''.join(f', {argument}' for argument in arguments)})")
    added = sum(len(edit.text) for edit in around)
    if "\n" not in place.text and display_width(_line(place)) + added <= place.parsed.source.style.width:
        return around
    return _named(place, function, arguments) or around


def _line(place: NodePath) -> str:
    """The text from the start of the line where a span begins to the end of the line where it ends."""
    source, span = place.parsed.source, place.span
    end = source.text.find("\n", span.end)
    return source.text[source.line_start(span.start) : end if end >= 0 else len(source.text)].rstrip("\r")


def _call(place: NodePath, function: str, arguments: tuple[str, ...]) -> str:
    """A call as a statement, broken into lines as ruff and black do, with ``\\n`` between them."""
    source = place.parsed.source
    flat, unit, indent = ", ".join(arguments), source.indent_unit, place.indent
    if display_width(f"{indent}{function}({flat})") <= source.style.width:
        return f"{function}({flat})"
    if display_width(f"{indent}{unit}{flat}") <= source.style.width:
        return f"{function}(\n{unit}{flat}\n)"
    return "\n".join((f"{function}(", *(f"{unit}{argument}," for argument in arguments), ")"))


# --- a server with a name ---------------------------------------------------------------------------------------------


def _statement(place: NodePath, call: str) -> Insertion:
    """The offset and text that insert the call as a statement of its own."""
    import libcst as cst

    holder, parsed = place.holder, place.parsed
    leaves = isinstance(place.small, (cst.Return, cst.Raise))
    if isinstance(holder, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and not leaves:
        followed = place.small is not holder and place.small is not holder.body[-1]
        if followed or isinstance(holder, cst.SimpleStatementSuite):
            return parsed.span(place.small).end, f"; {call}".replace("\n", parsed.source.newline)
        return line_after(parsed, holder, call)
    if isinstance(holder, cst.With) and isinstance(holder.body, cst.IndentedBlock):
        return line_before(parsed, holder.body.body[0], call, above_comments=True)
    raise SourceError(
        f"{parsed.source.site(place.span.start)}: there is no place for a call after the server is made",
        hint="bind the server to a name in a statement of its own",
        code="PD503",
    )


# --- a server without a name ------------------------------------------------------------------------------------------


def _named(place: NodePath, function: str, arguments: tuple[str, ...]) -> tuple[Edit, ...]:
    """The edits that turn ``return Server(...)`` into three statements, so that a call over several lines keeps its
    layout; none unless the server is all that a statement on a line of its own returns, and a name is free.
    """
    import libcst as cst

    parsed, small = place.parsed, place.small
    name = next((name for name in _NAMES if not name_in_use(parsed, name, frozenset())), None)
    alone = isinstance(place.holder, cst.SimpleStatementLine) and len(place.holder.body) == 1
    if name is None or not alone or not isinstance(small, cst.Return) or small.value is None or small.value.lpar:
        return ()
    if parsed.span(small.value) != place.span:
        return ()
    call = _call(place, function, (name, *arguments))
    offset, text = line_after(parsed, place.holder, f"{call}\nreturn {name}")
    start = parsed.span(small).start
    return (
        Edit(Span(parsed.path, start, place.span.start), f"{name} = ", _REASON),
        Edit(Span(parsed.path, offset, offset), text, _REASON),
    )


def _around(place: NodePath, before: str, after: str) -> tuple[Edit, ...]:
    path, span = place.parsed.path, place.span
    return (
        Edit(Span(path, span.start, span.start), before, _REASON),
        Edit(Span(path, span.end, span.end), after, _REASON),
    )


NAME = "enable"
"""The name of the generated module's function, and its name in the server's file unless that is in use there."""
FOLDER_ARGUMENT = "descriptions"
"""The keyword that names the folder of a server's description files, if several servers share a generated module."""


@dataclass(frozen=True, slots=True)
class Enable:
    """One server to enable: where, from which generated module, with which further arguments (``policies``)."""

    anchor: Anchor
    module: Import
    policies: Mapping[str, str] = field(default_factory=dict)


def enable_edits(parsed: ParsedFile, servers: Sequence[Enable]) -> tuple[Edit, ...]:
    """The edits that enable the servers of a file that are not enabled yet; a shared import is added once.

    Raises:
        SourceError: there is no place for an import or a call, or no free name (PD503).
    """
    wanted = [server for server in servers if server.anchor.enabled is None]
    found = tuple(imports(parsed)) if wanted else ()
    quote = parsed.source.quote
    names: dict[str, str] = {}
    edits: list[Edit] = []
    for server in wanted:
        place, module = node_path(parsed, server.anchor.span), server.module.names[0]
        name = _present(found, place, module)
        if name is None:
            name = names.setdefault(module, _free_name(parsed, found, module, names.values()))
            imported = NAME + (f" as {name}" if name != NAME else "")
            edit = import_edit(place, found, WantedImport(server.module, imported, parsed.source.style))
            edits += [edit] if edit not in edits else []
        arguments = tuple(f"{key}={quote}{value}{quote}" for key, value in server.policies.items())
        edits += call_edits(place, server.anchor.target, name, arguments)
    return tuple(edits)


def enabled_by(source: SourceFile, call: Span) -> str | None:
    """The label of the server that ``call`` enables; ``None`` if the file does not import the generated module.

    Raises:
        SourceError: the file cannot be parsed.
    """
    text = source.text[call.start : call.end]
    name = text.partition("(")[0].strip()
    for _, names in _imported(source):
        if names.get(name) == NAME:
            return _descriptions(text)
    return None


def called_elsewhere(parsed: ParsedFile, module: str, known: Collection[Span]) -> Span | None:
    """The first call of ``enable`` from the generated ``module`` that is not in ``known``: a person wrote that call.

    Such a call may enable a server under another name, or in a function with a server as its parameter, so no second
    call is added.
    """
    import libcst as cst

    imported = (names for origin, names in _imported(parsed.source) if origin.rpartition(".")[2] == module)
    ours = {name for names in imported for name, original in names.items() if original == NAME}
    if not ours:
        return None
    calls = (node for node in descendants(parsed.module) if isinstance(node, cst.Call))
    spans = (parsed.span(call) for call in calls if isinstance(call.func, cst.Name) and call.func.value in ours)
    return next((span for span in spans if span not in known), None)


def _imported(source: SourceFile) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The modules of all ``from`` imports, with the imported names."""
    nodes = (node for node in ast.walk(syntax(source)) if isinstance(node, ast.ImportFrom))
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        yield node.module or "", {alias.asname or alias.name: alias.name for alias in node.names}


def _descriptions(call: str) -> str:
    """The folder of description files that a call of ``enable`` names; empty if it names none."""
    tree = ast.parse(call.strip(), mode="eval").body
    values = (word.value for word in tree.keywords if word.arg == FOLDER_ARGUMENT) if isinstance(tree, ast.Call) else ()
    return next(
        (value.value for value in values if isinstance(value, ast.Constant) and isinstance(value.value, str)), ""
    )


# --- the name ---------------------------------------------------------------------------------------------------------


def _present(found: Iterable[Imported], place: NodePath, module: str) -> str | None:
    """The name under which ``place`` sees ``enable`` of ``module``; ``None`` if it sees no such import."""
    for imported in found:
        visible = imported.functions == place.functions[: len(imported.functions)]
        if imported.module == module and visible and place.parsed.span(imported.node).end <= place.span.start:
            for name, original in imported.names.items():
                if original == NAME:
                    return name
    return None


def _free_name(parsed: ParsedFile, found: Iterable[Imported], module: str, taken: Iterable[str]) -> str:
    """``enable``, or a longer name if ``enable`` is in use, or may be because of a ``from ... import *``."""
    ours = frozenset(i.node for i in found if i.module == module)
    starred = any(imported.binds_everything for imported in found)
    longer = f"{NAME}_{module.rpartition('.')[2]}"
    candidates = [longer, *(f"{longer}_{number}" for number in range(2, 100))]
    for name in candidates if starred else (NAME, *candidates):
        if name not in taken and not name_in_use(parsed, name, ours):
            return name
    raise SourceError(f"{parsed.path}: no name is free for the function that enables the server", code="PD503")
