"""pdm-backend: the packages at the top, or what ``includes`` names."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.model import Finding
from pdmigrate.shipping.globs import covers, matches
from pdmigrate.shipping.values import Addition, Build, pattern, sample, siblings, strings

_INCLUDES = ("tool", "pdm", "build", "includes")


def rules(build: Build) -> Iterator[Addition | Finding]:
    """``includes`` is completed where it is set, or where single modules are shipped; excludes are told (PD521)."""
    given = strings(build.table("tool", "pdm", "build").get("includes"))
    includes = given or _automatic(build)
    for home in build.homes:
        if not any(_included(includes, path) for path in siblings(build, home)):
            continue
        missing = [path for path in (home.module, sample(home)) if not _included(includes, path)]
        if missing:
            wanted = {home.module: home.module, sample(home): pattern(home)}
            yield Addition(_INCLUDES, (*(() if given else includes), *(wanted[path] for path in missing)))
            includes = (*includes, *(wanted[path] for path in missing))
        yield from _excluded(build, includes, (home.module, sample(home)))


def _automatic(build: Build) -> tuple[str, ...]:
    """What is taken when ``includes`` is not set: the packages at the top, or else the modules there."""
    settings = build.table("tool", "pdm", "build").get("package-dir")
    base = settings.strip("/.") if isinstance(settings, str) else ""
    if not isinstance(settings, str) and build.tree.has_folder("src"):
        base = "src"
    folders = (f"{base}/{name}" if base else name for name in build.tree.folders_in(base))
    packages = tuple(folder for folder in folders if build.tree.has(f"{folder}/__init__.py"))
    return packages or (f"{base}/*.py" if base else "*.py",)


def _included(includes: tuple[str, ...], path: str) -> bool:
    return any(covers(include, path) for include in includes)


def _excluded(build: Build, includes: tuple[str, ...], paths: tuple[str, ...]) -> Iterator[Finding]:
    settings = build.table("tool", "pdm", "build")
    # In a wheel, what is only for the sdist is excluded.
    excludes = (*strings(settings.get("excludes")), *(strings(settings.get("source-includes")) or ("tests",)))
    for path in paths:
        named = [_weight(include) for include in includes if matches(include, path)]
        for exclude in excludes:
            own = matches(exclude, path)
            if covers(exclude, path) and not (named and (not own or max(named) > _weight(exclude))):
                yield build.finding(
                    "PD521",
                    f'"{exclude}" takes {path} out of the wheel',
                    hint="remove or narrow the pattern in [tool.pdm.build]",
                    mark=exclude,
                )


def _weight(glob: str) -> tuple[int, int]:
    """pdm-backend's order between an include and an exclude of one file: the longer wins, then the plainer."""
    parts = [part for part in glob.split("/") if part not in ("", ".")]
    return len(parts), -sum(2 if part == "**" else 1 for part in parts if "*" in part or "?" in part or "[" in part)
