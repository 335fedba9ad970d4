"""Claims are made only for versions that were measured, and as each of them lists."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import pytest

from pdmigrate.model import Known, Unknown
from pdmigrate.schemas.signatures import tool_fields
from pdmigrate.schemas.signatures.rules import LINES
from pdmigrate.schemas.specs import (
    NONE,
    AnnotatedSpec,
    CallValue,
    FunctionSpec,
    NameSpec,
    ParameterSpec,
    PlainValue,
    UnionSpec,
)

TEXT = NameSpec("builtins.str")
DOC = "Find.\n\n    More.\n"
FUNCTION = FunctionSpec("find_it", "server", (ParameterSpec("a", annotation=TEXT),), TEXT, DOC, late=False)


def versions(package: str, version: str, **others: str) -> Mapping[str, str]:
    return {"mcp": "1.30.0", "fastmcp": "", "pydantic": "2.14.3", **others, package: version}


@pytest.mark.parametrize(
    ("family", "package", "version"),
    [
        *(("mcp1-fastmcp", "mcp", version) for version in ("", "1.1.2", "1.19.0", "1.31.0", "2.0.0", "1.30.0rc1", "x")),
        *(("mcp2-mcpserver", "mcp", version) for version in ("", "1.30.0", "2.4.0", "3.0.0")),
        *(("fastmcp2", "fastmcp", version) for version in ("", "2.12.5", "2.13.1", "2.15.0", "3.4.10")),
        *(("fastmcp3", "fastmcp", version) for version in ("", "2.14.7", "3.0.2", "3.2.3", "3.5.0")),
        *(("fastmcp4", "fastmcp", version) for version in ("", "3.4.10", "4.0.3", "4.2.0")),
    ],
)
def test_a_version_that_was_not_measured_is_not_spoken_of(family: str, package: str, version: str) -> None:
    fields = tool_fields(FUNCTION, (), family, versions(package, version))
    assert {item.code for item in fields.values() if isinstance(item, Unknown)} == {"PD346"}
    assert not any(isinstance(item, Known) for item in fields.values())


@pytest.mark.parametrize("family", LINES)
def test_the_lines_of_an_sdk_follow_each_other(family: str) -> None:
    _, lines = LINES[family]
    assert all(line.first < line.end for line in lines)
    assert all(before.end <= after.first for before, after in pairwise(lines))


@pytest.mark.parametrize(
    ("family", "package", "version", "field", "value"),
    [
        ("mcp1-fastmcp", "mcp", "1.30.0", "description", "Find.\n\n    More.\n"),
        ("fastmcp2", "fastmcp", "2.14.7", "description", "Find.\n\nMore."),
        ("fastmcp3", "fastmcp", "3.4.10", "title", None),
        ("fastmcp4", "fastmcp", "4.1.2", "title", "Find It"),
        ("mcp1-fastmcp", "mcp", "1.9.4", "outputSchema", None),
        ("mcp1-fastmcp", "mcp", "1.30.0", "_meta", None),
        ("fastmcp2", "fastmcp", "2.13.3", "_meta", {"_fastmcp": {"tags": []}}),
        ("fastmcp4", "fastmcp", "4.0.0", "_meta", {"fastmcp": {"tags": []}}),
        ("fastmcp3", "fastmcp", "3.4.10", "icons", None),
        ("mcp2-mcpserver", "mcp", "2.3.0", "execution", None),
    ],
)
def test_each_line_lists_in_its_way(family: str, package: str, version: str, field: str, value: object) -> None:
    found = tool_fields(FUNCTION, (), family, versions(package, version)).get(field)
    assert (found.value if isinstance(found, Known) else found) == value


def test_a_docstring_is_what_python_makes_of_it() -> None:
    fields = tool_fields(FUNCTION, (), "mcp1-fastmcp", versions("mcp", "1.30.0", python="3.13.1"))
    assert fields["description"] == Known("Find.\n\nMore.\n")


@pytest.mark.parametrize("pydantic", ["", "1.10.0", "2.4.0", "2.15.0", "2.14.0b1"])
def test_another_pydantic_leaves_schemas_open_and_nothing_else(pydantic: str) -> None:
    fields = tool_fields(FUNCTION, (), "mcp1-fastmcp", versions("mcp", "1.30.0", pydantic=pydantic))
    assert {name for name, item in fields.items() if isinstance(item, Unknown)} == {"inputSchema", "outputSchema"}


def test_python_3_10_reads_some_annotations_in_another_way() -> None:
    spec = CallValue("pydantic.Field", (), (("description", PlainValue("A")),))
    annotation = AnnotatedSpec(UnionSpec((TEXT, NONE)), (spec,))
    parameter = ParameterSpec("a", annotation=annotation, default=PlainValue(None))
    function = FunctionSpec("f", "server", (parameter,), late=False)
    older = tool_fields(function, (), "fastmcp3", versions("fastmcp", "3.4.10", python="3.10.13"))
    newer = tool_fields(function, (), "fastmcp3", versions("fastmcp", "3.4.10", python="3.11.7"))
    assert isinstance(older["inputSchema"], Unknown)
    assert isinstance(newer["inputSchema"], Known)
    result = FunctionSpec("f", "server", (), NameSpec("typing.Any"), late=False)
    fields = tool_fields(result, (), "mcp1-fastmcp", versions("mcp", "1.30.0", python="3.10"))
    assert isinstance(fields["outputSchema"], Unknown)
