"""Import statements that were kept are those that the parser finds, and count for the content that they were in."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pdmigrate
from pdmigrate.tree.code import mention_index
from pdmigrate.tree.code.mention_index import MentionIndex
from pdmigrate.tree.code.mentions import Mentions, mentions_in


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(mention_index, "_WORTH_KEEPING", 1)
    return tmp_path / "cache" / "pdmigrate" / "mentions"


def shown(found: Mentions) -> tuple[object, ...]:
    return found.raw, found.readable, [*map(ast.dump, found.named)], [*map(ast.dump, found.whole)]


def test_what_is_read_back_is_what_the_parser_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(pdmigrate.__file__).parent
    texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.py")}
    texts |= {
        "broken.py": b"import (\n",
        "star.py": b"from .. import *\nfrom . import a as b, c\nfrom .x.y import z\nimport os.path as p, sys\n",
    }
    first = MentionIndex(tmp_path)
    for path, raw in texts.items():
        first.of(path, raw)
    first.save(texts)

    def parsed(_: bytes) -> Mentions:
        raise AssertionError("parsed once more")

    monkeypatch.setattr(mention_index, "mentions_in", parsed)
    again = MentionIndex(tmp_path)
    assert len(texts) > 100
    assert all(shown(again.of(path, raw)) == shown(mentions_in(raw)) for path, raw in texts.items())


def test_another_content_is_parsed(tmp_path: Path) -> None:
    first = MentionIndex(tmp_path)
    first.of("a.py", b"import one\n")
    first.save({"a.py"})
    found = MentionIndex(tmp_path).of("a.py", b"import two\n")
    assert [alias.name for node in found.whole for alias in node.names] == ["two"]


def test_what_is_damaged_or_gone_is_found_again(tmp_path: Path, cache: Path) -> None:
    first = MentionIndex(tmp_path)
    first.of("a.py", b"import one\n")
    first.of("gone.py", b"import other\n")
    first.save({"a.py"})
    (kept,) = cache.iterdir()
    assert b"other" not in kept.read_bytes()
    kept.write_bytes(kept.read_bytes().replace(b'"one"', b'"ten"'))
    found = MentionIndex(tmp_path).of("a.py", b"import one\n")
    assert [alias.name for node in found.whole for alias in node.names] == ["one"]
