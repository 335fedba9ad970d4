"""The place of the import of the generated module.

The import goes among the imports at the top, where the project's import sorter would put it, but in no earlier block of
imports than the import of the SDK, so that code that runs before the SDK is imported also runs before the new import.
If the SDK is imported in a function, or in a ``try`` or ``if`` that may leave it out, the new import goes beside the
call: the file still loads without the SDK.
"""

from __future__ import annotations

import ast
import re
import sys
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TypeAlias

from pdmigrate.model import Edit, Span
from pdmigrate.project.rewrite.blocks import Imported, called_names, seen_from
from pdmigrate.project.rewrite.insertion import (
    Insertion,
    comments_above,
    indent_of,
    line_after,
    line_before,
)
from pdmigrate.project.rewrite.literals import display_width
from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.outline import Block, Outline
from pdmigrate.source.style import DEFAULT, Style

_FUTURE, _STANDARD_LIBRARY, _THIRD_PARTY, _FIRST_PARTY, _LOCAL_FOLDER = range(5)
"""The sections of imports, in their order."""
Key: TypeAlias = tuple[int, bool, int, str]
"""Where import sorters put an import: its section first."""


def key_of(module: str, first_party: Collection[str], *, is_from: bool = True) -> Key:
    """Where sorters put an import of ``module``, as written (``..pkg.mod``); ``first_party`` is the project's own."""
    package, level = module.partition(".")[0], len(module) - len(module.lstrip("."))
    section = _FIRST_PARTY if package in first_party else _THIRD_PARTY
    if module == "__future__":
        section = _FUTURE
    elif level:
        section = _LOCAL_FOLDER
    elif package in sys.stdlib_module_names:
        section = _STANDARD_LIBRARY
    return section, is_from, -level, module.lower()


_LATE = re.compile(r"[ \t;]*#[ \t]*noqa(?!:(?!.*\bE402\b))", re.I)
_IGNORED = re.compile(r"[ \t]*(#[ \t]*type:[ \t]*ignore(?:\[[\w ,-]*\])?)")


@dataclass(frozen=True, slots=True)
class Import:
    """How to import a module: its ``name``, and an import that the new one goes ``beside``, or below.

    That import of the same project may work only because of code above it, such as a change of ``sys.path``.
    ``otherwise`` is a name to try where the first one fails.
    """

    name: str
    beside: ast.Import | ast.ImportFrom | None = None
    otherwise: str = ""


@dataclass(frozen=True, slots=True)
class WantedImport:
    """The import to add: what to import from which module, and the style of new lines in the file."""

    module: Import
    imported: str
    style: Style = DEFAULT

    @property
    def flat(self) -> str:
        """The statement on one line."""
        return f"from {self.module.name} import {self.imported}"

    def statement(self, unit: str, column: int, comment: str = "") -> str:
        """The statement that begins at ``column``, with ``\\n`` between its lines."""
        if self.module.otherwise:
            other = f"{unit}from {self.module.otherwise} import {self.imported}"
            return f"try:\n{unit}{self.flat}\nexcept ImportError:\n{other}"
        if column + len(self.flat) <= self.style.width:
            return self.flat + comment
        return f"from {self.module.name} import ({comment}\n{unit}{self.imported},\n)"


def branch_edit(outline: Outline, beside: ast.stmt, wanted: WantedImport) -> Edit:
    """The edit that adds ``wanted`` to the imports around ``beside``, in a branch."""
    block, line = outline.block(beside), outline.line(beside)
    end = outline.span(line[-1]).end
    if outline.is_inline(block):
        return _edit(outline, (end, f"; {wanted.flat}"))
    # Type checkers find one of two modules only, and a name that is imported twice.
    ignored = _IGNORED.match(outline.source.text, end)
    comment = f"  {ignored[1]}" if ignored else ""
    return _edit(outline, _among(outline, _run(outline.lines(block), line), wanted, comment))


def import_edit(outline: Outline, place: ast.AST, found: Sequence[Imported], wanted: WantedImport) -> Edit:
    """The edit that adds ``wanted`` where ``place`` sees its name."""
    source, statement = _sdk_import(outline, place, found), outline.statement(place)
    at_top = statement in outline.tree.body
    if source is not None and not source.is_certain and (source.functions or not at_top):
        return _edit(outline, _beside(outline, statement, wanted))
    return _edit(outline, _at_top(outline, place, found, source, wanted))


def _edit(outline: Outline, insertion: Insertion) -> Edit:
    offset, text = insertion
    return Edit(Span(outline.path, offset, offset), text, "import of `enable`")


def _beside(outline: Outline, statement: ast.stmt, wanted: WantedImport) -> Insertion:
    block = outline.block(statement)
    if outline.is_inline(block):
        return outline.span(statement).start, f"{wanted.flat}; "
    if (above := _until(outline, block, statement)) and _is_import_line(above[-1]):
        return _among(outline, _run(above, above[-1]), wanted)
    text = wanted.statement(outline.source.indent_unit, display_width(indent_of(outline, statement)))
    # Formatters keep a blank line between an import and the statement after it.
    return line_before(outline, outline.line(statement)[0], text, blank=1)


def _sdk_import(outline: Outline, place: ast.AST, found: Sequence[Imported]) -> Imported | None:
    """The import of the names that make the server, otherwise of an SDK: the innermost and last that ``place`` sees."""
    visible = [imported for imported in found if seen_from(outline, place, imported)]
    called = called_names(outline.statement(place))
    named = [imported for imported in visible if called & imported.names.keys()]
    named = named or [imported for imported in visible if imported.package in DISTRIBUTIONS]
    return max(reversed(named), key=lambda imported: len(imported.functions), default=None)


# --- at the top of the file -------------------------------------------------------------------------------------------


def _at_top(
    outline: Outline, place: ast.AST, found: Sequence[Imported], sdk: Imported | None, wanted: WantedImport
) -> Insertion:
    """An insertion among the leading imports, or among those that directly follow the import of the SDK."""
    before = _until(outline, outline.tree.body, place)
    importing = [node for imported in found for node in imported.way]
    last = _leading_end(before, importing)
    late = [node for i in found if i is sdk or i.node is wanted.module.beside for node in i.way]
    earlier = [line for line in before if any(node in late for node in line)]
    last = max([last, *(before.index(_run(before, line)[-1]) for line in earlier)])
    if last < 0:
        return _first_import(outline, wanted)
    return _among(outline, _run(before, before[last]), wanted)


def _until(outline: Outline, block: Block, place: ast.AST) -> list[Block]:
    around = {place, *outline.around(place)}
    return list(takewhile(around.isdisjoint, outline.lines(block)))


def _leading_end(body: Sequence[Block], importing: Collection[ast.AST | Block]) -> int:
    """The index of the last import line among the imports that a file starts with; -1 if it starts with none."""
    last = -1
    for index, line in enumerate(body):
        if _is_import_line(line):
            last = index
        elif not any(node in importing for node in line) and not (index == 0 and _is_docstring(line)):
            break
    return last


def _run(body: Sequence[Block], line: Block) -> list[Block]:
    """``line`` with the import lines directly after it, and directly before it if it is an import line itself."""
    start = end = body.index(line)
    while start and _is_import_line(line) and _is_import_line(body[start - 1]):
        start -= 1
    while end + 1 < len(body) and _is_import_line(body[end + 1]):
        end += 1
    return list(body[start : end + 1])


def _is_import_line(line: Block) -> bool:
    return isinstance(line[0], (ast.Import, ast.ImportFrom))


def _is_docstring(line: Block) -> bool:
    value = line[0].value if isinstance(line[0], ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _first_import(outline: Outline, wanted: WantedImport) -> Insertion:
    """An insertion into a file without imports: after the docstring, or before the first statement."""
    source, first = outline.source, outline.lines(outline.tree.body)[0]
    statement = wanted.statement(source.indent_unit, 0)
    if not _is_docstring(first):
        offset, text = line_before(outline, first[0], statement)
        return offset, text + source.newline
    offset, text = line_after(outline, first, statement, blank=1)
    return offset, text if source.text[offset : offset + 1] in "\r\n" else text + source.newline


# --- among other imports ----------------------------------------------------------------------------------------------


def _among(outline: Outline, run: Sequence[Block], wanted: WantedImport, comment: str = "") -> Insertion:
    """An insertion among the imports of the block ``run``: in their order, or at the end if they have none."""
    column = display_width(indent_of(outline, run[0][0]))
    statement = wanted.statement(outline.source.indent_unit, column, comment or _late(outline, run[-1]))
    if wanted.module.otherwise:
        return line_after(outline, run[-1], statement, blank=1)
    if not _is_import_line(run[0]):
        # The imports after a ``try`` are a block of their own.
        run = run[1:] or run
    module, own = wanted.module.name, wanted.style.first_party
    imported = [_module_of(line) for line in run]
    if not wanted.style.settled:
        # Modules beside this one are imported like libraries, and stand in one group with it.
        beside = [name for name, _ in imported] if wanted.module.beside else []
        own |= {name.partition(".")[0] for name in (module, *beside)}
    keys = [key_of(name, own, is_from=is_from) for name, is_from in imported if name]
    ours = key_of(module, own)
    if len(keys) < len(run) or keys != sorted(keys):
        return line_after(outline, run[-1], statement, blank=_gap(keys[-1], ours) if _module_of(run[-1])[0] else 1)
    index = bisect_right(keys, ours)
    if index == len(run):
        return line_after(outline, run[-1], statement, blank=_gap(keys[-1], ours))
    following = _gap(ours, keys[index])
    if index and following == _gap(keys[index - 1], keys[index]):
        return line_after(outline, run[index - 1], statement, blank=_gap(keys[index - 1], ours))
    # A comment above an import stays with it, a blank line away from the new import.
    blank = max(following, min(comments_above(outline, run[index][0]), 1))
    return line_before(outline, run[index][0], statement, blank=blank)


def _gap(one: Key, other: Key) -> int:
    return int(one[0] != other[0])


def _module_of(line: Block) -> tuple[str, bool]:
    """The module that is imported on a line, and whether by ``from``; empty if import sorters would split the line."""
    statement = line[0]
    if len(line) == 1 and isinstance(statement, ast.ImportFrom):
        return "." * statement.level + (statement.module or ""), True
    if len(line) == 1 and isinstance(statement, ast.Import) and len(statement.names) == 1:
        return statement.names[0].name, False
    return "", False


def _late(outline: Outline, last: Block) -> str:
    """The comment by which linters accept a block of imports below other code, from its last import; usually empty."""
    is_late = _is_import_line(last) and _LATE.match(outline.source.text, outline.span(last[-1]).end)
    return "  # noqa: E402" if is_late else ""
