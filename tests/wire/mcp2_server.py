"""A small server on mcp 2.x: ``stdio``, or ``http``, which prints its port first."""

from __future__ import annotations

import socket
import sys

from mcp.server.mcpserver import MCPServer

server = MCPServer("two")


@server.tool(name="tool with ü")
def add(a: int) -> int:
    """Add one."""
    return a + 1


@server.resource("notes://readme")
def readme() -> str:
    """Notes."""
    return "Notes."


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run()
    else:
        import uvicorn

        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        sys.stdout.write(f"{listener.getsockname()[1]}\n")
        sys.stdout.flush()
        app = server.streamable_http_app()
        uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])
