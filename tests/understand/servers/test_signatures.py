"""Signatures that programs make themselves, against what each real SDK lists for the same source."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.servers.signature_sources import DOUBTFUL, EXACT
from tests.understand.servers.test_decorated import each, servers, truth


@pytest.mark.parametrize(("family", "name"), each(EXACT))
def test_a_signature_that_the_program_makes_is_what_the_sdk_sees(tmp_path: Path, family: str, name: str) -> None:
    wanted = truth(family)[name]
    assert isinstance(wanted, list), wanted
    (server,) = servers(tmp_path, family, EXACT[name][1])
    assert [tool.definition for tool in server.tools] == wanted
    assert all(tool.exact and tool.conditional is None for tool in server.tools)


@pytest.mark.parametrize(("family", "name"), each(DOUBTFUL))
def test_what_is_not_certain_of_a_signature_is_not_claimed(tmp_path: Path, family: str, name: str) -> None:
    found = servers(tmp_path, family, DOUBTFUL[name][1])
    assert found
    for server in found:
        assert server.incomplete or any(not tool.exact or tool.conditional for tool in server.tools)
    wanted = truth(family)[name]
    listed = {tool["name"]: tool for tool in wanted} if isinstance(wanted, list) else {}
    for tool in (tool for server in found for tool in server.tools if tool.name in listed):
        assert {key: listed[tool.name].get(key) for key in tool.definition} == tool.definition
        assert listed[tool.name].keys() <= {*tool.definition, *tool.unknown}
