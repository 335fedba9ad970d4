"""The place of the import of the generated module.

The import goes among the imports at the top, where the project's import sorter would put it, but in no earlier block of
imports than the import of the SDK, so that code that runs before the SDK is imported also runs before the new import.
If the SDK is imported in the function that makes the server, or in a ``try`` or ``if`` that may leave the SDK out, the
new import goes beside the call: the file still loads without the SDK.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdmigrate.model import Edit, Span
from pdmigrate.project.rewrite.blocks import Imported, NodePath, called_names
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
from pdmigrate.source.source import ParsedFile
from pdmigrate.source.style import DEFAULT, Style

if TYPE_CHECKING:
    import libcst as cst
import sys
from collections.abc import Iterator
from enum import IntEnum
from typing import TypeAlias

Key: TypeAlias = tuple[int, bool, int, tuple[tuple[int, str], ...]]


class Section(IntEnum):
    """The sections of imports, in their order."""

    FUTURE = 0
    STANDARD_LIBRARY = 1
    THIRD_PARTY = 2
    FIRST_PARTY = 3
    LOCAL_FOLDER = 4


@dataclass(frozen=True, slots=True)
class Line:
    """An import of one module: ``module`` as it is written (``..pkg.mod``), and whether it is a ``from`` import."""

    module: str
    is_from: bool = True

    @property
    def level(self) -> int:
        return len(self.module) - len(self.module.lstrip("."))

    @property
    def package(self) -> str:
        """The top-level package; empty for a relative import."""
        return self.module.partition(".")[0]


def section_of(line: Line, first_party: Collection[str]) -> Section:
    """The section of an import; ``first_party`` are the packages and modules of the project itself."""
    if line.module == "__future__":
        return Section.FUTURE
    if line.level:
        return Section.LOCAL_FOLDER
    if line.package in sys.stdlib_module_names:
        return Section.STANDARD_LIBRARY
    return Section.FIRST_PARTY if line.package in first_party else Section.THIRD_PARTY


def key_of(line: Line, first_party: Collection[str]) -> Key:
    """The sort key of an import."""
    return section_of(line, first_party), line.is_from, -line.level, tuple(_natural(line.module))


def gap(one: Line, other: Line, first_party: Collection[str]) -> int:
    """The blank lines between two imports that follow each other."""
    return int(section_of(one, first_party) != section_of(other, first_party))


def are_sorted(lines: Sequence[Line], first_party: Collection[str]) -> bool:
    keys = [key_of(line, first_party) for line in lines]
    return keys == sorted(keys)


def _natural(module: str) -> Iterator[tuple[int, str]]:
    """The parts of a name for natural order: numbers by their value, letters regardless of case."""
    for part in re.findall(r"\d+|\D+", module.lstrip(".").lower()):
        yield (int(part), "") if part.isdecimal() else (-1, part)


_EXITS = frozenset({"exit", "quit", "_exit"})
_LATE = re.compile(r"#\s*(?:noqa(?!:)|noqa:.*\bE402\b|pylint:\s*disable=.*(?:wrong-import-position|C0413))", re.I)


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

    @property
    def line(self) -> Line:
        return Line(self.module.names[0])

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


def import_edit(place: NodePath, found: Sequence[Imported], wanted: WantedImport) -> Edit:
    """The edit that adds the ``wanted`` import where the server at ``place`` sees its name.

    Raises:
        SourceError: there is no place for the import (PD503).
    """
    offset, text = _insertion(place, found, wanted)
    span = Span(place.parsed.path, offset, offset)
    return Edit(span, text, "import what enables progressive disclosure")


def _insertion(place: NodePath, found: Sequence[Imported], wanted: WantedImport) -> Insertion:
    import libcst as cst

    parsed = place.parsed
    source = _sdk_import(place, found)
    if source is None:
        return _at_top(place, found, None, wanted)
    if source.functions:
        block = source.path[-2]
        if isinstance(block, cst.IndentedBlock) and block in place.path:
            return _among(parsed, _run(_until(block.body, place), source.line), wanted, first=source.line)
        return _beside(place, wanted)
    top = source.path[1]
    if top is source.line or _always_binds(top, source, found) or place.block is parsed.module:
        return _at_top(place, found, top, wanted)
    return _beside(place, wanted)


def _beside(place: NodePath, wanted: WantedImport) -> Insertion:
    """An insertion directly above the statement that makes the server."""
    column = display_width(place.indent)
    offset, text = before_place(place, wanted.statement(place.parsed.source.indent_unit, column))
    # Formatters keep a blank line between an import and the statement after it.
    return offset, text + place.parsed.source.newline * (text.endswith("\n") and len(wanted.module.names) == 1)


def _sdk_import(place: NodePath, found: Sequence[Imported]) -> Imported | None:
    """The import of the names that make the server, otherwise of an SDK: the innermost and last that ``place`` sees."""
    parsed = place.parsed
    visible = [
        imported
        for imported in found
        if imported.functions == place.functions[: len(imported.functions)]
        and parsed.span(imported.node).end <= place.span.start
    ]
    called = called_names(place.small)
    named = [imported for imported in visible if called & imported.names.keys()]
    named = named or [imported for imported in visible if imported.package in DISTRIBUTIONS]
    return max(named, key=lambda i: (len(i.functions), parsed.span(i.node).start), default=None)


def _always_binds(compound: cst.CSTNode, source: Imported, found: Sequence[Imported]) -> bool:
    """Whether code after a ``try`` can rely on the import in it: every handler imports the names, too, or leaves."""
    import libcst as cst

    if not isinstance(compound, (cst.Try, cst.TryStar)):
        return False
    rebinding = [i for i in found if source.names.keys() <= i.names.keys()]
    if not any(compound.body in i.path for i in rebinding):
        return False
    return all(any(h in i.path for i in rebinding) or _leaves(h.body) for h in compound.handlers)


def _leaves(body: cst.BaseSuite) -> bool:
    """Whether a block ends by raising, or by a call that ends the process."""
    import libcst as cst

    last: cst.CSTNode = body.body[-1]
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    if isinstance(last, cst.Expr) and isinstance(last.value, cst.Call):
        function = last.value.func
        name = function.attr if isinstance(function, cst.Attribute) else function
        return isinstance(name, cst.Name) and name.value in _EXITS
    return isinstance(last, cst.Raise)


# --- at the top of the file -------------------------------------------------------------------------------------------


def _at_top(place: NodePath, found: Sequence[Imported], after: cst.CSTNode | None, wanted: WantedImport) -> Insertion:
    """An insertion among the leading imports, or among the imports that directly follow the statement ``after``."""
    parsed = place.parsed
    before = _until(parsed.module.body, place)
    last = _leading_end(before, found)
    earlier = [i.path[1] for i in found if parsed.span(i.node) == wanted.module.after]
    for node in (after, *earlier):
        if node in before:
            last = max(last, before.index(_run(before, node)[-1]))
    if last < 0:
        return _first_import(parsed, wanted)
    return _among(parsed, _run(before, before[last]), wanted, first=after)


def _until(body: Sequence[cst.CSTNode], place: NodePath) -> list[cst.CSTNode]:
    """The statements of a block before the one that contains the place."""
    index = next((i for i, node in enumerate(body) if node in place.path), len(body))
    return list(body[:index])


def _leading_end(body: Sequence[cst.CSTNode], found: Sequence[Imported]) -> int:
    """The index of the last import line among the imports that a file starts with; -1 if it starts with none."""
    importing = {imported.path[1] for imported in found}
    last = -1
    for index, node in enumerate(body):
        if _is_import_line(node):
            last = index
        elif node not in importing and not (index == 0 and _is_docstring(node)):
            break
    return last


def _run(body: Sequence[cst.CSTNode], node: cst.CSTNode) -> list[cst.CSTNode]:
    """``node`` with the import lines directly after it, and directly before it if it is an import line itself."""
    start = end = body.index(node)
    while start and _is_import_line(node) and _is_import_line(body[start - 1]):
        start -= 1
    while end + 1 < len(body) and _is_import_line(body[end + 1]):
        end += 1
    return list(body[start : end + 1])


def _is_import_line(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], (cst.Import, cst.ImportFrom))


def _is_docstring(node: cst.CSTNode) -> bool:
    import libcst as cst

    if not isinstance(node, cst.SimpleStatementLine) or not isinstance(node.body[0], cst.Expr):
        return False
    return isinstance(node.body[0].value, (cst.SimpleString, cst.ConcatenatedString))


def _first_import(parsed: ParsedFile, wanted: WantedImport) -> Insertion:
    """An insertion into a file without imports: after the docstring, or before the first statement."""
    statement = wanted.statement(parsed.source.indent_unit, 0)
    first, newline = parsed.module.body[0], parsed.source.newline
    if not _is_docstring(first):
        offset, text = line_before(parsed, first, statement)
        return offset, text + newline
    offset, text = line_after(parsed, first, statement, blank=1)
    return offset, text if parsed.source.text[offset : offset + 1] in "\r\n" else text + newline


# --- among other imports ----------------------------------------------------------------------------------------------


def _among(
    parsed: ParsedFile, run: Sequence[cst.CSTNode], wanted: WantedImport, *, first: cst.CSTNode | None
) -> Insertion:
    """An insertion among the imports of the block ``run``.

    If the imports are sorted, the new one goes where the order puts it.  Otherwise it goes after the last import of
    its group that is not above ``first``, or to the end of the block.
    """
    column = display_width(indent_of(parsed, run[0]))
    statement = wanted.statement(parsed.source.indent_unit, column, _late(run))
    if len(wanted.module.names) == 2:
        return line_after(parsed, run[-1], statement, blank=1)
    if not _is_import_line(run[0]):
        # The imports after a ``try`` are a block of their own.
        run = run[1:] or run
    lines = [line for node in run if (line := _line_of(node)) is not None]
    if len(lines) < len(run):
        return line_after(parsed, run[-1], statement, blank=1)
    ours, own = wanted.line, wanted.style.first_party
    if not wanted.style.settled:
        own |= {ours.package}
    if not are_sorted(lines, own):
        earliest = run.index(first) if first in run else 0
        related = [i for i, line in enumerate(lines) if i >= earliest and _go_together(line, ours, own)]
        return line_after(parsed, run[related[-1] if related else -1], statement, blank=0 if related else 1)
    index = next((i for i, line in enumerate(lines) if key_of(line, own) > key_of(ours, own)), len(run))
    if index == len(run):
        return line_after(parsed, run[-1], statement, blank=gap(lines[-1], ours, own))
    following = gap(ours, lines[index], own)
    if index and following == gap(lines[index - 1], lines[index], own):
        return line_after(parsed, run[index - 1], statement, blank=gap(lines[index - 1], ours, own))
    # A comment above an import stays with it, a blank line away from the new import.
    blank = max(following, min(comments_above(run[index]), 1))
    return line_before(parsed, run[index], statement, blank=blank, above_comments=True)


def _go_together(one: Line, ours: Line, own: Collection[str]) -> bool:
    """Whether two imports form a group: both relative, of one package, or in one section other than third parties."""
    section = section_of(ours, own)
    return one.package == ours.package or section_of(one, own) == section != Section.THIRD_PARTY


def _line_of(node: cst.CSTNode) -> Line | None:
    """The import on a line, if it is of a single module; ``None`` for a line that import sorters would split."""
    import libcst as cst

    if not isinstance(node, cst.SimpleStatementLine) or len(node.body) != 1:
        return None
    statement = node.body[0]
    if isinstance(statement, cst.ImportFrom):
        return Line(Imported(statement, (node,)).module)
    if isinstance(statement, cst.Import) and len(statement.names) == 1:
        return Line(statement.names[0].evaluated_name, is_from=False)
    return None


def _late(run: Sequence[cst.CSTNode]) -> str:
    """The comment by which linters accept a block of imports below other code, from its last import; usually empty."""
    import libcst as cst

    last = run[-1]
    comment = last.trailing_whitespace.comment if isinstance(last, cst.SimpleStatementLine) else None
    if comment is None or not _LATE.match(comment.value):
        return ""
    return "  # noqa: E402" if "noqa" in comment.value else f"  {comment.value}"
