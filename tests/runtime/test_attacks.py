"""What a client may try against the gate of a server that many share, in every SDK family."""

from __future__ import annotations

import json
import time
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pdmigrate.live.wire import HttpTarget, Session
from pdmigrate.live.wire.http import events
from pdmigrate.model import JsonObject
from tests.runtime.offices import ADAPTERS, BRIDGE, CALLS, GUESTS, OFFICES, fetch, is_refused
from tests.runtime.samples import STRICT, Policies, Stand, answer, session

LENT = ("hand_out", {"number": 7})


def test_sessions_at_the_same_time_share_no_grant(office: Stand) -> None:
    """Nor does one get any from a client without sessions at the same server."""
    with session(office.http(STRICT)) as one, session(office.http(STRICT)) as other:
        fetch(one, ["find_items"])
        fetch(other, ["hand_out"], BRIDGE)
        assert [is_refused(each, *CALLS["valid"]) for each in (one, other)] == [False, True]
        assert [is_refused(each, *LENT) for each in (one, other)] == [True, False]
        for era in office.sample.eras[1:]:
            with session(office.http(STRICT, era), era) as without:
                fetch(without, [*GUESTS])
                assert not is_refused(without, *LENT)
        assert [is_refused(each, *LENT) for each in (one, other)] == [True, False]


@pytest.mark.parametrize("office", [name for name in OFFICES if name.startswith("either")], indirect=True)
def test_a_receipt_opens_a_tool_on_every_major(office: Stand) -> None:
    """A module for both majors asks for receipts in lines of its own; the other offices have none."""
    name, good = office.sample.good
    with session(office.http(Policies(http="receipt"), stateless=True)) as opened:
        assert is_refused(opened, name, good)
        asked = fetch(opened, [name])[name]["inputSchema"]["properties"]["description_receipt"]
        given = answer(opened, name, {**good, "description_receipt": asked["enum"][0]})
    assert given.get("isError", False) is False


# --- which policy a request is under ----------------------------------------------------------------------------------

SECONDS = 60.0


class SseTransport:
    """One connection over the transport of before streamable HTTP: a stream of events, and posts beside it."""

    has_sessions = True

    def __init__(self, url: str) -> None:
        stream = urllib.request.urlopen(url, timeout=SECONDS)
        self._heard = events(stream, time.monotonic() + SECONDS)
        self._address = urllib.parse.urljoin(url, next(self._heard).decode())

    def request(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> JsonObject:
        self.notify(message, headers=headers, timeout=timeout)
        while True:
            found: Any = json.loads(next(self._heard))
            if found.get("id") == message["id"]:
                return dict(found)

    def notify(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> None:
        sent = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(self._address, data=json.dumps(message).encode(), headers=sent)
        urllib.request.urlopen(request, timeout=timeout).close()


def sse_session(url: str, era: str, *, lists: bool = True) -> Session:
    opened = Session(SseTransport(f"{url}/sse"), timeout=SECONDS)
    opened.initialize(era)
    if lists:
        opened.list_tools()
    return opened


def test_a_connection_of_the_old_transport_counts_as_a_pipe(office: Stand) -> None:
    url = office.url(Policies(stdio="enforce", http="off"), "--sse")
    for era in office.sample.eras:
        unlisted, one, other = (sse_session(url, era, lists=lists) for lists in (False, True, True))
        assert "inputSchema" in fetch(one, ["hand_out"], BRIDGE)["hand_out"]
        assert [is_refused(each, *LENT) for each in (unlisted, one, other)] == [False, False, True]


@pytest.mark.parametrize("office", ADAPTERS, indirect=True)
def test_no_address_makes_a_request_one_of_the_old_transport(office: Stand) -> None:
    """Posts to the old transport have their session in the query, and anybody can add it."""
    with session(asked(office.http(Policies(stdio="off", http="enforce")))) as opened:
        assert is_refused(opened, *LENT)
    for era in office.sample.eras:
        target = asked(office.http(Policies(stdio="advise", http="off"), era, stateless=True))
        with session(target, era) as opened:
            failed = opened.call_tool(*CALLS["too short"])
        assert failed["isError"] is True
        assert "inputSchema" not in json.dumps(failed)


def asked(target: HttpTarget) -> HttpTarget:
    return replace(target, url=f"{target.url}?session_id=0123456789abcdef0123456789abcdef")
