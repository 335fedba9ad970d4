"""Checks of the gate: refused before the fetch, open after it, for this session alone (sections 5, 6.2, 9.6 to 9.8)."""

from __future__ import annotations

from pdmigrate.verify import uris
from pdmigrate.verify.answers import REQUIRED, error_code, mapping, read, result_of, says, text_of
from pdmigrate.verify.interview import Interview
from pdmigrate.verify.model import (
    Check,
    Exchange,
    Level,
    NotAsked,
    Refused,
    Result,
    Verdict,
    failed,
    not_applicable,
    passed,
    skipped,
)

_NO_SESSION = (
    "no session on this transport: the server gives no session id, so there is nothing a grant could belong to"
)
_ENFORCE = (
    'over HTTP a migrated server advises unless told otherwise: enable(server, http="enforce"), or --http enforce'
)
_GATE = "refuse the call before anything else looks at it, arguments included"


def _enforced(seen: Interview) -> Verdict:
    return _gated(seen, "ungranted")


def _code(seen: Interview) -> Verdict:
    return _gated(seen, "ungranted")


def _is_error(seen: Interview) -> Verdict:
    """A returned result reaches the model; a protocol error may not."""
    exchange = seen.asked["ungranted"]
    if not says(exchange, REQUIRED):
        return _no_refusal(seen)
    if isinstance(exchange, Exchange) and isinstance(exchange.answer, Refused):
        return failed("it is a protocol error", exchange)
    flag = (result_of(exchange) or {}).get("isError")
    return passed() if flag is True else failed(f"isError is {flag!r}: a client takes it for success", exchange)


def _body(seen: Interview) -> Verdict:
    """The body of section 6.2: code, message and URI are fixed, more may stand beside them."""
    exchange = seen.asked["ungranted"]
    if not says(exchange, REQUIRED):
        return _no_refusal(seen)
    if not isinstance(exchange, Exchange) or not isinstance(exchange.answer, Result):
        return skipped("the refusal is no tool result, see 9.7-result")
    if error_code(exchange) != REQUIRED or read(exchange).around:
        return failed("it is not JSON, or not alone", exchange)
    name = text_of(exchange.params.get("name"))
    error = mapping((read(exchange).body or {}).get("error"))
    problems = []
    if error.get("message") != f"Tool '{name}' requires fetching its description before use.":
        problems.append(f"message is {error.get('message')!r}")
    uri = text_of(error.get("resource_uri"))
    if uris.base(uri) != uris.base(seen.resource) or uris.selected(uri) != uris.selected(
        uris.selecting(seen.resource, [name])
    ):
        problems.append(f"resource_uri is {error.get('resource_uri')!r}")
    return failed("; ".join(problems), exchange) if problems else passed()


def _per_tool(seen: Interview) -> Verdict:
    return _gated(seen, "still ungranted", hint="a fetch authorizes the tools it names, not all of them")


def _opens(seen: Interview) -> Verdict:
    return _open(seen, "granted")


def _persists(seen: Interview) -> Verdict:
    return _open(seen, "persisting")


def _isolated(seen: Interview) -> Verdict:
    return _gated(seen, "second", hint="keep grants by session, not for the whole process")


def _no_lockout(seen: Interview) -> Verdict:
    """Without sessions a gate that demands a fetch first never opens."""
    if seen.has_session:
        return not_applicable("there is a session, see 9.6-opens")
    exchange = seen.asked["granted"]
    if isinstance(exchange, NotAsked):
        return skipped(exchange.reason)
    if says(exchange, REQUIRED):
        return failed("the call is refused although the description was fetched: no client can ever call", exchange)
    return passed()


def _gated(seen: Interview, role: str, hint: str = "") -> Verdict:
    if not seen.has_session:
        return not_applicable(_NO_SESSION)
    exchange = seen.asked[role]
    if isinstance(exchange, NotAsked):
        return _unasked(seen, exchange)
    if says(exchange, REQUIRED):
        return passed()
    return failed("the call is not refused with TOOL_DESCRIPTION_REQUIRED", exchange, hint=hint or _hint(seen))


def _open(seen: Interview, role: str) -> Verdict:
    if not seen.has_session:
        return not_applicable(_NO_SESSION)
    exchange = seen.asked[role]
    if isinstance(exchange, NotAsked):
        return _unasked(seen, exchange)
    if says(exchange, REQUIRED):
        return failed("the call is still refused after the fetch", seen.asked["single"], exchange)
    if not isinstance(exchange.answer, Result | Refused):
        return failed("the call has no answer", exchange)
    return passed()


def _unasked(seen: Interview, exchange: NotAsked) -> Verdict:
    """Where no gate is there are no grants to share either, so the criterion fails; its details are left open."""
    first = seen.asked["ungranted"]
    if exchange is seen.asked["second"] and isinstance(first, Exchange) and not says(first, REQUIRED):
        return failed(exchange.reason, first, hint=_hint(seen))
    alone = seen.other is None and exchange is seen.asked["still ungranted"] and says(first, REQUIRED)
    return not_applicable(exchange.reason) if alone else skipped(exchange.reason)


def _no_refusal(seen: Interview) -> Verdict:
    if not seen.has_session:
        return not_applicable(_NO_SESSION)
    exchange = seen.asked["ungranted"]
    return skipped(exchange.reason if isinstance(exchange, NotAsked) else "there was no refusal, see 9.7")


def _hint(seen: Interview) -> str:
    return _ENFORCE if seen.transport == "http" else _GATE


_M = Level.MUST

CHECKS = (
    Check("9.6", "5.1", _M, "a call before the fetch is refused", "no tool runs before its fetch", _enforced),
    Check("9.6-tool", "5.1.1", _M, "fetching one tool does not open another", "a grant for each tool", _per_tool),
    Check("9.6-opens", "5.1.1", _M, "the fetch opens the tool", "authorized by the fetch", _opens),
    Check("9.6-persists", "5.1.3", _M, "it stays open", "for the lifetime of the session", _persists),
    Check("9.7", "6.2", _M, "the refusal is TOOL_DESCRIPTION_REQUIRED", "the error of section 6.2", _code),
    Check("9.7-result", "6.2", _M, "it is a tool result with isError", "an error that reaches the model", _is_error),
    Check("9.7-body", "6.2", _M, "its body is that of the specification", "code, message, resource_uri", _body),
    Check("9.8", "5.1.4", _M, "a second session starts without grants", "no sharing between sessions", _isolated),
    Check("5.2-open", "5.2", _M, "without a session nobody is locked out", "a fetch that opens the tool", _no_lockout),
)
