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


CONFIGURED = [
    ({}, "width", 88),
    (pyproject("[tool.ruff]\nline-length = 100\n"), "width", 100),
    ({"ruff.toml": "line-length = 101"}, "width", 101),
    (pyproject("[tool.black]\nline-length = 79\n"), "width", 79),
    (pyproject("[tool.black]\n[tool.ruff]\nline-length = 120\n"), "width", 88),  # ruff is a linter here
    (pyproject("[tool.black]\nline-length = 79\n[tool.ruff]\nline-length = 120\n[tool.ruff.format]\n"), "width", 120),
    (pyproject("[tool]\nruff = 1\n"), "width", 88),
    (pyproject("[tool.ruff]\n"), "settled", False),
    (pyproject("[tool.ruff]\nselect = ['E', 'I']\n"), "settled", True),
    (pyproject("[tool.ruff.lint]\nextend-select = ['I001']\n"), "settled", True),
    (pyproject("[tool.ruff.lint]\nselect = ['ALL']\n"), "settled", True),
    (pyproject("[tool.ruff.lint]\nselect = ['ISC', 'INP', 'ICN']\n"), "settled", False),
    (pyproject("[tool.isort]\nprofile = 'black'\n"), "settled", True),
]


@pytest.mark.parametrize(("files", "what", "value"), CONFIGURED)
def test_what_a_configuration_says(files: dict[str, str], what: str, value: object) -> None:
    assert getattr(style(files), what) == value


def test_the_nearest_configuration_of_a_tool_counts() -> None:
    found = style(
        pyproject("[tool.other]\n"),
        pyproject("[tool.ruff]\nline-length = 90\n"),
        pyproject("[tool.ruff]\nline-length = 100\n"),
    )
    assert found.width == 90
    assert found.first_party == {"in_pkg", "in_pkg/src"}


def test_a_project_that_says_nothing_is_its_own_root() -> None:
    assert style({}, {}, {}).first_party == {"in_.", "in_src"}
    assert style({}, pyproject(""), {}) == style({}, {}, {})
    assert Style() == DEFAULT


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        *(("x = 1\n", '"'), ("x = 'a'\n", "'"), ("x = 'a' + \"b\"\n", '"'), ("x = 'a' + 'b' + \"c\"\n", "'")),
        ("# it's 'a' comment\n'''text'''\nx = \"b\"\n", '"'),
        ('x = \'say "a"\', \'say "b"\', "c"\n', '"'),
        ("x = 'a\\'b', 'c\\\\', \"d\", f'e', rb'f'\n", "'"),
        ("'''it's\n'a' 'b' 'c'\n'''\nx = \"d\"\n", '"'),
        ("x = 'not closed\n", '"'),
    ],
)
def test_the_quotes_of_a_file_are_those_of_most_texts_that_could_have_either(text: str, quote: str) -> None:
    assert read_source("a.py", text.encode()).quote == quote
