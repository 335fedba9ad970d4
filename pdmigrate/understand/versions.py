"""The versions of packages and of Python that the servers of a file run on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pdmigrate import disk
from pdmigrate.model import Sdk
from pdmigrate.sdk.families import DISTRIBUTIONS, below
from pdmigrate.source.clues import named_in, names_mcp, registers_as
from pdmigrate.source.requirements import Folder, poetry_specifier, toml_of
from pdmigrate.source.sdk_version import decided_by, project_folders, resolve_sdk, script_metadata, told_before
from pdmigrate.source.whole import Whole

STRIPPED = 13
"""The minor version since which compiling removes the indentation of docstrings."""
_MINORS = range(6, 40)


def resolve_python(root: Path, file: str, given: Mapping[str, str]) -> str:
    """The Python that the server in ``file`` (POSIX, relative to ``root``) runs on; empty if that is open.

    In order of trust: what the user gives as ``python``, a requirement that admits only versions on one side of 3.13,
    ``.python-version``, and what the user gave to an earlier run.  Of several versions on one side the result is
    the oldest from 3.13 on, or the newest before 3.13.  An environment beside the project does not count: it is not
    under version control, but what pdmigrate writes is.
    """
    if given.get("python"):
        return given["python"]
    folders = tuple(project_folders(root, file))
    required = (script_metadata(root, file).get("requires-python"), *chain.from_iterable(map(_required_in, folders)))
    for text in required:
        if isinstance(text, str) and (version := _side(text)):
            return version
    pinned = (version for folder in folders if (version := _pinned(folder)))
    return next(pinned, None) or next(iter(told_before(root, "python")), "")


def given_minor(root: Path, given: Mapping[str, str]) -> str:
    """The minor version of the Python 3 that the user gives, or gave to an earlier run; empty if none was given."""
    texts = (given.get("python", ""), *told_before(root, "python"))
    found = (match[1] for text in texts if (match := re.match(r"3\.(\d+)", text)))
    return next(found, "")


def _required_in(folder: Folder) -> Iterator[object]:
    """The requirements of a project."""
    pyproject = toml_of(folder.root, folder.path("pyproject.toml"))
    yield pyproject.get("project", {}).get("requires-python")
    poetry = pyproject.get("tool", {}).get("poetry", {}).get("dependencies", {}).get("python")
    if isinstance(poetry, str):
        yield poetry_specifier(poetry)


@cache
def _side(text: str) -> str | None:
    """The version that stands for all versions a requirement admits; ``None`` if they lie on both sides of 3.13."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        admits = SpecifierSet(text).contains
    except InvalidSpecifier:
        return None  # the project's own tools report that
    patches = (*range(30), 99)
    admitted = [minor for minor in _MINORS if any(admits(f"3.{minor}.{patch}") for patch in patches)]
    if not admitted or admitted[0] < STRIPPED <= admitted[-1]:
        return None
    return f"3.{admitted[0] if admitted[0] >= STRIPPED else admitted[-1]}"


def _pinned(folder: Folder) -> str | None:
    """The first version in ``.python-version``, as pyenv and uv read it."""
    try:
        text = disk.read(folder.root, folder.path(".python-version")).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r"(?m)^[ \t]*(?:cpython[-@]?)?(3\.\d+)", text)
    return found[1] if found else None


T = TypeVar("T")


@dataclass(frozen=True)
class Versions:
    """``sdks`` holds the SDK of each package that has server classes, by its name; an open ``python`` is empty.

    ``python`` may stand for several versions that treat docstrings alike; ``minor`` is the number of just one.
    """

    sdks: Mapping[str, Sdk]
    python: str
    minor: str

    def named(self) -> dict[str, str]:
        """All versions by the names of packages."""
        others = {"pydantic": self.sdks["mcp"].pydantic or "", "python": self.python, "minor of python": self.minor}
        return {name: sdk.version for name, sdk in self.sdks.items()} | others


def versions_of(whole: Whole, given: Mapping[str, str], path: str) -> Versions:
    """The versions for the file at ``path``.

    Imports of ``mcp``, or of a package that is built on it, imply a major version of ``mcp``, and so does the way in
    which handlers are registered: these decide where the project leaves the version open.
    """
    key = ("versions", decided_by(whole.root, path))

    def sdk(package: str, major: int | None = None) -> Sdk:
        return _once(whole, (*key, package, major), lambda: resolve_sdk(whole.root, path, package, given, major=major))

    sdks = {name: sdk(name) for name in DISTRIBUTIONS if name != "mcp"}
    major = _major(whole, disk.read(whole.root, path), {name: found.version for name, found in sdks.items()})
    newest, fitting = sdk("mcp"), sdk("mcp", major)
    python = _once(whole, (*key, "python"), lambda: resolve_python(whole.root, path, given))
    minor = _once(whole, (*key, "minor"), lambda: given_minor(whole.root, given))
    return Versions({**sdks, "mcp": fitting if fitting.basis == newest.basis else newest}, python, minor)


def _once(whole: Whole, key: tuple[str | int | None, ...], answer: Callable[[], T]) -> T:
    """``answer()``, found once for all programs; what was asked of the tree for it is noted for each of them."""

    def traced() -> tuple[T, disk.Trace]:
        with disk.tracing(part=True) as part:
            return answer(), part

    found, part = whole.once(key, traced)
    disk.repeat(part)
    return found


def _major(whole: Whole, raw: bytes, versions: Mapping[str, str]) -> int | None:
    """The major version of ``mcp`` that a text is written for, as far as it shows."""
    # A file that names no SDK makes a server of a class derived in another file.
    own = named_in([raw])
    others = own.others or (() if names_mcp(raw) else whole.named().others)
    majors = {below(name, versions[name]) for name in others} or set(own.majors)
    if len(majors) != 1 and not others:
        shape = registers_as(raw) or whole.shape()
        majors = set(whole.named().majors) or ({shape} if shape is not None else set())
    return majors.pop() if len(majors) == 1 else None
