"""The lock's record of a migration: one form, read strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.errors import PdmigrateError
from pdmigrate.model import FileKind
from pdmigrate.record.undo import AppliedState, Changed, dump_state, load_state
from tests.support.files import write
from tests.support.repositories import commit, git, initialised

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
