"""Wheels and sdists made by the real build backends, in an environment of their own."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from tests.runtime.nurseries import planted
from tests.shipping.projects import Project, generated, shipping
from tests.support.environments import environment
from tests.support.files import write

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
        env={"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(root.parent), "SETUPTOOLS_SCM_PRETEND_VERSION": "1"},
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
