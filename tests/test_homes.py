"""Where generated files stand."""

from __future__ import annotations

import pytest

from pdmigrate.homes import MODULE, Home, described_stems, homes
from pdmigrate.model import Fixed, Known, Sdk, Server, Site, Tool

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")


def server(file: str, name: str | None = None, tools: str = "") -> Server:
    listed = tuple(Tool({"name": Known(tool)}, Site(file, 1), Fixed("", "PD320")) for tool in tools.split())
    return Server("mcp1-lowlevel", Site(file, 1), name, Sdk("mcp", "1.30.0", "given"), Fixed("", "PD501"), listed)


def test_a_server_alone_in_its_folder_gets_the_plain_names() -> None:
    assert homes([server("pkg/server.py", "x")]) == (HOME,)


def test_servers_of_one_folder_get_names_of_their_own() -> None:
    found = homes([server("a.py", "My Server"), server("b.py"), server("c.py", "my-server"), server("sub/d.py", "d")])
    assert [home.module for home in found] == [
        "progressive_disclosure_my_server.py",
        "progressive_disclosure_b.py",
        "progressive_disclosure_my_server_2.py",
        "sub/progressive_disclosure.py",
    ]
    assert [home.folder_beside_module for home in found] == [
        "tool_descriptions/my_server",
        "tool_descriptions/b",
        "tool_descriptions/my_server_2",
        "tool_descriptions",
    ]


FIND, DROP = server("pkg/find.py", "find", "find show"), server("pkg/drop.py", "drop", "drop show")
PLAIN, SLUG = "pkg/tool_descriptions", "pkg/tool_descriptions/find"
DESCRIBED = {
    "nothing was described": ([FIND, DROP], {}, (None, None)),
    "one was alone": ([FIND, DROP], {f"{PLAIN}/find.json": "find"}, (MODULE, None)),
    "whichever is found first": ([DROP, FIND], {f"{PLAIN}/find.json": "find"}, (None, MODULE)),
    "the one with most of its tools": (
        [FIND, DROP],
        {f"{PLAIN}/{name}.json": name for name in ("show", "drop")},
        (None, MODULE),
    ),
    "each its own": (
        [FIND, DROP],
        {f"{SLUG}/find.json": "find", f"{PLAIN}/x/drop.json": "drop"},
        (f"{MODULE}_find", f"{MODULE}_x"),
    ),
    "the other has gone": ([FIND], {f"{SLUG}/find.json": "find"}, (f"{MODULE}_find",)),
    "tools of nobody": ([FIND, DROP], {f"{PLAIN}/a.json": "a"}, (None, None)),
    "a folder elsewhere": ([FIND], {"tool_descriptions/find.json": "find"}, (None,)),
    "a folder too deep": ([FIND], {f"{SLUG}/more/find.json": "find"}, (None,)),
}


@pytest.mark.parametrize("name", DESCRIBED)
def test_a_server_that_was_described_keeps_its_home(name: str) -> None:
    servers, written, stems = DESCRIBED[name]
    assert described_stems(servers, [None] * len(servers), written) == stems


def test_a_home_by_which_a_server_is_enabled_is_nobody_elses() -> None:
    written = {f"{PLAIN}/find.json": "find"}
    assert described_stems([FIND, DROP], [None, MODULE], written) == (None, MODULE)
    assert described_stems([FIND, DROP], [f"{MODULE}_a", None], written) == (f"{MODULE}_a", None)
