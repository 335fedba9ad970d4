"""What ``lock.json`` may say: the file comes with the repository, so what it says is a claim and not a fact.

A migration makes generated modules and description files, and changes Python files of the project and the build files
that packaging needs.  A lock that names any other file was not written by a migration, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from pdmigrate.disk import is_git
from pdmigrate.errors import PdmigrateError
from pdmigrate.model import FileKind
from pdmigrate.names import DESCRIPTIONS, MODULE, STATE
from pdmigrate.record.undo import AppliedState, is_inside
from pdmigrate.source.discover import PRUNED

BUILD_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "hatch.toml")
"""The build files that packaging may have changed."""


def refuse_claims(state: AppliedState, source: str) -> None:
    """Refuse a state that names files which no migration makes or changes; ``source`` is the file it was read from.

    Raises:
        PdmigrateError: the state names such a file (PD606).
    """
    refuse_others(state.changed, source)
    for path, kind in state.created.items():
        allowed = {
            FileKind.MODULE: is_module,
            FileKind.SERVER: is_description,
            FileKind.DESCRIPTION: is_description,
            FileKind.TEST: is_own_test,
            FileKind.STATE: is_state,
        }
        if not allowed.get(kind, is_changeable)(path):
            raise _refused(path, source)
    for key, fits in (("modules", is_module), ("descriptions", is_description), ("tests", is_own_test)):
        named = state.extra.get(key)
        if isinstance(named, Mapping) and (other := next((path for path in named if not fits(path)), None)):
            raise _refused(other, source)
    asked = state.extra.get("asked")
    for entry in asked.values() if isinstance(asked, Mapping) else ():
        sources = entry.get("sources") if isinstance(entry, Mapping) else None
        for path in sources if isinstance(sources, Mapping) else ():
            if not (_is_own(path) and path.endswith(".py")):
                raise _refused(path, source)


def refuse_others(paths: Iterable[str], source: str) -> None:
    """Refuse paths of files that no migration makes or changes.

    Raises:
        PdmigrateError: one of ``paths`` is such a path (PD606).
    """
    for path in paths:
        if not (is_changeable(path) or is_state(path)):
            raise _refused(path, source)


def is_changeable(path: str) -> bool:
    """Whether a migration may change a file of the project: source, a build file, or a description file."""
    name = PurePosixPath(path).name
    return _is_own(path) and (name.endswith(".py") or name in BUILD_FILES or is_description(path))


def is_module(path: str) -> bool:
    """Whether a path can be that of a generated module."""
    name = PurePosixPath(path).name
    return _is_own(path) and name.startswith(MODULE) and name.endswith(".py")


def is_own_test(path: str) -> bool:
    """Whether a path can be that of tests which ``apply --with-tests`` writes."""
    name = PurePosixPath(path).name
    return _is_own(path) and name.startswith(f"test_{MODULE}") and name.endswith(".py")


def is_description(path: str) -> bool:
    """Whether a path can be that of a description file."""
    folders = PurePosixPath(path).parts[-3:-1]
    return _is_own(path) and path.endswith(".json") and DESCRIPTIONS in folders


def is_state(path: str) -> bool:
    """Whether a path is that of a file in which a migration is recorded; journals do not count."""
    return is_inside(path) and PurePosixPath(path).parts[:-1] == (STATE,)


def _is_own(path: str) -> bool:
    """Whether a path is inside the project, and outside the folders that never hold a project's own source."""
    folders = PurePosixPath(path).parts[:-1]
    return is_inside(path) and not PRUNED.intersection(folders) and not any(map(is_git, PurePosixPath(path).parts))


def _refused(path: str, source: str) -> PdmigrateError:
    return PdmigrateError(
        f"{source} names {path!r}, which no migration makes or changes",
        hint="restore it from a version that you trust; nothing was changed",
        code="PD606",
    )
