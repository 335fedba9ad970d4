"""Docstrings are read as fastmcp reads them, and come to the listing as Python compiles them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdmigrate.sdk.schemas.signatures.docstrings import compiled, parsed
from pdmigrate.sdk.schemas.unsettled import UnsettledError
from tests.schemas.signatures.asking import Oracle
from tests.support.environments import FASTMCP3, FASTMCP4, FASTMCP4_1, environment

LINES = (
    *("Text.", "text: more", "Use when: it fits", "", "", "", "- item", "```", "a:", ":", "::", "x-y z:", "Étape:"),
    *("Args:", "Args :", "ARGS:", "Arguments: all", "Parameters:", "Keyword Args:", "Other Parameters:", "**Args:**"),
    *("a: x", "a (int): desc", "b(str, optional): z", "*a: x", "a, b: c", "(x): y", "a : int", "a: 1: 2", "`a`: b"),
    *("Returns:", "Returns: it", "Yields:", "Raises:", "ValueError: if", "Warns:", "Attributes:", "Receives:", "Note:"),
    *("See Also:", "Tip: do", "Warning:", "Rules:", "Todo:", "Example:", "Examples:", ">>> f(1)", ">>> a: b"),
    *("Type aliases:", "Methods:", "Deprecated:", "http://x.y: z", "Parameters", "----------", "- -", "| - | - |"),
    *(":param a: x", ":keyword c: q", ":type a: str", ":returns: z", ":raises X: y", ":ivar v: w", ":foo: bar", ":a"),
)
INDENTS = ("", "", "", "", "    ", "    ", "  ", "        ", "   ", "\t")
SECTIONS = ("\nArgs:\n    a: x\n    b (int): y", "\nArgs:\n    a:\n        x: z", "Args:\n    a: x\n      y\n  z")
LINE = st.tuples(st.sampled_from(INDENTS), st.sampled_from(LINES)).map("".join)
DOCSTRINGS = st.lists(st.one_of(LINE, LINE, LINE, st.sampled_from(SECTIONS)), max_size=9).map("\n".join)


@pytest.fixture(scope="module")
def oracles() -> Iterator[Mapping[str, Oracle]]:
    pins = {"parameters": FASTMCP3, "sections": FASTMCP4_1, "headings": FASTMCP4}
    opened = {mode: Oracle(environment(each)) for mode, each in pins.items()}
    yield opened
    for oracle in opened.values():
        oracle.__exit__()


@pytest.mark.parametrize("mode", ["parameters", "sections", "headings"])
def test_a_random_docstring_says_what_fastmcp_takes_from_it(mode: str, oracles: Mapping[str, Oracle]) -> None:
    structured = {"found": 0}

    @settings(max_examples=400, suppress_health_check=list(HealthCheck))
    @given(doc=DOCSTRINGS)
    def search(doc: str) -> None:
        try:
            found = parsed(doc, mode)
        except UnsettledError:
            return
        real = oracles[mode].answer({"docstring": doc})
        assert (found.description, found.parameters) == (real["description"], real["parameters"])
        structured["found"] += bool(found.parameters)

    search()
    assert structured["found"] > 20


@pytest.mark.parametrize(
    ("written", "at_run_time"),
    [
        ("One line.", "One line."),
        ("  One line.", "One line."),
        ("One.\n\n    Two.\n      Three.\n    ", "One.\n\nTwo.\n  Three.\n"),
        ("\n    One.\n  \n    Two.", "\nOne.\n\nTwo."),
        ("One.\n    Two.\n        ", "One.\nTwo.\n    "),
        ("One.\n\tTwo.\n\t\tThree.", "One.\nTwo.\n        Three."),
        ("One.\nTwo.\n    Three.", "One.\nTwo.\n    Three."),
    ],
)
def test_python_3_13_takes_the_indentation_away(written: str, at_run_time: str) -> None:
    assert compiled(written, "3.13.0") == at_run_time


@pytest.mark.parametrize("python", ["", "3.10", "3.11.7", "3.12.9", "pypy"])
def test_other_versions_of_python_keep_it(python: str) -> None:
    assert compiled("One.\n    Two.", python) == "One.\n    Two."
    assert compiled(None, python) is None
