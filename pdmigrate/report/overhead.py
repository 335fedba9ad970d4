"""What a migration adds to the listing: a saving without it would be a flattering figure."""

from __future__ import annotations

import ast
from types import SimpleNamespace

from pdmigrate.model import FileKind, JsonObject, Plan
from pdmigrate.tokens import Counter, listing_tokens


def bridge_tokens(plan: Plan, using: Counter) -> int:
    """The tokens of the bridges that the generated modules of ``plan`` list; 0 without any.

    A bridge names every tool, so its size is that of its own text and of all their names.
    """
    modules = [change.after for change in plan.changes if change.kind is FileKind.MODULE and change.after is not None]
    names = [outcome.tool for outcome in plan.outcomes]
    bridges = [bridge_tool(raw, [] if position else names) for position, raw in enumerate(modules)]
    return sum(listing_tokens([bridge], using) for bridge in bridges if bridge is not None)


def bridge_tool(module: bytes, names: list[str]) -> JsonObject | None:
    """The bridge as the generated ``module`` will list it beside tools of these ``names``.

    The module as a whole cannot be imported without its SDK.  The one method that makes the bridge needs nothing, so it
    is taken out and called: its text stands in the template and nowhere else.
    """
    functions = {node.name: node for node in ast.walk(ast.parse(module)) if isinstance(node, ast.FunctionDef)}
    if "bridge_tool" not in functions:
        return None
    alone = ast.Module([_without_annotations(functions["bridge_tool"])], type_ignores=[])
    namespace: dict[str, object] = {}
    exec(compile(ast.fix_missing_locations(alone), "progressive_disclosure", "exec"), namespace)
    make = namespace["bridge_tool"]
    assert callable(make)
    result: JsonObject = make(SimpleNamespace(bridge_name=lambda _: _name(module)), names)
    return result


def _without_annotations(function: ast.FunctionDef) -> ast.FunctionDef:
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    return function


def _name(module: bytes) -> str:
    """The bridge's name; where the server names it when it starts, one of about that length."""
    for node in ast.parse(module).body:
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["BRIDGE"]:
            return str(ast.literal_eval(node.value))
    return "server_describe_tools"
