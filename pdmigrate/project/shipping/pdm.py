"""pdm-backend: the packages at the top, or what ``includes`` names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pdmigrate.model import Finding
from pdmigrate.project.shipping.globs import matches
from pdmigrate.project.shipping.model import Addition, Build, chain, example_file, pattern, siblings, strings

_INCLUDES = ("tool", "pdm", "build", "includes")


@dataclass(frozen=True, slots=True)
class Selection:
    """The files and whole folders that a wheel takes; a more specific glob wins over a less specific one."""

    includes: tuple[str, ...]
    excludes: tuple[str, ...]

    def named(self, path: str) -> bool:
        """Whether ``path`` or a folder that holds it is included, even if excludes name another of these places."""
        return any(self._in(place) for place in _places(path))

    def takes(self, path: str) -> bool:
        """Whether ``path`` is in the wheel: included itself, or in an included folder and not excluded."""
        return self._in(path) or (self.named(path) and not any(self._out(place) for place in _places(path)))

    def excludes_of(self, path: str) -> tuple[str, ...]:
        """The excludes that keep ``path`` out."""
        out = [place for place in _places(path) if self._out(place)]
        return tuple(glob for glob in self.excludes if any(matches(glob, place) for place in out))

    def _in(self, place: str) -> bool:
        """Whether ``place`` is included, and by a more specific glob than any that excludes it.

        If several globs match, those least favourable to ``place`` count, as pdm-backend may pick any of them.
        """
        included, excluded = _weights(self.includes, place), _weights(self.excludes, place)
        return bool(included) and (not excluded or min(included) > max(excluded))

    def _out(self, place: str) -> bool:
        return bool(_weights(self.excludes, place)) and not self._in(place)


def selection(build: Build) -> Selection:
    """What ``[tool.pdm.build]`` selects for a wheel; globs for the sdist alone are included and then excluded."""
    settings = build.table("tool", "pdm", "build")
    only_sdist = strings(settings.get("source-includes")) or ("tests",)
    includes = strings(settings.get("includes")) or _automatic(build)
    return Selection((*includes, *only_sdist), (*strings(settings.get("excludes")), *only_sdist))


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Additions to ``includes`` where it is set, or where single modules are shipped; findings for excludes (PD521)."""
    given = strings(build.table("tool", "pdm", "build").get("includes"))
    chosen = selection(build)
    for home in build.homes:
        if not any(chosen.takes(path) for path in siblings(build, home)):
            continue
        wanted = {home.module: home.module, example_file(home): pattern(home)}
        missing = tuple(glob for path, glob in wanted.items() if not chosen.named(path))
        if missing:
            yield Addition(_INCLUDES, (*(() if given else _automatic(build)), *missing))
        after = replace(chosen, includes=(*chosen.includes, *missing))
        for path in wanted:
            if not after.takes(path):
                yield from (_excluded(build, glob, path) for glob in after.excludes_of(path))


def _excluded(build: Build, glob: str, path: str) -> Finding:
    return build.finding(
        "PD521",
        f'"{glob}" takes {path} out of the wheel',
        hint="remove or narrow the pattern in [tool.pdm.build]",
        mark=glob,
    )


def _automatic(build: Build) -> tuple[str, ...]:
    """The globs that apply when ``includes`` is not set: the packages at the top, or else the modules there."""
    settings = build.table("tool", "pdm", "build").get("package-dir")
    base = settings.strip("/.") if isinstance(settings, str) else ""
    if not isinstance(settings, str) and build.tree.has_folder("src"):
        base = "src"
    folders = (f"{base}/{name}" if base else name for name in build.tree.folders_in(base))
    packages = tuple(folder for folder in folders if build.tree.has(f"{folder}/__init__.py"))
    return packages or (f"{base}/*.py" if base else "*.py",)


def _places(path: str) -> tuple[str, ...]:
    return (path, *(place for place in chain(path) if place))


def _weights(globs: tuple[str, ...], place: str) -> list[tuple[int, int]]:
    """How specific each glob is that matches ``place``: by the number of its parts, then by having few wildcards."""
    return [_weight(glob) for glob in globs if matches(glob, place)]


def _weight(glob: str) -> tuple[int, int]:
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    return len(parts), -sum(2 if part == "**" else 1 for part in parts if any(sign in part for sign in "*?["))
