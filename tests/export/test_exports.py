"""Every export of every sample server, held against golden files and against validators of others.

Run ``python -m tests.export.test_exports`` to write the golden files anew; the difference is for a reviewer to read.
Of published servers digests are kept, not texts: those are not ours.
"""

from __future__ import annotations

import ast
import hashlib
import json
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from pdmigrate.project.loading import load_project
from pdmigrate.report.export import Subject, dashdash, prompt, skill, subjects, trustgraph
from pdmigrate.settings import Settings
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2, environment
from tests.support.files import write

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).with_name("golden")
SAMPLES = {
    "mcp1_lowlevel": MCP1,
    "mcp1_fastmcp": MCP1,
    "fastmcp2": FASTMCP2,
    "fastmcp3": FASTMCP3,
    "fastmcp4": FASTMCP4,
    "mcp2_lowlevel": MCP2,
    "mcp2_mcpserver": MCP2,
}
PUBLISHED = {
    "mcp_server_sqlite": ("mcp-server-sqlite==2025.4.25", MCP1),
    "mcp_server_git": ("mcp-server-git==2026.10.19", MCP2),
    "excel_mcp": ("excel-mcp-server==2.2.2", MCP2),
}
URL = "http://localhost:8000/mcp"
TABLE = {
    "accessLevel": "interact",
    "requires": {"auth": ["api-key"], "env": ["API_KEY"]},
    "sections": {"When to Use": "When the user asks for it."},
    "categories": ["samples"],
}


def versions(pins: tuple[str, ...]) -> dict[str, str]:
    return dict(pin.split("==") for pin in pins if "==" in pin)


@cache
def subject(name: str) -> Subject:
    """A sample as it stands in source, on the releases that the tests run it with."""
    folder = ROOT / "sample_servers" / name
    (found,) = subjects(load_project(folder, ".", Settings(sdk=versions(SAMPLES[name]))))
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


# --- golden files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_exports_are_those_of_the_golden_files(name: str) -> None:
    folder = GOLDEN / name
    golden = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    made = exports(subject(name))
    assert sorted(made) == sorted(golden)
    for path, text in made.items():
        assert text == golden[path].read_text(encoding="utf-8"), path


@cache
def published(name: str, folder: Path) -> Subject:
    requirement, pins = PUBLISHED[name]
    python = environment((*pins[:2], requirement))
    command = [
        str(python),
        "-c",
        f"import importlib.util as u; print(u.find_spec('{name}').submodule_search_locations[0])",
    ]
    source = Path(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip())
    shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    found = [*subjects(load_project(folder, ".", Settings(sdk=versions(pins))))]
    return max(found, key=lambda one: len(one.tools))


def digests(one: Subject) -> dict[str, str]:
    return {path: hashlib.sha256(text.encode()).hexdigest()[:16] for path, text in sorted(exports(one).items())}


@pytest.mark.slow
@pytest.mark.parametrize("name", PUBLISHED)
def test_exports_of_published_servers_are_those_of_the_digests(name: str, tmp_path: Path) -> None:
    golden = json.loads((GOLDEN / "published.json").read_text(encoding="utf-8"))
    one = published(name, tmp_path)
    assert digests(one) == golden[name]
    hold(one)
    validate_skills(one, tmp_path)


# --- the forms --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_every_form_is_valid_in_its_format(name: str) -> None:
    hold(subject(name))


def hold(one: Subject) -> None:
    """Hold every export of a server against the parsers and schemas of its format."""
    made = exports(one)
    names = [tool.name for tool in one.tools]
    for path in made:
        if path.endswith(".json"):
            json.loads(made[path])
    assert yaml.safe_load(made["dashdash-help/ai_help.md"].split("---\n")[1])["spec-version"] == "0.2.0"
    whole = json.loads(made["dashdash-server/dashdash.json"])
    form = json.loads((ROOT / "templates" / "dashdash.schema.json").read_text(encoding="utf-8"))
    tool = json.loads((ROOT / "templates" / "description.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(form).validate(whole["dashdash"])
    for each in whole["tools"]:
        Draft202012Validator(tool["properties"]["dashdash"]).validate(each["dashdash"])
    assert [each["name"] for each in whole["tools"]] == names

    entries = json.loads(made["trustgraph-entries/trustgraph.json"])
    assert [entry["type"] for entry in entries] == ["mcp", "tool"] * len(names)
    for entry in entries:
        Draft202012Validator(ENTRIES[entry["type"]]).validate(json.loads(entry["value"]))
        assert ast.parse(entry["key"], mode="eval")
    done = subprocess.run(["sh", "-n"], input=made["trustgraph-cli/trustgraph.sh"], text=True, check=False, timeout=10)
    assert done.returncode == 0


TEXT = {"type": "string"}
ARGUMENT = {
    "type": "object",
    "properties": {"name": TEXT, "type": {"enum": ["string", "number"]}, "description": TEXT},
    "required": ["name", "type", "description"],
    "additionalProperties": False,
}
ENTRIES: dict[str, dict[str, Any]] = {
    "mcp": {
        "type": "object",
        "properties": {"remote-name": TEXT, "url": TEXT, "auth-token": TEXT},
        "required": ["remote-name", "url"],
        "additionalProperties": False,
    },
    "tool": {
        "type": "object",
        "properties": {
            "type": {"const": "mcp-tool"},
            "name": TEXT,
            "description": TEXT,
            "mcp-tool": TEXT,
            "arguments": {"type": "array", "items": ARGUMENT},
        },
        "required": ["type", "name", "description", "mcp-tool", "arguments"],
        "additionalProperties": False,
    },
}
"""What trustgraph reads of its two entries, as its specification of tool arguments shows them."""


@pytest.mark.parametrize("name", SAMPLES)
def test_a_skill_is_valid_by_the_validator_of_the_format(name: str, tmp_path: Path) -> None:
    validate_skills(subject(name), tmp_path)


def validate_skills(one: Subject, folder: Path) -> None:
    """Ask ``skills-ref``, the reference validator of the agent skills specification, with dashdash and without."""
    validator = environment(("skills-ref==0.1.1",)).with_name("agentskills")
    for given, kind in ((TABLE, "with dashdash"), (None, "plain")):
        write(folder / kind, skill.export(one, bridge=True, given=given).files)
        (made,) = (folder / kind).iterdir()
        done = subprocess.run(
            [str(validator), "validate", str(made)], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_registry_entry_has_the_fields_of_the_draft() -> None:
    entry = json.loads(dashdash.export(subject("mcp2_lowlevel"), "registry", TABLE).files["registry.json"])
    assert sorted(entry) == ["alternativeAccess", "categories", "description", "name", "specVersion"]
    assert entry["categories"] == ["samples"]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_holds_guidance_of_its_own(name: str) -> None:
    words = [tool.words for tool in subject(name).tools]
    assert any(word.get("examples") for word in words)
    assert any(word.get("error_guidance") for word in words)


def write_golden() -> None:
    """Write the golden files and digests anew."""
    import tempfile

    shutil.rmtree(GOLDEN, ignore_errors=True)
    for name in SAMPLES:
        write(GOLDEN / name, exports(subject(name)))
    found: dict[str, dict[str, str]] = {}
    for name in PUBLISHED:
        with tempfile.TemporaryDirectory() as folder:
            found[name] = digests(published(name, Path(folder)))
    (GOLDEN / "published.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_golden()
