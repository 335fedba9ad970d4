"""What became of a call to a tool whose description nobody had fetched."""

from __future__ import annotations

import pytest

from pdmigrate.live.verify.answers import Answer, Broken, Exchange, NotAsked, Refused, Result
from pdmigrate.live.verify.authorization import outcome
from pdmigrate.live.verify.interview import Interview
from pdmigrate.live.verify.model import Reaction
from pdmigrate.live.verify.picks import Wish, pick


@pytest.mark.parametrize(
    ("answer", "reaction"),
    [
        (None, Reaction.NOT_TRIED),
        (Broken("the server has ended"), Reaction.UNANSWERED),
        (Refused(-32602, "no", {"code": "TOOL_DESCRIPTION_REQUIRED"}), Reaction.REFUSED),
        (Refused(-32602, "no", None), Reaction.RAN),
        (Result({"content": []}), Reaction.RAN),
    ],
)
def test_a_call_is_refused_or_runs_or_is_not_answered(answer: Answer | None, reaction: Reaction) -> None:
    call = Exchange("a call", "tools/call", {"name": "a"}, answer) if answer is not None else NotAsked("")
    seen = Interview(
        target="x",
        transport="stdio",
        has_session=True,
        server={},
        tools=(),
        resources=(),
        templates=(),
        prompts=(),
        refused={},
        descriptor=None,
        resource="x",
        protocol="",
        chosen=pick((), Wish()),
        other=None,
        bridge=None,
        asked={"ungranted": call, "single": NotAsked("")},
        fetches=(),
        relisted=(),
        second_listing=(),
    )
    assert outcome(seen, "ungranted") is reaction
