"""What the real build backends put into wheels, before and after."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.runtime.nurseries import planted
from tests.shipping.test_ship import EDITS, EXCLUDED, NOOPS, NOT_SHIPPED, Project, by_id, generated, shipping
from tests.support.environments import environment
from tests.support.files import write
from tests.support.processes import run

pytestmark = pytest.mark.slow


def names(project: Project) -> set[str]:
    """The last parts of the generated paths: the module, and each description file with its folders."""
    place = project.home.module.rpartition("/")[0]
    return {path[len(place) :].lstrip("/") for path in generated(project.home)}


def held(files: frozenset[str], project: Project) -> set[str]:
    """Which generated files stand in a wheel in one place beside each other."""
    module = project.home.module.rpartition("/")[2]
    places = [file.removesuffix(module) for file in files if file.rpartition("/")[2] == module]
    best = [{name for name in names(project) if place + name in files} for place in places]
    return max(best, key=len, default=set())


def laid(tmp_path: Path, project: Project) -> Path:
    root = tmp_path / "project"
    write(root, project.files)
    return root


def falls_short(root: Path, project: Project) -> bool:
    """Whether a wheel, made at once or from the sdist, lacks generated files or cannot be made any more."""
    return any(held(make(root, project.backend), project) != names(project) for make in (wheel, wheel_of_sdist))


@by_id(EDITS)
def test_the_edit_is_needed_and_enough(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    before = wheel(root, project.backend)
    write(root, generated(project.home))
    assert falls_short(root, project)
    migrate(root, project)
    for after in (wheel(root, project.backend), wheel_of_sdist(root, project.backend)):
        assert before <= after
        assert held(after, project) == names(project)


@by_id(NOOPS)
def test_a_wheel_that_needs_no_edit_holds_everything(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    migrate(root, project)
    assert held(wheel(root, project.backend), project) == names(project)
    assert held(wheel_of_sdist(root, project.backend), project) == names(project)


@by_id(NOT_SHIPPED)
def test_a_server_outside_of_the_wheel_stays_outside_and_the_build_works(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    before = wheel(root, project.backend)
    migrate(root, project)
    after = wheel(root, project.backend)
    assert before <= after
    assert held(after, project) == set()
    assert not any(name.rpartition("/")[2] in ("run.py", "server.py") for name in after - before)


@by_id(EXCLUDED)
def test_what_is_told_is_true(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    migrate(root, project)
    wheels = (wheel(root, project.backend), wheel_of_sdist(root, project.backend))
    assert any(held(files, project) != names(project) for files in wheels)


LINKED = ("setuptools, flat", "setuptools, a package called src", "hatchling, flat")
EDITABLE = [project for project in (*EDITS, *NOOPS) if project.id in LINKED]


@by_id(EDITABLE)
def test_an_editable_install_sees_the_files_and_their_edits(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    migrate(root, project)
    made = hook(root, project.backend, "build_editable")
    installed = tmp_path / "site"
    with zipfile.ZipFile(made) as archive:
        archive.extractall(installed)
    place = project.home.module.removesuffix(".py").removeprefix("" if "called src" in project.id else "src/")
    # The description file is changed after the installation: what counts is the one in the project.
    (made.parent.with_name("project-build_editable") / project.home.folder / "add.json").write_text('{"name": "new"}')
    code = (
        "import importlib, pathlib, site, sys\n"
        "site.addsitedir(sys.argv[1])\n"
        "module = importlib.import_module(sys.argv[2])\n"
        "folder = pathlib.Path(module.__file__).parent / 'tool_descriptions'\n"
        "print(*sorted(path.read_text() for path in folder.glob('[!_]*.json')))\n"
    )
    said = run(environment(BACKENDS), "-I", "-c", code, installed, place.replace("/", "."), cwd=tmp_path)
    assert said.split("\n") == ['{"name": "list notes"}', ' {"name": "new"}', ""]


BACKENDS = ("setuptools==84.2.1", "setuptools-scm==10.3.4", "hatchling==1.33.0", "editables==0.5", "uv_build==0.13.6")
_HOOK = """
import importlib, json, sys
module, hook, out = sys.argv[1:]
print("\\n" + json.dumps(getattr(importlib.import_module(module), hook)(out)))
"""


class BuildError(Exception):
    """A backend refused to build; the message is what it said."""


def hook(root: Path, backend: str, name: str) -> Path:
    """What a hook of PEP 517 or PEP 660 makes of a copy of the project, so that no build finds what another left."""
    work, out = root.with_name(f"{root.name}-{name}"), root.with_name(f"{root.name}-{name}-out")
    for folder in (work, out):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(root, work)
    out.mkdir()
    python = environment(BACKENDS)
    done = subprocess.run(
        planted(BACKENDS, "-c", _HOOK, backend, name, str(out)),
        cwd=work,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(root.parent)},
    )
    if done.returncode:
        raise BuildError(done.stderr)
    return out / str(json.loads(done.stdout.strip().splitlines()[-1]))


def wheel(root: Path, backend: str) -> frozenset[str]:
    """The files of the wheel, without its metadata."""
    with zipfile.ZipFile(hook(root, backend, "build_wheel")) as archive:
        return frozenset(name for name in archive.namelist() if ".dist-info/" not in name and not name.endswith("/"))


def wheel_of_sdist(root: Path, backend: str) -> frozenset[str]:
    """The files of the wheel that is made from the sdist, which is what ``python -m build`` does."""
    with tarfile.open(hook(root, backend, "build_sdist")) as archive:
        target = root.with_name(f"{root.name}-unpacked")
        shutil.rmtree(target, ignore_errors=True)
        # Python before 3.11.4 has no filters.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _path: member)
        archive.extractall(target)
    (unpacked,) = target.iterdir()
    return wheel(unpacked, backend)


def migrate(root: Path, project: Project) -> None:
    """The project with the files that a migration makes, and the edits of its build files."""
    write(root, generated(project.home))
    for change in shipping(root, project.home).changes:
        assert change.after is not None
        (root / change.path).write_bytes(change.after)
