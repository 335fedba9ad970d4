"""Files are read in the encoding that the program names: as Python would, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Known, Unknown
from tests.evaluate.support import HEAD, evaluate_handler

TEXT = "Lend a b\u00fcch."
LIST = """
@server.list_tools()
async def list_tools() -> list[Tool]:
    return [Tool(name="lend", description={read}, inputSchema={{"type": "object"}})]
"""
HERE = "from pathlib import Path\nDATA = Path(__file__).parent / 'text.txt'\n"
READS = {
    "open": "open(DATA, encoding={0!r}).read()",
    "open by position": "open(DATA, 'r', -1, {0!r}).read()",
    "read_text": "DATA.read_text(encoding={0!r})",
    "read_text by position": "DATA.read_text({0!r})",
    "open of a path": "DATA.open(encoding={0!r}).read()",
}


def described(root: Path, raw: bytes, read: str) -> object:
    (root / "text.txt").write_bytes(raw)
    inventory = evaluate_handler(root, {"server.py": HEAD + HERE + LIST.format(read=read)})
    (tool,) = inventory.servers[0].tools
    return tool.fields["description"]


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig", "utf_8_sig", "latin-1", "cp1252", "utf-16"])
def test_text_is_that_of_the_named_encoding(tmp_path: Path, encoding: str, read: str) -> None:
    known = described(tmp_path, TEXT.encode(encoding), READS[read].format(encoding))
    assert isinstance(known, Known), known
    assert known.value == TEXT


@pytest.mark.parametrize(
    ("raw", "read", "text"),
    [
        (TEXT.encode("utf-8-sig"), "DATA.read_text()", "\ufeff" + TEXT),
        (TEXT.encode("utf-8-sig"), "DATA.read_text('utf-8')", "\ufeff" + TEXT),
        (TEXT.encode(), "DATA.read_text('utf-8-sig')", TEXT),
        (TEXT.encode(), "DATA.read_text('cp1252')", TEXT.encode().decode("cp1252")),
        (TEXT.encode(), "DATA.read_text(None)", TEXT),
        (b"a\r\nb", "DATA.read_text('utf-8')", "a\nb"),
        (b"ab", "open(DATA, newline='').read()", "ab"),
    ],
)
def test_a_mark_at_the_beginning_belongs_to_the_text_unless_the_encoding_takes_it(
    tmp_path: Path, raw: bytes, read: str, text: str
) -> None:
    known = described(tmp_path, raw, read)
    assert isinstance(known, Known), known
    assert known.value == text


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (TEXT.encode("latin-1"), "DATA.read_text('utf-8')"),
        (TEXT.encode(), "DATA.read_text('ascii')"),
        (TEXT.encode(), "DATA.read_text('no-such-encoding')"),
        (TEXT.encode(), "DATA.read_text('shift-jis')"),
        (TEXT.encode(), "DATA.read_text(__import__('os').environ['E'])"),
        (b"a\r\nb", "open(DATA, newline='').read()"),
    ],
)
def test_what_cannot_be_read_so_is_not_known(tmp_path: Path, raw: bytes, read: str) -> None:
    known = described(tmp_path, raw, read)
    assert isinstance(known, Unknown), known
