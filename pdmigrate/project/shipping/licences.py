"""REUSE: where a project's checks want a licence for every file, the files that a migration adds need one, too."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import Finding, JsonObject, Site
from pdmigrate.names import LOCK_PATH, STATE
from pdmigrate.project.shipping.model import matches
from pdmigrate.source.documents import read_toml

LICENCES = "REUSE.toml"
COPYRIGHT, LICENCE = "SPDX-FileCopyrightText", "SPDX-License-Identifier"


def licences(files: Mapping[str, bytes], homes: Sequence[Home]) -> Iterator[Finding]:
    """A finding (PD548) if no ``REUSE.toml`` states a licence for an added file; without one nobody asks for any.

    Source: the REUSE specification 3.3, "REUSE.toml"; its patterns are relative to the folder of the file.
    """
    tables = {path: _annotations(files[path]) for path in sorted(files) if posixpath.basename(path) == LICENCES}
    if not tables:
        return
    stated = [_from_root(path, pattern) for path, rows in tables.items() for row in rows for pattern in _paths(row)]
    added = {LOCK_PATH: f"{STATE}/**"}
    for home in homes:
        added |= {home.module: home.module, home.server_file: f"{home.folder}/**"}
    missing = {place: pattern for place, pattern in added.items() if not any(matches(one, place) for one in stated)}
    if homes and missing:
        path, rows = min(tables.items(), key=lambda item: len(item[0]))
        message = f"{path} states no licence for {', '.join(sorted(missing))}: `reuse lint` would fail"
        hint = "\n    ".join(["add, if this is the licence of your own code:", *_lines(rows, sorted(missing.values()))])
        yield finding("PD548", message, hint=hint, site=Site(path, 1))


def _annotations(raw: bytes) -> list[JsonObject]:
    """The annotations of a file; none if it cannot be read, which its own tool says."""
    try:
        rows = read_toml(raw.decode("utf-8")).get("annotations")
    except ValueError:
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _paths(row: JsonObject) -> list[str]:
    paths = row.get("path")
    return [path for path in (paths if isinstance(paths, list) else [paths]) if isinstance(path, str)]


def _from_root(path: str, pattern: str) -> str:
    return posixpath.join(posixpath.dirname(path), pattern)


def _lines(rows: Sequence[JsonObject], patterns: Sequence[str]) -> Iterator[str]:
    """An annotation for ``patterns``, with the copyright and the licence of the first that the project has."""
    first = next((row for row in rows if COPYRIGHT in row and LICENCE in row), {COPYRIGHT: "...", LICENCE: "..."})
    yield "[[annotations]]"
    yield f"path = {json.dumps(list(patterns))}"
    for key in (COPYRIGHT, LICENCE):
        yield f"{key} = {json.dumps(first[key], ensure_ascii=False)}"
