"""The dashdash MCP enhancements, v0.2.0: metadata of a server and of its tools, and the help that is made of it.

This concerns only projects with a table ``[tool.pdmigrate.dashdash]``; in other projects nothing is inferred, served or
checked, unless an export is requested.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pdmigrate.counting import some
from pdmigrate.findings import finding
from pdmigrate.model import Finding, JsonObject, JsonValue, Site, mapping
from pdmigrate.runtime.guidance import help_sections

SPEC_VERSION = "0.2.0"
SPEC_URL = "https://github.com/visionik/dashdash"
PREFIX = "dashdash."
"""The prefix that the names of a tool's inferred fields have in ``lifted`` of its description file."""

ACCESS = ("cliUrl", "apiUrl", "webUrl")
MOST_NAME, MOST_DESCRIPTION = 64, 1024
_REPOSITORY = ("repository", "source", "source code", "github", "code")
_HOMEPAGE = ("homepage", "home", "documentation", "docs")


def tool_fields(definition: Mapping[str, JsonValue]) -> JsonObject:
    """The fields of a tool that its annotations settle, by their names in ``lifted``.

    A tool that is declared read-only has the type ``read``; a tool that is declared neither read-only nor destructive
    has the type ``write``.  A destructive tool may write or delete, so it has no type; a missing annotation settles
    nothing (its default is the cautious assumption, not a fact).
    """
    hints = mapping(definition.get("annotations"))
    reads, harms, repeats = (hints.get(f"{hint}Hint") for hint in ("readOnly", "destructive", "idempotent"))
    made: JsonObject = {}
    if reads is True or (reads is False and harms is False):
        made[f"{PREFIX}operationType"] = "read" if reads else "write"
    if reads is True or isinstance(repeats, bool):
        made[f"{PREFIX}idempotent"] = reads is True or repeats
    return made


def server_metadata(
    given: Mapping[str, JsonValue],
    name: str,
    tools: Sequence[Mapping[str, JsonValue]],
    *,
    summaries: Sequence[str] = (),
    urls: Mapping[str, str],
    complete: bool,
) -> tuple[JsonObject, tuple[str, ...]]:
    """The metadata of a server in the order of the specification, and the names of the fields that were inferred.

    ``given`` is the table of the project, ``urls`` are its ``[project.urls]``; ``complete``: these are all the tools
    that the server may list.  ``summaries`` are only for metadata that a person reviews: metadata that a server sends
    must not mention a tool that some clients may not see.
    """
    identity = mapping(given.get("identity"))
    access = mapping(given.get("alternativeAccess"))
    inferred: JsonObject = {
        "identity.name": server_slug(name),
        "identity.description": described(name, summaries),
        **({"accessLevel": level} if (level := _access_level(tools, complete=complete)) else {}),
        **_links(urls),
    }
    made: JsonObject = {
        "specVersion": given.get("specVersion", SPEC_VERSION),
        "identity": {"name": inferred["identity.name"], "description": inferred["identity.description"], **identity},
        **{key: inferred[key] for key in ("accessLevel",) if key in inferred},
        "alternativeAccess": {key: access.get(key) for key in ACCESS},
        **{key: inferred[key] for key in ("homepage", "repository") if key in inferred},
    }
    own = {key: value for key, value in given.items() if key not in ("identity", "alternativeAccess", *NOT_METADATA)}
    said = {*given, *(f"identity.{key}" for key in identity)}
    return {**made, **own}, tuple(key for key in inferred if key not in said)


NOT_METADATA = ("sections", "resources", "categories")
"""Keys of the table that are not part of the object sent to clients: they are for the help and for exports."""


def server_slug(name: str) -> str:
    """A server's name in the form of metadata and skills: lower-case letters, digits and single hyphens."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return plain[:MOST_NAME].rstrip("-") or "mcp-server"


def described(name: str, summaries: Sequence[str]) -> str:
    """What a server is for and when to use it, told by the summaries of its tools: as many whole ones as fit."""
    text = f"Tools of the MCP server {name}." + (" Use when the task needs one of them:" if summaries else "")
    for summary in summaries:
        more = f"{text} {summary}"
        if len(more) > MOST_DESCRIPTION:
            break
        text = more
    return " ".join(text.split())[:MOST_DESCRIPTION]


def project_urls(raw: bytes) -> dict[str, str]:
    """``[project.urls]`` of a ``pyproject.toml``; empty if that cannot be read, which is reported elsewhere."""
    from pdmigrate.source.documents import toml_or_empty

    project = mapping(toml_or_empty(raw).get("project")) if b"urls" in raw else {}
    return {str(label): str(url) for label, url in mapping(project.get("urls")).items()}


def _access_level(tools: Sequence[Mapping[str, JsonValue]], *, complete: bool) -> str | None:
    """``interact`` if a tool declares that it is not read-only, ``read`` if all declare the opposite; else ``None``."""
    hints = [annotations for tool in tools if isinstance(annotations := tool.get("annotations"), dict)]
    reads = [hint.get("readOnlyHint") for hint in hints]
    if False in reads:
        return "interact"
    return "read" if complete and tools and len(reads) == len(tools) and all(reads) else None


def _links(urls: Mapping[str, str]) -> JsonObject:
    """``homepage`` and ``repository`` from ``[project.urls]``, by the labels that are usual in packaging."""
    plain = {label.lower().replace("-", " "): url for label, url in urls.items()}
    found = {"homepage": _HOMEPAGE, "repository": _REPOSITORY}
    first = {key: next((plain[label] for label in labels if label in plain), None) for key, labels in found.items()}
    return {key: url for key, url in first.items() if url}


_TRIGGER = re.compile(r"\b(?:use (?:it |this |them )?(?:when|for|to|whenever)|when the (?:user|task))\b", re.IGNORECASE)
_RECOMMENDED = ("install", "requires", "invocation", "rateLimit", "homepage", "repository")
_OF_TOOLS = ("category", "operationType", "idempotent", "cliEquivalent", "apiEquivalent")


def problems(table: Mapping[str, JsonValue]) -> Iterator[str]:
    """The errors in ``[tool.pdmigrate.dashdash]``, by the JSON Schema of that table."""
    from jsonschema import Draft202012Validator

    from pdmigrate.runtime.render import read_template

    schema = json.loads(read_template("dashdash.schema.json"))
    for error in sorted(Draft202012Validator(schema).iter_errors(dict(table)), key=lambda e: e.json_path):
        yield f"{error.json_path.removeprefix('$').lstrip('.') or 'the table'}: {error.message}"


def checklist(metadata: JsonObject, inferred: Sequence[str], sections: JsonObject, place: Site) -> Iterator[Finding]:
    """Findings for entries of the checklist that a server does not meet: required (PD412) and recommended (PD413)."""
    text = mapping(metadata["identity"]).get("description", "")
    required = [
        *(["accessLevel"] if "accessLevel" not in metadata else []),
        *(["identity.description, in words of its own"] if "identity.description" in inferred else []),
        *(["when to use it, in identity.description"] if not _TRIGGER.search(str(text)) else []),
        *(["sections.'When to Use'"] if "When to Use" not in sections else []),
    ]
    if required:
        message = f"dashdash requires {', '.join(required)}"
        yield finding("PD412", message, site=place)
    wanted = [key for key in _RECOMMENDED if key not in metadata]
    wanted += ["sections.Authentication"] if "Authentication" not in sections else []
    if wanted:
        yield finding("PD413", f"dashdash recommends {', '.join(wanted)}", site=place)


def of_tools(contents: Iterable[tuple[str, Mapping[str, JsonValue]]]) -> Iterator[Finding]:
    """Findings for recommended fields that tools lack, by the paths and contents of their description files."""
    lacking: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for path, content in contents:
        for field in _missing(content):
            lacking.setdefault(field, []).append(str(content.get("name")))
            first.setdefault(field, path)
    for field, names in lacking.items():
        yield finding("PD413", f"dashdash recommends {field} for {some(names)}", site=Site(first[field], 1))


def _missing(content: Mapping[str, JsonValue]) -> Iterator[str]:
    has = mapping(content.get("dashdash"))
    yield from (f"{PREFIX}{key}" for key in _OF_TOOLS if key not in has)
    if not (content.get("examples") or has.get("examples")):
        yield "examples"
    if not (content.get("error_guidance") or has.get("errors")):
        yield "error_guidance"


OF_TOOLS = ("Quick Reference", "Error Handling")
"""The sections that are made for each reader, of the tools that they may see and what is known of their errors."""
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
    identity, access = mapping(metadata.get("identity")), mapping(metadata.get("alternativeAccess"))
    yield "name", identity.get("name")
    yield "description", identity.get("description")
    yield "spec-url", SPEC_URL
    yield "spec-version", metadata.get("specVersion")
    if "accessLevel" in metadata:
        yield "access-level", metadata["accessLevel"]
    for key in ACCESS:
        yield _kebab(key), access.get(key)
    for key in ("install", "requires", "invocation"):
        if table := mapping(metadata.get(key)):
            yield key, {_kebab(name): value for name, value in table.items()}


def sections(metadata: JsonObject, given: Mapping[str, JsonValue]) -> dict[str, str]:
    """The sections by title, in the order of the specification; those of ``OF_TOOLS`` are empty.

    ``given`` are the texts of the project; other sections appear only if the metadata fills them.
    """
    access = {key.removesuffix("Url"): url for key, url in mapping(metadata.get("alternativeAccess")).items() if url}
    install, requires = mapping(metadata.get("install")), mapping(metadata.get("requires"))
    titles = {"cli": "CLI", "api": "REST API", "web": "Web"}
    made = {
        "When to Use": str(mapping(metadata.get("identity")).get("description", "")),
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


def _lines(items: Iterator[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def compact(value: JsonValue) -> str:
    """A value on one line, as JSON, which YAML parsers accept."""
    return json.dumps(value, ensure_ascii=False)


def _kebab(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)
