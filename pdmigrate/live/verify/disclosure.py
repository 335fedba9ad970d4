"""Checks of the resource itself: whether it is there, and says how to use it (sections 4.1, 4.2, 8 and 9.2)."""

from __future__ import annotations

from collections.abc import Callable

from pdmigrate.live.verify import answers, wording
from pdmigrate.live.verify.answers import NotAsked, mapping, serves, short, text_of
from pdmigrate.live.verify.interview import Interview
from pdmigrate.live.verify.model import PROTOCOL, Check, CheckVerdict, Level, failed, not_applicable, passed, skipped


def _listed(seen: Interview) -> CheckVerdict:
    if seen.descriptor is not None:
        return passed(seen.resource)
    if not isinstance(mapping(seen.server.get("capabilities")).get("resources"), dict):
        return failed("the server does not declare the resources capability")
    if error := seen.refused.get("resources/list"):
        return failed(error)
    found = ", ".join(text_of(resource.get("uri")) for resource in seen.resources)
    return failed(f"resources/list has no resource of that name; it has {short(found, 200) or 'none'}")


def _name(seen: Interview) -> CheckVerdict:
    name = text_of((seen.descriptor or {}).get("name"))
    return _about(seen, passed(name) if wording.names_descriptions(name) else failed(f"the name is {name!r}"))


def _mime(seen: Interview) -> CheckVerdict:
    mime = (seen.descriptor or {}).get("mimeType")
    return _about(seen, passed() if mime == "application/json" else failed(f"mimeType is {mime!r}"))


def _says(rule: Callable[[str], bool]) -> Callable[[Interview], CheckVerdict]:
    """Make the judge of the resource's description by ``rule``; the resource's name counts as its first line."""

    def judge(seen: Interview) -> CheckVerdict:
        resource = seen.descriptor or {}
        description = text_of(resource.get("description"))
        if not description.strip():
            return _about(seen, failed("the resource has no description"))
        text = f"{text_of(resource.get('name'))}\n{description}"
        return _about(seen, passed() if rule(text) else failed(f"nothing on this in {short(description, 300)!r}"))

    return judge


def _instructions(seen: Interview) -> CheckVerdict:
    text = text_of(seen.server.get("instructions"))
    if "tool_descriptions" in text or seen.resource in text or (seen.bridge is not None and seen.bridge in text):
        return passed()
    return failed("the instructions that the server sends do not mention the resource" if text else "no instructions")


def _templates_answered(seen: Interview) -> CheckVerdict:
    if not isinstance(mapping(seen.server.get("capabilities")).get("resources"), dict):
        return skipped("the server does not declare the resources capability")
    error = seen.refused.get("resources/templates/list")
    return failed(error) if error else passed()


def _template(seen: Interview) -> CheckVerdict:
    if "resources/templates/list" in seen.refused:
        return skipped("there is no list of templates, see 4.1-templates")
    template = answers.find_template(seen.resource, seen.templates)
    named = ", ".join(text_of(each.get("uriTemplate")) for each in seen.templates)
    return _about(seen, passed(template) if template else failed(f"templates are {short(named, 200) or 'none'}"))


def _expanded(seen: Interview) -> CheckVerdict:
    exchange = seen.asked["template"]
    if isinstance(exchange, NotAsked):
        return not_applicable(exchange.reason)
    chosen = seen.fetched_first
    if chosen is None or not serves(seen.asked["single"], chosen):
        return skipped("no definition is served at all, see 9.3")
    return passed() if serves(exchange, chosen) else failed("no definition was served", exchange)


def _about(seen: Interview, verdict: CheckVerdict) -> CheckVerdict:
    return verdict if seen.descriptor is not None else skipped("the resource is not listed")


_WORDING = "see section 4.2 of the specification, and 11.2 for an example"


def _answered(seen: Interview) -> CheckVerdict:
    return failed("; ".join(seen.unanswered)) if seen.unanswered else passed()


CHECKS = (
    Check(
        "9.2",
        "4.1",
        Level.MUST,
        "the resource tool_descriptions is in resources/list",
        "resource:///tool_descriptions (or the like under another scheme) in resources/list",
        _listed,
    ),
    Check(
        "9.2-name",
        "4.1",
        Level.MUST,
        "its name says what it holds",
        "a name that clearly says that this holds tool descriptions",
        _name,
    ),
    Check(
        "9.2-listing",
        "4.2.1",
        Level.MUST,
        "its description relates it to tools/list",
        "the relationship between tools/list and this resource",
        _says(wording.relates_to_listing),
        _WORDING,
    ),
    Check(
        "9.2-before",
        "4.2.2",
        Level.MUST,
        "its description demands a fetch before the call",
        "that descriptions are to be fetched before tools are called",
        _says(wording.demands_fetch),
        _WORDING,
    ),
    Check(
        "9.2-query",
        "4.2.3",
        Level.MUST,
        "its description shows the query parameter",
        "the syntax of ?tools=",
        _says(wording.shows_query),
        _WORDING,
    ),
    Check(
        "9.2-otherwise",
        "4.2.4",
        Level.MUST,
        "its description says what happens otherwise",
        "the consequence of calling a tool without fetching its description",
        _says(wording.names_consequence),
        _WORDING,
    ),
    Check("4.1-mime", "4.1", Level.SHOULD, "its type is application/json", "mimeType application/json", _mime),
    Check(
        "4.2-steps",
        "4.2",
        Level.SHOULD,
        "its description goes in steps",
        "clear sequential steps",
        _says(wording.has_steps),
        _WORDING,
    ),
    Check(
        "4.2-choice",
        "4.2",
        Level.SHOULD,
        "its description tells choosing a tool from learning its parameters",
        "the list is for choosing, the resource for parameters",
        _says(wording.tells_choice_from_use),
        _WORDING,
    ),
    Check(
        "4.2-example",
        "4.2",
        Level.SHOULD,
        "its description shows a whole URI",
        "a concrete URI with its query",
        _says(wording.shows_example),
        _WORDING,
    ),
    Check(
        "4.2-authorizes",
        "4.2",
        Level.SHOULD,
        "its description says that fetching authorizes",
        "that a fetch authorizes the tool for the session",
        _says(wording.says_it_authorizes),
        _WORDING,
    ),
    Check(
        "4.1-templates",
        "4.1",
        Level.SHOULD,
        "resources/templates/list is answered",
        "an answer, if only an empty list: some clients reject a server that declares resources and has none",
        _templates_answered,
    ),
    Check(
        "4.1-template",
        "4.1",
        Level.ADVICE,
        "a template of the resource is listed",
        "resource:///tool_descriptions{?tools} in resources/templates/list, by which clients route addresses",
        _template,
    ),
    Check(
        "4.1-expanded",
        "4.1",
        Level.SHOULD,
        "the template leads to the resource",
        "the definition of the tool that is put in",
        _expanded,
    ),
    Check(
        "8-instructions",
        "8.2",
        Level.SHOULD,
        "the server's instructions explain the two stages",
        "the workflow in the instructions, which reach a model before any resource does",
        _instructions,
    ),
    Check(
        "answers",
        PROTOCOL,
        Level.MUST,
        "every request has an answer",
        "a result or an error to every request: without one, nothing more is asked on that session",
        _answered,
    ),
)
