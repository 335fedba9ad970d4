"""What a project's configuration says of how its code is laid out."""

from __future__ import annotations

import pytest

from pdmigrate.source.source import read_source
from pdmigrate.source.style import DEFAULT, ImportStyle, Style, style_of


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
    "a hidden file before it": ({"ruff.toml": "line-length = 101", ".ruff.toml": "line-length = 102"}, 102),
    "ruff unasked": (pyproject("[tool.ruff]\n"), 88),
    "black": (pyproject("[tool.black]\nline-length = 79\n"), 79),
    "black unasked, ruff as a linter": (pyproject("[tool.black]\n[tool.ruff]\nline-length = 120\n"), 88),
    "black, and ruff as the formatter": (
        pyproject("[tool.black]\nline-length = 79\n[tool.ruff]\nline-length = 120\n[tool.ruff.format]\n"),
        120,
    ),
    "flake8": ({".flake8": "[flake8]\nmax-line-length = 99\n"}, 99),
    "flake8 in setup.cfg": ({"setup.cfg": "[flake8]\nmax_line_length = 98\n"}, 98),
    "pycodestyle in tox.ini": ({"tox.ini": "[pycodestyle]\nmax-line-length = 97\n"}, 97),
    "no TOML": (pyproject("[tool.ruff\nline-length = 100\n"), 88),
    "no INI": ({"setup.cfg": "flake8\n"}, 88),
    "no number": (pyproject("[tool.ruff]\nline-length = 'wide'\n"), 88),
    "no table": (pyproject("[tool]\nruff = 1\n"), 88),
}


@pytest.mark.parametrize(("files", "width"), WIDTHS.values(), ids=WIDTHS)
def test_the_length_of_lines(files: dict[str, str], width: int) -> None:
    assert style(files).width == width


QUOTES = {
    "nothing": ("", ""),
    "ruff": ("[tool.ruff]\n", ""),
    "ruff, double": ("[tool.ruff.format]\nquote-style = 'double'\n", '"'),
    "ruff, single": ("[tool.ruff.format]\nquote-style = 'single'\n", "'"),
    "ruff, kept": ("[tool.black]\n[tool.ruff.format]\nquote-style = 'preserve'\n", ""),
    "a linter": ("[tool.ruff.lint.flake8-quotes]\ninline-quotes = 'single'\n", "'"),
    "a linter, as it was written before": ("[tool.ruff.flake8-quotes]\ninline-quotes = 'single'\n", "'"),
    "black": ("[tool.black]\n", '"'),
    "black, kept": ("[tool.black]\nskip-string-normalization = true\n", ""),
}


@pytest.mark.parametrize(("text", "quote"), QUOTES.values(), ids=QUOTES)
def test_quotes(text: str, quote: str) -> None:
    assert style(pyproject(text)).quote == quote


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
    assert read_source("a.py", text.encode(), Style(quote="'")).quote == "'"


def test_the_nearest_configuration_of_a_tool_counts() -> None:
    found = style(
        pyproject("[tool.other]\n"),
        {"setup.cfg": "[isort]\nforce_sort_within_sections = True\n"},
        pyproject("[tool.ruff]\nline-length = 100\nsrc = ['lib', '../up']\n[tool.isort]\n[tool.mypy]\n"),
    )
    assert (found.width, found.imports.mixed, found.checked) == (100, True, True)
    assert found.imports.first_party == {"in_pkg/lib"}


def test_a_project_that_says_nothing_is_its_own_root() -> None:
    assert style({}, {}, {}).imports.first_party == {"in_.", "in_src"}
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
    assert style(pyproject(config)).imports.settled is settled


SAME = {
    "nothing": ("", ""),
    "one list": ("force_sort_within_sections = true", "force-sort-within-sections = true"),
    "a profile": ("profile = 'google'", "force-sort-within-sections = true"),
    "another profile": ("profile = 'pycharm'", "lines-after-imports = 2"),
    "no lines after": ("lines_after_imports = 0", "lines-after-imports = 0"),
    "no sections": ("no_sections = true", "no-sections = true"),
    "from first": ("from_first = true", "from-first = true"),
    "the closest first": ("reverse_relative = true", "relative-imports-order = 'closest-to-furthest'"),
    "types apart": ("lines_between_types = 1", "lines-between-types = 1"),
    "known modules": (
        "known_first_party = ['a', 'b']\nknown_third_party = 'c,d'",
        "known-first-party = ['a', 'b']\nknown-third-party = ['c', 'd']",
    ),
    "known modules of other sections": (
        "known_local_folder = ['a']\nextra_standard_library = ['b']",
        "known-local-folder = ['a']\nextra-standard-library = ['b']",
    ),
    "an order": (
        "sections = ['FUTURE', 'STDLIB', 'FIRSTPARTY', 'THIRDPARTY', 'LOCALFOLDER']",
        "section-order = ['future', 'standard-library', 'first-party', 'third-party', 'local-folder']",
    ),
    "joined": ("no_lines_before = ['LOCALFOLDER']", "no-lines-before = ['local-folder']"),
    "a default": ("default_section = 'FIRSTPARTY'", "default-section = 'first-party'"),
}


@pytest.mark.parametrize(("isort", "ruff"), SAME.values(), ids=SAME)
def test_isort_and_ruff_say_the_same_in_other_words(isort: str, ruff: str) -> None:
    one = style(pyproject(f"[tool.isort]\n{isort}\n"))
    other = style(pyproject(f"[tool.ruff.lint]\nselect = ['I']\n[tool.ruff.lint.isort]\n{ruff}\n"))
    assert one.imports == other.imports
    assert one.imports != ImportStyle(settled=True, first_party=one.imports.first_party) or not isort


def test_lists_and_flags_of_an_ini_file() -> None:
    text = "[settings]\nknown_first_party = a, b\n    c\nno_sections = yes\nlines_after_imports=2\n"
    found = style({".isort.cfg": text}).imports
    assert found.known == {"first-party": ("a", "b", "c")}
    assert (found.sections, found.lines_after) == (False, 2)


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
