"""The place of the import of the generated module.

The import goes among the imports at the top, where the project's import sorter would put it, but in no earlier block of
imports than the import of the SDK, so that code that runs before the SDK is imported also runs before the new import.
If the SDK is imported in the function that makes the server, or in a ``try`` or ``if`` that may leave the SDK out, the
new import goes beside the call: the file still loads without the SDK.
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
    before_place,
    comments_above,
    indent_of,
    line_after,
    line_before,
)
from pdmigrate.project.rewrite.literals import display_width
from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.outline import TRY, Block, Outline
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


_EXITS = frozenset({"exit", "quit", "_exit"})
_LATE = re.compile(r"[ \t;]*#[ \t]*noqa(?!:(?!.*\bE402\b))", re.I)


@dataclass(frozen=True, slots=True)
class Import:
    """How to import a module: ``names`` holds one name, or two to try in this order.

    ``after``: an import in the file that may work only because of code above it; the new import goes after it for the
    same reason.  ``unseen``: of two names, the one by which type checkers do not find the module.
    """

    names: tuple[str, ...]
    after: Span | None = None
    unseen: str = ""


@dataclass(frozen=True, slots=True)
class WantedImport:
    """The import to add: what to import from which module, and the style of new lines in the file."""

    module: Import
    imported: str
    style: Style = DEFAULT

    def statement(self, unit: str, column: int, comment: str = "") -> str:
        """The statement that begins at ``column``, with ``\\n`` between its lines."""
        lines = [f"from {name} import {self.imported}" for name in self.module.names]
        if len(lines) == 2:
            first, second = (f"{unit}{line}{self._ignored(index)}" for index, line in enumerate(lines))
            return f"try:\n{first}\nexcept ImportError:\n{second}"
        if column + len(lines[0]) <= self.style.width:
            return lines[0] + comment
        return f"from {self.module.names[0]} import ({comment}\n{unit}{self.imported},\n)"

    def _ignored(self, index: int) -> str:
        """The comment that silences type checkers where a module is not found, or a second import redefines a name."""
        if not self.style.checked or self.module.names[index] != self.module.unseen:
            return ""
        codes = (*(() if self.style.lenient else ("import-not-found",)), *(("no-redef",) if index else ()))
        return f"  # type: ignore[{','.join(codes)}]" if codes else ""


def import_edit(outline: Outline, place: ast.AST, found: Sequence[Imported], wanted: WantedImport) -> Edit:
    """The edit that adds ``wanted`` where ``place`` sees its name; raises SourceError without such a place (PD503)."""
    offset, text = _insertion(outline, place, found, wanted)
    return Edit(Span(outline.path, offset, offset), text, "import what enables progressive disclosure")


def _insertion(outline: Outline, place: ast.AST, found: Sequence[Imported], wanted: WantedImport) -> Insertion:
    source, statement = _sdk_import(outline, place, found), outline.statement(place)
    if source is None:
        return _at_top(outline, place, found, None, wanted)
    if source.functions:
        block, line = outline.block(source.node), outline.line(source.node)
        before = _until(outline, block, place)
        if block in outline.way(place) and line in before and not outline.is_inline(block):
            return _among(outline, _run(before, line), wanted, first=line)
        return _beside(outline, statement, wanted)
    top = next(node for node in outline.tree.body if node in source.way)
    if top is source.node or _always_binds(top, source, found) or statement in outline.tree.body:
        return _at_top(outline, place, found, outline.line(top), wanted)
    return _beside(outline, statement, wanted)


def _beside(outline: Outline, statement: ast.stmt, wanted: WantedImport) -> Insertion:
    source = outline.source
    column = display_width(indent_of(outline, statement))
    offset, text = before_place(outline, statement, wanted.statement(source.indent_unit, column))
    # Formatters keep a blank line between an import and the statement after it.
    return offset, text + source.newline * (text.endswith("\n") and len(wanted.module.names) == 1)


def _sdk_import(outline: Outline, place: ast.AST, found: Sequence[Imported]) -> Imported | None:
    """The import of the names that make the server, otherwise of an SDK: the innermost and last that ``place`` sees."""
    visible = [imported for imported in found if seen_from(outline, place, imported)]
    called = called_names(outline.statement(place))
    named = [imported for imported in visible if called & imported.names.keys()]
    named = named or [imported for imported in visible if imported.package in DISTRIBUTIONS]
    return max(reversed(named), key=lambda imported: len(imported.functions), default=None)


def _always_binds(compound: ast.stmt, source: Imported, found: Sequence[Imported]) -> bool:
    """Whether code after a ``try`` can rely on the import in it: every handler imports the names, too, or leaves."""
    if not isinstance(compound, TRY):
        return False
    rebinding = [i.way for i in found if source.names.keys() <= i.names.keys()]
    if not any(compound.body in way for way in rebinding):
        return False
    return all(any(h in way for way in rebinding) or _leaves(h.body[-1]) for h in compound.handlers)


def _leaves(last: ast.stmt) -> bool:
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        function = last.value.func
        return getattr(function, "attr", getattr(function, "id", "")) in _EXITS
    return isinstance(last, ast.Raise)


# --- at the top of the file -------------------------------------------------------------------------------------------


def _at_top(
    outline: Outline, place: ast.AST, found: Sequence[Imported], after: Block | None, wanted: WantedImport
) -> Insertion:
    """An insertion among the leading imports, or among the imports that directly follow the line ``after``."""
    before = _until(outline, outline.tree.body, place)
    importing = [node for imported in found for node in imported.way]
    last = _leading_end(before, importing)
    late = [node for i in found if outline.span(i.node) == wanted.module.after for node in i.way]
    earlier = [line for line in before if line == after or any(node in late for node in line)]
    last = max([last, *(before.index(_run(before, line)[-1]) for line in earlier)])
    if last < 0:
        return _first_import(outline, wanted)
    return _among(outline, _run(before, before[last]), wanted, first=after)


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


def _among(outline: Outline, run: Sequence[Block], wanted: WantedImport, *, first: Block | None) -> Insertion:
    """An insertion among the imports of the block ``run``.

    If the imports are sorted, the new one goes where the order puts it.  Otherwise it goes after the last import of
    its group that is not above ``first``, or to the end of the block.
    """
    column = display_width(indent_of(outline, run[0][0]))
    statement = wanted.statement(outline.source.indent_unit, column, _late(outline, run[-1]))
    if len(wanted.module.names) == 2:
        return line_after(outline, run[-1], statement, blank=1)
    if not _is_import_line(run[0]):
        # The imports after a ``try`` are a block of their own.
        run = run[1:] or run
    module, own = wanted.module.names[0], wanted.style.first_party
    package = module.partition(".")[0]
    if not wanted.style.settled:
        own |= {package}
    imported = [_module_of(line) for line in run]
    keys = [key_of(name, own, is_from=is_from) for name, is_from in imported if name]
    if len(keys) < len(run):
        return line_after(outline, run[-1], statement, blank=1)
    ours = key_of(module, own)
    if keys != sorted(keys):
        earliest = run.index(first) if first in run else 0
        # Imports go together if they are relative, of one package, or in one section other than third parties.
        related = [
            line
            for line, (name, _), key in [*zip(run, imported, keys, strict=True)][earliest:]
            if name.partition(".")[0] == package or key[0] == ours[0] != _THIRD_PARTY
        ]
        return line_after(outline, (related or run)[-1], statement, blank=0 if related else 1)
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
