"""One answer for all homes: the edits of build files, and findings for changes that only a person should make."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from posixpath import dirname, join

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, FileKind, Finding, Site
from pdmigrate.names import DESCRIPTIONS, LOCK_PATH, STATE
from pdmigrate.project.shipping.backends import DATA, is_taken, left_open
from pdmigrate.project.shipping.building import PYPROJECT, Build, Shipping, builds, chain, example_file
from pdmigrate.source.documents import read_toml

_TABLE = ("tool", "setuptools", "package-data")
_HEADER = f"[{'.'.join(_TABLE)}]"
_LINE = f'"*" = ["{DATA}"]'


def ship(files: Mapping[str, bytes], homes: Sequence[Home], ignored: Collection[str] = ()) -> Shipping:
    """What has to change so that description files and generated modules are in the wheel and the sdist.

    A server that is not in the wheel itself needs nothing, and neither does a project that is not built.  ``files`` are
    the build files that exist (``candidates``), ``homes`` the places of generated files, ``ignored`` are those of
    ``git_questions`` that git ignores.
    """
    found, unread = builds(files, homes)
    answers = [_answer(build, files) for build in found if _is_built(build)]
    said = [*unread, *(one for _, findings in answers for one in findings)]
    said += (problem for home in homes if (problem := _ignored(home, ignored)))
    return Shipping(tuple(one for changes, _ in answers for one in changes), tuple(dict.fromkeys(said)))


def _answer(build: Build, files: Mapping[str, bytes]) -> tuple[list[FileChange], list[Finding]]:
    taken = {home: is_taken(build, home) for home in build.homes}
    said = [left_open(build, home) for home in build.homes if taken[home] is None]
    if False not in taken.values():
        return [], said
    path = build.path(PYPROJECT)
    try:
        after = with_data(build.files[PYPROJECT]).encode()
    except ValueError as error:
        message = f"the description files would not be in the wheel, and this file cannot be edited safely ({error})"
        hint = f"add to {path}:\n{_indented(f'{_HEADER}{chr(10)}{_LINE}')}"
        return [], [*said, build.finding("PD520", message, hint=hint)]
    return [FileChange(path, files[path], after, FileKind.CODE, "the description files go into the wheel")], said


def with_data(text: str) -> str:
    """``pyproject.toml`` with the package data; raises ValueError where inserting lines alone is not enough."""
    table = wanted = read_toml(text)
    for name in _TABLE:
        inner = table.setdefault(name, {})
        if not isinstance(inner, dict):
            raise ValueError(f"{name} is not a table")
        table = inner
    table["*"] = [DATA]
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    headers = [number for number, line in enumerate(lines, 1) if line.strip() == _HEADER]
    if headers:
        lines.insert(headers[0], f"{_LINE}{newline}")
    else:
        end = "" if not lines or lines[-1].endswith("\n") else newline
        lines += (end, newline if lines and lines[-1].strip() else "", f"{_HEADER}{newline}{_LINE}{newline}")
    if read_toml(result := "".join(lines)) != wanted:
        raise ValueError("the edit would change other settings")
    return result


def _is_built(build: Build) -> bool:
    """Whether a wheel is meant to be built from the project; others run from a folder, and applications rule it out."""
    uv, poetry = build.table("tool", "uv"), build.table("tool", "poetry")
    if uv.get("package") is False or poetry.get("package-mode") is False:
        return False
    older = "setup.py" in build.files or "[options]" in build.files.get("setup.cfg", "")
    configured = build.table("tool", "setuptools") or poetry or uv.get("package") is True
    return "build-system" in build.data or older or bool(configured)


def _ignored(home: Home, ignored: Collection[str]) -> Finding | None:
    """A finding if git ignores a home, which then never reaches the repository, nor the wheels of half the backends."""
    folder, places = join(dirname(home.module), DESCRIPTIONS), {path.rstrip("/") for path in ignored}
    above = [place for place in chain(folder) if place in places]
    lines = [f"!/{place}/" for place in reversed(above)]
    named = []
    if above or not places.isdisjoint((home.server_file, example_file(home))):
        named.append(home.folder)
        lines += [f"!/{folder}/", f"!/{folder}/**/*.json"]
    if above or home.module in places:
        named.append(home.module)
        lines.append(f"!/{home.module}")
    if LOCK_PATH in places:
        named.append(LOCK_PATH)
        lines += [f"!/{STATE}/", f"!/{STATE}/*.json"]
    if not named:
        return None
    message = f"ignored by git, so in no other checkout and in no wheel that follows .gitignore: {', '.join(named)}"
    hint = f"add at the end of .gitignore:\n{_indented(chr(10).join(lines))}"
    return finding("PD522", message, hint=hint, site=Site(".gitignore", 1))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
