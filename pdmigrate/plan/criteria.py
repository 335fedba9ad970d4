"""Which of the specification's eight conformance criteria (section 9) a migrated server meets, on which transport."""

from __future__ import annotations

from pdmigrate.config import Settings

_ALL = "all eight criteria of the specification hold"
_FIRST = "criteria 1-5 of the specification hold, 6-8 (the gate) do not"


def statements(settings: Settings) -> tuple[str, ...]:
    """One plain sentence for each kind of transport, for the person who reviews the diff."""
    return (
        f"stdio: {_stdio(settings.stdio)}",
        f"HTTP with sessions: {_http(settings.http)}",
        f"HTTP without sessions: {_sessionless(settings.http)}",
    )


def _stdio(policy: str) -> str:
    if policy == "enforce":
        return _ALL
    if policy == "advise":
        return f"{_FIRST}: a call to a tool that was not fetched runs, and a failing one brings the description along"
    return f"{_FIRST}: every call runs"


def _http(policy: str) -> str:
    if policy == "enforce":
        return f"{_ALL}; hosts that open a session for every call are locked out"
    return _sessionless(policy)


def _sessionless(policy: str) -> str:
    if policy == "receipt":
        return f"{_FIRST} by session: a call runs only with the receipt that the fetched schema asks for"
    if policy == "off":
        return f"{_FIRST}: every call runs"
    return f"{_FIRST}: a call to a tool that was not fetched runs, and a failing one brings the description along"
