"""What a server's listing may cost, and what it costs more than an earlier audit counted.

This serves servers that are never migrated: the figures are those of the listing as it is, stubs included where a
server is migrated already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pdmigrate.audit.economics import Audit
from pdmigrate.errors import UsageError
from pdmigrate.model import mapping
from pdmigrate.source.documents import DocumentError, read_json

_FORM = "give a file that `pdmigrate audit --format json` has written"


@dataclass(frozen=True, slots=True)
class Change:
    """The tokens of one tool, or of ``ADDED``, before and now; ``None`` where it is not listed."""

    name: str
    before: int | None
    now: int | None

    @property
    def growth(self) -> int:
        return (self.now or 0) - (self.before or 0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The listing of one server against an earlier audit; ``before`` is ``None`` for a server that is new.

    ``changes`` are the tools that cost more or less than before, the largest growth first.
    """

    before: int | None
    now: int
    changes: tuple[Change, ...]

    @property
    def growth(self) -> int:
        return self.now - (self.before or 0)

    @property
    def grown(self) -> tuple[Change, ...]:
        return tuple(change for change in self.changes if change.growth > 0)


@dataclass(frozen=True, slots=True)
class Budget:
    """The most tokens that a server may list, and what it lists; ``uncounted`` tools come on top of that."""

    tokens: int
    listed: int
    uncounted: tuple[str, ...]

    @property
    def over(self) -> int:
        return max(0, self.listed - self.tokens)

    @property
    def kept(self) -> bool:
        """Whether the listing is known to be within the budget."""
        return not self.over and not self.uncounted


Earlier = Sequence[Mapping[str, Any]]
"""The servers of an earlier audit, in the form of ``audit --format json``."""


ADDED = "added tool and instructions"


def listed(audit: Audit) -> dict[str, int]:
    """The tokens of what a server lists as it stands, by tool."""
    if not audit.catalogue.migrated:
        return {tool.name: tool.now for tool in audit.tools}
    added = audit.bridge + audit.guidance
    return {tool.name: tool.after for tool in audit.tools} | ({ADDED: added} if added else {})


def budget(audit: Audit, tokens: int) -> Budget:
    """The budget of ``tokens`` for one server."""
    unknown = ("tools that source does not show",) if audit.catalogue.incomplete else ()
    return Budget(tokens, sum(listed(audit).values()), (*audit.catalogue.uncounted, *unknown))


def earlier(text: str) -> Earlier:
    """The servers of an earlier audit, from the text of its file.

    Raises UsageError if the text is not what ``audit --format json`` prints.
    """
    try:
        content = read_json(text)
    except DocumentError as error:
        raise UsageError(f"the earlier audit is not JSON: {error}", hint=_FORM) from error
    servers = mapping(content).get("servers")
    if mapping(content).get("version") != 1 or not isinstance(servers, list):
        raise UsageError("the earlier audit is not one of version 1", hint=_FORM)
    found = [server for server in servers if isinstance(server, dict) and _is_server(server)]
    if len(found) != len(servers):
        problem = "the earlier audit holds a server without a name or without the tokens of its tools"
        raise UsageError(problem, hint=_FORM)
    return found


def _is_server(server: Mapping[str, Any]) -> bool:
    tools = server.get("tools")
    return isinstance(server.get("name"), str) and isinstance(tools, list) and all(map(_is_tool, tools))


def _is_tool(tool: object) -> bool:
    form = {"name": str, "now": int, "after": int}
    return isinstance(tool, dict) and all(isinstance(tool.get(key), kind) for key, kind in form.items())


def compared(audits: Sequence[Audit], servers: Earlier) -> Iterator[Comparison]:
    """A comparison for each of ``audits``.

    A server is recognised by its name, and by its file where several have that name; a single server is compared with
    a single server whatever they are called.
    """
    for audit in audits:
        own = audit.catalogue
        alike = [one for one in servers if one["name"] == own.name or len(audits) == len(servers) == 1]
        same = alike if len(alike) == 1 else [one for one in alike if one.get("file") == own.file]
        yield _comparison(listed(audit), same[0] if same else None)


def _comparison(now: Mapping[str, int], server: Mapping[str, Any] | None) -> Comparison:
    before = {} if server is None else _listed_before(server)
    names = dict.fromkeys([*now, *before])
    changes = [Change(name, before.get(name), now.get(name)) for name in names if before.get(name) != now.get(name)]
    changes.sort(key=lambda change: -change.growth)
    return Comparison(None if server is None else sum(before.values()), sum(now.values()), tuple(changes))


def _listed_before(server: Mapping[str, Any]) -> dict[str, int]:
    migrated = server.get("migrated") is True
    counted = {tool["name"]: tool["after" if migrated else "now"] for tool in server["tools"]}
    tokens = server.get("tokens")
    if migrated and isinstance(tokens, dict):
        counted[ADDED] = sum(count for key in ("bridge", "guidance") if isinstance(count := tokens.get(key), int))
    return counted
