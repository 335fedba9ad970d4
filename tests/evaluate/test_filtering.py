"""Lists that are filtered under conditions, and tables of which an unknown part is worked on again and again."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from pdmigrate.model import Known, Tool
from tests.evaluate.support import HEAD, evaluate_handler, only_server, tools

LISTED = """
import os
MADE = [Tool(name=name, description=f"{name}.", inputSchema={}) for name in ("one", "two", "three", "four")]
@server.list_tools()
async def handle():
    found = list(MADE)
"""


def handled(folder: Path, body: str) -> dict[str | None, Tool]:
    server = only_server(folder, f"{LISTED}{indent(body, '    ')}\n    return found\n")
    assert server.incomplete is None
    found = tools(server)
    assert len(found) == len(server.tools)
    return found


def known(tool: Tool) -> object:
    """The description of a tool, where it is known."""
    field = tool.fields["description"]
    return field.value if isinstance(field, Known) else None


def without(name: str) -> str:
    return f"found = [tool for tool in found if tool.name != {name!r}]\n"


FILTERED = {
    "once": (f"if os.environ.get('A'):\n    {without('one')}", {"one"}),
    "two at once": (f"if os.environ.get('A'):\n    {without('one')}    {without('three')}", {"one", "three"}),
    "one after the other": (
        f"if os.environ.get('A'):\n    {without('one')}if os.environ.get('B'):\n    {without('three')}",
        {"one", "three"},
    ),
    "one or the other": (
        f"if os.environ.get('A'):\n    {without('two')}else:\n    {without('three')}",
        {"two", "three"},
    ),
    "returned before it": (
        f"if os.environ.get('A'):\n    return found\nif os.environ.get('B'):\n    {without('one')}",
        {"one"},
    ),
    "again and again": (
        "".join(
            f"if os.environ.get('{letter}'):\n    {without(name)}"
            for letter in "ABCDEFGH"
            for name in ("one", "two", "three")
        ),
        {"one", "two", "three"},
    ),
}


@pytest.mark.parametrize(("body", "conditional"), FILTERED.values(), ids=FILTERED)
def test_a_filtered_list_has_each_tool_once(body: str, conditional: set[str], tmp_path: Path) -> None:
    found = handled(tmp_path, body)
    assert set(found) == {"one", "two", "three", "four"}
    assert {name for name, tool in found.items() if tool.conditional} == conditional
    assert {name: known(tool) for name, tool in found.items()} == {name: f"{name}." for name in found}


TURNED = {
    "reversed in one case": "if os.environ.get('A'):\n    found = found[::-1]\n",
    "one moved in one case": "if os.environ.get('A'):\n    found = [*found[1:], found[0]]\n",
    "reversed and filtered": f"if os.environ.get('A'):\n    found = found[::-1]\n    {without('two')}",
}


@pytest.mark.parametrize("body", TURNED.values(), ids=TURNED)
def test_the_first_of_a_list_in_another_order_is_not_known(body: str, tmp_path: Path) -> None:
    server = only_server(
        tmp_path,
        f"{LISTED}{indent(body, '    ')}\n"
        "    return [Tool(name='first', description=found[0].description, inputSchema={})]\n",
    )
    assert known(tools(server)["first"]) is None


TABLE = """
import os
TABLE = {"a": {"text": "A."}, "b": {"text": "B."}}
APART = {"text": "Apart."}
def change(key, text):
    entry = TABLE[key]
    entry["text"] = text
"""
HANDLER = """
@server.list_tools()
async def handle():
    return [Tool(name=name, description=entry["text"], inputSchema={}) for name, entry in (
        ("a", TABLE["a"]), ("b", TABLE["b"]), ("apart", APART),
    )]
"""
CHANGED = {
    "not at all": ("", {"a", "b", "apart"}),
    "once": ("change(os.environ['X'], 'other')\n", {"apart"}),
    "twice": ("change(os.environ['X'], 'other')\nchange(os.environ['Y'], 'another')\n", {"apart"}),
    "a known one after it": ("change(os.environ['X'], 'other')\nTABLE['a'] = {'text': 'C.'}\n", {"a", "apart"}),
    "a new one in between": (
        """
change(os.environ["X"], "other")
NEW = {"text": "C."}
TABLE["a"] = NEW
change(os.environ["Y"], "another")
TABLE = {"a": NEW, "b": NEW}
""",
        {"apart"},
    ),
    "another one put into what was changed": (
        """
change(os.environ["X"], "other")
entry = TABLE[os.environ["Y"]]
entry["inner"] = APART
entry["inner"]["text"] = "changed"
""",
        set(),
    ),
    "in one case, then in both": (
        "if os.environ.get('Z'):\n    change(os.environ['X'], 'other')\nchange(os.environ['X'], 'other')\n",
        {"apart"},
    ),
}


@pytest.mark.parametrize(("body", "kept"), CHANGED.values(), ids=CHANGED)
def test_what_an_unknown_entry_may_be_is_forgotten_each_time(body: str, kept: set[str], tmp_path: Path) -> None:
    found = tools(only_server(tmp_path, f"{TABLE}{body}{HANDLER}"))
    assert {name for name, tool in found.items() if known(tool) is not None} == kept


def test_working_on_an_unknown_part_of_a_large_table_is_not_too_much(tmp_path: Path) -> None:
    table = "TABLE = {str(n): {'text': [n, {'more': [n]}]} for n in range(600)}\nAPART = 'Apart.'\n"
    work = "entry = TABLE[os.environ['X']]\n" + "entry['text'].append(1)\n" * 60
    handler = (
        "\n@server.list_tools()\nasync def handle():\n"
        "    return [Tool(name='one', description=APART, inputSchema={})]\n"
    )
    inventory = evaluate_handler(tmp_path, {"server.py": f"import os\n{HEAD}{table}{work}{handler}"})
    assert "PD201" not in {one.code for one in inventory.all_findings()}
    assert known(inventory.servers[0].tools[0]) == "Apart."
