"""Suppressions: which findings a comment hides, and what is said of one that does not work."""

from __future__ import annotations

import pytest

from pdmigrate.findings import finding
from pdmigrate.model import Finding, Fixed, Inventory, Sdk, Server, Site, Tool
from pdmigrate.report.suppress import apply, in_inventory, suppressions


def at(line: int, code: str = "PD101", file: str = "server.py") -> Finding:
    return finding(code, f"{code} on {line}", site=Site(file, line))


COVERED = {
    "the line it ends": ("x = 1  # pdmigrate: ignore[PD101] on purpose\n", 1),
    "the next line, alone on one": ("# pdmigrate: ignore[PD101] on purpose\nx = 1\n", 2),
    "the next code, over a blank line and a comment": ("# pdmigrate: ignore[PD101] why\n\n# other\nx = 1\n", 4),
    "both of two stacked": ("# pdmigrate: ignore[PD102] why\n# pdmigrate: ignore[PD101] why\nx = 1\n", 3),
    "one of several codes": ("x = 1  # pdmigrate: ignore[PD102, PD101] why\n", 1),
    "behind another comment": ("x = f()  # type: ignore # pdmigrate: ignore[PD101] why\n", 1),
    "without blanks": ("x = 1  #pdmigrate:ignore[PD101]why\n", 1),
    "the beginning of a long literal": ('x = f("""\na\n""")  # pdmigrate: ignore[PD101] why\n', 1),
    "a line inside brackets": ("x = [\n    # pdmigrate: ignore[PD101] why\n    1,\n]\n", 3),
    "windows newlines": ("a = 0\r\nx = 1  # pdmigrate: ignore[PD101] why\r\n", 2),
    "code before what cannot be read": ("x = 1  # pdmigrate: ignore[PD101] why\ny = (\n", 1),
}
NOT_COVERED = {
    "no comment": ("x = 1\n", 1),
    "another line": ("x = 1  # pdmigrate: ignore[PD101] why\ny = 2\n", 2),
    "another code": ("x = 1  # pdmigrate: ignore[PD102] why\n", 1),
    "no reason": ("x = 1  # pdmigrate: ignore[PD101]\n", 1),
    "a reason of punctuation": ("x = 1  # pdmigrate: ignore[PD101]: -\n", 1),
    "no code": ("x = 1  # pdmigrate: ignore everything here\n", 1),
    "all codes": ("x = 1  # pdmigrate: ignore[*] why\n", 1),
    "a text": ('x = "# pdmigrate: ignore[PD101] why"\n', 1),
    "a docstring": ('"""\n# pdmigrate: ignore[PD101] why\n"""\n', 2),
    "a longer word": ("x = 1  # pdmigrate: ignored[PD101] why\n", 1),
    "another tool": ("x = 1  # noqa: PD101 why\n", 1),
    "a comment above other code": ("# pdmigrate: ignore[PD101] why\ny = 2\nx = 1\n", 3),
    "behind what cannot be read": ('y = """\nx = 1  # pdmigrate: ignore[PD101] why\n', 2),
    "lower case": ("x = 1  # pdmigrate: ignore[pd101] why\n", 1),
}


@pytest.mark.parametrize("case", COVERED)
def test_a_comment_hides_a_finding_on(case: str) -> None:
    text, line = COVERED[case]
    result = apply([at(line)], {"server.py": text})
    assert result.hidden == (at(line),)
    assert result.findings == ()


@pytest.mark.parametrize("case", NOT_COVERED)
def test_nothing_is_hidden_by(case: str) -> None:
    text, line = NOT_COVERED[case]
    result = apply([at(line)], {"server.py": text})
    assert at(line) in result.findings
    assert result.hidden == ()


def test_a_comment_in_one_file_says_nothing_of_another() -> None:
    text = "x = 1  # pdmigrate: ignore[PD101] why\n"
    assert apply([at(1, file="other.py")], {"server.py": text, "other.py": "x = 1\n"}).hidden == ()


def test_a_finding_without_a_place_is_hidden_by_the_setting_only() -> None:
    nowhere = finding("PD801", "nowhere")
    text = "x = 1  # pdmigrate: ignore[PD801] why\n"
    assert nowhere in apply([nowhere], {"server.py": text}).findings
    assert apply([nowhere], {}, ignore=["PD801"]).hidden == (nowhere,)


PROBLEMS = {
    "no reason": ("x = 1  # pdmigrate: ignore[PD101]\n", ["PD804"]),
    "no code": ("x = 1  # pdmigrate: ignore because\n", ["PD805"]),
    "neither": ("x = 1  # pdmigrate: ignore\n", ["PD804", "PD805"]),
    "an unknown code": ("x = 1  # pdmigrate: ignore[PD999] why\n", ["PD805"]),
    "nothing to hide": ("x = 1  # pdmigrate: ignore[PD102] why\n", []),
}


@pytest.mark.parametrize("case", PROBLEMS)
def test_a_suppression_that_does_not_work_is_reported(case: str) -> None:
    text, codes = PROBLEMS[case]
    result = apply([at(1)], {"server.py": text})
    own = [found for found in result.findings if found.code.startswith("PD8")]
    assert [found.code for found in own] == codes
    assert all(found.site == Site("server.py", 1) for found in own)


def test_findings_come_sorted_by_place_and_once() -> None:
    nowhere = finding("PD801", "nowhere")
    found = [at(9), at(2, "PD102"), at(2), nowhere, at(2), at(1, file="a.py")]
    assert apply(found, {}).findings == (nowhere, at(1, file="a.py"), at(2), at(2, "PD102"), at(9))


def test_a_file_without_the_mark_is_not_tokenized() -> None:
    assert suppressions("server.py", "x = (((\n") == []


def test_an_inventory_loses_the_message_and_keeps_the_tool() -> None:
    tool = Tool({}, Site("server.py", 3), Fixed("it is computed", "PD101"), findings=(at(3), at(4)))
    server = Server("d", Site("server.py", 1), "s", Sdk("mcp", "1", "given"), Fixed("x", "PD101"), (tool,))
    text = "\n\nx = 1  # pdmigrate: ignore[PD101] why\ny = 2\nz = 3  # pdmigrate: ignore[PD102] why\n"
    result, kept = in_inventory(Inventory((server,), (at(2, "PD106"),)), {"server.py": text}, ignore=["PD106"])
    assert len(kept.hidden) == 2
    assert result.servers[0].tools[0].findings == (at(4),)
    assert result.findings == ()
