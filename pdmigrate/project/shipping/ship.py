"""One answer for all homes: the edits of build files, and findings for changes that only a person should make."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, FileKind, Finding, Site
from pdmigrate.names import LOCK_PATH, STATE
from pdmigrate.project.shipping.additions import Addition, UneditableError, add_all, lines
from pdmigrate.project.shipping.backends import rules
from pdmigrate.project.shipping.building import PYPROJECT, Build, Shipping, builds, chain, example_file, top_folder


def ship(
    files: Mapping[str, bytes], homes: Sequence[Home], tree: Collection[str], ignored: Collection[str] = ()
) -> Shipping:
    """What has to change so that description files and generated modules are in the wheel and the sdist.

    A server that is not in the wheel itself needs nothing, and neither does a project that is not built.  ``files`` are
    the build files that exist (``candidates``), ``homes`` the places of generated files, ``tree`` is what surrounds
    them (``surroundings``), ``ignored`` are those of ``git_questions`` that git ignores.
    """
    found, unread = builds(files, homes, tree)
    answers = [_answer(build, files) for build in found]
    said = [*unread, *(one for _, findings in answers for one in findings)]
    said += (problem for home in homes if (problem := _ignored(home, ignored)))
    return Shipping(tuple(one for changes, _ in answers for one in changes), tuple(dict.fromkeys(said)))


def _answer(build: Build, files: Mapping[str, bytes]) -> tuple[list[FileChange], list[Finding]]:
    answers = tuple(rules(build)) if _is_built(build) else ()
    said = [answer for answer in answers if isinstance(answer, Finding)]
    additions = [answer for answer in answers if isinstance(answer, Addition)]
    if not additions or not _is_meant_to_be_built(build):
        return [], said
    path = build.path(PYPROJECT)
    try:
        after = add_all(build.files[PYPROJECT], additions).encode()
    except UneditableError as error:
        message = f"the description files would not be in the wheel, and this file cannot be edited safely ({error})"
        hint = f"add to {path}:\n{_indented(lines(additions))}"
        return [], [*said, build.finding("PD520", message, hint=hint)]
    change = FileChange(path, files[path], after, FileKind.CODE, "the description files go into the wheel")
    return [change] if change.changed else [], said


def _is_built(build: Build) -> bool:
    """Whether a wheel is built from the project; applications can rule that out."""
    uv, poetry = build.table("tool", "uv"), build.table("tool", "poetry")
    return uv.get("package") is not False and poetry.get("package-mode") is not False


def _is_meant_to_be_built(build: Build) -> bool:
    """Whether a backend is named, or setuptools, poetry or a uv package configured; others run from a folder."""
    configured = build.table("tool", "setuptools") or build.table("tool", "poetry")
    is_package = build.table("tool", "uv").get("package") is True
    return "build-system" in build.data or "setup.py" in build.files or bool(configured) or is_package


def _ignored(home: Home, ignored: Collection[str]) -> Finding | None:
    """A finding if git ignores a home, which then never reaches the repository, nor the wheels of half the backends."""
    folder, places = top_folder(home), {path.rstrip("/") for path in ignored}
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
