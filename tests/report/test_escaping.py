"""Whatever a name holds: shown without being obeyed, told from every other name, and read back as it was."""

from __future__ import annotations

import dataclasses
import json
import os
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote_to_bytes

from hypothesis import given, settings
from hypothesis import strategies as st

from pdmigrate.audit.tokens import counter
from pdmigrate.describe.descriptions import dump, load
from pdmigrate.escaping import block, json_text, name, one_line, place, visible
from pdmigrate.findings import finding
from pdmigrate.migrate.write.diff import for_terminal
from pdmigrate.model import Fate, FileChange, FileKind, Finding, Known, Outcome, Plan, Server, Site
from pdmigrate.report.explain import tool_text
from pdmigrate.report.formats import rendered
from pdmigrate.report.inventory import inventory_json, inventory_text
from pdmigrate.report.plans import accounting_text, changes_text, plan_json
from pdmigrate.report.text import Colours, findings_text
from tests.report.samples import EXACT, INVENTORY, PLAN, SERVER

ODD = (
    "\x1b[2J", "\x1b[31m", "\x1b]0;title\x07", "\x9b31m", "\r", "\n", "\n::error::x", " ::warning file=a::b",
    "##[error]x", "##vso[task.setvariable variable=a]b", "##teamcity[x]", "###[group]", "::stop-commands::x", "\t",
    "\0", "\x7f", "\x85", "\u2028", "\u202e", "\u2066", "\u200b", "\u200d", "\u3164", "\ufe0f", "\ufeff", "\U000e0041",
    "\udc80", "\ud83d", "\\x1b", "\\n", '"', '\\"', "%0A", "%", ",", ":", " ", "a", "é", "名", "\u00a0", "]", ";",
    "x" * 300,
)  # fmt: skip
ANY = st.characters(exclude_categories=())
"""Every code point, those of surrogate pairs too."""
NAMES = st.lists(st.sampled_from(ODD) | ANY, min_size=1, max_size=8).map("".join)
GENTLY = settings(max_examples=100, derandomize=True, database=None, deadline=None)


def command(line: str) -> tuple[str, dict[str, str], str] | None:
    """The workflow command that GitHub's runner sees in a line of a log, as its parser decides."""
    stripped = line.lstrip()
    if stripped.startswith("::") and "::" in stripped[2:]:
        head, _, data = stripped[2:].partition("::")
        word, _, given_properties = head.partition(" ")
        pairs = (pair.split("=", 1) for pair in given_properties.strip().split(",") if pair)
        properties = {key: _undone(value, "\r\n:,%") for key, value in pairs}
        return word, properties, _undone(data, "\r\n%")
    old = re.search(r"##\[([^\]]*)\](.*)", line)
    return (old[1], {}, old[2]) if old else None


def _undone(text: str, signs: str) -> str:
    for sign in signs:
        text = text.replace(f"%{ord(sign):02X}", sign)
    return text


def assert_harmless(text: str) -> None:
    text.encode()
    assert not [char for char in text if char != "\n" and not char.isprintable()]
    assert not [line for line in re.split("[\r\n\x85\u2028\u2029]", text) if command(line)]
    assert "##vso[" not in text
    assert "##teamcity[" not in text


def told(text: str) -> Finding:
    message = f"the tool {text} of the file {text}"
    return finding("PD901", message, hint=f"see {text}", site=Site(text, 3), tool=text, detail=f"- {text}\n+ {text}")


def reports(text: str, style: Colours) -> Iterator[str]:
    """Every text for people, with ``text`` wherever a project decides what stands there."""
    found = told(text)
    tool = dataclasses.replace(
        EXACT, fields={**EXACT.fields, "name": Known(text), text: Known({text: text})}, site=Site(text, 1)
    )
    server = dataclasses.replace(SERVER, name=text, site=Site(text, 1), tools=(tool,), incomplete=f"because of {text}")
    inventory = dataclasses.replace(INVENTORY, servers=(server,), findings=(found,))
    outcomes = (Outcome(text, text, Fate.SKIPPED, f"as {text} says", 5, 6),)
    changes = (FileChange(text, None, b"", FileKind.CODE, f"for {text}"),)
    plan = dataclasses.replace(PLAN, outcomes=outcomes, changes=changes, findings=(found,), notes=(f"note: {text}",))
    yield findings_text([found], style)
    yield inventory_text(inventory, style)
    yield accounting_text(plan, counter(), style)
    yield changes_text(changes, style)
    yield tool_text(server, tool, style)


@given(NAMES)
@GENTLY
def test_what_people_read_drives_neither_terminal_nor_log(text: str) -> None:
    plain = (f"{text} is said by a command", one_line(text), name(text), place(Site(text, 1)))
    for report in (*reports(text, Colours()), *plain):
        assert_harmless(block(report))


@given(NAMES)
@GENTLY
def test_in_colour_there_are_our_codes_and_no_others(text: str) -> None:
    for report in reports(text, Colours(colour=True)):
        shown = block(report, colour=True)
        assert shown.count("\x1b[") == report.count("\x1b[") or "\x1b[" in text
        assert_harmless(re.sub(r"\x1b\[(?:0|1|2|31|32|33|36)m", "", shown))
    change = FileChange(text.replace("\0", ""), b"a\n", b"a\n", FileKind.CODE, "")
    assert_harmless(for_terminal([change], colour=True))


@given(NAMES)
@GENTLY
def test_no_two_names_look_alike(text: str) -> None:
    short = text[:200]
    shown = name(short)
    # A reader of JSON joins two halves of a surrogate pair that are written as escapes.
    joined = short.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert (json.loads(shown) if shown.startswith('"') else shown) in (short, joined)
    assert "\n" not in shown
    assert len(name(text)) < 2500


@given(NAMES)
@GENTLY
def test_annotations_are_one_line_each_and_say_it(text: str) -> None:
    lines = rendered("github", [told(text), finding("PD407", text)]).split("\n")
    assert lines.pop() == ""
    second, first = (command(line) for line in lines)
    assert not any(char != "\n" and not char.isprintable() for line in lines for char in line)
    assert (first[0], second[0]) == ("error", "warning")
    assert second[2].startswith(visible(text))
    assert first[1]["line"] == "3"


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings(part)
    elif isinstance(value, str):
        yield value


@given(NAMES)
@GENTLY
def test_json_and_sarif_read_back_as_the_very_name(text: str) -> None:
    found = told(text)
    raw = rendered("sarif", [found])
    assert_harmless(raw)
    result = json.loads(raw)["runs"][0]["results"][0]
    assert found.message in result["message"]["text"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not any(char in uri for char in "\r\n :\\")
    assert any("\ud800" <= char <= "\udfff" for char in text) or unquote_to_bytes(uri) == os.fsencode(text)
    tool = dataclasses.replace(EXACT, fields={**EXACT.fields, "name": Known(text)})
    server: Server = dataclasses.replace(SERVER, name=text, tools=(tool,))
    plan: Plan = dataclasses.replace(PLAN, outcomes=(Outcome(text, text, Fate.MOVED, "", 1, 1),), findings=(found,))
    for value in (
        inventory_json(dataclasses.replace(INVENTORY, servers=(server,))),
        plan_json(plan, counter(), written=False),
    ):
        raw = json_text(value)
        assert_harmless(raw)
        assert json.loads(raw) == value
        assert text in set(strings(json.loads(raw)))


@given(NAMES)
@GENTLY
def test_a_description_file_is_read_back_whatever_its_tool_is_called(text: str) -> None:
    content = {"name": text, "owner": "code", "inputSchema": {"properties": {text: {"enum": [text]}}}}
    assert load("x.json", dump(content)).data == content


def test_what_people_write_stays_readable_in_files() -> None:
    """Blanks that do not break and joiners belong to prose in French and Persian, and in pictures."""
    text = "voilà\u00a0: می\u200cخواهم 👩\u200d💻 ✔\ufe0f ## heading ##[x]"
    assert text in dump({"name": text}).decode()
    assert b"\\u202e" in dump({"name": "\u202e"})
