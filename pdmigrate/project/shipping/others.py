"""poetry-core, pdm-backend, flit-core and uv_build: they take a package as it is, and their settings are not edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonValue
from pdmigrate.project.shipping.model import (
    PYPROJECT,
    Build,
    covers,
    example_file,
    parent,
    pattern,
    project_name,
    siblings,
    strings,
)


@dataclass(frozen=True)
class _Backend:
    """What of a backend's settings chooses files, and what keeps some out."""

    table: tuple[str, ...]
    chosen: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


_BACKENDS = {
    "poetry-core": _Backend(("tool", "poetry"), ("packages", "include"), ("exclude",)),
    "pdm-backend": _Backend(("tool", "pdm", "build"), ("includes",), ("excludes",)),
    "flit-core": _Backend(("tool", "flit", "sdist"), (), ("exclude",)),
    "uv_build": _Backend(("tool", "uv", "build-backend"), (), ("source-exclude", "wheel-exclude")),
}
NAMES = frozenset(_BACKENDS)


def rules(build: Build, backend: str) -> Iterator[Finding]:
    """Findings for files that are left out (PD520) or excluded (PD521)."""
    how = _BACKENDS[backend]
    table = build.table(*how.table)
    for home in build.homes:
        chosen = [glob for key in how.chosen for item in _items(table.get(key)) if (glob := _glob(key, item))]
        takes = [glob for glob in chosen if any(covers(glob, path) for path in siblings(build, home))]
        files = (home.module, example_file(home))
        missing = [path for path in files if not any(covers(glob, path) for glob in chosen)]
        if (takes and missing) or (not chosen and _is_single(build, home)):
            yield _left_out(build, backend, how, home)
            continue
        included = [glob for item in _items(table.get("include")) if (glob := _glob("include", item))]
        for key in how.excluded:
            for glob in strings(table.get(key)):
                # An exclude of uv without a leading slash matches at every depth.
                anywhere = backend == "uv_build" and not glob.startswith("/")
                for path in files:
                    beaten = any(covers(each, path) for each in included)
                    if covers(f"**/{glob}" if anywhere else glob, path) and not beaten:
                        yield build.finding(
                            "PD521",
                            f'{key} = ["{glob}"] takes {path} out of the wheel',
                            hint=f"remove or narrow the pattern in [{'.'.join(how.table)}]",
                            mark=glob,
                        )


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _glob(key: str, item: JsonValue) -> str:
    """The glob of an entry, from the project's folder; empty for one that puts nothing into a wheel."""
    if not isinstance(item, dict):
        return "" if key == "include" else str(item)  # poetry's include is for the sdist, if no format is given
    if "wheel" not in (strings(item.get("format")) or ("sdist", *(["wheel"] if key == "packages" else []))):
        return ""
    base = item.get("from")
    glob = str(item.get("include", item.get("path")))
    return f"{base.strip('/.')}/{glob}" if isinstance(base, str) else glob


def _is_single(build: Build, home: Home) -> bool:
    """Whether the wheel is made of the modules beside the home, without any package."""
    place, name = parent(home.module), project_name(build).replace("-", "_").replace(".", "_").lower()
    folders = build.tree.folders_in(place)
    packages = any(build.tree.has(f"{place}/{folder}/__init__.py".lstrip("/")) for folder in folders)
    return place in ("", "src") and not packages and (f"{place}/{name}.py".lstrip("/") in siblings(build, home))


def _left_out(build: Build, backend: str, how: _Backend, home: Home) -> Finding:
    place, table = parent(home.module), ".".join(how.table)
    if backend == "poetry-core" and not place.startswith("src"):
        files = ", ".join(f'{{path = "{glob}", format = ["sdist", "wheel"]}}' for glob in (home.module, pattern(home)))
        hint = f"add to [{table}] in {build.path(PYPROJECT)}:\n    include = [{files}]"
    elif backend == "pdm-backend":
        hint = (
            f'add to [{table}] in {build.path(PYPROJECT)}:\n    includes = ["{place or "."}/*.py", "{pattern(home)}"]'
        )
    else:
        hint = f"put {home.module} and {home.folder} into a package, with the server, and name that package as a whole"
    message = f"{backend} leaves {home.module} or {home.folder} out of the wheel"
    return build.finding("PD520", message, hint=hint)
