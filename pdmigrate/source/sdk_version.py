"""Which SDK version a server runs on, and on what basis.

The wire differs between SDK versions, so every claim is made for a specific version.  In order of trust: the version
that the user gives, the dependency block of a script, a lock file, an installed environment beside the project, the
project's requirement, and last an assumption.  A version that the user gave to an earlier run decides if a requirement
leaves several versions, or there is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pdmigrate import disk
from pdmigrate.model import Sdk
from pdmigrate.names import LOCK_PATH
from pdmigrate.sdk.families import PACKAGES
from pdmigrate.source.documents import read_toml
from pdmigrate.source.requirements import Folder, json_of, parsed, requirement_lines, toml_of

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NEWEST = {**{package.name: package.newest for package in PACKAGES}, "pydantic": ("2.14.3",)}
"""The versions whose behaviour has been measured, newest first; an unlocked requirement means the first that fits."""

OLDEST = {package.name: package.oldest for package in PACKAGES}
"""The oldest versions on which a generated module runs."""

_TOML_LOCKS = (("uv.lock", "package"), ("poetry.lock", "package"), ("pdm.lock", "package"), ("pylock.toml", "packages"))
"""Lock files, each with the name of the array that holds the packages."""
_ENVIRONMENTS = (".venv", "venv", "env", ".env")


def resolve_sdk(root: Path, file: str, package: str, given: Mapping[str, str], *, major: int | None = None) -> Sdk:
    """The SDK behind the server in ``file``; ``given`` has what ``--sdk`` says, ``major`` is what its shape proves."""
    version, basis = _version(root, file, package, given, major)
    pydantic, _ = _version(root, file, "pydantic", given, None)
    return Sdk(package, version, basis, pydantic)


def decided_by(root: Path, file: str) -> str:
    """What decides the versions that ``file`` runs on: the script itself if it has metadata, else its folder."""
    return file if script_metadata(root, file) else f"{posixpath.dirname(file)}/"


def majors(root: Path, file: str, sdk: Sdk) -> frozenset[int]:
    """The major versions that the server in ``file`` may be installed with today.

    A requirement decides; without a requirement every measured major version is possible.  A lock or an installation is
    what the project's own developers run: installing its package gives any version that the requirement admits.
    """
    if sdk.basis == "given":
        return frozenset({_major(sdk.version)})
    is_open = sdk.basis in ("requirement", "assumed")
    folders = (
        parsed(requirement_lines(folder))
        for folder in project_folders(root, file)
        if is_open or "build-system" in toml_of(folder.root, folder.path("pyproject.toml"))
    )
    fitting = NEWEST[sdk.package] if is_open else ()
    for requirement in chain(_inline(root, file), *folders):
        if _same(requirement.name, sdk.package):
            fitting = tuple(filter(requirement.specifier.contains, NEWEST[sdk.package]))
            break
    return frozenset(map(_major, (sdk.version, *fitting)))


def required(root: Path, file: str) -> Iterator[str]:
    """The names of the packages that ``file``, or its project, requires."""
    yield from (requirement.name for requirement in _inline(root, file))
    for folder in project_folders(root, file):
        yield from (requirement.name for requirement in parsed(requirement_lines(folder)))


def unsupported(sdk: Sdk) -> str | None:
    """Why a server on this version can be neither understood nor migrated; ``None`` if it can."""
    numbers = tuple(int(number) for number in re.findall(r"\d+", sdk.version)[:2])
    if OLDEST[sdk.package] <= numbers and numbers[0] <= _major(NEWEST[sdk.package][0]):
        return None
    first, last = ".".join(map(str, OLDEST[sdk.package])), _major(NEWEST[sdk.package][0])
    return f"this is {sdk.package} {sdk.version} ({sdk.basis}), and {first} to {last}.x are supported"


def _major(version: str) -> int:
    return int(version.split(".")[0])


def _version(root: Path, file: str, package: str, given: Mapping[str, str], major: int | None) -> tuple[str, str]:
    if package in given:
        return given[package], "given"
    folders = tuple(project_folders(root, file))
    earlier = told_before(root, package)
    fitting = [one for one in (*earlier, *NEWEST[package]) if major is None or one.startswith(f"{major}.")]
    looks: dict[str, Callable[[Folder], str | None]] = {
        "lock": lambda folder: _locked(folder, package),
        "installed": lambda folder: _installed(folder, package),
        "requirement": lambda folder: _required(fitting, parsed(requirement_lines(folder)), package),
    }
    found = ((version, basis) for basis, look in looks.items() for folder in folders if (version := look(folder)))
    inline = _required(fitting, _inline(root, file), package)
    version, basis = (inline, "requirement") if inline else next(found, ((fitting or NEWEST[package])[0], "assumed"))
    return version, "given" if version in earlier and basis in ("requirement", "assumed") else basis


@disk.question
def told_before(root: Path, package: str) -> tuple[str, ...]:
    """The version that ``--sdk`` gave to the run that wrote the files; it counts until the project says otherwise."""
    match json_of(root, LOCK_PATH):
        case {"choices": {"sdk": dict() as versions}}:
            version = versions.get(package)
            return (version,) if isinstance(version, str) else ()
    return ()


def project_folders(root: Path, file: str) -> Iterator[Folder]:
    """The folders from the file's own up to the root, and the project folders above the root in the same repository."""
    for inner in PurePosixPath(file).parents:
        yield Folder(root, inner.as_posix() if inner.name else "")
    for outer in Path(disk.real(root)).parents:
        if disk.is_repository(root) or not disk.is_there(outer, "pyproject.toml"):
            return
        yield Folder(outer)


def _locked(folder: Folder, package: str) -> str | None:
    """The version in a lock file: the newest if the lock has several, for systems or versions of Python."""
    for name, packages in _TOML_LOCKS:
        found = toml_of(folder.root, folder.path(name), _of_package(packages, package)).get(packages, [])
        entries = [e for e in found if isinstance(e, dict) and _same(str(e.get("name", "")), package)]
        if versions := [str(entry["version"]) for entry in entries if "version" in entry]:
            return max(versions, key=lambda version: tuple(map(int, re.findall(r"\d+", version))))
    return None


@cache
def _of_package(packages: str, package: str) -> Callable[[bytes], bytes]:
    """Cuts the other packages out of a lock file: parsing hundreds of them takes longer than evaluating a server."""
    beginning, named = f"\n[[{packages}]]\n".encode(), re.compile(rb'name = "([\w.-]+)"\n')

    def cut(raw: bytes) -> bytes:
        first, *others = raw.split(beginning)
        found = ((block, named.match(block)) for block in others)
        return beginning.join((first, *(b for b, name in found if name is None or _same(name[1].decode(), package))))

    return cut


def _installed(folder: Folder, package: str) -> str | None:
    found = next(metadata_in(folder.root / folder.inner, package), None)
    return found.name.removesuffix(".dist-info").split("-", 1)[1] if found is not None else None


def metadata_in(folder: Path, package: str) -> Iterator[Path]:
    """The metadata folders of a package in the environments of ``folder``: their names hold the version."""
    for environment in (folder / name for name in _ENVIRONMENTS):
        libraries = (name for name in disk.names(environment, "lib") if name.startswith("python3"))
        for inner in (*(f"lib/{name}/site-packages" for name in libraries), "Lib/site-packages"):
            names = disk.names(environment / inner) if disk.is_folder(environment, inner) else ()
            infos = (name for name in names if name.startswith(f"{package}-") and name.endswith(".dist-info"))
            yield from (environment / inner / name for name in infos)


def _required(measured: list[str], requirements: Iterable[Requirement], package: str) -> str | None:
    for requirement in requirements:
        if not _same(requirement.name, package):
            continue
        pins = [specifier for specifier in requirement.specifier if specifier.operator in ("==", "===")]
        if pins and "*" not in pins[0].version:
            return pins[0].version
        return next((v for v in measured if requirement.specifier.contains(v)), None)
    return None


def _inline(root: Path, path: str) -> Iterator[Requirement]:
    """The requirements in a script itself: runners such as ``uv run`` install these, and nothing declared around it."""
    lines = script_metadata(root, path).get("dependencies", [])
    return parsed(str(line) for line in lines) if isinstance(lines, list) else iter(())


def script_metadata(root: Path, path: str) -> dict[str, Any]:
    """The metadata block of a script, as a dict; empty if there is none, or if it is not valid TOML."""
    try:
        whole = disk.read(root, path).decode("utf-8")
        # By the specification, two blocks are an error in the script.
        block = _SCRIPT.search(whole) if whole.count("# /// script") == 1 else None
        text = "\n".join(line[2:] for line in block["content"].splitlines()) if block else ""
        return read_toml(text)
    except (OSError, ValueError):
        return {}  # the script's runner reports that


_SCRIPT = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
"""The block of the inline metadata specification (PEP 723), by its own pattern."""


def _same(name: str, package: str) -> bool:
    return re.sub(r"[-_.]+", "-", name).lower() == package
