"""poetry-core: the package of the project's name, or what ``packages`` and ``include`` name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonValue
from pdmigrate.project.shipping.globs import covers
from pdmigrate.project.shipping.model import (
    Addition,
    Build,
    example_file,
    pattern,
    project_name,
    siblings,
    strings,
    under,
)

_BOTH = ("sdist", "wheel")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of ``packages`` or ``include``: a glob, the folder it starts from, the formats it applies to."""

    glob: str
    base: str
    formats: tuple[str, ...]
    package: bool
    moved: bool = False
    """Whether the files get another place in the wheel (``to``)."""

    def takes(self, path: str, format_: str) -> bool:
        relative = path[len(self.base) :].lstrip("/") if under(path, self.base) else ""
        return format_ in self.formats and bool(relative) and covers(self.glob, relative)


def takes(build: Build, path: str) -> bool:
    """Whether a wheel of the project as it is would hold ``path``."""
    includes = _includes(build)
    if _taken(includes, path, "wheel"):
        return True
    excludes = strings(build.table("tool", "poetry").get("exclude"))
    return _taken(_packages(build), path, "wheel") and not any(covers(glob, path) for glob in excludes)


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Additions to ``include`` where single modules or globs are shipped; findings for excludes (PD521)."""
    packages, includes = _packages(build), _includes(build)
    for home in build.homes:
        beside = [path for path in siblings(build, home) if takes(build, path)]
        shipped = [entry for path in beside for entry in (*packages, *includes) if entry.takes(path, "wheel")]
        if not shipped:
            continue
        paths = {home.module: home.module, example_file(home): pattern(home)}
        missing = [path for path in paths if not all(_taken((*packages, *includes), path, form) for form in _BOTH)]
        if any(entry.base or entry.moved for entry in shipped) and missing:
            yield _not_beside(build, home, shipped[0])
            continue
        yield from (_include(paths[path]) for path in missing)
        yield from _excluded(build, includes, [path for path in paths if path not in missing])


def _taken(entries: tuple[_Entry, ...], path: str, format_: str) -> bool:
    return any(entry.takes(path, format_) for entry in entries)


def _packages(build: Build) -> tuple[_Entry, ...]:
    given = build.table("tool", "poetry").get("packages")
    entries = tuple(_entry(item, _BOTH, package=True) for item in given if item) if isinstance(given, list) else ()
    if entries:
        return entries
    name = re.sub(r"[-_.]+", "_", project_name(build)).lower() if project_name(build) else ""
    for base in ("", "src"):
        at = f"{base}/{name}" if base else name
        if build.tree.has_folder(at):
            return (_Entry(name, base, _BOTH, package=True),)
        if build.tree.has(f"{at}.py"):
            return (_Entry(f"{name}.py", base, _BOTH, package=True),)
    return ()


def _includes(build: Build) -> tuple[_Entry, ...]:
    given = build.table("tool", "poetry").get("include")
    # Without a format an include is for the sdist only, since poetry-core 2.0.
    return tuple(_entry(item, ("sdist",), package=False) for item in given) if isinstance(given, list) else ()


def _entry(item: JsonValue, formats: tuple[str, ...], *, package: bool) -> _Entry:
    if not isinstance(item, dict):
        return _Entry(str(item), "", formats, package)
    glob = item.get("include" if package else "path")
    base = item.get("from")
    return _Entry(
        str(glob),
        base.strip("/.") if isinstance(base, str) else "",
        strings(item.get("format")) or formats,
        package,
        "to" in item,
    )


def _include(glob: str) -> Addition:
    return Addition(("tool", "poetry", "include"), ({"path": glob, "format": list(_BOTH)},))


def _not_beside(build: Build, home: Home, entry: _Entry) -> Finding:
    """The finding for a server that ``from`` or ``to`` moves in the wheel, as ``include`` would not move its files."""
    return build.finding(
        "PD526",
        f"the entry {entry.glob!r} of packages leaves out {home.folder}, and include would put it elsewhere in the "
        "wheel than the server",
        hint="name the whole package there instead of single files or a glob: a single module has to become a package",
        mark=entry.glob,
    )


def _excluded(build: Build, includes: tuple[_Entry, ...], paths: list[str]) -> Iterator[Finding]:
    for path in paths:
        for glob in strings(build.table("tool", "poetry").get("exclude")):
            # An include of the same format wins over an exclude.
            if covers(glob, path) and not all(_taken(includes, path, form) for form in _BOTH):
                yield build.finding(
                    "PD521",
                    f'exclude = ["{glob}"] takes {path} out of the wheel',
                    hint="remove or narrow the pattern in [tool.poetry]",
                    mark=glob,
                )
