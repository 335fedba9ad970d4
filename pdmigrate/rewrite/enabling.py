"""The edits that enable progressive disclosure on a server: one import, one call.

The call stands right after the statement that makes the server, in the same scope; ``import_place.py`` says where the
import goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Edit, Span
from pdmigrate.rewrite.blocks import Imported, Place, imports, name_in_use, place_at
from pdmigrate.rewrite.import_place import Wanted, import_edits
from pdmigrate.rewrite.insertion import Insertion, line_after, line_before
from pdmigrate.source import ParsedFile

NAME = "enable"
"""What a server's module calls the function of the generated module, where nothing else has that name."""


@dataclass(frozen=True, slots=True)
class Enable:
    """One server to enable: where, from which module (``.progressive_disclosure``), with which further arguments.

    ``otherwise`` is the module's name where the file is run in another way; ``beside`` and ``after`` are imports of the
    file that decide where this one goes (``importing.Import``).
    """

    anchor: Anchor
    module: str
    arguments: str = ""
    otherwise: str = ""
    beside: tuple[Span, ...] = ()
    after: Span | None = None


def enable_edits(anchor: Anchor, parsed: ParsedFile, *, module: str, arguments: str) -> tuple[Edit, ...]:
    """The edits that enable one server of a file; none when it is enabled already.

    Raises:
        SourceError: there is no place for the call at ``anchor`` (PD503).
    """
    return file_enable_edits(parsed, (Enable(anchor, module, arguments),))


def file_enable_edits(parsed: ParsedFile, servers: Sequence[Enable]) -> tuple[Edit, ...]:
    """The edits that enable several servers of one file; an import that they share is made once.

    Raises:
        SourceError: there is no place for a call (PD503).
    """
    wanted = [server for server in servers if server.anchor.enabled is None]
    found = tuple(imports(parsed)) if wanted else ()
    names: dict[str, str] = {}
    edits: list[Edit] = []
    for server in wanted:
        place = place_at(parsed, server.anchor.span)
        name = _present(found, place, server.module)
        if name is None:
            name = names.setdefault(server.module, _free_name(parsed, found, server.module, names.values()))
            imported = NAME + (f" as {name}" if name != NAME else "")
            edits += [edit for edit in _import_edits(place, found, server, imported) if edit not in edits]
        edits += _call_edits(place, server, name)
    return tuple(edits)


def enabled_by(parsed: ParsedFile, call: Span) -> str | None:
    """The name of the generated module whose function ``call`` calls; ``None`` when no import of it is to be found."""
    name = parsed.source.text[call.start : call.end].partition("(")[0].strip()
    for imported in imports(parsed):
        if imported.names.get(name) == NAME:
            return imported.module.rpartition(".")[2]
    return None


def _import_edits(place: Place, found: Sequence[Imported], server: Enable, imported: str) -> tuple[Edit, ...]:
    modules = (server.module, server.otherwise) if server.otherwise else (server.module,)
    wanted = Wanted(modules, imported, server.beside, server.after)
    return import_edits(place, found, wanted)


# --- the name ---------------------------------------------------------------------------------------------------------


def _present(found: Iterable[Imported], place: Place, module: str) -> str | None:
    """The name under which ``enable`` of ``module`` is imported where ``place`` can see it."""
    for imported in found:
        visible = imported.functions == place.functions[: len(imported.functions)]
        if imported.module == module and visible and place.parsed.span(imported.node).end <= place.span.start:
            for name, original in imported.names.items():
                if original == NAME:
                    return name
    return None


def _free_name(parsed: ParsedFile, found: Iterable[Imported], module: str, taken: Iterable[str]) -> str:
    """``enable``, or a longer name where that one is in use, or may be because of a ``from ... import *``."""
    ours = frozenset(i.node for i in found if i.module == module)
    starred = any(imported.binds_everything for imported in found)
    longer = f"{NAME}_{module.rpartition('.')[2]}"
    candidates = [longer, *(f"{longer}_{number}" for number in range(2, 100))]
    for name in candidates if starred else (NAME, *candidates):
        if name not in taken and not name_in_use(parsed, name, ours):
            return name
    raise SourceError(f"{parsed.path}: no name is free for the function that enables the server", code="PD503")


# --- the call ---------------------------------------------------------------------------------------------------------


def _call_edits(place: Place, server: Enable, name: str) -> tuple[Edit, ...]:
    reason = "enable progressive disclosure"
    file, span, arguments = place.parsed.path, place.span, server.arguments
    if not server.anchor.target:
        after = f", {arguments})" if arguments else ")"
        return (
            Edit(Span(file, span.start, span.start), f"{name}(", reason),
            Edit(Span(file, span.end, span.end), after, reason),
        )
    call = f"{name}({server.anchor.target}{', ' if arguments else ''}{arguments})"
    offset, text = _call_text(place, call)
    return (Edit(Span(file, offset, offset), text, reason),)


def _call_text(place: Place, call: str) -> Insertion:
    """Where the call goes, and the text that puts it there as a statement of its own."""
    import libcst as cst

    holder, parsed = place.holder, place.parsed
    leaves = isinstance(place.small, (cst.Return, cst.Raise))
    if isinstance(holder, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and not leaves:
        followed = place.small is not holder and place.small is not holder.body[-1]
        if followed or isinstance(holder, cst.SimpleStatementSuite):
            return parsed.span(place.small).end, f"; {call}"
        return line_after(parsed, holder, call)
    if isinstance(holder, cst.With) and isinstance(holder.body, cst.IndentedBlock):
        return line_before(parsed, holder.body.body[0], call)
    raise SourceError(
        f"{parsed.source.site(place.span.start)}: there is no place for a call after the server is made",
        hint="bind the server to a name in a statement of its own",
        code="PD503",
    )
