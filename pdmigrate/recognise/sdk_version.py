"""Which SDK version a server runs on, and on what basis.

The wire differs between SDK versions, so every claim is made for a specific version.  In order of trust: the version
that the user gives, the dependency block of a script, a lock file, an installed environment beside the project, the
project's requirement, and last an assumption.  A version that the user gave to an earlier run decides if a requirement
leaves several versions, or there is none.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from pdmigrate import disk
from pdmigrate.families import PACKAGES
from pdmigrate.model import Sdk
from pdmigrate.names import LOCK_PATH
from pdmigrate.tree.documents import read_json, read_toml

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NEWEST = {**{package.name: package.newest for package in PACKAGES}, "pydantic": ("2.14.3",)}
"""The versions whose behaviour has been measured, newest first; an unlocked requirement means the first that fits."""

OLDEST = {package.name: package.oldest for package in PACKAGES}
"""The oldest versions on which a generated module runs."""

LARGEST_TOML = 8_000_000
"""More bytes than any lock file has, and still parsed in seconds."""
MOST_PARSED = 32
"""The most project files that are remembered: the folders around one server have far fewer."""
_TOML_LOCKS = ("uv.lock", "poetry.lock", "pdm.lock")
_VENVS = (".venv", "venv", "env", ".env")


def resolve_sdk(root: Path, file: str, package: str, given: Mapping[str, str], *, major: int | None = None) -> Sdk:
    """The SDK behind the server in ``file`` (POSIX, relative to ``root``).

    ``given`` maps packages to versions from ``--sdk``; ``major`` is the version that the dialect proves by its shape,
    and limits the assumption.
    """
    version, basis = _version(root, file, package, given, major)
    pydantic, _ = _version(root, file, "pydantic", given, None)
    return Sdk(package, version, basis, pydantic)


def decided_by(root: Path, file: str) -> str:
    """What decides the versions that ``file`` runs on: the script itself if it has metadata, else its folder.

    Answers for one file hold for all files with the same decider.
    """
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
        _requirements(folder)
        for folder in project_folders(root, file)
        if is_open or "build-system" in toml_of(folder.root, folder.path("pyproject.toml"))
    )
    for requirements in (_inline(root, file), *folders):
        for requirement in requirements:
            if _same(requirement.name, sdk.package):
                fitting = {
                    _major(version) for version in NEWEST[sdk.package] if requirement.specifier.contains(version)
                }
                return frozenset({_major(sdk.version), *fitting})
    return frozenset({_major(sdk.version), *(map(_major, NEWEST[sdk.package]) if is_open else ())})


def required(root: Path, file: str) -> Iterator[str]:
    """The names of the packages that ``file``, or its project, requires."""
    yield from (requirement.name for requirement in _inline(root, file))
    for folder in project_folders(root, file):
        yield from (requirement.name for requirement in _requirements(folder))


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
    measured = (*earlier, *NEWEST[package])
    fitting = [version for version in measured if major is None or version.startswith(f"{major}.")]
    version, basis = _found(root, file, package, folders, fitting)
    return version, "given" if version in earlier and basis in ("requirement", "assumed") else basis


def _found(root: Path, file: str, package: str, folders: tuple[Folder, ...], fitting: list[str]) -> tuple[str, str]:
    if version := _required(fitting, _inline(root, file), package):
        return version, "requirement"
    wanted = partial(_required_in, fitting)
    for basis, look in (("lock", _locked), ("installed", _installed), ("requirement", wanted)):
        for folder in folders:
            if version := look(folder, package):
                return version, basis
    return (fitting or list(NEWEST[package]))[0], "assumed"


@disk.question
def told_before(root: Path, package: str) -> tuple[str, ...]:
    """The version that ``--sdk`` gave to the run that wrote the files; it counts until the project says otherwise."""
    match _json(root, LOCK_PATH):
        case {"choices": {"sdk": dict() as versions}}:
            version = versions.get(package)
            return (version,) if isinstance(version, str) else ()
    return ()


class Folder(NamedTuple):
    """A folder of a project: ``inner`` below ``root``, or ``root`` itself."""

    root: Path
    inner: str = ""

    def path(self, name: str) -> str:
        """The path of ``name`` in the folder, relative to the root."""
        return posixpath.join(self.inner, name)


def project_folders(root: Path, file: str) -> Iterator[Folder]:
    """The folders from the file's own up to the root, and the project folders above the root in the same repository."""
    for inner in PurePosixPath(file).parents:
        yield Folder(root, inner.as_posix() if inner.name else "")
    for outer in Path(disk.real(root)).parents:
        if disk.is_repository(root) or not disk.is_there(outer, "pyproject.toml"):
            return
        yield Folder(outer)


def _locked(folder: Folder, package: str) -> str | None:
    for name in _TOML_LOCKS:
        for entry in toml_of(folder.root, folder.path(name)).get("package", []):
            if isinstance(entry, dict) and _same(str(entry.get("name", "")), package):
                return str(entry["version"]) if "version" in entry else None
    if pipfile := _json(folder.root, folder.path("Pipfile.lock")):
        pinned = pipfile.get("default", {}).get(package, {}).get("version", "")
        return pinned.removeprefix("==") or None
    return None


def _installed(folder: Folder, package: str) -> str | None:
    for name in _VENVS:
        for place in site_packages(folder.root / folder.path(name)):
            if infos := metadata_of(place, package):
                return infos[0].removesuffix(".dist-info").split("-", 1)[1]
    return None


def site_packages(environment: Path) -> Iterator[Path]:
    """The folders of an environment that hold its packages: each is a root of its own, wherever it is."""
    for name in disk.names(environment, "lib"):
        if name.startswith("python3") and disk.is_folder(environment, f"lib/{name}/site-packages"):
            yield environment / "lib" / name / "site-packages"
    if disk.is_folder(environment, "Lib/site-packages"):
        yield environment / "Lib" / "site-packages"


def metadata_of(place: Path, package: str) -> list[str]:
    """The names of the metadata folders that tell which versions of a package are installed in ``place``."""
    return [name for name in disk.names(place) if name.startswith(f"{package}-") and name.endswith(".dist-info")]


def _required_in(measured: list[str], folder: Folder, package: str) -> str | None:
    return _required(measured, _requirements(folder), package)


def _required(measured: list[str], requirements: Iterable[Requirement], package: str) -> str | None:
    for requirement in requirements:
        if not _same(requirement.name, package):
            continue
        pins = [specifier for specifier in requirement.specifier if specifier.operator in ("==", "===")]
        if pins and "*" not in pins[0].version:
            return pins[0].version
        return next((v for v in measured if requirement.specifier.contains(v)), None)
    return None


def _requirements(folder: Folder) -> Iterator[Requirement]:
    return _parsed(_requirement_lines(folder))


def _inline(root: Path, path: str) -> Iterator[Requirement]:
    """The requirements in a script itself: runners such as ``uv run`` install these, and nothing declared around it."""
    lines = script_metadata(root, path).get("dependencies", [])
    return _parsed(str(line) for line in lines) if isinstance(lines, list) else iter(())


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


def _parsed(lines: Iterable[str]) -> Iterator[Requirement]:
    from packaging.requirements import InvalidRequirement, Requirement

    for text in lines:
        try:
            yield Requirement(text)
        except InvalidRequirement:
            continue  # a line of a requirements file may be an option or a path; neither names an SDK version


def _requirement_lines(folder: Folder) -> Iterator[str]:
    pyproject = toml_of(folder.root, folder.path("pyproject.toml"))
    project = pyproject.get("project", {})
    yield from (str(line) for line in project.get("dependencies", []))
    poetry = pyproject.get("tool", {}).get("poetry", {}).get("dependencies", {})
    for name, value in poetry.items():
        yield f"{name}{poetry_specifier(value.get('version', '') if isinstance(value, dict) else str(value))}"
    names = (name for name in disk.names(folder.root, folder.inner) if name.startswith("requirements"))
    for path in (folder.path(name) for name in names if name.endswith(".txt")):
        text = disk.read(folder.root, path).decode("utf-8", "replace") if disk.is_file(folder.root, path) else ""
        for line in text.splitlines():
            yield line.split("#", 1)[0].split("\\", 1)[0].strip()


def poetry_specifier(text: str) -> str:
    """A constraint of Poetry as a standard specifier: ``^1.2`` and ``~1.2`` become ranges, ``1.2`` becomes a pin.

    By Poetry's documentation ("Dependency specification"): a caret keeps the first number that is not zero, and a tilde
    the minor version, or the major version where no other is given.
    """
    return ",".join(filter(None, map(_poetry_clause, text.split(","))))


def _poetry_clause(clause: str) -> str:
    text = clause.strip()
    match = re.fullmatch(r"([\^~])\s*(\d+(?:\.\d+)*)(\S*)", text)
    if match:
        numbers = [int(number) for number in match[2].split(".")]
        kept = min(1, len(numbers) - 1)
        if match[1] == "^":
            kept = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
        end = ".".join(map(str, (*numbers[:kept], numbers[kept] + 1)))
        return f">={match[2]}{match[3]},<{end}"
    return "" if text in ("", "*") else f"=={text}" if text[0].isdigit() else text


def toml_of(root: Path, path: str) -> dict[str, Any]:
    """The file's tables; empty if it is absent or not TOML (its own tools report that)."""
    try:
        return _tables(disk.read(root, path, LARGEST_TOML))
    except (OSError, ValueError):
        return {}


@lru_cache(maxsize=MOST_PARSED)
def _tables(raw: bytes) -> dict[str, Any]:
    """Cached by content: the file is read again for every file with a server, and a lock file may be huge."""
    return read_toml(raw)


def _json(root: Path, path: str) -> dict[str, Any]:
    try:
        loaded = _document(disk.read(root, path))
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


@lru_cache(maxsize=MOST_PARSED)
def _document(raw: bytes) -> Any:
    return read_json(raw)


def _same(name: str, package: str) -> bool:
    return re.sub(r"[-_.]+", "-", name).lower() == package
