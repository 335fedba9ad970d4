"""The tokens that a migration adds to what a model is sent; a saving that ignored them would be overstated."""

from __future__ import annotations

from collections.abc import Sequence

from pdmigrate.audit.tokens import Counter, seen_tokens
from pdmigrate.model import Overhead, Sdk
from pdmigrate.runtime.guidance import describing_tool, with_guidance
from pdmigrate.runtime.render import bridge_name
from pdmigrate.runtime.served import fetch_uri
from pdmigrate.sdk.schemas.versions import parse_version

NAMELESS = "a server"
"""A placeholder, about as long as a name, for a server that gets its name only when it starts."""


def sends_instructions(sdk: Sdk) -> bool:
    """Whether an SDK sends a server's instructions: ``mcp`` does since 1.3.0."""
    version = parse_version(sdk.version) if sdk.package == "mcp" else None
    return version is None or version >= (1, 3, 0)


def overhead(
    server: str,
    tools: Sequence[str],
    counter: Counter,
    *,
    bridge: bool,
    instructions: str | None = None,
    guided: bool = True,
) -> Overhead:
    """The tokens of the bridge, which names all ``tools`` of a server, and of the guidance after its instructions.

    Instructions that already have the length that clients read get no guidance, nor does a server that is not
    ``guided``: its SDK sends none.
    """
    if not tools:
        return Overhead()
    own = bridge_name(server)
    example, also = fetch_uri(tools[0]), f", or call {own}" if bridge else ""
    has_room = guided and with_guidance(instructions, example, also) != instructions
    sentences = with_guidance(None, example, also) if has_room else None
    return Overhead(
        seen_tokens(describing_tool(own, [*tools]), counter) if bridge else 0,
        counter.count(sentences or ""),
    )
