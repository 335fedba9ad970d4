"""Claims are made only for versions that were measured, as each of them lists, and once of equal specs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from importlib import resources
from typing import Any

import pytest

from pdmigrate.model import Field, Known, Unknown
from pdmigrate.sdk.schemas import specs
from pdmigrate.sdk.schemas.signatures import fields, tool_fields
from pdmigrate.sdk.schemas.signatures.rules import VARIANTS

TEXT = specs.NameSpec("builtins.str")
DOC = "Find.\n\n    More.\n"
FUNCTION = specs.FunctionSpec("find_it", "server", (specs.ParameterSpec("a", annotation=TEXT),), TEXT, DOC, late=False)


def versions(package: str, version: str, **others: str) -> Mapping[str, str]:
    return {"mcp": "1.30.0", "fastmcp": "", "pydantic": "2.14.3", **others, package: version}


def written(value: Any) -> specs.ValueSpec:
    """A JSON value as source spells it."""
    match value:
        case dict():
            return specs.MappingValue(tuple((written(key), written(item)) for key, item in value.items()))
        case list():
            return specs.ItemsValue("list", tuple(map(written, value)))
    return specs.PlainValue(value)


UNMEASURED = [
    *(("mcp1-fastmcp", "mcp", version) for version in ("", "1.1.2", "1.99.0", "2.0.0", "x")),
    *(("mcp2-mcpserver", "mcp", version) for version in ("", "1.30.0", "2.99.0", "3.0.0")),
    *(("fastmcp2", "fastmcp", version) for version in ("", "2.0.0", "2.99.0", "3.4.10")),
    *(("fastmcp3", "fastmcp", version) for version in ("", "2.14.7", "3.99.0")),
    *(("fastmcp4", "fastmcp", version) for version in ("", "3.4.10", "4.99.0")),
]


@pytest.mark.parametrize(("family", "package", "version"), UNMEASURED)
def test_of_unmeasured_releases_name_and_agreed_docstring_are_said(family: str, package: str, version: str) -> None:
    fields = tool_fields(replace(FUNCTION, doc="Find."), (), family, versions(package, version))
    assert {name for name, item in fields.items() if isinstance(item, Known)} == {"name", "description"}
    assert (fields["name"], fields["description"]) == (Known("find_it"), Known("Find."))
    assert {item.code for item in fields.values() if isinstance(item, Unknown)} == {"PD346"}
    # Releases read the indentation of a docstring in several ways, and some send an empty text where there is none.
    for doc in (DOC, None):
        fields = tool_fields(replace(FUNCTION, doc=doc), (), family, versions(package, version))
        assert {name for name, item in fields.items() if isinstance(item, Known)} == {"name"}


@pytest.mark.parametrize("version", ["1.14.0.post1", "1.16.1", "1.30.1", "1.30.99"])
def test_a_release_between_neighbours_that_agree_or_after_the_last_of_its_series_lists_as_they_do(version: str) -> None:
    fields = tool_fields(FUNCTION, (), "mcp1-fastmcp", versions("mcp", version))
    assert not any(isinstance(item, Unknown) for item in fields.values())


def test_between_neighbours_that_differ_only_what_they_list_alike_is_said() -> None:
    # mcp 1.9 lists no results, mcp 1.10 does.
    fields = tool_fields(FUNCTION, (), "mcp1-fastmcp", versions("mcp", "1.9.5"))
    assert {name for name, item in fields.items() if isinstance(item, Unknown)} == {"outputSchema"}
    assert isinstance(fields["inputSchema"], Known)


def test_every_measured_release_follows_rules_that_there_are() -> None:
    table = json.loads((resources.files("pdmigrate.sdk.schemas.signatures") / "measured.json").read_text("utf-8"))
    followed = {variant for family in table.values() for variant in family["releases"].values()}
    assert followed == set(VARIANTS)
    assert {family["package"] for family in table.values()} == {"mcp", "fastmcp"}


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


@pytest.mark.parametrize("pydantic", ["", "1.10.0", "2.4.0", "2.15.0", "2.14.0b1"])
def test_another_pydantic_leaves_schemas_open_and_nothing_else(pydantic: str) -> None:
    fields = tool_fields(FUNCTION, (), "mcp1-fastmcp", versions("mcp", "1.30.0", pydantic=pydantic))
    assert {name for name, item in fields.items() if isinstance(item, Unknown)} == {"inputSchema", "outputSchema"}


def test_python_3_10_reads_some_annotations_in_another_way() -> None:
    spec = specs.CallValue("pydantic.Field", (), (("description", specs.PlainValue("A")),))
    annotation = specs.AnnotatedSpec(specs.UnionSpec((TEXT, specs.NONE)), (spec,))
    parameter = specs.ParameterSpec("a", annotation=annotation, default=specs.PlainValue(None))
    function = specs.FunctionSpec("f", "server", (parameter,), late=False)
    older = tool_fields(function, (), "fastmcp3", versions("fastmcp", "3.4.10", python="3.10.13"))
    newer = tool_fields(function, (), "fastmcp3", versions("fastmcp", "3.4.10", python="3.11.7"))
    assert isinstance(older["inputSchema"], Unknown)
    assert isinstance(newer["inputSchema"], Known)
    result = specs.FunctionSpec("f", "server", (), specs.NameSpec("typing.Any"), late=False)
    fields = tool_fields(result, (), "mcp1-fastmcp", versions("mcp", "1.30.0", python="3.10"))
    assert isinstance(fields["outputSchema"], Unknown)


INT = specs.NameSpec("builtins.int")
VALUES = (True, 1, 1.0, "1", None, "None", 0.0, -0.0)
DIFFERENT = (
    *(specs.ParameterSpec("a", default=specs.PlainValue(value)) for value in VALUES),
    specs.ParameterSpec("a", annotation=specs.UnionSpec((INT, TEXT))),
    specs.ParameterSpec("a", annotation=specs.UnionSpec((TEXT, INT))),
)


def _listed(*parameters: specs.ParameterSpec) -> dict[str, Field]:
    return tool_fields(specs.FunctionSpec("f", "m", parameters), (), "mcp1-fastmcp", versions("mcp", "1.30.0"))


def test_what_differs_is_told_apart_and_what_is_known_is_made_once() -> None:
    fields._listed_before.cache_clear()
    schemas = [repr(_listed(parameter)["inputSchema"]) for parameter in DIFFERENT]
    assert len({*schemas}) == len(DIFFERENT)
    assert [repr(_listed(deepcopy(parameter))["inputSchema"]) for parameter in DIFFERENT] == schemas
    assert fields._listed_before.cache_info().misses == len(DIFFERENT)


def test_what_is_taken_from_memory_is_the_callers_own() -> None:
    _listed(DIFFERENT[0]).clear()
    assert _listed(DIFFERENT[0])
