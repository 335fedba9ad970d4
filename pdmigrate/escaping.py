"""The one place where text of a project becomes text of a report: such text is shown, never obeyed.

Names, paths and reasons come from files that anybody may have written.  A terminal acts on control characters,
direction marks and invisible characters mislead a reader, and CI systems take lines of a log for commands: GitHub's
runner takes lines that begin with ``::`` after spaces, and ``##[`` anywhere in a line; Azure and TeamCity take
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
_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36"}
_COLOUR = re.compile(rf"(\x1b\[(?:0|{'|'.join(_COLOURS.values())})m)")
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0d\uffa0\U000e0100-\U000e01ef]"
)
"""Characters that Python counts as printable but that are drawn as nothing.  The variation selectors U+FE0E and U+FE0F
(text or emoji) are not among them, since they are common in prose.
"""
_MISLEADING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0000-\U000e007f]")
"""Lone surrogates, which UTF-8 cannot encode, and characters that hide or reorder the text of a diff."""
_MARKED = re.compile(r"(?<=#)#(?=\[|vso\[|teamcity\[)")
_COMMAND = re.compile(rf"^( *):(?=:)|{_MARKED.pattern}", re.MULTILINE)
_UNCLEAR = re.compile(rf'^[":]|\n|{_MARKED.pattern}')


def visible(text: str) -> str:
    """``text`` with escapes, as in JSON, in place of characters that do not show: control characters, direction marks,
    lone surrogates, white space other than the plain space.  Newlines stay.
    """
    return _UNUSUAL.sub(lambda match: match[0] if _is_shown(match[0]) else _json_escape(match[0]), text)


def one_line(text: str) -> str:
    """Prose from source on one line: newlines and white space of every kind become spaces."""
    return visible("".join(" " if char.isspace() else char for char in text))


def name(text: str) -> str:
    """The name of a tool, a server or a file: unchanged if it is plain, otherwise quoted as in JSON.

    Different names never look alike unless they are cut: a name that starts with a quotation mark is quoted, too.  A
    very long name is cut, and its length is appended.
    """
    start, cut = text, ""
    if len(text) > _NAME_LENGTH:
        start, cut = text[:_NAME_LENGTH], f"... ({len(text):,} characters)"
    if start and start == visible(start) == start.strip(" ") and not _UNCLEAR.search(start):
        return start + cut
    return visible(json.dumps(start, ensure_ascii=False)) + cut


def place(site: Site) -> str:
    """``path:line``, which editors and terminals jump to."""
    return f"{name(site.file)}:{site.line}"


def block(text: str, *, colour: bool = False) -> str:
    """Lines for people, safe for a terminal or a log; with ``colour``, what ``coloured`` adds stays."""
    if not colour:
        return _uncommanding(visible(text))
    # The parts at odd indexes are colour codes.
    parts = _COLOUR.split(text)
    parts[::2] = map(visible, parts[::2])
    return _uncommanding("".join(parts))


def coloured(colour: str, text: str) -> str:
    """``text`` in bold, dim, or one of the colours, for a terminal."""
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m"


def json_text(value: JsonObject) -> str:
    """An indented JSON document that reads back as the same value; ``\\u`` escapes what ``visible`` would escape.

    Raises ValueError if a number is not finite, which JSON cannot express.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    # In JSON, a ``#`` occurs only inside strings, where a reader undoes the escape.
    return _MARKED.sub(r"\\u0023", visible(text))


def json_of_file(value: JsonValue, indent: int | None = None, *, sort_keys: bool = False) -> str:
    """JSON for the files of a project: readable, with escapes for what UTF-8 cannot encode or a diff cannot show."""
    text = json.dumps(value, indent=indent, ensure_ascii=False, sort_keys=sort_keys)
    return text if text.isascii() else _MISLEADING.sub(lambda match: _json_escape(match[0]), text)


def annotation_data(text: str) -> str:
    """The message of a workflow command of GitHub Actions, on one line."""
    return visible(text).replace("%", "%25").replace("\n", "%0A")


def annotation_property(text: str) -> str:
    """A property of a workflow command of GitHub Actions."""
    return annotation_data(text).replace(":", "%3A").replace(",", "%2C")


def _is_shown(char: str) -> bool:
    return char.isprintable() and not _SHAPELESS.match(char)


def _json_escape(char: str) -> str:
    return json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"


def _uncommanding(text: str) -> str:
    """``text`` with escapes where a CI system would take it for a command."""
    return _COMMAND.sub(lambda match: f"{match[1]}\\x3a" if match[0].endswith(":") else "\\x23", text)
