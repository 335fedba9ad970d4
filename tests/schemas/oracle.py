"""Executes modules on the interpreter it runs on, and prints what its libraries make of them.

Reads one job a line from standard input and writes one answer a line.  A job with a ``target`` asks for a JSON Schema,
which needs nothing but pydantic: ``{"schema": ...}``; one with a ``family``, for what the SDK lists of ``f``:
``{"tool": ...}``; either may be told ``{"error": ...}``.  To a docstring, the answer is what fastmcp takes from it.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import sys
import tempfile
import typing
import warnings
from pathlib import Path
from typing import Any


def schema(job: dict[str, Any], module: Any) -> Any:
    from pydantic import BaseModel, TypeAdapter

    target = eval(job["target"], vars(module))
    options = {name: job[name] for name in ("by_alias", "mode") if job[name] is not None}
    if isinstance(target, type) and issubclass(target, BaseModel):
        return target.model_json_schema(**options)
    return TypeAdapter(target).json_schema(**options)


def listed(job: dict[str, Any], module: Any) -> dict[str, Any]:
    server = make(job["family"], eval(job["server"], vars(module)))
    options = eval(job["options"], vars(module))
    server.tool(**options)(module.f)
    tools = asyncio.run(tools_of(job["family"], server))
    return tools[0].model_dump(by_alias=True, exclude_none=True, mode="json")


def make(family: str, options: dict[str, Any]) -> Any:
    if family == "mcp1-fastmcp":
        from mcp.server.fastmcp import FastMCP as Server
    elif family == "mcp2-mcpserver":
        from mcp.server.mcpserver import MCPServer as Server
    else:
        from fastmcp import FastMCP as Server
    return Server("sample", **options)


async def tools_of(family: str, server: Any) -> Any:
    if family in ("mcp1-fastmcp", "mcp2-mcpserver"):
        return await server.list_tools()
    from fastmcp import Client

    async with Client(server) as client:
        return await client.list_tools()


def described(doc: str) -> dict[str, Any]:
    from fastmcp.utilities.docstring_parsing import parse_docstring

    def function() -> None: ...

    function.__doc__ = doc
    found = parse_docstring(function)
    return {"description": found.description, "parameters": found.parameters}


def answer(job: dict[str, Any], folder: Path) -> dict[str, Any]:
    if "docstring" in job:
        return described(job["docstring"])
    # Or an earlier job decides the order of a union: List[Union[int, str]] and List[Union[str, int]] share an entry.
    for forget in getattr(typing, "_cleanups", ()):
        forget()
    known = set(sys.modules)
    stage = "import"
    try:
        for name, source in job["modules"].items():
            path = folder.joinpath(*name.split(".")).with_suffix(".py")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        module = [importlib.import_module(name) for name in job["modules"]][-1]
        stage = "ask"
        return {"schema": schema(job, module)} if "target" in job else {"tool": listed(job, module)}
    except BaseException as error:  # noqa: BLE001 - whatever is raised is the answer
        return {"error": f"{type(error).__name__}: {error}", "stage": stage}
    finally:
        for name in set(sys.modules) - known:
            if name.split(".")[0] in {job_name.split(".")[0] for job_name in job["modules"]}:
                del sys.modules[name]


def main() -> None:
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # a server may print
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    sys.dont_write_bytecode = True
    for line in sys.stdin:
        with tempfile.TemporaryDirectory() as folder:
            sys.path.insert(0, folder)
            found = answer(json.loads(line), Path(folder))
            sys.path.remove(folder)
        out.write(json.dumps(found, default=repr) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
