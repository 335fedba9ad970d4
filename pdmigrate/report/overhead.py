"""What a migration adds to what a model is sent: a saving without it would be a flattering figure."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pdmigrate.guidance import describing_tool, with_guidance
from pdmigrate.model import FileKind, JsonObject, Plan
from pdmigrate.tokens import Counter, listing_tokens


def bridge_tokens(plan: Plan, using: Counter) -> int:
    """The tokens of the bridges that the generated modules of ``plan`` list; 0 without any.

    A bridge names every tool, so its size is that of its own text and of all their names.
    """
    names = [outcome.tool for outcome in plan.outcomes]
    bridges = [bridge_tool(raw, [] if position else names) for position, raw in enumerate(_modules(plan))]
    return sum(listing_tokens([bridge], using) for bridge in bridges if bridge is not None)


def guidance_tokens(plan: Plan, using: Counter) -> int:
    """The tokens of the sentences that the generated modules of ``plan`` put behind the instructions."""
    return sum(using.count(guidance(raw)) for raw in _modules(plan))


def bridge_tool(module: bytes, names: list[str]) -> JsonObject | None:
    """The bridge as the generated ``module`` will list it beside tools of these ``names``."""
    bridge = _bridge(module)
    return None if bridge is None else describing_tool(bridge, names)


def guidance(module: bytes) -> str:
    """The sentences of the generated ``module``, where the server's own instructions leave room for all of them."""
    bridge = _bridge(module)
    return with_guidance(None, str(_constants(module)["EXAMPLE"]), f", or call {bridge}" if bridge else "") or ""


def _modules(plan: Plan) -> Iterator[bytes]:
    return (c.after for c in plan.changes if c.kind is FileKind.MODULE and c.after is not None)


def _bridge(module: bytes) -> str | None:
    """The bridge's name; where the server names it when it starts, one of about that length."""
    if not any(isinstance(node, ast.FunctionDef) and node.name == "describing_tool" for node in ast.parse(module).body):
        return None
    return str(_constants(module).get("BRIDGE", "server_describe_tools"))


def _constants(module: bytes) -> dict[str, object]:
    """What the module's names stand for, where that is a literal."""
    found: dict[str, object] = {}
    for node in ast.parse(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            found.update({ast.unparse(target): node.value.value for target in node.targets})
    return found
