"""Checks of the resource itself: whether it is there, and says how to use it (sections 4.1, 4.2, 8 and 9.2)."""

from __future__ import annotations

from pdmigrate.live.verify import wording
from pdmigrate.live.verify.answers import short, text_of
from pdmigrate.live.verify.interview import Interview
from pdmigrate.live.verify.model import CheckVerdict, Judge, failed, passed, skipped
from pdmigrate.model import mapping


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


def _says(check: str) -> Judge:
    """Make the judge of the resource's description; the resource's name counts as its first line."""

    def judge(seen: Interview) -> CheckVerdict:
        resource = seen.descriptor or {}
        description = text_of(resource.get("description"))
        if not description.strip():
            return _about(seen, failed("the resource has no description"))
        text = f"{text_of(resource.get('name'))}\n{description}"
        return _about(
            seen, passed() if wording.says(check, text) else failed(f"nothing on this in {short(description, 300)!r}")
        )

    return judge


def _instructions(seen: Interview) -> CheckVerdict:
    text = text_of(seen.server.get("instructions"))
    if "tool_descriptions" in text or seen.resource in text or (seen.bridge is not None and seen.bridge in text):
        return passed()
    return failed("the instructions that the server sends do not mention the resource" if text else "no instructions")


def _about(seen: Interview, verdict: CheckVerdict) -> CheckVerdict:
    return verdict if seen.descriptor is not None else skipped("the resource is not listed")


def _answered(seen: Interview) -> CheckVerdict:
    return failed("; ".join(seen.unanswered)) if seen.unanswered else passed()


JUDGES: dict[str, Judge] = {
    "9.2": _listed,
    "9.2-name": _name,
    **{check: _says(check) for check in wording.SAID},
    "4.1-mime": _mime,
    "8-instructions": _instructions,
    "answers": _answered,
}
