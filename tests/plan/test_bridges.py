"""What a plan says: the name of the bridge, a requirement that is open, and the criteria of the specification."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.migrate.plan.criteria import statements
from pdmigrate.project.bridges import bridges
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.cli.projects import SERVER as LOWLEVEL
from tests.support.files import write
from tests.support.sources import decorated

DESK = {"pyproject.toml": '[project]\nname = "tide-desk"\nversion = "1"\ndependencies = ["mcp>=1.20,<2"]\n'}
BAKERY = decorated("bakery", {"bake(loaf: str)": "Bake one loaf."})
UNNAMED = BAKERY.replace('"bakery"', "")
CASES: dict[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "its name": ({**DESK, "server.py": BAKERY}, ("bakery_describe_tools",)),
    "no name": ({**DESK, "server.py": UNNAMED}, ("tide_desk_describe_tools",)),
    "a name that says nothing": (
        {**DESK, "server.py": BAKERY.replace("bakery", "mcp-server")},
        ("tide_desk_describe_tools",),
    ),
    "a word of its code": (
        {"server.py": f"{BAKERY}# bakery_describe_tools\n"},
        ("bakery_2_describe_tools",),
    ),
    "two of no name": (
        {**DESK, "server.py": UNNAMED, "night.py": UNNAMED},
        ("tide_desk_describe_tools", "bread_describe_tools"),
    ),
    "a name that a person has written": (
        {**DESK, "server.py": BAKERY, "tool_descriptions/_server.json": '{"bridge": "my_describe_tools"}'},
        ("my_describe_tools",),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bridge_is_named_after_what_tells_its_server_from_others(case: str, tmp_path: Path) -> None:
    files, expected = CASES[case]
    project = load_project(write(tmp_path / "bread", {"pyproject.toml": "", **files}), ".", Settings())
    assert bridges(project) == expected
    assert all(len(name) <= 30 for name in expected)


REQUIREMENTS = {
    "open above": ('dependencies = ["mcp>=1.6"]', {}, True),
    "bounded": ('dependencies = ["mcp>=1.6,<2"]', {}, False),
    "pinned": ('dependencies = ["mcp==1.30.0"]', {}, False),
    "no requirement at all": ("", {}, True),
    "a version that is given": ("", {"mcp": "1.30.0"}, False),
}


@pytest.mark.parametrize(("requirement", "given", "named"), REQUIREMENTS.values(), ids=REQUIREMENTS)
def test_an_open_requirement_is_named(tmp_path: Path, requirement: str, given: dict[str, str], named: bool) -> None:
    write(tmp_path, {"server.py": LOWLEVEL, "pyproject.toml": f'[project]\nname = "x"\nversion = "1"\n{requirement}\n'})
    settings = Settings(sdk=given)
    notes = plan_migration(load_project(tmp_path, ".", settings), settings).notes
    assert any("mcp<2" in note for note in notes) is named
    is_taken = any(", taken from your requirements; --sdk changes it" in note for note in notes)
    assert is_taken is (bool(requirement) and not given)


ALL = "all eight criteria of the specification hold"


@pytest.mark.parametrize(
    ("http", "wanted", "absent"),
    [
        ("advise", ["--http enforce all eight hold where there are sessions"], ["2026"]),
        ("enforce", [f"HTTP with sessions: {ALL}", "or a client of protocol 2026-07-28): criteria 1-5"], []),
        ("enforce", ["for every call, and lists and calls in it, is locked out"], ["every call runs"]),
        ("strict", ["HTTP with sessions: ", "for every call, and calls in it, is locked out"], ["lists and"]),
        ("receipt", ["HTTP: criteria 1-5", "only with the receipt"], ["--http enforce"]),
        ("off", ["every call runs"], ["--http enforce"]),
    ],
)
def test_each_transport_is_named(http: str, wanted: list[str], absent: list[str]) -> None:
    said = "\n".join(statements(Settings(http=http), []))
    assert said.startswith(f"stdio: {ALL}")
    assert [text for text in wanted if text not in said] == []
    assert [text for text in absent if text in said] == []


def test_who_starts_the_server_for_every_call_is_told_of() -> None:
    said = {policy: statements(Settings(stdio=policy), [])[0] for policy in ("enforce", "strict", "advise", "off")}
    assert ", except that no call is refused when a host starts" in said["enforce"]
    assert said["strict"].endswith("is locked out")
    assert all("locked out" not in said[policy] for policy in ("advise", "off"))


def test_criterion_1_is_not_promised_where_the_listing_holds_details() -> None:
    assert "for the summary of a, b see PD409" in statements(Settings(), ["b", "a", "a"])[-1]
    assert "stub_schema = full" in statements(Settings(stub_schema="full"), [])[-1]
    for http in ("advise", "enforce"):
        said = "\n".join(statements(Settings(http=http), ["a"]))
        assert "criteria 2-8 of the specification hold" in said
        assert "all eight" not in said
        assert "criteria 1" not in said
