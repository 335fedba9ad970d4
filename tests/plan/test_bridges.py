"""What a plan says: the name of the bridge, a requirement that is open, and the criteria of the specification."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.build import plan_migration
from pdmigrate.migrate.plan.criteria import listed, statements, without_first
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


ALL = "all eight criteria of the specification hold"


@pytest.mark.parametrize(
    ("adapters", "http", "wanted", "absent"),
    [
        ({"mcp1"}, "advise", ["--http enforce all eight hold where there are sessions"], ["2026"]),
        (
            {"mcp2"},
            "advise",
            ["all eight hold for clients that open a session; those of protocol 2026-07-28 do not"],
            [],
        ),
        ({"mcp1", "both"}, "advise", ["a pipe counting as one session", "2026-07-28"], []),
        ({"mcp1"}, "enforce", [f"HTTP with sessions: {ALL}", "HTTP without sessions (a stateless server): "], ["2026"]),
        ({"mcp1"}, "enforce", ["for every call, and lists and calls in it, is locked out"], ["every call runs"]),
        ({"mcp1"}, "strict", ["HTTP with sessions: ", "for every call, and calls in it, is locked out"], ["lists and"]),
        ({"mcp2"}, "enforce", ["(a stateless server, or a client of protocol 2026-07-28): criteria 1-5"], []),
        ({"mcp2"}, "receipt", ["HTTP: criteria 1-5", "only with the receipt"], ["--http enforce"]),
        ({"mcp1"}, "off", ["every call runs"], ["--http enforce"]),
    ],
)
def test_each_transport_of_this_server_is_named(
    adapters: set[str], http: str, wanted: list[str], absent: list[str]
) -> None:
    said = "\n".join(statements(Settings(http=http), adapters))
    assert said.startswith(f"stdio: {ALL}")
    assert [text for text in wanted if text not in said] == []
    assert [text for text in absent if text in said] == []


def test_who_starts_the_server_for_every_call_is_told_of() -> None:
    policies = ("enforce", "strict", "advise", "off")
    said = {policy: statements(Settings(stdio=policy), {"mcp1"})[0] for policy in policies}
    assert "; calls are not refused where a host starts" in said["enforce"]
    assert said["strict"].endswith("is locked out")
    assert all("locked out" not in said[policy] for policy in ("advise", "off"))


def test_a_pipe_is_only_a_session_where_it_is_gated() -> None:
    assert "one session" not in statements(Settings(stdio="advise"), {"mcp2"})[0]


def test_criterion_1_is_not_promised_where_the_listing_holds_details() -> None:
    assert listed(Settings(), []) == ()
    assert "for the summary of a, b see PD409" in listed(Settings(), ["b", "a", "a"])[0]
    assert "stub_schema = full" in listed(Settings(stub_schema="full"), [])[0]
    for http in ("advise", "enforce"):
        said = "\n".join(without_first(statements(Settings(http=http), {"mcp1"})))
        assert "criteria 2-8 of the specification hold" in said
        assert "all eight" not in said
        assert "criteria 1" not in said
