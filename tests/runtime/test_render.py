"""The text of the generated module: what a reviewer and the project's own tools see."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.render import bridge_name, read_template, render_module
from tests.runtime.harness import spec
from tests.support.environments import FASTMCP4, MCP1, MCP2, ROOT, environment

CHOICES: dict[str, list[Any]] = {
    "adapter": ["mcp1", "mcp2", "both"],
    "moved": [(), ("find",), tuple(f"a_tool_with_a_long_name_{number}" for number in range(9))],
    "stub_schema": ["skeleton", "open", "full"],
    "bridge": [True, False],
    "drop_output_schema": [False, True],
    "receipt": [False, True],
    "server_name": ["desk", None],
    "left": [(), ("plain",)],
}
ALL = [dict(zip(CHOICES, values, strict=True)) for values in itertools.product(*CHOICES.values())][::5]
"""Every fifth combination: each choice comes with each other one, for no number of choices divides by five."""


def run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every combination of settings, a module each."""
    folder = tmp_path_factory.mktemp("rendered")
    for number, choice in enumerate(ALL):
        (folder / f"module_{number:03}.py").write_text(render_module(spec(**choice)), encoding="utf-8")
    return folder


def test_every_combination_is_clean_under_ruff(rendered: Path) -> None:
    ruff = (sys.executable, "-m", "ruff")
    run(*ruff, "check", "--isolated", str(rendered))
    run(*ruff, "format", "--check", "--isolated", str(rendered))
    run(*ruff, "check", "--config", str(ROOT / "pyproject.toml"), "--config", "line-length=88", str(rendered))


SDKS = {"mcp1 on mcp 1": MCP1, "mcp2 on mcp 2": MCP2, "both on mcp 1": MCP1, "both on mcp 2": FASTMCP4}


@pytest.mark.parametrize("case", SDKS)
def test_every_combination_is_clean_under_strict_mypy(rendered: Path, case: str) -> None:
    interpreter = environment(SDKS[case])
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(interpreter)]
    # Each choice with every other one once is enough, and a fraction of the time.
    numbers = [number for number, choice in enumerate(ALL) if choice["adapter"] == case.split()[0]][::7]
    modules = [str(rendered / f"module_{number:03}.py") for number in numbers]
    run(*command, "--cache-dir", str(rendered / f".cache-{case[:4]}-{case[-1]}"), *modules)


def code_lines(text: str) -> int:
    """Lines that are neither blank nor comment nor docstring."""
    nodes = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    skipped = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, nodes) and ast.get_docstring(node) is not None:
            skipped.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), 1)
    return sum(number not in skipped and bool(line.strip()) and line.strip()[0] != "#" for number, line in lines)


LENGTHS = {"mcp1": (725, 525), "mcp2": (745, 545), "both": (1000, 735)}
"""Lines, and those of code, for default settings with moved tools."""


@pytest.mark.parametrize("adapter", LENGTHS)
def test_the_default_module_can_be_read_in_one_sitting(adapter: str) -> None:
    text = render_module(spec(adapter=adapter))
    assert (len(text.splitlines()), code_lines(text)) <= LENGTHS[adapter]
    assert code_lines(text) <= LENGTHS[adapter][1]


def test_what_was_not_chosen_is_not_rendered() -> None:
    text = render_module(spec())
    assert "receipt_name" not in text
    assert "open_schema" not in text
    bare = render_module(spec(moved=(), bridge=False, stub_schema="open"))
    for absent in ("MOVED", "ToolCache", "BRIDGE", "bridge", "describe_tools", "skeleton_schema", "RuntimeError"):
        assert absent not in bare
    full = render_module(spec(stub_schema="full"))
    assert "_pruned" not in full
    assert '"outputSchema": None' not in full
    assert '"outputSchema": None' in render_module(spec(drop_output_schema=True))


def test_the_header_says_who_made_it_and_nothing_that_changes_by_itself() -> None:
    text = render_module(spec(descriptions="tool_descriptions/desk"))
    header = ast.get_docstring(ast.parse(text)) or ""
    assert "Made by pdmigrate and kept in line by ``pdmigrate sync``" in header
    assert 'Path(__file__).parent / "tool_descriptions/desk"' in text
    assert str(ROOT) not in text
    assert text == render_module(spec(descriptions="tool_descriptions/desk"))


def test_it_needs_nothing_but_the_sdk_and_the_standard_library() -> None:
    imported = set()
    for node in ast.walk(ast.parse(render_module(spec(receipt=True)))):
        if isinstance(node, ast.Import):
            imported.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported - set(sys.stdlib_module_names) == {"mcp"}


@given(st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True), st.text(min_size=1))
def test_any_names_come_out_as_they_are(names: list[str], folder: str) -> None:
    moved = tuple(sorted(names))
    tree = ast.parse(render_module(spec(moved=moved, example_tool=names[0], descriptions=folder)))
    values = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name)
    }
    assert ast.literal_eval(values["MOVED"]) == moved
    assert isinstance(values["FOLDER"], ast.BinOp)
    assert ast.literal_eval(values["FOLDER"].right) == folder
    assert unquote(ast.literal_eval(values["EXAMPLE"]).partition("?tools=")[2]) == names[0]


@pytest.mark.parametrize(
    ("server", "bridge"),
    [
        ("desk", "desk_describe_tools"),
        ("My Server (v2)", "my_server_v2_describe_tools"),
        ("Привет", "describe_tools"),
        ("", "describe_tools"),
        ("a" * 90, f"{'a' * 40}_describe_tools"),
    ],
)
def test_the_bridge_has_a_name_that_every_provider_takes(server: str, bridge: str) -> None:
    assert bridge_name(server) == bridge
    assert f'BRIDGE = "{bridge}"' in render_module(spec(server_name=server))


def test_a_template_or_a_setting_that_does_not_exist_is_an_error() -> None:
    from jinja2 import TemplateNotFound

    with pytest.raises(TemplateNotFound):
        render_module(spec(adapter="mcp9"))
    with pytest.raises(ValueError, match="unknown stub schema 'tiny'"):
        render_module(spec(stub_schema="tiny"))
    with pytest.raises(FileNotFoundError):
        read_template("nothing.j2")


def test_rendering_starts_no_heavy_import() -> None:
    code = "import sys, pdmigrate.render; assert not {'jinja2', 'libcst', 'pydantic'} & set(sys.modules)"
    run(sys.executable, "-c", code)
