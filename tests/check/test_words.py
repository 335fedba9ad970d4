"""What is said of summaries and guidance: somebody's own is left alone, and what was lifted follows the code."""

from __future__ import annotations

import json

from tests.check.desk import Desk

SERVER = "notes/server.py"
TOLD = "Find notes by their text. Returns the newest first."


def tool(desk: Desk) -> str:
    return desk.dialect.owned or "find_note"


def with_other_docstring(desk: Desk) -> None:
    if desk.dialect.owned:
        desk.replace(SERVER, "Change a note. At most", "Rewrite a note. At most")
    else:
        desk.replace(SERVER, TOLD, "Look for notes by their text. Returns the newest first.")


def with_own_summary(desk: Desk) -> None:
    desk.edit(tool(desk), lambda content: content.update(summary="In my own words."))


def codes(desk: Desk, command: str) -> list[str]:
    said = json.loads(desk.run(command, "--format", "json").stdout)
    return [found["code"] for found in said["findings"]]


def test_a_summary_of_somebodys_own_is_told_of_when_its_description_changes(written: Desk) -> None:
    with_own_summary(written)
    assert codes(written, "check") == []
    with_other_docstring(written)
    assert sorted(codes(written, "check")) == ["PD901", "PD912"]


def test_an_edit_of_a_copy_is_no_change_of_the_description(written: Desk) -> None:
    with_own_summary(written)
    written.edit(tool(written), lambda content: content.update(description="In the wrong place."))
    assert codes(written, "check") == ["PD514"]
    assert codes(written, "sync") == ["PD514"]


RAISES = "Returns the newest first.\n\nErrors:\n    TOO_SHORT: give two letters."


def with_errors(desk: Desk) -> None:
    text = RAISES if not desk.dialect.owned else None
    if text is not None:
        desk.replace(SERVER, "Returns the newest first.", text.replace("\n", "\n    "))
    else:
        desk.replace(SERVER, "Change a note. ", "Change a note.\\n\\nErrors:\\n    TOO_SHORT: two letters.\\n\\n")


def test_guidance_of_the_code_is_lifted_by_sync_and_follows_it_until_it_is_edited(written: Desk) -> None:
    with_errors(written)
    assert set(codes(written, "check")) == {"PD901"}
    assert codes(written, "sync") == []
    content = written.content(tool(written))
    assert content["lifted"] == ["error_guidance"]
    assert content["error_guidance"]["common_errors"][0]["error"] == "TOO_SHORT"
    assert codes(written, "check") == []
    written.edit(tool(written), lambda content: content.update(error_guidance={"common_errors": []}))
    assert codes(written, "check") == ["PD911"]
    assert codes(written, "sync") == []
    assert "lifted" not in written.content(tool(written))
    assert codes(written, "check") == []
