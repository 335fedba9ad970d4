"""Functions that take more steps than the evaluator allows: they are left out, and the rest stays known."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.inventory.extract import extract
from pdmigrate.model import Inventory, Known, Server, Tool, Unknown
from pdmigrate.tree.code.effects import effects_of
from tests.evaluate.support import HEAD, VERSIONS, only_server, tools, write_sources

LONG = """
def load(settings, names):
    total = 0
    for a in range(1000):
        for b in range(1000):
            total += a * b
    settings["total"] = total
    names.append("more")
    return names
"""
LISTED = """
    return [Tool(name=name, description=d, inputSchema={"type": "object"}) for name, d in NAMES.items()]
"""


def texts(found: Server) -> dict[str | None, object]:
    fields = {name: tool.fields["description"] for name, tool in tools(found).items()}
    return {name: field.value if isinstance(field, Known) else None for name, field in fields.items()}


def codes(inventory: Inventory) -> set[str]:
    return {one.code for one in inventory.all_findings()}


def test_what_a_long_function_cannot_reach_stays_known(tmp_path: Path) -> None:
    program = f"""{LONG}
NAMES = {{"one": "First.", "two": "Second."}}
SETTINGS = {{}}
load(SETTINGS, [])
@server.list_tools()
async def listed():{LISTED}"""
    inventory = extract(write_sources(tmp_path, {"server.py": HEAD + program}), sdk=VERSIONS)
    (found,) = inventory.servers
    assert texts(found) == {"one": "First.", "two": "Second."}
    assert found.incomplete is not None
    assert "load() in server.py takes more steps" in found.incomplete
    assert "PD201" not in codes(inventory)


def test_what_a_long_function_is_given_is_forgotten(tmp_path: Path) -> None:
    program = f"""{LONG}
NAMES = {{"one": "First."}}
load(NAMES, [])
@server.list_tools()
async def listed():{LISTED}"""
    found = only_server(tmp_path, program)
    assert not any(isinstance(text, str) for text in texts(found).values())
    assert "load() in server.py takes more steps" in (found.incomplete or "")


def test_what_a_long_function_calls_is_forgotten(tmp_path: Path) -> None:
    program = """
NAMES = {"one": "First."}
KEPT = {"text": "Kept."}
class Registry:
    def __init__(self):
        self.names = NAMES
    def rename(self):
        for table in (self.names,):
            table["one"] = "Changed."
registry = Registry()
def load():
    for a in range(1000):
        for b in range(1000):
            a * b
    registry.rename()
load()
@server.list_tools()
async def listed():
    return [
        Tool(name="one", description=NAMES["one"], inputSchema={"type": "object"}),
        Tool(name="two", description=KEPT["text"], inputSchema={"type": "object"}),
    ]
"""
    assert texts(only_server(tmp_path, program)) == {"one": None, "two": "Kept."}


DECORATED = """
from mcp.server.fastmcp import FastMCP
mcp = FastMCP("demo")
@mcp.tool()
def before(a: int) -> str:
    '''Before.'''
def prepare(server):
    for a in range(1000):
        for b in range(1000):
            a * b
    {change}
prepare({given})
@mcp.tool()
def after(a: int) -> str:
    '''After.'''
mcp.run()
"""


def decorated(root: Path, change: str, given: str) -> dict[str | None, Tool]:
    program = DECORATED.replace("{change}", change).replace("{given}", given)
    inventory = extract(write_sources(root, {"server.py": program}), sdk=VERSIONS)
    (found,) = inventory.servers
    assert "prepare() in server.py takes more steps" in (found.incomplete or "")
    assert "PD201" not in codes(inventory)
    return tools(found)


def test_tools_before_and_after_a_long_function_are_known(tmp_path: Path) -> None:
    for number, (change, given) in enumerate([("return server", "None"), ("server.tool()(len)", "mcp")]):
        found = decorated(tmp_path / str(number), change, given)
        described = {name: tool.fields["description"] for name, tool in found.items()}
        known = {name: field.value for name, field in described.items() if isinstance(field, Known)}
        assert known == {"before": "Before.", "after": "After."}


def test_tools_that_a_long_function_may_remove_keep_their_names_alone(tmp_path: Path) -> None:
    found = decorated(tmp_path, "server.remove_tool('before')", "mcp")
    assert set(found) == {"before", "after"}
    assert isinstance(found["before"].fields["description"], Unknown)
    assert found["before"].conditional is not None


def test_a_loop_of_a_task_is_followed_for_some_turns(tmp_path: Path) -> None:
    program = f"""
import asyncio
NAMES = {{"one": "First."}}
SEEN = []
async def watch():
    while True:
        SEEN.append(len(SEEN))
        await asyncio.sleep(1)
def main():
    asyncio.create_task(watch())
main()
@server.list_tools()
async def listed():{LISTED}"""
    inventory = extract(write_sources(tmp_path, {"server.py": HEAD + program}), sdk=VERSIONS)
    assert texts(inventory.servers[0]) == {"one": "First."}
    assert inventory.servers[0].incomplete is None
    assert "PD201" not in codes(inventory)


def test_what_code_spells() -> None:
    spelled = effects_of("    def f(self, a):\n        global g\n        self.x = [b.y, getattr(a, 'z')]\n")
    assert {"self", "a", "b", "g"} <= spelled.names
    assert (spelled.attributes, spelled.stored, spelled.rebound) == ({"x", "y", "z"}, {"x"}, {"g"})
    assert not spelled.computed
    assert not spelled.anything
    assert effects_of("lambda a, n: getattr(a, n)").computed
    assert effects_of("globals()['a']").anything
    assert effects_of("re.compile('a')").anything is False
    assert effects_of("f(x for x in y)").indirect is False
    assert effects_of("table['f']()").indirect
    assert effects_of("def f(:").anything


@pytest.mark.parametrize(
    "code",
    [
        "re.sub('a', f, text)",
        "pattern.sub(f, text)",
        "re.sub('a', string=text, repl=f)",
        "re.sub(*given)",
        "json.loads(text, object_hook=f)",
        "json.dumps(value, default=f)",
        "json.dumps(value, **options)",
        "shutil.copytree(a, b, copy_function=f)",
        "shutil.move(a, b, f)",
        "os.walk(folder, onerror=f)",
    ],
)
def test_code_that_hands_a_callback_over_calls_indirectly(code: str) -> None:
    assert effects_of(code).indirect


@pytest.mark.parametrize(
    "code",
    [
        "re.sub(pattern, '', text)",
        "re.sub(pattern, f'{a}', text, flags=re.I)",
        "pattern.sub('', text)",
        "re.sub('a', lambda found: found[0], text)",
        "json.loads(text)",
        "json.dumps(value, indent=2, sort_keys=order)",
        "json.dump(value, file)",
        "shutil.copytree(a, b, dirs_exist_ok=True)",
        "shutil.move(a, b)",
        "os.walk(folder, followlinks=follow)",
        "Field(default=value)",
    ],
)
def test_code_that_hands_no_callback_over_does_not(code: str) -> None:
    assert not effects_of(code).indirect
