"""The tests of a project that query its servers, or replace their SDK: a migration may make them fail.

The search in the texts is cheap, and generous on purpose: its result is reported before anything is written, and stops
nothing.  Tests that read the definitions in the code need no such warning: what they read stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pdmigrate import disk
from pdmigrate.model import Site
from pdmigrate.sdk.families import DISTRIBUTIONS, alternation
from pdmigrate.source.discover import is_test
from pdmigrate.source.entries import project_of

_LOOKS = re.compile(
    rb"\b(?:List(?:Tools|Resources|ResourceTemplates)|CallTool)Request\b"
    rb"|\.(?:list_tools|list_resources|list_resource_templates|call_tool|get_capabilities)\("
    rb"|\.(?:capabilities|instructions|request_handlers)\b"
    rb"|['\"](?:tools/list|tools/call|resources/list|resources/templates/list)['\"]"
    rb"|\bsys\.modules['\"]?[\[,][^}]{0,300}?['\"]%s\b" % alternation(DISTRIBUTIONS)
)
"""Code that queries a server, or replaces a module of an SDK, from which the generated module imports, too."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """A test file that queries a server or replaces its SDK: the first line that does, and the number of such lines."""

    site: Site
    lines: int
    servers: frozenset[str]
    """The files of the servers that its project makes."""


def watchers(root: Path, files: Collection[str], servers: Iterable[str]) -> Iterator[Watcher]:
    """The test files among ``files`` that query a server's list, call a tool, or replace the server's SDK.

    ``servers`` are the files that make servers; only tests of the same projects (folders with a build file) count.
    Which of a project's servers a test asks is not looked for: a file too many costs a name in one sentence.
    """
    folders = {server: f"{project_of(root, server)}/".lstrip("/") for server in servers}
    for path in filter(is_test, files):
        concerned = frozenset(server for server, folder in folders.items() if path.startswith(folder))
        if not concerned:
            continue
        if lines := _lines(disk.content_or_empty(root, path)):
            yield Watcher(Site(path, lines[0]), len(lines), concerned)


def _lines(raw: bytes) -> list[int]:
    """The lines that match; a decorator that matches makes a handler, and a comment does nothing."""
    starts = (match.start() for match in _LOOKS.finditer(raw))
    doing = (s for s in starts if not raw[raw.rfind(b"\n", 0, s) + 1 : s].lstrip().startswith((b"@", b"#")))
    return sorted({raw.count(b"\n", 0, start) + 1 for start in doing})
