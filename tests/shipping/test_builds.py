"""What the real build backends put into wheels, before and after."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.shipping.building import BACKENDS, BuildError, hook, migrate, wheel, wheel_of_sdist
from tests.shipping.projects import EDITS, EXCLUDED, NOOPS, NOT_SHIPPED, Project, by_id, generated
from tests.support.environments import environment
from tests.support.files import write
from tests.support.processes import run
from tests.support.repositories import committed

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


def built(root: Path, project: Project) -> frozenset[str]:
    if project.git:
        committed(root)
    return wheel(root, project.backend)


def falls_short(root: Path, project: Project) -> bool:
    """Whether a wheel, made at once or from the sdist, lacks generated files or cannot be made any more."""
    try:
        return any(held(make(root, project.backend), project) != names(project) for make in (wheel, wheel_of_sdist))
    except BuildError as error:
        return "Multiple top-level packages" in str(error)


@by_id(EDITS)
def test_the_edit_is_needed_and_enough(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    before = built(root, project)
    write(root, generated(project.home))
    assert falls_short(root, project)
    migrate(root, project)
    for after in (built(root, project), wheel_of_sdist(root, project.backend)):
        assert before <= after
        assert held(after, project) == (names(project) if project.ships else set())


@by_id(NOOPS)
def test_a_wheel_that_needs_no_edit_holds_everything(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    migrate(root, project)
    assert held(built(root, project), project) == names(project)
    assert held(wheel_of_sdist(root, project.backend), project) == names(project)


@by_id(NOT_SHIPPED)
def test_a_server_outside_of_the_wheel_stays_outside_and_the_build_works(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    before = built(root, project)
    migrate(root, project)
    after = built(root, project)
    assert before <= after
    assert held(after, project) == set()
    assert not any(name.rpartition("/")[2] in ("run.py", "server.py") for name in after - before)


@by_id(EXCLUDED)
def test_what_is_told_is_true(project: Project, tmp_path: Path) -> None:
    root = laid(tmp_path, project)
    migrate(root, project)
    wheels = (built(root, project), wheel_of_sdist(root, project.backend))
    assert any(held(files, project) != names(project) for files in wheels)


EDITABLE = [
    project
    for project in (*EDITS, *NOOPS)
    if project.id
    in ("setuptools, flat", "setuptools, single module", "setuptools, a package called src", "hatchling, flat")
]


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
