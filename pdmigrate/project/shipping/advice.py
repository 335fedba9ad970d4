"""The build backends by name, and what each one needs, in a sentence."""

from __future__ import annotations

from pathlib import PurePosixPath

from pdmigrate.describe.homes import Home
from pdmigrate.project.shipping.model import Build, parent, pattern

_BY_MODULE = {
    "setuptools": "setuptools",
    "hatchling": "hatchling",
    "poetry": "poetry-core",
    "poetry_dynamic_versioning": "poetry-core",
    "pdm": "pdm-backend",
    "flit_core": "flit-core",
    "flit": "flit-core",
    "uv_build": "uv_build",
    "scikit_build_core": "scikit-build-core",
    "maturin": "maturin",
    "mesonpy": "meson-python",
}


def backend_of(build: Build) -> str:
    """The distribution name of the build backend; for an unknown backend, the name of its module.

    A project that names no backend is built with setuptools (PEP 517, "build-backend").
    """
    system = build.table("build-system")
    module = system.get("build-backend")
    if not isinstance(module, str):
        poetry_only = "build-system" not in build.data and "project" not in build.data and build.table("tool", "poetry")
        return "poetry-core" if poetry_only else "setuptools"
    if "backend-path" in system:
        return module
    return _BY_MODULE.get(module.split(":")[0].split(".")[0], module)


def advice(backend: str, home: Home) -> str:
    """What puts the description files of ``home`` into a wheel built by ``backend``, in one or two lines."""
    package = PurePosixPath(parent(home.module)).name or "tool_descriptions"
    inside = pattern(home, parent(home.module)) if parent(home.module) else "**/*.json"
    return {
        "setuptools": f'[tool.setuptools.package-data] {package} = ["{inside}"] in pyproject.toml, or the same as '
        "package_data in setup.py or [options.package_data] in setup.cfg",
        "hatchling": f"check that neither exclude nor .gitignore leaves {home.folder} out; "
        f'[tool.hatch.build] artifacts = ["{pattern(home)}"] puts it in anyway',
        "poetry-core": f"check that neither exclude nor .gitignore leaves {home.folder} out; "
        f'[tool.poetry] include = [{{path = "{pattern(home)}", format = ["sdist", "wheel"]}}] puts it in anyway',
        "pdm-backend": f'check excludes of [tool.pdm.build]; includes, where it is set, needs "{pattern(home)}"',
        "flit-core": f"keep {home.folder} inside the package, and out of exclude of [tool.flit.sdist]",
        "uv_build": f"keep {home.folder} inside the module, and out of wheel-exclude and source-exclude of "
        "[tool.uv.build-backend]",
    }.get(backend, what_to_check(backend, home))


def what_to_check(backend: str, home: Home) -> str:
    """What to check for a ``backend`` whose rules are not known here, in one or two lines."""
    known = {
        "maturin": f"a package below python-source is taken as it is; elsewhere add {pattern(home)} to include of "
        "[tool.maturin]",
        "scikit-build-core": "a package in wheel.packages of [tool.scikit-build] is taken as it is, unless "
        "wheel.exclude or .gitignore leaves it out",
        "meson-python": f"install {home.module} and {pattern(home)} with py.install_sources() in meson.build",
    }
    first = known.get(backend)
    check = f"build a wheel and look for {home.folder} in it: python -m build && python -m zipfile -l dist/*.whl"
    return f"{first}; {check}" if first else check
