"""From a tree to its servers and their tools, as the source declares them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.counting import some
from pdmigrate.findings import finding
from pdmigrate.model import Anchor, Finding, Inventory, Server, Site
from pdmigrate.source.discover import is_test
from pdmigrate.understand.inventory.programs import CALLED, Program
from pdmigrate.understand.inventory.side_by_side import SECONDS

if TYPE_CHECKING:
    from pdmigrate.source.glances import Glances
    from pdmigrate.understand.values.core import Unknown


def extract(
    root: Path,
    *,
    sdk: Mapping[str, str] = MappingProxyType({}),
    exclude: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
    asked: tuple[str, ...] = (),
    glances: Glances | None = None,
    seconds: float = SECONDS,
) -> Inventory:
    """The servers below ``root``, each with the tools that its list handler returns.

    ``sdk`` gives versions of packages; ``exclude`` holds patterns of paths that are not read; ``near`` leaves out
    servers that share nothing with these paths.  Servers that tests make are stand-ins, and count only if their file
    or a folder of tests above it is among ``asked``.  ``glances`` are those of the tree's files, if known.
    No file of servers takes more than ``seconds`` of processor time.
    Nothing of the project is imported or executed.
    """
    from pdmigrate.sdk.families import gates
    from pdmigrate.source.deriving import making
    from pdmigrate.source.discover import gated, linked

    root = Path(disk.real(root))
    glances = glances or look(root, exclude)
    files = glances.files
    candidates = gated(root, glances.of_mcp, gates())
    glances.keep()
    if not candidates:
        return Inventory((), () if near else tuple(_by_hand(root, files)))
    from pdmigrate.source.reachable import Reachable
    from pdmigrate.source.whole import Whole
    from pdmigrate.understand.index.modules import Tree
    from pdmigrate.understand.index.naming import Names
    from pdmigrate.understand.inventory.program_index import Programs

    whole = Whole(root, files, glances)
    reachable = Reachable(glances)
    wanted = making(root, files, candidates)
    links = {link: target for link, target in linked(root, wanted) if target in wanted}
    wanted = tuple(path for path in wanted if path not in links)
    stand_ins = {path for path in wanted if is_test(path) and not _is_asked(path, asked)}
    chosen = (path for path in wanted if path not in stand_ins)
    concerned = [path for path in chosen if not near or reachable.may_concern(path, near)]
    programs = Programs(whole, sdk, seconds).all(concerned)
    names = Names(Tree(whole))
    imported = {target: link for link, target in links.items() if any(names.importers(link))}
    servers = tuple(_of_link(server, imported) for server in _once_each(programs))
    findings = [said for found in programs for said in found.findings]
    if not servers:
        findings += _nowhere(root, files, programs, findings, whole_tree=not (near or stand_ins))
    sources = {path for found in programs for path in found.sources}
    # What the program of a server imports is a part of that program.
    findings += _left_to_tests(root, sorted(stand_ins - sources if servers else stand_ins))
    return Inventory(servers, tuple(findings), tuple(sorted(sources)))


def _nowhere(
    root: Path, files: tuple[str, ...], programs: Iterable[Program], findings: list[Finding], *, whole_tree: bool
) -> list[Finding]:
    """The findings of a tree in which no server was found, besides those of its programs."""
    from pdmigrate.source.deriving import registrations

    naming = [(found.naming, found.nothing_made) for found in programs if found.naming is not None]
    looked = whole_tree and not findings and not any(why for _, why in naming)
    unread = {found.site.file for found in findings if found.site}
    said = [_unrecognised(site, why) for site, why in naming if site.file not in unread]
    for path, line, name in islice(registrations(root, files), 1) if looked else ():
        message = f"a function is made a tool of {name} here, but {name} was not recognised as a server"
        said.append(finding("PD203", message, site=Site(path, line)))
    return said or (_by_hand(root, files) if looked else [])


def _once_each(programs: Iterable[Program]) -> Iterator[Server]:
    """The servers of all programs: a file that hands a server class on may lead to those of a file that calls it."""
    seen: set[Anchor] = set()
    for server in (server for found in programs for server in found.servers):
        if server.anchor not in seen:
            yield server
        if isinstance(server.anchor, Anchor):
            seen.add(server.anchor)


def _of_link(server: Server, imported: Mapping[str, str]) -> Server:
    """A server as it is; its list is not known if its file is imported by the name of a link, as another module."""
    if (link := imported.get(server.site.file)) is None:
        return server
    return replace(server, incomplete=server.incomplete or f"its file is also imported as {link}, which is a link")


def look(root: Path, exclude: tuple[str, ...] = (), below: str = "") -> Glances:
    """The Python files of the tree at ``root``, or of a folder in it, with what is known of them from earlier runs."""
    from pdmigrate.source.discover import python_files
    from pdmigrate.source.glance_index import GlanceIndex
    from pdmigrate.source.glances import Glances

    files = python_files(root, exclude=exclude, below=below)
    return Glances(root, files, GlanceIndex(root, files))


def _is_asked(path: str, asked: tuple[str, ...]) -> bool:
    return any(path == part or (path.startswith(f"{part}/") and is_test(f"{part}/_.py")) for part in asked)


def _left_to_tests(root: Path, stand_ins: list[str]) -> Iterator[Finding]:
    sites = []
    for path in stand_ins:
        try:
            raw = disk.read(root, path)
        except OSError:
            continue  # this user cannot run the servers of a test that cannot be read
        if match := CALLED.search(raw):
            sites.append(Site(path, raw.count(b"\n", 0, match.end()) + 1))
    if sites:
        named = some([site.file for site in sites])
        yield finding("PD204", f"servers that tests make are left as they are: {named}", site=sites[0])


def _unrecognised(site: Site, why: Unknown | None) -> Finding:
    if why is not None:
        message = f"the SDK's server class is imported here, and no server was seen to be made: {why.reason}"
        return finding(why.code, message, site=site)
    message = "the SDK's server class is imported here, but no place was recognised where a server is made"
    return finding("PD202", message, site=site)


def _by_hand(root: Path, files: tuple[str, ...]) -> list[Finding]:
    """A finding about the first file that answers as an MCP server without using an SDK."""
    from pdmigrate.source.clues import spoken_by_hand

    sites = islice(spoken_by_hand(root, files), 1)
    return [finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=site) for site in sites]
