"""What a project's configuration says of how its code is laid out."""

from __future__ import annotations

import pytest

from pdmigrate.source.source import read_source
from pdmigrate.source.style import DEFAULT, Style, style_of


def style(*configs: dict[str, str]) -> Style:
    """The style of ``pkg/api/server.py`` under the configuration of its folder, the one above, and the root."""
    folders = zip(("pkg/api", "pkg", "."), configs, strict=False)
    encoded = [(folder, {name: text.encode() for name, text in files.items()}) for folder, files in folders]
    return style_of(encoded, lambda folder: {f"in_{folder}"})


def pyproject(text: str) -> dict[str, str]:
    return {"pyproject.toml": text}


WIDTHS = {
    "nothing": ({}, 88),
    "ruff": (pyproject("[tool.ruff]\nline-length = 100\n"), 100),
    "ruff in a file of its own": ({"ruff.toml": "line-length = 101"}, 101),
    "black": (pyproject("[tool.black]\nline-length = 79\n"), 79),
    "black unasked, ruff as a linter": (pyproject("[tool.black]\n[tool.ruff]\nline-length = 120\n"), 88),
    "black, and ruff as the formatter": (
        pyproject("[tool.black]\nline-length = 79\n[tool.ruff]\nline-length = 120\n[tool.ruff.format]\n"),
        120,
    ),
    "no table": (pyproject("[tool]\nruff = 1\n"), 88),
}


@pytest.mark.parametrize(("files", "width"), WIDTHS.values(), ids=WIDTHS)
def test_the_length_of_lines(files: dict[str, str], width: int) -> None:
    assert style(files).width == width


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("x = 1\n", '"'),
        ("x = 'a'\n", "'"),
        ("x = 'a' + \"b\"\n", '"'),
        ("x = 'a' + 'b' + \"c\"\n", "'"),
        ("# it's 'a' comment\n'''text'''\nx = \"b\"\n", '"'),
        ('x = \'say "a"\', \'say "b"\', "c"\n', '"'),
        ("x = 'a\\'b', 'c\\\\', \"d\", f'e', rb'f'\n", "'"),
        ("'''it's\n'a' 'b' 'c'\n'''\nx = \"d\"\n", '"'),
        ("x = 'not closed\n", '"'),
    ],
)
def test_the_quotes_of_a_file_are_those_of_most_texts_that_could_have_either(text: str, quote: str) -> None:
    assert read_source("a.py", text.encode()).quote == quote


def test_the_nearest_configuration_of_a_tool_counts() -> None:
    found = style(
        pyproject("[tool.other]\n"),
        pyproject("[tool.ruff]\nline-length = 90\n"),
        pyproject("[tool.ruff]\nline-length = 100\n[tool.mypy]\n"),
    )
    assert (found.width, found.checked) == (90, True)
    assert found.first_party == {"in_pkg", "in_pkg/src"}


def test_a_project_that_says_nothing_is_its_own_root() -> None:
    assert style({}, {}, {}).first_party == {"in_.", "in_src"}
    assert style({}, pyproject(""), {}) == style({}, {}, {})
    assert Style() == DEFAULT


@pytest.mark.parametrize(
    ("config", "settled"),
    [
        ("[tool.ruff]\n", False),
        ("[tool.ruff]\nselect = ['E', 'I']\n", True),
        ("[tool.ruff.lint]\nextend-select = ['I001']\n", True),
        ("[tool.ruff.lint]\nselect = ['ALL']\n", True),
        ("[tool.ruff.lint]\nselect = ['ISC', 'INP', 'ICN']\n", False),
        ("[tool.isort]\nprofile = 'black'\n", True),
    ],
)
def test_whether_a_project_sorts_its_imports(config: str, settled: bool) -> None:
    assert style(pyproject(config)).settled is settled


def test_whether_modules_that_are_not_found_are_passed_over() -> None:
    assert style({"mypy.ini": "[mypy]\nignore_missing_imports = True\n"}).lenient
    assert style(pyproject("[tool.mypy]\nignore_missing_imports = true\n")).lenient
    assert not style(pyproject("[tool.mypy]\nstrict = true\n")).lenient


@pytest.mark.parametrize(
    ("files", "checked"),
    [
        ({"mypy.ini": "[mypy]\nstrict = true\n"}, True),
        ({"pyrightconfig.json": "{}"}, True),
        ({"setup.cfg": "[mypy]\n"}, True),
        (pyproject("[tool.pyright]\n"), True),
        (pyproject("[tool.ruff]\n"), False),
    ],
)
def test_whether_somebody_checks_types(files: dict[str, str], checked: bool) -> None:
    assert style(files).checked is checked
