"""Patches: git takes them exactly."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pdmigrate.migrate.write.diff import diffstat, for_terminal, patch
from tests.support.files import tree, write
from tests.support.repositories import commit, git, initialised
from tests.write.changing import changes

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
    assert all(line in text for line in ("\\x1b[2Jb", "\033[32m+--- c\033[0m", "\033[31m-a\033[0m"))
    plain = for_terminal(change, colour=False)
    assert "\x1b" not in plain
    assert "\n+\\x1b[2Jb\n+--- c\n+\\xff\n" in plain


def test_only_changed_newlines_are_shown() -> None:
    assert "+a\\r" in for_terminal(changes({"f": b"a\n"}, {"f": b"a\r\n"}), colour=True)
    assert "\\r" not in for_terminal(changes({"f": b"a\r\n"}, {"f": b"b\r\n"}), colour=True)


def test_the_statistics() -> None:
    text = diffstat(changes({"f": b"a\n--x\n"}, {"f": b"a\n++y\nz\n", "longer": b""}))
    assert text == " f       | +2 -1\n longer  | +0 -0\n 2 files | +2 -1\n"


def test_a_long_file_is_quick() -> None:
    before = b"".join(b"    value_%d = %d\n\n" % (number, number) for number in range(10_000))
    after = before.replace(b"value_10 ", b"value ").replace(b"value_9990 ", b"value ")
    started = time.perf_counter()
    written = patch(changes({"f": before}, {"f": after}))
    assert time.perf_counter() - started < 10
    assert written.count(b"\n@@ ") == 2
