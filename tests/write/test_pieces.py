"""Pieces of text that were put into a file lead back, whatever the bytes are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdmigrate.migrate.write.pieces import changed, pieces, redo, taken_out, undo, undo_edited
from pdmigrate.record.undo import AppliedState, dump_state, load_state
from tests.write.test_diff import CONTENTS

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


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (b"a\nb\n", b"a\nx\nb\n", [(2, b"x\n", b"")]),
        (b"a\nb\nc\n", b"a\nx\nc\n", [(2, b"x\n", b"b\n")]),
        (b"a\nb\nc\nd\n", b"x\n", [(1, b"x\n", b"a\nb\nc\nd\n")]),
        (b"a\r\nb\r\n", b"a\r\nx\r\n", [(2, b"x\r\n", b"b\r\n")]),
        (b"a\nb", b"a\nx\n", [(2, b"x\n", b"b")]),
        (b"\xff\n", b"x\xfe\n", [(1, b"x\xfe\n", b"\xff\n")]),
        (b"a\nb\nc\n", b"a\nc\n", [(1, b"a\nc\n", b"a\nb\nc\n")]),
        (b"a\nb\nc\nd\n", b"a\nx\nb\nc\nx\nd\n", [(1, b"a\nx\nb\n", b"a\nb\n"), (4, b"c\nx\nd\n", b"c\nd\n")]),
        (b"a\nb\nd\n", b"a\nx\nb\nx\nd\n", [(1, b"a\nx\nb\nx\nd\n", b"a\nb\nd\n")]),
        (NUMBERS[:20], NUMBERS[:2] + b"x\n" + NUMBERS[2:4] + b"y\n" + NUMBERS[12:20], [
            (2, b"x\n", b""), (3, b"1\ny\n6\n7\n8\n", NUMBERS[2:18])
        ]),
        (b"a\n", b"", [(1, b"", b"a\n")]),
        (b"", b"a\n", [(1, b"a\n", b"")]),
        (b"a\n", b"a\n", []),
    ],
    ids=[
        "inserted", "replaced", "all replaced", "line ends", "no line end", "not UTF-8", "removed", "inserted twice",
        "inserted twice nearby", "a definition", "emptied", "filled", "the same",
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a = 1\nf( x )\nb = 2\n", b"a = 1\nb = 2\n"),
        (b"a = 1\r\nf(x)\r\nb = 2\r\n", b"a = 1\r\nb = 2\r\n"),
        (b"a = 1\rf(x)\nb = 2\n", None),
        (b"a = 1\rb = 2\rf(x)\r", None),
        (b"f(x)\na = 1\nf(x)\n", None),
        (b"a = 1; f(x)\n", None),
        (b"if a:\n    f(x)\n", None),
        (b"a = 1\n", None),
    ],
)
def test_a_statement_is_taken_out_only_if_it_is_there_once_in_lines_of_its_own(
    content: bytes, expected: bytes | None
) -> None:
    assert taken_out(content, [b"f(x)\n"]) == expected
