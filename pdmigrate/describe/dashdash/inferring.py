"""Infer the metadata that follows from what the project says already; nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pdmigrate.describe.dashdash import PREFIX, SPEC_VERSION
from pdmigrate.model import JsonObject, JsonValue

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
    annotations = definition.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
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
    identity = _table(given, "identity")
    access = _table(given, "alternativeAccess")
    inferred: JsonObject = {
        "identity.name": server_slug(name),
        "identity.description": described(name, summaries),
        **({"accessLevel": level} if (level := _access_level(tools, complete=complete)) else {}),
        **_links(urls),
    }
    made: JsonObject = {
        "specVersion": given.get("specVersion", SPEC_VERSION),
        "identity": {
            "name": identity.get("name", inferred["identity.name"]),
            "description": identity.get("description", inferred["identity.description"]),
            **{key: value for key, value in identity.items() if key not in ("name", "description")},
        },
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
    from pdmigrate.source.documents import DocumentError, read_toml

    if b"urls" not in raw:
        return {}
    try:
        project = read_toml(raw).get("project")
    except DocumentError:
        return {}
    urls = project.get("urls") if isinstance(project, dict) else None
    return {str(label): str(url) for label, url in urls.items()} if isinstance(urls, dict) else {}


def _table(given: Mapping[str, JsonValue], key: str) -> JsonObject:
    value = given.get(key)
    return value if isinstance(value, dict) else {}


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
