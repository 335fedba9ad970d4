"""The resource of the specification's section 4: find it in a listing, and name tools in its URI."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, quote, urlsplit

from pdmigrate.live.verify.answers import text_of
from pdmigrate.model import JsonObject

DEFAULT = "resource:///tool_descriptions"


def find_descriptor(resources: Iterable[JsonObject]) -> JsonObject | None:
    """The entry of ``resources/list`` for the tool descriptions, found by its URI or else by its name."""
    resources = list(resources)
    for resource in resources:
        if base(text_of(resource.get("uri"))).rstrip("/").rpartition("/")[2] == "tool_descriptions":
            return resource
    named = (r for r in resources if re.fullmatch(r"(?i)tool[_ -]?descriptions?.*", text_of(r.get("name"))))
    return next(named, None)


def find_template(resource: str, templates: Iterable[JsonObject]) -> str | None:
    """The listed template of the resource: ``resource:///tool_descriptions{?tools}``."""
    found = (text_of(template.get("uriTemplate")) for template in templates)
    return next((text for text in found if text.startswith(base(resource)) and "{" in text), None)


def expanded(template: str, name: str) -> str:
    """A template with one tool's name in the place of each variable, as RFC 6570 has it."""

    def value(match: re.Match[str]) -> str:
        operator, variables = match[1], [part.rstrip("*") for part in match[2].split(",")]
        if operator in ("?", "&"):
            return operator + "&".join(f"{variable}={quote(name, safe='')}" for variable in variables)
        return (operator if operator in ("/", "#", ".") else "") + quote(name, safe="")

    return re.sub(r"\{([?&/#.+;]?)([^{}]*)\}", value, template)


def base(uri: str) -> str:
    return uri.split("?", 1)[0]


def selecting(resource: str, names: Iterable[str], separator: str = ",") -> str:
    """The URI that asks for some tools: ``resource:///tool_descriptions?tools=a,b``."""
    return f"{base(resource)}?tools={separator.join(quote(name, safe='') for name in names)}"


def selected(uri: str) -> list[str]:
    """The names of tools in the ``tools`` parameters of a URI."""
    try:
        pairs = parse_qsl(urlsplit(uri).query)
    except ValueError:
        return []
    return [name.strip() for key, value in pairs if key == "tools" for name in value.split(",") if name.strip()]
