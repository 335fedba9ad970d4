"""One tool's places brought into agreement: what follows what, and what is a conflict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pdmigrate.describe import descriptions
from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.describe.summaries import summaries
from pdmigrate.migrate.plan.projections import Places, Projection, project
from pdmigrate.model import Finding, Fixed, Known, Movable, Site, Span, Tool, Unknown
from pdmigrate.record.lock import Written
from pdmigrate.settings import Settings

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer", "description": "One."}}}
STUB: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}}
FULL = {"description": "Add two numbers. Slowly.", "inputSchema": SCHEMA}
PLACE = Span("server.py", 0, 1)
LITERAL = Movable({"description": PLACE, "inputSchema": PLACE})
COMPUTED = Fixed("its description is computed", "PD301")


def tool(fields: Mapping[str, Any], declaration: Movable | Fixed = LITERAL) -> Tool:
    known = {"name": "add", **fields}
    return Tool({key: Known(value) for key, value in known.items()}, Site("server.py", 7), declaration)


def run(
    tool: Tool, file: Mapping[str, Any] | None, owner: str, written: Written | None = None, **settings: Any
) -> Projection | Finding:
    present = DescriptionFile("d/add.json", {"name": "add", **file}) if file is not None else None
    # What a moved tool's summary is made from stands in its file.
    moved = descriptions.disclosed(present.data) if present is not None and owner == present.owner == "file" else {}
    definition = {**tool.definition, **moved}
    seeds = summaries({str(tool.name): definition.get("description")})
    return project(Places(tool, present, written, replace(Settings(), **settings), "s.json", seeds), owner)


def settled(result: Projection | Finding) -> Projection:
    assert isinstance(result, Projection), result
    return result


def first(owner: str, fields: Mapping[str, Any] = FULL, **settings: Any) -> Projection:
    """The projection of the very first run."""
    return settled(run(tool(fields), None, owner, **settings))


STUBBED = {"description": "Add two numbers.", "inputSchema": STUB}
"""What the code spells after a migration."""


@pytest.mark.parametrize(("owner", "stub"), [("file", STUBBED), ("code", None)])
def test_a_moved_tool_leaves_a_stub_and_keeps_its_definition_in_the_file(owner: str, stub: Any) -> None:
    found = first(owner)
    wanted = {"owner": owner, "summary": "Add two numbers.", **FULL}
    assert ({key: found.content[key] for key in wanted}, found.stub) == (wanted, stub)


def test_a_field_that_source_does_not_settle_is_absent_from_the_copy() -> None:
    unsettled = tool({"description": "d"})
    unsettled = replace(unsettled, fields={**unsettled.fields, "inputSchema": Unknown("environment", "PD301")})
    assert "inputSchema" not in settled(run(unsettled, None, "code")).content


def test_a_frozen_definition_has_no_stub_in_code() -> None:
    assert settled(run(tool(FULL, COMPUTED), None, "file")).stub is None


OUTPUT = {**FULL, "outputSchema": {"type": "object"}}


@pytest.mark.parametrize("dropped", [False, True])
def test_the_output_schema_is_copied_and_the_code_left_as_it_is(dropped: bool) -> None:
    found = first("file", OUTPUT, drop_output_schema=dropped)
    assert found.stub == STUBBED
    assert found.content["outputSchema"] == {"type": "object"}
    assert "outputSchema" not in found.written.moved


def test_an_output_schema_that_was_taken_out_of_the_code_goes_from_the_file() -> None:
    before = first("file", OUTPUT)
    found = settled(run(tool(STUBBED), before.content, "file", before.written))
    assert found.stub == STUBBED
    assert "outputSchema" not in found.content


def test_code_that_spells_the_whole_definition_again_only_needs_its_stub() -> None:
    before = first("file")
    found = settled(run(tool(FULL), before.content, "file", before.written))
    assert (found.stub, found.content["description"]) == (STUBBED, FULL["description"])


def test_a_definition_that_moves_keeps_what_was_written_before_the_move() -> None:
    described = settled(run(tool(FULL), None, "code"))
    file = {**described.content, "summary": "Mine.", "examples": [{"input": {}}]}
    moved = settled(run(tool(FULL), file, "file", described.written))
    wanted = {**file, "owner": "file"}
    assert {key: moved.content[key] for key in wanted} == wanted
    assert moved.stub == {"description": "Mine.", "inputSchema": STUB}


GUIDED = {
    **FULL,
    "description": "Add two numbers.\n\nExample:\n    add(a=1)\n\nRaises:\n    TypeError: It is no number.",
}
CALL = [{"input": {"a": 1}}]
ERRORS = {"common_errors": [{"error": "TypeError", "cause": "It is no number."}]}


def test_guidance_of_the_code_is_lifted_into_a_new_file_and_marked() -> None:
    content = first("code", GUIDED).content
    assert content["lifted"] == ["examples", "error_guidance"]
    assert (content["examples"], content["error_guidance"]) == (CALL, ERRORS)


@pytest.mark.parametrize("owner", ["code", "file"])
def test_lifted_guidance_follows_its_text(owner: str) -> None:
    before = first(owner, GUIDED)
    description = str(GUIDED["description"]).replace("a=1", "a=2")
    fields: dict[str, Any] = {**GUIDED, "description": description}
    file = {**before.content, **({"description": description} if owner == "file" else {})}
    code = tool(STUBBED if owner == "file" else fields)
    after = settled(run(code, file, owner, before.written))
    assert after.content["examples"] == [{"input": {"a": 2}}]
    assert after.content["lifted"] == ["examples", "error_guidance"]


def test_lifted_guidance_goes_with_its_text() -> None:
    before = first("code", GUIDED)
    after = settled(run(tool(FULL), before.content, "code", before.written))
    assert after.content["examples"] == []
    assert "lifted" not in after.content
    assert "error_guidance" not in after.content


@pytest.mark.parametrize("edited", [[{"input": {"a": 3}}], []])
def test_guidance_is_somebodys_own_once_it_was_edited_or_emptied(edited: list[Any]) -> None:
    before = first("code", GUIDED)
    after = settled(run(tool(GUIDED), {**before.content, "examples": edited}, "code", before.written))
    assert (after.content["examples"], after.content["lifted"]) == (edited, ["error_guidance"])
    description = str(GUIDED["description"]).replace("a=1", "a=2")
    later = settled(run(tool({**GUIDED, "description": description}), after.content, "code", after.written))
    assert (later.content["examples"], later.content["lifted"]) == (edited, ["error_guidance"])


def test_guidance_that_was_deleted_stays_deleted() -> None:
    before = first("code", GUIDED)
    file = {key: value for key, value in before.content.items() if key != "error_guidance"}
    after = settled(run(tool(GUIDED), file, "code", before.written))
    assert "error_guidance" not in after.content
    assert after.content["lifted"] == ["examples"]


def test_a_persons_guidance_is_never_replaced_by_what_the_code_says() -> None:
    mine = [{"input": {"a": 7}}]
    after = settled(run(tool(GUIDED), {"owner": "code", **FULL, "examples": mine}, "code"))
    assert (after.content["examples"], after.content["lifted"]) == (mine, ["error_guidance"])


def test_a_file_with_nothing_but_lifted_guidance_holds_no_words() -> None:
    before = first("code", GUIDED)
    raw = descriptions.dump(before.content)
    assert not descriptions.holds_words(raw, before.written.generated, lifted=before.written.lifted)
    edited = descriptions.dump({**before.content, "examples": [{"input": {"a": 3}}]})
    assert descriptions.holds_words(edited, before.written.generated, lifted=before.written.lifted)
