"""Additions to TOML texts: the place and the style that they get, and that nothing else changes."""

from __future__ import annotations

import copy

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pdmigrate.project.shipping.additions import Addition, UneditableError, add_all, lines
from pdmigrate.source.documents import read_toml

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


_PIECES = st.lists(
    st.sampled_from(
        [
            '[project]\nname = "x"  # the name\n',
            "[tool.ruff]\nline-length = 1\n\n\n",
            "# alone\n\n",
            "[[tool.uv.index]]\nname = 'i'\n",
            '[tool.setuptools]\npackages = ["a", "b"]\nzip-safe = false\n',
            '[tool.setuptools.package-data]\npkg = [\n  "x",\n  # y\n  "z"\n]\n\n',
            '[tool.setuptools.packages.find]\nwhere = [ "src" ]\n',
            '[tool.hatch.build]\nartifacts = ["a",\n "b"]\n',
            "[tool.hatch.build.targets.wheel.force-include]\n'a' = 'b'\n",
            '[tool.black]\ntext = """\n[tool.setuptools]\npackages = []\n"""\n',
        ]
    ),
    unique=True,
)
_ADDITIONS = st.lists(
    st.sampled_from(
        [
            DATA,
            Addition(("tool", "setuptools", "packages"), ("b", "c")),
            Addition(("tool", "setuptools", "py-modules"), ("m", "progressive_disclosure")),
            Addition(("tool", "setuptools", "packages", "find", "include"), ("p", "p.*")),
            Addition(("tool", "hatch", "build", "artifacts"), ("/n/**/*.json",)),
            Addition(("tool", "hatch", "build", "targets", "wheel", "only-include"), ("a.py", "b.py")),
        ]
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda addition: addition.path,
)


@settings(max_examples=300)
@given(pieces=_PIECES, additions=_ADDITIONS, crlf=st.booleans(), ended=st.booleans(), bom=st.booleans())
def test_only_text_is_put_in_and_it_means_what_was_asked_for(
    pieces: list[str], additions: list[Addition], crlf: bool, ended: bool, bom: bool
) -> None:
    # setuptools has either a list of packages or a table that finds them.
    assume(sum("[tool.setuptools]\npackages" in piece or "packages.find" in piece for piece in pieces) < 2)
    before = "".join(pieces)
    before = before if ended else before.rstrip("\n")
    before = ("\ufeff" if bom else "") + (before.replace("\n", "\r\n") if crlf else before)
    try:
        after = add_all(before, additions)
    except UneditableError:
        # Only what is of another kind already (`packages` is a list or a table), or where a text looks like a table.
        kinds = {addition.path[:3] for addition in additions} | {("tool", *key) for key in _tables(before)}
        assert ("tool", "setuptools", "packages") in kinds or '"""' in before
        return
    assert is_subsequence(before, after)
    assert ordered(read_toml(after)) == ordered(merged(read_toml(before), additions))
    assert add_all(after, additions) == after
    if crlf and "\n" in before:
        assert "\n" not in after.replace("\r\n", "")


def _tables(text: str) -> list[tuple[str, str]]:
    tool = read_toml(text).get("tool")
    return [(name, key) for name, table in tool.items() for key in table] if isinstance(tool, dict) else []


def is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(character in rest for character in short)


def merged(data: dict, additions: list[Addition]) -> dict:  # type: ignore[type-arg]
    """The meaning that is asked for, said another way than the code says it."""
    result = copy.deepcopy(data)
    for addition in additions:
        table = result
        for name in addition.path[:-1]:
            table = table.setdefault(name, {})
        old = table.get(addition.path[-1], [])
        table[addition.path[-1]] = [*old, *(item for item in addition.items if item not in old)]
    return result


def ordered(value: object) -> object:
    """A value in which the order of a list does not count."""
    if isinstance(value, dict):
        return {key: ordered(item) for key, item in value.items()}
    return sorted(map(str, value)) if isinstance(value, list) else value
