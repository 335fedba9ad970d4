"""What stands where generated files would go, and servers that disclose their tools already."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.bad_input.cases import APPLY, NEITHER, SKIPPED, Bad, check_refused, check_said
from tests.layouts.living import check_round_trip, migrated, py
from tests.layouts.servers import FIND, FULL, GUARD, SDK, handlers, joined, module, run
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import FASTMCP4
from tests.support.files import tree, write
from tests.support.sources import decorated

SERVER = module()
FILE = "tool_descriptions/find_note.json"
THEIRS = {
    "name": "find_note",
    "description": "Find notes, the long story.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "examples": [{"description": "Tides", "input": {"text": "tides"}}],
    "usage_guidance": {"important_notes": ["Mind the tides."]},
}
STUBBED = SERVER.replace(
    "Find notes by their text. Returns at most `limit` notes, the newest first, each with its id.", "Find notes."
)
RESOURCES = """

@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri="resource:///tool_descriptions", name="Tool Descriptions")]
"""
BY_HAND = SERVER.replace("\n\nasync def main", f"{RESOURCES}\n\nasync def main", 1)


def tools(*names: str) -> str:
    """A server that lists tools of these names."""
    listed = "".join(FIND.replace('"find_note"', json.dumps(name, ensure_ascii=False)) for name in names)
    return joined(f'{SDK}\nserver = Server("notes")', handlers(tools=listed), run(), GUARD)


SERVING = "from mcp.server.lowlevel import Server\n\n\ndef serve(server: Server) -> None:\n" + "".join(
    f"    {line}\n" if line else "\n" for line in RESOURCES.strip().splitlines()
)
BAD = {
    "a module of somebody else": Bad(
        {"server.py": SERVER, "progressive_disclosure.py": "mine = 1\n"},
        (
            "progressive_disclosure.py:1: PD516 error: the server made at server.py:7 is left as it is: ",
            "progressive_disclosure.py exists already and was not made by pdmigrate\n",
            "hint: rename or remove it, then run again\n",
        ),
    ),
    "a package named like the module": Bad(
        {"server.py": SERVER, "progressive_disclosure/__init__.py": ""},
        (
            "progressive_disclosure is imported by the name of progressive_disclosure.py, which would never be ",
            "hint: rename or remove it, then run again\n",
        ),
    ),
    "a description that is not JSON": Bad(
        {"server.py": SERVER, FILE: "{\n  nope}"},
        (f"{FILE}:2: PD401 error: {FILE} is not JSON: ", "hint: repair the file, or restore it from version control\n"),
    ),
    "two descriptions of one tool": Bad(
        {"server.py": SERVER, **dict.fromkeys((FILE, "tool_descriptions/x.json"), json.dumps(FULL["find_note"]))},
        (f'PD403 error: tool_descriptions/x.json describes "find_note", and so does {FILE}\n',),
    ),
    "descriptions made by hand": Bad(
        {"server.py": STUBBED, FILE: json.dumps(THEIRS)},
        (
            f"{FILE}:1: PD532 error: {FILE} was not made by pdmigrate, ",
            'and describes "find_note" differently than the code\n',
            "hint: nothing, to keep that code; else put the full definitions back into the tools and take it out\n",
        ),
    ),
    "a resource served by a module in a folder below": Bad(
        {"server.py": module("from more import resources"), "more/__init__.py": "", "more/resources.py": SERVING},
        ("more/resources.py:", "PD532 error: "),
    ),
    "a server made as the guide says": Bad(
        {
            "server.py": BY_HAND,
            FILE: json.dumps(THEIRS),
            "tool_descriptions/drop_note.json": json.dumps(FULL["drop_note"]),
        },
        (
            "PD532 error: the server made at server.py:7 is left as it is: server.py names ",
            "hint: nothing, to keep that code; else put the full definitions back into the tools and take it out\n",
        ),
    ),
    "a resource served by a module beside the server": Bad(
        {"server.py": module("import resources"), "resources.py": 'URI = "resource:///tool_descriptions"\n'},
        ("resources.py:1: PD532 error: ",),
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_in_the_way_stays(name: str, tmp_path: Path) -> None:
    check_refused(tmp_path, replace(BAD[name], said=(*BAD[name].said, *NEITHER)))


@pytest.mark.parametrize("name", [name for name in BAD if "description" in name])
def test_an_extraction_leaves_descriptions_too(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", **BAD[name].files})
    before = tree(tmp_path)
    ran = pdmigrate("extract", tmp_path, *VERSIONS)
    assert ran.status == 1, ran
    check_said(ran, tmp_path, BAD[name].said[:1])
    assert tree(tmp_path) == before


def test_a_test_that_names_the_resource_and_another_server_that_serves_it_are_in_nobodys_way(tmp_path: Path) -> None:
    files = {"a/server.py": SERVER, "a/test_it.py": 'URI = "resource:///tool_descriptions"\n', "b/server.py": BY_HAND}
    write(tmp_path, {"pyproject.toml": "", **files})
    ran = pdmigrate("apply", "--all", tmp_path, *VERSIONS)
    check_said(
        ran, tmp_path, ("the server made at b/server.py:", "found 4 = moved 2 + stubbed 0 + skipped 0 + failed 2")
    )
    assert "a/server.py is left" not in ran.stderr


def test_descriptions_made_by_hand_are_taken_over_once_the_code_says_the_same(tmp_path: Path) -> None:
    theirs = {**FULL["find_note"], "examples": THEIRS["examples"], "usage_guidance": THEIRS["usage_guidance"]}
    write(tmp_path, {"pyproject.toml": "", "server.py": SERVER, FILE: json.dumps(theirs)})
    migrated(tmp_path)
    content = json.loads((tmp_path / FILE).read_text())
    assert content["owner"] == "file"
    assert {key: content[key] for key in theirs} == theirs


def test_a_copy_of_a_schema_that_was_none_follows_the_code_that_was_mended(tmp_path: Path) -> None:
    broken = SERVER.replace('{"type": "string", "description": "Words', '{"type": "strnig", "description": "Words')
    assert broken != SERVER
    write(tmp_path, {"pyproject.toml": "", "server.py": broken})
    ran = pdmigrate("apply", "--all", tmp_path, "--write", "--move", "none", "--copies", *VERSIONS)
    assert ran.status == 1
    check_said(ran, tmp_path, (f"{FILE}:", "PD405 error: ", "wrote "))
    enabled = (tmp_path / "server.py").read_text()
    (tmp_path / "server.py").write_text(enabled.replace("strnig", "string"))
    ran = migrated(tmp_path, "--allow-dirty")
    assert "PD405" not in ran.stderr
    assert "strnig" not in (tmp_path / FILE).read_text()


FRONT = """\
from fastmcp import FastMCP
from fastmcp.server.proxy import ProxyProvider

server = FastMCP("front")


@server.tool
def find_note(text: str) -> str:
    \"\"\"Find a note.\"\"\"
    return text


def serve(behind: object) -> None:
    server.add_provider({provider}(behind))
    server.run()
"""


@pytest.mark.parametrize(("provider", "told"), [("ProxyProvider", True), ("FileSystemProvider", False)])
def test_a_server_in_front_of_another_is_told_of_its_stubs(tmp_path: Path, provider: str, told: bool) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": FRONT.format(provider=provider)})
    ran = pdmigrate("apply", tmp_path, "--all", "--sdk", "fastmcp==3.4.11")
    assert ("server.py:14: PD544 note: ProxyProvider hands on the tools of another server" in ran.stderr) is told
    assert "assuming fastmcp 3.4.11 (given)\n" in ran.stderr


@pytest.mark.parametrize("mark", [".git/HEAD", ".git", ".pdmigrate/lock.json"])
def test_a_project_of_its_own_below_the_root_is_left(mark: str, tmp_path: Path) -> None:
    content = '{"version": 1}' if mark.endswith("json") else "gitdir: x\n"
    files: dict[str, str | bytes] = {"notes/server.py": SERVER, f"notes/{mark}": content}
    said = (
        "notes/server.py:7: PD531 warning: notes/server.py belongs to notes, which is a project of its own\n",
        "hint: run pdmigrate in notes\n",
        *SKIPPED,
    )
    check_refused(tmp_path, Bad(files, said, status=0))


ODD = (
    *("a/b", "../up", "with space", "emoji 🎉", "x" * 200, "Case", "case"),
    *("con", "_server", "tool.with,comma", "percent%2Fx", "ÄÖÜ"),
)


def test_tools_of_any_name_are_migrated_and_fetched_by_it(tmp_path: Path) -> None:
    full = {name: {**FULL["find_note"], "name": name} for name in ODD}
    root = write(tmp_path / "project", {"pyproject.toml": "", "server.py": tools(*ODD)})
    ran = pdmigrate("apply", "--all", root, *VERSIONS)
    files = [line.split(" ")[2] for line in ran.stdout.splitlines() if line.startswith("diff --git a/tool_desc")]
    files.remove("a/tool_descriptions/_server.json")
    assert len({file.casefold() for file in files}) == len(ODD)
    assert all(file.isascii() and ".." not in file and file.count("/") == 2 and len(file) < 120 for file in files)
    check_round_trip(root, [py("server.py", tools=full)])


def test_a_repository_that_git_refuses_stops_the_command(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"server.py": SERVER, ".git": "gitdir: nowhere\n"}
    said = ("error: git refuses to read the repository of ROOT: ", "hint: resolve the error above\n")
    check_refused(tmp_path, Bad(files, said, status=2))


FASTMCP_VERSIONS = tuple(word for pin in FASTMCP4 for word in ("--sdk", pin))
MADE = 'mcp = FastMCP("notes")'
TOOLS = {
    "find_note(text: str)": "Find notes by their text. The newest comes first.",
    "drop_note(id: str)": "Remove a note for good. Nothing brings it back.",
}
_, DECORATED = decorated("notes", TOOLS).split("\n\n\n", 1)
RUNS = 'if __name__ == "__main__":\n    mcp.run()\n'
BM25 = "from fastmcp.server.transforms.search import BM25SearchTransform\n"
REGEX = "from fastmcp.server.transforms import search\n"
CODE = "from fastmcp.experimental.transforms.code_mode import CodeMode\n"


def importing(imported: str = "", server: str = MADE, end: str = "") -> str:
    return f"from fastmcp import FastMCP\n{imported}\n{server}\n\n\n{DECORATED}\n\n{end}{RUNS}"


HIDING = {
    "a search instead of the tools": (
        {"server.py": importing(BM25, 'mcp = FastMCP("notes", transforms=[BM25SearchTransform()])')},
        (
            "server.py:4: PD533 warning: the server made at server.py:4 is left as it is: ",
            "BM25SearchTransform hides its tools behind a search already\n",
        ),
    ),
    "a search that is added": (
        {"server.py": importing(REGEX, end="mcp.add_transform(search.RegexSearchTransform(max_results=3))\n\n")},
        ("PD533 warning: ", "RegexSearchTransform hides its tools behind a search already\n"),
    ),
    "a search that another module adds": (
        {
            "app.py": f"from fastmcp import FastMCP\n\n{MADE}\n\n\n{DECORATED}",
            "main.py": f"{CODE}\nfrom app import mcp\n\nmcp.add_transform(CodeMode())\n\n{RUNS}",
        },
        ("main.py:5: PD533 warning: ", "CodeMode hides its tools behind a search already\n"),
    ),
}


@pytest.mark.parametrize(("files", "said"), HIDING.values(), ids=HIDING)
def test_a_server_that_hides_its_tools_is_left(files: dict[str, str], said: tuple[str, ...], tmp_path: Path) -> None:
    check_refused(tmp_path, Bad(files, (*said, *SKIPPED), 0, (*APPLY, *FASTMCP_VERSIONS)))


NAMESPACE = "from fastmcp.server.transforms import Namespace\n"
LIKE_A_SEARCH = {
    "another transform": importing(NAMESPACE, 'mcp = FastMCP("notes", transforms=[Namespace("a")])'),
    "a search that is only mentioned": importing(server=f"# BM25SearchTransform() would hide them\n{MADE}"),
    "a search for somebody else": importing(BM25, f"SPARE = BM25SearchTransform()\n{MADE}"),
}


@pytest.mark.parametrize("text", LIKE_A_SEARCH.values(), ids=LIKE_A_SEARCH)
def test_what_only_looks_like_a_search_is_migrated(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": text})
    ran = pdmigrate("apply", "--all", tmp_path, *FASTMCP_VERSIONS)
    assert (ran.status, "PD533" in ran.stderr) == (0, False)
    assert "stubbed 2 + skipped 0 + failed 0" in ran.stderr


@pytest.mark.parametrize(("content", "code"), [(None, "PD517"), ("{", "PD401")])
def test_an_audit_does_not_count_the_stub_of_a_tool_whose_file_cannot_be_read(
    tmp_path: Path, content: str | None, code: str
) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": SERVER})
    migrated(tmp_path)
    (tmp_path / FILE).unlink()
    write(tmp_path, {} if content is None else {FILE: content})
    ran = pdmigrate("audit", tmp_path, *VERSIONS)
    assert ran.stderr.count(f"{code} error: {FILE} is ") == 1
    assert "not counted, since source does not settle what they list: find_note\n" in ran.stdout
    assert "-> " not in ran.stdout


def test_an_invalid_schema_stays_in_code_and_is_reported_there(tmp_path: Path) -> None:
    broken = SERVER.replace('{"type": "string", "description": "Words', '{"type": "strnig", "description": "Words')
    write(tmp_path, {"pyproject.toml": "", "server.py": broken})
    ran = pdmigrate("apply", "--all", tmp_path, "--write", *VERSIONS)
    line = broken.partition('"strnig"')[0].partition("inputSchema")[0].count("\n") + 1
    assert (ran.status, (tmp_path / FILE).exists()) == (1, False)
    check_said(
        ran, tmp_path, (f'server.py:{line}: PD405 error: "find_note": inputSchema is not', "moved 1 + stubbed 1")
    )
    assert "strnig" in (tmp_path / "server.py").read_text()
    assert pdmigrate("check", tmp_path).status == 0
    assert "2 tools found, and nothing is written: settle" in pdmigrate("apply", "--all", tmp_path, *VERSIONS).stderr
