"""Where generated files stand."""

from __future__ import annotations

from pdmigrate.homes import Home, homes
from pdmigrate.model import Fixed, Sdk, Server, Site

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")


def server(file: str, name: str | None = None) -> Server:
    return Server("mcp1-lowlevel", Site(file, 1), name, Sdk("mcp", "1.30.0", "given"), Fixed("", "PD501"), ())


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
