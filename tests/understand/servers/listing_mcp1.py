"""Runs in an environment with mcp 1.x: what the real SDK lists for each source that comes on standard input.

Standard input holds ``{label: source}``; each source binds ``server``.  Standard output gets ``{label: tools}``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anyio
from mcp.types import ListToolsRequest


async def listing(server: Any) -> list[dict[str, Any]]:
    handler = server.request_handlers[ListToolsRequest]
    answer = (await handler(ListToolsRequest(method="tools/list"))).model_dump(
        mode="json", by_alias=True, exclude_none=True
    )
    return list(answer["tools"])


def main() -> None:
    answers = {}
    for label, source in json.load(sys.stdin).items():
        names: dict[str, Any] = {"__name__": "app"}
        exec(compile(source, label, "exec"), names)
        answers[label] = anyio.run(listing, names["server"])
    json.dump(answers, sys.stdout)


main()
