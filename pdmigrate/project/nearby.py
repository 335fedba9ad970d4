"""Which text in the files nearest to a server is about that server, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import PurePosixPath

from pdmigrate.model import Server, Site
from pdmigrate.project.model import Project, is_within
from pdmigrate.record.lock import Lock
from pdmigrate.source.discover import is_test

_RESOURCE = re.compile(rb"resource:///tool_descriptions")


def served_by_hand(project: Project, server: Server, remembered: Lock) -> Site | None:
    """Where code that pdmigrate did not write names the resource of descriptions: the sign that it serves them."""
    return next((site for _, site in matches_nearby(project, server, remembered, _RESOURCE)), None)


def matches_nearby(
    project: Project, server: Server, remembered: Lock, what: re.Pattern[bytes]
) -> Iterator[tuple[re.Match[bytes], Site]]:
    """The first match of ``what`` in each Python file nearest to this server, except tests and generated modules."""
    top = server.site.file.rpartition("/")[0].partition("/")[0]
    for path in sorted(project.files):
        if not path.endswith(".py") or path in remembered.modules or is_test(path):
            continue
        match = what.search(project.files[path])
        if match and is_within(path, top) and _is_nearest(project, server, path):
            line = project.files[path].count(b"\n", 0, match.start(match.lastindex or 0)) + 1
            yield match, Site(path, line)


def _is_nearest(project: Project, server: Server, path: str) -> bool:
    """Whether no other server shares more leading folders with ``path`` than this one."""

    def shared(file: str) -> int:
        pairs = zip(PurePosixPath(file).parts[:-1], PurePosixPath(path).parts[:-1], strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    others = (other.site.file for other in (*project.inventory.servers, *project.elsewhere.servers))
    return shared(server.site.file) >= max(map(shared, others), default=0)
