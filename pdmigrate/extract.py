"""From a tree to its servers and tools, as source declares them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pdmigrate.errors import SourceError
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Inventory, Server, Site


def extract(
    root: Path,
    *,
    sdk: Mapping[str, str] = MappingProxyType({}),
    exclude: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
) -> Inventory:
    """The servers below ``root``, each with the tools that its list handler returns.

    ``sdk`` gives versions of packages; ``exclude`` holds patterns of paths that are not looked at; ``only`` limits the
    result to servers that these files, or files below these folders, construct.  Nothing of the project is imported or
    executed.
    """
    from pdmigrate.dialects import firing, gates
    from pdmigrate.discover import gated, python_files

    root = root.resolve()
    files = python_files(root, exclude=exclude)
    candidates = gated(root, files, gates())
    if not candidates:
        return Inventory((), ())
    from pdmigrate.evaluate import World

    world = World(root, sdk=sdk, files=files)
    servers: list[Server] = []
    findings: list[Finding] = []
    for path in candidates:
        if only and not any(path == part or path.startswith(f"{part}/") for part in only):
            continue
        try:
            raw = (root / path).read_bytes()
        except OSError as error:
            findings.append(finding("PD107", f"{path} cannot be read: {error.strerror}", site=Site(path, 1)))
            continue
        for entry in firing(raw):
            try:
                servers += entry.load().servers(path, world)
            except SourceError as error:
                findings.append(_unreadable(path, error))
    return Inventory(tuple(servers), (*findings, *world.findings), tuple(sorted(world.sources)))


def _unreadable(path: str, error: SourceError) -> Finding:
    code = error.code if error.code in CODES else "PD101"
    return finding(str(code), error.message, hint=error.hint, site=Site(path, error.line))
