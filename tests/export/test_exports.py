"""Every export of sample servers, held against golden files and against validators of others.

Run ``python -m tests.export.test_exports`` to write the golden files anew; the difference is for a reviewer to read.
"""

from __future__ import annotations

import ast
import json
import shutil
from functools import cache
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from pdmigrate.project.loading import load_project
from pdmigrate.report.export import Subject, dashdash, prompt, skill, subjects, trustgraph
from pdmigrate.settings import Settings
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2, environment
from tests.support.files import write
from tests.support.processes import run

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("golden")
SAMPLES = {
    **dict.fromkeys(("mcp1_lowlevel", "mcp1_fastmcp"), MCP1),
    "fastmcp2": FASTMCP2,
    "fastmcp3": FASTMCP3,
    "fastmcp4": FASTMCP4,
    **dict.fromkeys(("mcp2_lowlevel", "mcp2_mcpserver"), MCP2),
}
HELD = ("mcp1_lowlevel", "mcp1_fastmcp", "fastmcp4", "mcp2_mcpserver")
"""Those whose exports are held; what becomes of the others goes no other way."""
URL = "http://localhost:8000/mcp"
TABLE = {
    "accessLevel": "interact",
    "requires": {"auth": ["api-key"], "env": ["API_KEY"]},
    "sections": {"When to Use": "When the user asks for it."},
    "categories": ["samples"],
}


@cache
def subject(name: str) -> Subject:
    """A sample as it stands in source, on the releases that the tests run it with."""
    versions = dict(pin.split("==") for pin in SAMPLES[name] if "==" in pin)
    (found,) = subjects(load_project(ROOT / "sample_servers" / name, ".", Settings(sdk=versions)))
    return found


def exports(one: Subject) -> dict[str, str]:
    """Every export in every form, by path."""
    made = {
        "prompt": prompt.export(one, bridge=True),
        "skill": skill.export(one, bridge=True, given=TABLE),
        **{f"dashdash-{form}": dashdash.export(one, form, TABLE) for form in dashdash.FORMS},
        **{f"trustgraph-{form}": trustgraph.export(one, form, URL) for form in trustgraph.FORMS},
    }
    files = {f"{name}/{path}": text for name, exported in made.items() for path, text in exported.files.items()}
    said = [f"{found.code} {found.message}\n" for exported in made.values() for found in exported.findings]
    return {**files, "findings.txt": "".join(dict.fromkeys(said))}


@pytest.mark.parametrize("name", HELD)
def test_exports_are_those_of_the_golden_files(name: str) -> None:
    folder = GOLDEN / name
    golden = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    made = exports(subject(name))
    assert sorted(made) == sorted(golden)
    for path, text in made.items():
        assert text == golden[path].read_text(encoding="utf-8"), path


@pytest.mark.parametrize("name", HELD)
def test_every_form_is_valid_in_its_format(name: str) -> None:
    one = subject(name)
    made = exports(one)
    names = [tool.name for tool in one.tools]
    assert yaml.safe_load(made["dashdash-help/ai_help.md"].split("---\n")[1])["spec-version"] == "0.2.0"
    whole = json.loads(made["dashdash-server/dashdash.json"])
    form = json.loads((ROOT / "templates" / "dashdash.schema.json").read_text(encoding="utf-8"))
    tool = json.loads((ROOT / "templates" / "description.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(form).validate(whole["dashdash"])
    for each in whole["tools"]:
        Draft202012Validator(tool["properties"]["dashdash"]).validate(each["dashdash"])
    assert [each["name"] for each in whole["tools"]] == names

    registered = json.loads(made["dashdash-registry/registry.json"])
    assert sorted(registered) == ["alternativeAccess", "categories", "description", "name", "specVersion"]

    entries = json.loads(made["trustgraph-entries/trustgraph.json"])
    assert [entry["type"] for entry in entries] == ["mcp", "tool"] * len(names)
    assert all(ast.parse(entry["key"], mode="eval") for entry in entries)
    run("sh", "-n", given=made["trustgraph-cli/trustgraph.sh"])


@pytest.mark.parametrize("name", HELD)
def test_a_skill_is_valid_by_the_validator_of_the_format(name: str, tmp_path: Path) -> None:
    """By ``skills-ref``, the reference validator of the agent skills specification, with dashdash and without."""
    one, folder = subject(name), tmp_path
    validator = environment(("skills-ref==0.1.1",)).with_name("agentskills")
    for given, kind in ((TABLE, "with dashdash"), (None, "plain")):
        write(folder / kind, skill.export(one, bridge=True, given=given).files)
        (made,) = (folder / kind).iterdir()
        run(validator, "validate", made)


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_holds_guidance_of_its_own(name: str) -> None:
    words = [tool.words for tool in subject(name).tools]
    assert any(word.get("examples") for word in words)
    assert any(word.get("error_guidance") for word in words)


def write_golden() -> None:
    """Write the golden files anew."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name in HELD:
        write(GOLDEN / name, exports(subject(name)))


if __name__ == "__main__":
    write_golden()
