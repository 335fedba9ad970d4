"""Checks of the gate: closed before the fetch, open after it, for this session alone (sections 5, 6.2, 9.6 to 9.8).

A server may be configured not to gate.  That counts as its choice only if the answers show it: a gate that is merely
missing looks different, and fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pdmigrate.live.verify import answers
from pdmigrate.live.verify.answers import REQUIRED, Exchange, NotAsked, result_of, says, text_of
from pdmigrate.live.verify.model import (
    CheckVerdict,
    Interview,
    Judge,
    Reaction,
    by_choice,
    failed,
    not_applicable,
    passed,
    skipped,
)
from pdmigrate.live.wire import RpcError
from pdmigrate.model import JsonObject, mapping

_NO_SESSION = (
    "no session on this transport: the server gives no session id, so there is nothing a grant could belong to"
)
_UNANSWERED = "the call has no answer"
_GATE = (
    "refuse the call before anything else looks at it, arguments included; a server that only advises shows it by its "
    "definition at the end of an error: if the call did not fail, name a call that fails with --tool and --arguments"
)
_ADVISES = "the server advises: the call ran, and the tool's definition came with its error"
_RECEIPTS = "what opens a tool is the receipt that its definition asks for, in whichever session it is sent"


def outcome(seen: Interview, role: str) -> Reaction:
    """What became of the call ``role`` to a tool whose description nobody had fetched."""
    exchange = seen.asked[role]
    if isinstance(exchange, NotAsked):
        return Reaction.NOT_TRIED
    if not exchange.is_answered:
        return Reaction.UNANSWERED
    if says(exchange, REQUIRED):
        return Reaction.REFUSED
    return Reaction.ADVISED if _holds_advice(seen, exchange) else Reaction.RAN


def _holds_advice(seen: Interview, exchange: Exchange) -> bool:
    """Whether an error brings the definition that the resource serves: last in a result, or in the error's data."""
    result, name = result_of(exchange) or {}, text_of(exchange.params.get("name"))
    blocks, entry = answers.objects(result.get("content")), seen.entries.get(name)
    if isinstance(exchange.answer, RpcError):
        body: JsonObject | None = mapping(exchange.answer.data)
    elif result.get("isError") is True and len(blocks) > 1:
        body, _ = answers.find_object(text_of(blocks[-1].get("text")))
    else:
        return False
    return body is not None and entry is not None and entry in (body, body.get(name), body.get("tool_description"))


# --- the checks -------------------------------------------------------------------------------------------------------


def _unlisted(seen: Interview) -> CheckVerdict:
    """The specification refuses every session; serving one that never listed is a choice if others are refused."""
    if not seen.has_session:
        return not_applicable(_NO_SESSION)
    exchange = seen.asked["unlisted"]
    if isinstance(exchange, NotAsked):
        return not_applicable(_ADVISES) if _advises(seen) else skipped(exchange.reason)
    found = outcome(seen, "unlisted")
    if found is Reaction.REFUSED:
        return passed()
    if found is Reaction.UNANSWERED:
        return failed(_UNANSWERED, exchange)
    if not says(seen.asked["second"], REQUIRED):
        return skipped("a session that lists is not refused either, see 9.8")
    return by_choice(f"the gate is for sessions that ask for the tools, and this one did not: the call {found.value}")


def _of_refusal(judge: Callable[[Interview, Exchange], CheckVerdict]) -> Judge:
    """Judge the refusal of the first call, if it was refused."""

    def judged(seen: Interview) -> CheckVerdict:
        exchange = seen.asked["ungranted"]
        if isinstance(exchange, Exchange) and says(exchange, REQUIRED):
            return judge(seen, exchange)
        if not seen.has_session or _advises(seen):
            return not_applicable(_ADVISES if seen.has_session else _NO_SESSION)
        return skipped(exchange.reason if isinstance(exchange, NotAsked) else "there was no refusal, see 9.7")

    return judged


def _is_error(_seen: Interview, exchange: Exchange) -> CheckVerdict:
    """A returned result reaches the model; a protocol error may not."""
    if (result := result_of(exchange)) is None:
        return failed("it is a protocol error", exchange)
    flag = result.get("isError")
    return passed() if flag is True else failed(f"isError is {flag!r}: a client takes it for success", exchange)


def _body(seen: Interview, exchange: Exchange) -> CheckVerdict:
    """The body of section 6.2: code, message and URI are fixed, other fields may be added."""
    if result_of(exchange) is None:
        return skipped("the refusal is not a tool result, see 9.7-result")
    bodies = answers.error_bodies(exchange)
    if not bodies:
        return failed("neither its text nor its structuredContent or _meta is the object", exchange)
    name = text_of(exchange.params.get("name"))
    problems = {problem: None for body in bodies for problem in _body_problems(seen, name, mapping(body["error"]))}
    return failed("; ".join(problems), exchange) if problems else passed()


def _body_problems(seen: Interview, name: str, error: JsonObject) -> Iterator[str]:
    if error.get("code") != REQUIRED:
        yield f"code is {error.get('code')!r}"
    if error.get("message") != f"Tool '{name}' requires fetching its description before use.":
        yield f"message is {error.get('message')!r}"
    uri = text_of(error.get("resource_uri"))
    asked = answers.selected(answers.selecting(seen.resource, [name]))
    if answers.base(uri) != answers.base(seen.resource) or answers.selected(uri) != asked:
        yield f"resource_uri is {error.get('resource_uri')!r}"


def _in_text(_seen: Interview, exchange: Exchange) -> CheckVerdict:
    """By the letter the error itself is returned; beside it, plain words may stand in the text."""
    if not answers.error_bodies(exchange):
        return not_applicable("there is no such object, see 9.7-body")
    if answers.error_code(exchange) == REQUIRED and not answers.read(exchange).around:
        return passed()
    return by_choice("the text is plain words, and the object stands beside it", exchange)


def _again(seen: Interview, *, by_the_letter: bool) -> CheckVerdict:
    """A tool stays refused until its definition has arrived: by a fetch, or else with the refusal."""
    found = _called(seen, "again")
    if isinstance(found, CheckVerdict):
        return found
    if says(found, REQUIRED):
        return passed("refused again: only a fetch opens the tool")
    if answers.delivered(seen.asked["ungranted"]) is None:
        told = "the next call is not refused, although no definition was fetched or delivered"
        return not_applicable(f"{told}: see 9.6-again") if by_the_letter else failed(told, found)
    if by_the_letter:
        return by_choice("a refusal delivers the definition, and that authorises as a fetch does", found)
    return passed("5.1 is met by delivery: the refusal brought the definition, and the next call is not refused")


def _delivered(seen: Interview) -> CheckVerdict:
    """What a refusal brings is what a fetch brings."""
    exchange = seen.asked["ungranted"]
    brought = answers.delivered(exchange)
    if brought is None:
        return not_applicable("the refusal brings no definition")
    entry = seen.entries.get(text_of(exchange.params.get("name"))) if isinstance(exchange, Exchange) else None
    if entry is None:
        return skipped("no definition was served to compare it with")
    return passed() if brought == entry else failed("it is another than the resource serves", exchange)


def _per_tool(seen: Interview) -> CheckVerdict:
    exchange = seen.asked["still ungranted"]
    if isinstance(exchange, Exchange) and exchange.session != "first" and not says(seen.asked["second"], REQUIRED):
        return skipped("the grants of other sessions count in this one, see 9.8")
    return _gated(seen, "still ungranted", hint="a fetch authorizes the tools it names, not all of them")


def _isolated(seen: Interview) -> CheckVerdict:
    second = seen.asked["second"]
    if not seen.has_session and isinstance(second, Exchange) and not says(second, REQUIRED):
        shared = "there are no sessions, and what one client has fetched is open for every other"
        return failed(shared, *(seen.asked[role] for role in ("ungranted", "single")), second)
    if not says(seen.asked["ungranted"], REQUIRED):  # without a gate, nothing isolates the second session either
        return _gated(seen, "ungranted")
    return _by_receipt(seen, _gated(seen, "second", hint="keep grants by session, not for the whole process"))


def _no_lockout(seen: Interview) -> CheckVerdict:
    """Without sessions, a gate that demands a fetch first never opens."""
    if seen.has_session:
        return not_applicable("there is a session, see 9.6-opens")
    exchange = seen.asked["granted"]
    if outcome(seen, "ungranted") in (Reaction.ADVISED, Reaction.RAN):
        return passed("no call is refused")
    if isinstance(exchange, NotAsked):
        return skipped(exchange.reason)
    if says(exchange, REQUIRED):
        return failed("the call is refused although the description was fetched: no client can ever call", exchange)
    return passed()


# --- shared by several checks -----------------------------------------------------------------------------------------


def _called(seen: Interview, role: str) -> Exchange | CheckVerdict:
    """The call ``role`` with its answer, or else the verdict on it."""
    if not seen.has_session:
        return not_applicable(_NO_SESSION)
    exchange = seen.asked[role]
    if isinstance(exchange, NotAsked):
        if _advises(seen):
            return not_applicable(_ADVISES)
        alone = seen.other is None and role == "still ungranted" and says(seen.asked["ungranted"], REQUIRED)
        return not_applicable(exchange.reason) if alone else skipped(exchange.reason)
    return exchange if exchange.is_answered else failed(_UNANSWERED, exchange)


def _gated(seen: Interview, role: str, hint: str = _GATE) -> CheckVerdict:
    found = _called(seen, role)
    if isinstance(found, CheckVerdict):
        return found
    if says(found, REQUIRED):
        return passed()
    if _advises(seen):
        return by_choice(_ADVISES, found)
    return failed("the call is not refused with TOOL_DESCRIPTION_REQUIRED", found, hint=hint)


def _open(seen: Interview, role: str) -> CheckVerdict:
    found = _called(seen, role)
    if isinstance(found, CheckVerdict):
        return found
    if says(found, REQUIRED):
        return failed("the call is still refused after the fetch", seen.asked["single"], found)
    return passed()


def _by_receipt(seen: Interview, verdict: CheckVerdict) -> CheckVerdict:
    """``verdict``, or by choice if a receipt opened the tool, and was needed, in a session without the fetch."""
    sent = seen.asked["second with receipt"]
    opened = isinstance(sent, Exchange) and sent.is_answered and not says(sent, REQUIRED)
    needed = verdict == passed() and says(seen.asked["second"], REQUIRED)
    return by_choice(_RECEIPTS, sent) if opened and needed else verdict


def _advises(seen: Interview) -> bool:
    return outcome(seen, "ungranted") is Reaction.ADVISED


JUDGES: dict[str, Judge] = {
    "9.6": lambda seen: _by_receipt(seen, _gated(seen, "ungranted")),
    "9.6-unlisted": _unlisted,
    "9.6-again": partial(_again, by_the_letter=False),
    "9.6-letter": partial(_again, by_the_letter=True),
    "9.6-tool": _per_tool,
    "9.6-opens": partial(_open, role="granted"),
    "9.6-persists": partial(_open, role="persisting"),
    "9.7": partial(_gated, role="ungranted"),
    "9.7-result": _of_refusal(_is_error),
    "9.7-body": _of_refusal(_body),
    "9.7-text": _of_refusal(_in_text),
    "9.7-delivered": _delivered,
    "9.8": _isolated,
    "5.2-open": _no_lockout,
}
