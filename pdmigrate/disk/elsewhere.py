"""pdmigrate's own roots (the user's folders, this package, temporary folders), and the places of programs."""

from __future__ import annotations

import os
import sys

from pdmigrate.disk.reading import content, names, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection


def user_folder(name: str) -> str:
    """pdmigrate's folder for the user's ``cache``, which may be lost, or ``state``, which should not be."""
    if sys.platform == "win32":
        return os.path.join(os.environ.get("LOCALAPPDATA") or os.path.expanduser("~"), "pdmigrate")
    variable, usual = ("XDG_CACHE_HOME", ".cache") if name == "cache" else ("XDG_STATE_HOME", ".local/state")
    chosen = os.environ.get(variable, "")
    # The specification of these variables says to ignore a relative path: it would lie in the project.
    base = chosen if os.path.isabs(chosen) else os.path.join(os.path.expanduser("~"), *usual.split("/"))
    return os.path.join(base, "pdmigrate")


def make_root(path: str) -> None:
    """Make one of the user's own folders, accessible to that user alone."""
    os.makedirs(path, mode=0o700, exist_ok=True)


def packaged(path: str, developed: str = "") -> bytes:
    """The content of a file of this package, or else of the file ``developed`` in the package's source tree.

    Raises FileNotFoundError if there is neither.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if (found := content(here, path)) is not None:
        return found
    return read(os.path.dirname(here), developed) if developed else read(here, path)


_own_digest: list[str] = []


def own_digest() -> str:
    """A digest of this package, of its code and its data: computed once, as it takes as long as a small command."""
    if _own_digest:
        return _own_digest[0]
    from hashlib import blake2b

    found = blake2b(digest_size=16)
    for folder, inner, inside in os.walk(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))):
        inner[:] = sorted(name for name in inner if name != "__pycache__")
        for path in sorted(os.path.join(folder, name) for name in inside):
            with open(path, "rb") as stream:
                raw = stream.read()
            found.update(b"%d %s\n%s" % (len(raw), os.fsencode(os.path.basename(path)), raw))
    _own_digest.append(found.hexdigest())
    return _own_digest[0]


def installed(packages: Collection[str]) -> list[str]:
    """The folders that hold the metadata of these packages where they are imported from: their names hold versions."""
    from importlib.util import find_spec

    origins = {spec.origin for package in packages if (spec := find_spec(package)) is not None and spec.origin}
    # The origin of a package is its ``__init__.py``, one folder below that of a module.
    folders = {os.path.dirname(path.removesuffix(f"{os.sep}__init__.py")) for path in origins}
    found = ((folder, name) for folder in folders for name in names(folder) if name.endswith(".dist-info"))
    return sorted(os.path.join(folder, name) for folder, name in found if name.partition("-")[0] in packages)


def program(name: str) -> str | None:
    """The path of a program in the absolute folders of ``PATH``: the current folder may be a hostile repository."""
    suffix = ".exe" if sys.platform == "win32" else ""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        place = os.path.join(folder, name + suffix)
        if os.path.isabs(folder) and os.path.isfile(place) and os.access(place, os.X_OK):
            return place
    return None


def silence(descriptor: int) -> None:
    """Discard whatever is written to a descriptor from now on."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)
