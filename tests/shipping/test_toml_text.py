"""Additions to TOML texts: the place and the style that they get, and that nothing else changes."""

from __future__ import annotations

import pytest

from pdmigrate.project.shipping.additions import Addition, UneditableError, add_all, lines

DATA = Addition(("tool", "setuptools", "package-data", "pkg"), ("new/*.json",))
TABLE = '[tool.setuptools.package-data]\npkg = ["new/*.json"]\n'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("", TABLE, id="an empty file"),
        pytest.param('[project]\nname = "x"\n', f'[project]\nname = "x"\n\n{TABLE}', id="a new table goes to the end"),
        pytest.param(
            "[tool.setuptools]\nzip-safe = false\n\n[tool.ruff]\na = 1\n",
            f"[tool.setuptools]\nzip-safe = false\n\n[tool.ruff]\na = 1\n\n{TABLE}",
            id="and not after its parent, which may be anywhere",
        ),
        pytest.param("[tool.ruff]\na = 1\n\n", f"[tool.ruff]\na = 1\n\n{TABLE}", id="below empty lines"),
        pytest.param(
            "[tool.setuptools.package-data]\nother = ['x']\n\n# about ruff\n# and more\n[tool.ruff]\na = 1\n",
            "[tool.setuptools.package-data]\nother = ['x']\npkg = [\"new/*.json\"]\n\n# about ruff\n# and more\n"
            "[tool.ruff]\na = 1\n",
            id="a comment stays with the table below it",
        ),
        pytest.param(
            '[[tool.uv.index]]\nname = "a"\n\n[[tool.uv.index]]\nname = "b"\n',
            f'[[tool.uv.index]]\nname = "a"\n\n[[tool.uv.index]]\nname = "b"\n\n{TABLE}',
            id="lists of tables",
        ),
        pytest.param(
            "[tool.setuptools.package-data]\nother = ['x']  # why\n\n[tool.ruff]\n",
            "[tool.setuptools.package-data]\nother = ['x']  # why\npkg = [\"new/*.json\"]\n\n[tool.ruff]\n",
            id="a new key",
        ),
        pytest.param(
            "[tool.setuptools.package-data]\npkg = [ 'py.typed' ]\n",
            "[tool.setuptools.package-data]\npkg = [ 'py.typed', \"new/*.json\" ]\n",
            id="an item on the line",
        ),
        pytest.param(
            '[tool.setuptools.package-data]\npkg = ["py.typed",]\n',
            '[tool.setuptools.package-data]\npkg = ["py.typed", "new/*.json"]\n',
            id="an item after a last comma",
        ),
        pytest.param(
            "[tool.setuptools.package-data]\npkg = []\n",
            '[tool.setuptools.package-data]\npkg = ["new/*.json"]\n',
            id="the first item",
        ),
        pytest.param(
            '[tool.setuptools.package-data]\npkg = [\n    "py.typed", # why\n    "x",\n]\n',
            '[tool.setuptools.package-data]\npkg = [\n    "new/*.json",\n    "py.typed", # why\n    "x",\n]\n',
            id="an item on a line of its own",
        ),
        pytest.param(
            '[tool.setuptools."package-data"]\n"pkg" = ["a"]\n',
            '[tool.setuptools."package-data"]\n"pkg" = ["a", "new/*.json"]\n',
            id="quoted keys",
        ),
        pytest.param(f"x = 1\n{TABLE}", f"x = 1\n{TABLE}", id="nothing, where it is there already"),
    ],
)
def test_an_addition_goes_where_a_person_would_put_it(before: str, after: str) -> None:
    assert add_all(before, [DATA]) == after
    crlf = before.replace("\n", "\r\n")
    if crlf:
        assert add_all(crlf, [DATA]) == after.replace("\n", "\r\n") or "\n" not in before
    assert add_all(f"\ufeff{before}", [DATA]).startswith("\ufeff")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("tool = {setuptools = {}}\n", id="an inline table has no room for a table"),
        pytest.param('[tool.setuptools]\npackage-data = "x"\n', id="a text where a table should be"),
        pytest.param('[tool.setuptools.package-data]\npkg = "x"\n', id="a text where a list should be"),
        pytest.param('[tool.setuptools]\npackage-data = {other = ["x"]}\n', id="an inline table"),
        pytest.param('[tool.setuptools]\npackage-data.other = ["x"]\n', id="dotted keys"),
        pytest.param("[[tool.setuptools.package-data]]\npkg = []\n", id="a list where a table should be"),
    ],
)
def test_an_addition_that_would_replace_something_is_refused(text: str) -> None:
    with pytest.raises(UneditableError):
        add_all(text, [DATA])


def test_a_file_that_is_no_toml_is_an_error() -> None:
    with pytest.raises(ValueError):
        add_all("a = \n", [DATA])


def test_lines_are_what_a_person_would_add() -> None:
    both = [Addition(("tool", "setuptools", "py-modules"), ("a",)), DATA]
    assert lines(both) == f'[tool.setuptools]\npy-modules = ["a"]\n\n{TABLE}'.rstrip()
