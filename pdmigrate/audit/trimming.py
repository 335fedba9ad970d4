"""What can be taken out of a listing by hand, without a change of protocol, and how many tokens that saves.

Every trim is a list of edits of the listed tools, and its saving is counted by making them: a figure here is what the
listing has less afterwards.  Nothing of the project is edited; the audit only shows the table.
"""

from __future__ import annotations

import copy
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pdmigrate.audit.tokens import Counter, compact, seen_tokens
from pdmigrate.counting import plural
from pdmigrate.describe.summaries import MARK, PART, SENTENCE_END
from pdmigrate.model import JsonObject

_TITLE = re.compile(
    r"^[ \t]*(?:#+[ \t]*|\*\*)?(?:args|arguments|params|parameters|inputs?)(?:\*\*)?:?(?:\*\*)?[ \t]*$", re.IGNORECASE
)
_UNDERLINE = re.compile(r"^[ \t]*-{3,}[ \t]*$")
_ENTRY = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*•][ \t]+)?[`*]{0,2}(?P<name>[A-Za-z_]\w*)[`*]{0,2}"
    r"(?P<annotation>[ \t]*\([^)\n]*\))?[ \t]*(?::|–|—|- )"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One parameter: its ``name``, the ``annotation`` in parentheses, and the whole ``text``, of which ``head`` is what
    stands before the parameter's own text.  Annotation, head and text are as they stand in the description.
    """

    name: str
    annotation: str
    head: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The ``text`` of a section as it stands in the description, title included, and its entries."""

    text: str
    entries: tuple[Entry, ...]


def parameter_sections(description: str) -> Iterator[Section]:
    """The sections of ``description`` that list parameters; a title without entries below it is no section."""
    lines = description.split("\n")
    number = 0
    while number < len(lines):
        end = _end(lines, number + 1) if _TITLE.match(lines[number]) else number + 1
        entries = tuple(_entries(lines[number + 1 : end]))
        if entries:
            yield Section("\n".join(lines[number:end]).rstrip(), entries)
        number = end


def _end(lines: list[str], start: int) -> int:
    """The number of the first line after the section whose text begins at ``start``."""
    if start < len(lines) and _UNDERLINE.match(lines[start]):
        start += 1
    first = _ENTRY.match(lines[start]) if start < len(lines) else None
    if first is None:
        return start
    indent, end = len(first["indent"]), start
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        entry = _ENTRY.match(line)
        deeper = len(line) - len(line.lstrip()) > indent
        if not deeper and (entry is None or len(entry["indent"]) != indent or _TITLE.match(line)):
            break
        if not deeper and re.match(r"^[ \t]*[A-Z]\w*:[ \t]*$", line):  # ``Returns:`` is a title, and no parameter
            break
        end = number + 1
    return end


def _entries(lines: list[str]) -> Iterator[Entry]:
    found = [match for line in lines if (match := _ENTRY.match(line))]
    if not found:
        return
    indent = len(found[0]["indent"])
    starts = [n for n, line in enumerate(lines) if (m := _ENTRY.match(line)) and len(m["indent"]) == indent]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        match = _ENTRY.match(lines[start])
        if match is not None:
            text = "\n".join(lines[start:stop]).rstrip()
            yield Entry(match["name"], match["annotation"] or "", match[0], text)


TOOLS = 3
"""A text that stands in at least so many tools is worth saying once."""

SHORTEST = 24
"""Texts of fewer characters are not worth a second look: the advice would be longer than the text."""

LARGE = 60
"""An enumeration or a definition of fewer characters, as compact JSON, is no burden where it is repeated."""

_FILLER = frozenset(re.findall(r"\w+", "a an the this tool to of for it is which that in by and or"))

Path = tuple[str | int, ...]
"""Keys and positions that lead to a value, from the outside in."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of the tool with the number ``tool``, at ``path`` below its definition.

    ``text`` is taken out of the text there and replaced by ``by``; without ``text`` the key itself is taken out.
    """

    tool: int
    path: Path
    text: str | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Trim:
    """``what`` can go, from which ``tools`` (names, in the order of the listing), and the tokens that this saves."""

    kind: str
    what: str
    advice: str
    tools: tuple[str, ...]
    tokens: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Trims:
    """All trims of one server, the largest first; ``tokens`` is what all of them save together.

    Trims may concern the same words, so the whole is not the sum of the rows: it is counted after all edits.
    """

    rows: tuple[Trim, ...]
    tokens: int


def trims(tools: Sequence[JsonObject], counter: Counter) -> Trims:
    """What can be taken out of the listing of ``tools`` by hand."""
    now = [seen_tokens(tool, counter) for tool in tools]
    rows = []
    for kind, what, advice, edits in _proposals(tools):
        changed = carried_out(tools, edits)
        touched = sorted({edit.tool for edit in edits})
        saved = sum(now[number] - seen_tokens(changed[number], counter) for number in touched)
        if saved > 0:
            names = tuple(str(tools[number]["name"]) for number in touched)
            rows.append(Trim(kind, what, advice, names, saved, tuple(edits)))
    rows.sort(key=lambda row: -row.tokens)
    trimmed = carried_out(tools, [edit for row in rows for edit in row.edits])
    return Trims(tuple(rows), sum(now) - sum(seen_tokens(tool, counter) for tool in trimmed))


def carried_out(tools: Sequence[JsonObject], edits: Iterable[Edit]) -> list[JsonObject]:
    """``tools`` with the edits made in copies; an edit whose text an earlier edit took out does nothing."""
    changed = [*tools]
    for edit in edits:
        if changed[edit.tool] is tools[edit.tool]:
            changed[edit.tool] = copy.deepcopy(tools[edit.tool])
        holder, last = _at(changed[edit.tool], edit.path[:-1]), edit.path[-1]
        if not isinstance(holder, dict) or last not in holder:
            continue
        if edit.text is None:
            del holder[last]
        elif isinstance(holder[last], str):
            left = holder[last].replace(edit.text, edit.by, 1)
            holder[last] = re.sub(r"\n\s*\n\s*\n", "\n\n", left).strip() if left != holder[last] else left
    return changed


_Proposal = tuple[str, str, str, list[Edit]]


def _proposals(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    yield from _repeated_texts(tools)
    yield from _argument_sections(tools)
    yield from _titles(tools)
    yield from _repeated_schemas(tools)
    yield from _restated_names(tools)


def _repeated_texts(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    """Sentences of descriptions and texts of parameters that stand in several tools: all but the first can go."""
    found: dict[tuple[str, str], dict[int, Edit]] = defaultdict(dict)
    for number, tool in enumerate(tools):
        for sentence in _sentences(tool.get("description")):
            found["sentence", _normal(sentence)].setdefault(number, Edit(number, ("description",), sentence))
        for path, text in _parameter_texts(tool):
            found["parameter text", _normal(text)].setdefault(number, Edit(number, path))
    for (kind, _text), places in found.items():
        if len(places) < TOOLS:
            continue
        first, *others = places.values()
        text = first.text if first.text is not None else str(_at(tools[first.tool], first.path))
        if len(text) >= SHORTEST:
            told = f"the same {kind} in {plural(len(places), 'tool')}: {_quoted(text)}"
            yield f"repeated {kind}", told, "say it once, in the server's instructions or in one tool", others


def _argument_sections(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    """Entries of Args sections whose parameter has a text in the schema, and what else the schema says already.

    A text that the schema lacks costs the same in either place, so only the name and the type before it are saved.
    """
    again: list[Edit] = []
    beside: list[Edit] = []
    for number, tool in enumerate(tools):
        description = tool.get("description")
        for section in parameter_sections(description) if isinstance(description, str) else ():
            described = [entry for entry in section.entries if _described(tool, entry)]
            if len(described) == len(section.entries):
                again.append(Edit(number, ("description",), section.text))
                continue
            again += [Edit(number, ("description",), entry.text) for entry in described]
            beside += [
                Edit(number, ("description",), entry.head, entry.head.replace(entry.annotation, "", 1))
                for entry in section.entries
                if entry.annotation and entry not in described
            ]
    if again:
        told = f"parameters that {_descriptions(again)} and the schema describe"
        yield "args section", told, "keep the texts in the schema, and take the others out", again
    if beside:
        told = f"types of parameters that {_descriptions(beside)} and the schema name"
        yield "args section", told, "take the types out of the descriptions", beside


def _descriptions(edits: Sequence[Edit]) -> str:
    return plural(len({edit.tool for edit in edits}), "description")


def _described(tool: JsonObject, entry: Entry) -> bool:
    schema = _at(tool, ("inputSchema", "properties", entry.name))
    return isinstance(schema, dict) and isinstance(schema.get("description"), str)


def _titles(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    """Titles that a library made of the name of a parameter, or of the function."""
    edits = [
        Edit(number, (*path, "title"))
        for number, tool in enumerate(tools)
        for path, schema in _schemas(tool)
        if isinstance(title := schema.get("title"), str)
        and (path == ("inputSchema",) or _words(title) == _words(path[-1]))
    ]
    if edits:
        told = f"{plural(len(edits), 'title')} in schemas that repeat the name of the parameter or of the tool"
        yield "title", told, 'see "Leave titles out" in docs/audit.md', edits


def _repeated_schemas(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    """Lists of choices and ``$defs`` written out several times; the first of each stays."""
    found: dict[tuple[str, str], list[Edit]] = defaultdict(list)
    for number, tool in enumerate(tools):
        for path, schema in _schemas(tool):
            if isinstance(schema.get("enum"), list):
                found["enum", compact(schema["enum"])].append(Edit(number, (*path, "enum")))
            if len(path) > 1 and path[-2] == "$defs":
                found["definition", compact(schema)].append(Edit(number, (*path, "description")))
    for (kind, text), edits in found.items():
        if len(text) < LARGE or len({edit.tool for edit in edits}) < TOOLS:
            continue
        if kind == "enum":
            told = f"the same {plural(text.count(',') + 1, 'choice')} written out {len(edits)} times: {_quoted(text)}"
            yield "enum", told, "list them once, and take a text that the server checks elsewhere", edits[1:]
        else:
            told = f"the text of {edits[0].path[-2]} in $defs, which stands in {plural(len(edits), 'schema')}"
            yield "$defs", told, "describe the type once", edits[1:]


def _restated_names(tools: Sequence[JsonObject]) -> Iterator[_Proposal]:
    """Texts of parameters that have no word that the parameter's name does not have."""
    edits = [
        Edit(number, path)
        for number, tool in enumerate(tools)
        for path, text in _parameter_texts(tool)
        if (said := _words(text) - _FILLER) and said <= _words(path[-2]) | _words(str(tool["name"]))
    ]
    if edits:
        example = _quoted(str(_at(tools[edits[0].tool], edits[0].path)))
        told = f"{plural(len(edits), 'text')} of parameters that only repeat a name: {example}"
        yield "restated name", told, "say what the name does not say, or leave the text out", edits


def _parameter_texts(tool: JsonObject) -> Iterator[tuple[Path, str]]:
    """The description of every property, at any depth, with its path."""
    for path, schema in _schemas(tool):
        text = schema.get("description")
        if isinstance(text, str) and len(path) > 1 and path[-2] == "properties":
            yield (*path, "description"), text


def _schemas(tool: JsonObject) -> Iterator[tuple[Path, JsonObject]]:
    """Every schema within the input schema of a tool, itself included, with its path."""
    waiting: list[tuple[Path, Any]] = [(("inputSchema",), tool.get("inputSchema"))]
    while waiting:
        path, schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        yield path, schema
        for key in ("properties", "$defs", "definitions"):
            inner = schema.get(key)
            if isinstance(inner, dict):
                waiting += [((*path, key, name), value) for name, value in inner.items()]
        waiting += [((*path, key), schema[key]) for key in ("items", "additionalProperties") if key in schema]
        for key in ("anyOf", "oneOf", "allOf"):
            inner = schema.get(key)
            if isinstance(inner, list):
                waiting += [((*path, key, number), value) for number, value in enumerate(inner)]


def _at(value: Any, path: Path) -> Any:
    """What stands at ``path`` below ``value``; ``None`` where nothing does."""
    for key in path:
        if isinstance(value, list) and isinstance(key, int):
            value = value[key] if key < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def _sentences(text: object) -> Iterator[str]:
    """The sentences of a text as they stand in it, without those of Args sections; none if it has only one."""
    if not isinstance(text, str):
        return
    for section in parameter_sections(text):
        text = text.replace(section.text, "\n\n", 1)
    found = [sentence for part in PART.split(text) for sentence in map(str.strip, SENTENCE_END.split(part)) if sentence]
    if len(found) > 1:
        yield from found


def _normal(text: str) -> str:
    return MARK.sub("", " ".join(text.split()))


@cache
def _words(text: str) -> frozenset[str]:
    """The words of a name or a text in lower case; ``userIds`` and ``user_id`` have the same."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return frozenset(word.rstrip("s") for word in re.findall(r"[^\W_]+", parted.lower()))


def _quoted(text: str) -> str:
    line = _normal(text)
    return f'"{line}"' if len(line) <= 60 else f'"{line[:57].rstrip()}..."'
