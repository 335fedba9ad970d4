"""Where generated files stand."""

from __future__ import annotations

import pytest

from pdmigrate.describe.homes import Home, homes, with_described
from pdmigrate.model import Fixed, Known, Sdk, Server, Site, Tool

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")


def server(file: str, name: str | None = None, tools: str = "") -> Server:
    listed = tuple(Tool({"name": Known(tool)}, Site(file, 1), Fixed("", "PD320")) for tool in tools.split())
    return Server("mcp1-lowlevel", Site(file, 1), name, Sdk("mcp", "1.30.0", "given"), Fixed("", "PD501"), listed)


def test_a_server_alone_in_its_folder_gets_the_plain_names() -> None:
    assert homes([server("pkg/server.py", "x")]) == (HOME,)


def test_servers_of_one_folder_share_its_module_and_have_files_of_their_own() -> None:
    found = homes([server("a.py", "My Server"), server("b.py"), server("c.py", "my-server"), server("sub/d.py", "d")])
    assert [home.module for home in found] == [*["progressive_disclosure.py"] * 3, "sub/progressive_disclosure.py"]
    assert [home.folder for home in found] == [
        *("tool_descriptions/my_server", "tool_descriptions/b", "tool_descriptions/my_server_2"),
        "sub/tool_descriptions",
    ]
    assert [home.label for home in found] == ["my_server", "b", "my_server_2", ""]


def test_a_server_that_is_enabled_keeps_its_folder() -> None:
    own, joined, first = homes([server("pkg/a.py", "x"), server("pkg/b.py", "b"), server("pkg/c.py")], ["a", None, ""])
    assert own == Home(HOME.module, f"{HOME.folder}/a")
    assert joined == Home(HOME.module, f"{HOME.folder}/b")
    assert first == HOME


FIND, DROP = server("pkg/find.py", "find", "find show"), server("pkg/drop.py", "drop", "drop show")
PLAIN, SLUG = "pkg/tool_descriptions", "pkg/tool_descriptions/find"
DESCRIBED = {
    "one was alone": ([FIND, DROP], {f"{PLAIN}/find.json": "find"}, ("", None)),
    "whichever is found first": ([DROP, FIND], {f"{PLAIN}/find.json": "find"}, (None, "")),
    "the one with most of its tools": (
        [FIND, DROP],
        {f"{PLAIN}/{name}.json": name for name in ("show", "drop")},
        (None, ""),
    ),
    "each its own": ([FIND, DROP], {f"{SLUG}/find.json": "find", f"{PLAIN}/x/drop.json": "drop"}, ("find", "x")),
    "tools of nobody": ([FIND, DROP], {f"{PLAIN}/a.json": "a"}, (None, None)),
    "a folder elsewhere": ([FIND], {"tool_descriptions/find.json": "find"}, (None,)),
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_server_that_was_described_keeps_its_home(name: str) -> None:
    servers, written, labels = DESCRIBED[name]
    assert with_described(servers, [None] * len(servers), written) == labels


def test_a_home_by_which_a_server_is_enabled_is_nobody_elses() -> None:
    written = {f"{PLAIN}/find.json": "find"}
    assert with_described([FIND, DROP], [None, ""], written) == (None, "")
    assert with_described([FIND, DROP], ["a", None], written) == ("a", None)
