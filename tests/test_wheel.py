"""The wheel carries its templates and the pages of findings, and works where there is no checkout."""

from __future__ import annotations

import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import processes

ROOT = Path(__file__).resolve().parents[1]


PLAIN = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def run(*command: object, folder: Path) -> str:
    return processes.run(*command, cwd=folder, env={**PLAIN, "UV_LINK_MODE": "copy"}, timeout=240)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    uv = Path(sys.executable).with_name("uv")
    run(uv, "build", "--quiet", "--wheel", "--out-dir", folder, ROOT, folder=folder)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_templates_and_pages_and_nothing_of_the_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    templates = {f"pdmigrate/_templates/{path.name}" for path in (ROOT / "templates").iterdir()}
    pages = {f"pdmigrate/_findings/{path.name}" for path in (ROOT / "docs" / "findings").glob("*.md")}
    assert templates | pages <= set(names)
    assert len(templates) > 2
    assert all(name.startswith(("pdmigrate/", "pdmigrate-")) for name in names)


def test_the_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    uv = Path(sys.executable).with_name("uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, tmp_path / "env", folder=tmp_path)
    python = tmp_path / "env" / "bin" / "python"
    run(uv, "pip", "install", "--quiet", "--python", python, wheel, folder=tmp_path)
    sample = tmp_path / "sample"
    shutil.copytree(ROOT / "sample_servers" / "mcp1_lowlevel", sample)
    command = python.with_name("pdmigrate")
    assert "not valid Python" in run(command, "explain", "PD101", folder=sample)
    assert "+enable(server, " in run(command, "apply", folder=sample)
    assert "verdict: " in run(command, "audit", "--html", tmp_path / "audit.html", folder=sample)
    assert "PD635" in (tmp_path / "audit.html").read_text(encoding="utf-8")
