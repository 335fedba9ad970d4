"""Each rule of Python: a result that is known is Python's, and one that is not has a reason."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pdmigrate.model import Known, Unknown
from tests.evaluate.rule_cases import KNOWN
from tests.evaluate.rule_traps import UNKNOWN
from tests.support.program import evaluate_program

RUN = """
import json, sys, types
results = {}
for name, source in json.load(sys.stdin).items():
    module = types.ModuleType("program")
    sys.modules["program"] = module
    exec(compile(source, "program.py", "exec", dont_inherit=True), module.__dict__)
    results[name] = module.__dict__["result"]
print(json.dumps(results))
"""


@pytest.fixture(scope="module")
def really(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What Python makes of every program, in a process of its own: some change what Python itself has."""
    place: Path = tmp_path_factory.mktemp("rules")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        input=json.dumps(KNOWN),
        capture_output=True,
        text=True,
        check=True,
        cwd=place,
        timeout=60,
    )
    answers: dict[str, object] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("name", KNOWN)
def test_a_known_result_is_that_of_python(name: str, really: dict[str, object]) -> None:
    value = evaluate_program(KNOWN[name].lstrip("\n"))
    assert isinstance(value, Known), value
    assert json.loads(json.dumps(value.value)) == really[name]


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_is_not_guessed(name: str) -> None:
    code, source = UNKNOWN[name]
    value = evaluate_program(source.lstrip("\n"))
    assert isinstance(value, Unknown), value
    assert value.code == code, value
    assert value.reason
