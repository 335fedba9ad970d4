"""``pdmigrate audit`` from end to end."""

from __future__ import annotations

import cProfile
import io
import json
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from pdmigrate.model import JsonObject
from tests.audit.listings import heavy, light, tool
from tests.cli.projects import SERVER, project
from tests.live.test_asking import SCRIPTED
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.repositories import initialised


def test_a_project_is_counted_and_left_as_it_is(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tree(root)
    ran = pdmigrate("audit", root, *VERSIONS)
    assert ran.status == 0
    assert tree(root) == before
    assert "verdict: not known: source settles 1 tool and not the others; ask the server" in ran.stdout
    assert "not counted, since source does not settle what they list: edit_note\n" in ran.stdout
    assert "`pdmigrate explain edit_note` says why; --live asks the running server\n" in ran.stdout
    assert max(map(len, ran.stdout.splitlines())) <= 80


def test_the_same_listing_counts_the_same_from_a_file_from_standard_input_and_from_the_wire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tools = [*heavy(8), *light(80)]
    file = tmp_path / "notes.json"
    file.write_text(json.dumps(tools), encoding="utf-8")
    command = shlex.join([sys.executable, str(SCRIPTED), str(file), ""])
    monkeypatch.setattr(sys, "stdin", io.StringIO(file.read_text(encoding="utf-8")))
    saved = pdmigrate("audit", "--listing", file, "--format", "json")
    piped = pdmigrate("audit", "--listing", "-", "--format", "json")
    asked = pdmigrate("audit", "--command", command, "--format", "json")
    figures = []
    for ran in (saved, piped, asked):
        assert ran.status == 0, ran.stderr
        (server,) = json.loads(ran.stdout)["servers"]
        assert server["verdict"] == "some"
        assert sum(tool["take"] for tool in server["tools"]) == 8
        figures.append([(tool["name"], tool["now"], tool["after"], tool["take"]) for tool in server["tools"]])
    assert figures[0] == figures[1] == figures[2]


def test_several_servers_are_told_in_one_table_and_in_one_document(tmp_path: Path) -> None:
    write(tmp_path, {f"{name}/server.py": SERVER for name in ("one", "two")})
    ran = pdmigrate("audit", tmp_path, *VERSIONS)
    assert ran.stdout.splitlines()[0].split() == ["server", "tools", "now", "after", "break-even", "verdict"]
    told = json.loads(pdmigrate("audit", tmp_path, *VERSIONS, "--format", "json").stdout)
    assert [server["file"] for server in told["servers"]] == ["one/server.py", "two/server.py"]


def test_a_page_is_written_beside_the_result_and_again_over_itself_and_over_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        ran = pdmigrate("audit", root, *VERSIONS, "--html", "pages/audit.html")
        assert ran.status == 0
        assert ran.stdout.startswith("verdict") or "\nverdict" in ran.stdout
        assert ran.stderr.endswith("wrote pages/audit.html\n")
    page = (tmp_path / "pages" / "audit.html").read_text(encoding="utf-8")
    assert "<title>What the tools of " in page
    before = tree(root)
    for other in (root / "server.py", tmp_path / "pages"):
        ran = pdmigrate("audit", root, *VERSIONS, "--html", other)
        assert (ran.status, ran.stdout, tree(root)) == (2, "", before)
        assert "is not an audit page" in ran.stderr


def test_the_verdict_is_an_annotation_at_the_line_where_the_server_is_made(tmp_path: Path) -> None:
    root = project(tmp_path)
    ran = pdmigrate("audit", root, *VERSIONS, "--format", "github")
    made = SERVER.partition("server = Server(")[0].count("\n") + 1
    assert ran.status == 0
    assert ran.stdout.startswith(f"::notice file=server.py,line={made},title=PD630%3A whether a migration pays::")
    assert "not known: source settles 1 tool" in ran.stdout


@pytest.mark.parametrize("kind", ["open", "full"])
def test_what_a_migration_recorded_counts_unless_an_option_says_otherwise(tmp_path: Path, kind: str) -> None:
    root = project(tmp_path)

    def after(*options: str) -> JsonObject:
        return json.loads(pdmigrate("audit", root, "--format", "json", *options).stdout)["servers"][0]["tokens"]

    usual, chosen, bare = after(), after("--stub-schema", kind), after("--no-bridge")
    assert usual["after"] != chosen["after"]
    apply = ("apply", root, "--all", "--write", "--allow-dirty", *VERSIONS)
    line = "this server is already migrated: `listing now` is what it would list unmigrated\n"
    assert line not in pdmigrate("audit", root).stdout
    assert pdmigrate(*apply, "--stub-schema", kind).status == 0
    assert line in pdmigrate("audit", root).stdout
    assert after()["after"] == chosen["after"]
    assert after("--stub-schema", "skeleton")["after"] == usual["after"]
    assert pdmigrate(*apply, "--stub-schema", "skeleton", "--no-bridge").status == 0
    assert after() == bare
    assert after("--bridge")["after"] == usual["after"]


TOOL = tool("find")
DEEP = '{"type":"object","properties":{"inner":' * 40 + "{}" + "}}" * 40
LISTED = {
    "odd fields": '[{"name": "find", "description": 3, "inputSchema": ["object"]}]',
    "deep": json.dumps([{**TOOL, "inputSchema": "schema"}]).replace('"schema"', DEEP),
    "twice": json.dumps([TOOL, TOOL]),
    "halves": json.dumps([{**TOOL, "name": "\ud800", "description": "\udfff find."}]),
    "commands": json.dumps([{**TOOL, "name": "\x1b[2J::error::x\n##[group]", "description": "::warning::y\n" * 300}]),
}


@pytest.mark.parametrize("way", LISTED)
@pytest.mark.parametrize("output", ["text", "json", "github", "sarif"])
def test_an_odd_listing_is_counted_in_every_format(way: str, output: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(LISTED[way], encoding="utf-8")
    ran = pdmigrate("audit", "--listing", file, "--format", output, "--html", tmp_path / "page.html")
    assert ran.status == 0, ran.stderr
    assert "\x1b" not in ran.stdout + ran.stderr
    assert output != "text" or not [line for line in ran.stdout.splitlines() if line.lstrip().startswith("::")]
    if output in ("json", "sarif"):
        json.loads(ran.stdout)
    assert (tmp_path / "page.html").stat().st_size > 1000


def test_a_tool_without_a_name_is_no_answer(tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text('[{"description": "no name"}]', encoding="utf-8")
    ran = pdmigrate("audit", "--command", shlex.join([sys.executable, str(SCRIPTED), str(file)]))
    assert (ran.status, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error[PD704]: the server lists a tool without a name\n")


def test_the_work_for_a_listing_grows_as_the_listing(tmp_path: Path) -> None:
    """Calls are counted, since a busy machine takes any number of seconds for them."""
    words = ("note", "page", "author", "index", "folder", "search", "entry", "title", "archive", "reader", "label")
    tools = [tool(f"{words[number % 11]}_{number}", parameters=6) for number in range(1000)]
    for number, one in enumerate(tools):
        told = (f"The {words[(number + at) % 11]} {number * at} is told about. " for at in range(12))
        one["description"] = "".join(told)

    def calls(count: int) -> int:
        file = tmp_path / f"{count}.json"
        file.write_text(json.dumps(tools[:count]), encoding="utf-8")
        profile = cProfile.Profile()
        ran = profile.runcall(pdmigrate, "audit", "--listing", file)
        assert f"{count:,} tools" in ran.stdout
        return sum(entry.callcount for entry in profile.getstats())

    calls(10)  # what is imported and compiled once
    assert calls(1000) < 4.5 * calls(250)


SAMPLES = Path(__file__).parents[2] / "sample_servers"
NAMES = sorted(folder.name for folder in SAMPLES.iterdir() if (folder / "server.py").exists())


@pytest.mark.parametrize("options", [(), ("--no-bridge", "--stub-schema", "open")], ids=["as it is", "with options"])
@pytest.mark.parametrize("name", NAMES)
def test_a_listing_has_one_size_before_and_one_after(name: str, options: tuple[str, ...], tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / name, tmp_path / name)
    initialised(tmp_path)
    plan = json.loads(pdmigrate("apply", tmp_path, "--format", "json", *options).stdout)["tokens"]
    (server,) = json.loads(pdmigrate("audit", tmp_path, "--format", "json", *options).stdout)["servers"]
    counted = server["tokens"]
    assert (plan["bridge"], plan["guidance"]) == (counted["bridge"], counted["guidance"])
    assert (counted["bridge"] == 0) is ("--no-bridge" in options)
    if plan["tools"] == len(server["tools"]):
        assert plan["before"] == counted["now"]
        assert plan["after"] + plan["bridge"] + plan["guidance"] == counted["after"]
