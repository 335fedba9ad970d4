"""Where the import of the generated module goes.

At the end of the imports at the top, and no earlier than the import that the server is made from, so that whatever a
file does before importing its SDK stays before it.  When that import stands in the function itself, or in a ``try`` or
``if`` that may leave the SDK out, the new import stands beside the call: the file still loads without the SDK.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pdmigrate.model import Edit, Span
from pdmigrate.rewrite.blocks import Imported, Place, called_names
from pdmigrate.rewrite.insertion import Insertion, after_import, before_place, line_after, line_before
from pdmigrate.source import ParsedFile

if TYPE_CHECKING:
    import libcst as cst

SDK_PACKAGES = frozenset({"mcp", "fastmcp"})
_EXITS = frozenset({"exit", "quit", "_exit"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """An import: ``modules`` are the names of the module, one or two to try in this order, ``imported`` what of it.

    ``beside`` are the imports beside which the two go, ``after`` one that must come first.
    """

    modules: tuple[str, ...]
    imported: str
    beside: tuple[Span, ...] = ()
    after: Span | None = None

    @property
    def module(self) -> str:
        return self.modules[0]

    def line(self, module: str) -> str:
        return f"from {module} import {self.imported}"

    def statement(self, unit: str) -> str:
        """The whole statement, its lines separated by ``\\n``."""
        if len(self.modules) == 1:
            return self.line(self.module)
        first, second = map(self.line, self.modules)
        return f"try:\n{unit}{first}\nexcept ImportError:\n{unit}{second}"


def import_edits(place: Place, found: Sequence[Imported], wanted: Wanted) -> tuple[Edit, ...]:
    """The edits that import what is ``wanted`` where the server at ``place`` can use it."""
    insertions = _in_branches(place, found, wanted) or (_insertion(place, found, wanted),)
    file, reason = place.parsed.path, "import what enables progressive disclosure"
    return tuple(Edit(Span(file, offset, offset), text, reason) for offset, text in insertions)


def _in_branches(place: Place, found: Sequence[Imported], wanted: Wanted) -> tuple[Insertion, ...]:
    """Beside the imports that the file itself makes in two ways, unless those come too early or too late."""
    parsed = place.parsed
    beside = [i for span in wanted.beside for i in found if parsed.span(i.node) == span]
    source = _sdk_import(place, found)
    if len(beside) != 2 or len(wanted.modules) != 2 or any(i not in _visible(place, found) for i in beside):
        return ()
    if source is not None and parsed.span(source.node).start > parsed.span(beside[0].node).start:
        return ()
    return tuple(
        after_import(parsed, _branch_end(i, place), wanted.line(module))
        for i, module in zip(beside, wanted.modules, strict=True)
    )


def _branch_end(imported: Imported, place: Place) -> cst.CSTNode:
    """The last of the imports that directly follow one in its block."""
    import libcst as cst

    block = imported.path[-2]
    return _run_end(block.body, imported.line, place) if isinstance(block, cst.IndentedBlock) else imported.line


def _insertion(place: Place, found: Sequence[Imported], wanted: Wanted) -> Insertion:
    import libcst as cst

    parsed, module, statement = place.parsed, wanted.module, wanted.statement(place.parsed.source.indent_unit)
    source = _sdk_import(place, found)
    if source is None:
        return _at_top(place, found, None, wanted)
    if source.functions:
        block = source.path[-2]
        if isinstance(block, cst.IndentedBlock) and block in place.path:
            last = _run_end(block.body, source.line, place)
            return line_after(parsed, last, statement, blank=not _same_section(last, module))
        return before_place(place, statement)
    top = source.path[1]
    if top is source.line or _always_binds(top, source, found) or place.block is parsed.module:
        return _at_top(place, found, top, wanted)
    return before_place(place, statement)


def _visible(place: Place, found: Sequence[Imported]) -> list[Imported]:
    """The imports that are made before the place, in a scope that it sees."""
    return [
        imported
        for imported in found
        if imported.functions == place.functions[: len(imported.functions)]
        and place.parsed.span(imported.node).end <= place.span.start
    ]


def _sdk_import(place: Place, found: Sequence[Imported]) -> Imported | None:
    """The import that the server is made from, as the place sees it: the innermost, then the last one before it."""
    parsed, visible = place.parsed, _visible(place, found)
    called = called_names(place.small)
    named = [imported for imported in visible if called & imported.names.keys()]
    named = named or [imported for imported in visible if imported.package in SDK_PACKAGES]
    return max(named, key=lambda i: (len(i.functions), parsed.span(i.node).start), default=None)


def _always_binds(compound: cst.CSTNode, source: Imported, found: Sequence[Imported]) -> bool:
    """Whether what follows a ``try`` can rely on its import: every handler imports the name too, or leaves."""
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


def _at_top(place: Place, found: Sequence[Imported], after: cst.CSTNode | None, wanted: Wanted) -> Insertion:
    """After the leading imports, and after the statement ``after`` with the imports that directly follow it."""
    parsed, statement = place.parsed, wanted.statement(place.parsed.source.indent_unit)
    before = _until(parsed.module.body, place)
    last = _leading_end(before, found)
    earlier = [i.path[1] for i in found if wanted.after is not None and parsed.span(i.node) == wanted.after]
    for node in (after, *earlier):
        if node in before:
            last = max(last, before.index(_run_end(before, node, place)))
    if last < 0:
        return _first_import(parsed, statement)
    successor = _sorted_successor(before[: last + 1], wanted.module) if len(wanted.modules) == 1 else None
    if successor is not None:
        return line_before(parsed, successor, statement)
    return line_after(parsed, before[last], statement, blank=not _same_section(before[last], wanted.module))


def _until(body: Sequence[cst.CSTNode], place: Place) -> list[cst.CSTNode]:
    """The statements of a block before the one that holds the place."""
    index = next((i for i, node in enumerate(body) if node in place.path), len(body))
    return list(body[:index])


def _leading_end(body: Sequence[cst.CSTNode], found: Sequence[Imported]) -> int:
    """The index of the last plain import of those a file starts with; -1 when it starts with none."""
    importing = {imported.path[1] for imported in found}
    last = -1
    for index, node in enumerate(body):
        if _is_import_line(node):
            last = index
        elif node not in importing and not (index == 0 and _is_docstring(node)):
            break
    return last


def _run_end(body: Sequence[cst.CSTNode], line: cst.CSTNode, place: Place) -> cst.CSTNode:
    """The last of the imports that follow ``line`` without anything in between, before the place."""
    rest = _until(body, place)
    index = rest.index(line)
    while index + 1 < len(rest) and _is_import_line(rest[index + 1]):
        index += 1
    return rest[index]


def _is_import_line(node: cst.CSTNode) -> bool:
    import libcst as cst

    return isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[0], (cst.Import, cst.ImportFrom))


def _is_docstring(node: cst.CSTNode) -> bool:
    import libcst as cst

    if not isinstance(node, cst.SimpleStatementLine) or not isinstance(node.body[0], cst.Expr):
        return False
    return isinstance(node.body[0].value, (cst.SimpleString, cst.ConcatenatedString))


def _first_import(parsed: ParsedFile, statement: str) -> Insertion:
    """In a file without imports: after the docstring, or before the first statement."""
    first, newline = parsed.module.body[0], parsed.source.newline
    if not _is_docstring(first):
        offset, text = line_before(parsed, first, statement)
        return offset, text + newline
    offset, text = line_after(parsed, first, statement, blank=True)
    return offset, text if parsed.source.text[offset : offset + 1] in "\r\n" else text + newline


# --- order and sections -----------------------------------------------------------------------------------------------


def _same_section(node: cst.CSTNode, module: str) -> bool:
    """Whether import sorters put the two into one group: both relative, or from the same package."""
    other = _module_of(node)
    if other is None:
        return False
    if module.startswith(".") or other.startswith("."):
        return module[:1] == other[:1]
    return module.partition(".")[0] == other.partition(".")[0]


def _module_of(node: cst.CSTNode) -> str | None:
    """The module of a line that is a single ``from ... import``, or a plain ``import``."""
    import libcst as cst

    if not isinstance(node, cst.SimpleStatementLine) or not isinstance(node.body[-1], (cst.Import, cst.ImportFrom)):
        return None
    imported = Imported(node.body[-1], (node,))
    return imported.module or next(iter(imported.names.values()), None)


def _sorted_successor(body: Sequence[cst.CSTNode], module: str) -> cst.CSTNode | None:
    """The import that should come after ours, where the last group of imports is in order; ``None`` to be last."""
    import libcst as cst

    group: list[cst.CSTNode] = []
    for node in reversed(body):
        if not _is_import_line(node) or not _same_section(node, module):
            break
        group.insert(0, node)
        if isinstance(node, cst.SimpleStatementLine) and node.leading_lines:
            break
    keys = [_sort_key(_module_of(node) or "") for node in group]
    plain = any(
        not isinstance(node.body[0], cst.ImportFrom) for node in group if isinstance(node, cst.SimpleStatementLine)
    )
    if plain or keys != sorted(keys):
        return None
    return next((node for node, key in zip(group, keys, strict=True) if key > _sort_key(module)), None)


def _sort_key(module: str) -> tuple[int, str]:
    """Further packages first, then by name, as import sorters do."""
    name = module.lstrip(".")
    return len(name) - len(module), name.lower()
