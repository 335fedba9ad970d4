"""Which of the specification's eight conformance criteria (section 9) a migrated server meets, on which transport."""

from __future__ import annotations

from collections.abc import Iterable, Set

from pdmigrate.counting import some
from pdmigrate.settings import Settings

_ALL = "all eight criteria of the specification hold"
UNSEEN = (
    "no tool was found in source, so nothing is said of the specification's criteria: `pdmigrate verify` asks the "
    "migrated server"
)
_UNGATED = "criteria 1-5 of the specification hold; 6-8 (the gate) do not"
_PER_CALL = {
    "enforce": "; calls are not refused where a host starts the server for each call and does not list the tools first",
    "strict": "; a host that starts the server for every call is locked out",
}
_CONSEQUENCES = {
    "advise": "a call to a tool that was not fetched runs, and if it fails the full description comes with the error",
    "receipt": "a call runs only with the receipt that the fetched schema asks for",
    "off": "every call runs",
}


def without_first(said: Iterable[str]) -> tuple[str, ...]:
    """Sentences of ``statements`` that promise nothing of criterion 1."""
    swaps = ((_ALL, "criteria 2-8 of the specification hold"), ("criteria 1-5", "criteria 2-5"), ("all eight", "2-8"))
    for more, less in swaps:
        said = [text.replace(more, less) for text in said]
    return tuple(said)


def listed(settings: Settings, detailed: Iterable[str]) -> tuple[str, ...]:
    """Why criterion 1 does not hold, as `verify` finds; ``detailed`` are the tools whose summary has a PD409."""
    names = sorted(set(detailed))
    prose = (f"for the summary of {some(names, 5)} see PD409",) if names else ()
    schemas = ("stub_schema = full lists whole schemas",) if settings.stub_schema == "full" else ()
    reasons = "; ".join((*prose, *schemas))
    return (f"criterion 1 (minimal descriptions) does not hold: {reasons}",) if reasons else ()


def statements(settings: Settings, adapters: Set[str]) -> tuple[str, ...]:
    """Sentences for the person who reviews the diff, one for each kind of transport whose criteria differ.

    ``adapters`` are those of the enabled servers: mcp 2.x also speaks protocol 2026-07-28, which has no sessions over
    HTTP, and clients of mcp 2.x choose that protocol by themselves.
    """
    newer = bool(adapters & {"mcp2", "both"})
    pipe = ", a pipe counting as one session where the protocol has none" if newer else ""
    stdio = f"stdio: {_policy(settings.stdio)}"
    if settings.stdio in ("enforce", "strict"):
        stdio += pipe + _PER_CALL[settings.stdio]
    where = (
        "for clients that open a session; those of protocol 2026-07-28 do not" if newer else "where there are sessions"
    )
    if settings.http in ("enforce", "strict"):
        sessionless = "a stateless server, or a client of protocol 2026-07-28" if newer else "a stateless server"
        lists = "lists and calls" if settings.http == "enforce" else "calls"
        return (
            stdio,
            f"HTTP with sessions: {_ALL}; a host that opens a session for every call, and {lists} in it, is locked out",
            f"HTTP without sessions ({sessionless}): {_policy('advise')}",
        )
    more = f"; with --http enforce all eight hold {where}" if settings.http == "advise" else ""
    return (stdio, f"HTTP: {_policy(settings.http)}{more}")


def _policy(policy: str) -> str:
    return _ALL if policy in ("enforce", "strict") else f"{_UNGATED}: {_CONSEQUENCES[policy]}"
