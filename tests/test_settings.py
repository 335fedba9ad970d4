"""Settings: where they are looked for, what is refused, and what an option on the command line does to them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.errors import ConfigError, UsageError
from pdmigrate.settings import CHOICES, Settings, kebab, load, merge, parse

NAMES = [item.name for item in dataclasses.fields(Settings) if item.compare]
DOCS = Path(__file__).parents[1] / "docs" / "configuration.md"


def project(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    return folder


EVERY = """
[tool.pdmigrate]
move = "all"
stub-schema = "open"
copies = true
bridge = false
drop-output-schema = true
stdio = "advise"
http = "receipt"
select = ["read_*"]
exclude = ["drop_*"]
ignore = ["PD101"]
exclude-paths = ["examples/"]
seconds = 30
sdk = { mcp = "1.30.0" }
dashdash = { rateLimit = "60/minute" }
ai-help-tool = true
budget = 2000
"""


def test_every_setting_can_be_given(tmp_path: Path) -> None:
    settings = load(project(tmp_path, EVERY))
    assert [name for name in NAMES if getattr(settings, name) != getattr(Settings(), name)] == NAMES
    assert settings.given == set(NAMES)
    assert settings.select == ("read_*",)
    assert settings.sdk == {"mcp": "1.30.0"}


@pytest.mark.parametrize("text", ["", "[tool.other]\npdmigrate = 1\n", "# pdmigrate\n", "this is = = not toml"])
def test_a_project_without_settings_has_the_defaults(tmp_path: Path, text: str) -> None:
    assert load(project(tmp_path, text)) == Settings()


def test_the_nearest_file_with_settings_applies(tmp_path: Path) -> None:
    project(tmp_path, "[tool.pdmigrate]\nmove = 'all'\n")
    inner = project(tmp_path / "packages" / "one", "[project]\nname = 'one'\n")
    assert load(inner).move == "all"
    project(inner, "[tool.pdmigrate]\nmove = 'none'\n")
    assert load(inner).move == "none"
    (inner / "server.py").write_text("")
    assert load(inner / "server.py").move == "none"


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    project(tmp_path, "[tool.pdmigrate]\nmove = 'all'\n")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / "pkg").mkdir()
    assert load(tmp_path / "repository" / "pkg") == Settings()


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("zzz = 1", "PD801", "the settings are move, "),
        *((f"{key} = 'open'", "PD801", "did you mean 'stub-schema'?") for key in ("stub-shema", "stub_schema")),
        *((f"move = {value}", "PD802", "it must be one of literal, all, none") for value in ("'some'", "1")),
        ("http = 'enforced'", "PD802", "did you mean 'enforce'?"),
        ("stdio = 'receipt'", "PD802", "it must be one of enforce, strict, advise, off"),
        *((f"bridge = {value}", "PD802", "it must be true or false") for value in ("'no'", "0")),
        *((f"select = {value}", "PD802", "it must be a list of texts") for value in ("'a'", "[1]")),
        ("ignore = ['PD1010']", "PD802", "did you mean 'PD101'?"),
        ("ignore = ['XY']", "PD802", "see docs/findings"),
        *((f"sdk = {value}", "PD802", "a table of versions") for value in ("['mcp==1.30.0']", "{ mcp = 1.30 }")),
        ("move = = 1", "PD803", "correct the file"),
    ],
)
def test_settings_are_refused_with_the_file_the_key_and_a_way_out(
    tmp_path: Path, line: str, code: str, hint: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        load(project(tmp_path, f"[tool.pdmigrate]\n{line}\n"))
    assert raised.value.code == code
    assert "pyproject.toml" in raised.value.message
    assert code == "PD803" or line.split()[0] in raised.value.message
    assert hint in raised.value.hint


@pytest.mark.parametrize("table", [True, [1], "all"])
def test_a_table_that_is_none_is_refused(table: object) -> None:
    with pytest.raises(ConfigError, match="must be a table"):
        parse(table, "pyproject.toml")


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_bytes(b"\xef\xbb\xbf[tool.pdmigrate]\nmove = 'all'\n")
    assert load(tmp_path).move == "all"


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"move": None, "select": None, "bridge": None, "exclude": []}, Settings(move="all", select=("a",))),
        ({"move": "none", "bridge": False}, Settings(move="none", select=("a",), bridge=False)),
        ({"select": ["b", "c"]}, Settings(move="all", select=("b", "c"))),
    ],
)
def test_an_option_that_is_given_wins(flags: dict[str, Any], expected: Settings) -> None:
    assert merge(Settings(move="all", select=("a",)), **flags) == expected


def test_what_somebody_chose_is_told_from_what_nobody_did(tmp_path: Path) -> None:
    chosen = merge(
        load(project(tmp_path, "[tool.pdmigrate]\nmove = 'literal'\n")), http="advise", stdio=None, select=[]
    )
    assert chosen == Settings()
    assert chosen.given == {"move", "http"}


def test_versions_are_merged_by_package() -> None:
    merged = merge(Settings(sdk={"mcp": "1.0", "pydantic": "2.0"}), sdk={"mcp": "1.30.0"})
    assert merged.sdk == {"mcp": "1.30.0", "pydantic": "2.0"}
    assert (merged.sdk_from_command_line, merged.given) == ({"mcp": "1.30.0"}, {"sdk"})


def test_an_option_with_a_wrong_value_names_the_option() -> None:
    with pytest.raises(UsageError, match=r"^--stub-schema does not know 'opn'$") as raised:
        merge(Settings(), stub_schema="opn")
    assert raised.value.hint == "did you mean 'open'?"


def test_the_documentation_lists_every_setting_with_its_default_and_values() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \| (?:`(.+?)`|none) \| .+ \|$", DOCS.read_text(encoding="utf-8"), re.M)
    assert [key for key, _, _ in rows] == [kebab(name) for name in NAMES]
    for key, values, default in rows:
        name = key.replace("-", "_")
        assert (parse_toml(f"value = {default}")["value"] if default else None) == plain(getattr(Settings(), name))
        if len(CHOICES.get(name, ())) in range(1, 10):
            assert re.findall(r'`"(\w+)"`', values) == list(CHOICES[name])


def plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def parse_toml(text: str) -> dict[str, Any]:
    try:
        import tomllib
    except ImportError:
        import tomli as tomllib
    return tomllib.loads(text)
