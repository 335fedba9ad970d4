"""The one place where text of a project becomes text of a report: such text is shown, never obeyed.

Names, paths and reasons come from files that anybody may have written.  A terminal acts on control characters, a reader
is misled by marks of direction and by characters without a shape, and CI systems take lines of a log for commands:
GitHub's runner takes lines that begin with ``::`` after blanks, and ``##[`` anywhere in a line; Azure and TeamCity take
``##vso[`` and ``##teamcity[``.

======  ======================================================================================
text    ``block``, which every line for people goes through; ``name``, ``place``, ``one_line``
github  ``annotation_data``, ``annotation_property``
json    ``json_text``, for SARIF, too, and ``json_of_file``: escapes that readers undo
xml     ``block``: XML 1.0 cannot hold control characters, escaped or not
======  ======================================================================================
"""

from __future__ import annotations

import json
import re

from pdmigrate.model import JsonObject, JsonValue, Site

_NAME_LENGTH = 200
_UNUSUAL = re.compile(r"[^ -~\n]")
_COLOUR = re.compile(r"(\x1b\[(?:0|1|2|3[1236])m)")
"""The codes of ``report/style.py``."""
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Unicode counts as printable but that are drawn as nothing (the two marks that choose between a letter
and its picture, U+FE0E and U+FE0F, are common in prose and stay).
"""
_MISLEADING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]")
"""Halves of surrogate pairs, which UTF-8 cannot carry, and characters that hide or turn round the text of a diff."""
_MARKED = re.compile(r"(?<=#)#(?=\[|vso\[|teamcity\[)")
_COMMAND = re.compile(rf"^( *):(?=:)|{_MARKED.pattern}", re.MULTILINE)
_UNCLEAR = re.compile(rf'^[":]|\n|{_MARKED.pattern}')


def visible(text: str) -> str:
    """``text`` with escapes in place of characters that have no shape of their own: control characters, marks of
    direction, halves of surrogate pairs, blanks other than the usual one.  Newlines stay.
    """
    return _UNUSUAL.sub(lambda match: match[0] if _is_shown(match[0]) else _escape(match[0]), text)


def one_line(text: str) -> str:
    """Prose from source in one line: newlines and blanks of every kind become blanks."""
    return visible("".join(" " if char.isspace() else char for char in text))


def name(text: str) -> str:
    """The name of a tool, a server or a file: unchanged if it is plain, otherwise quoted as JSON quotes.

    Two names never look alike unless they are cut, as a name that starts with a quotation mark is quoted, too.  A very
    long name is cut, and says so.
    """
    start, cut = text, ""
    if len(text) > _NAME_LENGTH:
        start, cut = text[:_NAME_LENGTH], f"... ({len(text):,} characters)"
    if start and start == visible(start) == start.strip(" ") and not _UNCLEAR.search(start):
        return start + cut
    return f'"{"".join(map(_in_quotes, start))}"{cut}'


def place(site: Site) -> str:
    """``path:line``, which editors and terminals jump to."""
    return f"{name(site.file)}:{site.line}"


def block(text: str, *, colour: bool = False) -> str:
    """Lines for people as they go to a terminal or a log; with ``colour`` the codes of ``report/style.py`` stay."""
    if not colour:
        return _uncommanding(visible(text))
    # Every second part is a code.
    parts = _COLOUR.split(text)
    parts[::2] = map(visible, parts[::2])
    return _uncommanding("".join(parts))


def json_text(value: JsonObject) -> str:
    """An indented JSON document that reads back as the same value; characters that ``visible`` escapes are ``\\u``.

    Raises:
        ValueError: a number is not finite, which JSON cannot express.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    text = _UNUSUAL.sub(lambda match: match[0] if _is_shown(match[0]) else _json_escape(match[0]), text)
    # This sign occurs only inside strings, and a reader undoes the escape.
    return _MARKED.sub(r"\\u0023", text)


def json_of_file(value: JsonValue, indent: int | None = None, *, sort_keys: bool = False) -> str:
    """JSON as it stands in files of a project: readable, with escapes for what files or reviews cannot show."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, sort_keys=sort_keys)
    return text if text.isascii() else _MISLEADING.sub(lambda match: _json_escape(match[0]), text)


def annotation_data(text: str) -> str:
    """The message of a workflow command of GitHub Actions, in one line."""
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def annotation_property(text: str) -> str:
    """A property of a workflow command of GitHub Actions."""
    return annotation_data(text).replace(":", "%3A").replace(",", "%2C")


def _is_shown(char: str) -> bool:
    return char.isprintable() and not _SHAPELESS.match(char)


def _escape(char: str) -> str:
    """A character as Python escapes it in a literal."""
    if char in "\t\r":
        return "\\t" if char == "\t" else "\\r"
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _in_quotes(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    return char if _is_shown(char) else _json_escape(char)


def _json_escape(char: str) -> str:
    return json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"


def _uncommanding(text: str) -> str:
    """``text`` with escapes where a CI system would take it for a command."""
    return _COMMAND.sub(lambda match: f"{match[1]}\\x3a" if match[0].endswith(":") else "\\x23", text)
