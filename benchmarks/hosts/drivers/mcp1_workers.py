"""The ``ClientSession`` of mcp 1.x with a server over HTTP of which two workers answer; a client for each step."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client
from mcp1 import taken
from plan import SECONDS, Plan, Seen, Step, run_async

CLIENTS = 12


async def drive(plan: Plan) -> Seen:
    port = free_port()
    command = [plan.command, *plan.args, "--http", str(port)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        await listening(port)
        url = f"http://127.0.0.1:{port}/mcp"
        await both_answer(url)
        listings = await asyncio.gather(*(listed(url) for _ in range(CLIENTS)))
        if any(tools != listings[0] for tools in listings):
            raise ValueError(f"clients are listed different tools: {listings}")
        return Seen(listings[0], [await asked(url, step) for step in plan.steps])
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=SECONDS)


def free_port() -> int:
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return int(chosen.getsockname()[1])


async def listening(port: int) -> None:
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        await asyncio.sleep(0.2)
    raise TimeoutError(f"nobody listens at {port}")


@asynccontextmanager
async def client(url: str) -> AsyncIterator[ClientSession]:
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        yield session


async def both_answer(url: str) -> None:
    """Ask until both workers have answered: one of them may still be starting."""
    end, workers = time.monotonic() + SECONDS, set[str]()
    while len(workers) < 2:
        workers.update(await asyncio.gather(*(asked(url, Step("which_worker", {})) for _ in range(CLIENTS))))
        if time.monotonic() > end:
            raise TimeoutError(f"only {workers} answered")


async def listed(url: str) -> list[dict[str, Any]]:
    async with client(url) as session:
        found = await session.list_tools()
        return [{"name": tool.name, "parameters": tool.inputSchema} for tool in found.tools]


async def asked(url: str, step: Step) -> str:
    async with client(url) as session:
        return await taken(session, step)


if __name__ == "__main__":
    run_async(drive)
