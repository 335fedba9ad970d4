"""Patches that git takes exactly, pieces that lead back whatever the bytes are, and the lock's record of both."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdmigrate.errors import PdmigrateError
from pdmigrate.migrate.write.diff import for_terminal, patch
from pdmigrate.migrate.write.pieces import changed, pieces, redo, undo, undo_edited
from pdmigrate.model import FileChange, FileKind
from pdmigrate.record.undo import AppliedState, Changed, dump_state, load_state
from tests.support.files import tree, write
from tests.support.repositories import commit, git, initialised


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[FileChange]:
    return [
        FileChange(path, before.get(path), after.get(path), FileKind.CODE, "test")
        for path in sorted(before.keys() | after.keys())
    ]


LINES = st.sampled_from([
    b"a\n", b"b\n", b"\n", b"x\r\n", b"\r\n", b"lone\rreturn\n", b"form\x0cfeed\n", "\u2028sep\u2029\x85\n".encode(),
    b"\xff\xfe not utf-8\n", b"nul\0\n", b"-- dashes\n", b"++ plus\n", b"diff --git a/x b/x\n", b"@@ -1 +1 @@\n",
    b"\\ No newline at end of file\n", b"trailing \t\n", b" \n",
])  # fmt: skip
ENDS = st.sampled_from([b"", b"end", b"\r", b" ", b"\\"])
CONTENTS = st.builds(lambda lines, end: b"".join(lines) + end, st.lists(LINES, max_size=30), ENDS)
PATHS = st.sampled_from([
    "plain.py", "pkg/mod.py", "with space.py", "ünï/cödé.py", 'quo"te.py', "back\\slash.py", "tab\there.py",
    "new\nline.py", "trailing ", " b/x b/ x", "-dash", "a/b/a/b", "日本", "c\x01", "\udcff-not-utf8",
])  # fmt: skip
TREES = st.dictionaries(PATHS, CONTENTS, max_size=5)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return initialised(tmp_path_factory.mktemp("repository"))


def _replaced(folder: Path, files: Mapping[str, bytes]) -> None:
    for entry in folder.iterdir():
        if entry.name != ".git":
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    write(folder, files)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=TREES, after=TREES)
def test_git_applies_and_takes_back_any_patch(
    repository: Path, before: dict[str, bytes], after: dict[str, bytes]
) -> None:
    written = patch(changes(before, after))
    _replaced(repository, before)
    if written:
        git(repository, "apply", "--whitespace=nowarn", "-", given=written)
        assert tree(repository) == after
        git(repository, "apply", "--whitespace=nowarn", "-R", "-", given=written)
    assert tree(repository) == before


def test_the_form_is_that_of_git(tmp_path: Path) -> None:
    """Byte for byte what ``git diff`` prints, but for the mode on the index line and the words behind a hunk."""
    folder = initialised(tmp_path / "r")
    before = {"a b.py": b"1\n\n3\n4\n5\n6\n7\n8\n", "gone": b"x", "empty": b"", 'q"': b"\n"}
    after = {"a b.py": b"1\n\n3\n4\nfive\n6\n7\n8", "new": b"x\n", "void": b"", 'q"': b""}
    write(folder, before)
    commit(folder)
    _replaced(folder, after)
    git(folder, "add", "-A")
    shown = git(folder, "-c", "diff.suppressBlankEmpty=true", "diff", "--cached", "--full-index", "--no-renames")
    expected = shown.replace(b" 100644\n--- ", b"\n--- ")
    assert patch(changes(before, after)) == expected


def test_in_colour_nothing_acts_on_the_terminal() -> None:
    change = changes({"f": b"a\n"}, {"f": b"\x1b[2Jb\n--- c\n\xff\n"})
    text = for_terminal(change, colour=True)
    assert "\x1b[2J" not in text
    assert all(line in text for line in ("\\u001b[2Jb", "\033[32m+--- c\033[0m", "\033[31m-a\033[0m"))
    plain = for_terminal(change, colour=False)
    assert "\x1b" not in plain
    assert "\n+\\u001b[2Jb\n+--- c\n+\\xff\n" in plain


def test_only_changed_newlines_are_shown() -> None:
    assert "+a\\r" in for_terminal(changes({"f": b"a\n"}, {"f": b"a\r\n"}), colour=True)
    assert "\\r" not in for_terminal(changes({"f": b"a\r\n"}, {"f": b"b\r\n"}), colour=True)


def test_a_long_file_is_quick() -> None:
    before = b"".join(b"    value_%d = %d\n\n" % (number, number) for number in range(10_000))
    after = before.replace(b"value_10 ", b"value ").replace(b"value_9990 ", b"value ")
    started = time.perf_counter()
    written = patch(changes({"f": before}, {"f": after}))
    assert time.perf_counter() - started < 10
    assert written.count(b"\n@@ ") == 2


NUMBERS = b"".join(b"%d\n" % number for number in range(40))


@settings(max_examples=400, deadline=None)
@given(CONTENTS, CONTENTS)
def test_any_file_leads_to_any_other_and_back(before: bytes, after: bytes) -> None:
    raw = dump_state(AppliedState(changed={"x.py": changed(before, after)}))
    found = load_state(raw).changed["x.py"].pieces
    assert found == pieces(before, after)
    assert undo(found, after) == before
    assert redo(found, before) == after
    assert undo_edited(found, after) in (None, before)


@settings(max_examples=400, deadline=None)
@given(
    st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=12),
    st.lists(st.sampled_from([b"a\n", b"b\n", b"x\n", b"\n"]), max_size=12),
    st.lists(st.sampled_from([b"# one\n", b"# two\n"]), max_size=2),
)
def test_edits_above_and_below_are_kept_or_it_is_refused(
    before: list[bytes], after: list[bytes], edits: list[bytes]
) -> None:
    old, new, more = (b"".join(lines) for lines in (before, after, edits))
    undone = undo_edited(pieces(old, new), more + new + more)
    assert undone in (None, more + old + more)


PIECES: dict[str, tuple[bytes, bytes, list[tuple[int, bytes, bytes]]]] = {
    "inserted": (b"a\nb\n", b"a\nx\nb\n", [(2, b"x\n", b"")]),
    "replaced": (b"a\nb\nc\n", b"a\nx\nc\n", [(2, b"x\n", b"b\n")]),
    "all replaced": (b"a\nb\nc\nd\n", b"x\n", [(1, b"x\n", b"a\nb\nc\nd\n")]),
    "line ends": (b"a\r\nb\r\n", b"a\r\nx\r\n", [(2, b"x\r\n", b"b\r\n")]),
    "no line end": (b"a\nb", b"a\nx\n", [(2, b"x\n", b"b")]),
    "not UTF-8": (b"\xff\n", b"x\xfe\n", [(1, b"x\xfe\n", b"\xff\n")]),
    "removed": (b"a\nb\nc\n", b"a\nc\n", [(1, b"a\nc\n", b"a\nb\nc\n")]),
    "inserted twice": (
        b"a\nb\nc\nd\n",
        b"a\nx\nb\nc\nx\nd\n",
        [(1, b"a\nx\nb\n", b"a\nb\n"), (4, b"c\nx\nd\n", b"c\nd\n")],
    ),
    "inserted twice nearby": (b"a\nb\nd\n", b"a\nx\nb\nx\nd\n", [(1, b"a\nx\nb\nx\nd\n", b"a\nb\nd\n")]),
    "a definition": (
        NUMBERS[:20],
        NUMBERS[:2] + b"x\n" + NUMBERS[2:4] + b"y\n" + NUMBERS[12:20],
        [(2, b"x\n", b""), (3, b"1\ny\n6\n7\n8\n", NUMBERS[2:18])],
    ),
    "emptied": (b"a\n", b"", [(1, b"", b"a\n")]),
    "filled": (b"", b"a\n", [(1, b"a\n", b"")]),
    "the same": (b"a\n", b"a\n", []),
}


@pytest.mark.parametrize(("before", "after", "expected"), PIECES.values(), ids=PIECES)
def test_a_piece_is_whole_lines_that_stand_once(
    before: bytes, after: bytes, expected: list[tuple[int, bytes, bytes]]
) -> None:
    assert [*pieces(before, after)] == expected


def test_a_piece_is_taken_out_only_where_it_stands_once() -> None:
    after = NUMBERS.replace(b"\n20\n", b"\ntwenty\nnew\n")
    found = pieces(NUMBERS, after)
    assert undo_edited(found, b"top\n" + after + b"end\n") == b"top\n" + NUMBERS + b"end\n"
    assert undo_edited(found, after.replace(b"twenty", b"20")) is None
    assert undo_edited(found, after + after) is None
    assert undo_edited(found, NUMBERS) is None


def test_pieces_in_another_order_are_refused() -> None:
    after = NUMBERS.replace(b"\n5\n", b"\nfive\n").replace(b"\n30\n", b"\nthirty\n")
    swapped = NUMBERS.replace(b"\n5\n", b"\nthirty\n").replace(b"\n30\n", b"\nfive\n")
    assert undo_edited(pieces(NUMBERS, after), after) == NUMBERS
    assert undo_edited(pieces(NUMBERS, after), swapped) is None


@pytest.mark.parametrize("entry", ['[0, "x"]', "[1]", '[1, "\\ud800"]', "[1, 2]", '["1", "x"]', '{"1": "x"}', "null"])
def test_an_entry_of_another_form_is_no_piece(entry: str) -> None:
    checksums = f'"before": "{"a" * 64}", "after": "{"b" * 64}"'
    raw = f'{{"version": 1, "changed": {{"x.py": {{{checksums}, "inserted": [[1, "y\\n"], {entry}]}}}}}}'
    assert load_state(raw.encode()).changed["x.py"].pieces == ()


A, B = "a" * 64, "b" * 64
STATE = AppliedState(
    {"z.py": FileKind.MODULE, "a/ü.json": FileKind.DESCRIPTION},
    {"s.py": Changed(A, B)},
    {"choices": {"move": "all"}, "empty": {}, "list": [1, {"x": None}], "word": "x"},
)
TEXT = (
    '{\n  "version": 1,\n'
    f'  "changed": {{\n    "s.py": {{"after": "sha256:{B}", "before": "sha256:{A}"}}\n  }},\n'
    '  "choices": {\n    "move": "all"\n  },\n'
    '  "created": {\n    "a/ü.json": "description",\n    "z.py": "module"\n  },\n'
    '  "empty": {},\n  "list": [\n    1,\n    {"x": null}\n  ],\n  "word": "x"\n}\n'
)


def test_the_form() -> None:
    assert dump_state(STATE).decode() == TEXT
    assert load_state(TEXT.encode()) == STATE


KEYS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8)
JSON = st.recursive(st.none() | st.booleans() | st.integers() | KEYS, lambda j: st.lists(j) | st.dictionaries(KEYS, j))


@given(st.dictionaries(KEYS.filter(lambda key: key not in ("version", "created", "changed")), JSON, max_size=4))
def test_keys_of_others_are_kept(extra: dict[str, object]) -> None:
    state = AppliedState(extra=extra)  # type: ignore[arg-type]
    assert load_state(dump_state(state)) == state


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not valid JSON"),
        ("[]", 'no "version"'),
        ('{"version": "1"}', 'no "version"'),
        ('{"version": 2}', "newer pdmigrate"),
        ('{"version": 1, "created": []}', "not an object"),
        ('{"version": 1, "created": {"a": "toy"}}', "not a kind of file"),
        ('{"version": 1, "created": {"../a": "module"}}', "not a path inside"),
        ('{"version": 1, "created": {"a/../../b": "module"}}', "not a path inside"),
        ('{"version": 1, "changed": {"a": {"before": "x", "after": "y"}}}', "no checksums"),
        ("\ud800", "not valid JSON"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, says: str) -> None:
    with pytest.raises(PdmigrateError) as error:
        load_state(text.encode("utf-8", "surrogatepass"))
    assert error.value.code == "PD606"
    assert says in error.value.message


def test_entries_of_two_branches_merge(tmp_path: Path) -> None:
    folder = initialised(tmp_path)
    common = {f"{letter}/x.py": FileKind.MODULE for letter in "aeimqu"}
    for branch, name in (("main", None), ("one", "b.py"), ("two", "n.py")):
        git(folder, "checkout", "-q", "-B", branch, *(["main"] if name else []))
        write(folder, {"lock.json": dump_state(AppliedState({**common, **({name: FileKind.CODE} if name else {})}))})
        commit(folder)
    git(folder, "merge", "-q", "one")
    merged = load_state((folder / "lock.json").read_bytes())
    assert merged.created == {**common, "b.py": FileKind.CODE, "n.py": FileKind.CODE}
    assert json.loads(dump_state(merged)) == json.loads((folder / "lock.json").read_bytes())
