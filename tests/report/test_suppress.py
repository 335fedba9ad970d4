"""What the setting ``ignore`` hides, and what stays."""

from __future__ import annotations

from pdmigrate.findings import finding
from pdmigrate.model import Finding, Fixed, Inventory, Plan, Sdk, Server, Site, Tool
from pdmigrate.report.suppress import in_inventory, in_plan


def at(line: int, code: str = "PD101", file: str = "server.py") -> Finding:
    return finding(code, f"{code} on {line}", site=Site(file, line))


def test_findings_of_a_plan_come_sorted_by_place_and_once() -> None:
    nowhere = finding("PD801", "nowhere")
    found = (at(9), at(2, "PD102"), at(2), nowhere, at(2), at(3, "PD103"), at(3, "PD103"), at(1, file="a.py"))
    plan, hidden = in_plan(Plan((), findings=found), ["PD103"])
    assert plan.findings == (nowhere, at(1, file="a.py"), at(2), at(2, "PD102"), at(9))
    assert hidden == 1


def test_an_inventory_loses_the_message_and_keeps_the_tool() -> None:
    tool = Tool({}, Site("server.py", 3), Fixed("it is computed", "PD101"), findings=(at(3), at(4, "PD102")))
    server = Server("d", Site("server.py", 1), "s", Sdk("mcp", "1", "given"), Fixed("x", "PD101"), (tool,))
    result, hidden = in_inventory(Inventory((server,), (at(2, "PD106"), at(2, "PD103"))), ["PD101", "PD106"])
    assert hidden == 2
    assert result.servers[0].tools[0].findings == (at(4, "PD102"),)
    assert result.findings == (at(2, "PD103"),)
