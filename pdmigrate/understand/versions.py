"""The versions of packages and of Python that the servers of a file run on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from pdmigrate import disk
from pdmigrate.model import Sdk
from pdmigrate.sdk.families import DISTRIBUTIONS, below
from pdmigrate.source.clues import named_in, names_mcp, registers_as
from pdmigrate.source.python_version import given_minor, resolve_python
from pdmigrate.source.sdk_version import decided_by, resolve_sdk
from pdmigrate.source.whole import Whole

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
        sdks = {name: sdk.version for name, sdk in self.sdks.items()}
        python = {"python": self.python, "minor of python": self.minor}
        return {**sdks, "pydantic": self.sdks["mcp"].pydantic or "", **python}


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
        with disk.tracing_part() as part:
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
