"""The edits that enable progressive disclosure on a server: one import, one call.

The call stands right after the statement that makes the server, in the same scope, or around the server's expression
where the server has no name; ``import_place.py`` finds the place of the import.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pdmigrate.model import Anchor, Edit, Span
from pdmigrate.project.rewrite.blocks import Imported, imports, names_in_use, seen_from
from pdmigrate.project.rewrite.import_place import Import, WantedImport, branch_edit, import_edit
from pdmigrate.project.rewrite.insertion import Insertion, indent_of, line_after
from pdmigrate.project.rewrite.literals import display_width
from pdmigrate.sdk.names import is_generated
from pdmigrate.source.outline import Outline
from pdmigrate.source.source import SourceFile, syntax

_REASON = "call of `enable`"
_NAMES = ("server", "mcp", "app")
"""Names to choose from for a server that is returned without being bound to a name."""


def _call_edits(
    outline: Outline, place: ast.expr | ast.stmt, target: str, function: str, arguments: tuple[str, ...]
) -> tuple[Edit, ...]:
    """The edits that call ``function`` with the server that ``place`` binds to ``target``, and ``arguments``.

    Without a target the call goes around the expression ``place``; where that is returned and the line gets too long,
    the server gets a name.
    """
    statement = outline.statement(place)
    if target:
        call = _call(outline, statement, function, (target, *arguments))
        return (_inserted(outline, *_after(outline, statement, call)),)
    source, span = outline.source, outline.span(place)
    end = source.text.find("\n", span.end)
    line = source.text[source.line_start(span.start) : end if end >= 0 else len(source.text)].rstrip("\r")
    before, after = f"{function}(", f"{''.join(f', {argument}' for argument in arguments)})"
    around = _inserted(outline, span.start, before), _inserted(outline, span.end, after)
    is_flat = "\n" not in source.code(span)
    if is_flat and display_width(line) + len(before) + len(after) <= source.style.width:
        return around
    return _named(outline, place, statement, function, arguments) or around


def _inserted(outline: Outline, offset: int, text: str) -> Edit:
    return Edit(Span(outline.path, offset, offset), text, _REASON)


def _call(outline: Outline, statement: ast.stmt, function: str, arguments: tuple[str, ...]) -> str:
    """A call as a statement, broken into lines as ruff and black do, with ``\\n`` between them."""
    source, indent = outline.source, indent_of(outline, statement)
    flat, unit = ", ".join(arguments), source.indent_unit
    if display_width(f"{indent}{function}({flat})") <= source.style.width:
        return f"{function}({flat})"
    if display_width(f"{indent}{unit}{flat}") <= source.style.width:
        return f"{function}(\n{unit}{flat}\n)"
    return "\n".join((f"{function}(", *(f"{unit}{argument}," for argument in arguments), ")"))


def _after(outline: Outline, statement: ast.stmt, call: str) -> Insertion:
    line = outline.line(statement)
    if statement is not line[-1] or outline.is_inline(outline.block(statement)):
        return outline.span(statement).end, f"; {call}".replace("\n", outline.source.newline)
    return line_after(outline, line, call)


def _named(
    outline: Outline, place: ast.AST, statement: ast.stmt, function: str, arguments: tuple[str, ...]
) -> tuple[Edit, ...]:
    """The edits by which a statement that only returns the server makes it, enables it and returns it; maybe none."""
    name = next((name for name in _NAMES if name not in names_in_use(outline)), None)
    line = outline.line(statement)
    alone = len(line) == 1 and not outline.is_inline(outline.block(statement))
    if name is None or not alone or not isinstance(statement, ast.Return) or statement.value is not place:
        return ()
    returned = Span(outline.path, outline.span(statement).start, outline.span(statement.value).start)
    if outline.source.code(returned).strip() != "return":
        return ()
    call = _call(outline, statement, function, (name, *arguments))
    binding = Edit(returned, f"{name} = ", _REASON)
    return binding, _inserted(outline, *line_after(outline, line, f"{call}\nreturn {name}"))


NAME = "enable"
"""The name of the generated module's function, and its name in the server's file unless that is in use there."""
FOLDER_ARGUMENT = "descriptions"
"""The keyword that names the folder of a server's description files, if several servers share a generated module."""


@dataclass(frozen=True, slots=True)
class Enable:
    """One server to enable: where, with which further arguments (``policies``), and how its module is imported.

    There are two ``modules`` where a file imports its own project in two branches: one beside the import in each.
    """

    anchor: Anchor
    modules: tuple[Import, ...]
    policies: Mapping[str, str] = field(default_factory=dict)


def enable_edits(outline: Outline, servers: Sequence[Enable]) -> tuple[Edit, ...]:
    """The edits that enable servers, with one import for a module, or one in each of two branches."""
    wanted = [server for server in servers if server.anchor.enabled is None]
    found = imports(outline) if wanted else []
    quote = outline.source.quote
    names: dict[str, str] = {}
    edits: list[Edit] = []
    for server in wanted:
        place, module = node_at(outline, server.anchor.span), server.modules[0].name
        if (name := _present(outline, found, place, module)) is None:
            name = names.setdefault(module, _free_name(outline, found, module, names.values()))
            imported = NAME + (f" as {name}" if name != NAME else "")
            for each in server.modules:
                want = WantedImport(each, imported, outline.source.style)
                branch = each.beside if len(server.modules) > 1 else None
                edit = branch_edit(outline, branch, want) if branch else import_edit(outline, place, found, want)
                edits += [edit] if edit not in edits else []
        arguments = tuple(f"{key}={quote}{value}{quote}" for key, value in server.policies.items())
        edits += _call_edits(outline, place, server.anchor.target, name, arguments)
    return tuple(edits)


def node_at(outline: Outline, span: Span) -> ast.expr | ast.stmt:
    """The innermost statement or expression that takes the whole ``span``."""
    lines = outline.source.line_of(span.start), outline.source.line_of(span.end - 1)
    # Not by the spans of nodes: inside f-strings, the parser of Python 3.11 may give a column amid a character.
    columns = outline.column(lines[0], span.start), outline.column(lines[1], span.end)
    nodes = (node for node in outline.parents if isinstance(node, (ast.expr, ast.stmt)))
    there = (n for n in nodes if (n.lineno, n.end_lineno) == lines and (n.col_offset, n.end_col_offset) == columns)
    return [*there][-1]


def enabled_by(source: SourceFile, call: Span) -> str | None:
    """The label of the server that ``call`` enables; ``None`` if ours is not imported; raises SourceError."""
    text = source.code(call)
    name = text.partition("(")[0].strip()
    is_ours = any(names.get(name) == NAME for origin, names in _imported(syntax(source)) if is_generated(origin))
    return _descriptions(text) if is_ours else None


def called_elsewhere(outline: Outline, module: str, known: Collection[Span]) -> Span | None:
    """The first call of ``enable`` that is not in ``known``: a person's, maybe by another name, so none is added."""
    imported = (names for origin, names in _imported(outline.tree) if origin.rpartition(".")[2] == module)
    ours = {name for names in imported for name, original in names.items() if original == NAME}
    calls = (node for node in outline.parents if isinstance(node, ast.Call))
    spans = (outline.span(call) for call in calls if isinstance(call.func, ast.Name) and call.func.id in ours)
    return min((span for span in spans if span not in known), key=lambda span: span.start, default=None)


def _imported(tree: ast.Module) -> Iterator[tuple[str, Mapping[str, str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield node.module or "", {alias.asname or alias.name: alias.name for alias in node.names}


def _descriptions(call: str) -> str:
    """The folder of description files that a call of ``enable`` names; empty if it names none."""
    tree = ast.parse(call.strip(), mode="eval").body
    values = (word.value for word in tree.keywords if word.arg == FOLDER_ARGUMENT) if isinstance(tree, ast.Call) else ()
    labels = (value.value for value in values if isinstance(value, ast.Constant))
    return next((label for label in labels if isinstance(label, str)), "")


def _present(outline: Outline, found: Iterable[Imported], place: ast.AST, module: str) -> str | None:
    """The name under which ``place`` sees ``enable`` of ``module``; ``None`` if it sees no such import."""
    ours = (i for i in found if i.module == module and seen_from(outline, place, i))
    return next((name for i in ours for name, original in i.names.items() if original == NAME), None)


def _free_name(outline: Outline, found: Iterable[Imported], module: str, taken: Iterable[str]) -> str:
    """``enable``, or a longer name if ``enable`` is in use, or may be because of a ``from ... import *``."""
    used = names_in_use(outline, [i.node for i in found if i.module == module]) | {*taken}
    starred = any(imported.binds_everything for imported in found)
    longer = f"{NAME}_{module.rpartition('.')[2]}"
    candidates = (longer, *(f"{longer}_{number}" for number in range(2, len(used) + 3)))
    return next(name for name in (candidates if starred else (NAME, *candidates)) if name not in used)
