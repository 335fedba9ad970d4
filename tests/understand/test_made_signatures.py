"""Tools whose signatures the program makes, and registries that are filled where nobody looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, LOW, fields_in, servers_in

MADE = FAST + "import inspect\nfrom typing import Annotated\nfrom pydantic import BaseModel, Field\n"
ADD = "def impl(**given):\n    'Does.'\n"
NUMBER = {"n": {"title": "N", "type": "integer"}}
P = "inspect.Parameter('n', inspect.Parameter.KEYWORD_ONLY, annotation=int)"
MODEL = "class M(BaseModel):\n    n: Annotated[int, Field(description='How many.')]\n    tag: str | None = None\n"
SIGN = "impl.__signature__ = inspect.Signature"
HINT = "impl.__annotations__ = {'n': int}\n"
FROM_MODEL = (
    MADE + MODEL + ADD + "params, hints = [], {}\nfor key, field in M.model_fields.items():\n"
    "    hints[key] = field.annotation\n"
    "    more = {} if field.is_required() else {'default': field.default}\n"
    "    params.append(inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY, annotation=field.annotation, **more))\n"
    f"{SIGN}(params)\nimpl.__annotations__ = hints\nmcp.add_tool(impl)\n"
)

OPEN = {"a field is changed": FROM_MODEL.replace("params,", "M.model_fields['n'].description = 'B'\nparams,")}


def test_a_made_signature_is_the_one_that_is_sent(tmp_path: Path) -> None:
    source = MADE + ADD + f"{SIGN}([{P}])\n{HINT}mcp.add_tool(impl)"
    (schema,) = fields_in(tmp_path, {"server.py": source}, "inputSchema").values()
    assert schema["properties"] == NUMBER


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_a_signature_that_is_not_known_is_not_claimed(tmp_path: Path, source: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": source})
    assert [("name" in tool.definition, "inputSchema" in tool.unknown) for tool in server.tools] == [(True, True)]


REGISTRY = """
class Registry:
    def __init__(self):
        self.specs = {}
    def add(self, name, text):
        self.specs[name] = text
REGISTRY = Registry()
def tool(*, registry: Registry = REGISTRY):
    def decorate(f):
        registry.add(f.__name__, f.__doc__)
        return f
    return decorate
class Marker:
    def __call__(self, f, registry=REGISTRY):
        registry.add(f.__name__, f.__doc__)
        return f
mark = Marker()
"""
LISTED = LOW + (
    'from registry import REGISTRY\nimport load\nload.everything()\nserver = Server("x")\n@server.list_tools()\n'
    "async def listed():\n"
    "    return [types.Tool(name=n, description=t, inputSchema={}) for n, t in REGISTRY.specs.items()]\n"
)
WALK = (
    "import importlib\ndef everything():\n    for name in ('inner.one', 'two'):\n"
    "        importlib.import_module(f'tools.{name}')\n"
)
TOOLS = {
    "tools/__init__.py": "",
    "tools/inner/__init__.py": "",
    "tools/inner/one.py": "from registry import tool\n@tool()\ndef one():\n    'One.'\n",
    "tools/two.py": "from registry import mark\n@mark\ndef two():\n    'Two.'\n",
}


def test_a_registry_is_filled_through_a_default_of_a_decorator(tmp_path: Path) -> None:
    files = {"server.py": LISTED, "registry.py": REGISTRY, "load.py": WALK, **TOOLS}
    assert fields_in(tmp_path, files, "description") == {"one": "One.", "two": "Two."}
