"""One answer for all homes: the edits of build files, and findings for changes that only a person should make."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, FileKind, Finding, JsonObject, Site
from pdmigrate.names import LOCK_PATH, STATE
from pdmigrate.project.shipping import hatch, setuptools
from pdmigrate.project.shipping.locate import builds
from pdmigrate.project.shipping.model import (
    PYPROJECT,
    Addition,
    Build,
    Shipping,
    chain,
    example_file,
    parent,
    pattern,
    project_name,
    siblings,
    top_folder,
    under,
    unique,
)
from pdmigrate.source.documents import read_toml

_BY_MODULE = {
    "setuptools": "setuptools",
    "hatchling": "hatchling",
    "poetry": "poetry-core",
    "poetry_dynamic_versioning": "poetry-core",
    "pdm": "pdm-backend",
    "flit_core": "flit-core",
    "flit": "flit-core",
    "uv_build": "uv_build",
    "scikit_build_core": "scikit-build-core",
    "maturin": "maturin",
    "mesonpy": "meson-python",
}


_WHOLE = {
    "poetry-core": ("tool", "poetry"),
    "pdm-backend": ("tool", "pdm", "build"),
    "flit-core": ("tool", "flit", "sdist"),
    "uv_build": ("tool", "uv", "build-backend"),
}
"""The backends that take a package as it is, each with the table of its settings, which are not edited."""
_CHOOSING = ("packages", "include", "includes")
_EXCLUDING = ("exclude", "excludes", "source-exclude", "wheel-exclude")
"""What of these settings chooses files, and what leaves some out."""


def ship(
    files: Mapping[str, bytes], homes: Sequence[Home], tree: Collection[str], ignored: Collection[str] = ()
) -> Shipping:
    """What has to change so that description files and generated modules are in the wheel and the sdist.

    A server that is not in the wheel itself needs nothing, and neither does a project that is not built.

    Args:
        files: the build files that exist (``candidates``), by path relative to the root.
        homes: where the generated files of each server stand, or will stand.
        tree: Python files, and folders with a slash at the end (``surroundings``), relative to the root.
        ignored: those of ``git_questions`` that git ignores; other paths do no harm.
    """
    found, findings = builds(files, homes, tree)
    changes: list[FileChange] = []
    collected = list(findings)
    for build in found:
        change, said = _answer(build, files)
        changes += change
        collected += said
    collected += (problem for home in homes if (problem := _ignored(home, ignored)))
    return Shipping(tuple(changes), tuple(dict.fromkeys(collected)))


def _answer(build: Build, files: Mapping[str, bytes]) -> tuple[list[FileChange], list[Finding]]:
    """The change of one project's ``pyproject.toml``, if any, and the findings about the project."""
    if not is_built(build):
        return [], []
    backend = backend_of(build)
    if backend in _WHOLE:
        return [], [_unknown(build, backend, home) for home in build.homes if _is_left_open(build, backend, home)]
    if backend not in ("setuptools", "hatchling") or (backend == "hatchling" and "hatch.toml" in build.files):
        return [], [_unknown(build, backend, home) for home in build.homes]
    answers = tuple(setuptools.rules(build) if backend == "setuptools" else hatch.rules(build))
    said = [answer for answer in answers if isinstance(answer, Finding)]
    additions = unique([answer for answer in answers if isinstance(answer, Addition)])
    if not additions:
        return [], said
    if not _is_meant_to_be_built(build):
        return [], [*said, _without_backend(build, additions)]
    return _edited(build, additions, files, said)


def _is_left_open(build: Build, backend: str, home: Home) -> bool:
    """Whether a backend that takes packages as they are is told otherwise, or makes a wheel without a package."""
    place, name = parent(home.module), project_name(build).replace("-", "_").replace(".", "_").lower()
    settings = build.table(*_WHOLE[backend])
    chosen, excluded = (json.dumps([settings.get(key) for key in keys]) for keys in (_CHOOSING, _EXCLUDING))
    folders = build.tree.folders_in(place)
    packages = any(build.tree.has(f"{place}/{folder}/__init__.py".lstrip("/")) for folder in folders)
    alone = place in ("", "src") and not packages and f"{place}/{name}.py".lstrip("/") in siblings(build, home)
    left_out = rf'json|tool_|"(?:\*\*/)?\*"|"/?(?:src/)?{re.escape(place.split("/")[-1] or "tool_")}/'
    return alone or bool(re.search(r"\*|\.py\b", chosen) or re.search(left_out, excluded))


def backend_of(build: Build) -> str:
    """The distribution name of the build backend; for an unknown backend, the name of its module.

    A project that names no backend is built with setuptools (PEP 517, "build-backend").
    """
    system = build.table("build-system")
    module = system.get("build-backend")
    if not isinstance(module, str):
        poetry_only = "build-system" not in build.data and "project" not in build.data and build.table("tool", "poetry")
        return "poetry-core" if poetry_only else "setuptools"
    if "backend-path" in system:
        return module
    return _BY_MODULE.get(module.split(":")[0].split(".")[0], module)


def is_built(build: Build) -> bool:
    """Whether a wheel is built from the project; applications can rule that out."""
    return not (
        build.table("tool", "uv").get("package") is False
        or build.table("tool", "poetry").get("package-mode") is False
        or build.table("tool", "pdm").get("distribution") is False
        or build.table("tool", "rye").get("virtual") is True
    )


def _is_meant_to_be_built(build: Build) -> bool:
    """Whether the project names a build backend, or at least configures setuptools, poetry or a uv package."""
    return (
        "build-system" in build.data
        or "setup.py" in build.files
        or bool(build.table("tool", "setuptools"))
        or bool(build.table("tool", "poetry"))
        or build.table("tool", "uv").get("package") is True
    )


def _edited(
    build: Build, additions: tuple[Addition, ...], files: Mapping[str, bytes], said: list[Finding]
) -> tuple[list[FileChange], list[Finding]]:
    path = build.path(PYPROJECT)
    try:
        after = add_all(build.files[PYPROJECT], additions).encode()
    except UneditableError as error:
        return [], [*said, _by_hand(build, additions, f"this file cannot be edited safely ({error})")]
    if after == files[path]:
        return [], said
    reason = "the description files go into the wheel"
    return [FileChange(path, files[path], after, FileKind.CODE, reason)], said


def _by_hand(build: Build, additions: tuple[Addition, ...], why: str) -> Finding:
    return build.finding(
        "PD520",
        f"the description files would not be in the wheel, and {why}",
        hint=f"add to {build.path(PYPROJECT)}:\n{_indented(lines(additions))}",
    )


def _without_backend(build: Build, additions: tuple[Addition, ...]) -> Finding:
    return build.finding(
        "PD524",
        "no build backend is named, so only installers that fall back on setuptools make a wheel of this project, "
        "and such a wheel would not have the description files",
        hint=f"if the project is installed that way, add:\n{_indented(lines(additions))}",
    )


def _unknown(build: Build, backend: str, home: Home) -> Finding:
    files = f"{build.path(home.module)} and {build.path(pattern(home))}"
    advice = {
        "hatchling": "the settings in hatch.toml are not read",
        "poetry-core": "add to include of [tool.poetry]: "
        + ", ".join(f'{{path = "{path}", format = ["sdist", "wheel"]}}' for path in (home.module, pattern(home))),
        "pdm-backend": f"add {files} to includes of [tool.pdm.build]",
        "maturin": f"outside of python-source, add {files} to include of [tool.maturin]",
        "scikit-build-core": "a package in wheel.packages of [tool.scikit-build] is taken as it is, unless "
        "wheel.exclude or .gitignore leaves it out",
        "meson-python": f"install {files} with py.install_sources() in meson.build",
    }.get(backend, f"{files} have to be in the wheel")
    return build.finding(
        "PD523",
        f"pdmigrate does not know how {backend} chooses the files of this wheel",
        hint=f"{advice}; build a wheel and check what is in it: python -m build && python -m zipfile -l dist/*.whl",
        mark="build-backend",
    )


def _ignored(home: Home, ignored: Collection[str]) -> Finding | None:
    """A finding if git ignores a home, which then never reaches the repository, nor the wheels of half the backends."""
    places = {path.rstrip("/") for path in ignored}
    folder = any(
        place in (home.folder, home.server_file, example_file(home)) or under(place, home.folder) for place in places
    )
    above = [place for place in chain(top_folder(home)) if place and place in places]
    own = top_folder(home) in places
    record = LOCK_PATH in places
    if not (folder or above or own or record or home.module in places):
        return None
    lines = [f"!/{place}/" for place in reversed(above)]
    if folder or above or own:
        lines += [f"!/{top_folder(home)}/", f"!/{top_folder(home)}/**/*.json"]
    if above or home.module in places:
        lines.append(f"!/{home.module}")
    named = [home.module if lines == [f"!/{home.module}"] else home.folder] if lines else []
    lost = "would reach neither the repository nor a wheel that follows .gitignore"
    if record:
        lost = lost if named else "would be in no other checkout, and check and revert need it there"
        named.append(LOCK_PATH)
        lines += [f"!/{STATE}/", f"!/{STATE}/*.json"]
    be, they = ("are", "they") if len(named) > 1 else ("is", "it")
    return finding(
        "PD522",
        f"{' and '.join(named)} {be} ignored by git: {they} {lost}",
        hint=f"add at the end of .gitignore:\n{_indented(chr(10).join(lines))}",
        site=Site(".gitignore", 1),
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())


_BARE = re.compile(r"[A-Za-z0-9_-]+")


class UneditableError(Exception):
    """An addition cannot be made without changing the existing text; the message says why."""


def add_all(text: str, additions: Iterable[Addition]) -> str:
    """``text`` with the additions that it does not hold already.

    Raises:
        UneditableError: an addition cannot be made by inserting text alone.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    for addition in additions:
        text = _add(text, addition)
    return mark + text


def lines(additions: Iterable[Addition]) -> str:
    """The additions as TOML text, for a person to copy."""
    return add_all("", additions).strip()


def _add(text: str, addition: Addition) -> str:
    before = read_toml(text)
    wanted = [_extended(before, addition, first=first) for first in (False, True)]
    if before in wanted:
        return text
    present = _list(before, addition.path)
    missing = [json.dumps(item, ensure_ascii=False) for item in addition.items if item not in present]
    newline = "\r\n" if "\r\n" in text else "\n"
    result = _inserted(text, addition.path, missing, newline)
    try:
        proven = read_toml(result) in wanted
    except ValueError as error:
        raise UneditableError(str(error)) from error
    if not proven:
        raise UneditableError("the edit would change other settings")
    return result


def _list(data: JsonObject, path: tuple[str, ...]) -> list[object]:
    """The list at ``path`` in ``data``; tables and list are put there if they are missing."""
    *tables, key = path
    for name in tables:
        inner = data.setdefault(name, {})
        if not isinstance(inner, dict):
            raise UneditableError(f"{name} is not a table")
        data = inner
    items: object = data.setdefault(key, [])
    if not isinstance(items, list):
        raise UneditableError(f"{'.'.join(path)} is not a list")
    return items


def _extended(data: JsonObject, addition: Addition, *, first: bool) -> JsonObject:
    """What the file should mean after the addition, with the new items first or last."""
    result = copy.deepcopy(data)
    items = _list(result, addition.path)
    missing = [item for item in addition.items if item not in items]
    items[:] = [*missing, *items] if first else [*items, *missing]
    return result


def _inserted(text: str, path: tuple[str, ...], items: list[str], newline: str) -> str:
    """The text with the items in the list at ``path``, which is made where it is missing."""
    *table, key = path
    shown = text.splitlines(keepends=True)
    if shown and not shown[-1].endswith("\n"):
        shown[-1] += newline
    headers = [_header(line) for line in shown]
    near = [number for number, header in enumerate(headers) if header and header[:2] == table[:2]]
    start = headers.index(table) if table in headers else near[-1] if near else len(shown) - 1
    end = next((n for n in range(start + 1, len(shown)) if shown[n].lstrip().startswith("[")), len(shown))
    made = f"{_key(key)} = [{', '.join(items)}]{newline}"
    if table in headers:
        opening = re.compile(rf"\s*(?:{re.escape(key)}|\"{re.escape(key)}\"|'{re.escape(key)}')\s*=\s*\[")
        for number in range(start + 1, end):
            if found := opening.match(shown[number]):
                shown[number : number + 2] = _in_list(shown[number : number + 2], found.end(), items, newline)
                return "".join(shown)
    else:
        made = f"{newline if shown else ''}[{'.'.join(map(_key, table))}]{newline}{made}"
    while end > start + 1 and (not shown[end - 1].strip() or shown[end - 1].startswith("#")):
        end -= 1
    below = newline if table not in headers and shown[end : end + 1] and shown[end].strip() else ""
    return "".join((*shown[:end], made + below, *shown[end:]))


def _in_list(shown: list[str], offset: int, items: list[str], newline: str) -> list[str]:
    """The line on which a list begins, with its bracket before ``offset``, and the next one, with the items added."""
    head, rest = shown[0][:offset], shown[0][offset:]
    if shown[1:] and (not rest.strip() or rest.lstrip().startswith("#")):
        indent = shown[1][: len(shown[1]) - len(shown[1].lstrip())] or "    "
        return [shown[0], *(f"{indent}{item},{newline}" for item in items), shown[1]]
    if rest.rstrip().endswith("]"):
        end = rest.rindex("]")
        given = rest[:end].rstrip()
        between = "" if not given else " " if given.endswith(",") else ", "
        return [head + given + between + ", ".join(items) + rest[len(given) :], *shown[1:]]
    return [f"{head}{', '.join(items)}, {rest}", *shown[1:]]


def _header(line: str) -> list[str] | None:
    """The name of the table that a line opens; ``None`` for any other line."""
    if not line.lstrip().startswith("[") or line.lstrip().startswith("[["):
        return None
    try:
        data = read_toml(line)
    except ValueError:
        return None
    names: list[str] = []
    while data:
        [(name, inner)] = data.items()
        names.append(name)
        data = inner if isinstance(inner, dict) else {}
    return names


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
