"""What a migrated server serves of dashdash, on every SDK family; others serve nothing of it."""

from __future__ import annotations

import json
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import yaml

from pdmigrate.live.wire import Session, StdioTarget
from pdmigrate.runtime.guidance import error_lines
from tests.runtime.harness import served
from tests.runtime.nurseries import planted
from tests.runtime.samples import SAMPLES, Sample, session
from tests.support.command_line import pdmigrate
from tests.support.processes import run

TABLE = """
[tool.pdmigrate]
ai-help-tool = {tool}
[tool.pdmigrate.dashdash]
accessLevel = "interact"
requires = {{ env = ["ROLE"] }}
[tool.pdmigrate.dashdash.sections]
"When to Use" = "When the user asks for it."
"""
HELP = "resource:///ai_help"


def migrated(sample: Sample, folder: Path, *, tool: bool) -> Path:
    shutil.copytree(sample.source, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pyproject.toml").write_text(TABLE.format(tool=str(tool).lower()), encoding="utf-8")
    ran = pdmigrate("apply", folder, "--write", "--allow-dirty")
    assert ran.status == 0, ran.stdout + ran.stderr
    return folder


def opened(sample: Sample, folder: Path, era: str = "") -> AbstractContextManager[Session]:
    return session(StdioTarget(sample.command(folder)), era or sample.eras[0])


def text(answer: Any) -> str:
    (content,) = answer.get("contents") or answer["content"]
    return str(content["text"])


def check_the_draft(made: Session) -> None:
    """The method and the field of the draft are there."""
    assert made.server["dashdash"] == made.server["capabilities"]["experimental"]["dashdash"]
    markdown = made.request("ai_help", {"format": "markdown", "section": None})
    assert markdown["content"] == text(made.read_resource(HELP)) == made.request("ai_help")["content"]
    assert markdown["contentType"] == "text/markdown"
    answer = made.request("ai_help", {"format": "json", "section": "Authentication"})
    assert answer["contentType"] == "application/json"
    identity, rest = made.server["dashdash"].pop("identity"), made.server["dashdash"]
    assert answer["metadata"] == {**identity, **rest}
    assert [*answer["sections"]] == ["authentication"]
    whole = made.request("ai_help", {"format": "json"})["sections"]
    assert whole["whenToUse"] == ["When the user asks for it."]
    assert [line.split("`")[1] for line in whole["quickReference"]] == [
        tool["name"] for tool in made.list_tools() if not str(tool["name"]).endswith("_describe_tools")
    ]
    assert made.request("ai_help", {"section": "Prices"})["error"]["code"] == "SECTION_NOT_FOUND"


@pytest.mark.parametrize("name", SAMPLES)
def test_metadata_and_help_are_served_in_the_places_of_the_protocol(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    folder = migrated(sample, tmp_path / "server", tool=False)
    for era in sample.eras:
        with opened(sample, folder, era) as made:
            metadata = made.server["capabilities"]["experimental"]["dashdash"]
            assert (metadata["specVersion"], metadata["accessLevel"]) == ("0.2.0", "interact")
            tools = {tool["name"]: tool for tool in made.list_tools()}
            assert not any("dashdash" in tool or tool_name.endswith("_ai_help") for tool_name, tool in tools.items())
            assert [resource["uri"] for resource in made.listed("resources/list")][:2][1] == HELP

            markdown = text(made.read_resource(HELP))
            front = yaml.safe_load(markdown.split("---\n")[1])
            assert front["access-level"] == "interact"
            assert front["requires"] == {"env": ["ROLE"]}
            reference = markdown.split("## Quick Reference\n")[1].split("\n## ")[0]
            listed = [line for line in reference.splitlines() if line.startswith("- `") and "`: " in line]
            seen = [line.split("`")[1] for line in listed]
            assert seen == [tool for tool in tools if not tool.endswith("_describe_tools")]
            (section,) = json.loads(text(made.read_resource(f"{HELP}?format=json&section=Authentication")))["sections"]
            assert section == "authentication"
            unknown = json.loads(text(made.read_resource(f"{HELP}?section=Prices")))
            assert unknown["error"]["code"] == "SECTION_NOT_FOUND"
            assert "Quick Reference" in unknown["error"]["sections"]

            full = served(made.read_resource(f"resource:///tool_descriptions?tools={','.join(seen)}"))
            for file in folder.glob("tool_descriptions/[!_]*.json"):
                written = json.loads(file.read_text("utf-8"))
                told = full.get(written["name"], written)  # some are not for this reader
                assert told.get("dashdash") == written.get("dashdash")
            said = [line for tool in seen for line in error_lines(tool, full[tool].get("error_guidance"))]
            assert [line for line in said if line not in markdown.partition("## Error Handling\n")[2]] == []
            for section in ("Error%20Handling", "errorHandling"):
                handling = json.loads(text(made.read_resource(f"{HELP}?format=json&section={section}")))["sections"]
                assert (
                    handling == {"errorHandling": [line.removeprefix("- ") for line in said]} != {"errorHandling": []}
                )
            check_the_draft(made)


@pytest.mark.parametrize("name", ["mcp1_lowlevel", "fastmcp2", "fastmcp4", "mcp2_mcpserver"])
def test_the_help_is_a_tool_only_if_that_is_asked_for(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    folder = migrated(sample, tmp_path / "server", tool=True)
    with opened(sample, folder) as made:
        (tool,) = [str(tool["name"]) for tool in made.list_tools() if str(tool["name"]).endswith("_ai_help")]
        markdown = text(made.call_tool(tool, {}))
        assert markdown == text(made.read_resource(HELP))
        sections = json.loads(text(made.call_tool(tool, {"format": "json"})))["sections"]
        assert "quickReference" in sections


def test_a_tool_that_its_reader_may_not_see_is_in_no_help(tmp_path: Path) -> None:
    sample = SAMPLES["fastmcp4"]
    folder = migrated(sample, tmp_path / "server", tool=False)
    with opened(sample, folder) as made:
        assert "lend_piece" not in text(made.read_resource(HELP))
        assert "lend" not in json.dumps(made.server).lower()


def test_check_asks_for_what_the_checklist_requires_and_knows_when_it_is_there(tmp_path: Path) -> None:
    folder = migrated(SAMPLES["mcp1_lowlevel"], tmp_path / "server", tool=False)
    asked = pdmigrate("check", folder)
    assert asked.status == 1
    assert "PD412 warning: dashdash requires identity.description, in words of its own" in asked.stdout + asked.stderr
    table = (folder / "pyproject.toml").read_text("utf-8")
    own = '[tool.pdmigrate.dashdash.identity]\ndescription = "Loans. Use when the user asks for a book."\n'
    (folder / "pyproject.toml").write_text(table + own, encoding="utf-8")
    assert pdmigrate("sync", folder).status == 0
    assert pdmigrate("check", folder).status == 0
    (folder / "pyproject.toml").unlink()
    assert pdmigrate("sync", folder).status == 0
    assert "dashdash" not in (folder / "tool_descriptions" / "_server.json").read_text("utf-8")
    assert "ai_help" not in (folder / "progressive_disclosure.py").read_text("utf-8")


CLIENT = """
import anyio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    async with stdio_client(StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])) as streams:
        async with ClientSession(*streams) as session:
            seen = await session.initialize()
            print(json.dumps([seen.capabilities.experimental, len((await session.list_tools()).tools)]))

anyio.run(main)
"""


@pytest.mark.parametrize("with_table", [True, False])
def test_a_client_that_knows_nothing_of_it_passes_it_through_and_misses_nothing(
    tmp_path: Path, with_table: bool
) -> None:
    sample = SAMPLES["mcp1_lowlevel"]
    folder = tmp_path / "server"
    migrated(sample, folder, tool=False) if with_table else sample.migrated(folder)
    command = [*planted(sample.pins), "-c", CLIENT, *sample.command(folder)]
    experimental, tools = json.loads(run(*command))
    assert tools > 1
    assert (experimental or {}).get("dashdash", {}).get("accessLevel") == ("interact" if with_table else None)


@pytest.mark.parametrize("name", ["mcp1_lowlevel", "mcp2_lowlevel"])
def test_the_decorators_of_the_drafts_sample_are_in_no_sdk(name: str) -> None:
    code = "from mcp.server import Server; print([hasattr(Server, name) for name in ('initialize', 'method')])"
    assert run(*planted(SAMPLES[name].pins), "-c", code) == "[False, False]\n"
