"""What is said of summaries and guidance: somebody's own is left alone, and what was lifted follows the code."""

from __future__ import annotations

from tests.check.desk import SERVER, Desk


def codes(desk: Desk, command: str) -> list[str]:
    return sorted(found["code"] for found in desk.said(command)[1])


def test_a_summary_of_somebodys_own_is_told_of_when_its_description_changes(written: Desk) -> None:
    written.summarise("In my own words.")
    assert codes(written, "check") == []
    written.replace(SERVER, "Find notes by their text.", "Look for notes by their text.")
    assert codes(written, "check") == ["PD901", "PD912"]


def test_an_edit_of_a_copy_is_no_change_of_the_description(written: Desk) -> None:
    written.summarise("In my own words.")
    written.edit("find_note", lambda content: content.update(description="In the wrong place."))
    assert codes(written, "check") == ["PD514"]
    assert codes(written, "sync") == ["PD514"]


def test_guidance_of_the_code_is_lifted_by_sync_and_follows_it_until_it_is_edited(written: Desk) -> None:
    raises = "Returns the newest first.\n\n    Errors:\n        TOO_SHORT: give two letters."
    written.replace(SERVER, "Returns the newest first.", raises)
    assert set(codes(written, "check")) == {"PD901"}
    assert codes(written, "sync") == []
    content = written.content("find_note")
    assert content["lifted"] == ["error_guidance"]
    assert content["error_guidance"]["common_errors"][0]["error"] == "TOO_SHORT"
    assert codes(written, "check") == []
    written.edit("find_note", lambda content: content.update(error_guidance={"common_errors": []}))
    assert codes(written, "check") == ["PD911"]
    assert codes(written, "sync") == []
    assert "lifted" not in written.content("find_note")
    assert codes(written, "check") == []
