"""Which of the specification's eight conformance criteria (section 9) a migrated server meets, on which transport."""

from __future__ import annotations

from pdmigrate.config import Settings

_ALL = "all eight criteria of the specification hold"
_UNGATED = "criteria 1-5 of the specification hold; 6-8 (the gate) do not"
_CONSEQUENCES = {
    "advise": "a call to a tool that was not fetched runs, and if it fails the full description comes with the error",
    "receipt": "a call runs only with the receipt that the fetched schema asks for",
    "off": "every call runs",
}


def statements(settings: Settings) -> tuple[str, ...]:
    """Plain sentences, one for each kind of transport that differs, for the person who reviews the diff."""
    if settings.http == "enforce":
        return (
            f"stdio: {_policy(settings.stdio)}",
            f"HTTP with sessions: {_ALL}; a host that opens a session for every call is locked out",
            f"HTTP without sessions: {_policy('advise')}",
        )
    more = "; with --http enforce all eight hold where there are sessions" if settings.http == "advise" else ""
    return (f"stdio: {_policy(settings.stdio)}", f"HTTP: {_policy(settings.http)}{more}")


def _policy(policy: str) -> str:
    return _ALL if policy == "enforce" else f"{_UNGATED}: {_CONSEQUENCES[policy]}"
