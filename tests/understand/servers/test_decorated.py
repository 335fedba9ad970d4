"""Servers whose tools are registered functions, against what each real SDK lists for the same source."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.model import Anchor, Fixed, Server
from pdmigrate.understand.inventory.extract import extract
from tests.soundness.sources import PINS
from tests.support.files import write
from tests.support.sent import sent
from tests.understand.servers import signature_sources
from tests.understand.servers.decorated_sources import ALL, DOUBTFUL, EXACT, NONE, PROVIDERS, files

SAID = {**EXACT, **signature_sources.EXACT}
RUN = {"run.py": "from server import mcp\n\nmcp.run()\n"}
EITHER = """
try:
    from mcp.server.mcpserver import MCPServer as FastMCP
except ImportError:
    from mcp.server.fastmcp import FastMCP
"""


def versions(family: str) -> dict[str, str]:
    return {name: version for name, _, version in (pin.partition("==") for pin in PINS[family]) if version}


def servers(folder: Path, family: str, source: str | dict[str, str]) -> tuple[Server, ...]:
    return extract(write(folder, files(family, source)), sdk=versions(family)).servers


@cache
def truth(family: str) -> dict[str, Any]:
    """What the SDK lists for every case of the family, asked once."""
    tables = {**SAID, **signature_sources.DOUBTFUL}
    cases = {name: files(family, source) for name, (families, source) in tables.items() if family in families}
    return sent(PINS[family], {name: {"files": {**case, **RUN}, "start": ["run.py"]} for name, case in cases.items()})


def each(table: dict[str, Any]) -> list[Any]:
    return [
        pytest.param(family, name, id=f"{family}-{name}")
        for name, (families, _) in table.items()
        for family in families
    ]


@pytest.mark.parametrize(("family", "name"), each(SAID))
def test_what_the_sdk_lists_is_said_exactly(tmp_path: Path, family: str, name: str) -> None:
    wanted = truth(family)[name]
    assert isinstance(wanted, list), wanted
    (server,) = servers(tmp_path, family, SAID[name][1])
    assert [server.dialect, server.incomplete] == [family, None]
    assert [tool.definition for tool in server.tools] == wanted
    assert all(tool.exact and tool.conditional is None for tool in server.tools)


@pytest.mark.parametrize(("family", "name"), each(DOUBTFUL))
def test_what_is_not_certain_is_said_to_be_so(tmp_path: Path, family: str, name: str) -> None:
    found = servers(tmp_path, family, DOUBTFUL[name][1])
    assert found
    for server in found:
        unsettled = server.incomplete or any(not tool.exact or tool.conditional for tool in server.tools)
        assert unsettled or "child" in str(server.name)


@pytest.mark.parametrize(("family", "name"), each(signature_sources.DOUBTFUL))
def test_what_is_not_certain_of_a_signature_is_not_claimed(tmp_path: Path, family: str, name: str) -> None:
    found = servers(tmp_path, family, signature_sources.DOUBTFUL[name][1])
    assert found
    for server in found:
        assert server.incomplete or any(not tool.exact or tool.conditional for tool in server.tools)
    wanted = truth(family)[name]
    listed = {tool["name"]: tool for tool in wanted} if isinstance(wanted, list) else {}
    for tool in (tool for server in found for tool in server.tools if tool.name in listed):
        assert {key: listed[tool.name].get(key) for key in tool.definition} == tool.definition
        assert listed[tool.name].keys() <= {*tool.definition, *tool.unknown}


@pytest.mark.parametrize(("family", "name"), each(NONE))
def test_what_only_looks_like_a_server_is_none(tmp_path: Path, family: str, name: str) -> None:
    assert servers(tmp_path, family, NONE[name][1]) == ()


@pytest.mark.parametrize("family", ALL)
def test_a_server_says_where_it_is_enabled_and_its_tools_stay_in_code(tmp_path: Path, family: str) -> None:
    (server,) = servers(tmp_path, family, EXACT["decorator with a call"][1])
    assert isinstance(server.anchor, Anchor)
    assert server.anchor.target == "mcp"
    assert server.sdk.basis == "given"
    assert all(isinstance(tool.declaration, Fixed) and tool.declaration.code == "PD324" for tool in server.tools)


@pytest.mark.parametrize(
    ("requirement", "source", "dialect"),
    [
        ("mcp<2", "from mcp.server.fastmcp import FastMCP\n", "mcp1-fastmcp"),
        ("mcp", "from mcp.server.fastmcp import FastMCP\n", "mcp1-fastmcp"),
        ("mcp>=2", "from mcp.server.mcpserver import MCPServer as FastMCP\n", "mcp2-mcpserver"),
        ("mcp", "from mcp.server import MCPServer as FastMCP\n", "mcp2-mcpserver"),
        ("fastmcp<3", "from fastmcp import FastMCP\n", "fastmcp2"),
        ("fastmcp<4", "from fastmcp import FastMCP\n", "fastmcp3"),
        ("fastmcp", "from fastmcp import FastMCP\n", "fastmcp4"),
        ("mcp>=1", EITHER, "mcp2-mcpserver"),
        ("mcp<2", EITHER, "mcp1-fastmcp"),
    ],
)
def test_requirement_and_imports_choose_a_dialect(tmp_path: Path, requirement: str, source: str, dialect: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\ndependencies = ["{requirement}"]\n')
    (tmp_path / "server.py").write_text(f'{source}mcp = FastMCP("x")\n@mcp.tool()\ndef one() -> str:\n    return ""\n')
    (server,) = extract(tmp_path).servers
    assert (server.dialect, server.sdk.basis) == (dialect, "requirement")
    assert [tool.name for tool in server.tools] == ["one"]


@pytest.mark.parametrize("rounds", [10, 100_000])
def test_a_large_table_beside_the_tools_hides_nothing(tmp_path: Path, rounds: int) -> None:
    source = f"""
        import unicodedata
        mcp = SERVER("demo")
        POINTS = (*range(0x20000), *range(0xE0000, 0xE1000))
        MARKS = {{point for point in POINTS if unicodedata.category(chr(point)) == "Mn"}}
        LONG = list(range(200_000))
        @mcp.tool()
        def one(text: str) -> str:
            "Take marks away."
            return text.translate(dict.fromkeys(MARKS))
        @mcp.tool(description=f"Of {{len(LONG)}} points.")
        def two() -> str: ...
        for number in range({rounds}):
            if number == {rounds - 1}:
                mcp.add_tool(one, name="three")
        mcp.run()
    """
    (server,) = servers(tmp_path, "mcp1-fastmcp", source)
    one, two, *others = server.tools
    assert (one.name, two.name) == ("one", "two")
    assert one.definition.get("description", "Take marks away.") == "Take marks away."
    assert two.definition.get("description", "Of 200000 points.") == "Of 200000 points."
    if rounds == 10:  # what is of no concern for the tools takes nothing from them
        assert one.exact
        assert two.exact
        assert [tool.name for tool in others] == ["three"]
    else:
        assert server.incomplete


LISTERS = (
    "fastmcp.experimental.transforms.code_mode import CodeMode",
    "fastmcp.server.transforms.search import BM25SearchTransform",
)
REPLACING = {
    "an argument": """
        def chosen():
            return [TRANSFORM()] if os.environ.get("SEARCH") else []
        mcp = SERVER("demo", transforms=chosen())
    """,
    "an element": """
        chosen = []
        if os.environ.get("SEARCH"):
            chosen.append(TRANSFORM())
        mcp = SERVER("demo", transforms=chosen)
    """,
}


@pytest.mark.parametrize("how", REPLACING)
@pytest.mark.parametrize("imported", LISTERS)
@pytest.mark.parametrize("family", PROVIDERS)
def test_what_lists_others_in_place_of_tools_changes_none(tmp_path: Path, family: str, imported: str, how: str) -> None:
    lines = f"import os\nfrom {imported} as TRANSFORM\n{dedent(REPLACING[how])}"
    (server,) = servers(tmp_path, family, f'{lines}\n@mcp.tool\ndef one() -> str:\n    """One."""\n    return ""\n')
    (tool,) = server.tools
    assert tool.exact
    assert tool.conditional is not None
    assert server.incomplete


@pytest.mark.parametrize("how", REPLACING)
def test_a_transform_that_is_not_known_leaves_nothing_known(tmp_path: Path, how: str) -> None:
    lines = f"import os\nfrom elsewhere import Loud as TRANSFORM\n{dedent(REPLACING[how])}"
    (server,) = servers(tmp_path, "fastmcp4", f"{lines}\n@mcp.tool\ndef one() -> str:\n    return ''\n")
    (tool,) = server.tools
    assert tool.definition.keys() == {"name"}
    assert tool.conditional
    assert server.incomplete


@pytest.mark.parametrize("family", PROVIDERS)
def test_a_transform_of_the_program_may_hide_any_tool(tmp_path: Path, family: str) -> None:
    source = """
        from fastmcp.server.transforms import Transform
        mcp = SERVER("demo")
        class Gate(Transform):
            async def list_tools(self, tools):
                return [tool for tool in tools if "write" not in tool.tags]
        mcp.add_transform(Gate())
        @mcp.tool(tags={"write"})
        def one() -> str: ...
    """
    (server,) = servers(tmp_path, family, source)
    assert all(tool.conditional for tool in server.tools)
    assert server.incomplete


@pytest.mark.parametrize("family", ALL)
def test_a_docstring_that_is_not_known_settles_nothing_but_itself(tmp_path: Path, family: str) -> None:
    source = '''
        import os
        mcp = SERVER("demo")
        def find(query: str) -> str:
            """Find."""
            return query
        find.__doc__ += os.environ["HINT"]
        mcp.tool()(find)
        mcp.tool(description="Given.", name="told")(find)
    '''
    (server,) = servers(tmp_path, family, source)
    find, told = server.tools
    assert find.name == "find"
    reads_parameters = family in PROVIDERS
    assert set(find.unknown) == ({"description", "inputSchema"} if reads_parameters else {"description"})
    assert told.exact is not reads_parameters
