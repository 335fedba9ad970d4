"""``ai_help``: one document about a server, in Markdown with front matter or as JSON (dashdash 3.3).

The document is made of parts, which the generated module joins for each reader: only then is the server asked for its
tools, so that nobody reads about a tool that is hidden from them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from pdmigrate.describe.dashdash import SPEC_URL
from pdmigrate.describe.dashdash.inferring import ACCESS
from pdmigrate.model import JsonObject, JsonValue
from pdmigrate.runtime.guidance import help_sections

OF_TOOLS = ("Quick Reference", "Error Handling")
"""The sections that are made for each reader, of the tools that they may see and what is known of their errors."""
_KEBAB = {"cliUrl": "cli-url", "apiUrl": "api-url", "webUrl": "web-url"}
_NAMES = {"npm": "npm install -g", "pip": "pip install", "docker": "docker pull", "brew": "brew install"}


def front_matter(metadata: JsonObject) -> str:
    """The front matter of the document, from ``---`` to ``---``."""
    lines: list[str] = []
    for key, value in front_fields(metadata):
        if isinstance(value, dict):
            lines += [f"{key}:", *(f"  {name}: {compact(part)}" for name, part in value.items())]
        else:
            lines.append(f"{key}: {compact(value)}")
    return "\n".join(["---", *lines, "---"])


def front_fields(metadata: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    """The metadata under the keys of front matter."""
    identity, access = _table(metadata, "identity"), _table(metadata, "alternativeAccess")
    yield "name", identity.get("name")
    yield "description", identity.get("description")
    yield "spec-url", SPEC_URL
    yield "spec-version", metadata.get("specVersion")
    if "accessLevel" in metadata:
        yield "access-level", metadata["accessLevel"]
    for key in ACCESS:
        yield _KEBAB[key], access.get(key)
    for key in ("install", "requires", "invocation"):
        if table := _table(metadata, key):
            yield key, {_kebab(name): value for name, value in table.items()}


def sections(metadata: JsonObject, given: Mapping[str, JsonValue]) -> dict[str, str]:
    """The sections by title, in the order of the specification; those of ``OF_TOOLS`` are empty.

    ``given`` are the texts of the project; other sections appear only if the metadata fills them.
    """
    access = {key.removesuffix("Url"): url for key, url in _table(metadata, "alternativeAccess").items() if url}
    install, requires = _table(metadata, "install"), _table(metadata, "requires")
    titles = {"cli": "CLI", "api": "REST API", "web": "Web"}
    made = {
        "When to Use": str(_table(metadata, "identity").get("description", "")),
        "Quick Reference": "",
        "Installation": _lines(f"`{_NAMES.get(key, key)} {value}`" for key, value in install.items()),
        "Authentication": _lines(
            f"{title}: {', '.join(f'`{one}`' for one in values)}"
            for title, key in (("Kinds", "auth"), ("Environment", "env"), ("Scopes", "scopes"))
            if isinstance(values := requires.get(key), list)
        ),
        "Rate Limits": str(metadata.get("rateLimit", "")),
        "Error Handling": "",
        "Tool Reference": "Read `resource:///tool_descriptions?tools=NAME`: parameters, examples and errors of a tool.",
        "Alternative Access Methods": _lines(f"{titles.get(key, key)}: {url}" for key, url in access.items()),
    }
    said = {**made, **{title: str(text) for title, text in given.items()}}
    return {title: text for title, text in said.items() if text or title in OF_TOOLS}


def markdown(
    name: str, front: str, parts: Mapping[str, str], tools: Sequence[tuple[str, str]], errors: Sequence[str] = ()
) -> str:
    """The whole document for a reader who may see ``tools`` (names with summaries) and the ``errors`` that they say."""
    reference = [f"- `{tool}`: {summary}" for tool, summary in tools]
    texts = (f"## {title}\n\n{text}" for title, text in help_sections({**parts}, reference, [*errors]).items())
    return "\n\n".join([front, f"# {name}", *texts]) + "\n"


def _table(metadata: Mapping[str, JsonValue], key: str) -> JsonObject:
    value = metadata.get(key)
    return value if isinstance(value, dict) else {}


def _lines(items: Iterator[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def compact(value: JsonValue) -> str:
    """A value on one line, as JSON, which YAML parsers accept."""
    return json.dumps(value, ensure_ascii=False)


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
