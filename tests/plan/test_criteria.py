"""What the plan says of the specification's criteria, transport by transport."""

from __future__ import annotations

import pytest

from pdmigrate.migrate.plan.criteria import listed, statements, without_first
from pdmigrate.settings import Settings

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
