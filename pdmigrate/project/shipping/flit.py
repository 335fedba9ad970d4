"""flit-core: one module or package, with everything in it."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.model import Finding
from pdmigrate.project.shipping.globs import covers
from pdmigrate.project.shipping.model import Addition, Build, example_file, parent, project_name, strings, under


def rules(build: Build) -> Iterator[Addition | Finding]:
    """Findings for excludes that take files out of a package (PD521); nothing has to be added to a package.

    A distribution of a single module has no room for a second file (PD526).
    """
    name = _module(build).replace(".", "/")
    excludes = strings(build.table("tool", "flit", "sdist").get("exclude"))
    for home in build.homes:
        place = parent(home.module)
        if any(build.tree.has_folder(folder) and under(place, folder) for folder in (name, f"src/{name}")):
            for path in (home.module, example_file(home)):
                for pattern in excludes:
                    if covers(pattern, path):
                        yield build.finding(
                            "PD521",
                            f'exclude = ["{pattern}"] takes {path} out of the sdist, and out of a wheel made from it',
                            hint="remove or narrow the pattern in [tool.flit.sdist]",
                            mark=pattern,
                        )
        elif build.tree.has(f"{name}.py" if not place else f"{place}/{name}.py") and place in ("", "src"):
            yield build.finding(
                "PD526",
                f"flit makes a wheel of the single file {name}.py, which now needs {home.module} and {home.folder}",
                hint=f"make it a package: move {name}.py to {name}/__init__.py, and the other two beside it",
            )


def _module(build: Build) -> str:
    name = build.table("tool", "flit", "module").get("name")
    if not isinstance(name, str):
        name = build.table("tool", "flit", "metadata").get("module")
    return name if isinstance(name, str) else project_name(build).replace("-", "_")
