"""The tokens that a migration adds to what a model is sent; a saving that ignored them would be overstated."""

from __future__ import annotations

from collections.abc import Sequence

from pdmigrate.audit.tokens import Counter, seen_tokens
from pdmigrate.generated.guidance import describing_tool, with_guidance
from pdmigrate.generated.render import bridge_name
from pdmigrate.generated.served import fetch_uri
from pdmigrate.model import Overhead

NAMELESS = "a server"
"""A placeholder, about as long as a name, for a server that gets its name only when it starts."""


def overhead(
    server: str, tools: Sequence[str], counter: Counter, *, bridge: bool, instructions: str | None = None
) -> Overhead:
    """The tokens of the bridge, which names all ``tools`` of a server, and of the guidance after its instructions.

    Instructions that already have the length that clients read get no guidance.
    """
    if not tools:
        return Overhead()
    own = bridge_name(server)
    example, also = fetch_uri(tools[0]), f", or call {own}" if bridge else ""
    has_room = with_guidance(instructions, example, also) != instructions
    sentences = with_guidance(None, example, also) if has_room else None
    return Overhead(
        seen_tokens(describing_tool(own, [*tools]), counter) if bridge else 0,
        counter.count(sentences or ""),
    )
