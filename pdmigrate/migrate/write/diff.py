"""Make patches that ``git apply`` takes byte for byte, and show them in a terminal.

Lines end at ``\\n`` and nowhere else, so carriage returns, form feeds and U+2028 are content.  The object ids are those
that git itself would give, so that ``git apply -3`` can merge.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import diff_bytes, unified_diff

from pdmigrate.escaping import visible
from pdmigrate.model import FileChange

NO_BLOB = "0" * 40
NO_NEWLINE = b"\\ No newline at end of file\n"

_CONTEXT = 3
_ESCAPES = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}


def patch(changes: Iterable[FileChange]) -> bytes:
    """The changes, in their order, as one patch; new files have mode 100644, and existing ones keep theirs."""
    return b"".join(file_patch(change.path, change.before, change.after) for change in changes if change.changed)


def file_patch(path: str, before: bytes | None, after: bytes | None) -> bytes:
    """The part of a patch that is about one file; ``None`` stands for no file."""
    old, new = quoted_path("a/", path), quoted_path("b/", path)
    header = [b"diff --git " + old + b" " + new]
    if before is None:
        header.append(b"new file mode 100644")
    if after is None:
        header.append(b"deleted file mode 100644")
    header.append(f"index {blob_id(before)}..{blob_id(after)}".encode())
    hunks = list(_hunks(split_lines(before or b""), split_lines(after or b"")))
    if hunks:
        header.append(b"--- " + (_name_line(old) if before is not None else b"/dev/null"))
        header.append(b"+++ " + (_name_line(new) if after is not None else b"/dev/null"))
    return b"\n".join(header) + b"\n" + b"".join(hunks)


def blob_id(content: bytes | None) -> str:
    """The id under which git keeps a file with this content; zeros for no file."""
    if content is None:
        return NO_BLOB
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def split_lines(content: bytes) -> list[bytes]:
    """The lines with their ``\\n``; only the last may lack it."""
    lines = content.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def quoted_path(prefix: str, path: str) -> bytes:
    """A path as a patch spells it: unchanged, or quoted as git does it where the path would be ambiguous."""
    raw = os.fsencode(prefix + path)
    is_utf8 = raw == raw.decode("utf-8", "ignore").encode()
    if is_utf8 and not any(byte < 32 or byte in b'"\\' or byte == 127 for byte in raw):
        return raw
    return b'"' + b"".join(_escaped(byte) for byte in raw) + b'"'


def _escaped(byte: int) -> bytes:
    if byte in _ESCAPES:
        return _ESCAPES[byte]
    return bytes([byte]) if 32 <= byte < 127 else b"\\%03o" % byte


def _name_line(name: bytes) -> bytes:
    """A name in a header; a name with a space ends in a tab, as in git: other tools take what follows for a date."""
    return name + b"\t" if b" " in name and not name.startswith(b'"') else name


def _hunks(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[bytes]:
    for line in list(diff_bytes(unified_diff, before, after, n=_CONTEXT))[2:]:
        # Git accepts an empty line without the leading space, which is a whitespace error in committed patches.
        line = b"\n" if line == b" \n" else line
        yield line if line.endswith(b"\n") else line + b"\n" + NO_NEWLINE


_RESET, _BOLD, _RED, _GREEN, _CYAN = (f"\033[{code}m" for code in (0, 1, 31, 32, 36))


def for_terminal(changes: Iterable[FileChange], *, colour: bool) -> str:
    """The patch for people: what a terminal would act on, or not show, is shown as an escape."""
    parts = re.split(rb"^(?=diff --git )", patch(changes), flags=re.MULTILINE)
    return "".join(line + "\n" for part in parts for line in _lines(part, colour=colour))


def _lines(part: bytes, *, colour: bool) -> Iterator[str]:
    """The lines of one file's patch; a carriage return that ends every line of content is left out."""
    header, mark, hunks = part.partition(b"\n@@ ")
    lines = (b"@@ " + hunks).split(b"\n")[:-1] if mark else []
    content = [line for line in lines if line[:1] in b"+- "]
    windows = all(line.endswith(b"\r") for line in content)
    rows = [(_BOLD, line) for line in header.split(b"\n") if line]
    colours = {b"+": _GREEN, b"-": _RED, b"@": _CYAN}
    rows += [(colours.get(line[:1], ""), line.removesuffix(b"\r") if windows else line) for line in lines]
    for code, line in rows:
        text = _visible(line)
        yield f"{code}{text}{_RESET}" if code and colour else text


def _visible(raw: bytes) -> str:
    return "\t".join(map(visible, raw.decode("utf-8", "backslashreplace").split("\t")))
