"""Which of the specification's eight conformance criteria (section 9) a migrated server meets, on which transport."""

from __future__ import annotations

from collections.abc import Iterable

from pdmigrate.counting import some
from pdmigrate.settings import Settings

UNSEEN = (
    "no tool was found in source, so nothing is said of the specification's criteria: `pdmigrate verify` asks the "
    "migrated server"
)
_PER_CALL = {
    "enforce": ", except that no call is refused when a host starts the server for each call and lists no tools first",
    "strict": "; a host that starts the server for every call is locked out",
}
_CONSEQUENCES = {
    "advise": "a call to a tool that was not fetched runs, and if it fails the full description comes with the error",
    "receipt": "a call runs only with the receipt that the fetched schema asks for",
    "off": "every call runs",
}


def statements(settings: Settings, detailed: Iterable[str]) -> tuple[str, ...]:
    """Sentences for the person who reviews the diff, one for each kind of transport whose criteria differ.

    ``detailed`` are the tools whose summary has a PD409: for them criterion 1 does not hold, as `verify` finds.
    """
    reasons = [f"for the summary of {some(names, 5)} see PD409"] if (names := sorted(set(detailed))) else []
    reasons += ["stub_schema = full lists whole schemas"] if settings.stub_schema == "full" else []
    first, every = ("2", "2-8") if reasons else ("1", "all eight")

    def policy(chosen: str) -> str:
        if chosen in ("enforce", "strict"):
            return f"{'criteria 2-8' if reasons else 'all eight criteria'} of the specification hold"
        gate = f"criteria {first}-5 of the specification hold; 6-8 (refusing calls before a fetch) do not"
        return f"{gate}: {_CONSEQUENCES[chosen]}"

    said = [f"stdio: {policy(settings.stdio)}{_PER_CALL.get(settings.stdio, '')}"]
    if settings.http in ("enforce", "strict"):
        lists = "lists and calls" if settings.http == "enforce" else "calls"
        per_call = f"a host that opens a session for every call, and {lists} in it, is locked out"
        said.append(f"HTTP with sessions: {policy(settings.http)}; {per_call}")
        sessionless = "a stateless server, or a client of protocol 2026-07-28"
        said.append(f"HTTP without sessions ({sessionless}): {policy('advise')}")
    else:
        more = f"; with --http enforce {every} hold where there are sessions" if settings.http == "advise" else ""
        said.append(f"HTTP: {policy(settings.http)}{more}")
    unmet = [f"criterion 1 (minimal descriptions) does not hold: {'; '.join(reasons)}"] if reasons else []
    return (*said, *unmet)
