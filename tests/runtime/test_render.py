"""The text of the generated module: what a reviewer and the project's own tools see."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.names import is_generated
from pdmigrate.runtime.guidance import describing_tool
from pdmigrate.runtime.render import bridge_name, features, render_module
from tests.runtime.harness import spec
from tests.support.environments import FASTMCP4, MCP1, MCP2, ROOT, environment, mypy_cache
from tests.support.processes import run

CHOICES: dict[str, list[Any]] = {
    "adapter": ["mcp1", "mcp2", "both"],
    "moved": [False, True],
    "stub_schema": ["skeleton", "open", "full"],
    "bridge": [True, False],
    **{name: [False, True] for name in ("drop_output_schema", "receipt", "left", "several")},
}
ALL = [dict(zip(CHOICES, values, strict=True)) for values in itertools.product(*CHOICES.values())][::5]
"""Every fifth combination: each choice comes with each other one, for no number of choices divides by five."""
DIRECTIVES = ("# ruff: noqa", "# flake8: noqa", "# fmt: off", "# isort: skip_file", "# pylint: ", "# mypy: ")
MARK = "  # pragma: no cover"


def bare(text: str) -> str:
    """A module without what keeps linters, formatters and coverage away from it."""
    lines = (line.removesuffix(MARK) for line in text.splitlines() if not line.startswith(DIRECTIVES))
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every combination of settings, a module each, without what keeps tools away."""
    folder = tmp_path_factory.mktemp("rendered")
    for number, choice in enumerate(ALL):
        (folder / f"module_{number:03}.py").write_text(bare(render_module(spec(**choice))), encoding="utf-8")
    return folder


def test_every_combination_is_clean_under_ruff(rendered: Path) -> None:
    ruff = (sys.executable, "-m", "ruff")
    run(*ruff, "check", "--isolated", str(rendered))
    run(*ruff, "format", "--check", "--isolated", str(rendered))
    run(*ruff, "check", "--config", str(ROOT / "pyproject.toml"), "--config", "line-length=88", str(rendered))


SDKS = {"mcp 1": (MCP1, ("mcp1", "both")), "mcp 2": (FASTMCP4, ("mcp2", "both"))}
"""An environment with each major version, and the adapters for it."""


@pytest.mark.parametrize("sdk", SDKS)
def test_every_combination_is_clean_under_strict_mypy(rendered: Path, sdk: str) -> None:
    pins, adapters = SDKS[sdk]
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(environment(pins))]
    # Nearly each choice with every other one is enough, and a fraction of the time.
    numbers = [number for number, choice in enumerate(ALL) if choice["adapter"] in adapters][::7]
    modules = [str(rendered / f"module_{number:03}.py") for number in numbers]
    with mypy_cache(sdk) as kept:
        run(*command, "--cache-dir", kept, *modules, timeout=240)


CHECKERS = {
    "ty": ("ty==0.0.108", ("ty", "check", "--quiet", "--error-on-warning", "--python")),
    # It carries pyright's checker in its wheel, where pyright's own fetches it when it is first started.
    "pyright": ("basedpyright==1.40.2", ("basedpyright", "--warnings", "--pythonpath")),
}
"""Type checkers beside mypy, and how each is given the interpreter with the SDK."""


@pytest.mark.parametrize("sdk", SDKS)
@pytest.mark.parametrize("checker", CHECKERS)
def test_every_combination_is_clean_under_other_type_checkers(
    rendered: Path, sdk: str, checker: str, tmp_path: Path
) -> None:
    pins, adapters = SDKS[sdk]
    requirement, command = CHECKERS[checker]
    numbers = [number for number, choice in enumerate(ALL) if choice["adapter"] in adapters]
    for number in numbers if checker == "ty" else numbers[::11]:
        (tmp_path / f"module_{number:03}.py").symlink_to(rendered / f"module_{number:03}.py")
    # Strict has every rule of basic, and warnings count as well.
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    program = environment((requirement,)).with_name(command[0])
    run(program, *command[1:], environment(pins), ".", cwd=tmp_path, timeout=240)


# --- the project's own tools ------------------------------------------------------------------------------------------

TOOLS = ("black==25.1.0", "isort==6.0.1", "flake8==7.2.0", "pylint==3.3.7", "coverage==7.8.2")
OTHER_TASTE = """\
[tool.ruff]
line-length = 60
target-version = "py39"
lint.select = ["ALL"]
format.quote-style = "single"
[tool.black]
line-length = 60
[tool.isort]
force_single_line = true
[tool.mypy]
strict = true
disallow_any_expr = true
disallow_any_explicit = true
warn_unreachable = true
[tool.pylint.format]
max-line-length = 40
[tool.coverage.report]
fail_under = 100
"""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose settings nobody could foresee, with a module for each adapter."""
    root = tmp_path_factory.mktemp("strict")
    (root / "pyproject.toml").write_text(OTHER_TASTE, encoding="utf-8")
    for choice in ({}, {"adapter": "mcp2"}, {"adapter": "both"}, {"receipt": True, "left": True, "several": True}):
        name = "_".join(("progressive_disclosure", *map(str, choice.values()))).lower()
        (root / f"{name}.py").write_text(render_module(spec(**choice)), encoding="utf-8")
    return root


CHECKS: dict[str, tuple[str, ...]] = {
    "ruff": ("ruff", "check", "."),
    "ruff format": ("ruff", "format", "--check", "."),
    "mypy": ("mypy", "."),
    "black": ("black", "--check", "."),
    "isort": ("isort", "--check", "."),
    "flake8": ("flake8", "--max-line-length=40", "."),
    "pylint": ("pylint", "--disable=import-error", "."),
}


@pytest.mark.parametrize("tool", CHECKS)
def test_a_project_with_other_taste_hears_nothing_of_it(strict: Path, tool: str) -> None:
    name, *arguments = CHECKS[tool]
    here = name in ("ruff", "mypy")
    interpreter = sys.executable if here else str(environment(TOOLS))
    # The SDK is none of its concern: what cannot be imported is one more thing that it must not hear of.
    with mypy_cache("strict") as kept:
        options = ["--no-site-packages", "--cache-dir", kept] if name == "mypy" else []
        run(interpreter, "-m", name, *options, *arguments, cwd=strict, timeout=240)


@pytest.mark.parametrize(("adapter", "pins"), [("mcp1", MCP1), ("mcp2", MCP2)])
def test_coverage_asks_for_nothing_but_the_import(adapter: str, pins: tuple[str, ...], tmp_path: Path) -> None:
    """There is no mark for a whole file, so each block has one; what is left are lines that an import runs."""
    (tmp_path / "progressive_disclosure.py").write_text(render_module(spec(adapter=adapter)), encoding="utf-8")
    coverage = (str(environment((*pins, "coverage==7.8.2"))), "-m", "coverage")
    run(*coverage, "run", "--source=.", "-m", "progressive_disclosure", cwd=tmp_path)
    run(*coverage, "report", "--fail-under=100", cwd=tmp_path)


# --- what is in it ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("adapter", "lines"), [("mcp1", 600), ("mcp2", 600), ("both", 710)])
def test_the_module_can_be_read_in_one_sitting(adapter: str, lines: int) -> None:
    assert len(render_module(spec(adapter=adapter)).splitlines()) <= lines


def test_what_was_not_chosen_is_not_rendered() -> None:
    text = render_module(spec())
    for absent in ("receipt_name", "open_schema", "self.left", "descriptions: str", 'pop("outputSchema"'):
        assert absent not in text
    bare = render_module(spec(moved=False, bridge=False, stub_schema="open"))
    for absent in ("moved", "ToolCache", "bridge", "describe_tools", "describing_tool", "skeleton_schema", "Runtime"):
        assert absent not in bare
    full = render_module(spec(stub_schema="full"))
    assert "_pruned" not in full
    assert len(full.splitlines()) < len(text.splitlines()) - 40
    assert 'pop("outputSchema"' in render_module(spec(drop_output_schema=True))


@pytest.mark.parametrize("choice", ALL, ids=str)
def test_what_a_module_was_rendered_for_can_be_told_from_it(choice: dict[str, Any]) -> None:
    text = render_module(spec(**choice))
    majors = ("mcp1", "mcp2") if choice["adapter"] == "both" else (choice["adapter"],)
    wanted = {*majors, *(name for name in ("moved", "left", "several", "bridge") if choice[name])}
    assert features(text.encode()) == features(bare(text).replace("    ", "  ").encode()) == wanted
    ast.parse(text)


def test_the_header_says_who_made_it_and_nothing_that_changes_by_itself() -> None:
    text = render_module(spec())
    header = ast.get_docstring(ast.parse(text)) or ""
    assert "Made by pdmigrate and kept in line by ``pdmigrate sync``" in header
    assert is_generated("pkg/progressive_disclosure.py", text.encode())
    assert str(ROOT) not in text
    assert text == render_module.__wrapped__(spec())


def test_the_module_needs_nothing_but_the_sdk_and_the_standard_library() -> None:
    imported = re.findall(r"^ *(?:import|from) (\w+)", render_module(spec(receipt=True)), re.M)
    assert {*imported} - set(sys.stdlib_module_names) == {"mcp"}


@pytest.mark.parametrize(
    ("server", "bridge"),
    [
        ("desk", "desk_describe_tools"),
        ("My Server (v2)", "my_server_v2_describe_tools"),
        ("Привет", "describe_tools"),
        ("", "describe_tools"),
        ("a" * 90, f"{'a' * 15}_describe_tools"),
        ("Model Context Protocol for SQLite", "model_context_describe_tools"),
        ("FastMCP", "describe_tools"),
        ("mcp-server-fetch", "fetch_describe_tools"),
        ("mcp_server_rememberizer", "rememberizer_describe_tools"),
        ("awslabs.cloudwatch-mcp-server", "cloudwatch_describe_tools"),
        ("awslabs.amazon-sns-sqs-mcp-server", "amazon_sns_sqs_describe_tools"),
        ("io.github.someone/notes", "notes_describe_tools"),
        ("acme.internationalisation", "internationalis_describe_tools"),
    ],
)
def test_the_bridge_has_a_name_that_every_provider_takes(server: str, bridge: str) -> None:
    assert bridge_name(server) == bridge


def test_a_long_list_is_not_said_again_by_the_bridge() -> None:
    def items(most: int) -> Any:
        return describing_tool("b", [f"tool_{n}" for n in range(most)])["inputSchema"]["properties"]["names"]["items"]

    assert (len(items(63)["enum"]), items(64)) == (63, {"type": "string"})
