"""All doubts about the servers of one program."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from pdmigrate import disk
from pdmigrate.model import Site
from pdmigrate.sdk.families import CLASS_NAMES, alternation
from pdmigrate.understand.doubt.model import Doubt
from pdmigrate.understand.doubt.naming import Names
from pdmigrate.understand.doubt.starts import by_lifespans, imported_again, imported_by_a_host, through_main
from pdmigrate.understand.doubt.tampering import in_text, tampering
from pdmigrate.understand.index.modules import Tree

_WORDS = re.compile(
    rb"_tool_manager|_mcp_server|_lowlevel_server|local_provider|_mounted_servers|request_handlers|providers|_components"
    rb"|setattr|delattr|__dict__|\bvars\(|__class__|patch|wrap_|sys\.modules|settings|FASTMCP_|lifespan|\bexec\(|__main__|\.run\w*\("
    rb"|^[ \t]*(?:del )?(?!self\.|cls\.)\w[\w.]*\.\w+[ \t]*(?::[^=\n]*)?=(?!=)",
    re.M,
)
"""Texts without which a file does nothing that this room asks for."""
_BESIDE = ("Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "fastmcp.json",
           "mcp.json", ".mcp.json", "server.json", "smithery.yaml", "Procfile")  # fmt: skip
"""Files that give a program its environment, beside those called ``*.env``."""
_MOST_BYTES = 200_000
"""The most bytes of such a file that are read."""


def doubts(tree: Tree, path: str, sources: Iterable[str], scripts: Iterable[str] = ()) -> tuple[Doubt, ...]:
    """The doubts about the servers that the file at ``path`` makes, a program of the files ``sources``.

    ``scripts`` are the modules that the project's own commands import.
    """
    raw = {source: disk.content(tree.root, source) or b"" for source in sorted({path, *sources})}
    configurations = [*_configurations(tree.root, path)]
    found = [doubt for config, text in configurations for doubt in in_text(config, text)]
    if any(_WORDS.search(text) for text in raw.values()):
        trees = {source: module.tree for source in raw if (module := tree.module(source)) is not None}
        found += _unparsed(raw, trees)
        names = Names(tree, trees)
        found += tampering(names)
        found += by_lifespans(names)
        for source, content in raw.items():
            found += in_text(source, content.decode("utf-8", "replace")) if b"FASTMCP_" in content else ()
        found += imported_again(names, path, scripts)
        found += through_main(names)
        for config, text in configurations:
            found += imported_by_a_host(names, config, text)
    return tuple(dict.fromkeys(found))


_TAMPERING = re.compile(
    rb"_tool_manager|request_handlers|setattr|mock\.patch|\b(?:%s|BaseModel)\.\w+\s*=[^=]" % alternation(CLASS_NAMES)
)


def _unparsed(raw: dict[str, bytes], trees: dict[str, ast.Module]) -> Iterator[Doubt]:
    """Doubts about files that this Python cannot parse, by their words alone."""
    for source, text in raw.items():
        if source not in trees and (match := _TAMPERING.search(text)):
            site = Site(source, text.count(b"\n", 0, match.start()) + 1)
            yield Doubt(f"{match.group().decode()} stands in a file that this Python cannot parse", site)


def _configurations(root: Path, path: str) -> Iterator[tuple[str, str]]:
    """The files that say how a program is started, at the root and in the folders around it, with their content."""
    for folder in disk.above(posixpath.dirname(path)):
        for name in disk.names(root, folder):
            if name in _BESIDE or name.endswith(".env"):
                place = posixpath.join(folder, name)
                try:
                    content = disk.content(root, place, _MOST_BYTES) or b""
                except OSError:
                    continue  # a file that this user cannot read starts no program of this user
                yield place, content.decode("utf-8", "replace")
