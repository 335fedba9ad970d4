"""What a person is told: the way of every part of a value, and why something is not known."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pdmigrate.model import Known, Unknown
from pdmigrate.report.explain import tool_text
from tests.evaluate.support import HEAD, only_server, tools
from tests.support.program import evaluate_program

PARTS = {
    "pkg/__init__.py": "",
    "pkg/limits.py": "MOST = 9\nPAGE = {'type': 'integer', 'maximum': MOST}\n",
    "pkg/server.py": HEAD
    + dedent("""
        from .limits import PAGE
        @server.list_tools()
        async def handle():
            return [Tool(name="one", description="One.", inputSchema={
                "type": "object",
                "properties": {"a": {"type": "string"}, "page": PAGE},
                "required": ["a"],
            })]
    """),
}


def test_a_part_from_another_module_is_told_with_its_path(tmp_path: Path) -> None:
    field = only_server(tmp_path, PARTS).tools[0].fields["inputSchema"]
    assert isinstance(field, Known)
    assert [(step.part, step.text, str(step.site)) for step in field.steps] == [
        ("", "literal", "pkg/server.py:9"),
        ("properties.page", "literal", "pkg/limits.py:2"),
        ("properties.page.maximum", "constant MOST", "pkg/limits.py:1"),
        ("properties.page.maximum", "literal", "pkg/limits.py:1"),
    ]


def test_explain_prints_the_path_of_a_part(tmp_path: Path) -> None:
    server = only_server(tmp_path, PARTS)
    assert "  3. properties.page.maximum: constant MOST  pkg/limits.py:1" in tool_text(server, server.tools[0])


def test_what_stands_inside_the_literal_is_not_told_apart() -> None:
    value = evaluate_program("result = {'a': [1, {'b': 2}], 'c': ('d',)}\n")
    assert isinstance(value, Known)
    assert {step.part for step in value.steps} == {""}


def test_a_value_with_hundreds_of_parts_is_told_in_a_few_steps() -> None:
    source = "".join(f"C{n} = {n}\n" for n in range(300))
    value = evaluate_program(source + f"result = [{', '.join(f'C{n}' for n in range(300))}]\n")
    assert isinstance(value, Known)
    assert len(value.steps) < 30


def test_the_schema_of_a_model_says_where_the_model_stands(tmp_path: Path) -> None:
    server = only_server(
        tmp_path,
        """
        from pydantic import BaseModel
        class Query(BaseModel):
            text: str
        def run(): ...
        @server.list_tools()
        async def handle():
            return [Tool(name=run.__name__, description=Query.__name__, inputSchema=Query.model_json_schema())]
        """,
    )
    fields = tools(server)["run"].fields
    told = {key: [step.text for step in field.steps] for key, field in fields.items()}
    assert told == {
        "name": ["the name of the function"],
        "description": ["the name of the class"],
        "inputSchema": ["schema from a type", "model Query"],
    }


REASONS = {
    "a call that may fail": (
        "import lib\ntry:\n    n = lib.count()\nexcept ValueError:\n    n = 1\nresult = n",
        "PD306",
        "it depends on whether `n = lib.count()` fails: lib.count() comes from outside the package",
    ),
    "a block of several lines": (
        "import lib\ntry:\n    # the size\n    n = lib.count()\n    n = 3\nexcept ValueError:\n    n = 1\nresult = n",
        "PD306",
        "it depends on whether the block at `n = lib.count()` fails: lib.count() comes from outside the package",
    ),
    "a long line": (
        "import lib\ntry:\n    n = lib.count('" + "x" * 80 + "')\nexcept ValueError:\n    n = 1\nresult = n",
        "PD306",
        "it depends on whether `n = lib.count('" + "x" * 41 + " ...` fails: lib.count() comes from outside the package",
    ),
    "a chain of conditions is told by its ends": (
        "import os\na = 1 if os.getenv('A') else 2\nb = 3 if a == 1 else 4\nresult = 5 if b == 3 else 6",
        "PD301",
        "it depends on b == 3: the environment variable A",
    ),
    "an exception with a message": (
        "try:\n    {}['x']\nexcept KeyError as e:\n    result = str(e)",
        "PD312",
        "the exception KeyError: 'x'",
    ),
}


@pytest.mark.parametrize(("source", "code", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_names_the_condition_and_the_cause(source: str, code: str, reason: str) -> None:
    value = evaluate_program(source + "\n")
    assert isinstance(value, Unknown), value
    assert (value.code, value.reason) == (code, reason)


CONDITIONS = {
    "a name": ("flag = os.getenv('A')\nif not flag:\n    TOOLS.append(TWO)", "only when not flag ("),
    "a comparison": ("if os.getenv('A') == 'b':\n    pass\nelse:\n    TOOLS.append(TWO)", "only when not (os.getenv"),
    "the opposite of an opposite": (
        "if not (os.getenv('A') == 'b'):\n    pass\nelse:\n    TOOLS.append(TWO)",
        "only when os.getenv('A') == 'b' (",
    ),
    "not of a part": (
        "A, B = os.getenv('A'), os.getenv('B')\nif not A and B:\n    pass\nelse:\n    TOOLS.append(TWO)",
        "only when not (not A and B)",
    ),
    "a block that does not fail": (
        "try:\n    import lib\n    TOOLS.append(TWO)\nexcept ImportError:\n    pass",
        "only when the block at `import lib` does not fail (whether lib is installed)",
    ),
}


@pytest.mark.parametrize(("source", "condition"), CONDITIONS.values(), ids=CONDITIONS)
def test_a_condition_reads_as_a_sentence(tmp_path: Path, source: str, condition: str) -> None:
    body = (
        "import os\nTOOLS = []\nTWO = Tool(name='two', description='Two.', inputSchema={'type': 'object'})\n"
        f"{source}\n@server.list_tools()\nasync def handle():\n    return TOOLS\n"
    )
    server = only_server(tmp_path, {"server.py": HEAD + body})
    assert str(tools(server)["two"].conditional).startswith(condition)
